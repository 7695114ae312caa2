// Every arithmetic, comparison, elementary, conversion and lane op against the standard library, for several types and
// lanes and for every mixture of operands that are and are not the same for all threads.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <random>

#include "tests/unit/ir/small_kernels.hpp"

namespace seiche::ir::test {
namespace {

template <class T>
Scalar scalar_of() {
    if constexpr (std::is_same_v<T, float>)
        return Scalar::f32;
    else if constexpr (std::is_same_v<T, double>)
        return Scalar::f64;
    else if constexpr (std::is_same_v<T, std::int32_t>)
        return Scalar::i32;
    else if constexpr (std::is_same_v<T, std::uint32_t>)
        return Scalar::u32;
    else
        return Scalar::u64;
}

constexpr std::uint32_t group_size = 24, groups = 3, threads = group_size * groups;

template <class T>
std::vector<T> random_values(std::size_t count, unsigned seed) {
    std::mt19937_64 engine(seed);
    std::vector<T> values(count);
    std::uniform_real_distribution<double> real(-3.0, 3.0);
    for (T& v : values) {
        if constexpr (std::is_floating_point_v<T>)
            v = static_cast<T>(real(engine));
        else
            v = static_cast<T>(engine());
    }
    return values;
}

/// out[thread] = f(a, b, c) with `lanes` lanes, where operand k is that of thread 0 if bit k of `uniform` is set.
/// Compares with expected(a, b, c) lane by lane, exactly.
template <class In, class Out>
void check(unsigned lanes, unsigned uniform, const std::function<Value(Builder&, Value, Value, Value)>& f,
           const std::function<Out(In, In, In)>& expected, double tolerance = 0) {
    std::vector<std::vector<In>> in;
    for (unsigned k = 0; k < 3; ++k) in.push_back(random_values<In>(threads * lanes, 7 + k));
    std::vector<Out> out(threads * lanes);
    Builder b("op");
    b.kernel().launch.group = {group_size, 1, 1};
    const Type type(scalar_of<In>(), lanes);
    std::array<Value, 3> x;
    const Value thread = wide(global_thread(b));
    for (unsigned k = 0; k < 3; ++k) {
        const auto buffer = input(b, std::string("in") + "abc"[k], type);
        x[k] = b.global_load(buffer, (uniform >> k & 1) != 0 ? u64(b, 0) : thread, type);
    }
    const auto result = output(b, "out", Type(scalar_of<Out>(), lanes));
    b.global_store(result, thread, f(b, x[0], x[1], x[2]));
    const Kernel kernel = b.finish();
    verify(kernel);
    interpret(kernel, launch_of({bound(in[0]), bound(in[1]), bound(in[2]), bound(out)}, groups));
    for (std::size_t i = 0; i < out.size(); ++i) {
        const auto value = [&](unsigned k) { return in[k][(uniform >> k & 1) != 0 ? i % lanes : i]; };
        const Out want = expected(value(0), value(1), value(2));
        if (tolerance == 0) {
            ASSERT_EQ(out[i], want) << "element " << i << ", lanes " << lanes << ", uniform " << uniform;
        } else {
            ASSERT_NEAR(static_cast<double>(out[i]), static_cast<double>(want),
                        tolerance * std::abs(static_cast<double>(want)))
                << "element " << i;
        }
    }
}

template <class T>
void check_all(Op op, const std::function<T(T, T, T)>& expected) {
    for (const unsigned lanes : {1u, 2u, 4u, 16u}) {
        for (unsigned uniform = 0; uniform < 8; ++uniform) {
            const auto f = [op](Builder& b, Value x, Value y, Value z) {
                switch (op_operands(op)) {
                    case 1: return b.effect(instruction(op, x.type(), {x}));
                    case 2: return b.effect(instruction(op, x.type(), {x, y}));
                    default: return b.effect(instruction(op, x.type(), {x, y, z}));
                }
            };
            SCOPED_TRACE(op_name(op));
            check<T, T>(lanes, uniform, f, expected);
        }
    }
}

template <class T>
void check_arithmetic() {
    using W = std::conditional_t<std::is_same_v<T, std::int32_t>, std::uint32_t, T>;  // wraps
    check_all<T>(Op::add, [](T a, T b, T) { return static_cast<T>(static_cast<W>(a) + static_cast<W>(b)); });
    check_all<T>(Op::sub, [](T a, T b, T) { return static_cast<T>(static_cast<W>(a) - static_cast<W>(b)); });
    check_all<T>(Op::mul, [](T a, T b, T) { return static_cast<T>(static_cast<W>(a) * static_cast<W>(b)); });
    check_all<T>(Op::min, [](T a, T b, T) { return std::min(a, b); });
    check_all<T>(Op::max, [](T a, T b, T) { return std::max(a, b); });
    check_all<T>(Op::neg, [](T a, T, T) { return static_cast<T>(W{0} - static_cast<W>(a)); });
}

TEST(interpret_ops, arithmetic_of_floats) {
    check_arithmetic<float>();
    check_arithmetic<double>();
    check_all<float>(Op::div, [](float a, float b, float) { return a / b; });
    check_all<double>(Op::div, [](double a, double b, double) { return a / b; });
    check_all<float>(Op::abs, [](float a, float, float) { return std::abs(a); });
    check_all<double>(Op::floor, [](double a, double, double) { return std::floor(a); });
    for (const Op op : {Op::fma, Op::mad}) {
        check_all<float>(op, [](float a, float b, float c) { return std::fma(a, b, c); });
        check_all<double>(op, [](double a, double b, double c) { return std::fma(a, b, c); });
    }
}

TEST(interpret_ops, fma_rounds_once) {
    const auto f = [](Builder& b, Value, Value, Value) {
        const Value x = b.constant(Scalar::f32, 1.0 + 0x1p-12);
        return b.effect(instruction(Op::fma, Scalar::f32, {x, x, b.constant(Scalar::f32, -(1.0 + 0x1p-11))}));
    };
    check<float, float>(1, 0, f, [](float, float, float) { return 0x1p-24f; });  // two roundings would give 0
}

TEST(interpret_ops, arithmetic_of_integers) {
    check_arithmetic<std::int32_t>();
    check_arithmetic<std::uint32_t>();
    check_arithmetic<std::uint64_t>();
    check_all<std::int32_t>(Op::abs, [](std::int32_t a, std::int32_t, std::int32_t) { return std::abs(a); });
    check_all<std::uint32_t>(Op::div, [](std::uint32_t a, std::uint32_t b, std::uint32_t) { return a / b; });
    check_all<std::uint64_t>(Op::mod, [](std::uint64_t a, std::uint64_t b, std::uint64_t) { return a % b; });
    check_all<std::uint32_t>(Op::mad, [](std::uint32_t a, std::uint32_t b, std::uint32_t c) { return a * b + c; });
    check_all<std::uint32_t>(Op::mul_high, [](std::uint32_t a, std::uint32_t b, std::uint32_t) {
        return static_cast<std::uint32_t>(std::uint64_t{a} * b >> 32);
    });
    __extension__ using u128 = unsigned __int128;
    check_all<std::uint64_t>(Op::mul_high, [](std::uint64_t a, std::uint64_t b, std::uint64_t) {
        return static_cast<std::uint64_t>(static_cast<u128>(a) * b >> 64);
    });
}

template <class T>
T reversed(T x) {
    T r = 0;
    for (unsigned bit = 0; bit < 8 * sizeof(T); ++bit) r = static_cast<T>(r << 1 | (x >> bit & 1));
    return r;
}

TEST(interpret_ops, bits) {
    check_all<std::uint32_t>(Op::bit_and, [](auto a, auto b, auto) { return a & b; });
    check_all<std::uint64_t>(Op::bit_or, [](auto a, auto b, auto) { return a | b; });
    check_all<std::int32_t>(Op::bit_xor, [](auto a, auto b, auto) { return a ^ b; });
    check_all<std::uint64_t>(Op::bit_not, [](auto a, auto, auto) { return ~a; });
    check_all<std::uint32_t>(Op::bit_reverse, [](auto a, auto, auto) { return reversed(a); });
    check_all<std::uint64_t>(Op::bit_reverse, [](auto a, auto, auto) { return reversed(a); });
}

TEST(interpret_ops, shifts) {
    for (const std::uint64_t bits : {0u, 1u, 17u, 31u}) {
        check<std::uint32_t, std::uint32_t>(
            2, 0,
            [bits](Builder& b, Value x, Value, Value) {
                return b.effect(instruction(Op::shift_left, x.type(), {x, b.integer(x.type(), bits)}));
            },
            [bits](auto a, auto, auto) { return a << bits; });
        check<std::int32_t, std::int32_t>(
            1, 0,
            [bits](Builder& b, Value x, Value, Value) {
                return b.effect(instruction(Op::shift_right, x.type(), {x, u32(b, static_cast<std::uint32_t>(bits))}));
            },
            [bits](auto a, auto, auto) { return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) >> bits); });
        check<std::uint64_t, std::uint64_t>(
            1, 0,
            [bits](Builder& b, Value x, Value, Value) {
                return b.effect(instruction(Op::shift_right, x.type(), {x, b.integer(x.type(), 2 * bits)}));
            },
            [bits](auto a, auto, auto) { return a >> 2 * bits; });
    }
}

