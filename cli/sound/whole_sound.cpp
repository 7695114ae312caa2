// Sounds that are read and written as a whole, channels interleaved.
#include "cli/sound/whole_sound.hpp"

#include <algorithm>
#include <cmath>

#include "cli/command/report.hpp"
#include "cli/io/companding.hpp"
#include "cli/io/sound_output.hpp"
#include "cli/sound/sound_words.hpp"
#include "cli/text/failure.hpp"
#include "cli/text/text.hpp"
#include "cli/text/words.hpp"

namespace seiche::cli {
namespace {

constexpr std::uint64_t block = 1 << 16;

/// The largest sample, 1 being the largest of its sign that the format holds without being clipped.
template <class T>
double peak_of(const std::vector<T>& sound, const io::WavFormat& format) {
    double above = 1, below = 1;
    if (format.coding != io::WavCoding::linear)
        above = below = format.coding == io::WavCoding::mu_law ? io::largest(io::Law::mu) : io::largest(io::Law::a);
    else if (!format.is_float)
        above = 1 - std::ldexp(1.0, 1 - static_cast<int>(format.significant_bits()));
    double peak = 0;
    for (const T sample : sound) {
        const auto value = static_cast<double>(sample);
        peak = std::max(peak, value > 0 ? value / above : -value / below);
    }
    return peak;
}

double decibels_of(double factor) { return 20 * std::log10(factor); }

}  // namespace

void add_loudness_options(Command& command, Loudness& loudness) {
    const Option gain =
        command
            .add_option("--gain", loudness.gain, "For a sound: amplify the result by so many dB; negative attenuates")
            .value("DB");
    command
        .add_flag("--normalise,--normalize", loudness.normalise,
                  "For a sound: make the result as loud as possible without clipping")
        .excludes(gain);
}

template <class T>
double make_loud(const Loudness& loudness, const io::WavFormat& format, std::vector<T>& sound) {
    double factor = 1;
    if (loudness.gain) {
        constexpr double most = 300;
        if (!(std::fabs(*loudness.gain) <= most))
            throw UsageError("--gain: expected -300 to 300 dB, got " + shortest(*loudness.gain));
        factor = std::pow(10, *loudness.gain / 20);
    } else if (loudness.normalise) {
        const double peak = peak_of(sound, format);
        if (peak > 0) factor = 1 / peak;
    }
    if (factor == 1) return 0;
    for (T& sample : sound) sample = static_cast<T>(static_cast<double>(sample) * factor);
    return loudness.gain ? *loudness.gain : decibels_of(factor);
}
template double make_loud(const Loudness&, const io::WavFormat&, std::vector<float>&);
template double make_loud(const Loudness&, const io::WavFormat&, std::vector<double>&);

template <class T>
void note_clipped_sound(std::uint64_t clipped, const std::vector<T>& sound, const io::WavFormat& format,
                        double gain_db) {
    if (clipped == 0) return;
    constexpr double steps = 10;  // of a decibel, rounded so that nothing is clipped
    const double least = std::floor((gain_db - decibels_of(peak_of(sound, format))) * steps) / steps;
    note("clipped " + std::to_string(clipped) + " of " + counted(sound.size(), "sample") + " to the range of " +
         text_of(format) + "; --gain " + fixed(least, 1) + " clips none");
}
template void note_clipped_sound(std::uint64_t, const std::vector<float>&, const io::WavFormat&, double);
template void note_clipped_sound(std::uint64_t, const std::vector<double>&, const io::WavFormat&, double);

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
                throw Failure("'" + file.path() + "': expected finite samples, got " +
                              (std::isnan(sound.back()) ? "NaN" : "infinity") + " in " +
                              place_text((sound.size() - 1) / channels, file.format().sample_rate) +
                              of_channel((sound.size() - 1) % channels, {channels}));
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
