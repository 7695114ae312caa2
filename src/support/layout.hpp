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
#include <optional>
#include <utility>
#include <vector>

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
/// A type of loops that may leave out indices says so by an overload.
template <class M>
bool is_affine(const M&) {
    return true;
}

/// What has a count and, for strides_of(), as many strides as there are arrays.
template <class M>
concept AnyMode = requires(const M& mode) {
    { mode.count } -> std::convertible_to<std::uint64_t>;
    strides_of(mode);
};

/// Indices of all modes.
template <AnyMode M>
std::uint64_t size(const std::vector<M>& layout) {
    std::uint64_t product = 1;
    for (const M& mode : layout) product *= mode.count;
    return product;
}

/// Where index `index` lies in each array.
template <AnyMode M>
auto place(const std::vector<M>& layout, std::uint64_t index) {
    std::remove_cvref_t<decltype(strides_of(layout.front()))> sum{};
    for (const M& mode : layout) {
        const auto digit = static_cast<std::int64_t>(index % mode.count);
        for (std::size_t a = 0; a < sum.size(); ++a) sum[a] += digit * strides_of(mode)[a];
        index /= mode.count;
    }
    return sum;
}

/// Whether `outer` goes on where `inner` ends, in every array, so that both are one mode.
template <AnyMode M>
bool continues(const M& inner, const M& outer) {
    if (!is_affine(inner) || !is_affine(outer)) return false;
    for (std::size_t a = 0; a < strides_of(inner).size(); ++a)
        if (strides_of(outer)[a] != static_cast<std::int64_t>(inner.count) * strides_of(inner)[a]) return false;
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
        else
            layout[++kept] = std::move(layout[i]);
    }
    if (!layout.empty()) layout.resize(kept + 1);
}

/// The first `n` indices, and what repeats them: index i + n j lies at place i of the first plus place j of the second.
/// Nothing where n ends within a mode that it does not divide.
template <std::size_t N>
std::optional<std::pair<std::vector<Mode<N>>, std::vector<Mode<N>>>> divide(const std::vector<Mode<N>>& layout,
                                                                            std::uint64_t n) {
    std::pair<std::vector<Mode<N>>, std::vector<Mode<N>>> parts;
    for (const Mode<N>& mode : layout) {
        const std::uint64_t taken = std::min(n, mode.count);
        if (taken == 0 || n % taken != 0 || mode.count % taken != 0) return std::nullopt;
        n /= taken;
        if (taken > 1) parts.first.push_back({taken, mode.strides});
        if (taken == mode.count) continue;
        Mode<N> rest{mode.count / taken, mode.strides};
        for (std::int64_t& stride : rest.strides) stride *= static_cast<std::int64_t>(taken);
        parts.second.push_back(rest);
    }
    return n == 1 ? std::optional(std::move(parts)) : std::nullopt;
}

/// Modes by rising stride in array `a`; equal ones as they were.
template <AnyMode M>
void sort_by_stride(std::vector<M>& layout, std::size_t a = 0) {
    std::stable_sort(layout.begin(), layout.end(),
                     [a](const M& x, const M& y) { return strides_of(x)[a] < strides_of(y)[a]; });
}

/// Index i lies where `outer` has the place of i in `inner`, whose strides are none below 0. Nothing where a mode of
/// `inner` ends within one of `outer`, or where two of its modes overlap, so that their sum carries.
template <std::size_t N>
std::optional<std::vector<Mode<N>>> compose(const std::vector<Mode<N>>& outer, const std::vector<Mode<1>>& inner) {
    std::vector<Mode<1>> by_stride = inner;
    std::erase_if(by_stride, [](const Mode<1>& mode) { return mode.count == 1 || mode.strides[0] == 0; });
    sort_by_stride(by_stride);
    for (std::size_t k = 0; k + 1 < by_stride.size(); ++k)
        if (by_stride[k + 1].strides[0] < static_cast<std::int64_t>(by_stride[k].count) * by_stride[k].strides[0])
            return std::nullopt;
    std::vector<Mode<N>> composed;
    for (const Mode<1>& mode : inner) {
        if (mode.count == 1) continue;
        if (mode.strides[0] == 0) {
            composed.push_back({mode.count, {}});
            continue;
        }
        const auto behind = divide(outer, static_cast<std::uint64_t>(mode.strides[0]));
        const auto own = behind ? divide(behind->second, mode.count) : std::nullopt;
        if (!own) return std::nullopt;
        composed.insert(composed.end(), own->first.begin(), own->first.end());
    }
    return composed;
}

/// Whether the places are 0, 1, ... size - 1 in some order.
inline bool is_dense(std::vector<Mode<1>> layout) {
    sort_by_stride(layout);
    std::int64_t reached = 1;
    for (const Mode<1>& mode : layout) {
        if (mode.count == 1) continue;
        if (mode.strides[0] != reached) return false;
        reached *= static_cast<std::int64_t>(mode.count);
    }
    return true;
}

/// Strides of the same modes where they lie densely, in the order that they have in memory.
inline std::vector<std::int64_t> dense_strides(const std::vector<Mode<1>>& layout) {
    std::vector<std::size_t> order(layout.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return layout[a].strides[0] < layout[b].strides[0]; });
    std::vector<std::int64_t> strides(layout.size());
    std::int64_t reached = 1;
    for (const std::size_t i : order) {
        strides[i] = reached;
        reached *= static_cast<std::int64_t>(layout[i].count);
    }
    return strides;
}

}  // namespace seiche::support
