// A sound or a radio recording: samples over time, read as a stream, whatever the file's format.
#pragma once

#include <complex>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "cli/io/iq.hpp"
#include "cli/io/wav.hpp"

namespace seiche::cli::io {

/// Channels of real samples (a sound), or one channel of complex samples around a centre frequency.
class Recording {
public:
    explicit Recording(WavFile file) : file_(std::move(file)) {}
    explicit Recording(IqFile file) : file_(std::move(file)) {}

    const std::string& path() const noexcept;
    std::uint32_t channels() const noexcept;
    /// Samples of each channel.
    std::uint64_t frames() const noexcept;
    double rate() const noexcept;    ///< Hz
    double centre() const noexcept;  ///< Hz; of a sound 0
    /// Complex: negative and positive frequencies differ.
    bool is_two_sided() const noexcept { return std::holds_alternative<IqFile>(file_); }
    /// "cs16" of a radio recording; empty for a sound.
    std::string type() const;
    /// Reads the next `count` frames (fewer at the end), channels interleaved, and returns how many it read.
    std::uint64_t read(std::vector<std::complex<double>>& interleaved, std::uint64_t count);
    /// Leaves out the next `count` frames, at most those that are left.
    void skip(std::uint64_t count);

private:
    std::variant<WavFile, IqFile> file_;
    std::vector<double> real_;
};

}  // namespace seiche::cli::io
