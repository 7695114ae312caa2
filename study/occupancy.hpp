// How many threads stay on a unit of a GPU, by what a kernel needs of it.
#pragma once

#include <cstdint>

#include "seiche/device.hpp"

namespace seiche::study {

/// What a unit (a multiprocessor, a compute unit) has for all groups on it; its shared memory is in DeviceLimits.
struct Unit {
    std::uint32_t registers = 0;  ///< Of 32 bits.
    std::uint32_t threads = 0, groups = 0;
    bool is_known = false;  ///< Otherwise what most GPUs have: the interface doesn't say.
};

/// By the architecture's name: CUDA C++ Programming Guide, technical specifications for each compute capability; AMD's
/// instruction set guides (CDNA 1 to 3, GCN 5, RDNA 2 and 3).
Unit unit_of(const DeviceLimits& limits);

/// What a kernel needs: registers of a thread, threads and bytes of shared memory of a group.
struct Need {
    std::uint64_t registers = 0, group_size = 0, shared_bytes = 0;
};

struct Residence {
    std::uint64_t threads = 0, most = 0;  ///< On a unit at once, and what it holds of kernels that need little.
};

/// At best: a compiler needs registers beside those of the values that are live. One group is always there, as a
/// compiler keeps values elsewhere where registers are short.
Residence residence(const Need& need, const DeviceLimits& limits);

}  // namespace seiche::study
