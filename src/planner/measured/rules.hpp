// Rules that hold on some cards, as their tables say, and when pipelining passes pays.
#pragma once

#include <cstdint>

#include "seiche/device.hpp"

namespace seiche::planner {

/// A rule that was measured to gain on some cards and is not known to gain on others. A card's tables say whether it
/// holds there ("rule pipelined-passes | holds=yes | ..."), with the note of docs/lab that has the figures. A name in
/// a table has dashes for the underscores.
enum class Rule : std::uint8_t {
    pipelined_passes,               ///< Passes share a persistent launch where a cache holds what lies between them.
    large_radices_of_16_bit_pairs,  ///< Pipelined passes of 16-bit storage have radices up to 32.
    large_slices_of_doubles,        ///< Planes of doubles up to 256 x 256 are pipelined, not only up to 128 x 128.
    small_tiles_of_doubles,         ///< Pipelined tiles of doubles that leave too few blocks resident are halved.
    passes_of_r2c_by_cost,          ///< Long r2c axes by the cost of their passes, in copies.
    even_parts_of_columns,          ///< Blocks of mirrored columns take an even divisor of all columns.
    long_runs_of_doubles,           ///< Mirrored columns of up to 512 doubles store four runs at once.
    whole_lines_of_real_columns,    ///< Short real-to-real columns take whole cache lines, in larger blocks.
    bounded_registers_of_rows,      ///< Rows of floats are compiled for as many blocks as registers allow.
    columns_without_idle_threads,   ///< Columns of floats have threads that few butterflies leave idle.
    large_radices_of_doubles,       ///< Rows of doubles of three radices up to 30.
    lone_groups_of_units,           ///< Planes whose block would be alone take fewer threads.
    whole_sectors_in_clusters,      ///< Rows of a plane in a cluster store whole sectors.
    wide_threads_of_long_rows,      ///< Rows longer than columns, in a cluster, have 32 points a thread.
    wide_threads_of_doubles,        ///< So have planes of 256 x 256 doubles.
    runs_between_passes,            ///< What lies between two passes is in runs of a workspace.
    parts_in_neighbouring_lanes,    ///< Two lanes have the real and imaginary part of a prime's loop.
    blocks_for_all_units,           ///< Few transforms take smaller blocks, as many as there are multiprocessors.
    convolutions_beside_passes,     ///< A prime times a few points: two passes in one block, one of them Rader's.
};
/// No, where no table of the device has it.
bool holds(Rule rule, const DeviceLimits& limits);

/// Whether pipelining passes over so many bytes is worth it on this device.
bool is_worth_pipelining(std::uint64_t bytes, const DeviceLimits& limits);
/// The same for slices of what lies between two passes, of which a cache should hold several.
bool can_pay_to_pipeline(std::uint64_t slice_bytes, std::uint64_t slices, const DeviceLimits& limits);

}  // namespace seiche::planner
