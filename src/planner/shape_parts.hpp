// What the policies of shapes share: sizes, and the parts of a group's shape.
#pragma once

#include <algorithm>
#include <bit>
#include <optional>

#include "planner/shape.hpp"
#include "support/strides.hpp"

namespace seiche::planner {

/// 32-bit registers of a unit.
inline constexpr std::uint32_t registers_per_unit = 65536;
/// Registers for a thread's points where mirrored columns meet, and threads of their groups: both halves of a group's
/// columns are runs of their own, for which it may be so large.
inline constexpr std::uint32_t most_folded_registers = 64, folded_group = 512;
/// Subgroups of 32 whose threads have so many registers each, which the unit's four parts deal out by eight.
constexpr std::uint32_t subgroups_of_unit(std::uint32_t registers) {
    constexpr std::uint32_t lanes = 32, parts = 4, step = 8;
    return parts * (registers_per_unit / lanes / parts / ((registers + step - 1) / step * step));
}
/// Of a thread where a unit has so many groups of so many threads.
constexpr std::uint32_t registers_beside_others(std::uint32_t group, std::uint32_t groups) {
    constexpr std::uint32_t lanes = 32, parts = 4, step = 8;
    const std::uint32_t subgroups = groups * ((group + lanes - 1) / lanes);
    return registers_per_unit / lanes / parts / ((subgroups + parts - 1) / parts) / step * step;
}
/// Registers beside the points of a row that a thread has whole. 18 of f32 in 56 registers spilled 12 bytes without
/// room between rows, 22 in 64 none, 24 in 56 196; 32 of a block in 64 76.
inline constexpr std::uint32_t registers_beside_whole_rows = 20;
/// Whether a pass's tile, of another length than a power of two, has room for one part of its points at a time, where
/// half of it has for both and for runs of two sectors: the passes of 500 x 500 trail each other in 0.304 ms of 256 MiB
/// so, in groups of 8 sequences in 0.272 (H200).
bool has_tile_of_one_part(const kernels::KernelSpec& spec);
/// Whether a group of so many threads leaves none of them registers for a butterfly of 17 doubles or more.
bool spills_doubles(const std::vector<std::uint32_t>& radices, Precision precision, std::uint32_t group);
/// Threads that a group should have for a compute unit to be filled by several groups: not more, where a power of two
/// of transforms gives a choice. Measured on an H200, of copy: 243 points 0.73 in groups of 432 threads, 0.91 of 216;
/// 343 points 0.68 of 392, 0.90 of 196; 384 points 0.88 of 384, 0.97 of 192.
inline constexpr std::uint32_t wanted_group = 256;
/// Bytes of neighbouring sequences that a strided pass takes together: two sectors where there is room, one where not.
inline constexpr std::uint32_t run_bytes = 64;
/// Up to here both parts of a group's points are exchanged at once.
inline constexpr std::uint32_t two_plane_bytes = 64 * 1024;
/// Scratch of a SIMD kernel that should stay in the second cache.
inline constexpr std::uint32_t scratch_bytes = 512 * 1024;
/// Points that one group of a SIMD kernel should work on, to make its launch worthwhile.
inline constexpr std::uint64_t points_per_group = 8192;

/// Beside a thread's points of doubles with radices above the usual, so that the compiler spills none of them.
inline constexpr std::uint32_t registers_beside_doubles = 40;

inline std::uint32_t real_bytes(Precision precision) {
    return static_cast<std::uint32_t>(stored_bytes(precision, Storage::same));
}

/// A half takes a register of its own.
inline std::uint32_t register_bytes(Precision precision) { return std::max(real_bytes(precision), 4u); }

/// Shared memory for one part of a sequence. Other lengths than powers of two are padded by up to an eighth, or lie
/// apart by as much, short ones by up to half (kernels/group/exchange.cpp).
inline std::uint64_t plane_bytes(std::uint64_t n, Precision precision) {
    constexpr std::uint64_t short_room = 16;
    const std::uint64_t room = std::has_single_bit(n) ? 0 : std::max(n / 8, std::min(n / 2, short_room));
    return (n + room) * real_bytes(precision);
}

/// Runs of a sequence that are exchanged one after the other where one part of all has no room in shared memory
/// (kernels::can_exchange_in_pieces); 0: none has.
std::uint32_t pieces_with_room(std::uint64_t n, Precision precision, const DeviceLimits& limits);

/// Of a GPU whose compiler takes registers as it likes.
inline bool is_greedy(const DeviceLimits& limits) {
    return limits.vectors == Vectors::subgroups && !limits.bounds_registers;
}

inline bool goes_one_by_one(const DeviceLimits& limits) { return limits.vectors == Vectors::implicit_simd; }

inline bool is_convolution(const kernels::KernelSpec& spec) { return !spec.convolution.stages.empty(); }

/// Real numbers meet the points in both planes at once.
inline bool is_real(const kernels::KernelSpec& spec) { return spec.in.map() || spec.out.map(); }

/// r2c or c2r of rows, whose points are pairs of numbers.
inline bool is_of_spectrum(const kernels::KernelSpec& spec) {
    const kernels::RealMap* map = spec.in.map() ? spec.in.map() : spec.out.map();
    return map && (map->kind == Kind::r2c || map->kind == Kind::c2r) &&
           kernels::real_core(map->kind, map->length).is_paired && spec.in.stride == 1 && spec.out.stride == 1 &&
           spec.convolution.prime == 0 && !is_convolution(spec);
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

/// Of a core that runs once, where neither registers nor the cost of accesses ask for another.
inline constexpr std::uint32_t largest_radix = 16;
/// The largest radix of a core that runs once.
std::uint32_t most_radix(const DeviceLimits& limits, Precision precision);

/// Sequences that neighbouring threads should cover so that an access moves whole sectors; 1 where a sequence's own
/// points do.
std::uint32_t wanted_run(const kernels::KernelSpec& spec);

/// Words of 64 bits that one access has.
inline constexpr std::uint32_t most_neighbours = 4;
/// Neighbouring butterflies of a thread whose points go in one access (GroupShape::neighbours), where both parts of a
/// sequence have room in a group's shared memory.
std::uint32_t neighbours_of(const kernels::KernelSpec& spec, const DeviceLimits& limits);

/// Sequences of a group, and whether both parts of their points are exchanged at once. Throws Unsupported where the
/// tuning asks for more than a group has.
void choose_sequences(const kernels::KernelSpec& spec, const DeviceLimits& limits, const Tuning& tuning,
                      kernels::GroupShape& shape);

/// Groups that a unit should hold at least, so that one loads or stores while another computes; 0: the compiler may
/// choose. Asked for where it chooses badly: for strided passes, which it starves of the registers that keep loads in
/// flight, and for groups that would else be alone on their unit. Hardly anything need be spilled for it.
std::uint32_t least_groups(const kernels::KernelSpec& spec, const kernels::GroupShape& shape,
                           const DeviceLimits& limits);
/// Whether a thread has few registers at all, or its points take more than half of them.
bool has_few_registers(const kernels::KernelSpec& spec, const kernels::GroupShape& shape, const DeviceLimits& limits);

/// A kernel of folded numbers in which mirrored columns meet: what a thread loads or stores are pairs of neighbours,
/// where else each number asks for a sector of its own. Nothing where their threads, or a group of both, are not to be
/// had.
std::optional<kernels::KernelSpec> with_columns(kernels::KernelSpec spec, const DeviceLimits& limits,
                                                const Tuning& tuning);
/// The same with so many. Throws Unsupported where a group has no room for them.
std::optional<kernels::KernelSpec> with_columns(kernels::KernelSpec spec, const DeviceLimits& limits,
                                                const Columns& wanted);

/// The shape of a kernel on a device of explicit SIMD.
void choose_bundle(kernels::KernelSpec& spec, const DeviceLimits& limits, const Tuning& tuning,
                   std::uint64_t sequences);

/// Of the stage whose threads have the most, with the slots that only some of them fill: 1536 points of f64 as
/// 16 x 12 x 8 in 96 threads take 24, and 0.97 of copy with registers for them, 0.72 without.
std::uint32_t points_in_slots(const std::vector<std::uint32_t>& radices, std::uint32_t n, std::uint32_t threads);
std::uint32_t points_in_slots(const kernels::KernelSpec& spec, std::uint32_t threads);

/// Elements that a sequence may take in shared memory beyond its points (GroupShape::room), for which no group of a
/// unit, and none of what its first cache has beside them, is given up. Of powers of two, whose exclusive-or leaves no
/// conflict either, rows where registers are bounded: on an H100 halves of 4096 points take 0.143 ms from the cache
/// without and 0.138 with room, of 2^14 0.193 and 0.186, r2c of 2^15 0.164 and 0.159; but 2^19 points, in columns,
/// 0.287 and 0.295. Bluestein's doubles of other lengths, which have no register left, put more aside: 1031 points
/// 0.347 and 0.362, 1223 0.425 and 0.440.
std::uint32_t room_of(const kernels::KernelSpec& spec, const kernels::GroupShape& shape, const DeviceLimits& limits);

/// Of a group of a prime whose parts are convolved one after the other: what one part has for the other, and all that
/// shared memory has then.
std::uint64_t bytes_of_parity(const kernels::KernelSpec& spec, const kernels::GroupShape& shape);
std::uint64_t shared_bytes_of_parity(const kernels::KernelSpec& spec, const kernels::GroupShape& shape);

/// Whether neighbouring threads of a subgroup can have the parts of a sequence (GroupShape::parts_in_lanes).
bool can_split_parts(const DeviceLimits& limits);

}  // namespace seiche::planner
