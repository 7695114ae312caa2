// Overlapping frames of a recording, taken from its file as a stream.
#pragma once

#include <complex>
#include <cstdint>
#include <vector>

#include "cli/io/recording.hpp"

namespace seiche::cli::signal {

/// Samples of a recording, from `first` on.
struct Part {
    std::uint64_t first = 0, count = 0;
};

/// Frame f of a channel is samples f * hop ... f * hop + length - 1 of the part; only whole frames count.
class FrameReader {
public:
    /// `length` must be 1 up to the part's samples, `hop` 1 or more.
    FrameReader(io::Recording& file, const Part& part, std::uint64_t length, std::uint64_t hop);
    std::uint64_t count() const noexcept { return count_; }
    /// Reads what frames `first` ... `first + batch - 1` need; `first` must not go back.
    void load(std::uint64_t first, std::uint64_t batch);
    /// Sample j of frame f, which must be loaded.
    std::complex<double> at(std::uint64_t f, std::uint64_t j, std::uint32_t channel) const {
        return held_[(f * hop_ - held_start_ + j) * channels_ + channel];
    }

    /// The mean of all channels.
    std::complex<double> mixed(std::uint64_t f, std::uint64_t j) const {
        std::complex<double> sum;
        for (std::uint32_t c = 0; c < channels_; ++c) sum += at(f, j, c);
        return sum / static_cast<double>(channels_);
    }
    /// Samples read so far that are NaN or infinite, and which sample of the recording was the first.
    struct NotFinite {
        std::uint64_t count = 0, first = 0;
        std::uint32_t channel = 0;
    };
    const NotFinite& not_finite() const noexcept { return not_finite_; }

private:
    void look_at(std::uint64_t start);

    io::Recording& file_;
    std::uint64_t start_, length_, hop_, count_;
    std::uint32_t channels_;
    std::vector<std::complex<double>> held_, fresh_;  ///< Interleaved samples.
    std::uint64_t held_start_ = 0;                    ///< Of the part, of the first one held.
    NotFinite not_finite_;
};

}  // namespace seiche::cli::signal
