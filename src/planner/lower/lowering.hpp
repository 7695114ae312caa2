// Lowering one direction of a recipe: its state, and what adds passes to it. Each group of functions has a source of
// its own, which says how its passes go about it.
#pragma once

#include "planner/lower/arrays.hpp"
#include "planner/lower/passes.hpp"
#include "planner/lower/places.hpp"
#include "planner/spectral.hpp"
#include "support/refusal.hpp"

namespace seiche::planner {

using support::Refusal;

struct Lowering {
    Lowering(const problem::Canonical& problem, const DeviceLimits& limits, const LowerOptions& options,
             Rest rest = Rest::in_output)
        : arrays(problem, limits, options, rest), places(arrays), passes(arrays, places) {}
    Lowering(const Lowering&) = delete;
    Lowering& operator=(const Lowering&) = delete;

    Arrays arrays;
    Places places;
    Passes passes;
    bool holds_axis = false;  ///< A group is to have all passes of the only axis.

    /// What was added so far.
    Schedule schedule() const { return {passes.steps, places.workspace_a_elements, places.workspace_b_elements}; }
};

// complex_axes.cpp
/// All passes of an axis, of any kind; it is done then.
void add_axis(Lowering& l, const AxisRecipe& axis);
/// Of c2c, and of the core of a real axis.
void add_complex(Lowering& l, const AxisRecipe& axis);
// real_axes.cpp
void add_real(Lowering& l, const AxisRecipe& axis);
// register_rows.cpp
void add_register_rows(Lowering& l, const Recipe& recipe);
// textbook.cpp
void add_textbook(Lowering& l, const TextbookLaunches& recipe);
// image.cpp
void add_texels(Lowering& l);
// stages.cpp
/// The directions' exchange of parts, and scales.
void add_outer_stages(Lowering& l);
void add_user_stages(Lowering& l);
/// Swaps real and imaginary parts on either side of the complex axes.
void swap_parts_of_complex(Lowering& l);
/// Notes by how much the steps from `first` on, of this axis, may make their data grow.
void note_growth(Lowering& l, const AxisRecipe& axis, std::size_t first);

// lower.cpp
/// All passes of a recipe, a launch each, with data as `recipe.sharing` says between them.
void add_passes(Lowering& l, const Recipe& recipe);
/// The launches of a complete recipe, whose arrays' buffers are not divided yet. Input and output are apart unless the
/// problem is in place.
Schedule lower_launches(const Recipe& recipe, const problem::Canonical& problem, const DeviceLimits& limits,
                        const LowerOptions& options);
/// Divides arrays into buffers, and fills in what kernels choose.
void complete(Schedule& schedule, const problem::Canonical& problem, const DeviceLimits& limits, const Tuning& tuning);
/// Several complex axes of which the one that comes last has two passes.
bool ends_in_two_passes(const Recipe& recipe);

// share.cpp
/// Makes passes share kernels and launches as was chosen.
void share(Arrays& arrays, Schedule& schedule, const Sharing& sharing);

// finish.cpp
/// The shape and the name of every kernel.
[[nodiscard]] Refusal finish(const Arrays& arrays, Schedule& schedule);
/// The tuning of passes that are one kernel: with the threads that a complete recipe has for them.
Tuning with_threads(const Arrays& arrays);

// runs.cpp
/// Whether what lies between two passes with their shapes may lie in runs of a workspace.
bool may_lie_in_runs(const Schedule& schedule);
/// Makes it lie so; groups of the first pass have so many sequences then.
[[nodiscard]] Refusal lay_in_runs(const Arrays& arrays, Schedule& schedule, std::uint32_t sequences);

// copied_input.cpp
/// A problem with two layouts in place, as the transform of a copy of its input: the problem of the copy, and what adds
/// the pass that makes it. Throws Unsupported for stages that no copy can have.
problem::Canonical problem_of_copy(const problem::Canonical& problem, Direction direction);
/// Whether a pass stores in the output before all of the input has been read.
bool writes_too_early(const Schedule& schedule);
/// False: no workspace holds the copy, and the schedule is unchanged.
bool add_copy_of_input(Schedule& schedule, const problem::Canonical& problem, const problem::Canonical& copied,
                       const DeviceLimits& limits, const LowerOptions& options);

}  // namespace seiche::planner
