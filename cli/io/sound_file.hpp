// A sound, whatever its file's format.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "cli/io/decoded_sound.hpp"
#include "cli/io/wav.hpp"

namespace seiche::cli::io {

/// WAV is read here, all else through libsndfile; what a file is its first bytes say, not its name.
class SoundFile {
public:
    /// Throws Failure as WavFile and DecodedSound do.
    explicit SoundFile(const std::string& path);

    /// Of a WAV file that holds the same samples.
    const WavFormat& format() const noexcept;
    const std::string& path() const noexcept;
    /// Samples of each channel.
    std::uint64_t frames() const noexcept;
    /// What is odd about the file but does no harm, one line; empty if nothing.
    const std::string& remark() const noexcept;
    /// The radio frequency in Hz that was mixed down to 0, where the file says so.
    std::optional<double> centre() const noexcept;
    /// Reads the next `count` frames (fewer at the end), channels interleaved, and returns how many it read.
    std::uint64_t read(std::vector<double>& interleaved, std::uint64_t count);
    /// Leaves out the next `count` frames, at most those that are left.
    void skip(std::uint64_t count);

private:
    std::variant<WavFile, DecodedSound> file_;
};

}  // namespace seiche::cli::io
