// The order in which threads move points: neighbours in memory, or runs through shared memory where threads would store
// parts of sectors.
#include <algorithm>

#include "planner/device_model.hpp"
#include "planner/model/groups.hpp"
#include "planner/shape/parts.hpp"
#include "support/strides.hpp"

namespace seiche::planner {

namespace {

using kernels::GroupShape;
using kernels::KernelSpec;
using kernels::ThreadOrder;

bool is_dense_input(const KernelSpec& spec) {
    const std::uint32_t own =
        spec.in.folded() ? kernels::sequence_points(spec, spec.in.stages) : kernels::redistributed_points(spec, true);
    return spec.in.stride == 1 && spec.loops[0].input_stride == std::int64_t{own};
}

bool is_dense_output(const KernelSpec& spec) {
    const std::uint32_t own = spec.out.folded() ? kernels::sequence_points(spec, spec.out.stages)
                                                : kernels::redistributed_points(spec, false);
    return spec.out.stride == 1 && spec.loops[0].output_stride == std::int64_t{own};
}

bool is_dense(const KernelSpec& spec) {
    return is_dense_input(spec) && is_dense_output(spec) &&
           kernels::sequence_points(spec, spec.in.stages) == kernels::sequence_points(spec, spec.out.stages);
}

/// Dense real rows with few threads a sequence are moved as one run; the other side finds its elements' places by
/// itself.
void distribute_pairs(KernelSpec& spec, GroupShape& shape) {
    if (!spec.in.map() && is_dense_input(spec)) {
        shape.load_order = ThreadOrder::flat;
        spec.radices.insert(spec.radices.begin(), 1);
    }
    if (!spec.out.map() && is_dense_output(spec)) {
        shape.store_order = ThreadOrder::flat;
        spec.radices.push_back(1);
    }
}

bool fills_sectors(const KernelSpec& spec, const DeviceLimits& limits, std::uint32_t threads,
                   std::uint32_t sectors = 1) {
    const std::uint32_t bytes = threads * std::min(access_bytes(spec, true), access_bytes(spec, false));
    return bytes % (sectors * limits.sector_bytes) == 0;
}

/// Whether a transform has too few threads to fill sectors, so that its points should be moved as one run with others'.
bool has_few(const KernelSpec& spec, const DeviceLimits& limits, std::uint32_t threads) {
    const std::uint32_t element = std::min(access_bytes(spec, true), access_bytes(spec, false));
    return (threads < limits.subgroup_size / 4 || threads * element < limits.sector_bytes) &&
           !fills_sectors(spec, limits, threads);
}

/// Whether two stages store runs that begin or end within sectors, which memory gets in parts: these should be moved as
/// one run. Loads find the rest in a cache. Three stages have longer runs, and an exchange more costs them more.
/// Measured: LAB-0029.
bool stores_parts_of_sectors(const KernelSpec& spec, const DeviceLimits& limits, const GroupShape& shape) {
    if (shape.is_scalarised || is_real(spec) || is_convolution(spec) || spec.convolution.prime ||
        spec.radices.size() != 2)
        return false;
    const std::uint32_t last = spec.n / spec.radices.back() % shape.threads;
    return !fills_sectors(spec, limits, shape.threads) || !fills_sectors(spec, limits, last);
}

bool distributes_evenly(const KernelSpec& spec, const GroupShape& shape) {
    return spec.n > 1 && (is_convolution(spec) || spec.n % shape.threads == 0);
}

bool has_short_runs(const KernelSpec& spec, const DeviceLimits& limits, const GroupShape& shape) {
    return !shape.is_scalarised && has_few(spec, limits, shape.threads) && distributes_evenly(spec, shape);
}

/// Whether one side's sequences are half as long as the other's: r2c and c2r of odd lengths.
bool has_unequal_sides(const KernelSpec& spec) {
    return !spec.in.folded() && !spec.out.folded() &&
           kernels::redistributed_points(spec, true) != kernels::redistributed_points(spec, false);
}

/// Whether these may be loaded as one run: not beside radices that leave no registers for it. Measured: LAB-0029.
bool may_load_run(const KernelSpec& spec) {
    const std::uint32_t largest = *std::max_element(spec.radices.begin(), spec.radices.end());
    return !has_unequal_sides(spec) || largest <= odd_rows::largest_radix_loaded;
}

/// Whether results may be stored as one run, which few threads with short runs need. Measured: LAB-0029.
bool may_store_run(const KernelSpec& spec, const GroupShape& shape) {
    const std::uint32_t largest = *std::max_element(spec.radices.begin(), spec.radices.end());
    if (!has_unequal_sides(spec)) return true;
    if (shape.threads > odd_rows::most_threads_stored) return false;
    return spec.precision == Precision::f32 || shape.threads <= odd_rows::few_threads_f64 ||
           largest <= odd_rows::largest_radix_stored_f64;
}

}  // namespace

/// More threads, though some idle, that fill a sector, or two at a time, without an exchange. Measured: LAB-0029.
std::uint32_t threads_filling_sectors(const KernelSpec& spec, const DeviceLimits& limits, std::uint32_t threads) {
    if (!is_dense(spec) || is_real(spec) || is_convolution(spec) || spec.convolution.prime) return threads;
    const auto more_threads = [&](std::uint32_t most, std::uint32_t sectors) {
        for (const std::uint32_t radix : spec.radices) {
            const std::uint32_t more = spec.n / radix;
            if (more > threads && more <= most && fills_sectors(spec, limits, more, sectors)) return more;
        }
        return threads;
    };
    if (has_few(spec, limits, threads)) return more_threads(spec.n, 1);
    // Not in 16-bit storage. Measured: LAB-0029.
    const bool is_16_bit = access_bytes(spec, true) < 2 * real_bytes(spec.precision);
    const bool is_odd = !is_16_bit && threads < limits.subgroup_size / 2 && fills_sectors(spec, limits, threads) &&
                        !fills_sectors(spec, limits, threads, 2);
    return is_odd ? more_threads(2 * threads, 2) : threads;
}

/// Whether c2r of two stages stores longer runs with its largest radix last. Measured: LAB-0029.
bool ends_with_largest(const KernelSpec& spec, const DeviceLimits& limits, const GroupShape& shape) {
    const bool is_of_bins = is_of_spectrum(spec) && spec.in.map() && !shape.has_mirrors_in_thread();
    if (!is_of_bins || spec.radices.size() != 2 || !limits.bounds_registers) return false;
    const std::uint32_t largest = *std::max_element(spec.radices.begin(), spec.radices.end());
    const bool is_double = spec.precision == Precision::f64;
    if (has_short_runs(spec, limits, shape)) return !is_double && largest >= largest_last::smallest_of_runs_f32;
    return !is_double || largest <= largest_last::largest_f64 || shape.threads <= largest_last::few_threads_f64;
}

/// Neighbouring threads move neighbours in memory. A prime's points pass through shared memory anyway, so that a dense
/// array of them is moved as one run.
void choose_orders(KernelSpec& spec, const DeviceLimits& limits, GroupShape& shape) {
    const bool is_short = !is_real(spec) && may_load_run(spec) && has_short_runs(spec, limits, shape) &&
                          (is_convolution(spec) || spec.radices.size() == 1 ||
                           2 * shape.threads * access_bytes(spec, true) <= limits.sector_bytes);
    const auto redistribute_at_both_ends = [&] {
        spec.radices.insert(spec.radices.begin(), 1);
        spec.radices.push_back(1);
    };
    if (is_dense(spec) && (is_short || (spec.convolution.prime && !is_real(spec)))) {
        shape.load_order = shape.store_order = ThreadOrder::flat;
        redistribute_at_both_ends();
        return;
    }
    if (is_dense(spec) && may_store_run(spec, shape) && distributes_evenly(spec, shape) &&
        stores_parts_of_sectors(spec, limits, shape)) {
        shape.store_order = ThreadOrder::flat;
        spec.radices.push_back(1);
        return;
    }
    const auto order = [](std::int64_t element_stride, std::int64_t sequence_stride) {
        return support::is_closer(sequence_stride, element_stride) ? ThreadOrder::sequence_fastest
                                                                   : ThreadOrder::element_fastest;
    };
    shape.load_order = order(spec.in.stride, spec.loops[0].input_stride);
    shape.store_order = order(spec.out.stride, spec.loops[0].output_stride);
    if (spec.convolution.prime && is_real(spec)) {
        // Real elements find their points' places by themselves.
        if (!spec.in.map() && is_dense_input(spec)) shape.load_order = ThreadOrder::flat;
        if (!spec.out.map() && is_dense_output(spec)) shape.store_order = ThreadOrder::flat;
        if (!spec.in.map()) spec.radices.insert(spec.radices.begin(), 1);
        if (!spec.out.map()) spec.radices.push_back(1);
        return;
    }
    if (spec.convolution.prime) {
        redistribute_at_both_ends();
        return;
    }
    if (is_real(spec) && !is_convolution(spec) && has_short_runs(spec, limits, shape)) distribute_pairs(spec, shape);
    if (shape.load_order != shape.store_order && spec.radices.size() == 1) {
        if (spec.n == 1) {
            shape.store_order = shape.load_order;
        } else {
            spec.radices.push_back(1);
        }
    }
}

}  // namespace seiche::planner
