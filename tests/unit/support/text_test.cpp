// Text and hashes: known values, and what must be refused.
#include "support/text.hpp"

#include <gtest/gtest.h>

#include <clocale>

#include "support/hash.hpp"

namespace seiche::support {
namespace {

TEST(Text, NumbersReadBack) {
    EXPECT_EQ(to_text(std::uint64_t{18446744073709551615ull}), "18446744073709551615");
    EXPECT_EQ(to_text(std::int64_t{-5}), "-5");
    EXPECT_EQ(to_text(0.1), "0.1");
    EXPECT_EQ(to_fixed(2.0 / 3, 3), "0.667");
    EXPECT_EQ(to_fixed(1e300, 1).size(), 303u);
    for (const double x : {1.0 / 3, 1e-300, -2.5, 1e22}) EXPECT_EQ(parse_double(to_text(x)), x);
}

TEST(Text, RefusesWhatIsNotANumber) {
    for (const char* bad : {"", " 1", "1 ", "1x", "0x10", "18446744073709551616", "-1", "+1"})
        EXPECT_FALSE(parse_unsigned(bad)) << bad;
    EXPECT_FALSE(parse_signed("9223372036854775808"));
    EXPECT_EQ(parse_signed("-9223372036854775808"), INT64_MIN);
    EXPECT_FALSE(parse_double("1,5"));
    EXPECT_FALSE(parse_double("1e999"));
}

TEST(Text, DoesNotDependOnTheLocale) {
    for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "C.UTF-8"})
        if (std::setlocale(LC_ALL, name)) {
            EXPECT_EQ(to_text(1.5), "1.5");
            EXPECT_EQ(parse_double("1.5"), 1.5);
        }
    std::setlocale(LC_ALL, "C");
}

TEST(Text, SplitsAndJoins) {
    using Parts = std::vector<std::string_view>;
    EXPECT_EQ(split("1,2,,3", ','), (Parts{"1", "2", "", "3"}));
    EXPECT_EQ(split("", ','), (Parts{""}));
    EXPECT_EQ(words("  a b\tc\n"), (Parts{"a", "b", "c"}));
    EXPECT_TRUE(words(" ").empty());
    EXPECT_EQ(join({"a", "", "b"}, ","), "a,,b");
    EXPECT_EQ(join_numbers(std::vector<int>{1, -2, 3}, "x"), "1x-2x3");
}

TEST(Hash, KnownValues) {
    // From the authors' test vectors; `bytes` adds no length.
    const auto raw = [](std::string_view text) {
        return Hasher().bytes(std::as_bytes(std::span(text.data(), text.size())));
    };
    EXPECT_EQ(raw("").value(), 0xcbf29ce484222325ull);
    EXPECT_EQ(raw("a").value(), 0xaf63dc4c8601ec8cull);
    EXPECT_EQ(raw("foobar").value(), 0x85944171f73967e8ull);
    EXPECT_EQ(raw("").hex(), "6c62272e07bb014262b821756295c58d");
    EXPECT_EQ(raw("a").hex(), "d228cb696f1a8caf78912b704e4a8964");
    EXPECT_NE(Hasher().text("ab").text("c").value(), Hasher().text("a").text("bc").value());
}

}  // namespace
}  // namespace seiche::support
