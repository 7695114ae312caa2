// Sounds in FLAC, Ogg, MP3, AIFF and their like, and WAV of other encodings than PCM, through libsndfile.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cli/io/input_file.hpp"
#include "cli/io/wav.hpp"

namespace seiche::cli::io {

/// The same as WavFile of another kind of file. Its format is the one of a WAV file that holds the samples without
/// loss; what a lossy decoder gives is float.
class DecodedSound {
public:
    /// Throws Failure: damaged, unknown to libsndfile, or a tool without it.
    explicit DecodedSound(InputFile file);
    ~DecodedSound();
    DecodedSound(DecodedSound&&) noexcept;
    DecodedSound& operator=(DecodedSound&&) noexcept;

    const WavFormat& format() const noexcept { return format_; }
    const std::string& path() const noexcept;
    std::uint64_t frames() const noexcept { return frames_; }
    const std::string& remark() const noexcept { return remark_; }
    std::uint64_t read(std::vector<double>& interleaved, std::uint64_t count);
    void skip(std::uint64_t count);

private:
    struct Decoder;
    void count_frames(std::uint64_t claimed);

    std::unique_ptr<Decoder> decoder_;
    WavFormat format_;
    std::uint64_t frames_ = 0, frames_read_ = 0;
    std::string remark_;
};

}  // namespace seiche::cli::io