/// The comparison of x and y as 1 or 0 of the operands' type, by way of select.
template <class T>
void check_compare(Op op, const std::function<bool(T, T)>& expected) {
    for (unsigned uniform = 0; uniform < 4; ++uniform) {
        for (const unsigned lanes : {1u, 4u}) {
            const auto f = [op](Builder& b, Value x, Value y, Value z) {
                const Value condition = b.effect(instruction(op, Type(Scalar::boolean, x.type().lanes), {x, y}));
                return b.effect(instruction(Op::select, x.type(), {condition, z, x}));
            };
            check<T, T>(lanes, uniform, f, [&](T a, T b, T c) { return expected(a, b) ? c : a; });
        }
    }
}

TEST(interpret_ops, comparisons_and_select) {
    check_compare<float>(Op::less, std::less<>());
    check_compare<double>(Op::less_equal, std::less_equal<>());
    check_compare<std::int32_t>(Op::less, std::less<>());
    check_compare<std::uint64_t>(Op::less, std::less<>());
    check_compare<std::uint32_t>(Op::equal, std::equal_to<>());
    check_compare<float>(Op::not_equal, std::not_equal_to<>());
}

TEST(interpret_ops, select_by_one_condition_for_all_lanes) {
    const auto f = [](Builder& b, Value x, Value y, Value) {
        return b.effect(instruction(Op::select, x.type(), {b.less(b.thread_id(), u32(b, 1000)), y, x}));
    };
    check<float, float>(4, 0, f, [](float, float b, float) { return b; });
}

