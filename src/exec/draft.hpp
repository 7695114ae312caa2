// A plan before it meets a backend: the recipe, the schedules, and every kernel generated once.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ir/kernel.hpp"
#include "planner/recipe.hpp"
#include "problem/problem.hpp"
#include "seiche/inspect.hpp"
#include "seiche/plan.hpp"

namespace seiche::exec {

/// One launch: its spec, its buffers, and its kernel, optimised and verified.
struct DraftStep {
    planner::Step step;
    std::shared_ptr<ir::Kernel> kernel;
};

struct DraftSchedule {
    Direction direction = Direction::forward;  ///< Of the planned kinds.
    planner::Recipe recipe;                    ///< Complete.
    std::vector<DraftStep> steps;
    std::uint64_t workspace_a_elements = 0, workspace_b_elements = 0;  ///< Per batch entry.
};

struct Draft {
    planner::Recipe recipe;                ///< The axes' algorithms.
    std::vector<DraftSchedule> schedules;  ///< Forward first; only the directions that were asked for.
};

/// Generates, optimises and verifies a step's kernel.
DraftStep draft_step(const planner::Step& step);

/// The same for steps that have no kernels yet, on all processors.
void make_kernels(const std::vector<DraftStep*>& steps);

/// The default direction alone.
Directions first_direction(const problem::Canonical& problem);

/// The directions of the options are the problem's.
Draft draft(const problem::Canonical& problem, const DeviceLimits& limits, const PlanOptions& options);

/// Of the user's buffers that a kernel's stages read, or write; each once: what is read over and over again is in a
/// cache.
std::uint64_t stage_bytes(const kernels::KernelSpec& spec, bool written);

/// What a step launches and moves for so many arrays in this direction of the problem; counts of compilation are left
/// at 0.
KernelReport report_step(const DraftStep& step, Direction direction, std::uint64_t batch);

/// What the draft of a stated problem launches and how many bytes it moves. Times and counts of compilation are left at
/// 0.
PlanReport report(const Draft& draft, const problem::Canonical& problem, const Problem& stated);

}  // namespace seiche::exec
