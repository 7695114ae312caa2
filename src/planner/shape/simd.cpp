// The policy of shapes on a device of explicit SIMD: lanes along a sequence or across neighbours.
#include <algorithm>
#include <bit>

#include "planner/device_model.hpp"
#include "planner/model/processors.hpp"
#include "planner/shape/factorize.hpp"
#include "planner/shape/parts.hpp"

namespace seiche::planner {

namespace {

using kernels::KernelSpec;
using kernels::SimdShape;

/// Lanes that divide the fastest loop, so that registers always hold neighbours; 0: fewer than half of the device's
/// would.
std::uint32_t lanes_across(const KernelSpec& spec, std::uint32_t most) {
    if (spec.loops.size() < 2) return 0;
    const std::uint64_t count = spec.loops[0].count;
    const std::uint64_t power = count & (~count + 1);
    const auto lanes = static_cast<std::uint32_t>(std::min<std::uint64_t>(power, most));
    return 2 * lanes >= most ? lanes : 0;
}

/// Fewer lanes where half of the threads would have no work, as long as runs fill whole sectors.
std::uint32_t lanes_for_threads(const KernelSpec& spec, std::uint32_t lanes, const DeviceLimits& limits,
                                std::uint64_t sequences) {
    const std::uint64_t point = 2 * real_bytes(spec.precision);
    if (2 * point * spec.n * sequences < simd::least_shared_bytes) return lanes;
    while (lanes > 1 && lanes * point > limits.sector_bytes &&
           2 * ((sequences + lanes - 1) / lanes) <= limits.compute_units)
        lanes /= 2;
    return lanes;
}

Refusal refuse_simd_tuning(const Tuning& tuning) {
    if (tuning.threads_per_transform) {
        return "tuning.threads_per_transform: expected 0 on a SIMD device, where one thread has whole transforms, "
               "got " +
               std::to_string(tuning.threads_per_transform);
    }
    if (tuning.vector_lanes && (tuning.vector_lanes > 16 || !std::has_single_bit(tuning.vector_lanes)))
        return "tuning.vector_lanes: expected 1, 2, 4, 8 or 16, got " + std::to_string(tuning.vector_lanes);
    return std::nullopt;
}

/// Both scratch arrays, and the sums of a matrix of channels.
std::uint64_t scratch_bytes_of(KernelSpec spec, const SimdShape& shape) {
    spec.shape = shape;
    const std::uint64_t arrays = 2 + (spec.convolution.channels.is_single() ? 0 : spec.convolution.channels.outputs);
    return 2 * arrays * kernels::scratch_points(spec) * (shape.across ? shape.lanes : 1) * real_bytes(spec.precision);
}

std::uint32_t lanes_with_room(const KernelSpec& spec, std::uint32_t most, const DeviceLimits& limits) {
    SimdShape shape;
    shape.across = true;
    shape.lanes = most;
    while (shape.lanes > 1 && scratch_bytes_of(spec, shape) > limits.shared_bytes) shape.lanes /= 2;
    return shape.lanes;
}

Refusal refuse_scratch(const KernelSpec& spec, const SimdShape& shape, const DeviceLimits& limits) {
    const std::uint64_t bytes = scratch_bytes_of(spec, shape);
    if ((spec.radices.size() <= 1 && !is_real(spec) && !spec.convolution.prime) || bytes <= limits.shared_bytes)
        return std::nullopt;
    return "a pass of " + std::to_string(spec.n) + " points on this device: expected at most " +
           std::to_string(limits.shared_bytes) + " bytes of scratch, got " + std::to_string(bytes);
}

}  // namespace

Refusal choose_simd_shape(KernelSpec& spec, const DeviceLimits& limits, const Tuning& tuning, std::uint64_t sequences) {
    if (Refusal refusal = refuse_simd_tuning(tuning)) return refusal;
    const std::uint32_t most = tuning.vector_lanes ? tuning.vector_lanes : simd_lanes(limits, spec.precision);
    SimdShape shape;
    std::uint32_t along = most;
    const auto fills = [&] {
        const std::vector<std::vector<std::uint32_t>> runs = kernels::core_runs(spec);
        return std::all_of(runs.begin(), runs.end(), [&](const auto& run) { return fills_lanes(spec.n, run, along); });
    };
    while (along > 1 && !fills()) along /= 2;
    const bool is_contiguous = spec.in.stride == 1 && spec.out.stride == 1 && has_no_twiddle(spec.in.stages);
    // With a quarter of the lanes, across is slower than along a sequence. Measured: LAB-0031.
    const bool prefers_across =
        is_real(spec) && sequences >= most / 2 && 2 * lanes_with_room(spec, most, limits) >= most;
    if (is_contiguous && !prefers_across && (along == most || sequences < most / 2)) {
        shape.lanes = along;
    } else if (sequences < 2) {
        shape.lanes = has_no_twiddle(spec.in.stages) ? along : 1;
    } else {
        const std::uint32_t dividing = lanes_across(spec, most);
        shape.across = true;
        shape.lanes = dividing ? dividing : most;
    }
    if (shape.across) shape.lanes = lanes_with_room(spec, shape.lanes, limits);
    if (shape.across && tuning.vector_lanes == 0) shape.lanes = lanes_for_threads(spec, shape.lanes, limits, sequences);
    if (shape.lanes == 1) shape.across = false;
    const std::uint64_t per_unit = std::uint64_t{spec.n} * (shape.across ? shape.lanes : 1);
    const std::uint64_t units = sequences / (shape.across ? shape.lanes : 1);
    const std::uint64_t busy = std::max<std::uint64_t>(1, units / (simd::groups_of_thread * limits.compute_units));
    shape.units_per_group =
        static_cast<std::uint32_t>(std::clamp<std::uint64_t>(simd::points_per_group / per_unit, 1, busy));
    if (tuning.transforms_per_group) {
        const std::uint32_t per_register = shape.across ? shape.lanes : 1;
        if (tuning.transforms_per_group % per_register != 0) {
            return "tuning.transforms_per_group: expected a multiple of the " + std::to_string(per_register) +
                   " lanes, got " + std::to_string(tuning.transforms_per_group);
        }
        shape.units_per_group = tuning.transforms_per_group / per_register;
    }
    if (Refusal refusal = refuse_scratch(spec, shape, limits)) return refusal;
    spec.shape = shape;
    return std::nullopt;
}

}  // namespace seiche::planner
