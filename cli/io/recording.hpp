// A sound or a radio recording: samples over time, read as a stream, whatever the file's format.
#pragma once

#include <complex>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "cli/io/iq.hpp"
#include "cli/io/sound_file.hpp"

namespace seiche::cli::io {

/// A sound file whose channels are pairs (in phase, quadrature), as receivers for people write them.
struct PairedSound {
    SoundFile file;
    double centre = 0;  ///< Hz
};

/// The samples of a sound's pairs in the words of IqType: "cs16", "cs24", "cf32".
std::string pair_type(const WavFormat& format);

/// Channels of real samples (a sound, a radio recording of real samples), or of complex ones around a centre frequency.
class Recording {
public:
    explicit Recording(SoundFile file) : file_(std::move(file)) {}
    explicit Recording(IqFile file) : file_(std::move(file)) {}
    /// Throws Failure for an odd number of channels.
    explicit Recording(PairedSound file);

    const std::string& path() const noexcept;
    std::uint32_t channels() const noexcept;
    /// Samples of each channel.
    std::uint64_t frames() const noexcept;
    double rate() const noexcept;    ///< Hz
    double centre() const noexcept;  ///< Hz; of a sound 0
    /// Not a sound.
    bool is_radio() const noexcept { return !std::holds_alternative<SoundFile>(file_); }
    /// Complex: negative and positive frequencies differ.
    bool is_two_sided() const noexcept;
    /// Samples have more digits than a float.
    bool is_wide() const noexcept;
    /// "cs16" of a radio recording; empty for a sound.
    std::string type() const;
    /// What is odd about the file but does no harm, one line; empty if nothing.
    const std::string& remark() const noexcept;
    /// Of a radio recording.
    std::vector<Annotation> annotations() const;
    /// Reads the next `count` frames (fewer at the end), channels interleaved, and returns how many it read.
    std::uint64_t read(std::vector<std::complex<double>>& interleaved, std::uint64_t count);
    /// Leaves out the next `count` frames, at most those that are left.
    void skip(std::uint64_t count);

private:
    /// The sound that is read, null for raw samples.
    const SoundFile* sound() const noexcept;
    SoundFile* sound() noexcept { return const_cast<SoundFile*>(std::as_const(*this).sound()); }
    const IqFile* raw() const noexcept { return std::get_if<IqFile>(&file_); }

    std::variant<SoundFile, IqFile, PairedSound> file_;
    std::vector<double> real_;
};

}  // namespace seiche::cli::io
