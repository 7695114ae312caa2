// The reader of WAV: every encoding, and sizes that lie; what is written is read back.
#include "cli/io/wav.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "cli/io/companding.hpp"
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
    for (std::size_t kept = 0; kept < 46; ++kept)  // up to the first whole sample
        EXPECT_NE(refusal(good.substr(0, kept)), "") << kept << " bytes";
    const auto with = [&](std::size_t at, const std::string& bytes) {
        std::string changed = good;
        changed.replace(at, bytes.size(), bytes);
        return refusal(changed);
    };
    EXPECT_NE(with(0, "RIFT").find("expected a WAV file"), std::string::npos);
    EXPECT_NE(with(0, "RIFX").find("'fmt ' says"), std::string::npos);  // sizes are little-endian
    EXPECT_NE(with(16, little(0xFFFFFFF0, 4)).find("'fmt ' says"), std::string::npos);
    EXPECT_NE(with(20, little(2, 2)).find("encoding number 2"), std::string::npos);
    EXPECT_NE(with(22, little(0, 2)).find("0 channels"), std::string::npos);
    EXPECT_NE(with(24, little(0, 4)).find("0 Hz"), std::string::npos);
    EXPECT_NE(with(32, little(1, 2)).find("blocks of 1"), std::string::npos);
    EXPECT_NE(with(34, little(17, 2)).find("17 bits"), std::string::npos);
    EXPECT_NE(with(34, little(33, 2)).find("33 bits"), std::string::npos);
    EXPECT_NE(with(20, little(6, 2)).find("16 bits"), std::string::npos);  // A-law has 8
    EXPECT_NE(with(40, little(1, 4)).find("no samples"), std::string::npos);
    EXPECT_NE(refusal(wav({}, "")).find("no samples"), std::string::npos);
    EXPECT_NE(
        refusal(riff(chunk("fmt ", format_body({})) + chunk("data", "") + chunk("LIST", "abcd"))).find("no samples"),
        std::string::npos);
    EXPECT_THROW(
        {
            TemporaryFolder folder;
            WavFile file(folder.write("a.wav", wav({2, 1, 8000, 16}, "abcd")));
        },
        UnknownEncoding);
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

/// All samples and the remark of a file with some of its bytes replaced.
struct Read {
    std::vector<double> samples;
    std::string remark;
};
Read read_file(const std::string& bytes) {
    TemporaryFolder folder;
    WavFile file(folder.write("a.wav", bytes));
    Read read{{}, file.remark()};
    file.read(read.samples, file.frames());
    return read;
}

TEST(Wav, StreamsAreReadToTheirEnd) {
    const std::string data = little(0x4000, 2) + little(0xC000, 2) + little(0x2000, 2);
    const std::vector<double> expected{0.5, -0.5, 0.25};
    // As ffmpeg, sox, arecord, a recorder that stopped and one that never knew write them: RIFF's size, the sound's.
    const std::pair<std::uint64_t, std::uint64_t> sizes[] = {
        {0xFFFFFFFF, 0xFFFFFFFF}, {0x7FFFF024, 0x7FFFF000}, {0x80000024, 0x80000000}, {36, 0}, {0, 0}, {0xFFFFFFFF, 0}};
    for (const auto& [riff_size, size] : sizes) {
        std::string bytes = wav({}, data);
        bytes.replace(4, 4, little(riff_size, 4));
        bytes.replace(40, 4, little(size, 4));
        const Read read = read_file(bytes);
        EXPECT_EQ(read.samples, expected) << size;
        EXPECT_EQ(read.remark, "its header does not say how long it is, as of a stream: read to the end");
        EXPECT_EQ(read_file(bytes + "x").samples, expected);  // half a sample more
        EXPECT_NE(read_file(bytes + "x").remark.find("the last 1 byte is no whole frame of 2"), std::string::npos);
    }
}

