// The on-chip transpose between two passes of one kernel: result k of sequence q becomes point q of sequence k. One map
// serves a kernel's values and the host's numbers, which count bank conflicts.
#pragma once

#include "kernels/contract/distribution.hpp"

namespace seiche::kernels {

/// Of the sequences of a group: which transform, which of its sequences, and which of those beside it.
template <class Index>
struct InTransform {
    Index transform, sequence, beside;
};
template <class Index>
InTransform<Index> in_transform(const KernelSpec& spec, Index sequence_in_group, Index zero) {
    if (!spec.on_chip.next.empty() && spec.on_chip.transposed_loop == 1) {
        const OnChipTranspose own = transpose_of(spec);
        const Index line = sequence_in_group / std::uint64_t{own.beside};
        return {line / std::uint64_t{own.columns}, line % std::uint64_t{own.columns},
                sequence_in_group % std::uint64_t{own.beside}};
    }
    const GroupShape& shape = std::get<GroupShape>(spec.shape);
    const std::uint64_t transforms = transforms_per_group(spec), each = shape.sequences / transforms;
    if (transforms == 1) return {zero, sequence_in_group, zero};
    if (shape.tile && shape.tile->beside) return {sequence_in_group % transforms, sequence_in_group / transforms, zero};
    return {sequence_in_group / each, sequence_in_group % each, zero};
}

/// A row of the next pass, in the group `rank` of a cluster.
template <class Index>
struct RowOf {
    Index rank, row;
};

struct TransposeMap {
    TransposeMap(const KernelSpec& first, const KernelSpec& next)
        : from(first), to(next), crossing(transpose_of(first)) {
        const auto& shape = std::get<GroupShape>(next.shape);
        const bool is_beside = shape.tile && shape.tile->beside;
        row_stride = is_beside ? crossing.transforms : crossing.beside;
        transform_stride = is_beside ? 1 : std::uint64_t{crossing.rows} * crossing.beside;
    }

    /// Where result p + leg s of `last`, the stage that ends the core, goes if bins meet in the next pass: row k of n
    /// is in the group of its mirror, n - k, and counted from its other end; row n / 2 is beside row 0.
    template <class Arithmetic, class Index = typename Arithmetic::Index>
    RowOf<Index> mirrored_row(const CoreStage& last, Index p, std::uint64_t leg, const Arithmetic& on) const {
        using Condition = typename Arithmetic::Condition;
        const ConstantOf<Index> half = crossing.rows / 2, all = from.n,
                                ahead = static_cast<ConstantOf<Index>>(leg * last.s);
        const bool has_halves = last.radix % 2 == 0, is_steady = has_halves && half % last.s == 0;
        if (is_steady && 2 * leg < last.radix) return {on.number(ahead / half), p + ahead % half};
        const Index k = p + ahead;
        const Condition is_beside_0 = on.equal(k, all / 2);
        const Index back = on.select(is_beside_0, on.number(0), on.number(all) - k);
        const Condition is_low = on.less(k, all / 2);
        const Index mirrored = !has_halves ? on.select(is_low, k, back) : 2 * leg < last.radix ? k : back;
        const Index low = mirrored % half, high = on.number(crossing.rows - 1) - low;
        const Index row = !has_halves ? on.select(is_low, low, high) : 2 * leg < last.radix ? low : high;
        return {mirrored / half, row};
    }

    const KernelSpec &from, &to;
    OnChipTranspose crossing;
    std::uint64_t row_stride = 1, transform_stride = 1;  ///< To the next one, in sequences of the next pass.
};

}  // namespace seiche::kernels
