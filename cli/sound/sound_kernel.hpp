// What a sound is convolved with, and a sound's channels one after the other.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/io/npy.hpp"
#include "cli/io/sound_file.hpp"

namespace seiche::cli {

/// Opens a sound and says on stderr what is odd about it.
io::SoundFile open_sound(const std::string& path);

/// Interleaved samples to channels one after the other; with `channels` and frames exchanged the way back.
template <class T>
std::vector<T> planar(const std::vector<T>& interleaved, std::uint64_t channels);
template <class T>
std::vector<T> interleaved(const std::vector<T>& planar, std::uint64_t channels) {
    return seiche::cli::planar(planar, planar.size() / channels);
}

/// One sequence for all channels of a sound, or one for each: a sound, or an array of shape (samples,) or (channels,
/// samples).
class SoundKernel {
public:
    /// Opens `path` for the sound in `sound`. Throws Failure: another rate, another number of channels, not real.
    SoundKernel(const std::string& path, const io::SoundFile& sound);
    std::uint64_t channels() const noexcept { return channels_; }
    std::uint64_t samples() const noexcept { return samples_; }
    bool is_wide() const noexcept { return is_wide_; }
    /// Channels one after the other. T is float or double.
    template <class T>
    std::vector<T> read();

private:
    void open_array();

    std::string path_;
    std::unique_ptr<io::SoundFile> sound_;
    std::unique_ptr<io::NpyFile> array_;
    std::uint64_t channels_ = 1, samples_ = 0;
    bool is_wide_ = false;
};

}  // namespace seiche::cli
