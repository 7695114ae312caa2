// Sounds that are read and written as a whole, channels interleaved.
#include "cli/whole_sound.hpp"

#include <algorithm>
#include <cmath>

#include "cli/failure.hpp"
#include "cli/io/sound_output.hpp"
#include "cli/report.hpp"

namespace seiche::cli {
namespace {

constexpr std::uint64_t block = 1 << 16;

}  // namespace

template <class T>
std::vector<T> read_sound(io::SoundFile& file) {
    const std::uint64_t channels = file.format().channels;
    std::vector<T> sound;
    sound.reserve(file.frames() * channels);
    std::vector<double> samples;
    while (file.read(samples, block) != 0)
        for (const double sample : samples) {
            sound.push_back(static_cast<T>(sample));
            if (!std::isfinite(sound.back()))
                throw Failure("'" + file.path() + "': expected finite samples, got another in frame " +
                              std::to_string((sound.size() - 1) / channels));
        }
    return sound;
}
template std::vector<float> read_sound(io::SoundFile&);
template std::vector<double> read_sound(io::SoundFile&);

template <class T>
std::uint64_t write_sound(const std::string& path, const io::WavFormat& format, const std::vector<T>& sound,
                          std::uint64_t frames) {
    io::SoundOutput output(path, format, frames);
    std::vector<double> samples;
    const std::uint64_t count = frames * format.channels;
    for (std::uint64_t at = 0; at < count; at += block) {
        const auto first = sound.begin() + static_cast<std::ptrdiff_t>(at);
        samples.assign(first, first + static_cast<std::ptrdiff_t>(std::min(block, count - at)));
        output.write(samples);
    }
    output.commit();
    if (!output.lost().empty()) note("'" + path + "': " + output.lost());
    return output.clipped();
}
template std::uint64_t write_sound(const std::string&, const io::WavFormat&, const std::vector<float>&, std::uint64_t);
template std::uint64_t write_sound(const std::string&, const io::WavFormat&, const std::vector<double>&, std::uint64_t);

std::string text_of(const io::WavFormat& format) {
    if (format.coding == io::WavCoding::mu_law) return "mu-law";
    if (format.coding == io::WavCoding::a_law) return "A-law";
    return std::to_string(format.significant_bits()) + (format.is_float ? "-bit float" : "-bit PCM");
}

bool is_wide(const io::WavFormat& format) { return format.significant_bits() > (format.is_float ? 32 : 16); }

}  // namespace seiche::cli
