// Whether the processor may serve as a device, and what planning needs to know of it.
#include "runtime/cpu/device.hpp"

#include <fstream>

#include "emit/machine/entry.hpp"
#include "runtime/cpu/module.hpp"
#include "runtime/cpu/queue.hpp"
#include "runtime/cpu/threads.hpp"
#include "runtime/library.hpp"
#include "support/text.hpp"

namespace seiche::runtime::cpu {

namespace {

#if defined(__x86_64__) || defined(_M_X64) || defined(__aarch64__)
constexpr bool has_code_for_it = true;
#else
constexpr bool has_code_for_it = false;
#endif
#if defined(__linux__)
constexpr bool is_linux = true;
#else
constexpr bool is_linux = false;
#endif

#ifdef SEICHE_WITHOUT_CPU_BACKEND
constexpr bool is_wanted = false;
#else
constexpr bool is_wanted = true;
#endif

struct Fault {
    std::string problem, remedy;
};

/// What of the build or the system stands in the way; empty if nothing.
Fault fault_here() {
    if (!has_code_for_it)
        return {"this build is for neither x86-64 nor AArch64, whose machine code it makes", "use a device of OpenCL"};
    if (!is_linux) return {"machine code is run on Linux only", "use a device of OpenCL"};
    if (!is_wanted && is_aarch64) return {"built with SEICHE_CPU_BACKEND=OFF", "build Seiche anew without it"};
    if (!emit::can_emit(dialect_here))
        return {"built without Xbyak",
                "build Seiche anew with the package libxbyak-dev (and not with SEICHE_CPU_BACKEND=OFF)"};
    if (features_here().instructions == InstructionSet::none)
        return {"this processor has no SSE4.2", "use a device of OpenCL"};
    if (const std::string why = why_not_executable(); !why.empty())
        return {"the system lets no memory be run that was written before: " + why,
                "allow it (SELinux: execmem; systemd: MemoryDenyWriteExecute=no), or use a device of OpenCL"};
    if (const std::string why = why_variables_are_wrong(); !why.empty())
        return {why, "set the variable so, or do not set it"};
    return {};
}

/// Bytes of caches for data; 0: the system does not say.
struct Caches {
    std::uint64_t last = 0;  ///< Of the last level.
    std::uint64_t own = 0;   ///< Of the second level, or of the first where there is one alone.
};

/// Those of the first processor.
Caches caches_here() {
    Caches caches;
    std::uint64_t highest = 0;
    for (int i = 0;; ++i) {
        const std::string folder = "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(i) + "/";
        std::uint64_t level = 0;
        std::string size, type;
        if (!(std::ifstream(folder + "level") >> level) || !(std::ifstream(folder + "size") >> size)) return caches;
        const bool has_unit = !size.empty() && size.back() == 'K';
        const auto kibibytes = support::parse_unsigned(size.substr(0, size.size() - (has_unit ? 1 : 0)));
        if (std::ifstream(folder + "type") >> type && type == "Instruction") continue;
        if (level <= highest || !kibibytes || !has_unit) continue;
        highest = level;
        caches.last = *kibibytes << 10;
        if (level <= 2) caches.own = caches.last;
    }
}

DeviceLimits limits_of(InstructionSet instructions, unsigned threads) {
    DeviceLimits limits;
    limits.architecture = architecture_of(instructions);
    limits.vectors = Vectors::explicit_simd;
    limits.subgroup_size = 1;
    limits.vector_bytes = vector_bytes_of(instructions);
    limits.max_group_size = 1;
    limits.shared_bytes = limits.shared_bytes_per_unit = 1u << 20;
    limits.compute_units = threads;
    if (const std::uint64_t memory = memory_limit(); memory != 0)
        limits.memory_bytes = limits.max_allocation_bytes = memory;
    const Caches caches = caches_here();
    if (caches.last != 0) limits.cache_bytes = caches.last;
    limits.unit_cache_bytes = caches.own;
    limits.sector_bytes = 64;
    limits.fast_fma = instructions >= InstructionSet::avx2;
    limits.exact_fp64 = true;
    limits.fp16_storage = true;
    limits.fp16_arithmetic = false;
    limits.waits_for_groups = false;
    limits.bounds_registers = false;
    return limits;
}

DeviceInfo absent(const Fault& fault) {
    DeviceInfo info;
    info.name = "cpu";
    info.backend = Backend::cpu;
    info.problem = fault.problem;
    info.remedy = fault.remedy;
    return info;
}

}  // namespace

DeviceInfo describe(const Features& features, unsigned threads) {
    DeviceInfo info;
    info.name = "cpu:0";
    info.description = features.brand;
    info.backend = Backend::cpu;
    info.available = features.instructions != InstructionSet::none;
    info.driver = std::string(to_string(features.instructions)) + ", " + std::to_string(threads) +
                  (threads == 1 ? " thread" : " threads");
    info.limits = limits_of(features.instructions, threads);
    return info;
}

std::string why_variables_are_wrong() {
    if (!default_threads())
        return "SEICHE_CPU_THREADS is '" + environment("SEICHE_CPU_THREADS") +
               "', expected a number of threads from 1 to " + std::to_string(most_threads);
    if (!allowed_features())
        return "SEICHE_CPU_FEATURES is '" + environment("SEICHE_CPU_FEATURES") + "', expected " + known_instructions();
    return {};
}

std::vector<DeviceInfo> list() {
    if (const Fault fault = fault_here(); !fault.problem.empty()) return {absent(fault)};
    return {describe(allowed_features().value_or(features_here()), default_threads().value_or(1))};
}

std::shared_ptr<Device> open(const DeviceInfo& info) {
    return std::make_shared<CpuDevice>(info, emit::machine::host_functions());
}

emit::Target CpuDevice::target() const {
    emit::Target target;
    target.dialect = dialect_here;
    target.architecture = info_.limits.architecture;
    target.fast_fma = info_.limits.fast_fma;
    target.widest_access_bytes = info_.limits.vector_bytes;
    return target;
}

std::shared_ptr<Module> CpuDevice::load(const emit::Source& source, const Binary&) {
    return std::make_shared<CpuModule>(source, functions_);
}

std::shared_ptr<Buffer> CpuDevice::allocate(std::uint64_t bytes) { return std::make_shared<CpuBuffer>(bytes); }

std::shared_ptr<Queue> CpuDevice::create_queue() { return std::make_shared<CpuQueue>(); }

}  // namespace seiche::runtime::cpu
