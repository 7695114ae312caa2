// `seiche bench` of a workflow: verified, timed by turns with copies of as many bytes and with compositions of other
// libraries, and verified again.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cli/measure/bench_result.hpp"
#include "cli/problem/stage_options.hpp"
#include "seiche/device.hpp"

namespace seiche::cli {

struct WorkflowBench {
    std::vector<std::string> against;  ///< Libraries: workflow_rivals() of cli/workflow/rival.hpp.
    unsigned repeat = 15;
    std::uint64_t seed = 1;
    std::shared_ptr<HostArrays> host;  ///< For one workflow after another.
    StageOptions stages = {};          ///< Of a spectral operator.
};

/// Fills in what was measured of `result.problem`, the text of a workflow, a spectral operator or a short-time
/// transform. Throws Failure where our answer is wrong; a rival that has no composition, or whose answer is wrong, is
/// not timed.
void bench_workflow(const Device& device, const WorkflowBench& options, BenchResult& result);

}  // namespace seiche::cli
