// Bounds of unsigned values, each the least interval that follows from its operands' intervals: interval arithmetic
// (Moore, "Interval analysis", 1966), which compilers know as ranges of values (Harrison, "Compiler analysis of the
// value ranges for variables", 1977). What may carry or borrow is unknown: any number of its type.
#include "ir/bounds.hpp"

#include <algorithm>
#include <bit>

namespace seiche::ir {

namespace {

bool is_unsigned(Scalar s) {
    return s == Scalar::boolean || s == Scalar::u8 || s == Scalar::u16 || s == Scalar::u32 || s == Scalar::u64;
}

/// All ones, up to the highest bit that x has.
std::uint64_t ones_over(std::uint64_t x) { return x == 0 ? 0 : ~std::uint64_t{0} >> std::countl_zero(x); }

Bounds sum(Bounds a, Bounds b, std::uint64_t most) {
    if (a.greatest > most || b.greatest > most - a.greatest) return {0, most};
    return {a.least + b.least, a.greatest + b.greatest};
}

Bounds product(Bounds a, Bounds b, std::uint64_t most) {
    if (a.greatest != 0 && b.greatest > most / a.greatest) return {0, most};
    return {a.least * b.least, a.greatest * b.greatest};
}

Bounds remainder(Bounds a, Bounds b, std::uint64_t most) {
    if (b.least == 0) return {0, most};
    if (b.least == b.greatest && a.least / b.least == a.greatest / b.least)
        return {a.least % b.least, a.greatest % b.least};
    return a.greatest < b.least ? a : Bounds{0, std::min(a.greatest, b.greatest - 1)};
}

Bounds bits(Op op, Bounds a, Bounds b) {
    if (a.is_single() && b.is_single()) {
        const std::uint64_t one = op == Op::bit_and  ? a.least & b.least
                                  : op == Op::bit_or ? a.least | b.least
                                                     : a.least ^ b.least;
        return {one, one};
    }
    const std::uint64_t most = ones_over(a.greatest | b.greatest);
    if (op == Op::bit_and) return {0, std::min(a.greatest, b.greatest)};
    return {op == Op::bit_or ? std::max(a.least, b.least) : 0, most};
}

Bounds shifted(Op op, Bounds a, Bounds b, Scalar scalar) {
    const std::uint64_t most = greatest_of(scalar);
    const unsigned width = scalar == Scalar::u64 ? 64 : 32;
    if (b.greatest >= width) return {0, most};
    if (op == Op::shift_right) return {a.least >> b.greatest, a.greatest >> b.least};
    if (a.greatest > most >> b.greatest) return {0, most};
    return {a.least << b.least, a.greatest << b.greatest};
}

/// Whether a is true of the intervals' numbers: never, always, or sometimes.
Bounds compared(Op op, Bounds a, Bounds b) {
    bool always = false, never = false;
    switch (op) {
        case Op::less: always = a.greatest < b.least, never = a.least >= b.greatest; break;
        case Op::less_equal: always = a.greatest <= b.least, never = a.least > b.greatest; break;
        default:
            always = a.is_single() && b.is_single() && a.least == b.least;
            never = a.greatest < b.least || b.greatest < a.least;
            if (op == Op::not_equal) std::swap(always, never);
            break;
    }
    return {always ? std::uint64_t{1} : 0, never ? std::uint64_t{0} : 1};
}

}  // namespace

std::uint64_t greatest_of(Scalar scalar) {
    switch (scalar) {
        case Scalar::boolean: return 1;
        case Scalar::u8: return 0xff;
        case Scalar::u16: return 0xffff;
        case Scalar::u32: return 0xffffffff;
        default: return ~std::uint64_t{0};
    }
}

Bounds bounds_of(Op op, Scalar scalar, Bounds a, Bounds b) {
    const std::uint64_t most = greatest_of(scalar);
    switch (op) {
        case Op::add: return sum(a, b, most);
        case Op::sub:
            return a.least >= b.greatest ? Bounds{a.least - b.greatest, a.greatest - b.least} : Bounds{0, most};
        case Op::mul: return product(a, b, most);
        case Op::div: return b.least == 0 ? Bounds{0, most} : Bounds{a.least / b.greatest, a.greatest / b.least};
        case Op::mod: return remainder(a, b, most);
        case Op::min: return {std::min(a.least, b.least), std::min(a.greatest, b.greatest)};
        case Op::max: return {std::max(a.least, b.least), std::max(a.greatest, b.greatest)};
        case Op::bit_and:
        case Op::bit_or:
        case Op::bit_xor: return bits(op, a, b);
        case Op::shift_left:
        case Op::shift_right: return shifted(op, a, b, scalar);
        case Op::equal:
        case Op::not_equal:
        case Op::less:
        case Op::less_equal: return compared(op, a, b);
        default: return {0, most};
    }
}

Bounds bounds_of(const Kernel& kernel, const Instruction& i, const std::vector<Bounds>& known) {
    const Scalar scalar = i.op == Op::loop_begin ? Scalar::u32 : i.type.scalar;
    const Bounds unknown{0, greatest_of(scalar)};
    if (!is_unsigned(scalar)) return unknown;
    const auto of = [&](std::size_t k) { return known[i.operands[k]]; };
    const auto takes_unsigned = [&] { return is_unsigned(kernel.code[i.operands[0]].type.scalar); };
    switch (i.op) {
        case Op::constant: return {i.immediate, i.immediate};
        case Op::thread_id: return {0, kernel.launch.group.at(i.immediate) - std::uint64_t{1}};
        case Op::splat:
        case Op::extract: return of(0);
        case Op::convert: return takes_unsigned() && of(0).greatest <= unknown.greatest ? of(0) : unknown;
        case Op::select: return {std::min(of(1).least, of(2).least), std::max(of(1).greatest, of(2).greatest)};
        case Op::mad: return sum(product(of(0), of(1), unknown.greatest), of(2), unknown.greatest);
        case Op::loop_begin: {
            const std::uint64_t last = std::max<std::uint64_t>(of(1).greatest, 1) - 1;
            const bool may_carry = of(2).greatest > unknown.greatest - last;
            // In the loop, which is where it is used, the counter is below the end.
            return {may_carry ? 0 : std::min(of(0).least, last), last};
        }
        default: break;
    }
    const OpKind kind = op_kind(i.op);
    const bool is_binary = kind == OpKind::binary || kind == OpKind::compare;
    return is_binary && takes_unsigned() ? bounds_of(i.op, scalar, of(0), of(1)) : unknown;
}

std::vector<Bounds> bounds(const Kernel& kernel) {
    std::vector<Bounds> all;
    all.reserve(kernel.code.size());
    for (const Instruction& i : kernel.code) all.push_back(bounds_of(kernel, i, all));
    return all;
}

}  // namespace seiche::ir
