#include "planner/device_model.hpp"

#include <array>

namespace seiche::planner {

namespace {

/// A batch is at least so many times the cache, and a slice at most this part of it. Measured: LAB-0020.
constexpr std::uint64_t least_caches = 2, slices_of_cache = 3;
constexpr std::uint32_t many_registers = 255, parts_of_unit = 4, lanes = 32, registers_in_step = 8;

/// The devices that a rule was measured on, and their like.
enum class Like : std::uint8_t {
    hopper,       ///< Subgroups of 32, bounds for registers, and shared memory for 160 KiB a group: H100.
    fast_memory,  ///< The same with memory from 4 TB/s on: H200.
    clusters,     ///< Hopper's clusters, whatever the API reports of them.
    fixed_lanes,  ///< As hopper, where a subgroup's lanes are known when the kernel is written.
};

struct Where {
    Rule rule;
    Like like;
};

/// The notes: LAB-0020 pipelining, 0021 and 0022 fusing, 0023 groups, 0025 cores, 0026 convolutions, 0027 real axes,
/// 0029 real-to-real, 0030 passes, 0107 columns.
constexpr std::array where{
    Where{Rule::pipelined_passes, Like::clusters},
    Where{Rule::large_radices_of_16_bit_pairs, Like::hopper},
    Where{Rule::large_slices_of_doubles, Like::fast_memory},
    Where{Rule::small_tiles_of_doubles, Like::fast_memory},
    Where{Rule::passes_of_r2c_by_cost, Like::hopper},
    Where{Rule::even_parts_of_columns, Like::hopper},
    Where{Rule::long_runs_of_doubles, Like::hopper},
    Where{Rule::whole_lines_of_real_columns, Like::hopper},
    Where{Rule::bounded_registers_of_rows, Like::hopper},
    Where{Rule::columns_without_idle_threads, Like::hopper},
    Where{Rule::large_radices_of_doubles, Like::hopper},
    Where{Rule::lone_groups_of_units, Like::hopper},
    Where{Rule::whole_sectors_in_clusters, Like::hopper},
    Where{Rule::wide_threads_of_long_rows, Like::hopper},
    Where{Rule::wide_threads_of_doubles, Like::fast_memory},
    Where{Rule::parts_in_neighbouring_lanes, Like::fixed_lanes},
};

bool is_like_hopper(const DeviceLimits& limits) {
    constexpr std::uint32_t shared = 160 << 10;
    return has_bounded_registers(limits) && limits.subgroup_size == lanes && limits.shared_bytes >= shared;
}

bool is_like(Like like, const DeviceLimits& limits) {
    constexpr std::uint64_t fast = 4'000'000'000'000;  // bytes per second; an H100's 3.35e12, an H200's 4.8e12
    switch (like) {
        case Like::hopper: return is_like_hopper(limits);
        case Like::fast_memory: return is_like_hopper(limits) && limits.memory_bytes_per_second >= fast;
        case Like::clusters: return limits.max_cluster_size > 1 || limits.architecture == "sm_90";
        case Like::fixed_lanes: return is_like_hopper(limits) && limits.fixed_subgroups;
    }
    return false;
}

}  // namespace

bool has_bounded_registers(const DeviceLimits& limits) {
    return is_gpu(limits) && limits.bounds_registers && limits.registers_per_thread >= many_registers;
}

bool has_few_registers(const DeviceLimits& limits) {
    constexpr std::uint32_t of_largest_butterfly = 100;
    return has_groups(limits) && limits.registers_per_thread < of_largest_butterfly;
}

bool holds(Rule rule, const DeviceLimits& limits) {
    for (const Where& one : where)
        if (one.rule == rule) return is_like(one.like, limits);
    return false;
}

std::uint32_t subgroups_of_unit(std::uint32_t registers) {
    const std::uint32_t of_thread = (registers + registers_in_step - 1) / registers_in_step * registers_in_step;
    return parts_of_unit * (registers_per_unit / lanes / parts_of_unit / of_thread);
}

std::uint32_t registers_beside_others(std::uint32_t group, std::uint32_t groups) {
    const std::uint32_t subgroups = groups * subgroups_of_group(group);
    const std::uint32_t of_part = (subgroups + parts_of_unit - 1) / parts_of_unit;
    return registers_per_unit / lanes / parts_of_unit / of_part / registers_in_step * registers_in_step;
}

std::uint32_t most_points_of_thread(const std::vector<std::uint32_t>& radices, std::uint32_t n, std::uint32_t threads) {
    std::uint32_t most = 1;
    for (const std::uint32_t r : radices) most = std::max(most, butterflies_of_thread(n, r, threads) * r);
    return most;
}

double operations_of_butterfly(std::uint32_t r) {
    if (r <= 1) return 0;
    if (r == 2) return 4;
    std::uint32_t p = 2;
    while (r % p != 0) ++p;
    if (p == r) {
        const double half = (r - 1) / 2;
        return 10 * half + 4 * half * half;
    }
    const std::uint32_t m = r / p;
    return m * operations_of_butterfly(p) + p * operations_of_butterfly(m) + operations_per_twiddle * (p - 1) * (m - 1);
}

double operations_of_thread(const std::vector<std::uint32_t>& radices, std::uint32_t n, std::uint32_t threads) {
    double sum = 0;
    std::uint32_t s = 1;
    for (const std::uint32_t r : radices) {
        sum += butterflies_of_thread(n, r, threads) *
               (operations_of_butterfly(r) + (s > 1 ? operations_per_twiddle * (r - 1) : 0));
        s *= r;
    }
    return sum;
}

std::uint64_t points_with_idle(const std::vector<std::uint32_t>& radices, std::uint32_t n, std::uint32_t threads) {
    std::uint64_t points = 0;
    for (const std::uint32_t r : radices) points += std::uint64_t{butterflies_of_thread(n, r, threads)} * r;
    return points * threads;
}

bool is_worth_pipelining(std::uint64_t bytes, const DeviceLimits& limits) {
    return limits.waits_for_groups && holds(Rule::pipelined_passes, limits) &&
           bytes >= least_caches * limits.cache_bytes;
}

bool can_pay_to_pipeline(std::uint64_t slice_bytes, std::uint64_t slices, const DeviceLimits& limits) {
    const std::uint64_t of_cache = has_unbounded_registers(limits) ? slices_of_cache_elsewhere : slices_of_cache;
    return of_cache * slice_bytes <= limits.cache_bytes && slices >= least_pipelined_slices &&
           is_worth_pipelining(slices * slice_bytes, limits);
}

}  // namespace seiche::planner
