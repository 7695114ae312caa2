// Text: numbers and names, whatever comes.
#include "cli/text/text.hpp"

#include <gtest/gtest.h>

#include "cli/io/outputs.hpp"
#include "cli/sound/sound_words.hpp"
#include "cli/text/failure.hpp"
#include "cli/text/words.hpp"

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

TEST(Words, Quantities) {
    EXPECT_EQ(without_suffix("16k"), "16000");
    EXPECT_EQ(without_suffix("44.1k"), "44100");
    EXPECT_EQ(without_suffix("2.4M"), "2400000");
    EXPECT_EQ(without_suffix("-1.5G"), "-1500000000");
    EXPECT_EQ(without_suffix("0.0005k"), "0.5");
    EXPECT_EQ(without_suffix("64Ki"), "65536");
    EXPECT_EQ(without_suffix("0.5Mi"), "524288");
    for (const char* same : {"", "k", "Ki", "-k", "1e3k", "0x10k", "12", "1.2.3k", "16 k", "99999999999999Gi"})
        EXPECT_EQ(without_suffix(same), same);
    EXPECT_EQ(parse_integer("64k", "x"), 64000);
    EXPECT_THROW(parse_integer("0.5", "x"), UsageError);
}

TEST(Words, WhatWasMeant) {
    const std::vector<std::string> known{"spectrogram", "spectrum", "filter", "plan"};
    EXPECT_EQ(closest("spectrogam", known), "spectrogram");
    EXPECT_EQ(closest("spectrm", known), "spectrum");
    EXPECT_EQ(closest("fitler", known), "filter");
    EXPECT_EQ(closest("fil", known), "filter");
    EXPECT_EQ(closest("juggle", known), "");
    EXPECT_EQ(closest("", known), "");
}

TEST(Words, CountsAndLines) {
    EXPECT_EQ(counted(1, "sample"), "1 sample");
    EXPECT_EQ(counted(0, "sample"), "0 samples");
    EXPECT_EQ(counted(2, "entry", "entries"), "2 entries");
    EXPECT_EQ(wrapped("one two three", 7, 2), "one two\n  three");
    EXPECT_EQ(wrapped("one\ntwo\n\nthree", 79), "one two\n\nthree");
    EXPECT_EQ(wrapped("a \u00b7\u00b7\u00b7 b", 7), "a \u00b7\u00b7\u00b7 b");
}

TEST(Words, OfSounds) {
    EXPECT_EQ(hertz_text(44100), "44.1 kHz");
    EXPECT_EQ(hertz_text(1e6), "1 MHz");
    EXPECT_EQ(hertz_text(50), "50 Hz");
    EXPECT_EQ(time_text(2e-7), "200 ns");
    EXPECT_EQ(time_text(0.125375), "125.375 ms");
    EXPECT_EQ(time_text(0), "0 s");
    EXPECT_EQ(channel_name(1, {2}), "right");
    EXPECT_EQ(channel_name(1, {2, false}), "channel 2");
    EXPECT_EQ(channel_name(0, {1}), "channel 1");
    EXPECT_EQ(of_channel(0, {1}), "");
    EXPECT_EQ(of_channel(2, {4}), " of channel 3");
}

}  // namespace
}  // namespace seiche::cli
