// How generators find a section of the table buffer.
#pragma once

#include <optional>
#include <vector>

#include "kernels/contract/spec.hpp"
#include "kernels/contract/tables.hpp"

namespace seiche::kernels {

/// Where a long table of powers is cut in two: w^e = low[e mod step] high[e / step].
std::uint64_t power_table_step(std::uint64_t length);

/// The copy of the twiddles that a run of a core reads. Where both runs have the same, a compiler keeps the first run's
/// for the second: of f64, and of two passes in one kernel, that is more than a GPU's registers hold beside the points.
std::uint32_t twiddle_copy(const KernelSpec& spec, std::size_t run);

/// True if butterflies of this radix take their twiddles with them (merged_butterfly).
bool merges_twiddles(const KernelSpec& spec, std::uint32_t radix);

/// True if the lanes of a bundle across sequences always lie within one run of the fastest loop, so that they share
/// every other index.
bool lanes_share_outer_indices(const KernelSpec& spec);

/// The rows of a four-step twiddle in a group kernel, where it can be split: element lane + threads m of sequence q has
/// exp(-2 pi i lane q / length) for all m, times the entry [m][q] of this table, which neighbouring sequences find side
/// by side; where it would be large, times two, of q within a run and of the run, which neighbours share. Two looked-up
/// factors for each point, as PowerTable needs them, are scattered reads and cost as much as the data: on an H200 the
/// last pass of 2^27 points asked its cache for 188 million sectors instead of 105 and took 0.94 ms instead of 0.55.
/// `side` is spec.in.stages or spec.out.stages. Empty where the stage that meets memory there deals its points
/// otherwise.
std::vector<BlockTwiddles> twiddle_rows(const KernelSpec& spec, const FourStepTwiddle& twiddle,
                                        const std::vector<Stage>& side);

/// Entry [m] of such a table with so many rows is the product of those below m that the step divides and of what is
/// left: fewer loads where a fence or a barrier of a cluster empties the first cache, and where no other group of the
/// unit goes on while one waits for them. On an H100 2^22 points went from 0.42 to 0.44 of copy, f64 from 0.41 to 0.43,
/// but 2^21, whose groups are two, from 0.445 to 0.436. Of more than 16 rows (2^17 0.81, 0.76 with products), and of
/// f64 of other lengths than powers of two, which registers do not suffice for (6561 0.89, 0.85), each is looked up.
std::uint32_t row_step(const KernelSpec& spec, const FourStepTwiddle& twiddle, std::uint32_t rows);

/// What the rows of such a twiddle have in common, exp(-2 pi i lane q / length), in the order in which neighbouring
/// threads ask for it.
struct CommonTwiddles {
    std::vector<BlockTwiddles> tables;  ///< Of q; or of q within a run, and of the run.
    bool is_along = true;  ///< At [q][lane], where neighbours have neighbouring elements; otherwise at [lane][q].
};
/// For second passes on chip, whose tables are read between a cluster's barriers, which empty the first cache, and for
/// passes that trail, where waiting for the other groups does; of powers of two (on an H100 f64 2^14 0.96 -> 0.985 of
/// copy, r2c of 2^17 numbers 0.76 -> 0.79, c2r of 2^20 0.56 -> 0.575; but 40960 points 0.92 -> 0.88, and of f64 behind
/// bins c2r of 2^16 0.85 -> 0.75). Nothing where there is none: PowerTable has the factor then.
std::optional<CommonTwiddles> common_twiddles(const KernelSpec& spec, const FourStepTwiddle& twiddle,
                                              const std::vector<Stage>& side);

/// Points for which a bundle has factors of a four-step twiddle: those of padding too, which it may pass through.
std::uint32_t twiddle_points(const KernelSpec& spec);

/// The factors of a four-step twiddle that the lanes of a register share, [element][register], for a bundle whose lanes
/// share outer indices. Nothing where the table would outgrow the caches: PowerTable has the factor then.
std::optional<BlockTwiddles> block_twiddles(const KernelSpec& spec, const FourStepTwiddle& twiddle);

/// The factors of a turn: neighbouring sequences find theirs side by side, and share those of an element.
struct TurnRoots {
    RootTable elements, loop;
};
TurnRoots turn_roots(const KernelSpec& spec, const Turn& turn);

/// The section with this content. Throws InternalError if there is none.
const TableSection& find_section(const std::vector<TableSection>& sections, const TableContent& content);

}  // namespace seiche::kernels
