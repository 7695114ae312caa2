// Which passes are one kernel.
#pragma once

#include <optional>
#include <string>

#include "planner/recipe.hpp"
#include "support/refusal.hpp"

namespace seiche::planner {

using support::Refusal;

/// Groups whose memories should hold what lies between two passes, by measurement; 0: separate passes.
std::uint32_t choose_fusion(const problem::Canonical& problem, const DeviceLimits& limits, const Tuning& tuning);

/// Whether the device has as many groups for one kernel as tuning.groups_per_cluster asks for.
[[nodiscard]] Refusal refuse_clusters(const DeviceLimits& limits, const Tuning& tuning);

/// Fuses as tuning.groups_per_cluster asks, and says how. Empty: that is not possible, and the schedule is unchanged.
std::optional<FusedAs> fuse_as_asked(Schedule& schedule, bool is_in_place, const DeviceLimits& limits,
                                     const Tuning& tuning);
/// What it would have taken.
std::string why_not_fused(const Schedule& schedule, const Tuning& tuning);

/// The same where the planner asks. Empty: the schedule is unchanged, since it is not possible or threads would idle.
std::optional<FusedAs> fuse_where_it_pays(Schedule& schedule, bool is_in_place, const DeviceLimits& limits,
                                          const Tuning& tuning);

}  // namespace seiche::planner
