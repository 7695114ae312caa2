// The interpreter's one-operand ops: signs, bits, elementary functions, conversions; lane moves and leaves.
#include <cmath>
#include <numbers>

#include "ir/interpret_values.hpp"

namespace seiche::ir {

namespace {

template <class To, class From, class F>
SEICHE_INLINE void for_each_scalar(Frame& f, const Step& s, F&& function) {
    To* __restrict result = f.result<To>(s);
    const From* __restrict a = f.operand<From>(s, 0);
    const std::uint32_t count = s.lanes * s.threads;
    for (std::uint32_t k = 0; k < count; ++k) result[k] = function(a[k]);
}

// ---- Signs and bits

template <Scalar S>
void negate(Frame& f, const Step& s) {
    for_each_scalar<Stored<S>, Stored<S>>(f, s, [](Stored<S> a) {
        if constexpr (S == Scalar::i32)
            return static_cast<std::int32_t>(0u - static_cast<std::uint32_t>(a));
        else if constexpr (is_float(S))
            return -a;
        else
            return static_cast<Stored<S>>(Stored<S>{0} - a);
    });
}
template <Scalar S>
void absolute(Frame& f, const Step& s) {
    for_each_scalar<Stored<S>, Stored<S>>(f, s, [](Stored<S> a) {
        if constexpr (S == Scalar::i32)
            return a < 0 ? static_cast<std::int32_t>(0u - static_cast<std::uint32_t>(a)) : a;
        else if constexpr (is_float(S))
            return std::abs(a);
        else
            return a;
    });
}
template <Scalar S>
void bit_not(Frame& f, const Step& s) {
    for_each_scalar<Stored<S>, Stored<S>>(f, s, [](Stored<S> a) {
        if constexpr (S == Scalar::boolean)
            return static_cast<std::uint8_t>(!a);
        else
            return static_cast<Stored<S>>(~a);
    });
}

SEICHE_INLINE std::uint32_t reversed(std::uint32_t x) {
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    return __builtin_bswap32(x);
}
template <Scalar S>
void bit_reverse(Frame& f, const Step& s) {
    for_each_scalar<Stored<S>, Stored<S>>(f, s, [](Stored<S> a) {
        if constexpr (S == Scalar::u64) {
            return std::uint64_t{reversed(static_cast<std::uint32_t>(a))} << 32 |
                   reversed(static_cast<std::uint32_t>(a >> 32));
        } else {
            return static_cast<Stored<S>>(reversed(static_cast<std::uint32_t>(a)));
        }
    });
}

// ---- Elementary functions. Floats are computed in double, doubles in long double where the argument is multiplied by
// pi.

/// x modulo 2, in [-1, 1]; exact.
template <class T>
T turn(T x) {
    return std::remainder(x, T{2});
}
double sin_pi(double x) {
    double r = turn(x);
    if (r > 0.5) r = 1.0 - r;
    if (r < -0.5) r = -1.0 - r;
    const long double angle = std::numbers::pi_v<long double> * static_cast<long double>(r);
    return static_cast<double>(std::sin(angle));
}
double cos_pi(double x) {
    const double r = std::abs(turn(x));  // in [0, 1]
    const long double pi = std::numbers::pi_v<long double>;
    if (r <= 0.25) return static_cast<double>(std::cos(pi * static_cast<long double>(r)));
    if (r <= 0.75) return static_cast<double>(std::sin(pi * (0.5L - static_cast<long double>(r))));
    return static_cast<double>(-std::cos(pi * (1.0L - static_cast<long double>(r))));
}

template <Op op>
double elementary(double a) {
    switch (op) {
        case Op::exp: return std::exp(a);
        case Op::log: return std::log(a);
        case Op::sin:
        case Op::approx_sin: return std::sin(a);
        case Op::cos:
        case Op::approx_cos: return std::cos(a);
        case Op::sinpi: return sin_pi(a);
        default: return cos_pi(a);
    }
}
template <Op op, Scalar S>
void elementary_op(Frame& f, const Step& s) {
    for_each_scalar<Stored<S>, Stored<S>>(f, s, [](Stored<S> a) { return rounded<S>(elementary<op>(a)); });
}
template <Scalar S>
void square_root(Frame& f, const Step& s) {
    for_each_scalar<Stored<S>, Stored<S>>(f, s, [](Stored<S> a) { return rounded<S>(std::sqrt(a)); });
}
template <Scalar S>
void floor_op(Frame& f, const Step& s) {
    for_each_scalar<Stored<S>, Stored<S>>(f, s, [](Stored<S> a) { return rounded<S>(std::floor(a)); });
}
template <Op op, Scalar S>
void two_operands(Frame& f, const Step& s) {
    Stored<S>* result = f.result<Stored<S>>(s);
    const Stored<S>* a = f.operand<Stored<S>>(s, 0);
    const Stored<S>* b = f.operand<Stored<S>>(s, 1);
    for (std::uint32_t k = 0; k < s.lanes * s.threads; ++k) {
        const double x = a[k], y = b[k];
        result[k] = rounded<S>(op == Op::pow ? std::pow(x, y) : std::atan2(x, y));
    }
}

template <Scalar S>
Action choose_float(Op op) {
    switch (op) {
        case Op::sqrt: return &square_root<S>;
        case Op::floor: return &floor_op<S>;
        case Op::exp: return &elementary_op<Op::exp, S>;
        case Op::log: return &elementary_op<Op::log, S>;
        case Op::sin: return &elementary_op<Op::sin, S>;
        case Op::cos: return &elementary_op<Op::cos, S>;
        case Op::sinpi: return &elementary_op<Op::sinpi, S>;
        case Op::cospi: return &elementary_op<Op::cospi, S>;
        case Op::approx_sin: return &elementary_op<Op::approx_sin, S>;
        case Op::approx_cos: return &elementary_op<Op::approx_cos, S>;
        case Op::atan2: return &two_operands<Op::atan2, S>;
        case Op::pow: return &two_operands<Op::pow, S>;
        default: return nullptr;
    }
}

template <Scalar S>
Action choose_function(Op op) {
    if constexpr (S != Scalar::boolean) {
        if (op == Op::neg) return &negate<S>;
        if (op == Op::abs) return &absolute<S>;
    }
    if constexpr (is_float(S))
        return choose_float<S>(op);
    else if (op == Op::bit_not)
        return &bit_not<S>;
    if constexpr (S == Scalar::u32 || S == Scalar::u64 || S == Scalar::i32) {
        if (op == Op::bit_reverse) return &bit_reverse<S>;
    }
    return nullptr;
}

// ---- Conversions

/// Towards zero; what does not fit saturates and a NaN becomes 0, as on GPUs.
template <class To, class From>
SEICHE_INLINE To saturated(From x) {
    constexpr From low = static_cast<From>(std::numeric_limits<To>::min());
    constexpr From high =
        static_cast<From>(std::numeric_limits<To>::max());  // may round up to the first that does not fit
    if (!(x > low)) return x <= low ? std::numeric_limits<To>::min() : To{0};
    return x >= high ? std::numeric_limits<To>::max() : static_cast<To>(x);
}

template <Scalar To, Scalar From>
SEICHE_INLINE Stored<To> converted(Stored<From> x) {
    if constexpr (To == Scalar::boolean)
        return static_cast<std::uint8_t>(x != 0);
    else if constexpr (is_float(To) && is_float(From))
        return rounded<To>(x);
    else if constexpr (is_half(To))
        return rounded<To>(static_cast<double>(x));
    else if constexpr (!is_float(To) && is_float(From))
        return saturated<Stored<To>>(x);
    else if constexpr (is_narrow(To))
        return static_cast<Narrow<To>>(x);
    else
        return static_cast<Stored<To>>(x);
}
template <Scalar To, Scalar From>
void convert(Frame& f, const Step& s) {
    for_each_scalar<Stored<To>, Stored<From>>(f, s, [](Stored<From> a) { return converted<To, From>(a); });
}

/// One thread's vector at a time through its bytes in memory.
template <Scalar To, Scalar From>
void bitcast(Frame& f, const Step& s) {
    const unsigned from_lanes = s.operands[0].type.lanes;
    for (std::uint32_t t = 0; t < s.threads; ++t) {
        std::byte bytes[16 * 8];
        for (unsigned lane = 0; lane < from_lanes; ++lane) {
            Memory<From>::put(bytes + lane * Memory<From>::bytes, f.operand<Stored<From>>(s, 0)[lane * s.threads + t]);
        }
        for (unsigned lane = 0; lane < s.lanes; ++lane) {
            f.result<Stored<To>>(s)[lane * s.threads + t] = Memory<To>::get(bytes + lane * Memory<To>::bytes);
        }
    }
}

// ---- Moves of lanes, and values that become full

template <class T>
void move_lanes(Frame& f, const Step& s) {
    const LaneMove* moves = f.program->moves.data() + s.first_move;
    for (std::uint32_t lane = 0; lane < s.lanes; ++lane) {
        T* __restrict to = f.result<T>(s) + std::size_t{lane} * s.threads;
        const T* __restrict from = f.at<T>(moves[lane].offset);
        if (moves[lane].uniform) {
            const T value = *from;
            for (std::uint32_t t = 0; t < s.threads; ++t) to[t] = value;
        } else {
            std::memcpy(to, from, s.threads * sizeof(T));
        }
    }
}

// ---- Leaves

template <class T>
void fill(Frame& f, const Step& s, T value) {
    T* to = f.result<T>(s);
    for (std::uint32_t k = 0; k < s.lanes * s.threads; ++k) to[k] = value;
}
template <Scalar S>
void constant(Frame& f, const Step& s) {
    const std::uint64_t bits = s.instruction->immediate;
    if constexpr (is_float(S))
        fill(f, s, rounded<S>(std::bit_cast<double>(bits)));
    else if constexpr (S == Scalar::boolean)
        fill(f, s, static_cast<std::uint8_t>(bits != 0));
    else
        fill(f, s, static_cast<Stored<S>>(bits));
}
template <Scalar S>
void parameter(Frame& f, const Step& s) {
    const std::uint64_t bits = f.launch->scalars[s.instruction->immediate];
    if constexpr (S == Scalar::boolean) {
        fill(f, s, static_cast<std::uint8_t>(bits != 0));
    } else {
        std::byte bytes[sizeof bits];
        for (unsigned k = 0; k < sizeof bits; ++k) bytes[k] = static_cast<std::byte>(bits >> (8 * k));
        if constexpr (std::endian::native == std::endian::little)
            fill(f, s, Memory<S>::get(bytes));
        else
            fill(f, s, Memory<S>::get(reinterpret_cast<const std::byte*>(&bits) + sizeof bits - Memory<S>::bytes));
    }
}
void group_id(Frame& f, const Step& s) { fill(f, s, f.group[s.instruction->immediate]); }
void group_count(Frame& f, const Step& s) { fill(f, s, f.launch->groups[s.instruction->immediate]); }
void cluster_rank(Frame& f, const Step& s) { fill(f, s, f.rank); }
void thread_id(Frame& f, const Step& s) {
    const auto& group = f.program->kernel.launch.group;
    const auto dimension = s.instruction->immediate;
    std::uint32_t* to = f.result<std::uint32_t>(s);
    for (std::uint32_t t = 0; t < s.threads; ++t) {
        to[t] = dimension == 0 ? t % group[0] : dimension == 1 ? t / group[0] % group[1] : t / group[0] / group[1];
    }
}
void subgroup_lane(Frame& f, const Step& s) {
    std::uint32_t* to = f.result<std::uint32_t>(s);
    for (std::uint32_t t = 0; t < s.threads; ++t) to[t] = t % f.program->subgroup_size;
}

}  // namespace

Action function_action(const Instruction& i) {
    return with_scalar(i.type.scalar, [&]<Scalar S>() { return choose_function<S>(i.op); });
}

Action convert_action(const Instruction& i, Type from) {
    return with_any_scalar(i.type.scalar, [&]<Scalar To>() {
        return with_any_scalar(from.scalar, [&]<Scalar From>() -> Action {
            constexpr bool to_narrow = is_narrow(To), from_narrow = is_narrow(From);
            if constexpr (to_narrow && From != Scalar::i32 && From != Scalar::u32) return nullptr;
            if (i.op == Op::convert) return &convert<To, From>;
            if constexpr (To != Scalar::boolean && From != Scalar::boolean && !to_narrow && !from_narrow)
                return &bitcast<To, From>;
            return nullptr;
        });
    });
}

Action move_action(Scalar scalar) {
    switch (stored_bytes(scalar)) {
        case 1: return &move_lanes<std::uint8_t>;
        case 4: return &move_lanes<std::uint32_t>;
        default: return &move_lanes<std::uint64_t>;
    }
}

Action leaf_action(const Instruction& i) {
    switch (i.op) {
        case Op::constant: return with_any_scalar(i.type.scalar, []<Scalar S>() -> Action { return &constant<S>; });
        case Op::parameter: return with_scalar(i.type.scalar, []<Scalar S>() -> Action { return &parameter<S>; });
        case Op::group_id: return &group_id;
        case Op::group_count: return &group_count;
        case Op::thread_id: return &thread_id;
        case Op::cluster_rank: return &cluster_rank;
        case Op::subgroup_lane: return &subgroup_lane;
        default: return nullptr;
    }
}

}  // namespace seiche::ir
