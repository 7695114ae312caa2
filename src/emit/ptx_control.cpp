// Loops and ifs in PTX: all threads of a group take the same branch.
#include "emit/ptx.hpp"

namespace seiche::emit {

using ir::Instruction;
using ir::Op;
using ir::Scalar;
using ir::ValueId;

void PtxWriter::begin_loop(ValueId id) {
    const Instruction& i = kernel_.code[id];
    Frame frame{true, fresh_label(), fresh_label(), fresh(Scalar::u32), operand(i, 1), operand(i, 2)};
    emit("mov.u32", {frame.counter, operand(i, 0)});
    const bool begins = bounds_[i.operands[0]].greatest < bounds_[i.operands[1]].least;
    if (!begins) emit_if(make(Scalar::boolean, "setp.ge.u32", {frame.counter, frame.bound}), "bra.uni", {frame.end});
    label(frame.label);
    define(id, frame.counter);
    frames_.push_back(std::move(frame));
    addresses_.emplace_back();
}

void PtxWriter::begin_if(const Instruction& i) {
    Frame frame;
    frame.label = fresh_label();
    emit_if("!" + operand(i, 0), "bra.uni", {frame.label});
    frames_.push_back(std::move(frame));
    addresses_.emplace_back();
}

void PtxWriter::begin_else() {
    Frame& frame = frames_.back();
    frame.end = fresh_label();
    emit("bra.uni", {frame.end});
    label(frame.label);
    addresses_.back().clear();
}

void PtxWriter::end_bracket() {
    const Frame& frame = frames_.back();
    if (frame.is_loop) {
        emit("add.u32", {frame.counter, frame.counter, frame.step});
        emit_if(make(Scalar::boolean, "setp.lt.u32", {frame.counter, frame.bound}), "bra.uni", {frame.label});
    }
    label(frame.end.empty() ? frame.label : frame.end);
    frames_.pop_back();
    addresses_.pop_back();
}

void PtxWriter::control(ValueId id) {
    const Instruction& i = kernel_.code[id];
    switch (i.op) {
        case Op::loop_begin: return begin_loop(id);
        case Op::if_begin: return begin_if(i);
        case Op::if_else: return begin_else();
        default: end_bracket();
    }
}

}  // namespace seiche::emit
