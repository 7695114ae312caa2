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

// Where a sum or a product of u32 may wrap, it is a term of its own.
void Selection::add_terms(Id value, std::uint64_t factor, Sum& sum) const {
    const ir::Instruction& i = kernel_.code[value];
    const bool is_wide = i.type == ir::Type(Scalar::u64);
    const auto is_constant = [&](unsigned k) { return kernel_.code[i.operands[k]].op == Op::constant; };
    const auto constant = [&](unsigned k) { return kernel_.code[i.operands[k]].immediate; };
    const auto greatest = [&](unsigned k) { return bounds_[i.operands[k]].greatest; };
    const std::uint64_t most = ir::greatest_of(i.type.scalar);
    const auto product_fits = [&](unsigned k, std::uint64_t by) {
        return is_wide || by == 0 || greatest(k) <= most / by;
    };
    const auto sum_fits = [&](std::uint64_t a, std::uint64_t b) { return is_wide || a <= most - b; };
    constexpr unsigned most_steps = 64;
    if (++sum.steps <= most_steps && (is_wide || i.type == ir::Type(Scalar::u32))) {
        if (i.op == Op::constant) {
            sum.constant += i.immediate * factor;
            return;
        }
        if (i.op == Op::convert && type_of(i, 0) == ir::Type(Scalar::u32)) return add_terms(i.operands[0], factor, sum);
        if (i.op == Op::add && sum_fits(greatest(0), greatest(1))) {
            add_terms(i.operands[0], factor, sum);
            return add_terms(i.operands[1], factor, sum);
        }
        for (const unsigned k : {1u, 0u})
            if (i.op == Op::mul && is_constant(k) && product_fits(1 - k, constant(k)))
                return add_terms(i.operands[1 - k], factor * constant(k), sum);
        if (i.op == Op::mad && is_constant(1) && product_fits(0, constant(1)) &&
            sum_fits(greatest(0) * constant(1), greatest(2))) {
            add_terms(i.operands[0], factor * constant(1), sum);
            return add_terms(i.operands[2], factor, sum);
        }
        if (i.op == Op::shift_left && is_constant(1) && constant(1) < 32 &&
            product_fits(0, std::uint64_t{1} << constant(1)))
            return add_terms(i.operands[0], factor << constant(1), sum);
    }
    for (Term& term : sum.terms)
        if (term.value == value) {
            term.factor += factor;
            return;
        }
    sum.terms.push_back({value, factor});
}

Selection::Sum Selection::sum_of(Id index, unsigned element_bytes) const {
    constexpr std::uint64_t most_displacement = 1u << 28;
    constexpr std::size_t most_terms = 4;
    Sum sum;
    add_terms(index, element_bytes, sum);
    std::erase_if(sum.terms, [](const Term& term) { return term.factor == 0; });
    if (sum.constant <= most_displacement && sum.terms.size() <= most_terms) return sum;
    return {{{index, element_bytes}}, 0, 0};
}

bool Selection::is_ahead_of_loop(Id value) const { return !open_loops_.empty() && value < open_loops_.back().begin; }

Reg Selection::scaled(const Term& term) { return multiply(parts_[term.value][0], number(term.factor), 8); }

/// Base and terms that are known ahead of the innermost loop, made there once.
Reg Selection::sum_ahead(Reg base, const std::vector<Term>& terms) {
    if (terms.empty()) return base;
    OpenLoop& loop = open_loops_.back();
    for (const Known& known : loop.sums)
        if (known.base == base && known.terms == terms) return known.sum;
    const auto first = static_cast<std::ptrdiff_t>(machine_.code.size());
    Reg sum = base;
    for (const Term& term : terms) sum = general_binary(Mnemonic::add, scaled(term), sum, 8);
    loop.ahead.insert(loop.ahead.end(), machine_.code.begin() + first, machine_.code.end());
    machine_.code.erase(machine_.code.begin() + first, machine_.code.end());
    loop.sums.push_back({base, terms, sum});
    return sum;
}

Reg Selection::offset(const std::vector<Term>& terms) {
    for (const Known& known : offsets_)
        if (known.terms == terms) return known.sum;
    Reg sum = scaled(terms.front());
    for (std::size_t k = 1; k < terms.size(); ++k) sum = general_binary(Mnemonic::add, sum, scaled(terms[k]), 8);
    offsets_.push_back({no_reg, terms, sum});
    return sum;
}

/// `is_fixed`: the base is known ahead of every loop.
Selection::Address Selection::address(Id index, Reg base, unsigned element_bytes, bool is_fixed) {
    const Sum sum = sum_of(index, element_bytes);
    std::vector<Term> ahead, inside;
    for (const Term& term : sum.terms)
        (is_fixed && base != no_reg && is_ahead_of_loop(term.value) ? ahead : inside).push_back(term);
    Address result;
    result.displacement = static_cast<std::int64_t>(sum.constant);
    result.base = sum_ahead(base, ahead);
    if (inside.empty()) return result;
    constexpr std::uint64_t widest_factor = 8;
    if (inside.size() == 1 && std::has_single_bit(inside[0].factor) && inside[0].factor <= widest_factor) {
        result.index = parts_[inside[0].value][0];
        result.shift = static_cast<unsigned>(std::countr_zero(inside[0].factor));
    } else {
        result.index = offset(inside);
    }
    return result;
}

Selection::Address Selection::address_of(const ir::Instruction& i) {
    if (is_private(i.op)) {
        Address result = address(i.operands[0], no_reg, ir::type_bytes(kernel_.privates[i.symbol].element), true);
        result.in_frame = true;
        result.displacement += static_cast<std::int64_t>(private_places_[i.symbol]);
        return result;
    }
    if (!is_global(i.op)) {
        Address result =
            address(i.operands[0], header(HeaderWord::shared), ir::type_bytes(kernel_.shared[i.symbol].element), true);
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
    return address(i.operands[0], base, ir::type_bytes(kernel_.buffers[i.symbol].element), !ir::names_part(i));
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
