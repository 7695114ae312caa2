// A sound written in the format that its file's name ends in.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/io/encoded_sound.hpp"
#include "cli/io/wav_output.hpp"

namespace seiche::cli::io {

/// The format in which a file of this name has samples of `format`: FLAC has integers of up to 24 bits, Vorbis and MP3
/// hold what floats do.
WavFormat stored_format(const std::string& path, const WavFormat& format);

/// .wav, and through libsndfile .flac, .aif, .aiff, .ogg and .mp3; "-" is WAV.
class SoundOutput {
public:
    /// Throws Failure where the file cannot be made.
    SoundOutput(const std::string& path, const WavFormat& format, std::uint64_t frames);
    /// Appends frames, channels interleaved: values from -1 up to 1.
    void write(const std::vector<double>& interleaved);
    /// Gives the file its name; all frames must have been written.
    void commit();
    /// Samples clipped so far.
    std::uint64_t clipped() const noexcept;
    /// What the file cannot hold, one line; empty if nothing.
    std::string lost() const;

private:
    std::optional<WavOutput> wav_;
    std::optional<EncodedSound> encoded_;
};

}  // namespace seiche::cli::io
