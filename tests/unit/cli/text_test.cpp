// Text: numbers and names, whatever comes.
#include "cli/text.hpp"

#include <gtest/gtest.h>

#include "cli/failure.hpp"
#include "cli/outputs.hpp"

namespace seiche::cli {
namespace {

TEST(Text, Numbers) {
    EXPECT_EQ(fixed(-0.04, 1), "0.0");
    EXPECT_EQ(fixed(-1.25, 1), "-1.2");
    EXPECT_EQ(significant(1.23456e-7, 3), "1.23e-07");
    EXPECT_EQ(shortest(0.1f), "0.1");
    EXPECT_EQ(byte_text(512), "512 bytes");
    EXPECT_EQ(byte_text(1536), "1.5 KiB");
    EXPECT_EQ(byte_text(1ull << 31), "2 GiB");
    EXPECT_EQ(parse_integers("1,-2,3", "x"), (std::vector<std::int64_t>{1, -2, 3}));
    for (const char* wrong : {"", ",", "1,", "1.5", " 1", "0x10", "99999999999999999999"})
        EXPECT_THROW(parse_integers(wrong, "x"), UsageError) << wrong;
}

TEST(Text, Names) {
    EXPECT_EQ(printable("a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80"), "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80");
    EXPECT_EQ(printable("a\xFF\n\xC3"), "a???");
    EXPECT_EQ(printable("\xC0\xAF\xED\xA0\x80\xF4\x90\x80\x80"), std::string(9, '?'));
    EXPECT_EQ(one_line("a\nb\r\n"), "a b");
    EXPECT_EQ(extension("dir.d/A.WAV"), ".wav");
    EXPECT_EQ(extension("dir.d/A"), "");
}

TEST(Text, OutputsByKind) {
    const Outputs outputs = sort_outputs({"a.png", "b.NPY", "c.csv", "d.png"});
    EXPECT_EQ(outputs.png, (std::vector<std::string>{"a.png", "d.png"}));
    EXPECT_EQ(outputs.npy, (std::vector<std::string>{"b.NPY"}));
    EXPECT_EQ(outputs.csv, (std::vector<std::string>{"c.csv"}));
    EXPECT_THROW(sort_outputs({"a.jpg"}), UsageError);
}

}  // namespace
}  // namespace seiche::cli
