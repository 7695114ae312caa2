// Selection of accesses: which instruction moves what. An address is a register and a displacement.
#include <bit>

#include "emit/arm64/selection.hpp"

namespace seiche::emit::arm64 {

using ir::Scalar;

Reg Selection::sum_of_terms(Reg base, const std::vector<Term>& terms) {
    for (const Known& known : offsets_)
        if (known.base == base && known.terms == terms) return known.sum;
    Reg sum = base;
    for (const Term& term : terms) {
        const Reg value = parts_[term.value][0], with = general();
        if (std::has_single_bit(term.factor))
            emit(Form::plain, Mnemonic::add_shifted,
                 {in_register(with, 8), in_register(sum, 8), in_register(value, 8),
                  immediate(std::countr_zero(term.factor))});
        else
            emit(Form::plain, Mnemonic::madd,
                 {in_register(with, 8), in_register(value, 8), in_register(number(term.factor), 8),
                  in_register(sum, 8)});
        sum = with;
    }
    offsets_.push_back({base, terms, sum});
    return sum;
}

Address Selection::combined(Reg base, const std::vector<Term>& terms, std::int64_t displacement, bool in_frame) {
    constexpr std::uint64_t widest_factor = 8;
    Address result;
    result.base = base;
    result.displacement = displacement;
    result.in_frame = in_frame;
    if (terms.empty()) return result;
    if (!in_frame) {
        result.base = sum_of_terms(base, terms);
    } else if (terms.size() == 1 && std::has_single_bit(terms[0].factor) && terms[0].factor <= widest_factor) {
        result.index = parts_[terms[0].value][0];
        result.shift = static_cast<unsigned>(std::countr_zero(terms[0].factor));
    } else {
        result.index = offset(terms);
    }
    return result;
}

Reg Selection::part_base(std::uint32_t symbol, Reg part, Reg last) {
    const Reg base = general();
    emit(Form::effect, Mnemonic::cmp, {in_register(part, 4), in_register(last, 4)});
    Operand from = at_frame(machine::header_place(symbol), 8);
    from.index = chosen(Condition::hi, last, part);
    from.shift = 3;
    emit(Form::plain, Mnemonic::ldr_x, {in_register(base, 8), from});
    return base;
}

void Selection::load_register(const Operand& to, const Operand& from) {
    const bool is_vector = machine_.regs[to.reg].bank == Bank::vector;
    emit(Form::plain, is_vector ? Mnemonic::ldr_q : to.bytes == 8 ? Mnemonic::ldr_x : Mnemonic::ldr_w, {to, from});
}

void Selection::store_register(const Operand& to, const Operand& from) {
    const bool is_vector = machine_.regs[from.reg].bank == Bank::vector;
    emit(Form::effect, is_vector ? Mnemonic::str_q : from.bytes == 8 ? Mnemonic::str_x : Mnemonic::str_w, {to, from});
}

namespace {

Mnemonic load_of_integer(Scalar scalar) {
    const bool is_signed = scalar == Scalar::i8 || scalar == Scalar::i16;
    switch (ir::scalar_bytes(scalar)) {
        case 1: return is_signed ? Mnemonic::ldrsb : Mnemonic::ldrb;
        case 2: return is_signed ? Mnemonic::ldrsh : Mnemonic::ldrh;
        case 4: return Mnemonic::ldr_w;
        default: return Mnemonic::ldr_x;
    }
}
Mnemonic store_of_integer(unsigned bytes) {
    return bytes == 1 ? Mnemonic::strb : bytes == 2 ? Mnemonic::strh : bytes == 4 ? Mnemonic::str_w : Mnemonic::str_x;
}
/// Of a whole register, or of the low bytes of one.
Mnemonic vector_load(unsigned bytes) {
    return bytes <= 2 ? Mnemonic::ldr_h : bytes <= 4 ? Mnemonic::ldr_s : bytes <= 8 ? Mnemonic::ldr_d : Mnemonic::ldr_q;
}
Mnemonic vector_store(unsigned bytes) {
    return bytes <= 2 ? Mnemonic::str_h : bytes <= 4 ? Mnemonic::str_s : bytes <= 8 ? Mnemonic::str_d : Mnemonic::str_q;
}

}  // namespace

void Selection::load(Id id, const Address& from, const std::vector<Test>& tests) {
    const ir::Instruction& i = kernel_.code[id];
    const unsigned all = ir::type_bytes(i.type);
    const Parts parts = new_parts(i.type);
    if (is_general(i.type)) {
        load_part(id_of(load_of_integer(i.type.scalar)), in_register(parts[0], all == 8 ? 8 : 4), from.operand(all),
                  tests);
    } else {
        for (unsigned k = 0; k < parts.count; ++k)
            load_part(id_of(vector_load(all)), whole(parts[k]),
                      from.operand(std::min(all, vector_bytes), k * vector_bytes), tests);
    }
    parts_[id] = parts;
}

void Selection::store(const ir::Instruction& i, const Address& to, const std::vector<Test>& tests) {
    const unsigned all = ir::type_bytes(i.type);
    const Parts& parts = operand(i, 1);
    if (is_general(i.type))
        return store_part(id_of(store_of_integer(all)), to.operand(all), in_register(parts[0], all == 8 ? 8 : 4),
                          tests);
    for (unsigned k = 0; k < parts.count; ++k)
        store_part(id_of(vector_store(all)), to.operand(std::min(all, vector_bytes), k * vector_bytes), whole(parts[k]),
                   tests);
}

}  // namespace seiche::emit::arm64
