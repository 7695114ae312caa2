// Two or three axes that a group has whole: how the points of each are dealt to threads, and whether there is place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "seiche/device.hpp"
#include "seiche/problem.hpp"

namespace seiche::planner {

/// Points that one thread has of an axis of a plane, whole.
inline constexpr std::uint32_t most_whole_in_plane = 32;
/// Rows of real numbers from this length on are whole where that is faster, shorter ones in any case.
inline constexpr std::uint64_t shortest_long_row = 32;

/// Even rows of real planes that a thread has whole, but for longer powers of two; of others bins meet on chip
/// (group/real_plane.cpp) where they can.
bool has_faster_rows(std::uint64_t n, bool is_r2c, Precision precision);

/// How an axis's points are dealt where each pass of a kernel has threads of its own. No radices: there is no such way.
struct AxisDeal {
    std::vector<std::uint32_t> radices;
    std::uint32_t threads = 1;  ///< Of a sequence.
};

/// What the deals of a plane's axes begin with.
enum class Dealing : std::uint8_t {
    as_faster,         ///< As was measured where a group has place for it.
    with_empty_slots,  ///< One-sided rows, and axes beside them, in fewer threads, some of which have more points.
    in_parts,          ///< No thread has more than a few points of an axis.
};

/// The axes in the order of their passes.
struct GroupAxes {
    std::vector<std::uint64_t> lengths;
    std::vector<std::uint64_t> sequences;  ///< Of each axis.
    Precision precision = Precision::f32;
    std::optional<std::size_t> one_sided;  ///< Which of them has rows of real numbers.
    Dealing dealing = Dealing::as_faster;

    AxisDeal deal(std::size_t i) const;
    std::uint64_t threads(std::size_t i) const { return sequences[i] * deal(i).threads; }
    bool is_plane() const { return lengths.size() == 2; }
    /// Rows of real numbers that are whole where others are not. Beside shorter ones a thread of a long axis has fewer
    /// points, so that the passes have about as many threads: 60 x 20 numbers 0.95 and, so, 0.79 (H200, of copy).
    bool has_long_whole_rows() const;
    /// Whether one of so many threads of a group has registers for its points of an axis.
    bool has_registers(std::size_t i, std::uint64_t threads) const;
    /// Of complex points: whether all axes are short, and by threads that have them whole not slower than by parts.
    bool is_faster_in_rows() const;
};

/// Axes of which every one has as many sequences as the points of the others that are not left out of rows.
GroupAxes axes_of_group(const std::vector<std::uint64_t>& lengths, std::optional<std::size_t> one_sided,
                        Precision precision);

/// The same, those of a plane dealt otherwise where a group has no place for them as they are faster.
GroupAxes with_place(GroupAxes axes, const DeviceLimits& limits);

/// What sequences take at most of shared memory, one element apart where their length is no power of two.
std::uint64_t bytes_in_places(std::uint64_t sequences, std::uint64_t n, Precision precision);

/// Whether a group has the threads, the registers and the memory for them, however they are dealt.
bool holds(const GroupAxes& axes, const DeviceLimits& limits);

}  // namespace seiche::planner
