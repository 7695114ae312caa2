// The host's functions for machine code: each works on the lanes of its operands in memory, with the meaning that the
// interpreter gives the op.
#include "emit/machine/host_functions.hpp"

#include <array>
#include <cmath>
#include <cstring>
#include <numbers>
#include <vector>

#include "emit/machine/entry.hpp"
#include "ir/interpret_values.hpp"

namespace seiche::emit::machine {

namespace {

using ir::Memory;
using ir::Op;
using ir::Scalar;
using ir::Stored;

/// Lanes of 32 bits of a vector of booleans.
struct Mask {
    static bool get(const std::byte* from) { return Memory<Scalar::u32>::get(from) != 0; }
    static void put(std::byte* to, bool value) { Memory<Scalar::u32>::put(to, value ? 0xffffffffu : 0); }
    static constexpr std::size_t bytes = 4;
};

template <Scalar S>
struct Lane : Memory<S> {};
template <>
struct Lane<Scalar::boolean> : Mask {};

template <class To, class A, class F>
void one(void* result, const void* a, std::uint64_t lanes, F&& f) {
    for (std::uint64_t k = 0; k < lanes; ++k)
        To::put(static_cast<std::byte*>(result) + k * To::bytes,
                f(A::get(static_cast<const std::byte*>(a) + k * A::bytes)));
}
template <class To, class A, class B, class F>
void two(void* result, const void* a, const void* b, std::uint64_t lanes, F&& f) {
    for (std::uint64_t k = 0; k < lanes; ++k)
        To::put(static_cast<std::byte*>(result) + k * To::bytes,
                f(A::get(static_cast<const std::byte*>(a) + k * A::bytes),
                  B::get(static_cast<const std::byte*>(b) + k * B::bytes)));
}
template <class To, class A, class B, class C, class F>
void three(void* result, const void* a, const void* b, const void* c, std::uint64_t lanes, F&& f) {
    for (std::uint64_t k = 0; k < lanes; ++k)
        To::put(static_cast<std::byte*>(result) + k * To::bytes,
                f(A::get(static_cast<const std::byte*>(a) + k * A::bytes),
                  B::get(static_cast<const std::byte*>(b) + k * B::bytes),
                  C::get(static_cast<const std::byte*>(c) + k * C::bytes)));
}

// ---- Elementary functions: floats in double, the argument times pi in long double

double sin_pi(double x) {
    double r = std::remainder(x, 2.0);
    if (r > 0.5) r = 1.0 - r;
    if (r < -0.5) r = -1.0 - r;
    return static_cast<double>(std::sin(std::numbers::pi_v<long double> * static_cast<long double>(r)));
}
double cos_pi(double x) {
    const double r = std::abs(std::remainder(x, 2.0));
    const long double pi = std::numbers::pi_v<long double>;
    if (r <= 0.25) return static_cast<double>(std::cos(pi * static_cast<long double>(r)));
    if (r <= 0.75) return static_cast<double>(std::sin(pi * (0.5L - static_cast<long double>(r))));
    return static_cast<double>(-std::cos(pi * (1.0L - static_cast<long double>(r))));
}

template <Op op>
double elementary(double a) {
    if constexpr (op == Op::exp) return std::exp(a);
    if constexpr (op == Op::log) return std::log(a);
    if constexpr (op == Op::sin || op == Op::approx_sin) return std::sin(a);
    if constexpr (op == Op::cos || op == Op::approx_cos) return std::cos(a);
    if constexpr (op == Op::sinpi) return sin_pi(a);
    return cos_pi(a);
}

template <Op op, Scalar S>
void elementary_function(void* result, const void* a, const void*, const void*, std::uint64_t lanes) {
    one<Lane<S>, Lane<S>>(result, a, lanes, [](Stored<S> x) { return ir::rounded<S>(elementary<op>(x)); });
}
template <Op op, Scalar S>
void function_of_two(void* result, const void* a, const void* b, const void*, std::uint64_t lanes) {
    two<Lane<S>, Lane<S>, Lane<S>>(result, a, b, lanes, [](double x, double y) {
        return ir::rounded<S>(op == Op::pow ? std::pow(x, y) : std::atan2(x, y));
    });
}
template <Scalar S>
void fused(void* result, const void* a, const void* b, const void* c, std::uint64_t lanes) {
    three<Lane<S>, Lane<S>, Lane<S>, Lane<S>>(result, a, b, c, lanes,
                                              [](Stored<S> x, Stored<S> y, Stored<S> z) { return std::fma(x, y, z); });
}

// ---- Integers: they wrap; a division by zero gives all bits, and its rest the dividend

template <class T>
T reversed(T x) {
    T result = 0;
    for (unsigned k = 0; k < 8 * sizeof x; ++k) result |= (x >> k & 1) << (8 * sizeof x - 1 - k);
    return result;
}
template <class T>
T high(T x, T y) {
    return static_cast<T>(static_cast<unsigned __int128>(x) * y >> (8 * sizeof x));
}

template <Op op, class T>
T whole(T x, T y) {
    using U = std::make_unsigned_t<T>;
    const U a = static_cast<U>(x), b = static_cast<U>(y);
    if constexpr (op == Op::add) return static_cast<T>(a + b);
    if constexpr (op == Op::sub) return static_cast<T>(a - b);
    if constexpr (op == Op::mul) return static_cast<T>(a * b);
    if constexpr (op == Op::div) return b == 0 ? static_cast<T>(~U{0}) : static_cast<T>(a / b);
    if constexpr (op == Op::mod) return b == 0 ? x : static_cast<T>(a % b);
    if constexpr (op == Op::mul_high) return static_cast<T>(high(a, b));
    if constexpr (op == Op::min) return y < x ? y : x;
    if constexpr (op == Op::max) return x < y ? y : x;
    if constexpr (op == Op::bit_and) return static_cast<T>(a & b);
    if constexpr (op == Op::bit_or) return static_cast<T>(a | b);
    if constexpr (op == Op::bit_xor) return static_cast<T>(a ^ b);
    if constexpr (op == Op::neg) return static_cast<T>(U{0} - a);
    if constexpr (op == Op::abs) return x < 0 ? static_cast<T>(U{0} - a) : x;
    if constexpr (op == Op::bit_not) return static_cast<T>(~a);
    if constexpr (op == Op::bit_reverse) return static_cast<T>(reversed(a));
    return x;
}
template <Op op, Scalar S>
void integers(void* result, const void* a, const void* b, const void*, std::uint64_t lanes) {
    if constexpr (op == Op::neg || op == Op::abs || op == Op::bit_not || op == Op::bit_reverse)
        one<Lane<S>, Lane<S>>(result, a, lanes, [](Stored<S> x) { return whole<op, Stored<S>>(x, 0); });
    else
        two<Lane<S>, Lane<S>, Lane<S>>(result, a, b, lanes,
                                       [](Stored<S> x, Stored<S> y) { return whole<op, Stored<S>>(x, y); });
}
template <Scalar S>
void product_and_sum(void* result, const void* a, const void* b, const void* c, std::uint64_t lanes) {
    three<Lane<S>, Lane<S>, Lane<S>, Lane<S>>(result, a, b, c, lanes, [](Stored<S> x, Stored<S> y, Stored<S> z) {
        return whole<Op::add, Stored<S>>(whole<Op::mul, Stored<S>>(x, y), z);
    });
}
template <Op op, Scalar S, Scalar Count>
void shift(void* result, const void* a, const void* b, const void*, std::uint64_t lanes) {
    two<Lane<S>, Lane<S>, Lane<Count>>(result, a, b, lanes, [](Stored<S> x, Stored<Count> count) {
        using U = std::make_unsigned_t<Stored<S>>;
        const auto by = static_cast<unsigned>(count) & (8 * sizeof(U) - 1);
        return static_cast<Stored<S>>(op == Op::shift_left ? static_cast<U>(x) << by : static_cast<U>(x) >> by);
    });
}

// ---- Vectors of booleans

template <Op op, Scalar S>
void comparison(void* result, const void* a, const void* b, const void*, std::uint64_t lanes) {
    two<Mask, Lane<S>, Lane<S>>(result, a, b, lanes, [](auto x, auto y) {
        return op == Op::equal ? x == y : op == Op::not_equal ? x != y : op == Op::less ? x < y : x <= y;
    });
}
template <Op op>
void booleans(void* result, const void* a, const void* b, const void*, std::uint64_t lanes) {
    if constexpr (op == Op::bit_not)
        one<Mask, Mask>(result, a, lanes, [](bool x) { return !x; });
    else
        two<Mask, Mask, Mask>(result, a, b, lanes, [](bool x, bool y) {
            return op == Op::bit_and ? x && y : op == Op::bit_or ? x || y : x != y;
        });
}
template <Scalar S>
void choice(void* result, const void* a, const void* b, const void* c, std::uint64_t lanes) {
    three<Lane<S>, Mask, Lane<S>, Lane<S>>(result, a, b, c, lanes, [](bool p, auto x, auto y) { return p ? x : y; });
}

// ---- Conversions

template <class To, class From>
To saturated(From x) {
    constexpr From low = static_cast<From>(std::numeric_limits<To>::min());
    constexpr From high_end = static_cast<From>(std::numeric_limits<To>::max());  // may be the first that does not fit
    if (!(x > low)) return x <= low ? std::numeric_limits<To>::min() : To{0};
    return x >= high_end ? std::numeric_limits<To>::max() : static_cast<To>(x);
}
template <Scalar To, Scalar From>
Stored<To> converted(Stored<From> x) {
    if constexpr (ir::is_float(To) && ir::is_float(From))
        return ir::rounded<To>(x);
    else if constexpr (ir::is_half(To))
        return ir::rounded<To>(static_cast<double>(x));
    else if constexpr (!ir::is_float(To) && ir::is_float(From))
        return saturated<Stored<To>>(x);
    else
        return static_cast<Stored<To>>(x);
}
template <Scalar To, Scalar From>
void conversion(void* result, const void* a, const void*, const void*, std::uint64_t lanes) {
    one<Lane<To>, Lane<From>>(result, a, lanes, [](Stored<From> x) { return converted<To, From>(x); });
}

// ---- The list

// ---- A user's function

constexpr std::size_t most_lanes_of_call = 2;

template <class T, bool is_load>
void external(void* result, const void* place, const void* value, const void*, std::uint64_t lanes) {
    ExternalCall call;
    std::memcpy(&call, place, sizeof call);
    std::array<T, most_lanes_of_call> element{};
    if (!is_load) std::memcpy(element.data(), value, lanes * sizeof(T));
    if (static_cast<std::uint32_t>(call.is_called) != 0)
        reinterpret_cast<StageHostFunction>(call.function)(reinterpret_cast<void*>(call.array), call.index,
                                                           element.data(), reinterpret_cast<void*>(call.pointer));
    if (is_load) std::memcpy(result, element.data(), lanes * sizeof(T));
}

struct Row {
    Op op;
    Scalar result, operands;
    HostFunction function;
};

class List {
public:
    List() {
        for_floats<Scalar::f32>();
        for_floats<Scalar::f64>();
        for_integers<Scalar::i32>();
        for_integers<Scalar::u32>();
        for_integers<Scalar::u64>();
        for_booleans();
        for_conversions();
        for_external<Scalar::f32, float>();
        for_external<Scalar::f64, double>();
    }
    std::vector<Row> entries;

private:
    void add(Op op, Scalar result, Scalar operands, HostFunction function) {
        entries.push_back({op, result, operands, function});
    }
    template <Scalar S, class T>
    void for_external() {
        add(Op::call_load, S, Scalar::u64, external<T, true>);
        add(Op::call_store, S, Scalar::u64, external<T, false>);
    }
    template <Scalar S>
    void for_any() {
        add(Op::equal, Scalar::boolean, S, comparison<Op::equal, S>);
        add(Op::not_equal, Scalar::boolean, S, comparison<Op::not_equal, S>);
        add(Op::less, Scalar::boolean, S, comparison<Op::less, S>);
        add(Op::less_equal, Scalar::boolean, S, comparison<Op::less_equal, S>);
        add(Op::select, S, S, choice<S>);
    }
    template <Scalar S>
    void for_floats() {
        for_any<S>();
        add(Op::exp, S, S, elementary_function<Op::exp, S>);
        add(Op::log, S, S, elementary_function<Op::log, S>);
        add(Op::sin, S, S, elementary_function<Op::sin, S>);
        add(Op::cos, S, S, elementary_function<Op::cos, S>);
        add(Op::sinpi, S, S, elementary_function<Op::sinpi, S>);
        add(Op::cospi, S, S, elementary_function<Op::cospi, S>);
        add(Op::approx_sin, S, S, elementary_function<Op::sin, S>);
        add(Op::approx_cos, S, S, elementary_function<Op::cos, S>);
        add(Op::pow, S, S, function_of_two<Op::pow, S>);
        add(Op::atan2, S, S, function_of_two<Op::atan2, S>);
        add(Op::fma, S, S, fused<S>);
    }
    template <Op op, Scalar S>
    void for_integer() {
        add(op, S, S, integers<op, S>);
    }
    template <Scalar S>
    void for_integers() {
        for_any<S>();
        for_integer<Op::add, S>();
        for_integer<Op::sub, S>();
        for_integer<Op::mul, S>();
        for_integer<Op::min, S>();
        for_integer<Op::max, S>();
        for_integer<Op::neg, S>();
        for_integer<Op::abs, S>();
        for_integer<Op::bit_and, S>();
        for_integer<Op::bit_or, S>();
        for_integer<Op::bit_xor, S>();
        for_integer<Op::bit_not, S>();
        for_integer<Op::bit_reverse, S>();
        add(Op::mad, S, S, product_and_sum<S>);
        add(Op::fma, S, S, product_and_sum<S>);
        if constexpr (S != Scalar::i32) {
            for_integer<Op::div, S>();
            for_integer<Op::mod, S>();
            for_integer<Op::mul_high, S>();
        }
        add(Op::shift_left, S, S, shift<Op::shift_left, S, S>);
        add(Op::shift_right, S, S, shift<Op::shift_right, S, S>);
        if constexpr (S != Scalar::u32) {
            add(Op::shift_left, S, Scalar::u32, shift<Op::shift_left, S, Scalar::u32>);
            add(Op::shift_right, S, Scalar::u32, shift<Op::shift_right, S, Scalar::u32>);
        }
    }
    void for_booleans() {
        constexpr Scalar b = Scalar::boolean;
        add(Op::bit_and, b, b, booleans<Op::bit_and>);
        add(Op::bit_or, b, b, booleans<Op::bit_or>);
        add(Op::bit_xor, b, b, booleans<Op::bit_xor>);
        add(Op::bit_not, b, b, booleans<Op::bit_not>);
    }
    template <Scalar To, Scalar... From>
    void from() {
        (add(Op::convert, To, From, conversion<To, From>), ...);
    }
    template <Scalar To>
    void from_all() {
        from<To, Scalar::i8, Scalar::u8, Scalar::i16, Scalar::u16, Scalar::i32, Scalar::u32, Scalar::u64, Scalar::f16,
             Scalar::bf16, Scalar::f32, Scalar::f64>();
    }
    void for_conversions() {
        from_all<Scalar::i32>();
        from_all<Scalar::u32>();
        from_all<Scalar::u64>();
        from_all<Scalar::f16>();
        from_all<Scalar::bf16>();
        from_all<Scalar::f32>();
        from_all<Scalar::f64>();
        from<Scalar::i8, Scalar::i32, Scalar::u32>();
        from<Scalar::u8, Scalar::i32, Scalar::u32>();
        from<Scalar::i16, Scalar::i32, Scalar::u32>();
        from<Scalar::u16, Scalar::i32, Scalar::u32>();
    }
};

const std::vector<Row>& list() {
    static const List all;
    return all.entries;
}

}  // namespace

int host_function(Op op, Scalar result, Scalar operands) {
    const std::vector<Row>& entries = list();
    for (std::size_t k = 0; k < entries.size(); ++k)
        if (entries[k].op == op && entries[k].result == result && entries[k].operands == operands)
            return static_cast<int>(k);
    return -1;
}

const void* const* host_functions() {
    static const std::vector<const void*> addresses = [] {
        std::vector<const void*> all;
        for (const Row& entry : list()) all.push_back(reinterpret_cast<const void*>(entry.function));
        return all;
    }();
    return addresses.data();
}

}  // namespace seiche::emit::machine
