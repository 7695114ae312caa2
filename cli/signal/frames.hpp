// Overlapping frames of a recording, taken from its file as a stream.
#pragma once

#include <complex>
#include <cstdint>
#include <vector>

#include "cli/io/recording.hpp"

namespace seiche::cli::signal {

/// Frame f of a channel is its samples f * hop ... f * hop + length - 1; only whole frames count.
class FrameReader {
public:
    /// `length` must be 1 up to the file's frames, `hop` 1 or more.
    FrameReader(io::Recording& file, std::uint64_t length, std::uint64_t hop);
    std::uint64_t count() const noexcept { return count_; }
    /// Reads what frames `first` ... `first + batch - 1` need; `first` must not go back.
    void load(std::uint64_t first, std::uint64_t batch);
    /// Sample j of frame f, which must be loaded.
    std::complex<double> at(std::uint64_t f, std::uint64_t j, std::uint32_t channel) const {
        return held_[(f * hop_ - held_start_ + j) * channels_ + channel];
    }

private:
    io::Recording& file_;
    std::uint64_t length_, hop_, count_;
    std::uint32_t channels_;
    std::vector<std::complex<double>> held_, fresh_;  ///< Interleaved samples.
    std::uint64_t held_start_ = 0;                    ///< Of the recording, of the first one held.
};

}  // namespace seiche::cli::signal
