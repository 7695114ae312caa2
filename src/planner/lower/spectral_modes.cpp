// The launches of an operator whose spectrum is in memory: the pruned forward transform, the matrix of weights, and the
// pruned inverse one, each in a workspace of its own.
#include <algorithm>
#include <bit>

#include "planner/device_model.hpp"
#include "planner/lower/spectral.hpp"
#include "planner/model/processors.hpp"
#include "planner/shape/shape.hpp"
#include "support/strides.hpp"

namespace seiche::planner {

namespace {

using problem::CanonicalSpectral;
using problem::Range;

/// Modes that lie beside each other, from any multiple of so many on.
std::uint64_t neighbours(const KernelSpec& spec) {
    const kernels::Loop& first = spec.loops.front();
    if (spec.loops.size() < 2 || first.input_stride != 1) return 1;
    std::uint64_t common = first.count;
    for (const kernels::Gap& gap : first.gaps) common |= gap.at;
    return common & (~common + 1);
}

/// Modes that a pass has: neighbouring ones in a register, or in threads of a group with `threads` for each.
void choose_shape(const CanonicalSpectral& c, const DeviceLimits& limits, std::uint32_t threads, KernelSpec& spec) {
    constexpr std::uint32_t most_threads = 256;
    const std::uint64_t modes = kernels::sequences_per_batch(spec);
    if (!has_groups(limits)) {
        kernels::SimdShape shape;
        shape.across = true;
        shape.lanes = static_cast<std::uint32_t>(
            std::min<std::uint64_t>(simd_lanes(limits, c.precision), std::bit_floor(neighbours(spec))));
        shape.units_per_group = static_cast<std::uint32_t>(
            std::clamp<std::uint64_t>(modes / shape.lanes / limits.compute_units, 1, simd::points_per_group));
        spec.shape = shape;
        return;
    }
    const std::uint32_t most = std::min(most_threads, limits.max_group_size);
    const std::uint64_t across = threads == 1 ? most : std::max(limits.subgroup_size, 1u);
    kernels::GroupShape shape;
    shape.sequences =
        static_cast<std::uint32_t>(std::min<std::uint64_t>({std::bit_ceil(modes), across, std::uint64_t{most}}));
    shape.threads = std::max(std::min(threads, most / shape.sequences), 1u);
    spec.shape = shape;
}

/// Of channels: sums and what is loaded for them have 128 registers. Measured: LAB-0121.
void choose_shape_of_channels(const CanonicalSpectral& c, const DeviceLimits& limits, std::uint32_t outputs_of_thread,
                              KernelSpec& spec) {
    constexpr std::uint32_t threads_of_unit = 512;
    // One thread has neighbours across a subgroup alone, as several do.
    const std::uint32_t threads = (c.outputs + outputs_of_thread - 1) / outputs_of_thread;
    choose_shape(c, limits, std::max(threads, 2u), spec);
    if (auto* shape = std::get_if<kernels::GroupShape>(&spec.shape)) {
        shape->threads = std::min(shape->threads, threads);
        shape->min_groups_per_unit = std::max(1u, threads_of_unit / std::max(shape->threads * shape->sequences, 32u));
    }
}

constexpr std::uint32_t outputs_of_thread = 4;
/// Inputs or arrays that a thread has beside its outputs.
std::uint32_t others_of_thread(const CanonicalSpectral& c) { return c.precision == Precision::f32 ? 4 : 2; }

KernelSpec spec_of(const CanonicalSpectral& c, const std::string& name) {
    KernelSpec spec;
    spec.name = name + (c.has_weights ? "_" + std::to_string(c.inputs) + "x" + std::to_string(c.outputs) : "");
    spec.precision = c.precision;
    spec.radices = {1};
    return spec;
}

/// The kept modes of each axis, in the spectrum's memory.
void add_loops_of_modes(const SpectralDesign& d, KernelSpec& spec) {
    const CanonicalSpectral& c = d.spectral;
    std::size_t axis = d.signal.axes.size();  // which has none of a single point, but for the halved one
    for (std::size_t i = c.axes.size(); i-- > 0;) {
        if (c.axes[i].least == 1 && (!c.is_real() || i + 1 != c.axes.size())) continue;
        kernels::Loop loop = loop_of_modes(c.bins(i), c.axes[i].kept, d.signal.axes[--axis].output_stride);
        if (loop.count > 1 || !loop.gaps.empty()) spec.loops.push_back(std::move(loop));
    }
}

}  // namespace

kernels::Loop loop_of_modes(std::uint64_t bins, const std::vector<Range>& kept, std::int64_t stride) {
    kernels::Loop loop{bins, stride, stride};
    if (kept.empty()) return loop;
    loop.count = 0;
    std::uint64_t reached = 0;
    for (const Range& range : kept) {
        if (range.begin > reached) loop.gaps.push_back({loop.count, range.begin - reached});
        loop.count += range.end - range.begin;
        reached = range.end;
    }
    return loop;
}

Step step_of_modes(const SpectralDesign& d, Role source, const DeviceLimits& limits) {
    const CanonicalSpectral& c = d.spectral;
    const bool is_dense = source == Role::input;
    Step step;
    step.source = source;
    step.target = Role::workspace_b;
    KernelSpec& spec = step.spec = spec_of(c, "modes");
    add_loops_of_modes(d, spec);
    const std::uint64_t channel = d.spectrum_points, own = is_dense ? c.modes() : channel;
    spec.loops.push_back({0, support::times(c.inputs, static_cast<std::int64_t>(own)),
                          support::times(c.outputs, static_cast<std::int64_t>(channel))});
    spec.convolution.channels = {c.inputs, c.outputs, false, own, channel, c.modes()};
    kernels::ModeMatrix matrix;
    matrix.outputs_of_thread = std::min(outputs_of_thread, c.outputs);
    matrix.arrays_of_thread = static_cast<std::uint32_t>(std::min<std::uint64_t>(others_of_thread(c), c.batch));
    matrix.is_input_dense = is_dense;
    matrix.is_adjoint = c.is_adjoint;
    spec.work = matrix;
    choose_shape_of_channels(c, limits, matrix.outputs_of_thread, spec);
    return step;
}

Step step_of_copy(const SpectralDesign& d, const DeviceLimits& limits) {
    const CanonicalSpectral& c = d.spectral;
    const bool is_gathered = c.part == SpectralPart::forward;
    Step step;
    step.source = is_gathered ? Role::workspace_a : Role::input;
    step.target = is_gathered ? Role::output : Role::workspace_a;
    KernelSpec& spec = step.spec = spec_of(c, is_gathered ? "gather_modes" : "scatter_modes");
    add_loops_of_modes(d, spec);
    const auto distance = static_cast<std::int64_t>(d.spectrum_points);
    spec.loops.push_back({0, distance, distance});
    spec.work = kernels::ModeCopy{is_gathered};
    choose_shape(c, limits, 1, spec);
    return step;
}

Step step_of_gradient(const SpectralDesign& d, const DeviceLimits& limits) {
    const CanonicalSpectral& c = d.spectral;
    const std::uint64_t row = c.kept_bins(c.axes.size() - 1), modes = c.modes();
    Step step;
    step.source = Role::input;
    step.target = Role::output;
    KernelSpec& spec = step.spec = spec_of(c, "gradient");
    spec.loops.push_back({row, 1, 1});
    if (modes != row)
        spec.loops.push_back({modes / row, static_cast<std::int64_t>(row), static_cast<std::int64_t>(row)});
    spec.loops.push_back({0, support::times(c.inputs, static_cast<std::int64_t>(modes)), 0});
    spec.convolution.channels = {c.inputs, c.outputs, false, modes, modes, modes};
    kernels::ModeGradient gradient;
    gradient.inputs_of_thread = std::min(others_of_thread(c), c.inputs);
    gradient.outputs_of_thread = std::min(outputs_of_thread, c.outputs);
    gradient.scale = d.middle_scale();
    if (c.is_real()) {
        gradient.halved = c.axes.back().least;
        gradient.first = c.axes.back().kept.empty() ? 0 : c.axes.back().kept.front().begin;
    }
    spec.work = gradient;
    choose_shape_of_channels(c, limits, gradient.outputs_of_thread, spec);
    return step;
}

}  // namespace seiche::planner
