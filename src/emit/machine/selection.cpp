// Selection: registers, constants, leaves and control flow.
#include "emit/machine/selection.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "ir/verify.hpp"
#include "seiche/error.hpp"

namespace seiche::emit::machine {

using ir::Op;
using ir::OpKind;
using ir::Scalar;

namespace {

constexpr unsigned word_bytes = 8;

}  // namespace

Operand Address::operand(unsigned bytes, std::int64_t more) const {
    Operand o;
    o.kind = in_frame ? OperandKind::frame : OperandKind::memory;
    o.bytes = static_cast<std::uint8_t>(bytes);
    o.reg = base;
    o.index = index;
    o.shift = static_cast<std::uint8_t>(shift);
    o.immediate = displacement + more;
    return o;
}

Selection::Selection(const ir::Kernel& kernel, unsigned widest)
    : kernel_(kernel),
      parts_(kernel.code.size()),
      zero_bits_(ir::zero_low_bits(kernel)),
      widest_(widest),
      bounds_(ir::bounds(kernel)),
      splats_(kernel.code.size()) {
    for (const ir::Instruction& i : kernel.code)
        if (i.op == Op::splat) ++splats_[i.operands[0]];
    constexpr std::uint64_t alignment = 64;
    const auto up = [](std::uint64_t n) { return (n + alignment - 1) / alignment * alignment; };
    const std::size_t words = kernel.buffers.size() + kernel.scalars.size() + std::size_t(HeaderWord::count);
    machine_.header_words = static_cast<std::uint32_t>(words);
    machine_.argument_words = static_cast<std::uint32_t>(kernel.buffers.size() + kernel.scalars.size());
    machine_.frame_bytes = up((words + 1) * word_bytes);  // and the stack pointer that was
    for (const ir::ArraySymbol& array : kernel.privates) {
        private_places_.push_back(machine_.frame_bytes);
        machine_.frame_bytes += up(std::uint64_t{array.count} * ir::type_bytes(array.element));
    }
}

Machine Selection::run() {
    if (kernel_.launch.group_size() != 1 || !kernel_.images.empty())
        throw Unsupported("kernel " + kernel_.name +
                          ": machine code has groups of one thread and no images; the device 'reference' runs it");
    begin_groups();
    for (Id id = 0; id < kernel_.code.size(); ++id) select(id);
    end_groups();
    remove_dead_code();
    return std::move(machine_);
}

void Selection::refuse(const ir::Instruction& i) const {
    throw Unsupported("kernel " + kernel_.name + ": machine code has no " + ir::op_name(i.op) +
                      "; the device 'reference' runs it");
}

void Selection::select(Id id) {
    const ir::Instruction& i = kernel_.code[id];
    switch (ir::op_kind(i.op)) {
        case OpKind::leaf: return select_leaf(id);
        case OpKind::unary:
        case OpKind::binary:
        case OpKind::ternary:
            if (i.op == Op::select) return select_choice(id);
            return i.type.is_float() ? select_float(id) : select_general(id);
        case OpKind::compare: return select_compare(id);
        case OpKind::convert: return i.op == Op::bitcast ? select_bitcast(id) : select_convert(id);
        case OpKind::lanes: return select_lanes(id);
        case OpKind::memory: return select_memory(id);
        case OpKind::control: return select_control(id);
        case OpKind::call: return call_external(id);
        default: refuse(i);
    }
}

// ---- Registers

bool Selection::is_general(ir::Type type) const { return type.lanes == 1 && !type.is_float(); }

Parts Selection::shape(ir::Type type) const {
    Parts parts;
    if (is_general(type)) {
        parts.bytes = word_bytes;
        parts.count = 1;
        return parts;
    }
    const unsigned lane = type.scalar == Scalar::boolean ? 4 : ir::scalar_bytes(type.scalar);
    const unsigned all = lane * type.lanes;
    parts.bytes = static_cast<std::uint8_t>(std::clamp(all, 16u, widest_));
    parts.count = static_cast<std::uint8_t>((all + widest_ - 1) / widest_);
    return parts;
}

Parts Selection::new_parts(ir::Type type) {
    Parts parts = shape(type);
    for (unsigned k = 0; k < parts.count; ++k) parts.regs[k] = is_general(type) ? general() : vector(parts.bytes);
    return parts;
}

void Selection::result(Id id, Reg reg) {
    parts_[id] = shape(kernel_.code[id].type);
    parts_[id].regs[0] = reg;
}

Reg Selection::general() {
    machine_.regs.push_back({});
    return static_cast<Reg>(machine_.regs.size() - 1);
}

Reg Selection::vector(unsigned bytes) {
    RegInfo info;
    info.bank = Bank::vector;
    info.bytes = static_cast<std::uint8_t>(bytes);
    machine_.regs.push_back(info);
    return static_cast<Reg>(machine_.regs.size() - 1);
}

Reg Selection::argument(std::uint32_t word) {
    const auto [known, is_new] = arguments_.try_emplace(word, no_reg);
    if (is_new) {
        known->second = general();
        machine_.regs.back().argument = word;
    }
    return known->second;
}

Reg Selection::header(HeaderWord word) { return argument(machine_.word_of(word)); }

Reg Selection::number(std::uint64_t value) {
    const auto [known, is_new] = numbers_.try_emplace(value, no_reg);
    if (is_new) {
        known->second = general();
        machine_.regs.back().is_immediate = true;
        machine_.regs.back().immediate = value;
    }
    return known->second;
}

std::uint64_t Selection::constant_place(const void* bytes, unsigned count, unsigned room) {
    std::vector<std::byte> content(room);
    for (unsigned at = 0; at < room; at += count) std::memcpy(&content[at], bytes, std::min(count, room - at));
    const auto [known, is_new] = constants_.try_emplace(content, 0);
    if (is_new) {
        std::vector<std::byte>& pool = machine_.constants;
        pool.resize((pool.size() + room - 1) / room * room);
        known->second = pool.size();
        pool.insert(pool.end(), content.begin(), content.end());
    }
    return known->second;
}

Reg Selection::constant(const void* bytes, unsigned count, unsigned register_bytes) {
    const std::uint64_t place = constant_place(bytes, count, register_bytes);
    const auto [known, is_new] = constant_regs_.try_emplace({place, register_bytes}, no_reg);
    if (is_new) {
        known->second = vector(register_bytes);
        machine_.regs.back().constant = static_cast<std::uint32_t>(place);
    }
    return known->second;
}

void Selection::emit(Form form, InstructionId id, std::initializer_list<Operand> operands, bool reads_memory_last) {
    Instruction i;
    i.form = form;
    i.id = id;
    i.reads_memory_last = reads_memory_last;
    for (const Operand& o : operands) i.operands[i.count++] = o;
    machine_.code.push_back(i);
}

// ---- Groups

void Selection::begin_groups() {
    group_ = general();
    emit(Form::loop_begin, 0,
         {in_register(group_, 8), in_register(header(HeaderWord::first), 8), in_register(header(HeaderWord::last), 8)});
    enter();
}

void Selection::end_groups() {
    leave();
    emit(Form::loop_end, 0, {in_register(group_, 8), immediate(1)});
}

void Selection::select_group_id(Id id) {
    const std::uint64_t dimension = kernel_.code[id].immediate;
    const Reg x = header(HeaderWord::groups_x), y = header(HeaderWord::groups_y);
    Reg found = no_reg;
    if (dimension == 0)
        found = divide(group_, x, 8, true);
    else if (dimension == 1)
        found = divide(divide(group_, x, 8, false), y, 8, true);
    else
        found = divide(divide(group_, x, 8, false), y, 8, false);
    result(id, found);
}

// ---- Leaves

void Selection::select_leaf(Id id) {
    const ir::Instruction& i = kernel_.code[id];
    Parts& parts = parts_[id];
    switch (i.op) {
        case Op::constant: {
            parts = shape(i.type);
            const unsigned bytes = i.type.scalar == Scalar::boolean ? 4 : ir::scalar_bytes(i.type.scalar);
            const std::uint64_t bits = lane_bits(i.type.scalar, i.immediate, i.type.lanes > 1);
            for (unsigned k = 0; k < parts.count; ++k)
                parts.regs[k] = is_general(i.type) ? number(bits) : constant(&bits, bytes, parts.bytes);
            return;
        }
        case Op::parameter: {
            const auto word = static_cast<std::uint32_t>(kernel_.buffers.size() + i.immediate);
            const unsigned bytes = ir::scalar_bytes(i.type.scalar);
            parts = shape(i.type);
            if (i.type.is_float()) {
                parts.regs[0] = to_vector(argument(word), bytes);
            } else if (i.type.scalar == Scalar::boolean) {
                parts.regs[0] = set_by(is_not_zero(argument(word), 8));
            } else {
                parts.regs[0] = bytes == 8 ? argument(word) : move_general(argument(word), 4);
            }
            return;
        }
        case Op::group_id: return select_group_id(id);
        case Op::group_count:
            parts = shape(i.type);
            parts.regs[0] = header(static_cast<HeaderWord>(i.immediate));
            return;
        case Op::thread_id:
            parts = shape(i.type);
            parts.regs[0] = number(0);
            return;
        default: refuse(i);
    }
}

// ---- Control

void Selection::enter() {
    scopes_.push_back(offsets_.size());
    on_bracket();
}

void Selection::leave() {
    on_bracket();
    offsets_.resize(scopes_.back());
    scopes_.pop_back();
}

void Selection::select_control(Id id) {
    const ir::Instruction& i = kernel_.code[id];
    switch (i.op) {
        case Op::loop_begin: {
            parts_[id] = new_parts(i.type);
            emit(Form::loop_begin, 0,
                 {in_register(parts_[id][0], 8), in_register(operand(i, 0)[0], 8), in_register(operand(i, 1)[0], 8)});
            open_loops_.push_back({id, machine_.code.size() - 1, {}, {}});
            return enter();
        }
        case Op::loop_end: {
            OpenLoop loop = std::move(open_loops_.back());
            const Id begin = loop.begin;
            open_loops_.pop_back();
            leave();
            machine_.code.insert(machine_.code.begin() + static_cast<std::ptrdiff_t>(loop.at), loop.ahead.begin(),
                                 loop.ahead.end());
            const Reg step = operand(kernel_.code[begin], 2)[0];
            emit(Form::loop_end, 0, {in_register(parts_[begin][0], 8), general_operand(step, 8)});
            return;
        }
        case Op::if_begin: emit(Form::if_begin, 0, {in_register(operand(i, 0)[0], 4)}); return enter();
        case Op::if_else:
            leave();
            emit(Form::if_else, 0, {});
            return enter();
        default: leave(); emit(Form::if_end, 0, {});
    }
}

// From the last to the first: what nothing reads goes, and with it what only it reads.
void Selection::remove_dead_code() {
    std::vector<std::uint32_t> reads(machine_.regs.size());
    const auto count = [&](const Instruction& i) {
        for (unsigned k = i.writes() || i.form == Form::loop_begin ? 1 : 0; k < i.count; ++k) {
            const Operand& o = i.operands[k];
            if (o.reg != no_reg) ++reads[o.reg];
            if (o.index != no_reg) ++reads[o.index];
        }
    };
    std::vector<Instruction> kept;
    kept.reserve(machine_.code.size());
    for (std::size_t at = machine_.code.size(); at-- > 0;) {
        const Instruction& i = machine_.code[at];
        const bool is_dead = i.writes() && i.operands[0].kind == OperandKind::reg && reads[i.operands[0].reg] == 0;
        if (is_dead) continue;
        count(i);
        kept.push_back(i);
    }
    std::reverse(kept.begin(), kept.end());
    machine_.code = std::move(kept);
}

}  // namespace seiche::emit::machine
