// How a length is cut: into radices of one pass, and into passes over memory.
#pragma once

#include <cstdint>
#include <vector>

namespace seiche::planner {

/// The largest prime that is a butterfly of its own.
inline constexpr std::uint32_t largest_prime_radix = 61;

/// Of lengths or radices.
std::uint64_t product(const auto& numbers) {
    std::uint64_t all = 1;
    for (const auto number : numbers) all *= number;
    return all;
}

/// Radices, largest first, each at most `largest` or a prime up to largest_prime_radix, as few and then as even as
/// possible. n must be a product of such primes.
std::vector<std::uint32_t> factor_into_radices(std::uint32_t n, std::uint32_t largest);

/// All products of `count` rising radices up to `largest`, none a prime beyond 13, that make n.
std::vector<std::vector<std::uint32_t>> factorizations(std::uint32_t n, std::uint32_t largest, std::size_t count);

/// True if these radices fill SIMD registers of `lanes` lanes with neighbouring butterflies at every stage.
bool fills_lanes(std::uint32_t n, const std::vector<std::uint32_t>& radices, std::uint32_t lanes);

struct LaneQuestion {
    std::uint32_t lanes = 1;
    std::uint32_t largest = 16;  ///< As in factor_into_radices.
    bool both_ways = false;      ///< In reversed order too.
};
/// Such radices that fill the lanes, as few as possible; empty if there are none.
std::vector<std::uint32_t> factor_for_lanes(std::uint32_t n, const LaneQuestion& question);

/// The fewest passes whose lengths multiply to n, none above `limit`, as even as possible, longest first; empty if n
/// has a prime factor above the limit.
std::vector<std::uint32_t> split_into_passes(std::uint64_t n, std::uint32_t limit);

}  // namespace seiche::planner
