// Integers as digits, and the bound of a product's rounding.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "cli/number/digits.hpp"
#include "cli/number/rounding_bound.hpp"
#include "tests/unit/cli/temporary.hpp"

namespace seiche::cli::number {
namespace {

TEST(Integer, ReadsWhatPeopleWrite) {
    EXPECT_EQ(parse_integer("0", 10, "A"), (Integer{false, "0"}));
    EXPECT_EQ(parse_integer("-000", 10, "A"), (Integer{false, "0"}));
    EXPECT_EQ(parse_integer(" +0012\n", 10, "A"), (Integer{false, "12"}));
    EXPECT_EQ(parse_integer("-90", 10, "A"), (Integer{true, "90"}));
    EXPECT_EQ(parse_integer("-0X00Ff", 16, "A"), (Integer{true, "ff"}));
    EXPECT_EQ(parse_integer("0", 16, "A"), (Integer{false, "0"}));
    EXPECT_EQ(to_text(parse_integer("-aB", 16, "A")), "-ab");
}

TEST(Integer, RefusesWithThePosition) {
    const auto refusal = [](const char* text, unsigned base) {
        return failure_of([&] { parse_integer(text, base, "A"); });
    };
    EXPECT_EQ(refusal("12x4", 10), "A: expected a decimal digit as character 3, got 'x'");
    EXPECT_EQ(refusal("12 4", 10), "A: expected a decimal digit as character 3, got ' '");
    EXPECT_EQ(refusal("0x1", 10), "A: expected a decimal digit as character 2, got 'x'");
    EXPECT_EQ(refusal("--1", 10), "A: expected a decimal digit as character 2, got '-'");
    EXPECT_EQ(refusal("1g", 16), "A: expected a hexadecimal digit as character 2, got 'g'");
    EXPECT_EQ(refusal("", 10), "A: expected a decimal digit as character 1, got the end");
    EXPECT_EQ(refusal("0x", 16), "A: expected a hexadecimal digit as character 3, got the end");
    EXPECT_EQ(refusal("\n", 10), "A: expected a decimal digit as character 1, got the end");
}

std::string random_digits(std::mt19937& random, std::size_t count, unsigned base) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += "0123456789abcdef"[random() % base];
    return text;
}

TEST(Digits, AreBalancedAndCarryBack) {
    std::mt19937 random(3);
    for (const unsigned base : {10u, 16u})
        for (unsigned k = 1; k <= 6; ++k)
            for (const std::size_t length : {1u, 2u, 5u, 6u, 7u, 100u, 601u})
                for (const char fill : {'?', '5', '9', '8', '4'}) {
                    const std::string text =
                        fill == '?' ? random_digits(random, length, base) : std::string(length, fill);
                    const Integer value = parse_integer(text, base, "A");
                    const std::vector<std::int32_t> digits = balanced_digits(value, base, k);
                    const double unit = std::pow(base, k);
                    for (const std::int32_t digit : digits) ASSERT_LE(2 * std::abs(digit), unit) << text;
                    ASSERT_LE(digits.size(), value.digits.size() / k + 2);
                    ASSERT_EQ(carry({digits.begin(), digits.end()}, base, k), value) << text << " by " << k;
                }
}

TEST(Digits, CarryTakesLargeValuesOfEitherSign) {
    const std::int64_t large = std::int64_t{1} << 52;
    // 2^52 10^8 - 2^52 10^4 + 2^52 = 2^52 * 99990001
    EXPECT_EQ(carry({large, -large, large}, 10, 4).digits, "450314931244375522410496");
    EXPECT_EQ(carry({0, 0, 0}, 10, 3), (Integer{false, "0"}));
    EXPECT_EQ(carry({-1, 1}, 16, 2).digits, "ff");
}

TEST(Digits, OfMachineIntegers) {
    for (const std::int64_t value :
         {std::int64_t{0}, std::int64_t{1}, std::int64_t{-1}, std::int64_t{127}, std::int64_t{128}, INT64_MAX,
          INT64_MIN, INT64_MIN + 1, std::int64_t{0x7FFFFF7FFFFF7FFF}})
        for (const unsigned bits : {2u, 3u, 8u, 20u, 24u}) {
            const std::vector<std::int32_t> digits = balanced_digits(value, bits);
            __extension__ __int128 sum = 0;
            for (std::size_t i = digits.size(); i-- > 0;) {
                ASSERT_GE(digits[i], -(1 << (bits - 1)));
                ASSERT_LT(digits[i], 1 << (bits - 1));
                sum = (sum << bits) + digits[i];
            }
            EXPECT_TRUE(sum == value) << value << " by " << bits;
            EXPECT_TRUE(digits.empty() || digits.back() != 0);
        }
}

TEST(Residue, FollowsTheArithmetic) {
    const auto of = [](const char* text) { return residue(parse_integer(text, 10, "A"), 10); };
    EXPECT_EQ(of("2305843009213693951"), 0u);  // 2^61 - 1
    EXPECT_EQ(of("2305843009213693953"), 2u);
    EXPECT_EQ(of("-1"), (std::uint64_t{1} << 61) - 2);
    EXPECT_EQ(product_of_residues(of("-3"), of("5")), of("-15"));
    EXPECT_EQ(residue(parse_integer("ff", 16, "A"), 16), 255u);
}

TEST(RoundingBound, IsTheDerivedOne) {
    // Three transforms of L levels at 1 + 9 + 3 roundings, and 3 + 1 for the product of the spectra.
    for (const unsigned levels : {1u, 10u, 30u})
        EXPECT_NEAR(convolution_error_bound(1, 1, levels) / ((39 * levels + 4) * 0x1p-53), 1, 2e-6);
    // It is of the second degree in the factors, and factors of different size are balanced before.
    EXPECT_DOUBLE_EQ(convolution_error_bound(64, 64, 5), 64 * convolution_error_bound(1, 1, 5));
    EXPECT_DOUBLE_EQ(convolution_error_bound(0x1p40, 4, 5), convolution_error_bound(0x1p21, 0x1p21, 5));
    EXPECT_EQ(balance(0x1p40, 4), 19);
    EXPECT_EQ(balance(0, 4), 0);
    EXPECT_EQ(energy({3, -4, 0}), 25);
}

TEST(RoundWithin, TakesWhatWasProvenAndNoMore) {
    const auto message = [](double value, double imaginary, std::size_t count) {
        return failure_of([&] { round_within(0.25, {{8, 0}, {value, imaginary}}, 0.5, count); });
    };
    const Rounded rounded = round_within(0.25, {{8, 0}, {-6.25, 0.125}, {0.125, 0}}, 0.5, 2);
    EXPECT_EQ(rounded.values, (std::vector<std::int64_t>{4, -3}));
    EXPECT_EQ(rounded.distance, 0.125);
    EXPECT_EQ(message(6.5, 0, 2), "");
    EXPECT_NE(message(6.75, 0, 2).find("got 3.375 + 0 i as sum 1"), std::string::npos);
    EXPECT_NE(message(6, 0.75, 2), "");
    EXPECT_NE(message(std::numeric_limits<double>::quiet_NaN(), 0, 2), "");
    EXPECT_NE(message(INFINITY, 0, 2), "");
    EXPECT_NE(message(2, 0, 1), "");  // beyond the product's end there is nothing
    EXPECT_EQ(message(0.25, 0, 1), "");
}

}  // namespace
}  // namespace seiche::cli::number
