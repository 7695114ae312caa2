// Sounds written to FLAC, AIFF, Ogg Vorbis and MP3, through libsndfile.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cli/io/wav.hpp"

namespace seiche::cli::io {

/// Bits of the integers that FLAC, which has at most 24, keeps of samples of a format.
inline std::uint32_t flac_bits(const WavFormat& format) noexcept {
    if (format.is_float) return 24;
    return format.coding == WavCoding::linear ? std::min<std::uint32_t>(format.significant_bits(), 24) : 16;
}

/// The same as WavOutput for another kind of file, which `extension` names: .flac, .aif, .aiff, .ogg or .mp3. The
/// samples are those of `format` where the file can hold them: FLAC has integers of up to 24 bits; Vorbis (quality 0.6)
/// and MP3 lose.
class EncodedSound {
public:
    /// Throws Failure where the file cannot be made, or the encoder cannot take as many channels or such a rate.
    EncodedSound(const std::string& path, const std::string& extension, const WavFormat& format);
    ~EncodedSound();
    /// Appends frames, channels interleaved.
    void write(const std::vector<double>& interleaved);
    /// Gives the file its name.
    void commit();
    /// Samples clipped so far.
    std::uint64_t clipped() const noexcept;
    /// What the file cannot hold, one line; empty if nothing.
    const std::string& lost() const noexcept;

private:
    struct Encoder;
    std::unique_ptr<Encoder> encoder_;
};

}  // namespace seiche::cli::io
