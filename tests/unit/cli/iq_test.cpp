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

Samples samples(IqType type, const std::string& bytes) {
    TemporaryFolder folder;
    IqFile file(folder.write("a.iq", bytes), {type, 1, 0});
    Samples all, part;
    while (file.read(part, 2) != 0) all.insert(all.end(), part.begin(), part.end());
    EXPECT_EQ(all.size(), file.samples());
    return all;
}

TEST(Iq, ReadsEveryType) {
    EXPECT_EQ(samples(IqType::cu8, std::string("\x00\x80\xff\x81", 4)), (Samples{{-1, 0}, {127.0 / 128, 1.0 / 128}}));
    EXPECT_EQ(samples(IqType::cs8, std::string("\x00\x80\x7f\xff", 4)), (Samples{{0, -1}, {127.0 / 128, -1.0 / 128}}));
    EXPECT_EQ(samples(IqType::cs16, little(0x8000, 2) + little(1, 2)), (Samples{{-1, 1.0 / 32768}}));
    EXPECT_EQ(samples(IqType::cf32, bytes_of(1.5F) + bytes_of(-0.25F)), (Samples{{1.5, -0.25}}));
    EXPECT_EQ(samples(IqType::cf64, bytes_of(0.1) + bytes_of(-1e300)), (Samples{{0.1, -1e300}}));
}

TEST(Iq, SkipsAndCutsTheLastBlock) {
    TemporaryFolder folder;
    IqFile file(folder.write("a.iq", std::string("\x80\x80\x90\x80\xa0\x80\xb0\x80", 8)), {IqType::cu8, 1, 0});
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
    const auto refusal = [&](const std::string& bytes, IqType type) {
        return failure_of([&] {
            IqFile file(folder.write("a.iq", bytes), {type, 1, 0});
            Samples part;
            file.read(part, 9);
        });
    };
    EXPECT_NE(refusal("", IqType::cu8).find("no samples"), std::string::npos);
    EXPECT_NE(refusal("abc", IqType::cu8).find("3 bytes are no multiple of the 2"), std::string::npos);
    EXPECT_NE(refusal(std::string(12, 'a'), IqType::cf32).find("no multiple of the 8"), std::string::npos);
    EXPECT_NE(refusal(std::string(8, 'a') + std::string(8, '\xff'), IqType::cf32).find("as sample 1: it may not be"),
              std::string::npos);
    EXPECT_NE(failure_of([] { parse_iq_type("ci16"); }).find("got 'ci16'"), std::string::npos);
    for (const double rate : {0.0, -1.0, 1e16, static_cast<double>(NAN)})
        EXPECT_NE(failure_of([&] { check({IqType::cu8, rate, 0}); }).find("sample rate"), std::string::npos) << rate;
    EXPECT_NE(failure_of([] { check({IqType::cu8, 1, -INFINITY}); }).find("centre"), std::string::npos);
}

std::string metadata(const std::string& global, const std::string& captures) {
    return R"({"global":{"core:version":"1.0.0",)" + global + R"(},"captures":[)" + captures + R"(],"annotations":[]})";
}

TEST(Sigmf, ReadsWhatMatters) {
    const SigmfMetadata m =
        parse_sigmf(metadata(R"("core:datatype":"ci16_le","core:sample_rate":2.4e6,"core:num_channels":1)",
                             R"({"core:sample_start":0,"core:frequency":100000000},{"core:sample_start":7})"));
    EXPECT_EQ(m.type, IqType::cs16);
    EXPECT_EQ(m.rate, 2.4e6);
    EXPECT_EQ(m.centre, 1e8);
    EXPECT_EQ(m.last_capture, 7u);
    const std::pair<const char*, IqType> names[] = {
        {"cu8", IqType::cu8}, {"ci8", IqType::cs8}, {"cf32_le", IqType::cf32}, {"cf64_le", IqType::cf64}};
    for (const auto& [name, type] : names)
        EXPECT_EQ(parse_sigmf(metadata(std::string(R"("core:datatype":")") + name + '"', "")).type, type);
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
    for (const char* type : {"rf32_le", "ci16_be", "cf32", "cu16_le", ""})
        global(std::string(R"("core:datatype":")") + type + '"', "core:datatype: expected cu8");
    global(good + R"(,"core:num_channels":2)", "expected 1, got 2");
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
