// The analyser: runs a kernel in the interpreter and counts what a profiler would, without a GPU.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/interpret.hpp"

namespace seiche::ir {

/// The parts of a machine that decide what is counted.
struct MachineModel {
    std::uint32_t subgroup_size = 32;
    std::uint32_t banks = 32;  ///< Of 4 bytes. Accesses of 4, 8, 16 bytes are served per 32, 16, 8 lanes.
    std::uint32_t sector_bytes = 32;
};

/// Accesses are counted by thread: one thread that executes one instruction is one access, however wide. Bytes of
/// global memory are counted once a subgroup access, however many lanes ask for them; sectors from the start of the
/// buffer as it is bound.
struct Analysis {
    std::uint64_t out_of_bounds = 0;
    std::uint64_t uninitialised_reads =
        0;  ///< Of shared, private and output memory never written. Inputs and tables count as written.
    std::uint64_t shared_races =
        0;  ///< Two threads, one address, no barrier between, at least one writes. Also across a cluster.
    std::uint64_t global_races = 0;  ///< Two groups (or two threads without a barrier between), likewise.
    std::uint64_t shared_wavefronts = 0;
    std::uint64_t shared_wavefronts_ideal = 0;  ///< The least for as many bytes; conflicts are the difference.
    std::uint64_t sectors = 0;        ///< Pieces of sector_bytes touched per subgroup access, data buffers only.
    std::uint64_t sectors_ideal = 0;  ///< Useful bytes / sector_bytes, rounded up per access.
    std::uint64_t bytes_read = 0, bytes_written = 0;  ///< Global, tables apart.
    std::uint64_t table_bytes_read = 0;
    std::uint64_t shared_bytes_read = 0, shared_bytes_written = 0;
    std::uint64_t flops = 0;           ///< fma and mad count two.
    std::uint64_t barriers = 0;        ///< Executed by one group, summed over groups.
    std::uint64_t waits = 0;           ///< For other groups, likewise.
    std::uint32_t registers_live = 0;  ///< Most 32-bit registers of live values at once per thread.
    /// One line each, at most 20: what, where (both instructions of a race), which threads.
    std::vector<std::string> findings;
};

/// Interprets the grid as launched, single threaded, and counts. Never throws for what it reports: accesses out of
/// bounds are left out. Throws InternalError for a deadlock. The subgroup size is the machine's unless the kernel
/// requires one.
Analysis analyse(const Kernel& kernel, const Launch& launch, const MachineModel& machine = {},
                 const InterpretOptions& options = {});

}  // namespace seiche::ir
