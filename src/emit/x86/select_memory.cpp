// Selection of accesses: addresses with folded constants; a predicate is a branch around one instruction, since it
// nearly always says the same.
#include <bit>

#include "emit/x86/selection.hpp"

namespace seiche::emit::x86 {

using ir::Op;
using ir::Scalar;

namespace {

bool is_global(Op op) { return op == Op::global_load || op == Op::global_store; }
bool is_private(Op op) { return op == Op::private_load || op == Op::private_store; }

}  // namespace

/// An index as another and a constant, where their sum does not wrap.
std::pair<Selection::Id, std::int64_t> Selection::without_constant(Id index) const {
    std::int64_t constant = 0;
    constexpr std::uint64_t most = 1u << 24;
    while (true) {
        const ir::Instruction& i = kernel_.code[index];
        if (i.op == Op::convert && i.type == ir::Type(Scalar::u64) && type_of(i, 0) == ir::Type(Scalar::u32)) {
            index = i.operands[0];
            continue;
        }
        if (i.op != Op::add) return {index, constant};
        const bool has_second = kernel_.code[i.operands[1]].op == Op::constant;
        if (!has_second && kernel_.code[i.operands[0]].op != Op::constant) return {index, constant};
        const Id number = i.operands[has_second ? 1 : 0], rest = i.operands[has_second ? 0 : 1];
        const std::uint64_t value = kernel_.code[number].immediate;
        const std::uint64_t room = ir::greatest_of(i.type.scalar) - bounds_[rest].greatest;
        if (value > most || value > room) return {index, constant};
        constant += static_cast<std::int64_t>(value);
        index = rest;
    }
}

Selection::Address Selection::address(Id index, Reg base, unsigned element_bytes) {
    const auto [root, constant] = without_constant(index);
    Address result;
    result.base = base;
    const std::int64_t bytes = element_bytes;
    const RegInfo& known = machine_.regs[parts_[root][0]];
    if (known.is_immediate && known.immediate < (1u << 24)) {
        result.displacement = (static_cast<std::int64_t>(known.immediate) + constant) * bytes;
        return result;
    }
    result.displacement = constant * bytes;
    const auto shift = static_cast<unsigned>(std::countr_zero(element_bytes));
    if (shift <= 3) {
        result.index = parts_[root][0];
        result.shift = shift;
        return result;
    }
    for (const Scaled& one : pointers_)
        if (one.index == root && one.base == base && one.shift == shift) {
            result.base = one.pointer;
            return result;
        }
    const Reg offset = general_binary(Mnemonic::shl, parts_[root][0], number(shift), 8, false);
    result.base = base == no_reg ? offset : general_binary(Mnemonic::add, offset, base, 8);
    pointers_.push_back({root, base, result.base, shift});
    return result;
}

Selection::Address Selection::address_of(const ir::Instruction& i) {
    if (is_private(i.op)) {
        Address result = address(i.operands[0], no_reg, ir::type_bytes(kernel_.privates[i.symbol].element));
        if (result.base != no_reg) {  // a scaled index
            result.index = result.base;
            result.base = no_reg;
            result.shift = 0;
        }
        result.in_frame = true;
        result.displacement += static_cast<std::int64_t>(private_places_[i.symbol]);
        return result;
    }
    if (!is_global(i.op)) {
        Address result =
            address(i.operands[0], header(HeaderWord::shared), ir::type_bytes(kernel_.shared[i.symbol].element));
        result.displacement += static_cast<std::int64_t>(ir::shared_offset(kernel_, i.symbol));
        return result;
    }
    const int slot = ir::part_slot(i.op);
    Reg base = argument(i.symbol);
    if (ir::names_part(i)) {
        base = general();
        // Where the access's predicate does not hold the part may be any number.
        const Reg part = parts_[i.operands[static_cast<std::size_t>(slot)]][0];
        const Reg last = number(kernel_.buffers[i.symbol].parts - 1), bounded = general();
        emit(Form::effect, Mnemonic::cmp, {in_register(part, 4), general_operand(last, 4)});
        emit(Form::tied, Mnemonic::cmova, {in_register(bounded, 8), in_register(part, 8), in_register(last, 8)}, true);
        Operand from = at_frame(std::uint64_t{8} * i.symbol, 8);
        from.index = bounded;
        from.shift = 3;
        emit(Form::plain, Mnemonic::mov, {in_register(base, 8), from});
    }
    return address(i.operands[0], base, ir::type_bytes(kernel_.buffers[i.symbol].element));
}

void Selection::select_memory(Id id) {
    const ir::Instruction& i = kernel_.code[id];
    const Address where = address_of(i);
    const int slot = ir::predicate_slot(i.op);
    std::vector<Test> tests;
    if (slot >= 0 && i.operands[static_cast<std::size_t>(slot)] != ir::no_value) {
        const Id predicate = i.operands[static_cast<std::size_t>(slot)];
        const RegInfo& known = machine_.regs[parts_[predicate][0]];
        if (!known.is_immediate || known.immediate == 0) tests = tests_of(predicate);
    }
    if (ir::op_stores(i.op)) return store(i, where, tests);
    load(id, where, tests);
}

/// Where a test does not hold, the result is 0 and the place is not touched.
void Selection::load_part(Mnemonic way, const Operand& to, const Operand& from, const std::vector<Test>& tests) {
    if (tests.empty())
        emit(Form::plain, way, {to, from});
    else
        emit_tested(Form::load_if, way, to, from, tests);
}

void Selection::store_part(Mnemonic way, const Operand& to, const Operand& from, const std::vector<Test>& tests) {
    if (tests.empty())
        emit(Form::effect, way, {to, from});
    else
        emit_tested(Form::store_if, way, to, from, tests);
}

/// Whether a number is loaded to be in all lanes, which one instruction does.
bool Selection::is_splatted(Id id) const {
    const ir::Instruction& i = kernel_.code[id];
    return i.type.lanes == 1 && (i.type.scalar == Scalar::f32 || i.type.scalar == Scalar::f64) && splats_[id] != 0;
}

void Selection::load(Id id, const Address& from, const std::vector<Test>& tests) {
    const ir::Instruction& i = kernel_.code[id];
    Parts parts = new_parts(i.type);
    const unsigned all = ir::type_bytes(i.type);
    if (is_general(i.type)) {
        const unsigned bytes = ir::scalar_bytes(i.type.scalar);
        const bool is_signed = i.type.scalar == Scalar::i8 || i.type.scalar == Scalar::i16;
        const Mnemonic way = bytes >= 4 ? Mnemonic::mov : is_signed ? Mnemonic::movsx : Mnemonic::movzx;
        load_part(way, in_register(parts[0], bytes == 8 ? 8 : 4), from.operand(bytes), tests);
    } else if (all < 4) {
        const Reg low = general();
        load_part(Mnemonic::movzx, in_register(low, 4), from.operand(all), tests);
        parts.regs[0] = to_vector(low, 4);
    } else if (avx() && is_splatted(id)) {
        const bool is_double = i.type.scalar == Scalar::f64;
        parts.regs[0] = vector(widest_register(set_));
        load_part(is_double ? Mnemonic::vbroadcastsd : Mnemonic::vbroadcastss,
                  in_register(parts[0], widest_register(set_)), from.operand(all), tests);
        broadcasts_.insert(id);
    } else if (all < 16) {
        const Mnemonic way =
            all == 8 ? (avx() ? Mnemonic::vmovsd : Mnemonic::movsd) : (avx() ? Mnemonic::vmovss : Mnemonic::movss);
        load_part(way, in_register(parts[0], 16), from.operand(all), tests);
    } else {
        for (unsigned k = 0; k < parts.count; ++k)
            load_part(avx() ? Mnemonic::vmovups : Mnemonic::movups, in_register(parts[k], parts.bytes),
                      from.operand(parts.bytes, k * parts.bytes), tests);
    }
    parts_[id] = parts;
}

void Selection::store(const ir::Instruction& i, const Address& to, const std::vector<Test>& tests) {
    const Parts& parts = operand(i, 1);
    const unsigned all = ir::type_bytes(i.type);
    if (is_general(i.type)) {
        const unsigned bytes = ir::scalar_bytes(i.type.scalar);
        store_part(Mnemonic::mov, to.operand(bytes), in_register(parts[0], bytes), tests);
    } else if (all < 4) {
        const Reg low = to_general(parts[0], 4);
        store_part(Mnemonic::mov, to.operand(all), in_register(low, all), tests);
    } else if (all < 16) {
        const Mnemonic way =
            all == 8 ? (avx() ? Mnemonic::vmovsd : Mnemonic::movsd) : (avx() ? Mnemonic::vmovss : Mnemonic::movss);
        store_part(way, to.operand(all), in_register(parts[0], 16), tests);
    } else {
        const std::size_t first = machine_.code.size();
        for (unsigned k = 0; k < parts.count; ++k)
            store_part(avx() ? Mnemonic::vmovups : Mnemonic::movups, to.operand(parts.bytes, k * parts.bytes),
                       in_register(parts[k], parts.bytes), tests);
        if (tests.empty()) let_stream(i, to, first);
    }
}

/// Marks stores, of which `first` is the first one's instruction, that fill whole lines of a buffer that nothing reads.
/// What fills half a line waits for the store of the other half.
void Selection::let_stream(const ir::Instruction& i, const Address& to, std::size_t first) {
    constexpr unsigned line = 64, line_bits = 6;
    if (!avx() || !is_global(i.op) || ir::names_part(i)) return;
    const ir::BufferParameter& buffer = kernel_.buffers[i.symbol];
    if (buffer.access != ir::Access::write) return;
    const unsigned element = ir::type_bytes(buffer.element), bytes = ir::type_bytes(i.type);
    const unsigned zero_bits = zero_bits_[i.operands[0]] + static_cast<unsigned>(std::countr_zero(element));
    const bool at_line = zero_bits >= line_bits, at_half = zero_bits + 1 >= line_bits;
    if (at_line && bytes % line == 0) {
        for (std::size_t at = first; at < machine_.code.size(); ++at) machine_.code[at].may_stream = true;
        machine_.streamed.insert(i.symbol);
        return;
    }
    if (bytes != line / 2 || !at_half) return;
    for (const HalfLine& half : half_lines_) {
        const std::int64_t behind = to.displacement - half.to.displacement;
        const bool is_other = (half.is_first && behind == line / 2) || (at_line && behind == -std::int64_t{line / 2});
        if (!is_other || half.to.base != to.base || half.to.index != to.index || half.to.shift != to.shift) continue;
        machine_.code[half.at].may_stream = machine_.code[first].may_stream = true;
        machine_.streamed.insert(i.symbol);
    }
    half_lines_.push_back({to, at_line, first});
}

}  // namespace seiche::emit::x86
