// How many threads stay on a unit of a GPU.
#include "study/occupancy.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace seiche::study {
namespace {

struct Family {
    const char* prefix;
    std::uint32_t registers, threads, groups;
};

// The first prefix that fits counts. On AMD's cards a group of one wavefront takes no place beside that wavefront's.
constexpr std::array families{
    Family{"sm_75", 65536, 1024, 16},   Family{"sm_86", 65536, 1536, 16},      Family{"sm_87", 65536, 1536, 16},
    Family{"sm_89", 65536, 1536, 24},   Family{"sm_12", 65536, 1536, 24},      Family{"sm_", 65536, 2048, 32},
    Family{"gfx908", 65536, 2560, 40},  Family{"gfx90a", 2 * 65536, 2048, 32}, Family{"gfx94", 2 * 65536, 2048, 32},
    Family{"gfx9", 65536, 2560, 40},    Family{"gfx103", 65536, 1024, 32},     Family{"gfx1100", 98304, 1024, 32},
    Family{"gfx1101", 98304, 1024, 32}, Family{"gfx11", 65536, 1024, 32},
};
constexpr Family usual{"", 65536, 2048, 32};

std::uint64_t rounded_up(std::uint64_t value, std::uint64_t granule) {
    return (value + granule - 1) / granule * granule;
}

}  // namespace

Unit unit_of(const DeviceLimits& limits) {
    const auto found = std::find_if(families.begin(), families.end(), [&](const Family& family) {
        return limits.architecture.rfind(family.prefix, 0) == 0;
    });
    const Family& family = found == families.end() ? usual : *found;
    return {family.registers, family.threads, family.groups, found != families.end()};
}

Residence residence(const Need& need, const DeviceLimits& limits) {
    constexpr std::uint64_t granule = 8;  // registers of a thread
    const Unit unit = unit_of(limits);
    const std::uint64_t threads = rounded_up(std::max<std::uint64_t>(need.group_size, 1), limits.subgroup_size);
    const std::uint64_t registers = std::min<std::uint64_t>(
        rounded_up(std::max<std::uint64_t>(need.registers, 1), granule), limits.registers_per_thread);
    std::uint64_t groups = std::min({std::uint64_t{unit.groups}, unit.threads / threads,
                                     unit.registers / (std::max<std::uint64_t>(registers, 1) * threads)});
    if (need.shared_bytes > 0) groups = std::min(groups, limits.shared_bytes_per_unit / need.shared_bytes);
    return {std::max<std::uint64_t>(groups, 1) * threads, unit.threads};
}

}  // namespace seiche::study
