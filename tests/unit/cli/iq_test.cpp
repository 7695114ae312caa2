// The readers of radio recordings: every type, and metadata that lie.
#include "cli/io/iq.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "cli/io/sigmf.hpp"
#include "tests/unit/cli/temporary.hpp"

namespace seiche::cli::io {
namespace {

using Samples = std::vector<std::complex<double>>;

std::string little(std::uint64_t value, int bytes) {
    std::string text;
    for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i) & 0xFF);
    return text;
}
std::string bytes_of(float value) { return little(std::bit_cast<std::uint32_t>(value), 4); }
std::string bytes_of(double value) { return little(std::bit_cast<std::uint64_t>(value), 8); }

Samples samples(const char* type, const std::string& bytes, std::uint32_t channels = 1) {
    TemporaryFolder folder;
    IqFile file(folder.write("a.iq", bytes), {parse_iq_type(type), 1, 0, channels});
    Samples all, part;
    while (file.read(part, 2) != 0) all.insert(all.end(), part.begin(), part.end());
    EXPECT_EQ(all.size(), file.samples() * channels);
    return all;
}

std::string reversed(std::string bytes) { return {bytes.rbegin(), bytes.rend()}; }

TEST(Iq, ReadsEveryType) {
    // The zero of unsigned numbers is between their two middle values.
    EXPECT_EQ(samples("cu8", std::string("\x00\x80\xff\x7f", 4)), (Samples{{-1, 0.5 / 127.5}, {1, -0.5 / 127.5}}));
    EXPECT_EQ(samples("cs8", std::string("\x00\x80\x7f\xff", 4)), (Samples{{0, -1}, {127.0 / 128, -1.0 / 128}}));
    EXPECT_EQ(samples("cu16", little(0xFFFF, 2) + little(0x8000, 2)), (Samples{{1, 0.5 / 32767.5}}));
    EXPECT_EQ(samples("cs16", little(0x8000, 2) + little(1, 2)), (Samples{{-1, 1.0 / 32768}}));
    EXPECT_EQ(samples("cu32", little(0, 4) + little(0xFFFFFFFF, 4)), (Samples{{-1, 1}}));
    EXPECT_EQ(samples("ci32_le", little(0x80000000, 4) + little(1, 4)), (Samples{{-1, 0x1p-31}}));
    EXPECT_EQ(samples("cf32", bytes_of(1.5F) + bytes_of(-0.25F)), (Samples{{1.5, -0.25}}));
    EXPECT_EQ(samples("cf64", bytes_of(0.1) + bytes_of(-1e300)), (Samples{{0.1, -1e300}}));
    EXPECT_EQ(samples("cs16_be", reversed(little(0x4000, 2)) + reversed(little(0xC000, 2))), (Samples{{0.5, -0.5}}));
    EXPECT_EQ(samples("cf64_be", reversed(bytes_of(0.1)) + reversed(bytes_of(7.0))), (Samples{{0.1, 7}}));
    EXPECT_EQ(samples("ri16", little(0x4000, 2) + little(0xC000, 2)), (Samples{0.5, -0.5}));
    EXPECT_EQ(samples("rf32_be", reversed(bytes_of(0.125F))), (Samples{0.125}));
    // Two channels take turns.
    EXPECT_EQ(samples("ri8", "\x40\x20\xc0\xe0", 2), (Samples{0.5, 0.25, -0.5, -0.25}));
    EXPECT_EQ(samples("cs8", "\x40\x20\xc0\xe0", 2), (Samples{{0.5, 0.25}, {-0.5, -0.25}}));
}

TEST(Iq, NamesReadBack) {
    for (const char* name : {"cu8", "cs8", "cu16", "cs16", "cu32", "cs32", "cf32", "cf64", "ru8", "rs16", "rf64",
                             "cs16_be", "rf32_be", "cu32_be"})
        EXPECT_EQ(to_string(parse_iq_type(name)), name);
    EXPECT_EQ(to_string(parse_iq_type("ci16_le")), "cs16");
    EXPECT_EQ(to_string(parse_iq_type("ri32_be")), "rs32_be");
    for (const char* name : {"", "c", "16", "s16", "xs16", "cs16_xe", "cs8_be", "cs12", "cs16_", "cs16_be_", "CS16"})
        EXPECT_NE(failure_of([&] { parse_iq_type(name); }).find(std::string("got '") + name + "'"), std::string::npos);
}

