// What the tables say of two passes: whether they share a launch, a cluster or a plane's block.
#pragma once

#include <cstdint>
#include <optional>

#include "seiche/device.hpp"
#include "seiche/problem.hpp"

namespace seiche::planner {

/// Whether the blocks of two pipelined passes of r2c, of any precision, take a divisor of the last pass's columns
/// first.
bool divide_columns_of_bins(std::uint32_t first, std::uint32_t second, const DeviceLimits& limits);

/// Whether two passes of a complex axis that the rule would pipeline are faster apart.
bool are_faster_apart(Precision precision, std::uint32_t first, std::uint32_t second, const DeviceLimits& limits);
/// Whether these two, behind another pass or not, were measured to gain by pipelining.
bool are_measured_to_pipeline(Precision precision, std::uint32_t first, std::uint32_t second, bool is_behind_another,
                              const DeviceLimits& limits);

/// Transforms of a group of two pipelined complex passes; 0: the rule's.
std::uint32_t measured_transforms(Precision precision, std::uint32_t first, std::uint32_t second,
                                  const DeviceLimits& limits);

struct MeasuredCluster {
    std::uint32_t first = 1, second = 1, groups = 1;
};
/// Of the points of c2c, r2c or c2r, of so many transforms; nothing: the rule's.
std::optional<MeasuredCluster> measured_cluster(Kind kind, Precision precision, std::uint64_t points,
                                                std::uint64_t transforms, const DeviceLimits& limits);
/// Blocks of a cluster that holds two passes of c2c of so many points, whose lengths the rule chooses; 0: the rule's.
std::uint32_t measured_groups(Precision precision, std::uint64_t points, const DeviceLimits& limits);

/// A plane of real numbers whose points the groups of a cluster hold, or one group; 0: none does.
struct MeasuredPlane {
    std::uint32_t groups = 0;
    bool has_wide_threads = false;  ///< 32 points each.
};
/// Of so many rows of so many numbers, r2c or c2r; nothing: the rule's.
std::optional<MeasuredPlane> measured_plane(Kind kind, Precision precision, std::uint64_t rows, std::uint64_t numbers,
                                            const DeviceLimits& limits);

/// Whether two passes of the points of r2c (`stores_bins`) or c2r are in a table as pipelined.
bool are_measured_for_bins(bool stores_bins, Precision precision, std::uint32_t first, std::uint32_t second,
                           const DeviceLimits& limits);
/// The same of types II to IV.
bool are_pipelined_as_folded(Kind kind, Precision precision, std::uint32_t first, std::uint32_t second,
                             const DeviceLimits& limits);

}  // namespace seiche::planner
