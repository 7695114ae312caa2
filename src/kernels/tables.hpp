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

/// True if the lanes of a SIMD kernel across sequences always lie within one run of the fastest loop, so that they
/// share every other index.
bool lanes_share_outer_indices(const KernelSpec& spec);

/// Of a convolution whose points come from another pass on chip: all factors of a transform, in the order in which
/// threads ask for them. A prime's are asked for where that pass has its results: points by sequences, else the other
/// way.
std::optional<BlockTwiddles> transposed_twiddles(const KernelSpec& spec, const FourStepTwiddle& twiddle);
/// The rows of a four-step twiddle in a group kernel: element lane + threads m of sequence q has exp(-2 pi i lane q /
/// length) for all m, times entry [m][q] of this table, which neighbouring sequences find side by side; where that
/// would be large, times two, of q within a run and of the run. PowerTable's two factors for each point are scattered
/// reads instead, which cost as much as the data. `side` is spec.in.stages or spec.out.stages. Empty where the stage at
/// memory distributes its points otherwise. Measured: LAB-0028.
std::vector<BlockTwiddles> twiddle_rows(const KernelSpec& spec, const FourStepTwiddle& twiddle,
                                        const std::vector<Stage>& side);

/// Entry [m] of such a table is the product of those below m that the step divides and of the rest: fewer loads where
/// fences or a cluster's barriers empty the first cache, and no other resident group hides them. Many rows, and f64
/// without registers, are looked up. Measured: LAB-0028.
std::uint32_t row_step(const KernelSpec& spec, const FourStepTwiddle& twiddle, std::uint32_t rows);

/// What the rows of such a twiddle have in common, exp(-2 pi i lane q / length), in the order in which neighbouring
/// threads ask for it.
struct CommonTwiddles {
    std::vector<BlockTwiddles> tables;  ///< Of q; or of q within a run, and of the run.
    bool is_along = true;  ///< At [q][lane], where neighbours have neighbouring elements; otherwise at [lane][q].
};
/// For second passes on chip, and pipelined ones, of powers of two: their tables would be read while a cluster's
/// barriers, or other groups, are waited for. Nothing: PowerTable has the factor. Measured: LAB-0028.
std::optional<CommonTwiddles> common_twiddles(const KernelSpec& spec, const FourStepTwiddle& twiddle,
                                              const std::vector<Stage>& side);

/// Points for which a SIMD kernel has factors of a four-step twiddle: those of padding too, which it may pass through.
std::uint32_t twiddle_points(const KernelSpec& spec);

/// The factors of a four-step twiddle that the lanes of a register share, [element][register], for a SIMD kernel whose
/// lanes share outer indices. Nothing where the table would outgrow the caches: PowerTable has the factor then.
std::optional<BlockTwiddles> block_twiddles(const KernelSpec& spec, const FourStepTwiddle& twiddle);

/// The factors of a turn: neighbouring sequences find theirs side by side, and share those of an element.
struct TurnRoots {
    RootTable elements, loop;
};
TurnRoots turn_roots(const KernelSpec& spec, const Turn& turn);

/// Of frames that overlap: what their numbers are multiplied by, or the windows' squares.
WindowTable window_table(const KernelSpec& spec, bool has_squares);

/// The section with this content. Throws InternalError if there is none.
const TableSection& find_section(const std::vector<TableSection>& sections, const TableContent& content);

}  // namespace seiche::kernels
