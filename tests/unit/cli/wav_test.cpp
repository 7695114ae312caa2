// The reader of WAV: every encoding, and sizes that lie; what is written is read back.
#include "cli/io/wav.hpp"

#include <gtest/gtest.h>

#include <bit>

#include "cli/io/recording.hpp"
#include "cli/io/wav_output.hpp"
#include "cli/signal/frames.hpp"
#include "tests/unit/cli/temporary.hpp"

namespace seiche::cli::io {
namespace {

std::string little(std::uint64_t value, int bytes) {
    std::string text;
    for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i) & 0xFF);
    return text;
}

std::string chunk(const std::string& id, const std::string& body) {
    return id + little(body.size(), 4) + body + (body.size() % 2 == 1 ? std::string(1, '\0') : "");
}

struct Format {
    unsigned tag = 1, channels = 1, rate = 8000, bits = 16;
};

std::string format_body(const Format& f) {
    const unsigned block = f.channels * f.bits / 8;
    return little(f.tag, 2) + little(f.channels, 2) + little(f.rate, 4) + little(f.rate * block, 4) + little(block, 2) +
           little(f.bits, 2);
}

std::string riff(const std::string& chunks) { return "RIFF" + little(chunks.size() + 4, 4) + "WAVE" + chunks; }

std::string wav(const Format& format, const std::string& data) {
    return riff(chunk("fmt ", format_body(format)) + chunk("data", data));
}

std::vector<double> samples(const std::string& bytes) {
    TemporaryFolder folder;
    WavFile file(folder.write("a.wav", bytes));
    std::vector<double> all, part;
    while (file.read(part, 2) != 0) all.insert(all.end(), part.begin(), part.end());
    return all;
}

std::string refusal(const std::string& bytes) {
    TemporaryFolder folder;
    return failure_of([&] { WavFile file(folder.write("a.wav", bytes)); });
}

TEST(Wav, ReadsEveryPcmWidth) {
    EXPECT_EQ(samples(wav({1, 1, 8000, 8}, std::string("\x00\x80\xff", 3))), (std::vector<double>{-1, 0, 127.0 / 128}));
    EXPECT_EQ(samples(wav({1, 1, 8000, 16}, little(0x8000, 2) + little(1, 2) + little(0x7FFF, 2))),
              (std::vector<double>{-1, 1.0 / 32768, 32767.0 / 32768}));
    EXPECT_EQ(samples(wav({1, 1, 8000, 24}, little(0x800000, 3) + little(0xFFFFFF, 3))),
              (std::vector<double>{-1, -1.0 / 8388608}));
    EXPECT_EQ(samples(wav({1, 1, 8000, 32}, little(0x80000000, 4) + little(1, 4))),
              (std::vector<double>{-1, 1.0 / 2147483648.0}));
}

TEST(Wav, ReadsFloats) {
    EXPECT_EQ(samples(wav({3, 1, 8000, 32}, little(std::bit_cast<std::uint32_t>(1.5f), 4))),
              (std::vector<double>{1.5}));
    EXPECT_EQ(samples(wav({3, 1, 8000, 64}, little(std::bit_cast<std::uint64_t>(-0.1), 8))),
              (std::vector<double>{-0.1}));
}

TEST(Wav, ReadsExtensibleAndOtherChunks) {
    const std::string guid = little(1, 2) + std::string("\x00\x00\x00\x00\x10\x00\x80\x00\x00\xAA\x00\x38\x9B\x71", 14);
    const std::string body = format_body({0xFFFE, 2, 44100, 16}) + little(22, 2) + little(16, 2) + little(3, 4) + guid;
    const std::string bytes =
        riff(chunk("LIST", "abc") + chunk("fmt ", body) + chunk("data", little(0x4000, 2) + little(0xC000, 2)));
    EXPECT_EQ(samples(bytes), (std::vector<double>{0.5, -0.5}));
}

TEST(Wav, ReadsRf64) {
    const std::string data = little(0x4000, 2);
    const std::string rest =
        "WAVE" + chunk("ds64", little(4 + 36 + 24 + 8 + 2, 8) + little(2, 8) + little(1, 8) + little(0, 4)) +
        chunk("fmt ", format_body({})) + "data" + little(0xFFFFFFFF, 4) + data;
    EXPECT_EQ(samples("RF64" + little(0xFFFFFFFF, 4) + rest), (std::vector<double>{0.5}));
}

TEST(Wav, RefusesLies) {
    const std::string good = wav({}, little(0x12345678, 4));
    EXPECT_EQ(refusal(good), "");
    for (std::size_t kept = 0; kept + 1 < good.size(); ++kept)
        EXPECT_NE(refusal(good.substr(0, kept)), "") << kept << " bytes";
    const auto with = [&](std::size_t at, const std::string& bytes) {
        std::string changed = good;
        changed.replace(at, bytes.size(), bytes);
        return refusal(changed);
    };
    EXPECT_NE(with(0, "RIFX").find("expected a WAV file"), std::string::npos);
    EXPECT_NE(with(4, little(0xFFFFFFFF, 4)).find("truncated"), std::string::npos);
    EXPECT_NE(with(16, little(0xFFFFFFF0, 4)).find("'fmt ' says"), std::string::npos);
    EXPECT_NE(with(20, little(2, 2)).find("encoding number 2"), std::string::npos);
    EXPECT_NE(with(22, little(0, 2)).find("0 channels"), std::string::npos);
    EXPECT_NE(with(24, little(0, 4)).find("0 Hz"), std::string::npos);
    EXPECT_NE(with(32, little(3, 2)).find("blocks of 3"), std::string::npos);
    EXPECT_NE(with(34, little(12, 2)).find("12 bits"), std::string::npos);
    EXPECT_NE(with(40, little(0x7FFFFFFF, 4)).find("'data' says"), std::string::npos);
    EXPECT_NE(with(40, little(3, 4)).find("no multiple"), std::string::npos);
    EXPECT_NE(with(40, little(0, 4)).find("no samples"), std::string::npos);
    EXPECT_NE(refusal(riff(chunk("data", "abcd"))).find("no 'fmt '"), std::string::npos);
    EXPECT_NE(refusal(riff(chunk("fmt ", "abcd"))).find("has 4 bytes"), std::string::npos);
    EXPECT_NE(refusal("RF64" + little(0xFFFFFFFF, 4) + "WAVE" +
                      chunk("ds64", little(~0ull, 8) + little(~0ull, 8) + little(~0ull, 8) + little(0, 4))),
              "");
}

