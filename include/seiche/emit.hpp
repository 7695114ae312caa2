// Emission: the generated source of a plan's kernels, readable, for any dialect, without a device.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "seiche/device.hpp"
#include "seiche/problem.hpp"
#include "seiche/tuning.hpp"

namespace seiche {

enum class Dialect { cuda, opencl };
const char* to_string(Dialect dialect) noexcept;

struct EmittedKernel {
    std::string name;    ///< Entry point.
    std::string source;  ///< A whole compilation unit. No attribution is needed to use it.
    std::uint64_t groups = 0;
    std::uint32_t group_size = 0;
    std::uint64_t shared_bytes = 0;
};

/// The kernels that run `problem` in `direction`, in order.
std::vector<EmittedKernel> emit_kernels(const Problem& problem, Dialect dialect, const DeviceLimits& limits,
                                        Direction direction = Direction::forward, const Tuning& tuning = {});

}  // namespace seiche
