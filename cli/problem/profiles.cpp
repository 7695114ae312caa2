// Limits of well-known devices, so that plans can be shown and source emitted where no such device is.
#include "cli/problem/profiles.hpp"

#include "cli/command/report.hpp"
#include "cli/io/device_profile.hpp"

namespace seiche::cli {
namespace {

constexpr std::uint64_t mebi = 1ull << 20, gibi = 1ull << 30;

/// NVIDIA H200: CUDA C++ Programming Guide, compute capability 9.0; NVIDIA's data sheet.
DeviceLimits h200() {
    DeviceLimits limits;
    limits.architecture = "sm_90";
    limits.shared_bytes = 227 * 1024;
    limits.shared_bytes_per_unit = 228 * 1024;
    limits.compute_units = 132;
    limits.max_cluster_size = 16;
    limits.max_allocation_bytes = limits.memory_bytes = 141 * gibi;
    limits.memory_bytes_per_second = 4'800'000'000'000;
    limits.cache_bytes = 50 * mebi;
    limits.fp16_arithmetic = true;
    limits.fixed_subgroups = limits.part_barriers = true;
    return limits;
}

/// NVIDIA A100: CUDA C++ Programming Guide, compute capability 8.0.
DeviceLimits a100() {
    DeviceLimits limits;
    limits.architecture = "sm_80";
    limits.shared_bytes = 163 * 1024;
    limits.shared_bytes_per_unit = 164 * 1024;
    limits.compute_units = 108;
    limits.max_allocation_bytes = limits.memory_bytes = 80 * gibi;
    limits.cache_bytes = 40 * mebi;
    limits.fp16_arithmetic = true;
    limits.fixed_subgroups = limits.part_barriers = true;
    return limits;
}

/// One of the two dies of an AMD Instinct MI250: AMD's data sheet, and the CDNA 2 instruction set's reference guide.
DeviceLimits mi250() {
    DeviceLimits limits;
    limits.architecture = "gfx90a";
    limits.subgroup_size = 64;
    limits.shared_bytes = limits.shared_bytes_per_unit = 64 * 1024;
    limits.registers_per_thread = 256;
    limits.compute_units = 104;
    limits.max_allocation_bytes = limits.memory_bytes = 64 * gibi;
    limits.cache_bytes = 8 * mebi;
    limits.sector_bytes = 64;
    limits.fp16_arithmetic = true;
    limits.fixed_subgroups = true;
    return limits;
}

/// What nearly every GPU has.
DeviceLimits gpu() {
    DeviceLimits limits;
    limits.compute_units = 32;
    limits.max_group_size = 256;
    limits.shared_bytes = 32 * 1024;
    limits.shared_bytes_per_unit = 64 * 1024;
    limits.registers_per_thread = 128;
    return limits;
}

/// PoCL on a CPU with two cores and 64-byte vectors.
DeviceLimits pocl() {
    DeviceLimits limits;
    limits.architecture = "cpu";
    limits.vectors = Vectors::explicit_simd;
    limits.subgroup_size = 1;
    limits.max_group_size = 4096;
    limits.shared_bytes = limits.shared_bytes_per_unit = 1024 * 1024;
    limits.compute_units = 2;
    limits.memory_bytes = 8 * gibi;
    limits.cache_bytes = 32 * mebi;
    limits.sector_bytes = 64;
    return limits;
}

/// The processor as the device `cpu` has it (runtime/cpu/device.cpp), with two cores.
DeviceLimits processor(const std::string& instructions, std::uint32_t vector_bytes) {
    DeviceLimits limits = pocl();
    limits.architecture = "x86-64-" + instructions;
    limits.vector_bytes = vector_bytes;
    limits.max_group_size = 1;
    limits.unit_cache_bytes = 2 * mebi;
    limits.waits_for_groups = limits.bounds_registers = false;
    limits.fast_fma = instructions != "sse4.2";
    return limits;
}

DeviceLimits neon() {
    DeviceLimits limits = processor("", 16);
    limits.architecture = "aarch64-neon";
    return limits;
}

/// lavapipe (Mesa 22.3) on a CPU with 32-byte vectors.
DeviceLimits lavapipe() {
    DeviceLimits limits;
    limits.architecture = "llvmpipe";
    limits.vectors = Vectors::implicit_simd;
    limits.subgroup_size = 8;
    limits.shared_bytes = limits.shared_bytes_per_unit = 32 * 1024;
    limits.registers_per_thread = 128;
    limits.max_buffer_bytes = 64 * mebi;
    limits.memory_bytes = 2 * gibi;
    limits.exact_fp64 = limits.fast_fma = false;
    return limits;
}

}  // namespace

const std::vector<Profile>& profiles() {
    static const std::vector<Profile> list{{"h200", "NVIDIA H200", h200()},
                                           {"a100", "NVIDIA A100", a100()},
                                           {"mi250", "AMD Instinct MI250, one die", mi250()},
                                           {"gpu", "a modest GPU, 32 KiB of shared memory", gpu()},
                                           {"pocl", "a CPU through PoCL", pocl()},
                                           {"avx512", "a processor with AVX-512", processor("avx512", 64)},
                                           {"avx2", "a processor with AVX2", processor("avx2", 32)},
                                           {"sse4.2", "a processor with SSE4.2", processor("sse4.2", 16)},
                                           {"neon", "a processor of AArch64", neon()},
                                           {"lavapipe", "a CPU through lavapipe", lavapipe()}};
    return list;
}

std::string profile_names() {
    std::string names;
    for (const Profile& profile : profiles()) names += (names.empty() ? "" : ", ") + profile.name;
    return names;
}

const Profile& find_profile(const std::string& name) {
    for (const Profile& profile : profiles())
        if (profile.name == name) return profile;
    throw UsageError("--profile: expected one of " + profile_names() + ", got '" + name + "'");
}

void add_limits_options(Command& command, LimitsOptions& options, const std::string& device_help) {
    command.add_option("--device", options.device, device_help).value("NAME");
    command
        .add_option("--profile", options.profile,
                    "Use the limits of a well-known device, which need not be present: " + profile_names())
        .value("NAME");
    command
        .add_option("--device-profile", options.device_profile,
                    "Use the limits in this JSON file; share/seiche/profiles has those of real devices")
        .value("FILE");
}

LimitsChoice choose_limits(const LimitsOptions& options) {
    std::vector<std::string> given;
    if (!options.device.empty()) given.emplace_back("--device");
    if (!options.profile.empty()) given.emplace_back("--profile");
    if (!options.device_profile.empty()) given.emplace_back("--device-profile");
    if (given.size() > 1)
        throw UsageError("expected one of --device, --profile and --device-profile, got " +
                         (given.size() == 2 ? "both " + given[0] + " and " + given[1] : "all three"));
    const auto with_tables = [](const std::string& name, DeviceLimits limits) {
        limits.tables = environment_tables();
        return LimitsChoice{name, std::move(limits)};
    };
    if (!options.profile.empty()) return with_tables(options.profile, find_profile(options.profile).limits);
    if (!options.device_profile.empty()) {
        const io::DeviceProfile profile = io::read_device_profile(options.device_profile);
        return with_tables(profile.name, profile.limits);
    }
    const Device opened = open_device(options.device);
    return {opened.info().name, opened.limits()};
}

}  // namespace seiche::cli
