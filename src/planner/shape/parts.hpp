// What the policies of shapes share: the parts of a group's shape.
#pragma once

#include <algorithm>
#include <bit>
#include <optional>

#include "planner/device_model.hpp"
#include "planner/shape/shape.hpp"
#include "support/strides.hpp"

namespace seiche::planner {

/// Whether a pass's tile, of no power of two, is exchanged in parts where half of it would be exchanged whole in runs
/// of two sectors. Measured: LAB-0020.
bool has_tile_of_one_part(const kernels::KernelSpec& spec);
/// Whether a group of so many threads lacks registers for a butterfly of 17 doubles or more.
bool spills_doubles(const std::vector<std::uint32_t>& radices, Precision precision, std::uint32_t group);

/// Chunks of a sequence, exchanged one after the other where one part of all does not fit in shared memory
/// (kernels::can_exchange_in_chunks); 0: none fits.
std::uint32_t chunks_that_fit(std::uint64_t n, Precision precision, const DeviceLimits& limits);

inline bool is_convolution(const kernels::KernelSpec& spec) { return !spec.runs_once(); }

/// Conjugate pairs need both parts of their points at once.
inline bool is_real(const kernels::KernelSpec& spec) { return spec.in.map() || spec.out.map(); }

/// r2c or c2r of rows, whose points are pairs of numbers.
inline bool is_of_spectrum(const kernels::KernelSpec& spec) {
    const kernels::RealMap* map = spec.in.map() ? spec.in.map() : spec.out.map();
    return map && (map->kind == Kind::r2c || map->kind == Kind::c2r) &&
           kernels::real_core(map->kind, map->length).is_paired && spec.in.stride == 1 && spec.out.stride == 1 &&
           spec.runs_once();
}

/// Neighbouring sequences are closer to each other in memory than neighbouring points.
inline bool has_closer_sequences(const kernels::KernelSpec& spec, bool is_input) {
    const kernels::Loop& beside = spec.loops[0];
    return support::is_closer(is_input ? beside.input_stride : beside.output_stride, spec.side(is_input).stride);
}

inline bool has_no_twiddle(const std::vector<kernels::Stage>& stages) {
    for (const kernels::Stage& stage : stages) {
        if (std::holds_alternative<kernels::FourStepTwiddle>(stage)) return false;
    }
    return true;
}

/// The largest radix of a core that runs once.
std::uint32_t most_radix(const DeviceLimits& limits, Precision precision);

/// Sequences that neighbouring threads should cover for whole sectors; 1 where a sequence's own points do.
std::uint32_t wanted_run(const kernels::KernelSpec& spec);

/// Neighbouring butterflies of a thread whose points go in one access (GroupShape::neighbours), where shared memory
/// holds both parts of a sequence.
std::uint32_t neighbours_of(const kernels::KernelSpec& spec, const DeviceLimits& limits);

/// Few columns: fewer in a group than `wanted`, as long as they fill a sector and each group has a multiprocessor.
/// Measured: LAB-0118.
std::uint32_t spread_over_units(const kernels::KernelSpec& spec, std::uint32_t wanted, const DeviceLimits& limits);

/// Sequences of a group, and whether both parts of their points are exchanged at once; refused where the tuning asks
/// for more than a group has.
[[nodiscard]] Refusal choose_sequences(const kernels::KernelSpec& spec, const DeviceLimits& limits,
                                       const Tuning& tuning, kernels::GroupShape& shape);

/// Resident groups to ask for, so that one moves points while another computes; 0: the compiler may choose. It chooses
/// badly for strided passes, which it gives too few registers to keep loads in flight, and for groups that would be
/// alone.
std::uint32_t least_groups(const kernels::KernelSpec& spec, const kernels::GroupShape& shape,
                           const DeviceLimits& limits);
/// Whether a thread has few registers at all, or its points take more than half of them.
bool has_few_registers(const kernels::KernelSpec& spec, const kernels::GroupShape& shape, const DeviceLimits& limits);

/// A kernel of folded numbers with mirrored columns: threads load or store pairs of neighbours, where single numbers
/// need a sector each. Nothing where such threads, or groups, do not fit.
ShapedPass with_columns(kernels::KernelSpec spec, const DeviceLimits& limits, const Tuning& tuning);
/// The same with so many.
ShapedPass with_columns(kernels::KernelSpec spec, const DeviceLimits& limits, const Columns& wanted);

[[nodiscard]] Refusal choose_simd_shape(kernels::KernelSpec& spec, const DeviceLimits& limits, const Tuning& tuning,
                                        std::uint64_t sequences);

/// As of its radices.
std::uint32_t most_points_of_thread(const kernels::KernelSpec& spec, std::uint32_t threads);
/// 32-bit registers for these.
inline std::uint32_t registers_of_points(const kernels::KernelSpec& spec, std::uint32_t threads) {
    return 2 * most_points_of_thread(spec, threads) * register_bytes(spec.precision) / 4;
}
/// Padding of a sequence in shared memory (SharedExchange::padding), in elements, as long as it costs neither a
/// resident group nor its cache. Powers of two, which a swizzle keeps free of conflicts, gain as rows with bounded
/// registers; Bluestein's doubles have no register left for it. Measured: LAB-0024.
std::uint32_t padding_of(const kernels::KernelSpec& spec, const kernels::GroupShape& shape, const DeviceLimits& limits);

/// A group of a prime with one part after the other: bytes that one part keeps for the other, and all of its shared
/// memory.
std::uint64_t bytes_of_parity(const kernels::KernelSpec& spec, const kernels::GroupShape& shape);
std::uint64_t shared_bytes_of_parity(const kernels::KernelSpec& spec, const kernels::GroupShape& shape);

/// Fills in the orders in which points are loaded and stored, with radices 1 where they go through shared memory.
void choose_orders(kernels::KernelSpec& spec, const DeviceLimits& limits, kernels::GroupShape& shape);
/// Threads of dense sequences: as of the core, but others where these would spill or have too much code.
std::uint32_t threads_of_rows(const std::vector<std::uint32_t>& radices, const CoreQuestion& core,
                              const DeviceLimits& limits);
/// Threads of a sequence, more of them where these fill sectors without an exchange.
std::uint32_t threads_filling_sectors(const kernels::KernelSpec& spec, const DeviceLimits& limits,
                                      std::uint32_t threads);
bool exchanges_whole_points(const kernels::KernelSpec& spec, const DeviceLimits& limits,
                            const kernels::GroupShape& shape);
bool multiplies_twiddles(const kernels::KernelSpec& spec, const DeviceLimits& limits, const kernels::GroupShape& shape);
/// Whether c2r of two stages has its largest radix last, which stores longer runs.
bool ends_with_largest(const kernels::KernelSpec& spec, const DeviceLimits& limits, const kernels::GroupShape& shape);
void hold_parity(const kernels::KernelSpec& spec, const DeviceLimits& limits, kernels::GroupShape& shape);

/// Whether neighbouring lanes can have the two parts of a sequence (PrimeLoop).
bool can_split_parts(const DeviceLimits& limits);

}  // namespace seiche::planner
