// What subgroups touch of numbers that pass through shared memory beside the points of a core.
#pragma once

#include "kernels/contract/spec.hpp"
#include "kernels/group/bank_conflicts.hpp"

namespace seiche::kernels {

/// Of a plane's conjugate pairs, in a group of so many threads.
void add_plane_patterns(const KernelSpec& spec, std::uint32_t threads, std::uint32_t pitch,
                        std::vector<AccessPattern>& all);
/// Of a real axis's elements.
void add_real_patterns(const KernelSpec& spec, std::uint32_t pitch, std::vector<AccessPattern>& all);

}  // namespace seiche::kernels
