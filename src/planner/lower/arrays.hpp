// What lowering knows of the problem's arrays: where points lie, how numbers are stored, what is kept.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "planner/lower/buffers.hpp"
#include "planner/recipe.hpp"

namespace seiche::planner {

using kernels::KernelSpec;
using kernels::Loop;
using kernels::Stage;

/// The points of every axis in one of a schedule's arrays.
struct Place {
    Role role = Role::input;
    View view;
    std::optional<std::size_t> paired = {};  ///< Along this axis two real numbers are one element.
};

/// Facts of one direction of a problem, which stay as they are while its passes are added.
struct Arrays {
    Arrays(const problem::Canonical& the_problem, const DeviceLimits& the_limits, const LowerOptions& the_options,
           Rest the_rest = Rest::in_output)
        : problem(the_problem),
          limits(the_limits),
          options(the_options),
          rest(the_rest),
          input(input_view(the_problem)),
          output(output_view(the_problem)) {}

    const problem::Canonical& problem;
    const DeviceLimits& limits;
    LowerOptions options;
    Rest rest;
    View input, output;
    bool has_narrow_workspaces = false;  ///< Workspaces have 16-bit storage, as the problem's arrays.
    std::uint32_t fused_threads = 0;     ///< Fusion::threads, which the recipe has already.

    bool has_stages() const { return problem.stages_of(options.direction) != problem::DirectionStages{}; }
    bool is_complex_to_real() const { return problem.output_is_real && !problem.input_is_real; }
    /// A compact output has no room for points that pruning leaves out, as passes of other axes have them.
    bool is_output_cut() const;
    /// No pass but the last may store in the output: an image, memory that holds the input too, or without such room.
    bool rests_before_output() const {
        const bool is_cut = rest != Rest::in_input && !is_complex_to_real() && is_output_cut();
        return problem.output_image || problem.has_two_layouts || is_cut;
    }
    /// Every pass of the axis works in place: its spectrum is left in pass order. Not the core of a real axis.
    bool stays_in_order(const AxisRecipe& axis) const;
    /// The input may serve as workspace.
    bool may_use_input() const;

    Storage storage_of(Role role) const {
        const bool is_scratch = (role == Role::input && options.input_is_scratch) ||
                                (role == Role::output && options.output_is_scratch) ||
                                (role > Role::output && !has_narrow_workspaces);
        return is_scratch ? Storage::same : problem.storage;
    }
    bool is_planar(Role role) const {
        return role == Role::input ? problem.input_planar : role == Role::output && problem.output_planar;
    }
    bool is_same_memory(const Place& a, const Place& b) const {
        return a.role == b.role || (problem.in_place() && a.role <= Role::output && b.role <= Role::output);
    }
    /// What pruning leaves of an axis's input or output.
    kernels::Kept kept(std::size_t axis, bool is_input) const;
    /// Of element 0, in elements.
    std::int64_t offset(const Place& place, bool is_input) const;
    /// What a real axis is in this direction.
    kernels::RealMap real_map(const AxisRecipe& axis) const;
    /// Neighbouring numbers along an axis as one element, if they can be.
    std::optional<Place> in_pairs(const Place& place, std::size_t axis) const;
    /// Space for the points of a real axis's core in the input or the output: complex elements as they lie, or pairs
    /// of real ones.
    std::optional<Place> points_in(const Place& array, const kernels::RealMap& map, bool is_input,
                                   std::size_t axis) const;
};

}  // namespace seiche::planner