TEST(Iq, HalfASampleAtTheEndIsLeftOut) {
    TemporaryFolder folder;
    const auto file = [&](const char* type, std::size_t bytes, std::uint32_t channels = 1) {
        return IqFile(folder.write("a.iq", std::string(bytes, 'a')), {parse_iq_type(type), 1, 0, channels});
    };
    EXPECT_EQ(file("cu8", 5).samples(), 2u);
    EXPECT_EQ(file("cu8", 5).remark(), "the last 1 byte is no whole sample of cu8 and left out");
    EXPECT_EQ(file("cs16", 4 * 9 + 3).samples(), 9u);
    EXPECT_EQ(file("cs16", 4 * 9 + 3).remark(), "the last 3 bytes are no whole sample of cs16 and left out");
    EXPECT_EQ(file("ru8", 7, 3).samples(), 2u);
    EXPECT_EQ(file("ru8", 7, 3).remark(), "the last 1 byte is no whole sample of 3 channels of ru8 and left out");
    EXPECT_EQ(file("cu8", 4).remark(), "");
    EXPECT_NE(failure_of([&] { file("cs16", 3); }).find("expected at least 4 bytes"), std::string::npos);
}

TEST(Iq, SkipsAndCutsTheLastBlock) {
    TemporaryFolder folder;
    IqFile file(folder.write("a.iq", std::string("\x00\x00\x10\x00\x20\x00\x30\x00", 8)), {parse_iq_type("cs8"), 1, 0});
    Samples part;
    file.skip(2);
    EXPECT_EQ(file.read(part, 100), 2u);
    EXPECT_EQ(part, (Samples{{0.25, 0}, {0.375, 0}}));
    EXPECT_EQ(file.read(part, 1), 0u);
    file.skip(~std::uint64_t{0});
    EXPECT_EQ(file.read(part, 1), 0u);
}

TEST(Iq, RefusesLies) {
    TemporaryFolder folder;
    const auto refusal = [&](const std::string& bytes, const char* type) {
        return failure_of([&] {
            IqFile file(folder.write("a.iq", bytes), {parse_iq_type(type), 1, 0});
            Samples part;
            file.read(part, 9);
        });
    };
    EXPECT_NE(refusal("", "cu8").find("no samples"), std::string::npos);
    EXPECT_NE(refusal(std::string(8, 'a') + std::string(8, '\xff'), "cf32").find("as sample 1: it may not be"),
              std::string::npos);
    for (const double rate : {0.0, -1.0, 1e16, static_cast<double>(NAN)})
        EXPECT_NE(failure_of([&] { check({{}, rate, 0}); }).find("sample rate"), std::string::npos) << rate;
    EXPECT_NE(failure_of([] { check({{}, 1, -INFINITY}); }).find("centre"), std::string::npos);
}

std::string metadata(const std::string& global, const std::string& captures) {
    return R"({"global":{"core:version":"1.0.0",)" + global + R"(},"captures":[)" + captures + R"(],"annotations":[]})";
}

