// Two or three axes in one group: how the points of each are distributed to threads, and whether they fit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "seiche/device.hpp"
#include "seiche/problem.hpp"

namespace seiche::planner {

/// Even real rows, whole in a thread, but for long powers of two; others have conjugate pairs (group/real_plane.cpp).
bool has_faster_rows(std::uint64_t n, bool is_r2c, Precision precision);

/// How an axis's points are distributed where each pass has threads of its own. No radices: they cannot be.
struct AxisDistribution {
    std::vector<std::uint32_t> radices;
    std::uint32_t threads = 1;  ///< Of a sequence.
};

/// Where the distribution of a plane's axes begins.
enum class DistributionOrigin : std::uint8_t {
    as_faster,          ///< As was measured where a group has place for it.
    with_idle_threads,  ///< One-sided rows, and axes beside them, in fewer threads, some of which have more points.
    in_parts,           ///< No thread has more than a few points of an axis.
};

/// The axes in the order of their passes.
struct GroupAxes {
    std::vector<std::uint64_t> lengths;
    std::vector<std::uint64_t> sequences;  ///< Of each axis.
    Precision precision = Precision::f32;
    std::optional<std::size_t> one_sided;  ///< Which of them has rows of real numbers.
    DistributionOrigin origin = DistributionOrigin::as_faster;
    /// An operator's, which has all of its passes there, so that more threads are worth their waiting.
    bool is_operator = false;

    AxisDistribution distribution(std::size_t i) const;
    std::uint64_t threads(std::size_t i) const { return sequences[i] * distribution(i).threads; }
    bool is_plane() const { return lengths.size() == 2; }
    /// Real rows that are whole where others are not. Beside shorter ones threads of a long axis have fewer points, so
    /// that the passes have about as many threads. Measured: LAB-0021.
    bool has_long_whole_rows() const;
    /// Whether one of so many threads has registers for its points of an axis.
    bool has_registers(std::size_t i, std::uint64_t threads) const;
    /// Complex points: whether whole rows are not slower than parts on all axes.
    bool is_faster_in_rows() const;
};

/// Axes, each with as many sequences as the others have points, without the bins that one-sided rows leave out.
GroupAxes axes_of_group(const std::vector<std::uint64_t>& lengths, std::optional<std::size_t> one_sided,
                        Precision precision);

/// The same; a plane that no group holds in its fastest distribution gets another one.
GroupAxes with_place(GroupAxes axes, const DeviceLimits& limits);

/// Shared memory of the sequences, padded by one element where their length is no power of two.
std::uint64_t bytes_in_places(std::uint64_t sequences, std::uint64_t n, Precision precision);

/// Whether a group has threads, registers and memory for them in this distribution.
bool holds(const GroupAxes& axes, const DeviceLimits& limits);

}  // namespace seiche::planner