TEST(interpret_ops, booleans) {
    const auto f = [](Builder& b, Value x, Value y, Value) {
        const Value less = b.less(x, y), positive = b.less(b.constant(Scalar::f32, 0), x);
        const Value exclusive = b.binary(Op::bit_xor, less, positive),
                    neither = b.unary(Op::bit_not, b.binary(Op::bit_or, less, positive));
        return b.convert(b.binary(Op::bit_or, exclusive, neither), Scalar::f32);
    };
    check<float, float>(1, 0, f, [](float a, float b, float) {
        const bool less = a < b, positive = 0 < a;
        return (less != positive || !(less || positive)) ? 1.0f : 0.0f;
    });
}

TEST(interpret_ops, elementary_functions) {
    using Function = double (*)(double);
    const std::vector<std::pair<Op, Function>> functions = {
        {Op::exp, [](double x) { return std::exp(x); }},
        {Op::sin, [](double x) { return std::sin(x); }},
        {Op::cos, [](double x) { return std::cos(x); }},
        {Op::approx_sin, [](double x) { return std::sin(x); }},
        {Op::approx_cos, [](double x) { return std::cos(x); }},
        {Op::sinpi, [](double x) { return std::sin(std::numbers::pi * x); }},
        {Op::cospi, [](double x) { return std::cos(std::numbers::pi * x); }}};
    for (const auto& [op, function] : functions) {
        SCOPED_TRACE(op_name(op));
        const auto f = [op = op](Builder& b, Value x, Value, Value) { return b.unary(op, x); };
        check<double, double>(
            2, 0, f, [function = function](double a, double, double) { return function(a); }, 1e-13);
        check<float, float>(
            2, 1, f,
            [function = function](float a, float, float) {
                return static_cast<float>(function(static_cast<double>(a)));
            },
            1e-6);
    }
    const auto root = [](Builder& b, Value x, Value, Value) { return b.unary(Op::sqrt, b.unary(Op::abs, x)); };
    check<float, float>(1, 0, root, [](float a, float, float) { return std::sqrt(std::abs(a)); });
    check<double, double>(1, 0, root, [](double a, double, double) { return std::sqrt(std::abs(a)); });
    const auto logarithm = [](Builder& b, Value x, Value, Value) { return b.unary(Op::log, b.unary(Op::abs, x)); };
    check<double, double>(
        1, 0, logarithm, [](double a, double, double) { return std::log(std::abs(a)); }, 1e-14);
    const auto angle = [](Builder& b, Value x, Value y, Value) { return b.binary(Op::atan2, x, y); };
    check<double, double>(
        1, 2, angle, [](double a, double b, double) { return std::atan2(a, b); }, 1e-14);
    const auto power = [](Builder& b, Value x, Value y, Value) { return b.binary(Op::pow, b.unary(Op::abs, x), y); };
    check<double, double>(
        1, 0, power, [](double a, double b, double) { return std::pow(std::abs(a), b); }, 1e-14);
}

