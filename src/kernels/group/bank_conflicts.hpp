// The exchange of points between the threads of a group, through shared memory without bank conflicts.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "ir/builder.hpp"
#include "kernels/contract/shared_places.hpp"

namespace seiche::kernels {

/// The swizzled place of index + constant. `is_disjoint`: index and constant have no bit in common.
ir::Value swizzled(const Swizzle& swizzle, ir::Value index, std::uint32_t constant, bool is_disjoint);

/// What the lanes of one access touch: indices before swizzling, in thread order.
using AccessPattern = std::vector<std::uint32_t>;

/// Which lengths may have an exclusive-or: of powers of two it is free, else each access recomputes its place.
enum class ExclusiveOr : std::uint8_t { never, where_worthwhile, free };

/// The swizzle with the fewest wavefronts over all patterns; the simplest of equals, but `other_than` only where it has
/// no equal.
Swizzle choose_swizzle(const std::vector<AccessPattern>& patterns, unsigned element_bytes, ExclusiveOr allowed,
                       const Swizzle* other_than = nullptr);

/// Wavefronts of 128 bytes that one access, or all of them, take. Elements are of a power of two of bytes.
std::uint64_t access_wavefronts(std::span<const std::uint32_t> indices, const Swizzle& swizzle, unsigned element_bytes);
std::uint64_t wavefronts(const std::vector<AccessPattern>& patterns, const Swizzle& swizzle, unsigned element_bytes);

/// One access, and how many are like it: places within a sequence, and which of the group's sequences that is.
struct BlockedAccess {
    AccessPattern places, sequences;
    std::uint64_t count = 1;
    std::uint32_t run = 1;  ///< Of each lane: places next to each other that it has at once.
};

/// An exchange whose stage leaves its results in blocks of its radix and those before it.
struct BlockedExchange {
    std::uint32_t block = 1;
    bool has_sequences = false;  ///< A group has several.
    std::vector<BlockedAccess> accesses;
};

/// Where an exchange's points lie: elements behind each block, and from one sequence to the next.
struct Padding {
    std::uint32_t behind_blocks = 0, pitch = 0;
};

/// What exchanges cost: wavefronts, then instructions. Of a run that begins with a multiple of it, as many elements are
/// moved at once as 16 bytes have: so do assemblers that know what an address is a multiple of.
struct ExchangeCost {
    std::uint64_t wavefronts = 0, instructions = 0;
    auto operator<=>(const ExchangeCost&) const = default;
};
ExchangeCost exchange_cost(const BlockedExchange& exchange, const Padding& padding, const Swizzle& swizzle,
                           unsigned element_bytes);

/// Elements that each block of an exchange, and each sequence, lie apart.
struct Paddings {
    std::vector<std::uint32_t> behind_blocks;  ///< Of each exchange.
    std::uint32_t pitch = 0;                   ///< From one sequence to the next.
    std::uint32_t extent = 0;                  ///< Of one sequence.
    ExchangeCost cost{UINT64_MAX, 0};
};

/// Those that cost the least, without a swizzle, of `n` points of one word or more with at most `most` elements of
/// padding behind them. The next stage's butterflies, whose legs are whole blocks apart, find their points at a base
/// and constants.
Paddings choose_paddings(const std::vector<BlockedExchange>& exchanges, std::uint32_t n, std::uint32_t sequences,
                         std::uint32_t most, unsigned element_bytes);

}  // namespace seiche::kernels
