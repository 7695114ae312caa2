// Sums over the bins that a middle stage sees: what a thread has of each is added among the threads of a sequence or a
// group, in an order that no timing changes, and stored as a partial sum.
#pragma once

#include "kernels/frame.hpp"

namespace seiche::kernels {

/// Threads whose sums are added: `count` of them, of which this is number `position`. Its own place in shared memory is
/// `place` of `places`, and the next thread's lies `stride` further on.
struct Summands {
    std::uint32_t count = 1, stride = 1;
    ir::Value position, place;  ///< u32
    std::uint32_t places = 1;
};

/// The thread has summed nothing yet. Stages that are applied from then on add to frame.sums.
void begin_sums(Frame& frame, const KernelSpec& spec);
/// The thread at position 0 has the sums of all. The whole group comes here.
void add_among_threads(Frame& frame, const Summands& threads);
/// To `first` and the places behind it (u64), one for each sum.
void store_partials(Frame& frame, ir::Value first, ir::Value predicate);

}  // namespace seiche::kernels
