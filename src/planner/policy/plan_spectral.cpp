// The launches of a convolution: its kernel's preparation, and what runs for every signal.
#include <algorithm>
#include <array>

#include "kernels/contract/generate.hpp"
#include "planner/fuse/fuse.hpp"
#include "planner/lower/parts.hpp"
#include "planner/lower/spectral.hpp"
#include "planner/policy/sharing.hpp"
#include "planner/spectral.hpp"

namespace seiche::planner {

namespace {

/// The passes before the middle of three axes and more, or behind it, may share kernels.
Schedule schedule_of(Lowering& l, const SpectralDesign& d) {
    Schedule schedule = l.schedule();
    Sharing sharing;
    if (d.lengths.size() > 2)
        support::expect_none(choose_sharing(l.arrays, schedule, d.recipe.groups_per_cluster, sharing));
    take_measured_radices(l.arrays, schedule);
    support::expect_none(finish(l.arrays, schedule));
    return schedule;
}

/// Names that a lowering's own buffers have in the schedule, by Role up to workspace_b.
using Names = std::array<Role, 4>;

void append(const Schedule& part, const Names& names, SpectralSchedule& all) {
    const auto need = [&](Role role, std::uint64_t elements) {
        if (role <= Role::output) return;
        std::uint64_t& had = all.workspace_elements[static_cast<std::size_t>(role) - 2];
        had = std::max(had, elements);
    };
    for (Step step : part.steps) {
        for (Role* role : {&step.source, &step.target, &step.counters, &step.between})
            *role = names[static_cast<std::size_t>(*role)];
        all.steps.push_back(std::move(step));
    }
    need(names[2], part.workspace_a_elements);
    need(names[3], part.workspace_b_elements);
}

void need_for_spectrum(SpectralSchedule& all, Role role, std::uint64_t elements) {
    const bool is_used = std::any_of(all.steps.begin(), all.steps.end(),
                                     [&](const Step& step) { return step.source == role || step.target == role; });
    std::uint64_t& had = all.workspace_elements[static_cast<std::size_t>(role) - 2];
    if (is_used) had = std::max(had, elements);
}

void complete(SpectralSchedule& all) {
    for (Step& step : all.steps) step.spec = kernels::complete(std::move(step.spec));
}

}  // namespace

SpectralSchedule lower_preparation(const SpectralDesign& d, const DeviceLimits& limits, const Tuning& tuning) {
    SpectralSchedule all;
    if (d.spectral.kernels == 0) return all;
    if (d.kernel_in_time) {
        LowerOptions options{Direction::inverse, tuning, false, true};
        append(plan(d.kernel_in_time->recipe, d.kernel_in_time->problem, limits, options).schedule,
               {Role::input, Role::workspace_c, Role::workspace_a, Role::workspace_b}, all);
        need_for_spectrum(all, Role::workspace_c, d.spectrum_points * d.spectral.kernels);
    }
    const LowerOptions options{Direction::forward, tuning, d.kernel_in_time.has_value(), true};
    append(plan(d.kernel_recipe, d.kernel, limits, options).schedule,
           {d.kernel_in_time ? Role::workspace_c : Role::input, Role::output, Role::workspace_a, Role::workspace_b},
           all);
    assign_parts(all, d, true, limits, tuning);
    return all;
}

namespace {

/// What the inverse transform has between its passes lies where the forward one's result was, which is not needed then.
SpectralSchedule lower_in_memory(const SpectralDesign& d, const DeviceLimits& limits, const Tuning& tuning) {
    SpectralSchedule all;
    const problem::CanonicalSpectral& c = d.spectral;
    const auto push = [&all](Step step) {
        step.spec = kernels::complete(std::move(step.spec));
        all.steps.push_back(std::move(step));
    };
    const bool is_forward = c.part == SpectralPart::forward, is_inverse = c.part == SpectralPart::inverse;
    if (c.has_signal_in()) {
        const Role to = is_forward && d.is_spectrum_dense() ? Role::output : Role::workspace_a;
        append(plan(d.recipe, d.signal, limits, {Direction::forward, tuning, false, true}).schedule,
               {Role::input, to, Role::workspace_b, Role::workspace_c}, all);
        if (c.sums() != 0) {
            all.steps.push_back(step_of_bins(d, {to, output_view(d.signal)}, limits));
            add_sums(all, d, limits);
        }
        if (is_forward && to != Role::output) push(step_of_copy(d, limits));
    }
    const Role at = c.has_weights ? Role::workspace_b : Role::workspace_a;
    if (c.part == SpectralPart::gradient) push(step_of_gradient(d, limits));
    if (c.has_signal_out()) {
        if (c.has_weights) push(step_of_modes(d, is_inverse ? Role::input : Role::workspace_a, limits));
        if (!c.has_weights && is_inverse) push(step_of_copy(d, limits));
        append(plan(d.result_recipe, d.result, limits, {Direction::inverse, tuning, true, false}).schedule,
               {at, Role::output, c.has_weights ? Role::workspace_a : Role::workspace_b, Role::workspace_c}, all);
    }
    need_for_spectrum(all, Role::workspace_a, c.inputs * d.spectrum_points);
    if (c.has_weights) need_for_spectrum(all, Role::workspace_b, c.outputs * d.spectrum_points);
    assign_parts(all, d, false, limits, tuning);
    return all;
}

/// Transforms of real-to-real axes lie on the outside of those of the periodic ones, whose spectrum is complex.
SpectralSchedule lower_by_kinds(const SpectralDesign& d, const DeviceLimits& limits, const Tuning& tuning) {
    SpectralSchedule all;
    const auto add = [&](const Recipe& recipe, const problem::Canonical& problem, const LowerOptions& options,
                         const Names& names) { append(plan(recipe, problem, limits, options).schedule, names, all); };
    const auto forward = [&](bool is_first) { return LowerOptions{Direction::forward, tuning, !is_first, true}; };
    const auto inverse = [&](bool is_last) { return LowerOptions{Direction::inverse, tuning, true, !is_last}; };
    constexpr Role a = Role::workspace_a, b = Role::workspace_b, c = Role::workspace_c, e = Role::workspace_d;
    if (d.real_axes) {
        add(d.real_axes->there.recipe, d.real_axes->there.problem, forward(true), {Role::input, a, b, c});
        add(d.recipe, d.signal, forward(false), {a, b, c, e});
        add(d.result_recipe, d.result, inverse(false), {b, a, c, e});
        add(d.real_axes->back.recipe, d.real_axes->back.problem, inverse(true), {a, Role::output, b, c});
        need_for_spectrum(all, b, d.spectrum_points);
    } else {
        add(d.recipe, d.signal, forward(true), {Role::input, a, b, c});
        add(d.result_recipe, d.result, inverse(true), {a, Role::output, b, c});
    }
    std::uint64_t numbers = 1;
    for (const std::uint64_t length : d.lengths) numbers *= length;
    need_for_spectrum(all, a, (numbers + 1) / 2);
    assign_parts(all, d, false, limits, tuning);
    return all;
}

/// All passes of a plane's operator as one kernel. False, and there are none: no group has them.
bool lower_on_chip(const Lowering& forward, const Names& names, const Lowering& back, const Names& names_back,
                   SpectralSchedule& all) {
    SpectralSchedule passes;
    append(forward.schedule(), names, passes);
    append(back.schedule(), names_back, passes);
    Schedule schedule{passes.steps};
    if (!fuse_operator(schedule, forward.arrays.limits) || finish(forward.arrays, schedule)) return false;
    all.steps = std::move(schedule.steps);
    return true;
}

}  // namespace

SpectralSchedule lower_execution(const SpectralDesign& d, const DeviceLimits& given, const Tuning& tuning) {
    const DeviceLimits limits = without_room_for_partials(given, d.spectral);
    if (d.spectral.has_real_kinds()) return lower_by_kinds(d, limits, tuning);
    if (d.spectral.is_in_memory()) return lower_in_memory(d, limits, tuning);
    SpectralSchedule all;
    Lowering forward(d.signal, limits, {Direction::forward, tuning, false, true});
    const Place place = to_spectrum(forward, d);
    const bool is_whole = d.is_one_kernel();
    const Names names{Role::input, is_whole ? Role::output : Role::workspace_a, Role::workspace_b, Role::workspace_c};
    if (is_whole) {
        append(schedule_of(forward, d), names, all);
        add_sums(all, d, limits);
        assign_parts(all, d, false, limits, tuning);
        complete(all);
        return all;
    }
    // The spectrum is where the forward way ended; the way back has the other workspaces for itself.
    const Role at = place.role == Role::output        ? Role::workspace_a
                    : place.role == Role::workspace_a ? Role::workspace_b
                                                      : Role::workspace_c;
    const Role first = at == Role::workspace_a ? Role::workspace_b : Role::workspace_a;
    const Role second = at == Role::workspace_c ? Role::workspace_b : Role::workspace_c;
    const Names names_back{at, Role::output, first, second};
    Lowering back(d.result, limits, {Direction::inverse, tuning, true, false}, Rest::in_input);
    from_spectrum(back, d, place);
    if (d.is_plane_on_chip && lower_on_chip(forward, names, back, names_back, all)) {
        add_sums(all, d, limits);
    } else {
        append(schedule_of(forward, d), names, all);
        if (!d.fused && d.spectral.sums() != 0) all.steps.push_back(step_of_bins(d, {at, place.view}, limits));
        add_sums(all, d, limits);
        append(schedule_of(back, d), names_back, all);
        need_for_spectrum(all, Role::workspace_a, static_cast<std::uint64_t>(d.signal.batch.output_distance));
    }
    assign_parts(all, d, false, limits, tuning);
    complete(all);
    return all;
}

}  // namespace seiche::planner
