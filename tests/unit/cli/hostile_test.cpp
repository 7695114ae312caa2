// The readers take whatever comes: files of the right kind with seeded damage end in a Failure or in values.
#include <gtest/gtest.h>

#include <random>

#include "cli/io/iq.hpp"
#include "cli/io/npy.hpp"
#include "cli/io/png.hpp"
#include "cli/io/sigmf.hpp"
#include "cli/io/sound_file.hpp"
#include "cli/io/sound_output.hpp"
#include "cli/io/wav.hpp"
#include "tests/unit/cli/temporary.hpp"

/// libsndfile 1.2 forgets what it has of a damaged Ogg file when it refuses it, which a leak checker need not tell
/// here.
extern "C" const char* __lsan_default_suppressions();  // NOLINT(bugprone-reserved-identifier)
extern "C" const char* __lsan_default_suppressions() { return "leak:vorbis_info_init\n"; }

namespace seiche::cli::io {
namespace {

std::string good_npy() { return npy_preamble({ElementType::complex64, false, true, {3, 2}}) + std::string(48, 'x'); }

std::string good_wav() {
    const std::string format{"fmt \x10\0\0\0\x01\0\x02\0\x40\x1f\0\0\0\x7d\0\0\x04\0\x10\0", 24};
    const std::string data = std::string{"data\x40\0\0\0", 8} + std::string(64, 'x');
    const std::string body = "WAVE" + std::string{"LIST\x05\0\0\0abcde\0", 14} + format + data;
    return std::string("RIFF") + static_cast<char>(body.size()) + std::string(3, '\0') + body;
}

/// 1 x 1 pixel, grey.
std::string good_png() {
    const std::string signature{"\x89PNG\r\n\x1a\n", 8};
    const std::string head{"\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\0\0\0\0\x3a\x7e\x9b\x55", 25};
    const std::string data{"\0\0\0\x0aIDATx\x9c\x63\x60\0\0\0\x02\0\x01\x48\xaf\xa4\x71", 22};
    return signature + head + data + std::string{"\0\0\0\0IEND\xae\x42\x60\x82", 12};
}

std::string good_sigmf() {
    return R"({"global":{"core:datatype":"cf32_le","core:sample_rate":8000,"core:num_channels":1},)"
           R"("captures":[{"core:sample_start":0,"core:frequency":1e6},{"core:sample_start":3}]})";
}

/// Some of: bytes replaced by telling values, a piece cut out, a piece doubled, the end cut off.
std::string damage(std::string bytes, std::mt19937& random) {
    const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
    constexpr char telling[] = {'\0', '\x01', '\x7f', '\x80', '\xff', '(', ')', '9', '\'', '-'};
    for (std::size_t changes = 1 + below(4); changes > 0 && !bytes.empty(); --changes) {
        const std::size_t at = below(bytes.size()), length = 1 + below(std::min<std::size_t>(8, bytes.size() - at));
        switch (below(5)) {
            case 0: bytes.erase(at, length); break;
            case 1: bytes.insert(at, bytes.substr(at, length)); break;
            case 2: bytes.resize(at); break;
            case 3: bytes[at] = static_cast<char>(random()); break;
            default: bytes.replace(at, length, std::string(length, telling[below(sizeof telling)])); break;
        }
    }
    return bytes;
}

template <class Read>
void survive(const std::string& name, const std::string& good, const Read& read, unsigned least_refused = 200) {
    constexpr unsigned rounds = 400;
    TemporaryFolder folder;
    ASSERT_EQ(failure_of([&] { read(folder.write(name, good)); }), "");
    unsigned refused = 0;
    for (unsigned seed = 0; seed < rounds; ++seed) {
        std::mt19937 random(seed);
        const std::string path = folder.write(name, damage(good, random));
        SCOPED_TRACE("seed " + std::to_string(seed));
        const std::string message = failure_of([&] { read(path); });
        EXPECT_EQ(message.find('\n'), std::string::npos);
        refused += !message.empty();
    }
    EXPECT_GT(refused, least_refused);
}

TEST(Hostile, Npy) {
    survive("a.npy", good_npy(), [](const std::string& path) { NpyFile(path).read<float>(); });
}

TEST(Hostile, Wav) {
    survive("a.wav", good_wav(), [](const std::string& path) {
        WavFile file(path);
        std::vector<double> samples;
        while (file.read(samples, 5) != 0) file.skip(3);
    });
}

/// A sound as libsndfile writes it; empty where the tool was built without it, or it without the encoder.
std::string encoded(const std::string& extension) {
    TemporaryFolder folder;
    const std::string name = folder.file("good" + extension);
    const std::string failure = failure_of([&] {
        std::vector<double> waves;
        for (int i = 0; i < 6000; ++i) waves.push_back(0.005 * ((i * i / 7) % 100));
        SoundOutput output(name, {1, 44100, 16}, waves.size());
        output.write(waves);
        output.commit();
    });
    return failure.empty() ? read_all(name) : "";
}

TEST(Hostile, Compressed) {
    for (const char* extension : {".flac", ".aiff", ".ogg", ".mp3"})
        if (const std::string good = encoded(extension); !good.empty())
            survive(
                std::string("a") + extension, good,
                [](const std::string& path) {
                    SoundFile file(path);
                    std::vector<double> samples;
                    while (file.read(samples, 500) != 0) file.skip(300);
                },
                0);
}

TEST(Hostile, Iq) {
    // Numbers just below the largest: a changed byte soon makes one that is not finite.
    survive(
        "a.iq", std::string(40, '\x7f'),
        [](const std::string& path) {
            IqFile file(path, {parse_iq_type("cf32"), 1, 0});
            std::vector<std::complex<double>> samples;
            while (file.read(samples, 2) != 0) file.skip(1);
        },
        50);
}

TEST(Hostile, Sigmf) {
    survive("a.json", good_sigmf(), [](const std::string& path) { parse_sigmf(read_all(path)); });
}

TEST(Hostile, Png) {
    survive("a.png", good_png(), [](const std::string& path) { read_png(path); });
    survive("a.png", good_png(), [](const std::string& path) { read_raster(path); });
}

}  // namespace
}  // namespace seiche::cli::io
