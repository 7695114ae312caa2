// Small kernels made by hand, each for a part of what the dialects must be able to say.
#pragma once

#include "ir/builder.hpp"

namespace seiche::test {

/// 64 threads reverse 64 complex numbers through shared memory, scale them, and store those below a count.
ir::Kernel exchange_kernel();
/// One work-item, 16 lanes: loads, a loop over a private array, shuffles, a table.
ir::Kernel simd_kernel();
/// More shared memory than can be declared; wide accesses with indices known to be aligned, and some that are not.
ir::Kernel dynamic_shared_kernel();
/// Several loads and stores under two predicates, one of them at an address that was loaded.
ir::Kernel guarded_kernel();
/// Reads f16, writes bf16.
ir::Kernel half_storage_kernel();
/// Reads and writes integers of 8 and 16 bits, some under a predicate.
ir::Kernel narrow_storage_kernel();
ir::Kernel subgroup_kernel();
/// A group that is alone on its unit, with indices that are divided by 7.
ir::Kernel lone_kernel();
/// Writes f16 at indices that are divided by 7, after so many products.
ir::Kernel uneven_halves_kernel(std::size_t products);
ir::Kernel atomic_kernel();
/// Groups in the order of their tickets, so many a level: each takes two numbers that two groups of the level before
/// left in the same memory, waits for both, and leaves their sum and difference there. The counters are the first
/// buffer.
ir::Kernel ticket_kernel();
/// 256 threads exchange numbers through shared memory within subgroups, and then within quarters of the group if so
/// asked.
ir::Kernel scoped_barriers_kernel(bool has_parts);
ir::Kernel async_kernel();
ir::Kernel matrix_kernel();
/// Two groups of a cluster swap halves.
ir::Kernel cluster_kernel();
/// The same twice, by stores that are counted.
ir::Kernel counted_kernel();

}  // namespace seiche::test
