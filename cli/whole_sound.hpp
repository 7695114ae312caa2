// Sounds that are read and written as a whole, channels interleaved.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/io/sound_file.hpp"

namespace seiche::cli {

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
