// Selection of shuffles.
#include "emit/arm64/selection.hpp"

namespace seiche::emit::arm64 {

namespace {

/// Of lanes of 2, 4 and 8 bytes.
std::array<Mnemonic, 3> names(ShuffleOp op) {
    switch (op) {
        case ShuffleOp::zip1: return {Mnemonic::zip1_8h, Mnemonic::zip1_4s, Mnemonic::zip1_2d};
        case ShuffleOp::zip2: return {Mnemonic::zip2_8h, Mnemonic::zip2_4s, Mnemonic::zip2_2d};
        case ShuffleOp::uzp1: return {Mnemonic::uzp1_8h, Mnemonic::uzp1_4s, Mnemonic::zip1_2d};
        case ShuffleOp::uzp2: return {Mnemonic::uzp2_8h, Mnemonic::uzp2_4s, Mnemonic::zip2_2d};
        case ShuffleOp::trn1: return {Mnemonic::trn1_8h, Mnemonic::trn1_4s, Mnemonic::zip1_2d};
        case ShuffleOp::trn2: return {Mnemonic::trn2_8h, Mnemonic::trn2_4s, Mnemonic::zip2_2d};
        case ShuffleOp::align: return {Mnemonic::ext, Mnemonic::ext, Mnemonic::ext};
        case ShuffleOp::rev64: return {Mnemonic::rev64_8h, Mnemonic::rev64_4s, Mnemonic::none};
        case ShuffleOp::rev32: return {Mnemonic::rev32_8h, Mnemonic::none, Mnemonic::none};
        case ShuffleOp::duplicate: return {Mnemonic::dup_8h, Mnemonic::dup_4s, Mnemonic::dup_2d};
        case ShuffleOp::insert: return {Mnemonic::ins_h, Mnemonic::ins_s, Mnemonic::ins_d};
        case ShuffleOp::table: return {Mnemonic::tbl, Mnemonic::tbl, Mnemonic::tbl};
        case ShuffleOp::table_among: return {Mnemonic::tbx, Mnemonic::tbx, Mnemonic::tbx};
    }
    return {};
}

}  // namespace

Reg Selection::shuffle_step(const ShuffleStep& step, const std::vector<Reg>& values) {
    const Reg result = vector(vector_bytes);
    const Mnemonic id = names(step.op)[step.lane_bytes == 2 ? 0 : step.lane_bytes == 4 ? 1 : 2];
    const Operand to = whole(result), a = whole(values[step.a]), b = whole(values[step.b]);
    const Operand from = immediate(step.from);
    const Operand table =
        step.constant.empty() ? Operand{} : whole(constant(step.constant.data(), vector_bytes, vector_bytes));
    switch (step.op) {
        case ShuffleOp::align: emit(Form::plain, id, {to, a, b, immediate(step.from * step.lane_bytes)}); break;
        case ShuffleOp::rev64:
        case ShuffleOp::rev32: emit(Form::plain, id, {to, a}); break;
        case ShuffleOp::duplicate: emit(Form::plain, id, {to, a, from}); break;
        case ShuffleOp::insert: emit(Form::tied, id, {to, a, b, immediate(step.to), from}); break;
        case ShuffleOp::table: emit(Form::plain, id, {to, a, table}); break;
        case ShuffleOp::table_among: emit(Form::tied, id, {to, a, b, table}); break;
        default: emit(Form::plain, id, {to, a, b});
    }
    return result;
}

std::vector<Reg> Selection::shuffled(const std::vector<Reg>& sources, unsigned, unsigned lane_bytes,
                                     const std::vector<std::vector<LaneSource>>& lanes) {
    const ShuffleProgram program = lower_shuffles(lane_bytes, static_cast<unsigned>(sources.size()), lanes);
    std::vector<Reg> values = sources;
    for (const ShuffleStep& step : program.steps) values.push_back(shuffle_step(step, values));
    std::vector<Reg> results;
    for (const std::uint16_t value : program.results) results.push_back(values[value]);
    return results;
}

}  // namespace seiche::emit::arm64
