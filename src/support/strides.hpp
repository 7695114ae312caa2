// Strides with a sign: elements of an axis whose stride is below 0 lie before its first one.
#pragma once

#include <cstdint>

namespace seiche::support {

/// |stride|, of every 64-bit number.
constexpr std::uint64_t magnitude(std::int64_t stride) {
    return stride < 0 ? 0 - static_cast<std::uint64_t>(stride) : static_cast<std::uint64_t>(stride);
}

/// `count` strides; of arrays that fit in 2^63 elements this does not wrap.
constexpr std::int64_t times(std::uint64_t count, std::int64_t stride) {
    return static_cast<std::int64_t>(count * static_cast<std::uint64_t>(stride));
}

/// Whether elements lie closer to each other along the first of two axes, whatever the signs.
constexpr bool is_closer(std::int64_t a, std::int64_t b) { return magnitude(a) < magnitude(b); }

}  // namespace seiche::support
