// A card of the kind that the planner's measured rows hold for, as it tells of itself.
#pragma once

#include <cstdint>

#include "seiche/device.hpp"

namespace seiche {

inline DeviceLimits card_of_kind() {
    DeviceLimits limits;
    limits.architecture = "sm_90";
    limits.shared_bytes = 227 * 1024;
    limits.shared_bytes_per_unit = 228 * 1024;
    limits.cache_bytes = std::uint64_t{50} << 20;
    limits.compute_units = 132;
    limits.max_cluster_size = 16;
    limits.waits_for_groups = true;
    return limits;
}

}  // namespace seiche
