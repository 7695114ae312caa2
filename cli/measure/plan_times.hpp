// How long making a plan takes: cold, from the disk cache, and again, each in fresh processes.
#pragma once

#include <string>

#include "cli/command/report.hpp"

namespace seiche::cli {

/// Medians over the rounds, wall time. The device is open already in each.
struct PlanTimes {
    double cold_ms = 0;        ///< First plan of a process, every cache empty: the compiler loads too.
    double cold_later_ms = 0;  ///< Another plan of that process, not in a cache either.
    double disk_ms = 0;        ///< First plan of a process, kernels in the disk cache.
    double disk_later_ms = 0;  ///< Another plan of that process, in the disk cache too.
    double again_us = 0;       ///< The same problem again in the process.
    unsigned rounds = 0;
    unsigned kernels = 0;  ///< Compiled for the cold plan.
};

/// Starts this program anew for each figure, with caches in a folder of its own that is removed afterwards.
PlanTimes measure_plan_times(const std::string& problem, const std::string& device, unsigned rounds);

/// What such a process does: prints "plan FIRST_MS KERNELS_COMPILED LATER_MS AGAIN_US", or "error REASON", and never
/// throws.
void run_plan_probe(const std::string& problem, const std::string& device);

}  // namespace seiche::cli
