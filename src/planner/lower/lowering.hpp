// Lowering one direction of a recipe: its state, and what adds passes to it. Each group of functions has a source of
// its own, which says how its passes go about it.
#pragma once

#include "planner/convolution.hpp"
#include "planner/lower/arrays.hpp"
#include "planner/lower/passes.hpp"
#include "planner/lower/places.hpp"

namespace seiche::planner {

struct Lowering {
    Lowering(const problem::Canonical& problem, const DeviceLimits& limits, const LowerOptions& options)
        : arrays(problem, limits, options), places(arrays), passes(arrays, places) {}
    Lowering(const Lowering&) = delete;
    Lowering& operator=(const Lowering&) = delete;

    Arrays arrays;
    Places places;
    Passes passes;

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

// finish.cpp
/// Passes in one kernel, as the recipe or the tuning asks.
void fuse(Arrays& arrays, Schedule& schedule, std::uint32_t groups_per_cluster);
/// Passes in one persistent launch, where it pays or the tuning asks.
void pipeline(const Arrays& arrays, Schedule& schedule);
/// The shape and the name of every kernel.
void finish(const Arrays& arrays, Schedule& schedule);

/// Several complex axes of which the one that comes last has two passes.
bool ends_in_two_passes(const Recipe& recipe);
/// A schedule whose arrays' buffers are not divided yet. Input and output are apart unless the problem is in place.
Schedule lower_passes(const Recipe& recipe, const problem::Canonical& problem, const DeviceLimits& limits,
                      const LowerOptions& options);
// two_layouts.cpp
/// The same of a problem with two layouts in place.
Schedule lower_two_layouts(const Recipe& recipe, const problem::Canonical& problem, const DeviceLimits& limits,
                           const LowerOptions& options);

}  // namespace seiche::planner
