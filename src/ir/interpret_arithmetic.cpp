// The interpreter's arithmetic: one tight loop per op, type and pattern of uniform operands, with and without AVX2 and
// fma.
#include <cmath>

#include "ir/interpret_values.hpp"
#include "support/fma.hpp"

namespace seiche::ir {

namespace {

// ---- What one lane of one thread does. Integers wrap, so signed ones are computed as unsigned.

template <Scalar S>
using Wrapping = std::conditional_t<S == Scalar::i32, std::uint32_t, Stored<S>>;

#define SEICHE_WRAPPING_OP(Name, symbol)                                                                    \
    template <Scalar S>                                                                                     \
    struct Name {                                                                                           \
        using Result = Stored<S>;                                                                           \
        using A = Result;                                                                                   \
        using B = Result;                                                                                   \
        static SEICHE_INLINE Result apply(A a, B b) {                                                       \
            if constexpr (is_float(S))                                                                      \
                return rounded<S>(a symbol b);                                                              \
            else                                                                                            \
                return static_cast<Result>(static_cast<Wrapping<S>>(a) symbol static_cast<Wrapping<S>>(b)); \
        }                                                                                                   \
    };
SEICHE_WRAPPING_OP(Add, +)
SEICHE_WRAPPING_OP(Sub, -)
SEICHE_WRAPPING_OP(Mul, *)
#undef SEICHE_WRAPPING_OP

template <Scalar S>
struct Div {
    using Result = Stored<S>;
    using A = Result;
    using B = Result;
    static SEICHE_INLINE Result apply(A a, B b) {
        if constexpr (is_float(S))
            return rounded<S>(a / b);
        else
            return b == 0 ? static_cast<Result>(~Result{0}) : static_cast<Result>(a / b);  // as GPUs answer
    }
};
template <Scalar S>
struct Mod {
    using Result = Stored<S>;
    using A = Result;
    using B = Result;
    static SEICHE_INLINE Result apply(A a, B b) { return b == 0 ? a : static_cast<Result>(a % b); }
};
template <Scalar S>
struct Min {
    using Result = Stored<S>;
    using A = Result;
    using B = Result;
    static SEICHE_INLINE Result apply(A a, B b) { return b < a ? b : a; }
};
template <Scalar S>
struct Max {
    using Result = Stored<S>;
    using A = Result;
    using B = Result;
    static SEICHE_INLINE Result apply(A a, B b) { return a < b ? b : a; }
};
template <Scalar S>
struct MulHigh {
    using Result = Stored<S>;
    using A = Result;
    using B = Result;
    static SEICHE_INLINE Result apply(A a, B b) {
        if constexpr (S == Scalar::u64) {
            const std::uint64_t a0 = a & 0xffffffffu, a1 = a >> 32, b0 = b & 0xffffffffu, b1 = b >> 32;
            const std::uint64_t middle = a1 * b0 + (a0 * b0 >> 32);
            return a1 * b1 + (middle >> 32) + ((a0 * b1 + (middle & 0xffffffffu)) >> 32);
        } else {
            return static_cast<Result>(std::uint64_t{a} * b >> 32);
        }
    }
};

#define SEICHE_PLAIN_OP(Name, expression)                                                       \
    template <Scalar S>                                                                         \
    struct Name {                                                                               \
        using Result = Stored<S>;                                                               \
        using A = Result;                                                                       \
        using B = Result;                                                                       \
        static SEICHE_INLINE Result apply(A a, B b) { return static_cast<Result>(expression); } \
    };
SEICHE_PLAIN_OP(And, a& b)
SEICHE_PLAIN_OP(Or, a | b)
SEICHE_PLAIN_OP(Xor, a ^ b)
#undef SEICHE_PLAIN_OP

/// The count of a shift may be narrower than the value.
template <Scalar S, Scalar C>
struct ShiftLeft {
    using Result = Stored<S>;
    using A = Result;
    using B = Stored<C>;
    static SEICHE_INLINE Result apply(A a, B b) {
        return static_cast<Result>(static_cast<Wrapping<S>>(a)
                                   << (static_cast<unsigned>(b) & (8 * sizeof(Result) - 1)));
    }
};
template <Scalar S, Scalar C>
struct ShiftRight {
    using Result = Stored<S>;
    using A = Result;
    using B = Stored<C>;
    static SEICHE_INLINE Result apply(A a, B b) {
        return static_cast<Result>(static_cast<Wrapping<S>>(a) >>
                                   (static_cast<unsigned>(b) & (8 * sizeof(Result) - 1)));
    }
};

#define SEICHE_COMPARE_OP(Name, symbol)                                    \
    template <Scalar S>                                                    \
    struct Name {                                                          \
        using Result = std::uint8_t;                                       \
        using A = Stored<S>;                                               \
        using B = A;                                                       \
        static SEICHE_INLINE Result apply(A a, B b) { return a symbol b; } \
    };
SEICHE_COMPARE_OP(Equal, ==)
SEICHE_COMPARE_OP(NotEqual, !=)
SEICHE_COMPARE_OP(Less, <)
SEICHE_COMPARE_OP(LessEqual, <=)
#undef SEICHE_COMPARE_OP

/// a b + c in double, rounded to odd where it is inexact, so that a second rounding to a half is as good as one.
SEICHE_INLINE double product_sum_to_odd(double a, double b, double c) {
    const double product = a * b;  // exact: halves have at most 11 bits
    const double sum = product + c;
    const double part = sum - product;
    const double error = (product - (sum - part)) + (c - part);
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(sum);
    if (!(std::abs(error) > 0) || (bits & 1) != 0) return sum;
    return std::bit_cast<double>((error > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

/// fma and mad alike: always one rounding, as on GPUs, so that results do not depend on the host.
template <Scalar S>
struct Fma {
    using Result = Stored<S>;
    using A = Result;
    using B = Result;
    using C = Result;
    static SEICHE_INLINE Result apply(A a, B b, C c) {
        if constexpr (is_half(S))
            return rounded<S>(product_sum_to_odd(a, b, c));
        else if constexpr (S == Scalar::f32)
            return support::fma(a, b, c);
        else if constexpr (S == Scalar::f64)
            return support::fma(a, b, c);
        else
            return static_cast<Result>(static_cast<Wrapping<S>>(a) * static_cast<Wrapping<S>>(b) +
                                       static_cast<Wrapping<S>>(c));
    }
};
template <class T>
struct Select {
    using Result = T;
    using A = std::uint8_t;
    using B = T;
    using C = T;
    static SEICHE_INLINE Result apply(A a, B b, C c) { return a ? b : c; }
};

// ---- The loops

template <class F, bool uniform_a, bool uniform_b>
SEICHE_INLINE void binary_loop(Frame& f, const Step& s) {
    const std::uint32_t threads = s.threads;
    for (std::uint32_t lane = 0; lane < s.lanes; ++lane) {
        typename F::Result* __restrict result = f.result<typename F::Result>(s) + std::size_t{lane} * threads;
        const typename F::A* __restrict a =
            f.operand<typename F::A>(s, 0) + (uniform_a ? lane : std::size_t{lane} * threads);
        const typename F::B* __restrict b =
            f.operand<typename F::B>(s, 1) + (uniform_b ? lane : std::size_t{lane} * threads);
        const typename F::A a0 = a[0];
        const typename F::B b0 = b[0];
        for (std::uint32_t t = 0; t < threads; ++t) result[t] = F::apply(uniform_a ? a0 : a[t], uniform_b ? b0 : b[t]);
    }
}

template <class F, unsigned uniform>
SEICHE_INLINE void ternary_loop(Frame& f, const Step& s) {
    const std::uint32_t threads = s.threads;
    for (std::uint32_t lane = 0; lane < s.lanes; ++lane) {
        const std::size_t first = std::size_t{lane} * threads;
        typename F::Result* __restrict result = f.result<typename F::Result>(s) + first;
        const typename F::A* __restrict a = f.operand<typename F::A>(s, 0) + (uniform & 1 ? lane : first);
        const typename F::B* __restrict b = f.operand<typename F::B>(s, 1) + (uniform & 2 ? lane : first);
        const typename F::C* __restrict c = f.operand<typename F::C>(s, 2) + (uniform & 4 ? lane : first);
        const typename F::A a0 = a[0];
        const typename F::B b0 = b[0];
        const typename F::C c0 = c[0];
        for (std::uint32_t t = 0; t < threads; ++t) {
            result[t] = F::apply(uniform & 1 ? a0 : a[t], uniform & 2 ? b0 : b[t], uniform & 4 ? c0 : c[t]);
        }
    }
}

template <class F, bool uniform_a, bool uniform_b>
void binary(Frame& f, const Step& s) {
    binary_loop<F, uniform_a, uniform_b>(f, s);
}
template <class F, unsigned uniform>
void ternary(Frame& f, const Step& s) {
    ternary_loop<F, uniform>(f, s);
}

#ifdef SEICHE_HAS_AVX2_VARIANTS
template <class F, bool uniform_a, bool uniform_b>
SEICHE_AVX2 void binary_avx2(Frame& f, const Step& s) {
    binary_loop<F, uniform_a, uniform_b>(f, s);
}
template <class F, unsigned uniform>
SEICHE_AVX2 void ternary_avx2(Frame& f, const Step& s) {
    ternary_loop<F, uniform>(f, s);
}
bool has_avx2() {
    static const bool has = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    return has;
}
template <class F, bool uniform_a, bool uniform_b>
Action binary_variant() {
    return has_avx2() ? &binary_avx2<F, uniform_a, uniform_b> : &binary<F, uniform_a, uniform_b>;
}
template <class F, unsigned uniform>
Action ternary_variant() {
    return has_avx2() ? &ternary_avx2<F, uniform> : &ternary<F, uniform>;
}
#else
template <class F, bool uniform_a, bool uniform_b>
Action binary_variant() {
    return &binary<F, uniform_a, uniform_b>;
}
template <class F, unsigned uniform>
Action ternary_variant() {
    return &ternary<F, uniform>;
}
#endif

// ---- The choice. `uniform` has a bit per operand that is uniform although the result is not.

template <class F>
Action choose_binary(unsigned uniform) {
    switch (uniform) {
        case 0: return binary_variant<F, false, false>();
        case 1: return binary_variant<F, true, false>();
        case 2: return binary_variant<F, false, true>();
        default: return binary_variant<F, true, true>();
    }
}

template <class F>
Action choose_ternary(unsigned uniform) {
    switch (uniform) {
        case 0: return ternary_variant<F, 0>();
        case 1: return ternary_variant<F, 1>();
        case 2: return ternary_variant<F, 2>();
        case 3: return ternary_variant<F, 3>();
        case 4: return ternary_variant<F, 4>();
        case 5: return ternary_variant<F, 5>();
        case 6: return ternary_variant<F, 6>();
        default: return ternary_variant<F, 7>();
    }
}

template <Scalar S>
Action choose_numeric(Op op, unsigned uniform) {
    switch (op) {
        case Op::add: return choose_binary<Add<S>>(uniform);
        case Op::sub: return choose_binary<Sub<S>>(uniform);
        case Op::mul: return choose_binary<Mul<S>>(uniform);
        case Op::min: return choose_binary<Min<S>>(uniform);
        case Op::max: return choose_binary<Max<S>>(uniform);
        case Op::less: return choose_binary<Less<S>>(uniform);
        case Op::less_equal: return choose_binary<LessEqual<S>>(uniform);
        case Op::fma:
        case Op::mad: return choose_ternary<Fma<S>>(uniform);
        default: return nullptr;
    }
}

template <Scalar S>
Action choose_bits(Op op, unsigned uniform) {
    switch (op) {
        case Op::bit_and: return choose_binary<And<S>>(uniform);
        case Op::bit_or: return choose_binary<Or<S>>(uniform);
        case Op::bit_xor: return choose_binary<Xor<S>>(uniform);
        default: return nullptr;
    }
}

template <Scalar S, Scalar C>
Action choose_shift(Op op, unsigned uniform) {
    return op == Op::shift_left ? choose_binary<ShiftLeft<S, C>>(uniform) : choose_binary<ShiftRight<S, C>>(uniform);
}

template <Scalar S>
Action choose_unsigned(Op op, unsigned uniform) {
    switch (op) {
        case Op::div: return choose_binary<Div<S>>(uniform);
        case Op::mod: return choose_binary<Mod<S>>(uniform);
        case Op::mul_high: return choose_binary<MulHigh<S>>(uniform);
        default: return nullptr;
    }
}

template <Scalar S>
Action choose(Op op, Scalar second, unsigned uniform) {
    if (op == Op::equal) return choose_binary<Equal<S>>(uniform);
    if (op == Op::not_equal) return choose_binary<NotEqual<S>>(uniform);
    if constexpr (S != Scalar::boolean) {
        if (const Action action = choose_numeric<S>(op, uniform)) return action;
    }
    if constexpr (!is_float(S)) {
        if (const Action action = choose_bits<S>(op, uniform)) return action;
    }
    if constexpr (S == Scalar::u32 || S == Scalar::u64) {
        if (const Action action = choose_unsigned<S>(op, uniform)) return action;
    }
    if constexpr (is_float(S)) {
        if (op == Op::div) return choose_binary<Div<S>>(uniform);
    } else if constexpr (S != Scalar::boolean) {
        if (op == Op::shift_left || op == Op::shift_right) {
            return second == Scalar::u32 ? choose_shift<S, Scalar::u32>(op, uniform) : choose_shift<S, S>(op, uniform);
        }
    }
    return nullptr;
}

}  // namespace

Action arithmetic_action(const Step& s, unsigned uniform) {
    const Op op = s.instruction->op;
    const bool compares = op_kind(op) == OpKind::compare;
    const Scalar scalar = compares ? s.operands[0].type.scalar : s.instruction->type.scalar;
    if (op == Op::select) {
        switch (stored_bytes(scalar)) {
            case 1: return choose_ternary<Select<std::uint8_t>>(uniform);
            case 4: return choose_ternary<Select<std::uint32_t>>(uniform);
            default: return choose_ternary<Select<std::uint64_t>>(uniform);
        }
    }
    return with_scalar(scalar, [&]<Scalar S>() { return choose<S>(op, s.operands[1].type.scalar, uniform); });
}

}  // namespace seiche::ir
