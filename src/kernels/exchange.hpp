// The exchange of points between the threads of a group, through shared memory without bank conflicts.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ir/builder.hpp"

namespace seiche::kernels {

/// A permutation of shared memory that spreads strided accesses over the banks.
struct Swizzle {
    enum class Rule : std::uint8_t { none, exclusive_or, pad } rule = Rule::none;
    unsigned shift_a = 0,
             shift_b = 0;  ///< exclusive_or: index ^ ((index >> a ^ index >> b) & mask); pad: index + (index >> a).
    unsigned mask = 31;    ///< Banks of one element's width, less one.
    bool operator==(const Swizzle&) const = default;

    std::uint32_t apply(std::uint32_t index) const;
    /// The swizzled place of index + constant. `is_disjoint`: index and constant have no bit in common.
    ir::Value apply(ir::Value index, std::uint32_t constant, bool is_disjoint) const;
    /// Elements needed for `count` of them.
    std::uint32_t extent(std::uint32_t count) const;
};

/// What the lanes of one access touch: indices before swizzling, in thread order.
using AccessPattern = std::vector<std::uint32_t>;

/// Which lengths may have an exclusive-or: of powers of two it is free, else each access computes its place anew.
enum class ExclusiveOr : std::uint8_t { never, where_worthwhile, free };

/// The swizzle with the fewest wavefronts over all patterns; the simplest of equals, but `other_than` only where it has
/// no equal.
Swizzle choose_swizzle(const std::vector<AccessPattern>& patterns, unsigned element_bytes, ExclusiveOr allowed,
                       const Swizzle* other_than = nullptr);

/// Wavefronts of 128 bytes that one access, or all of them, take. Elements are of a power of two of bytes.
std::uint64_t access_wavefronts(std::span<const std::uint32_t> indices, const Swizzle& swizzle, unsigned element_bytes);
std::uint64_t wavefronts(const std::vector<AccessPattern>& patterns, const Swizzle& swizzle, unsigned element_bytes);

}  // namespace seiche::kernels