TEST(Wav, RemarksOnWhatFollows) {
    TemporaryFolder folder;
    const WavFile file(folder.write("a.wav", wav({}, "ab") + "trailing tag"));
    EXPECT_EQ(file.frames(), 1u);
    EXPECT_EQ(file.remark(), "12 bytes after the end of the sound are ignored");
}

TEST(Wav, FramesOverlapAndLeaveOut) {
    TemporaryFolder folder;
    std::string data;
    for (unsigned i = 0; i < 50; ++i) data += little(2 * i, 2) + little(2 * i + 1, 2);  // two channels
    const std::string path = folder.write("a.wav", wav({1, 2, 8000, 16}, data));
    for (const std::uint64_t length : {1u, 4u, 7u, 50u})
        for (const std::uint64_t hop : {1u, 3u, 4u, 11u, 60u})
            for (const std::uint64_t at_once : {1u, 3u, 100u}) {
                Recording file{WavFile(path)};
                signal::FrameReader frames(file, length, hop);
                ASSERT_EQ(frames.count(), (50 - length) / hop + 1);
                for (std::uint64_t first = 0; first < frames.count(); first += at_once) {
                    const std::uint64_t batch = std::min(at_once, frames.count() - first);
                    frames.load(first, batch);
                    for (std::uint64_t f = first; f < first + batch; ++f)
                        for (std::uint64_t j = 0; j < length; ++j)
                            for (std::uint32_t c = 0; c < 2; ++c)
                                ASSERT_EQ(frames.at(f, j, c) * 32768.0,
                                          std::complex<double>(static_cast<double>(2 * (f * hop + j) + c)))
                                    << length << " " << hop << " " << at_once;
                }
            }
}

TEST(Wav, WritesWhatItReads) {
    for (const WavFormat& format : {WavFormat{1, 8000, 8, false, false, 0}, WavFormat{3, 8000, 16, false, true, 7},
                                    WavFormat{1, 8000, 24, false, false, 0}, WavFormat{1, 1, 32, false, false, 0},
                                    WavFormat{2, 96000, 32, true, false, 0}, WavFormat{1, 8000, 64, true, true, 4}}) {
        const std::vector<double> values{-1, 0.5, -0.0078125, 0, 0.25, 0.75};
        TemporaryFolder folder;
        const std::string path = folder.file("a.wav");
        const std::uint64_t frames = values.size() / format.channels;
        WavOutput output(path, format, frames);
        output.write(values);
        output.commit();
        EXPECT_EQ(output.clipped(), 0u);
        WavFile file(path);
        EXPECT_EQ(file.remark(), "");
        EXPECT_EQ(file.frames(), frames);
        EXPECT_EQ(file.format().is_float, format.is_float);
        EXPECT_EQ(file.format().channel_mask, format.channel_mask);
        EXPECT_EQ(file.format().is_extensible, format.is_extensible);
        EXPECT_EQ(file.format().sample_rate, format.sample_rate);
        EXPECT_EQ(file.format().bits, format.bits);
        std::vector<double> again;
        file.read(again, frames);
        EXPECT_EQ(again, values);
    }
}

TEST(Wav, RoundsAndClips) {
    TemporaryFolder folder;
    WavOutput output(folder.file("a.wav"), {1, 8000, 8, false, false, 0}, 6);
    output.write({1.2 / 128, 1.7 / 128, 1, -1.1, 127.4 / 128, -128.4 / 128});
    output.commit();
    EXPECT_EQ(output.clipped(), 2u);
    WavFile file(folder.file("a.wav"));
    std::vector<double> again;
    file.read(again, 6);
    EXPECT_EQ(again, (std::vector<double>{1.0 / 128, 2.0 / 128, 127.0 / 128, -1, 127.0 / 128, -1}));
}

TEST(Wav, SizesBeyond32BitsGoToRf64) {
    const WavFormat format{2, 48000, 16, false, false, 0};
    const std::string largest = wav_preamble(format, (0xFFFFFFFEull - 36) / 4),
                      larger = wav_preamble(format, 1ull << 30);
    EXPECT_EQ(largest.substr(0, 4), "RIFF");
    EXPECT_EQ(largest.size(), 44u);
    EXPECT_EQ(larger.substr(0, 16), "RF64\xff\xff\xff\xffWAVEds64");
    EXPECT_EQ(larger.substr(20, 24), little((1ull << 32) + 72, 8) + little(1ull << 32, 8) + little(1ull << 30, 8));
    EXPECT_EQ(larger.substr(larger.size() - 8), "data\xff\xff\xff\xff");
    EXPECT_EQ(larger.size(), 80u);
}

}  // namespace
}  // namespace seiche::cli::io
