// The tool's readers: sounds, arrays, pictures, radio recordings, numbers.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "cli/io/iq.hpp"
#include "cli/io/npy.hpp"
#include "cli/io/output_file.hpp"
#include "cli/io/png.hpp"
#include "cli/io/sigmf.hpp"
#include "cli/io/sound_file.hpp"
#include "cli/io/sound_output.hpp"
#include "cli/io/wav.hpp"
#include "cli/number/digits.hpp"
#include "cli/text/text.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/unit/cli/temporary.hpp"

namespace seiche::fuzz {
namespace {

using namespace cli::io;

void fuzz_file(const char* target, const char* name, const std::vector<std::string>& good,
               const std::function<void(const std::string&)>& read) {
    const cli::TemporaryFolder folder;
    run(target, {20000}, [&](Case& input) {
        const std::string bytes = mutated(input.random.of(good), input.random);
        input.is(bytes);
        read(folder.write(name, bytes));
    });
}

std::string little(std::uint64_t value, int bytes) {
    std::string text;
    for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i));
    return text;
}

std::string wav(unsigned format, unsigned channels, unsigned bits, std::size_t data_bytes) {
    const std::string fmt = "fmt " + little(16, 4) + little(format, 2) + little(channels, 2) + little(8000, 4) +
                            little(8000 * channels * bits / 8, 4) + little(channels * bits / 8, 2) + little(bits, 2);
    const std::string body =
        "WAVELIST" + little(4, 4) + "abcd" + fmt + "data" + little(data_bytes, 4) + std::string(data_bytes, 'x');
    return "RIFF" + little(body.size(), 4) + body;
}

TEST(Fuzz, Wav) {
    fuzz_file("wav", "a.wav", {wav(1, 2, 16, 64), wav(1, 1, 24, 60), wav(3, 1, 32, 64), wav(1, 1, 8, 33)},
              [](const std::string& path) {
                  WavFile file(path);
                  std::vector<double> samples;
                  while (file.read(samples, 5) != 0) file.skip(3);
              });
}

TEST(Fuzz, Npy) {
    std::vector<std::string> good;
    for (const NpyHeader& header :
         {NpyHeader{ElementType::complex64, false, true, {3, 2}}, NpyHeader{ElementType::float64, true, false, {6}},
          NpyHeader{ElementType::int16, false, false, {}}})
        good.push_back(npy_preamble(header) +
                       std::string(static_cast<std::size_t>(element_count(header.shape) * bytes_of(header.type)), 'x'));
    fuzz_file("npy", "a.npy", good, [](const std::string& path) {
        NpyFile file(path);
        file.read<float>();
    });
}

/// 1 x 1 pixel, grey.
std::string small_png() {
    const std::string signature{"\x89PNG\r\n\x1a\n", 8};
    const std::string head{"\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\0\0\0\0\x3a\x7e\x9b\x55", 25};
    const std::string data{"\0\0\0\x0aIDATx\x9c\x63\x60\0\0\0\x02\0\x01\x48\xaf\xa4\x71", 22};
    return signature + head + data + std::string{"\0\0\0\0IEND\xae\x42\x60\x82", 12};
}

TEST(Fuzz, Png) {
    fuzz_file("png", "a.png", {small_png()}, [](const std::string& path) { read_raster(path); });
}

/// What `write` puts into a file of that name; nothing where this build cannot.
template <class Write>
std::vector<std::string> written(const std::string& name, const Write& write) {
    const cli::TemporaryFolder folder;
    try {
        write(folder.file(name));
    } catch (const cli::Failure&) {
        return {};
    }
    std::ifstream file(folder.file(name), std::ios::binary);
    return {std::string(std::istreambuf_iterator<char>(file), {})};
}

TEST(Fuzz, Pictures) {
    for (const std::string extension : {".jpg", ".webp", ".tif"}) {
        Raster raster{7, 5, 3, 8, std::vector<float>(7 * 5 * 3, 0.4F)};
        for (std::size_t i = 0; i < raster.samples.size(); i += 4) raster.samples[i] = 0.9F;
        const std::vector<std::string> good = written("a" + extension, [&](const std::string& path) {
            OutputFile file(path);
            write_raster(file, raster, extension);
            file.commit();
        });
        if (good.empty()) continue;
        fuzz_file(("picture" + extension).c_str(), "a.picture", good,
                  [](const std::string& path) { read_raster(path); });
    }
}

TEST(Fuzz, DecodedSounds) {
    for (const std::string extension : {".flac", ".aiff"}) {
        const std::vector<std::string> good = written("a" + extension, [&](const std::string& path) {
            SoundOutput sound(path, {2, 8000, 16}, 100);
            sound.write(std::vector<double>(200, 0.25));
            sound.commit();
        });
        if (good.empty()) continue;
        fuzz_file(("sound" + extension).c_str(), "a.sound", good, [](const std::string& path) {
            SoundFile file(path);
            std::vector<double> samples;
            for (int blocks = 0; blocks < 100 && file.read(samples, 50) != 0; ++blocks) file.skip(3);
        });
    }
}

TEST(Fuzz, Iq) {
    fuzz_file("iq", "a.iq", {std::string(160, '\x3f')}, [](const std::string& path) {
        std::string fault;
        for (const char* const type : {"cu8", "cs16_be", "ru16", "rf32_be", "cf64"}) try {
                IqFile file(path, {parse_iq_type(type), 1, 0, 2});
                std::vector<std::complex<double>> samples;
                while (file.read(samples, 2) != 0) file.skip(1);
            } catch (const cli::Failure& failure) {
                fault = failure.what();
            }
        if (!fault.empty()) throw cli::Failure(fault);
    });
}

TEST(Fuzz, Sigmf) {
    const std::string good =
        R"({"global":{"core:datatype":"cf32_le","core:sample_rate":8000,"core:num_channels":1},)"
        R"("captures":[{"core:sample_start":0,"core:frequency":1e6},{"core:sample_start":3}],"annotations":[]})";
    const std::vector<std::string> words{
        "null", "-1", "1e999", "[", "{", "\"core:sample_start\":", "\"ci16_be\"", "\"\""};
    const cli::TemporaryFolder folder;
    run("sigmf", {20000}, [&](Case& input) {
        const std::string text = input.random.once_in(100) ? std::string(input.random.number(17), '[')
                                                           : mutated_text(good, input.random, words, 100000);
        input.is(text);
        parse_sigmf(text);
        folder.write("a.sigmf-meta", text);
        folder.write("a.sigmf-data", std::string(80, '\x3f'));
        open_sigmf(folder.file("a.sigmf-meta"), std::nullopt, std::nullopt);
    });
}

TEST(Fuzz, Integers) {
    run("integers", {200000}, [](Case& input) {
        Random& random = input.random;
        std::string text(random.number(8), static_cast<char>('0' + random.below(10)));
        text = mutated_text(text, random, {"-", "+", "0x", " ", "a", "F", "\n"}, 400);
        input.is(text);
        const unsigned base = random.once_in(2) ? 10 : 16;
        const cli::number::Integer value = cli::number::parse_integer(text, base, "the number");
        if (cli::number::parse_integer(cli::number::to_text(value), base, "the text") != value)
            input.fail("another number comes back");
    });
}

}  // namespace
}  // namespace seiche::fuzz
