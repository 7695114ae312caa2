// Sounds that are read and written as a whole, channels interleaved.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/command/command_line.hpp"
#include "cli/io/sound_file.hpp"

namespace seiche::cli {

/// How loud a result is made: --gain and --normalise.
struct Loudness {
    std::optional<double> gain;  ///< Decibels.
    bool normalise = false;

    bool any() const { return gain.has_value() || normalise; }
};
void add_loudness_options(Command& command, Loudness& loudness);

/// Multiplies all samples by the gain, or so that the loudest is the largest that the format of the
/// file to write (io::stored_format) holds, of floats 1. Returns the decibels; 0 where nothing was asked for, or all is
/// silent.
template <class T>
double make_loud(const Loudness& loudness, const io::WavFormat& format, std::vector<T>& sound);

/// Says on stderr how many samples were clipped, if any, and by which --gain none would be. `sound` is what was written
/// in `format` (io::stored_format) after a gain of `gain_db`.
template <class T>
void note_clipped_sound(std::uint64_t clipped, const std::vector<T>& sound, const io::WavFormat& format,
                        double gain_db);

/// All frames of a sound. Throws Failure for a sample that is not finite. T is float or double.
template <class T>
std::vector<T> read_sound(io::SoundFile& file);

/// Writes the first `frames` frames; returns how many samples were clipped.
template <class T>
std::uint64_t write_sound(const std::string& path, const io::WavFormat& format, const std::vector<T>& sound,
                          std::uint64_t frames);

/// "16-bit PCM".
std::string text_of(const io::WavFormat& format);

/// Samples of the format have more digits than a float.
bool is_wide(const io::WavFormat& format);

}  // namespace seiche::cli
