// Types II and III of an even length n = 2 m whose bins k and m - k of the core are in one thread's registers: the four
// numbers of the spectrum that they make, or are made of (Makhoul, "A fast cosine transform in one and two dimensions",
// 1980).
//
// With w = exp(-2 pi i / 4n), S = z[k] + conj z[m-k] and D = z[k] - conj z[m-k], numbers k and n - k are the parts of
// S w^k - i D w^5k, numbers m - k and m + k those of (S w^k + i D w^5k) exp(i pi / 4): two products, where bins of v's
// spectrum between would take three. Bins 0 and m / 2 are their own mirrors, and one pair: where k = 0, the numbers of
// bin m / 2 take the places of those that are not there (n) or there already (m + 0).
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "kernels/frame.hpp"
#include "kernels/real/real_map.hpp"

namespace seiche::kernels {

struct SpectrumPlace {
    ir::Value element, exists;  ///< Empty: always.
};
/// Numbers k, n - k, m - k and m + k.
std::array<SpectrumPlace, 4> bin_places(Frame& frame, const RealMap& map, const LowBin& bin);

/// The numbers at these places. `middle`: bin m / 2, where k may be 0 and m is even.
std::array<ir::Value, 4> numbers_of_bins(Frame& frame, const RealMap& map, const LowBin& bin, const PointPair& points,
                                         const std::optional<ir::Complex>& middle);

/// Bins k and m - k of the core, and where k = 0 and m is even, bin m / 2. Numbers that do not exist are 0.
struct CoreBins {
    PointPair points;
    ir::Complex middle;
};
CoreBins bins_of_numbers(Frame& frame, const RealMap& map, const LowBin& bin, const std::array<ir::Value, 4>& numbers);

/// The tables that these read.
std::vector<RootTable> bin_pair_roots(const RealMap& map);

}  // namespace seiche::kernels
