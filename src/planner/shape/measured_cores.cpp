// Cores whose radices, threads and groups were measured to be faster than the policy's: dense sequences, and columns as
// passes and other axes have them. How they are found in the tables.
#include "planner/shape/measured_cores.hpp"
#include "planner/device_model.hpp"

#include <algorithm>

#include "planner/measured/built_in.hpp"
#include "planner/model/groups.hpp"
#include "planner/model/passes.hpp"
#include "planner/model/registers.hpp"
#include "planner/shape/parts.hpp"

namespace seiche::planner {

namespace {

using measured::Form;
using measured::Key;
using measured::Number;
using measured::Row;
using measured::Topic;

MeasuredCore core_of(const Row& row) {
    return {row.all_lengths(), row.threads, row.transforms, row.resident_groups, row.has(measured::in_loop)};
}

Form form_of(CorePlace place) {
    switch (place) {
        case CorePlace::columns: return Form::columns;
        case CorePlace::twiddled_columns: return Form::twiddled_columns;
        case CorePlace::first_columns: return Form::first_columns;
        case CorePlace::r2c_rows: return Form::r2c_rows;
        case CorePlace::c2r_rows: return Form::c2r_rows;
        case CorePlace::rows: break;
    }
    return Form::rows;
}

/// Whether a block can hold the core: a table's device may have more than this one.
bool has_room(const Row& row, Precision precision, const DeviceLimits& limits) {
    if (limits.vectors == Vectors::explicit_simd) return true;
    const std::uint64_t transforms = std::max(1u, row.transforms);
    return row.threads * transforms <= limits.max_group_size &&
           component_bytes(row.key.n, precision) * transforms <= limits.shared_bytes &&
           most_points_of_thread(row.all_lengths(), static_cast<std::uint32_t>(row.key.n), row.threads) <=
               most_points_of_any_thread;
}

/// The core of a convolution in one kernel of exactly so many points.
const Row* convolved_row(Form form, std::uint64_t n, Precision precision, const DeviceLimits& limits) {
    const std::optional<Number> number = measured::number_of(precision);
    if (!number) return nullptr;
    return measured::find(limits, {Topic::core, form, *number, n},
                          [&](const Row& row) { return has_room(row, precision, limits); });
}

std::optional<CorePlace> real_place_of(const kernels::KernelSpec& spec) {
    const bool is_dense = spec.in.stride == 1 && spec.out.stride == 1;
    if (!is_dense || (spec.in.map() == nullptr) == (spec.out.map() == nullptr)) return std::nullopt;
    const kernels::RealMap& map = spec.in.map() ? *spec.in.map() : *spec.out.map();
    if (!kernels::real_core(map.kind, map.length).is_paired) return std::nullopt;
    if (map.kind == Kind::r2c && spec.out.map()) return CorePlace::r2c_rows;
    return map.kind == Kind::c2r && spec.in.map() ? std::optional(CorePlace::c2r_rows) : std::nullopt;
}

const Row* row_of_users(std::uint64_t n, Precision precision, const DeviceLimits& limits) {
    const Row* row = convolved_row(Form::padded, n, precision, limits);
    return row && row->has(measured::of_convolutions) ? row : nullptr;
}

std::optional<PaddedCore> fastest_of(Form form, std::uint64_t least, Precision precision, const DeviceLimits& limits) {
    const std::optional<Number> number = measured::number_of(precision);
    if (!number) return std::nullopt;
    const Row* best = nullptr;
    for (const Row* row : measured::all_of(limits, Topic::core, form, *number)) {
        const bool fits = row->key.n >= least && has_room(*row, precision, limits);
        if (fits && (best == nullptr || row->time < best->time)) best = row;
    }
    if (best == nullptr) return std::nullopt;
    return PaddedCore{static_cast<std::uint32_t>(best->key.n), core_of(*best), best->time};
}

bool is_lone_convolution(const kernels::KernelSpec& spec) {
    return spec.convolution.stages.size() == 2 && spec.convolution.channels.is_single() && spec.in.stride == 1 &&
           spec.out.stride == 1 && spec.on_chip.next.empty() && !spec.is_second() && spec.pipeline.next.empty();
}

/// Whether a convolution of floats in the usual threads would have no registers for a butterfly and its factors, even
/// in a block that is alone. Measured: LAB-0116.
bool would_spill(const kernels::KernelSpec& spec, const DeviceLimits& limits) {
    const std::uint32_t threads = threads_for_core(spec.radices, {spec.n, false, true, spec.precision}, limits);
    const std::uint32_t radix = *std::max_element(spec.radices.begin(), spec.radices.end());
    return spec.precision == Precision::f32 &&
           registers_beside_others(threads, 1) <
               2 * registers_of_point(spec.precision) * radix + registers_beside::convolution.floats;
}

std::optional<MeasuredCore> parity_core(const kernels::KernelSpec& spec, const DeviceLimits& limits) {
    if (spec.in.stride != 1 || spec.out.stride != 1) return std::nullopt;
    const Row* row = convolved_row(Form::parity, spec.n, spec.precision, limits);
    return row ? std::optional(core_of(*row)) : std::nullopt;
}

/// Bluestein's transform, or a user's convolution.
std::optional<MeasuredCore> padded_core(const kernels::KernelSpec& spec, const DeviceLimits& limits) {
    if (kernels::splits_parity(spec)) return parity_core(spec, limits);
    if (!is_lone_convolution(spec)) return std::nullopt;
    if (std::holds_alternative<kernels::SpectrumProduct>(spec.convolution.stages[0])) {
        if (is_real(spec)) return std::nullopt;
        const Row* row = row_of_users(spec.n, spec.precision, limits);
        return row ? std::optional(core_of(*row)) : std::nullopt;
    }
    if (!std::holds_alternative<kernels::ChirpSpectrum>(spec.convolution.stages[0]) || spec.in.stages.empty())
        return std::nullopt;
    // Conjugate pairs gain by more threads than complex rows have, as long as these do not spill.
    if (is_real(spec) && !would_spill(spec, limits)) return std::nullopt;
    const Row* row = convolved_row(Form::padded, spec.n, spec.precision, limits);
    return row ? std::optional(core_of(*row)) : std::nullopt;
}

}  // namespace

std::optional<CorePlace> place_of(const kernels::KernelSpec& spec) {
    if (is_real(spec)) return real_place_of(spec);
    const kernels::Loop& beside = spec.loops[0];
    if (spec.in.stride == 1 && spec.out.stride == 1) {
        const auto n = std::int64_t{spec.n};
        const bool is_dense = beside.input_stride == n && beside.output_stride == n;
        return is_dense ? std::optional(CorePlace::rows) : std::nullopt;
    }
    if (spec.in.stride == 1 || beside.input_stride != 1) return std::nullopt;
    if (spec.out.stride == 1) return CorePlace::first_columns;
    if (beside.output_stride != 1) return std::nullopt;
    return has_no_twiddle(spec.in.stages) ? CorePlace::columns : CorePlace::twiddled_columns;
}

namespace {

/// A kernel as the tables have them: one run of a core over whole sequences of complex points, or over what a real
/// axis's map makes of them.
bool is_of_measured_sequences(const kernels::KernelSpec& spec) {
    const auto has_whole = [&](const kernels::MemorySide& side) {
        const bool has_points = side.has_ordered_points() && (is_real(spec) || !side.is_real());
        return (has_points || side.map()) && side.kept == kernels::Kept{};
    };
    return spec.has_core() && spec.runs_once() && has_whole(spec.in) && has_whole(spec.out) &&
           spec.is_alone_on_chip() && spec.pipeline.next.empty();
}

}  // namespace

std::optional<MeasuredCore> measured_core(const MeasuredQuestion& question, const DeviceLimits& limits) {
    const std::optional<Number> number = measured::number_of(question.precision, question.is_16_bit);
    if (!number) return std::nullopt;
    const Row* row = measured::find(limits, {Topic::core, form_of(question.place), *number, question.n},
                                    [&](const Row& one) { return has_room(one, question.precision, limits); });
    return row ? std::optional(core_of(*row)) : std::nullopt;
}

std::optional<MeasuredCore> measured_core(const kernels::KernelSpec& spec, const DeviceLimits& limits) {
    if (is_convolution(spec)) return padded_core(spec, limits);
    const std::optional<CorePlace> place = place_of(spec);
    if (!place || !is_of_measured_sequences(spec)) return std::nullopt;
    const std::uint32_t least = std::min(kernels::access_bytes(spec, true), kernels::access_bytes(spec, false));
    const std::uint32_t most = std::max(kernels::access_bytes(spec, true), kernels::access_bytes(spec, false));
    if (least != most) return std::nullopt;
    const bool is_16_bit = most < 2 * real_bytes(spec.precision);
    std::optional<MeasuredCore> core = measured_core({spec.n, spec.precision, is_16_bit, *place}, limits);
    const bool is_few = core && spec.loops[0].count < least_groups_of_measured_columns * std::max(1u, core->sequences);
    const bool has_columns =
        *place == CorePlace::columns || *place == CorePlace::twiddled_columns || *place == CorePlace::first_columns;
    if (has_columns && is_few) return std::nullopt;
    return core;
}

std::optional<PrimeTurns> turns_of_prime(std::uint64_t n, Precision precision, const DeviceLimits& limits) {
    const std::optional<Number> number = measured::number_of(precision);
    if (!number) return std::nullopt;
    const Row* row = measured::find(limits, {Topic::core, Form::prime, *number, n},
                                    [&](const Row& one) { return one.threads == 1 || can_split_parts(limits); });
    return row ? std::optional(PrimeTurns{row->threads, row->pairs, row->transforms}) : std::nullopt;
}

std::optional<PaddedCore> fastest_padded_core(std::uint64_t least, Precision precision, const DeviceLimits& limits) {
    return fastest_of(Form::padded, least, precision, limits);
}

std::optional<PaddedCore> fastest_parity_core(std::uint64_t prime, Precision precision, const DeviceLimits& limits) {
    return fastest_of(Form::parity, prime - 2, precision, limits);
}

bool has_parity_cores(Precision precision, const DeviceLimits& limits) {
    return fastest_of(Form::parity, 0, precision, limits).has_value();
}

std::vector<std::uint32_t> measured_radices_of_convolution(std::uint64_t n, Precision precision,
                                                           const DeviceLimits& limits) {
    const Row* row = row_of_users(n, precision, limits);
    return row ? row->all_lengths() : std::vector<std::uint32_t>{};
}

std::vector<std::uint32_t> fastest_pipelined_convolution(std::uint64_t least, Precision precision,
                                                         const DeviceLimits& limits) {
    // Three kernels, which pad little, of at least as many points as needed.
    const std::optional<Number> number = measured::number_of(precision);
    if (!number) return {};
    std::vector<std::uint32_t> best;
    double lowest = bluestein_passes::time_of_three_kernels.of(precision) * static_cast<double>(least);
    for (const Row* row : measured::all_of(limits, Topic::pair, Form::convolution, *number)) {
        const std::uint64_t points = row->key.n * row->key.next;
        const double time = static_cast<double>(row->time) * static_cast<double>(points);
        if (row->time == 0 || points < least || time >= lowest) continue;
        lowest = time;
        best = {static_cast<std::uint32_t>(row->key.n), static_cast<std::uint32_t>(row->key.next)};
    }
    return best;
}

bool are_of_pipelined_convolution(std::uint32_t first, std::uint32_t second, Precision precision,
                                  const DeviceLimits& limits) {
    const std::optional<Number> number = measured::number_of(precision);
    return number && measured::find(limits, {Topic::pair, Form::convolution, *number, first, second});
}

}  // namespace seiche::planner