TEST(Wav, CutFilesAreReadToTheirEnd) {
    const std::string good = wav({1, 2, 8000, 16}, std::string(400, 'x'));
    for (std::size_t kept = 48; kept < good.size(); ++kept) {
        const Read read = read_file(good.substr(0, kept));
        EXPECT_EQ(read.samples.size(), (kept - 44) / 4 * 2);
        EXPECT_NE(read.remark.find("cut short: its header says 400 bytes of sound, " + std::to_string(kept - 44)),
                  std::string::npos);
    }
    std::string odd = good;
    odd.replace(40, 4, little(399, 4));
    EXPECT_EQ(read_file(odd).samples.size(), 198u);
    EXPECT_NE(read_file(odd).remark.find("the last 3 bytes are no whole frame"), std::string::npos);
}

TEST(Wav, ARiffSizeThatIsTooSmallDoesNoHarm) {
    std::string bytes = wav({}, std::string(100, 'x'));
    bytes.replace(4, 4, little(136 - 12, 4));
    const Read read = read_file(bytes);
    EXPECT_EQ(read.samples.size(), 50u);
    EXPECT_EQ(read.remark, "its RIFF size is 12 bytes too small");
    EXPECT_EQ(read_file(wav({}, std::string(100, 'x'))).remark, "");
}

TEST(Wav, ReadsRf64ThatIsCut) {
    const std::string rest = "WAVE" +
                             chunk("ds64", little(~0ull, 8) + little(1ull << 40, 8) + little(1, 8) + little(0, 4)) +
                             chunk("fmt ", format_body({})) + "data" + little(0xFFFFFFFF, 4) + little(0x4000, 2);
    const Read read = read_file("RF64" + little(0xFFFFFFFF, 4) + rest);
    EXPECT_EQ(read.samples, (std::vector<double>{0.5}));
    EXPECT_NE(read.remark, "");
}

TEST(Wav, ReadsBitsThatDoNotFillTheirBytes) {
    // The upper 12 of 16 and the upper 20 of 24.
    EXPECT_EQ(samples(riff(chunk("fmt ", little(1, 2) + little(1, 2) + little(8000, 4) + little(16000, 4) +
                                             little(2, 2) + little(12, 2)) +
                           chunk("data", little(0x7FF0, 2) + little(0x8000, 2)))),
              (std::vector<double>{2047.0 / 2048, -1}));
    EXPECT_EQ(samples(riff(chunk("fmt ", little(1, 2) + little(1, 2) + little(8000, 4) + little(24000, 4) +
                                             little(3, 2) + little(20, 2)) +
                           chunk("data", little(0x400010, 3) + little(0xFFFFF0, 3)))),
              (std::vector<double>{0.5 + 1.0 / 524288, -1.0 / 524288}));
    const std::string guid = little(1, 2) + std::string("\x00\x00\x00\x00\x10\x00\x80\x00\x00\xAA\x00\x38\x9B\x71", 14);
    const std::string body = format_body({0xFFFE, 1, 44100, 24}) + little(22, 2) + little(20, 2) + little(0, 4) + guid;
    TemporaryFolder folder;
    WavFile file(folder.write("a.wav", riff(chunk("fmt ", body) + chunk("data", little(0x400000, 3) + "abc"))));
    EXPECT_EQ(file.format().bits, 24u);
    EXPECT_EQ(file.format().significant_bits(), 20u);
}

std::string big(std::uint64_t value, int bytes) {
    const std::string text = little(value, bytes);
    return {text.rbegin(), text.rend()};
}

TEST(Wav, ReadsRifx) {
    const auto rifx = [](unsigned tag, unsigned bits, const std::string& data) {
        const std::string body = "WAVEfmt " + big(16, 4) + big(tag, 2) + big(1, 2) + big(8000, 4) +
                                 big(8000 * bits / 8, 4) + big(bits / 8, 2) + big(bits, 2) + "data" +
                                 big(data.size(), 4) + data;
        return "RIFX" + big(body.size(), 4) + body;
    };
    EXPECT_EQ(samples(rifx(1, 16, big(0x4000, 2) + big(0x8000, 2))), (std::vector<double>{0.5, -1}));
    EXPECT_EQ(samples(rifx(1, 24, big(0xC00000, 3) + "abc")).front(), -0.5);
    EXPECT_EQ(samples(rifx(3, 32, big(std::bit_cast<std::uint32_t>(0.75f), 4))), (std::vector<double>{0.75}));
}

