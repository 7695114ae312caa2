// Passes in one kernel, as a plane's, a cube's or an operator's: a pass's results go to the next by a transpose in the
// shared memory of a group, or of the groups of a cluster, each of which writes to all (Bailey, "FFTs in external or
// hierarchical memory", 1990, with a cluster's memory as the external one).
//
// A transform is n_1 rows of n_2 columns. The first pass has the columns, n_1 points each, the second the rows. Of the
// groups of a cluster each has as many columns as the others, then as many rows: the transpose is all that they share.
// Of a longer transform, or of an axis that is not the last, a cluster has a tile: transforms that lie beside each
// other, so that memory is touched in runs. Of a cube a group has all three axes, and each pass as many threads as
// whole rows of it ask for; of planes of unlike axes too (OnChip::own_threads). Of an operator a group has a plane's
// rows, its columns, between whose two runs is the middle, and the rows again.
#pragma once

#include "kernels/group/group.hpp"

namespace seiche::kernels {

/// A pass and the next one on chip.
class FusedPasses {
public:
    FusedPasses(GroupKernel& first, GroupKernel& next)
        : first_(first),
          next_(next),
          from_(first.pass()),
          to_(next.pass()),
          frame_(from_.frame),
          map_(from_.spec, to_.spec),
          transpose_(map_.crossing) {}

    /// So many loops have the sequences of one transform. Groups have no more sequences than there are, but for the
    /// last of those with several transforms.
    void take_whole_transforms(std::size_t loops);
    /// From memory to the next pass's results, which are to be stored, or transposed once more.
    void run();
    void transpose_and_run();

private:
    std::uint64_t cluster_bytes(const Round& round) const;
    void meet() const;
    void transpose() const;
    void write(Component component) const;
    /// Whether a result goes to the place that its logarithm says: to a prime's convolution.
    bool takes_logarithms() const { return to_.threads.takes_logarithms(to_.threads.first()); }
    ir::Complex passed(const ir::Complex& result, ir::Value row, ir::Value column, ir::Value exists) const;
    ir::Value place_in_core(ir::Value row, ir::Value column, ir::Value exists) const;

    GroupKernel &first_, &next_;
    const Pass &from_, &to_;
    Frame& frame_;
    TransposeMap map_;
    const OnChipTranspose& transpose_;
};

}  // namespace seiche::kernels