TEST(interpret_ops, turns_are_exact_at_eighths) {
    for (int k = -20; k <= 20; ++k) {
        const double x = k / 4.0 + 1024.0;
        const auto f = [x](Op op) {
            return [x, op](Builder& b, Value, Value, Value) {
                return b.effect(instruction(op, Scalar::f64, {b.constant(Scalar::f64, x)}));
            };
        };
        const double s = std::numbers::sqrt2 / 2;
        const double sines[8] = {0, s, 1, s, 0, -s, -1, -s};
        const int turn = ((k % 8) + 8) % 8;
        check<double, double>(1, 0, f(Op::sinpi), [&](double, double, double) { return sines[turn]; });
        check<double, double>(1, 0, f(Op::cospi), [&](double, double, double) { return sines[(turn + 2) % 8]; });
    }
}

template <class In, class Out>
void check_convert(double scale) {
    const auto f = [scale](Builder& b, Value x, Value, Value) {
        const Value scaled = x.type().is_float() ? x * scale : x;
        return b.effect(instruction(Op::convert, Type(scalar_of<Out>(), x.type().lanes), {scaled}));
    };
    check<In, Out>(2, 0, f, [&](In a, In, In) {
        if constexpr (std::is_floating_point_v<In> && !std::is_floating_point_v<Out>) {
            const In x = static_cast<In>(a * static_cast<In>(scale));
            if (x <= static_cast<In>(std::numeric_limits<Out>::min())) return std::numeric_limits<Out>::min();
            if (x >= static_cast<In>(std::numeric_limits<Out>::max())) return std::numeric_limits<Out>::max();
            return static_cast<Out>(x);
        } else if constexpr (std::is_floating_point_v<In>) {
            return static_cast<Out>(static_cast<In>(a * static_cast<In>(scale)));
        } else {
            return static_cast<Out>(a);
        }
    });
}

TEST(interpret_ops, conversions) {
    check_convert<float, double>(1);
    check_convert<double, float>(1);
    check_convert<double, std::int32_t>(1000);
    check_convert<float, std::int32_t>(1e9);    // some beyond the range: they saturate
    check_convert<float, std::uint32_t>(1000);  // some negative
    check_convert<double, std::uint64_t>(1e19);
    check_convert<std::uint64_t, std::uint32_t>(1);
    check_convert<std::uint32_t, std::uint64_t>(1);
    check_convert<std::int32_t, float>(1);
    check_convert<std::uint64_t, double>(1);
    check_convert<std::uint64_t, float>(1);
    check_convert<std::uint32_t, double>(1);
}

