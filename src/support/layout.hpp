// Affine layouts: where the elements of a nest of loops lie in one or several arrays. A layout is a list of modes, the
// fastest index first; index i has the digits i_k in the mixed radix of the modes' counts, and lies at the sum of
// i_k stride_k in every array. Names and laws are CuTe's (Cecka, "CuTe layout representation and algebra", 2024), those
// of strides that are sorted FFTW's (Frigo & Johnson 2005, section III.B). The laws are tests/unit/support/layout_test.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "support/strides.hpp"

namespace seiche::support {

/// `count` indices whose elements are so far apart in each of N arrays, in elements.
template <std::size_t N>
struct Mode {
    std::uint64_t count = 1;
    std::array<std::int64_t, N> strides{};
    bool operator==(const Mode&) const = default;
};

template <std::size_t N>
const std::array<std::int64_t, N>& strides_of(const Mode<N>& mode) {
    return mode.strides;
}
template <std::size_t N>
void set_strides(Mode<N>& mode, const std::array<std::int64_t, N>& strides) {
    mode.strides = strides;
}
/// A type of loops that may leave out indices says so by an overload.
template <class M>
bool is_affine(const M&) {
    return true;
}
template <class M>
bool is_affine(const std::vector<M>& layout) {
    return std::all_of(layout.begin(), layout.end(), [](const M& mode) { return is_affine(mode); });
}

/// What has a count and as many strides as there are arrays.
template <class M>
concept AnyMode = requires(M mode) {
    { mode.count } -> std::convertible_to<std::uint64_t>;
    set_strides(mode, strides_of(mode));
};

/// Indices of all modes.
template <AnyMode M>
std::uint64_t size(const std::vector<M>& layout) {
    std::uint64_t product = 1;
    for (const M& mode : layout) product *= mode.count;
    return product;
}

/// The same indices in array `a` alone.
template <AnyMode M>
std::vector<Mode<1>> in_array(const std::vector<M>& layout, std::size_t a) {
    std::vector<Mode<1>> own;
    own.reserve(layout.size());
    for (const M& mode : layout) own.push_back({mode.count, {strides_of(mode)[a]}});
    return own;
}

/// Whether `outer` goes on where `inner` ends, in every array, so that both are one mode.
template <AnyMode M>
bool continues(const M& inner, const M& outer) {
    if (!is_affine(inner) || !is_affine(outer)) return false;
    for (std::size_t a = 0; a < strides_of(inner).size(); ++a)
        if (strides_of(outer)[a] != times(inner.count, strides_of(inner)[a])) return false;
    return true;
}

/// The fewest modes with the same places: modes that continue one another become one. Of modes with one index those
/// alone stay that do not continue their neighbour, because a count may be filled in later.
template <AnyMode M>
void coalesce(std::vector<M>& layout) {
    std::size_t kept = 0;
    for (std::size_t i = 1; i < layout.size(); ++i) {
        if (continues(layout[kept], layout[i]))
            layout[kept].count *= layout[i].count;
        else if (++kept != i)
            layout[kept] = std::move(layout[i]);
    }
    if (!layout.empty()) layout.resize(kept + 1);
}

/// The first `n` indices of a mode, whose count is a multiple of n, and what repeats them.
template <AnyMode M>
std::pair<M, M> divide(const M& mode, std::uint64_t n) {
    std::pair<M, M> parts{mode, mode};
    parts.first.count = n;
    parts.second.count = mode.count / n;
    auto strides = strides_of(mode);
    for (std::int64_t& stride : strides) stride = times(n, stride);
    set_strides(parts.second, strides);
    return parts;
}

/// The same of a layout: index i + n j lies at place i of the first plus place j of the second. Nothing where n ends
/// within a mode that it does not divide, or where indices are left out.
template <AnyMode M>
std::optional<std::pair<std::vector<M>, std::vector<M>>> divide(const std::vector<M>& layout, std::uint64_t n) {
    if (!is_affine(layout)) return std::nullopt;
    std::pair<std::vector<M>, std::vector<M>> parts;
    for (const M& mode : layout) {
        const std::uint64_t taken = std::min(n, mode.count);
        if (taken == 0 || n % taken != 0 || mode.count % taken != 0) return std::nullopt;
        n /= taken;
        auto [inner, outer] = divide(mode, taken);
        if (inner.count > 1) parts.first.push_back(std::move(inner));
        if (outer.count > 1) parts.second.push_back(std::move(outer));
    }
    return n == 1 ? std::optional(std::move(parts)) : std::nullopt;
}

/// Modes by rising size of their stride in array `a`; equal ones as they were.
template <AnyMode M>
void sort_by_stride(std::vector<M>& layout, std::size_t a = 0) {
    std::stable_sort(layout.begin(), layout.end(),
                     [a](const M& x, const M& y) { return is_closer(strides_of(x)[a], strides_of(y)[a]); });
}

/// Whether the places are 0, 1, ... size - 1 in some order.
inline bool is_dense(std::vector<Mode<1>> layout) {
    sort_by_stride(layout);
    std::int64_t reached = 1;
    for (const Mode<1>& mode : layout) {
        if (mode.count == 1) continue;
        if (mode.strides[0] != reached) return false;
        reached = times(mode.count, reached);
    }
    return true;
}

/// Strides of the same modes where they lie densely, from the first element on, in the order that they have in memory.
inline std::vector<std::int64_t> dense_strides(const std::vector<Mode<1>>& layout) {
    std::vector<std::size_t> order(layout.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) {
        return is_closer(layout[x].strides[0], layout[y].strides[0]);
    });
    std::vector<std::int64_t> strides(layout.size());
    std::int64_t reached = 1;
    for (const std::size_t i : order) {
        strides[i] = reached;
        reached = times(layout[i].count, reached);
    }
    return strides;
}

}  // namespace seiche::support
