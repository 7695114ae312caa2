// Cores that were measured to be faster than those that the policy of shapes chooses by itself.
#pragma once

#include <optional>
#include <vector>

#include "kernels/spec.hpp"
#include "seiche/device.hpp"

namespace seiche::planner {

struct MeasuredCore {
    std::vector<std::uint32_t> radices;
    std::uint32_t threads = 1;
    std::uint32_t sequences = 0;  ///< Of a group; 0: the policy's.
};

struct MeasuredQuestion {
    std::uint64_t n = 1;
    Precision precision = Precision::f32;
    bool is_narrow = false;  ///< Memory has halves of numbers that are computed in f32.
};

/// Of a dense complex sequence that one pass holds; nothing where none is known to be faster than the policy's own, or
/// on devices of another kind than that of the measurement.
std::optional<MeasuredCore> measured_core(const MeasuredQuestion& question, const DeviceLimits& limits);
/// The same of a spec that has its radices.
std::optional<MeasuredCore> measured_core(const kernels::KernelSpec& spec, const DeviceLimits& limits);

}  // namespace seiche::planner