TEST(Sigmf, ReadsWhatMatters) {
    const SigmfMetadata m =
        parse_sigmf(metadata(R"("core:datatype":"ci16_le","core:sample_rate":2.4e6,"core:num_channels":3)",
                             R"({"core:sample_start":0,"core:frequency":100000000},{"core:sample_start":7})"));
    EXPECT_EQ(m.type, parse_iq_type("cs16"));
    EXPECT_EQ(m.channels, 3u);
    EXPECT_EQ(m.rate, 2.4e6);
    EXPECT_EQ(m.centre, 1e8);
    EXPECT_EQ(m.last_capture, 7u);
    for (const char* name :
         {"cu8", "ci8", "ru8", "ri8", "cf32_le", "cf64_be", "ci32_le", "cu16_be", "rf32_le", "ri16_be"})
        EXPECT_EQ(parse_sigmf(metadata(std::string(R"("core:datatype":")") + name + '"', "")).type,
                  parse_iq_type(name));
}

TEST(Sigmf, ReadsAnnotations) {
    const SigmfMetadata m = parse_sigmf(
        R"({"global":{"core:datatype":"cu8"},"captures":[],"annotations":[)"
        R"({"core:sample_start":5,"core:sample_count":7,"core:freq_lower_edge":1e6,"core:freq_upper_edge":2e6,)"
        R"("core:label":"a\nb"},{"core:sample_start":9,"core:comment":"late"}]})");
    ASSERT_EQ(m.annotations.size(), 2u);
    EXPECT_EQ(m.annotations[0].start, 5u);
    EXPECT_EQ(m.annotations[0].count, 7u);
    EXPECT_EQ(m.annotations[0].low, 1e6);
    EXPECT_EQ(m.annotations[0].high, 2e6);
    EXPECT_EQ(m.annotations[0].text, "a b");
    EXPECT_EQ(m.annotations[1].count, std::nullopt);
    EXPECT_EQ(m.annotations[1].text, "late");
    const auto refusal = [](const std::string& annotations) {
        return failure_of(
            [&] { parse_sigmf(R"({"global":{"core:datatype":"cu8"},"annotations":)" + annotations + "}"); });
    };
    EXPECT_NE(refusal("7").find("annotations: expected an array"), std::string::npos);
    EXPECT_NE(refusal("[7]").find("annotations: expected objects"), std::string::npos);
    EXPECT_NE(refusal("[{}]").find("core:sample_start in each"), std::string::npos);
    EXPECT_NE(refusal(R"([{"core:sample_start":1,"core:label":2}])").find("expected a string"), std::string::npos);
}

TEST(Sigmf, RefusesLies) {
    const std::string good = R"("core:datatype":"cu8")";
    const auto says = [](const std::string& json, const std::string& part) {
        const std::string message = failure_of([&] { parse_sigmf(json); });
        EXPECT_NE(message.find(part), std::string::npos) << message;
    };
    const auto global = [&](const std::string& more, const std::string& part) { says(metadata(more, ""), part); };
    const auto capture = [&](const std::string& captures, const std::string& part) {
        says(metadata(good, captures), part);
    };
    says("", "no JSON");
    says("[]", "global: expected an object");
    says(R"({"global":[]})", "global: expected an object");
    says(std::string(100000, '['), "no JSON at byte");
    says("{\"global\":{\"core:datatype\":\"\xff\"}}", "no JSON");
    global(R"("core:datatype":7)", "core:datatype: expected a string");
    for (const char* type : {"rf16_le", "cf32", "cs16_le", "ci8_le", "u8", ""})
        global(std::string(R"("core:datatype":")") + type + '"', "core:datatype: expected c or r");
    global(good + R"(,"core:num_channels":0)", "expected 1 to 65536, got 0");
    global(good + R"(,"core:num_channels":-1)", "core:num_channels: expected an integer");
    global(good + R"(,"core:sample_rate":"fast")", "core:sample_rate: expected a number");
    global(good + R"(,"core:trailing_bytes":4)", "4 bytes after");
    global(good + R"(,"core:metadata_only":true)", "without");
    global(good + R"(,"core:dataset":"../../etc/passwd")", "in the same folder");
    capture("7", "expected objects");
    capture("{}", "core:sample_start in each");
    capture(R"({"core:sample_start":-1})", "integer of 0 or more");
    capture(R"({"core:sample_start":5},{"core:sample_start":4})", "rising");
    capture(R"({"core:sample_start":0,"core:header_bytes":16})", "16 bytes before");
    capture(R"({"core:sample_start":0,"core:frequency":1},{"core:sample_start":1,"core:frequency":2})",
            "one core:frequency, got 1 and 2 Hz");
}

TEST(Sigmf, OpensEitherFile) {
    TemporaryFolder folder;
    const std::string data = folder.write("a.sigmf-data", std::string("\x80\x80\x90\x80", 4));
    const std::string meta = folder.write(
        "a.sigmf-meta", metadata(R"("core:datatype":"cu8","core:sample_rate":10)", R"({"core:sample_start":1})"));
    for (const std::string& path : {data, meta}) {
        const IqFile file = open_sigmf(path, {}, 5.0);
        EXPECT_EQ(file.samples(), 2u);
        EXPECT_EQ(file.format().rate, 10);
        EXPECT_EQ(file.format().centre, 5);
    }
    EXPECT_NE(failure_of([&] { open_sigmf(meta, 11.0, {}); }).find("the metadata say 10 Hz, got 11"),
              std::string::npos);
    folder.write("a.sigmf-data", std::string("\x80\x80", 2));
    EXPECT_NE(failure_of([&] { open_sigmf(meta, {}, {}); }).find("starts at sample 1"), std::string::npos);
    std::filesystem::remove(data);
    EXPECT_NE(failure_of([&] { open_sigmf(meta, {}, {}); }).find("a.sigmf-data': cannot read"), std::string::npos);
    folder.write("a.sigmf-meta", metadata(R"("core:datatype":"cu8")", ""));
    EXPECT_NE(failure_of([&] { open_sigmf(meta, {}, {}); }).find("or --rate"), std::string::npos);
    EXPECT_NE(failure_of([&] { open_sigmf(folder.file("a.sigmf"), {}, {}); }).find("archive"), std::string::npos);
}

}  // namespace
}  // namespace seiche::cli::io
