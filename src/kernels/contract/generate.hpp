// From a spec to a kernel.
#pragma once

#include "ir/kernel.hpp"
#include "kernels/contract/spec.hpp"

namespace seiche::kernels {

/// Chooses what follows from the rest of a spec, by counting: SharedExchange::places, BlockPlaces, RegisterUse, the
/// hints of both sides, FourStepTwiddle::prefetch. Work and shape are settled. Throws InternalError for a spec that
/// contradicts itself.
KernelSpec complete(KernelSpec spec);

/// The kernel's parameters are: in, out, in_imag and out_imag where they are planar, the table if it has one, the
/// spectra if it has them, the counters if groups wait for each other, then the buffers of the user's load stage and
/// store stage; scalars: the count of sequences (u32), then the stages'. `in` is not touched where the load stage does
/// not read the point, nor `out` where the store stage has no result. Throws InternalError for a spec that contradicts
/// itself or is not complete.
ir::Kernel generate(const KernelSpec& spec);

/// Which points the registers of a core's threads hold: register m of thread `lane` has point
/// lane + threads (m % per_thread) + butterflies (m / per_thread), if lane + threads (m % per_thread) is below
/// `butterflies`.
struct CoreSide {
    std::uint32_t points = 1, threads = 1, per_thread = 1, butterflies = 1;
    std::uint32_t registers() const;
    bool operator==(const CoreSide&) const = default;
};

/// The core without any memory of the device, as a function of a thread's registers: the private array `x` of complex
/// points, before and after; the shared arrays; the thread's id, which is its lane among the threads of one transform;
/// and a table, if the core has one. The first exchange too begins with a barrier.
struct Core {
    CoreSide before, after;
    ir::Kernel kernel;
};

/// Of a spec with a GroupShape of one sequence, both orders sequence_fastest, and no stages.
Core generate_core(const KernelSpec& spec, Direction direction);

/// Wavefronts of 128 bytes that all exchanges of one transform take, for one plane of numbers of so many bytes; of long
/// ones estimated from a part of them.
double exchange_wavefronts(const std::vector<std::uint32_t>& radices, std::uint32_t n, std::uint32_t threads,
                           unsigned bytes);

}  // namespace seiche::kernels
