// What a core's exchanges cost, before there is a kernel: for the planner, which chooses radices and their order by it.
#include <algorithm>
#include <array>
#include <bit>
#include <span>

#include "kernels/contract/generate.hpp"
#include "kernels/contract/spec.hpp"
#include "kernels/group/bank_conflicts.hpp"

namespace seiche::kernels {

namespace {

constexpr std::uint32_t subgroup = 32;

struct CountedExchange {
    std::uint32_t n, threads;
    std::uint32_t step = subgroup;  ///< From one subgroup that is counted to the next.

    /// Calls visit(indices) with the places that the threads from `first` on touch at one leg of one of their
    /// butterflies.
    template <class Visit>
    void written(std::uint32_t radix, std::uint32_t s, std::uint32_t first, std::uint32_t leg, Visit& visit) const {
        touched(n / radix, first, visit, [&](std::uint32_t b) { return b / s * radix * s + leg * s + b % s; });
    }
    template <class Visit>
    void read(std::uint32_t radix, std::uint32_t first, std::uint32_t leg, Visit& visit) const {
        touched(n / radix, first, visit, [&](std::uint32_t b) { return b + leg * (n / radix); });
    }

private:
    template <class Visit, class PlaceOf>
    void touched(std::uint32_t butterflies, std::uint32_t first, Visit& visit, const PlaceOf& place) const {
        std::array<std::uint32_t, subgroup> indices;
        const std::uint32_t end = std::min({first + subgroup, first / threads * threads + threads, butterflies});
        for (std::uint32_t b = first; b < end; ++b) indices[b - first] = place(b);
        visit(std::span<const std::uint32_t>(indices).first(end - first));
    }
};

/// Calls visit(indices) for the accesses of all subgroups and legs, or of the few that the kernel chooses its places
/// by.
template <class Visit>
void for_each_access(const std::vector<std::uint32_t>& radices, const CountedExchange& exchange, bool all,
                     Visit&& visit) {
    std::uint32_t s = 1;
    const auto add = [&](std::uint32_t radix, bool writes) {
        const std::uint32_t butterflies = exchange.n / radix, last = (exchange.threads - 1) / subgroup * subgroup;
        for (std::uint32_t round = 0; round < butterflies; round += exchange.threads) {
            for (std::uint32_t in = 0; in < exchange.threads && round + in < butterflies;
                 in += all ? exchange.step : subgroup) {
                if (!all && (round != 0 || (in != 0 && in != last))) continue;
                for (std::uint32_t leg = 0; leg < radix; ++leg) {
                    if (!all && leg != 0 && leg != radix / 2 && leg != radix - 1) continue;
                    writes ? exchange.written(radix, s, round + in, leg, visit)
                           : exchange.read(radix, round + in, leg, visit);
                }
            }
        }
    };
    for (std::size_t i = 0; i < radices.size(); ++i) {
        if (i > 0) add(radices[i], false);
        if (i + 1 < radices.size()) add(radices[i], true);
        s *= radices[i];
    }
}

/// Subgroups that go to shared memory, at each leg of each butterfly.
std::uint64_t accesses(const std::vector<std::uint32_t>& radices, const CountedExchange& exchange) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < radices.size(); ++i) {
        const std::uint32_t butterflies = exchange.n / radices[i], sides = (i > 0) + (i + 1 < radices.size());
        for (std::uint32_t round = 0; round < butterflies; round += exchange.threads) {
            const std::uint32_t busy = std::min(exchange.threads, butterflies - round);
            sum += std::uint64_t{sides} * radices[i] * ((busy + subgroup - 1) / subgroup);
        }
    }
    return sum;
}

}  // namespace

double exchange_wavefronts(const std::vector<std::uint32_t>& radices, std::uint32_t n, std::uint32_t threads,
                           unsigned bytes) {
    constexpr std::uint32_t counted_in_full = 4096;
    const CountedExchange exchange{n, threads, subgroup * std::max(1u, n / counted_in_full)};
    std::vector<AccessPattern> few;
    for_each_access(radices, exchange, false, [&](auto indices) { few.emplace_back(indices.begin(), indices.end()); });
    const Swizzle swizzle = choose_swizzle(few, bytes, std::has_single_bit(n) ? ExclusiveOr::free : ExclusiveOr::never);
    std::uint64_t wavefronts = 0, counted = 0;
    for_each_access(radices, exchange, true, [&](auto indices) {
        wavefronts += access_wavefronts(indices, swizzle, bytes);
        ++counted;
    });
    return static_cast<double>(wavefronts) * static_cast<double>(accesses(radices, exchange)) /
           static_cast<double>(counted);
}

}  // namespace seiche::kernels
