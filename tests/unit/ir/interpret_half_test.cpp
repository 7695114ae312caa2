// Half precision: rounding, conversion, memory and single-rounding arithmetic against the compiler's own _Float16 or
// exact integers.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>

#include "ir/interpret_values.hpp"
#include "tests/unit/ir/small_kernels.hpp"

namespace seiche::ir::test {
namespace {

/// Rounds an exact value to `bits` of precision with quantum at least 2^least and overflow at `limit`, by scaling and
/// rint.
double rounded_exactly(long double x, int bits, int least, double limit) {
    if (x == 0) return 0;
    int exponent = 0;
    (void)std::frexp(x, &exponent);
    const int quantum = std::max(exponent - bits, least);
    const long double scaled = std::rint(std::ldexp(x, -quantum));
    const double result = static_cast<double>(std::ldexp(scaled, quantum));
    return std::abs(result) >= limit ? std::copysign(HUGE_VAL, static_cast<double>(x)) : result;
}
double to_f16(long double x) { return rounded_exactly(x, 11, -24, 65536.0); }
double to_bf16(long double x) { return rounded_exactly(x, 8, -133, 0x1p128); }

TEST(half, every_pattern_survives_memory) {
    for (std::uint32_t bits = 0; bits < 0x10000u; ++bits) {
        const float value = f16_value(static_cast<std::uint16_t>(bits));
        if (std::isnan(value)) continue;
        ASSERT_EQ(f16_bits(value), bits);
        ASSERT_EQ(round_f16(value), value);
    }
    EXPECT_EQ(f16_value(0x3c00), 1.0f);
    EXPECT_EQ(f16_value(0x0001), 0x1p-24f);
    EXPECT_EQ(f16_value(0x7bff), 65504.0f);
    EXPECT_EQ(f16_value(0xfc00), -INFINITY);
    EXPECT_TRUE(std::isnan(f16_value(f16_bits(NAN))));
}

TEST(half, rounding_is_to_nearest_even) {
    std::mt19937_64 engine(1);
    for (int k = 0; k < 100000; ++k) {
        const float x = std::ldexp(static_cast<float>(engine() >> 40), static_cast<int>(engine() % 60) - 60) *
                        (k % 2 != 0 ? 1.0f : -1.0f);
        ASSERT_EQ(static_cast<double>(round_f16(x)), to_f16(x)) << x;
        ASSERT_EQ(static_cast<double>(round_bf16(x)), to_bf16(x)) << x;
        const double y = std::ldexp(static_cast<double>(engine() >> 11), static_cast<int>(engine() % 60) - 90);
        ASSERT_EQ(static_cast<double>(rounded<Scalar::f16>(y)), to_f16(y)) << y;
        ASSERT_EQ(static_cast<double>(rounded<Scalar::bf16>(y)), to_bf16(y)) << y;
    }
    EXPECT_EQ(round_f16(65519.0f), 65504.0f);
    EXPECT_EQ(round_f16(65520.0f), INFINITY);
    EXPECT_EQ(round_f16(1.0f + 0x1p-11f), 1.0f);  // a tie goes to even
    EXPECT_EQ(round_f16(1.0f + 0x3p-11f), 1.0f + 0x1p-9f);
    EXPECT_EQ(rounded<Scalar::f16>(1.0 + 0x1p-11 + 0x1p-50), 1.0f + 0x1p-10f);  // once, not by way of f32
    EXPECT_EQ(rounded<Scalar::bf16>(0x1p-133), 0x1p-133f);
}

constexpr std::uint32_t count = 4096;

/// Halves of all exponents from raw patterns that are finite.
std::vector<std::uint16_t> patterns(unsigned seed, std::uint16_t exponent_mask) {
    std::mt19937 engine(seed);
    std::vector<std::uint16_t> v(count);
    for (auto& x : v) {
        do x = static_cast<std::uint16_t>(engine());
        while ((x & exponent_mask) == exponent_mask);
    }
    return v;
}

std::vector<std::uint16_t> run_op(Op op, Scalar scalar, std::vector<std::uint16_t> a, std::vector<std::uint16_t> b,
                                  std::vector<std::uint16_t> c) {
    Builder k("half");
    k.kernel().launch.group = {64, 1, 1};
    const auto x = input(k, "a", scalar), y = input(k, "b", scalar), z = input(k, "c", scalar),
               out = output(k, "out", scalar);
    const Value i = wide(global_thread(k));
    const Value p = k.global_load(x, i, scalar), q = k.global_load(y, i, scalar), r = k.global_load(z, i, scalar);
    k.global_store(
        out, i,
        op == Op::fma ? k.effect(instruction(op, scalar, {p, q, r})) : k.effect(instruction(op, scalar, {p, q})));
    const Kernel kernel = k.finish();
    verify(kernel);
    std::vector<std::uint16_t> result(count);
    interpret(kernel, launch_of({bound(a), bound(b), bound(c), bound(result)}, count / 64));
    return result;
}

double bf16_value(std::uint16_t bits) { return static_cast<double>(std::bit_cast<float>(std::uint32_t{bits} << 16)); }

TEST(half, arithmetic_rounds_once) {
    const auto a = patterns(1, 0x7c00), b = patterns(2, 0x7c00), c = patterns(3, 0x7c00);
    const auto sum = run_op(Op::add, Scalar::f16, a, b, c), product = run_op(Op::mul, Scalar::f16, a, b, c),
               fused = run_op(Op::fma, Scalar::f16, a, b, c);
    const auto value = [](std::uint16_t bits) { return static_cast<long double>(f16_value(bits)); };
    for (std::size_t i = 0; i < count; ++i) {
        const long double x = value(a[i]), y = value(b[i]), z = value(c[i]);
        ASSERT_EQ(static_cast<double>(value(sum[i])), to_f16(x + y));
        ASSERT_EQ(static_cast<double>(value(product[i])), to_f16(x * y));
        if (std::abs(to_f16(x * y + z)) < 60000) {
            ASSERT_EQ(static_cast<double>(value(fused[i])), to_f16(x * y + z)) << i;
        }
    }
}

TEST(half, constants_of_a_kernel_are_rounded_once) {
    Builder k("half");
    const auto value = [&](double x) { return k.float_value(k.constant(Scalar::f16, x)); };
    EXPECT_EQ(value(1 + 0x1p-11), 1);                      // a tie, to even
    EXPECT_EQ(value(1 + 0x1p-11 + 0x1p-40), 1 + 0x1p-10);  // by way of f32 it would be one
    EXPECT_EQ(value(0.1), 0x1.998p-4);
    EXPECT_EQ(value(65519.99), 65504);
    EXPECT_EQ(value(65520), HUGE_VAL);
    EXPECT_EQ(value(0x1.8p-24), 0x1p-23);
    const Value third = k.constant(Scalar::f16, 1) / k.constant(Scalar::f16, 3);
    EXPECT_EQ(k.float_value(third), to_f16(1.0L / 3));
    EXPECT_EQ(k.float_value(k.constant(Scalar::f16, 1) + k.constant(Scalar::f16, 0x1p-12)), 1);
}

TEST(narrow, every_pattern_survives_memory_and_conversion) {
    Builder b("k");
    b.kernel().launch.group = {256, 1, 1};
    const Scalar types[] = {Scalar::i8, Scalar::u8};
    const auto from = input(b, "from", Scalar::u8), as_signed = input(b, "as_signed", Scalar::i8);
    const auto unsigned_out = output(b, "unsigned_out", Scalar::f32), signed_out = output(b, "signed_out", Scalar::f32);
    const auto wrapped = output(b, "wrapped", Scalar::i16);
    const Value at = wide(b.thread_id());
    b.global_store(unsigned_out, at, b.convert(b.global_load(from, at, types[1]), Scalar::f32));
    const Value s = b.global_load(as_signed, at, types[0]);
    b.global_store(signed_out, at, b.convert(s, Scalar::f32));
    b.global_store(wrapped, at, b.convert(b.convert(s, Scalar::i32) * 1000_u, Scalar::i16));
    const Kernel kernel = b.finish();
    verify(kernel);
    std::vector<std::uint8_t> bytes(256);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i);
    std::vector<float> u(256), v(256);
    std::vector<std::int16_t> w(256);
    interpret(kernel, launch_of({bound(bytes), bound(bytes), bound(u), bound(v), bound(w)}));
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        const auto value = static_cast<std::int8_t>(bytes[i]);
        ASSERT_EQ(u[i], static_cast<float>(i));
        ASSERT_EQ(v[i], static_cast<float>(value));
        ASSERT_EQ(w[i], static_cast<std::int16_t>(value * 1000));
    }
}

TEST(half, bf16_fma_is_not_rounded_twice) {
    // (1 + 2^-4)(1 + 2^-4) = 1 + 2^-3 + 2^-8 is halfway between two neighbours; what is added decides, however little
    // it is.
    std::vector<std::uint16_t> a(count, 0x3f88), c(count, 0x0001);
    c[1] = 0x8001;
    const auto result = run_op(Op::fma, Scalar::bf16, a, a, c);
    EXPECT_EQ(bf16_value(result[0]), 1 + 0x1p-3 + 0x1p-7);
    EXPECT_EQ(bf16_value(result[1]), 1 + 0x1p-3);
}

}  // namespace
}  // namespace seiche::ir::test
