// What a plan is made of: launches, barriers, size of its kernels, and what the interpreter counts of them.
#include <algorithm>

#include "seiche/emit.hpp"
#include "seiche/error.hpp"
#include "seiche/inspect.hpp"
#include "study/laboratory.hpp"
#include "study/tables.hpp"

namespace seiche::study {
namespace {

/// OpControlBarrier in a module (SPIR-V 1.3, 3.32.20): those that are in the text, as loops run them more than once.
std::uint64_t barriers_in(const std::vector<std::uint32_t>& words) {
    constexpr std::size_t header_words = 5;
    constexpr std::uint32_t control_barrier = 224;
    std::uint64_t count = 0;
    for (std::size_t at = header_words; at < words.size(); at += std::max(1u, words[at] >> 16))
        if ((words[at] & 0xffffu) == control_barrier) ++count;
    return count;
}

/// The interpreter runs every group of every launch, which takes its time.
void add_analysis(const Problem& problem, const DeviceLimits& limits, const Tuning& tuning, Anatomy& anatomy) {
    double sectors = 0, ideal = 0, wavefronts = 0, wavefronts_ideal = 0, bytes = 0;
    for (const AnalysisReport& one : analyse(problem, limits, tuning)) {
        sectors += static_cast<double>(one.sectors);
        ideal += static_cast<double>(one.sectors_ideal);
        wavefronts += static_cast<double>(one.shared_wavefronts);
        wavefronts_ideal += static_cast<double>(one.shared_wavefronts_ideal);
        anatomy.flops += one.flops;
        bytes += static_cast<double>(one.bytes_read + one.bytes_written);
        anatomy.registers = std::max<std::uint64_t>(anatomy.registers, one.registers_live);
    }
    anatomy.sectors = ideal > 0 ? sectors / ideal : 0;
    anatomy.conflicts = wavefronts_ideal > 0 ? wavefronts / wavefronts_ideal : 0;
    anatomy.flops_per_byte = bytes > 0 ? static_cast<double>(anatomy.flops) / bytes : 0;
    anatomy.is_analysed = true;
}

}  // namespace

Anatomy Laboratory::anatomy(const Problem& problem, const Trial& trial) const {
    Anatomy anatomy;
    const Tuning tuning = tuning_of(trial);
    try {
        PlanReport report = inspect(problem, device_.limits(), tuning);
        for (const KernelReport& kernel : report.kernels) {
            if (kernel.direction != Direction::forward) continue;
            ++anatomy.launches;
            anatomy.group_size = std::max<std::uint64_t>(anatomy.group_size, kernel.group_size);
            anatomy.shared_bytes = std::max(anatomy.shared_bytes, kernel.shared_bytes);
        }
        anatomy.moved_bytes = report.moved_bytes;
        anatomy.is_known = true;
        // One module for all devices, so that sizes compare.
        for (const EmittedKernel& kernel :
             emit_kernels(problem, Dialect::spirv, device_.limits(), Direction::forward, tuning)) {
            anatomy.module_bytes += kernel.words.size() * sizeof(std::uint32_t);
            anatomy.barriers += barriers_in(kernel.words);
        }
        if (points_of(problem) <= most_analysed_points) add_analysis(problem, device_.limits(), tuning, anatomy);
    } catch (const Unsupported&) {  // what is known so far stays
    }
    return anatomy;
}

}  // namespace seiche::study
