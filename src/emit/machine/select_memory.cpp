// Selection of accesses: addresses with folded constants; a predicate is a branch around one instruction, since it
// nearly always says the same.
#include "emit/machine/selection.hpp"

namespace seiche::emit::machine {

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
    for (const Term& term : terms) sum = this->sum(scaled(term), sum, 8);
    loop.ahead.insert(loop.ahead.end(), machine_.code.begin() + first, machine_.code.end());
    machine_.code.erase(machine_.code.begin() + first, machine_.code.end());
    loop.sums.push_back({base, terms, sum});
    return sum;
}

Reg Selection::offset(const std::vector<Term>& terms) {
    for (const Known& known : offsets_)
        if (known.base == no_reg && known.terms == terms) return known.sum;
    Reg sum = scaled(terms.front());
    for (std::size_t k = 1; k < terms.size(); ++k) sum = this->sum(sum, scaled(terms[k]), 8);
    offsets_.push_back({no_reg, terms, sum});
    return sum;
}

Address Selection::address(Id index, Reg base, unsigned element_bytes, bool is_fixed, std::uint64_t displacement,
                           bool in_frame) {
    const Sum sum = sum_of(index, element_bytes);
    std::vector<Term> ahead, inside;
    for (const Term& term : sum.terms)
        (is_fixed && base != no_reg && is_ahead_of_loop(term.value) ? ahead : inside).push_back(term);
    const Reg known = sum_ahead(base, ahead);
    return combined(known, inside, static_cast<std::int64_t>(sum.constant + displacement), in_frame);
}

Address Selection::address_of(const ir::Instruction& i) {
    if (is_private(i.op))
        return address(i.operands[0], no_reg, ir::type_bytes(kernel_.privates[i.symbol].element), true,
                       private_places_[i.symbol], true);
    if (!is_global(i.op))
        return address(i.operands[0], header(HeaderWord::shared), ir::type_bytes(kernel_.shared[i.symbol].element),
                       true, ir::shared_offset(kernel_, i.symbol), false);
    const int slot = ir::part_slot(i.op);
    Reg base = argument(i.symbol);
    if (ir::names_part(i)) {
        // Where the access's predicate does not hold the part may be any number.
        const Reg part = parts_[i.operands[static_cast<std::size_t>(slot)]][0];
        base = part_base(i.symbol, part, number(kernel_.buffers[i.symbol].parts - 1));
    }
    return address(i.operands[0], base, ir::type_bytes(kernel_.buffers[i.symbol].element), !ir::names_part(i), 0,
                   false);
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

/// Whether a number is loaded to be in all lanes, which one instruction does.
bool Selection::is_splatted(Id id) const {
    const ir::Instruction& i = kernel_.code[id];
    return i.type.lanes == 1 && (i.type.scalar == Scalar::f32 || i.type.scalar == Scalar::f64) && splats_[id] != 0;
}

}  // namespace seiche::emit::machine
