// What stages compute, in the interpreter, against the standard library.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>
#include <numbers>

#include "evaluate.hpp"

namespace seiche::test {
namespace {

using Point = std::complex<double>;
using Expected = std::function<Point(Point value, double i)>;

/// Exact in f32.
std::vector<Point> some_points() {
    std::vector<Point> input;
    for (std::uint32_t i = 0; i < points; ++i) input.emplace_back((i + 3) / 32.0, 1.5 - i / 16.0);
    return input;
}

/// `text` gives, in f32 and f64, what `expected` says to so many units in the last place of the larger of it and 1.
void expect_values(const std::string& text, const Expected& expected, double units = 4) {
    SCOPED_TRACE(text);
    for (const bool wide : {false, true}) {
        Evaluation e;
        e.stage = text;
        e.input = some_points();
        const std::vector<Point> got = wide ? evaluate<double>(e) : evaluate<float>(e);
        const double unit = wide ? 0x1p-53 : 0x1p-24;
        for (std::uint32_t i = 0; i < points; ++i) {
            const Point want = expected(e.input[i], i);
            ASSERT_LE(std::abs(got[i] - want), units * unit * std::max(1.0, std::abs(want)))
                << "at " << i << " of " << (wide ? "f64" : "f32") << ": " << got[i] << " for " << want;
        }
    }
}

TEST(Language, arithmetic_of_complex_and_real_numbers) {
    expect_values(
        "return value;", [](Point z, double) { return z; }, 0);
    expect_values("return value * 2 + 1;", [](Point z, double) { return z * 2.0 + 1.0; });
    expect_values("return -value / 3.0 - complex(1, 2);", [](Point z, double) { return -z / 3.0 - Point(1, 2); });
    expect_values(
        "return value * conj(value) * value;", [](Point z, double) { return std::norm(z) * z; }, 16);
    expect_values(
        "return 1 / value;", [](Point z, double) { return 1.0 / z; }, 16);
    expect_values(
        "return complex(value.im, value.re);", [](Point z, double) { return Point(z.imag(), z.real()); }, 0);
    expect_values("let a = value.re; let b = a * a; return b - a;",
                  [](Point z, double) { return z.real() * z.real() - z.real(); });
}

TEST(Language, indices_are_whole_numbers) {
    expect_values(
        "return i0;", [](Point, double i) { return i; }, 0);
    expect_values(
        "return i0 / n0;", [](Point, double i) { return i / points; }, 0);
    expect_values(
        "return div(i0, 3) * 10 + i0 % 3;", [](Point, double i) { return std::floor(i / 3) * 10 + std::fmod(i, 3); },
        0);
    expect_values(
        "return 5 - i0;", [](Point, double i) { return 5 - i; }, 0);
    expect_values(
        "return abs(i0 - 40) * (i0 - 40);", [](Point, double i) { return std::abs(i - 40) * (i - 40); }, 0);
    expect_values(
        "return min(i0 - 7, 3) + max(-i0, -20);",
        [](Point, double i) { return std::min(i - 7, 3.0) + std::max(-i, -20.0); }, 0);
    expect_values(
        "return mod(i0 + 3000000000, 4000000000) - 3000000000;", [](Point, double i) { return i; }, 0);
    expect_values(
        "return int(value.re * 10) + int(-value.re * 10);", [](Point, double) { return 0; }, 0);
    expect_values(
        "return int(2.9) + int(-2.9) * 100;", [](Point, double) { return -198; }, 0);
    expect_values(
        "return (i0 - 10 < 0 ? 1 : 0) + (i0 - 10 <= -10 ? 10 : 0) + (-1 > i0 - 5 ? 100 : 0);",
        [](Point, double i) { return (i < 10 ? 1 : 0) + (i <= 0 ? 10 : 0) + (i < 4 ? 100 : 0); }, 0);
}

TEST(Language, elementary_functions) {
    const double pi = std::numbers::pi;
    expect_values("return complex(sqrt(value.re), exp(value.im));",
                  [](Point z, double) { return Point(std::sqrt(z.real()), std::exp(z.imag())); });
    expect_values("return complex(log(value.re), log10(value.re));",
                  [](Point z, double) { return Point(std::log(z.real()), std::log10(z.real())); });
    expect_values("return log2(value.re);", [](Point z, double) { return std::log2(z.real()); });
    expect_values("return complex(sin(value.re), cos(value.im));",
                  [](Point z, double) { return Point(std::sin(z.real()), std::cos(z.imag())); });
    expect_values(
        "return complex(sinpi(value.re), cospi(value.im));",
        [&](Point z, double) { return Point(std::sin(pi * z.real()), std::cos(pi * z.imag())); }, 8);
    expect_values("return complex(atan2(value.im, value.re), pow(value.re, 1.5));",
                  [](Point z, double) { return Point(std::atan2(z.imag(), z.real()), std::pow(z.real(), 1.5)); });
    expect_values("return complex(abs(value), arg(value));",
                  [](Point z, double) { return Point(std::abs(z), std::arg(z)); });
    expect_values("return complex(norm(value), abs(value.im));",
                  [](Point z, double) { return Point(std::norm(z), std::abs(z.imag())); });
    expect_values(
        "return complex(floor(value.im * 4), ceil(value.im * 4));",
        [](Point z, double) { return Point(std::floor(z.imag() * 4), std::ceil(z.imag() * 4)); }, 0);
    expect_values(
        "return round(i0 / 4 - 8);", [](Point, double i) { return std::floor(i / 4 - 8 + 0.5); }, 0);
    expect_values("return 2 * pi;", [&](Point, double) { return 2 * pi; });
    expect_values(
        "return complex(min(value.re, value.im), max(value.re, 1));",
        [](Point z, double) { return Point(std::min(z.real(), z.imag()), std::max(z.real(), 1.0)); }, 0);
}

TEST(Language, conditions) {
    expect_values(
        "return i0 < 5 && value.re > 0 || i0 == 60 ? value : complex(0, 1);",
        [](Point z, double i) { return i < 5 || i == 60 ? z : Point(0, 1); }, 0);
    expect_values(
        "return select(!(i0 >= 5) != (i0 == 3) ? i0 > 1 : i0 > 6, 1, -1);",
        [](Point, double i) { return ((!(i >= 5)) != (i == 3) ? i > 1 : i > 6) ? 1.0 : -1.0; }, 0);
}

TEST(Language, comments_and_spacing_do_not_matter) {
    const expression::Context context{"stage", expression::Side::load, {points}, 1};
    const auto program = [&](const char* text) { return expression::check(text, context); };
    EXPECT_EQ(program("return value*2;"), program("  return /* twice */ value\n * 2; // ü\n"));
    EXPECT_EQ(program("return value*2;").text, "return value * 2 ;");
    EXPECT_NE(program("return value*2;"), program("return value*3;"));
}

TEST(Language, precedence_is_that_of_c) {
    expect_values(
        "return 2 + 3 * 4 - 10 / 4 * 2 - -1;", [](Point, double) { return 2 + 12 - 5 + 1; }, 0);
    expect_values(
        "return 1 < 2 == 3 > 2 ? 1 : 0;", [](Point, double) { return 1; }, 0);
    expect_values(
        "return i0 > 3 ? 1 : i0 > 1 ? 2 : 3;", [](Point, double i) { return i > 3   ? 1
                                                                            : i > 1 ? 2
                                                                                    : 3; }, 0);
}

TEST(Language, buffers_of_every_type_are_read) {
    const auto expect_read = [](StageType type, const auto& elements) {
        for (const bool wide : {false, true}) {
            Evaluation e;
            e.stage.text = "return x[n0 - 1 - i0];";
            e.stage.buffers = {{"x", type, points}};
            e.buffers = {bytes(elements)};
            const auto got = wide ? evaluate<double>(e) : evaluate<float>(e);
            for (std::uint32_t i = 0; i < points; ++i) {
                const auto want = static_cast<double>(elements[points - 1 - i]);
                ASSERT_EQ(got[i], Point(wide ? want : static_cast<float>(want))) << to_string(type) << " at " << i;
            }
        }
    };
    const auto pattern = [](auto zero) {
        std::vector<decltype(zero)> elements(points);
        for (std::uint32_t i = 0; i < points; ++i)
            elements[i] = static_cast<decltype(zero)>((i * 2654435761ull - 77) >> 3);
        return elements;
    };
    expect_read(StageType::i8, pattern(std::int8_t{}));
    expect_read(StageType::u8, pattern(std::uint8_t{}));
    expect_read(StageType::i16, pattern(std::int16_t{}));
    expect_read(StageType::u16, pattern(std::uint16_t{}));
    expect_read(StageType::i32, pattern(std::int32_t{}));
    expect_read(StageType::u32, pattern(std::uint32_t{}));
    expect_read(StageType::f32, pattern(float{}));
    expect_read(StageType::f64, pattern(double{}));
}

TEST(Language, halves_are_read_and_stored) {
    Evaluation e;
    e.side = expression::Side::store;
    e.stage.text = "store y[i0] = x[i0] * 2;";
    e.stage.buffers = {{"x", StageType::f16, points}, {"y", StageType::f16, points}};
    e.buffers = {bytes(std::vector<std::uint16_t>(points, 0x3e00)), std::vector<std::byte>(2 * points)};
    evaluate<float>(e);
    EXPECT_EQ(values<std::uint16_t>(e.buffers[1]), std::vector<std::uint16_t>(points, 0x4200));  // 1.5, 3
}

template <class T>
std::vector<T> stored(const std::string& text, StageType type, const std::vector<Point>& input = {}) {
    Evaluation e;
    e.side = expression::Side::store;
    e.stage.text = "store out[i0] = " + text + ";";
    e.stage.buffers = {{"out", type, points}};
    e.buffers = {std::vector<std::byte>(points * sizeof(T))};
    e.input = input;
    evaluate<float>(e);
    return values<T>(e.buffers[0]);
}

TEST(Language, stores_round_and_saturate) {
    const auto bytes_out = stored<std::uint8_t>("value.re * 6.5 - 20", StageType::u8);
    const auto signed_out = stored<std::int8_t>("i0 * 7 - 200", StageType::i8);
    const auto words = stored<std::int16_t>("(i0 - 32) * 1500.25", StageType::i16);
    const auto unsigned_words = stored<std::uint16_t>("i0 * 1100", StageType::u16);
    for (std::uint32_t i = 0; i < points; ++i) {
        EXPECT_EQ(bytes_out[i], std::clamp(std::floor(i * 6.5 - 20 + 0.5), 0.0, 255.0)) << i;
        EXPECT_EQ(signed_out[i], std::clamp(static_cast<int>(i) * 7 - 200, -128, 127)) << i;
        EXPECT_EQ(words[i], std::clamp(std::floor((i - 32.0) * 1500.25 + 0.5), -32768.0, 32767.0)) << i;
        EXPECT_EQ(unsigned_words[i], std::min(i * 1100, 65535u)) << i;
    }
    EXPECT_EQ(stored<std::int32_t>("(i0 - 1) * 3e9", StageType::i32)[0], std::numeric_limits<std::int32_t>::min());
    EXPECT_EQ(stored<std::int32_t>("(i0 - 1) * 3000000000", StageType::i32)[2],
              std::numeric_limits<std::int32_t>::max());
    EXPECT_EQ(stored<std::uint32_t>("8388609.0 + i0", StageType::u32)[0], 8388609u);  // where x + 1/2 would be rounded
    std::vector<Point> input(points, std::nan(""));
    EXPECT_EQ(stored<std::int8_t>("value.re", StageType::i8, input)[0], 0);
}

TEST(Language, scalars_come_with_their_sign) {
    Evaluation e;
    e.stage.text = "return complex(gain * i0 + shift, count);";
    e.stage.scalars = {{"gain", StageType::f32}, {"shift", StageType::i32}, {"count", StageType::u32}};
    e.scalars = {std::bit_cast<std::uint32_t>(1.5f), std::uint64_t{0xfffffff9u}, 0xfffffffeu};
    const auto got = evaluate<double>(e);
    for (std::uint32_t i = 0; i < points; ++i) EXPECT_EQ(got[i], Point(1.5 * i - 7, 4294967294.0));
    e.stage.text = "return complex(gain, shift + count);";
    EXPECT_EQ(evaluate<float>(e)[0], Point(1.5, static_cast<float>(4294967294.0 - 7)));
}

TEST(Language, the_batch_is_an_index) {
    Evaluation e;
    e.stage.text = "return x[batch * n0 + i0];";
    e.batch = 2;
    std::vector<float> x(3 * points);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i);
    e.stage.buffers = {{"x", StageType::f32, x.size()}};
    e.buffers = {bytes(x)};
    EXPECT_EQ(evaluate<float>(e)[5], Point(2 * points + 5));
}

TEST(Language, an_index_that_data_leads_astray_reads_zero_and_stores_nothing) {
    Evaluation e;
    e.side = expression::Side::store;
    e.stage.text = "store out[int(value.re) - 10] = table[int(value.re) * 2] + 1;";
    e.stage.buffers = {{"out", StageType::i32, 20}, {"table", StageType::i16, 16}};
    e.buffers = {bytes(std::vector<std::int32_t>(20, -1)), bytes(std::vector<std::int16_t>(16, 41))};
    evaluate<float>(e);
    const auto out = values<std::int32_t>(e.buffers[0]);
    for (int i = 0; i < 20; ++i) EXPECT_EQ(out[static_cast<std::size_t>(i)], (i + 10) * 2 < 16 ? 42 : 1) << i;
}

TEST(Language, a_point_that_is_not_mentioned_is_not_read) {
    const expression::Context load{"stage", expression::Side::load, {points}, 1};
    EXPECT_TRUE(expression::check("return value;", load).reads_value);
    EXPECT_FALSE(expression::check("return i0;", load).reads_value);
    EXPECT_FALSE(expression::check("let unused = value * 2; return complex(cospi(i0 / 8), 0);", load).reads_value);
}

}  // namespace
}  // namespace seiche::test
