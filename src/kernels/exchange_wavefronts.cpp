// What a core's exchanges cost, before there is a kernel: for the planner, which chooses radices and their order by it.
#include <algorithm>
#include <bit>

#include "kernels/exchange.hpp"
#include "kernels/spec.hpp"

namespace seiche::kernels {

namespace {

constexpr std::uint32_t subgroup = 32;

struct Exchange {
    std::uint32_t n, threads;
    std::uint32_t step = subgroup;  ///< From one subgroup that is counted to the next.

    /// Places that the threads from `first` on touch at one leg of one of their butterflies.
    AccessPattern written(std::uint32_t radix, std::uint32_t s, std::uint32_t first, std::uint32_t leg) const {
        return touched(n / radix, first, [&](std::uint32_t b) { return b / s * radix * s + leg * s + b % s; });
    }
    AccessPattern read(std::uint32_t radix, std::uint32_t first, std::uint32_t leg) const {
        return touched(n / radix, first, [&](std::uint32_t b) { return b + leg * (n / radix); });
    }

private:
    AccessPattern touched(std::uint32_t butterflies, std::uint32_t first, auto place) const {
        AccessPattern pattern;
        const std::uint32_t end = std::min({first + subgroup, first / threads * threads + threads, butterflies});
        for (std::uint32_t b = first; b < end; ++b) pattern.push_back(place(b));
        return pattern;
    }
};

/// Of all subgroups and legs, or of the few that the kernel chooses its places by.
std::vector<AccessPattern> patterns(const std::vector<std::uint32_t>& radices, const Exchange& exchange, bool all) {
    std::vector<AccessPattern> found;
    std::uint32_t s = 1;
    const auto add = [&](std::uint32_t radix, bool writes) {
        const std::uint32_t butterflies = exchange.n / radix, last = (exchange.threads - 1) / subgroup * subgroup;
        for (std::uint32_t slot = 0; slot < butterflies; slot += exchange.threads) {
            for (std::uint32_t in = 0; in < exchange.threads && slot + in < butterflies;
                 in += all ? exchange.step : subgroup) {
                if (!all && (slot != 0 || (in != 0 && in != last))) continue;
                for (std::uint32_t leg = 0; leg < radix; ++leg) {
                    if (!all && leg != 0 && leg != radix / 2 && leg != radix - 1) continue;
                    found.push_back(writes ? exchange.written(radix, s, slot + in, leg)
                                           : exchange.read(radix, slot + in, leg));
                }
            }
        }
    };
    for (std::size_t i = 0; i < radices.size(); ++i) {
        if (i > 0) add(radices[i], false);
        if (i + 1 < radices.size()) add(radices[i], true);
        s *= radices[i];
    }
    return found;
}

/// Subgroups that go to shared memory, at each leg of each butterfly.
std::uint64_t accesses(const std::vector<std::uint32_t>& radices, const Exchange& exchange) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < radices.size(); ++i) {
        const std::uint32_t butterflies = exchange.n / radices[i], sides = (i > 0) + (i + 1 < radices.size());
        for (std::uint32_t slot = 0; slot < butterflies; slot += exchange.threads) {
            const std::uint32_t busy = std::min(exchange.threads, butterflies - slot);
            sum += std::uint64_t{sides} * radices[i] * ((busy + subgroup - 1) / subgroup);
        }
    }
    return sum;
}

}  // namespace

double exchange_wavefronts(const std::vector<std::uint32_t>& radices, std::uint32_t n, std::uint32_t threads,
                           unsigned bytes) {
    constexpr std::uint32_t counted_in_full = 4096;
    const Exchange exchange{n, threads, subgroup * std::max(1u, n / counted_in_full)};
    const Swizzle swizzle = choose_swizzle(patterns(radices, exchange, false), bytes,
                                           std::has_single_bit(n) ? ExclusiveOr::free : ExclusiveOr::never);
    const std::vector<AccessPattern> counted = patterns(radices, exchange, true);
    return static_cast<double>(wavefronts(counted, swizzle, bytes)) * static_cast<double>(accesses(radices, exchange)) /
           static_cast<double>(counted.size());
}

}  // namespace seiche::kernels