TEST(interpret_ops, bitcasts) {
    const auto to = [](Type type) {
        return [type](Builder& b, Value x, Value, Value) { return b.effect(instruction(Op::bitcast, type, {x})); };
    };
    check<float, std::uint32_t>(1, 0, to(Scalar::u32),
                                [](float a, float, float) { return std::bit_cast<std::uint32_t>(a); });
    check<double, std::uint64_t>(2, 1, to(Type(Scalar::u64, 2)),
                                 [](double a, double, double) { return std::bit_cast<std::uint64_t>(a); });
    const auto swap_halves = [](Builder& b, Value x, Value, Value) {
        const Value parts = b.effect(instruction(Op::bitcast, Type(Scalar::u32, 2), {x}));
        return b.effect(instruction(Op::bitcast, Scalar::u64, {b.compose({b.extract(parts, 1), b.extract(parts, 0)})}));
    };
    check<std::uint64_t, std::uint64_t>(1, 0, swap_halves, [](auto a, auto, auto) { return a << 32 | a >> 32; });
}

TEST(interpret_ops, lane_moves) {
    for (unsigned uniform = 0; uniform < 4; ++uniform) {
        std::size_t i = 0;
        const auto reversed_pairs = [](Builder& b, Value x, Value y, Value) { return b.shuffle(x, y, {3, 6, 1, 4}); };
        // Lane by lane: x3, y2, x1, y0, checked by counting lanes.
        std::vector<float> a = random_values<float>(threads * 4, 7), c = random_values<float>(threads * 4, 8);
        const auto at = [&](const std::vector<float>& v, unsigned k, unsigned lane) {
            return v[(uniform >> k & 1) != 0 ? lane : i / 4 * 4 + lane];
        };
        check<float, float>(4, uniform, reversed_pairs, [&](float, float, float) {
            const float want[4] = {at(a, 0, 3), at(c, 1, 2), at(a, 0, 1), at(c, 1, 0)};
            return want[i++ % 4];
        });
    }
    const auto first_to_all = [](Builder& b, Value x, Value, Value) { return b.splat(b.extract(x, 1), 2); };
    std::size_t i = 0;
    const std::vector<double> a = random_values<double>(threads * 2, 7);
    check<double, double>(2, 0, first_to_all, [&](double, double, double) { return a[i++ / 2 * 2 + 1]; });
    i = 0;
    const auto halves = [](Builder& b, Value x, Value y, Value) {
        const Value lower = b.shuffle(x, {}, {0, 1}), upper = b.shuffle(y, {}, {2, 3});
        return b.compose({upper, b.extract(lower, 0), b.extract(lower, 1)});
    };
    const std::vector<float> x = random_values<float>(threads * 4, 7), y = random_values<float>(threads * 4, 8);
    check<float, float>(4, 0, halves, [&](float, float, float) {
        const std::size_t lane = i % 4, base = i++ / 4 * 4;
        return lane < 2 ? y[base + lane + 2] : x[base + lane - 2];
    });
}

TEST(interpret_ops, leaves) {
    Builder b("leaves");
    b.kernel().launch.group = {4, 3, 2};
    const auto out = output(b, "out", Scalar::u32);
    const Value base = b.scalar("base", Scalar::u32), factor = b.scalar("factor", Scalar::f64);
    const Value thread = b.thread_id(0) + (b.thread_id(1) + b.thread_id(2) * 3_u) * 4_u;
    const Value group = b.group_id(0) + (b.group_id(1) + b.group_id(2) * b.group_count(1)) * b.group_count(0);
    const Value lane = b.effect(instruction(Op::subgroup_lane, Scalar::u32, {}));
    const Value value = base + thread * 1000_u + group * 100000_u + lane + b.convert(factor, Scalar::u32);
    b.global_store(out, wide(group * 24_u + thread), value);
    const Kernel kernel = b.finish();
    verify(kernel);
    std::vector<std::uint32_t> memory(24 * 12);
    Launch launch = launch_of({bound(memory)});
    launch.groups = {2, 2, 3};
    launch.scalars = {7, std::bit_cast<std::uint64_t>(50.0)};
    InterpretOptions options;
    options.subgroup_size = 8;
    interpret(kernel, launch, options);
    for (std::uint32_t i = 0; i < memory.size(); ++i) {
        EXPECT_EQ(memory[i], 7 + 50 + i % 24 * 1000 + i / 24 * 100000 + i % 24 % 8);
    }
}

}  // namespace
}  // namespace seiche::ir::test
