// Plans as values, without a device: reports, sources, analyses.
#pragma once

#include <vector>

#include "emit/source.hpp"
#include "planner/recipe.hpp"
#include "problem/problem.hpp"
#include "seiche/inspect.hpp"
#include "seiche/plan.hpp"

namespace seiche::exec {

/// The recipe, kernels and bytes of a plan for both directions or one. Times and counts of compilation are left at 0.
PlanReport describe(const problem::Canonical& problem, const DeviceLimits& limits, const PlanOptions& options);

struct GeneratedKernel {
    kernels::KernelSpec spec;
    emit::Source source;
};
/// The sources of one direction, in order.
std::vector<GeneratedKernel> sources(const problem::Canonical& problem, const DeviceLimits& limits,
                                     const planner::LowerOptions& options, const emit::Target& target);

/// Interprets every kernel of the forward schedule on random data and counts.
std::vector<AnalysisReport> analyse(const problem::Canonical& problem, const DeviceLimits& limits,
                                    const Tuning& tuning);

}  // namespace seiche::exec
