// Frames that a kernel's groups add where they overlap, in shared memory, instead of storing each.
#pragma once

#include <cstdint>
#include <vector>

namespace seiche::kernels {

/// The inverse of a short-time transform, by least squares (Griffin & Lim, "Signal estimation from modified short-time
/// Fourier transform", 1984): the sum of frames times windows over the sum of squared windows. A group has so many
/// frames as it has sequences, and writes the samples that no others reach; neighbours share the frames between them,
/// and transform these twice. So no group adds to what another has written.
struct OverlapAdd {
    std::uint64_t frames = 1;    ///< Of a signal; at least those of a group.
    std::uint32_t hop = 1;       ///< Samples from one frame to the next.
    std::uint32_t advance = 1;   ///< Frames from one group to the next. The last one begins so that it ends with all.
    std::uint64_t begin = 0;     ///< Samples of the result, counted from the first frame's first: begin to end - 1.
    std::uint64_t end = 1;       ///< What no frame reaches is 0.
    double scale = 1.0;          ///< Of the result.
    std::vector<double> window;  ///< As long as a frame.

    std::uint64_t samples() const { return end - begin; }
    /// Frames beside it that reach a sample.
    std::uint32_t neighbours() const { return (static_cast<std::uint32_t>(window.size()) + hop - 1) / hop - 1; }
    bool operator==(const OverlapAdd&) const = default;
};

}  // namespace seiche::kernels
