#include "planner/device_model.hpp"

#include "planner/model/registers.hpp"

namespace seiche::planner {

namespace {

constexpr std::uint32_t parts_of_unit = 4, registers_in_step = 8;

}  // namespace

bool has_bounded_registers(const DeviceLimits& limits) {
    return is_gpu(limits) && limits.bounds_registers && limits.registers_per_thread >= most_registers_of_thread;
}

bool has_few_registers(const DeviceLimits& limits) {
    return has_groups(limits) && limits.registers_per_thread < registers::of_largest_butterfly;
}

std::uint32_t subgroups_of_unit(std::uint32_t registers) {
    const std::uint32_t of_thread = (registers + registers_in_step - 1) / registers_in_step * registers_in_step;
    return parts_of_unit * (registers_per_unit / lanes_of_subgroup / parts_of_unit / of_thread);
}

std::uint32_t registers_beside_others(std::uint32_t group, std::uint32_t groups) {
    const std::uint32_t subgroups = groups * subgroups_of_group(group);
    const std::uint32_t of_part = (subgroups + parts_of_unit - 1) / parts_of_unit;
    return registers_per_unit / lanes_of_subgroup / parts_of_unit / of_part / registers_in_step * registers_in_step;
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

}  // namespace seiche::planner
