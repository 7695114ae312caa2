// Selection of accesses: which instruction moves what.
#include <bit>

#include "emit/x86/selection.hpp"

namespace seiche::emit::x86 {

using ir::Op;
using ir::Scalar;

void Selection::on_bracket() { half_lines_.clear(); }

Address Selection::combined(Reg base, const std::vector<Term>& terms, std::int64_t displacement, bool in_frame) {
    constexpr std::uint64_t widest_factor = 8;
    Address result;
    result.base = base;
    result.displacement = displacement;
    result.in_frame = in_frame;
    if (terms.empty()) return result;
    if (terms.size() == 1 && std::has_single_bit(terms[0].factor) && terms[0].factor <= widest_factor) {
        result.index = parts_[terms[0].value][0];
        result.shift = static_cast<unsigned>(std::countr_zero(terms[0].factor));
    } else {
        result.index = offset(terms);
    }
    return result;
}

Reg Selection::part_base(std::uint32_t symbol, Reg part, Reg last) {
    const Reg base = general(), bounded = general();
    emit(Form::effect, Mnemonic::cmp, {in_register(part, 4), general_operand(last, 4)});
    emit(Form::tied, Mnemonic::cmova, {in_register(bounded, 8), in_register(part, 8), in_register(last, 8)}, true);
    Operand from = at_frame(machine::header_place(symbol), 8);
    from.index = bounded;
    from.shift = 3;
    emit(Form::plain, Mnemonic::mov, {in_register(base, 8), from});
    return base;
}

void Selection::load_register(const Operand& to, const Operand& from) {
    const bool is_vector = machine_.regs[to.reg].bank == Bank::vector;
    emit(Form::plain, !is_vector ? Mnemonic::mov : avx() ? Mnemonic::vmovups : Mnemonic::movups, {to, from});
}

void Selection::store_register(const Operand& to, const Operand& from) {
    const bool is_vector = machine_.regs[from.reg].bank == Bank::vector;
    emit(Form::effect, !is_vector ? Mnemonic::mov : avx() ? Mnemonic::vmovups : Mnemonic::movups, {to, from});
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
    if (!avx() || i.op != Op::global_store || ir::names_part(i)) return;
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