TEST(Wav, ReadsWhereAReceiverWasTuned) {
    TemporaryFolder folder;
    const std::string times(32, '\0');
    const std::string bytes =
        riff(chunk("fmt ", format_body({1, 2, 48000, 16})) +
             chunk("auxi", times + little(7100000, 4) + std::string(28, '\0')) + chunk("data", "abcd"));
    EXPECT_EQ(WavFile(folder.write("a.wav", bytes)).centre(), 7.1e6);
    EXPECT_EQ(WavFile(folder.write("b.wav", wav({}, "ab"))).centre(), std::nullopt);
}

TEST(Companding, HasTheValuesOfTheStandard) {
    // The ends, the middle and one in between, as G.711's tables have them, in units of a 16-bit sample.
    EXPECT_EQ(expand(0x80, Law::mu) * 32768, 32124);
    EXPECT_EQ(expand(0x00, Law::mu) * 32768, -32124);
    EXPECT_EQ(expand(0xFF, Law::mu) * 32768, 0);
    EXPECT_EQ(expand(0xF0, Law::mu) * 32768, 120);
    EXPECT_EQ(expand(0xEF, Law::mu) * 32768, 132);
    EXPECT_EQ(expand(0xAA, Law::a) * 32768, 32256);
    EXPECT_EQ(expand(0x2A, Law::a) * 32768, -32256);
    EXPECT_EQ(expand(0xD5, Law::a) * 32768, 8);
    EXPECT_EQ(expand(0x55, Law::a) * 32768, -8);
}

TEST(Companding, CompressesWhatItExpands) {
    for (const Law law : {Law::mu, Law::a}) {
        for (unsigned code = 0; code < 256; ++code) {
            const Compressed again = compress(expand(static_cast<std::uint8_t>(code), law), law);
            EXPECT_EQ(again.code, code);
            EXPECT_FALSE(again.clipped);
        }
        for (int i = -4000; i <= 4000; ++i) {  // the nearest of all 256
            const double value = i / 4000.0;
            double least = 2;
            for (unsigned code = 0; code < 256; ++code)
                least = std::min(least, std::fabs(value - expand(static_cast<std::uint8_t>(code), law)));
            EXPECT_EQ(std::fabs(value - expand(compress(value, law).code, law)), least) << value;
        }
        EXPECT_TRUE(compress(1.1, law).clipped);
        EXPECT_TRUE(compress(-std::numeric_limits<double>::infinity(), law).clipped);
    }
}

TEST(Wav, FramesOverlapAndLeaveOut) {
    TemporaryFolder folder;
    std::string data;
    for (unsigned i = 0; i < 50; ++i) data += little(2 * i, 2) + little(2 * i + 1, 2);  // two channels
    const std::string path = folder.write("a.wav", wav({1, 2, 8000, 16}, data));
    for (const std::uint64_t length : {1u, 4u, 7u, 50u})
        for (const std::uint64_t hop : {1u, 3u, 4u, 11u, 60u})
            for (const std::uint64_t at_once : {1u, 3u, 100u}) {
                Recording file{SoundFile(path)};
                signal::FrameReader frames(file, {0, file.frames()}, length, hop);
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
    for (const WavFormat& format :
         {WavFormat{1, 8000, 8, false, false, 0}, WavFormat{3, 8000, 16, false, true, 7},
          WavFormat{1, 8000, 24, false, false, 0}, WavFormat{1, 1, 32, false, false, 0},
          WavFormat{2, 96000, 32, true, false, 0}, WavFormat{1, 8000, 64, true, true, 4},
          WavFormat{1, 8000, 16, false, false, 0, 12}, WavFormat{2, 8000, 24, false, true, 3, 20},
          WavFormat{1, 8000, 8, false, false, 0, 0, WavCoding::mu_law},
          WavFormat{1, 8000, 8, false, false, 0, 0, WavCoding::a_law}}) {
        std::vector<double> values{-1, 0.5, -0.0078125, 0, 0.25, 0.75};
        if (format.coding != WavCoding::linear) {
            const Law law = format.coding == WavCoding::mu_law ? Law::mu : Law::a;
            for (std::size_t i = 0; i < values.size(); ++i) values[i] = expand(static_cast<std::uint8_t>(41 * i), law);
        }
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
        EXPECT_EQ(file.format().valid_bits, format.valid_bits);
        EXPECT_EQ(file.format().coding, format.coding);
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
