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

/// Measured: LAB-0121.
void choose_shape_of_modes(const CanonicalSpectral& c, const DeviceLimits& limits, KernelSpec& spec) {
    constexpr std::uint32_t outputs_of_thread = 4, arrays_of_f32 = 4, arrays_of_f64 = 2, threads = 256;
    const std::uint32_t arrays = c.precision == Precision::f32 ? arrays_of_f32 : arrays_of_f64;
    auto& matrix = std::get<kernels::ModeMatrix>(spec.work);
    matrix.outputs_of_thread = std::min(outputs_of_thread, c.outputs);
    matrix.arrays_of_thread = static_cast<std::uint32_t>(std::min<std::uint64_t>(arrays, c.batch));
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
    const std::uint32_t most = std::min(threads, limits.max_group_size);
    kernels::GroupShape shape;
    shape.sequences = static_cast<std::uint32_t>(
        std::min<std::uint64_t>({std::bit_ceil(modes), std::max(limits.subgroup_size, 1u), most}));
    shape.threads = std::max(
        std::min((c.outputs + matrix.outputs_of_thread - 1) / matrix.outputs_of_thread, most / shape.sequences), 1u);
    // Sums and what is loaded for them have 128 registers.
    constexpr std::uint32_t threads_of_unit = 512;
    shape.min_groups_per_unit = std::max(1u, threads_of_unit / std::max(shape.threads * shape.sequences, 32u));
    spec.shape = shape;
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

Step step_of_modes(const SpectralDesign& d, const DeviceLimits& limits) {
    const CanonicalSpectral& c = d.spectral;
    Step step;
    step.source = Role::workspace_a;
    step.target = Role::workspace_b;
    KernelSpec& spec = step.spec;
    spec.name = "modes_" + std::to_string(c.inputs) + "x" + std::to_string(c.outputs);
    spec.precision = c.precision;
    spec.radices = {1};
    spec.work = kernels::ModeMatrix{};
    std::size_t axis = d.signal.axes.size();  // which has none of a single point, but for the halved one
    for (std::size_t i = c.axes.size(); i-- > 0;) {
        if (c.axes[i].least == 1 && (!c.is_real() || i + 1 != c.axes.size())) continue;
        kernels::Loop loop = loop_of_modes(c.bins(i), c.axes[i].kept, d.signal.axes[--axis].output_stride);
        if (loop.count > 1 || !loop.gaps.empty()) spec.loops.push_back(std::move(loop));
    }
    const std::uint64_t channel = d.spectrum_points;
    spec.loops.push_back({0, support::times(c.inputs, static_cast<std::int64_t>(channel)),
                          support::times(c.outputs, static_cast<std::int64_t>(channel))});
    spec.convolution.channels = {c.inputs, c.outputs, false, channel, channel, c.modes()};
    choose_shape_of_modes(c, limits, spec);
    return step;
}

}  // namespace seiche::planner
