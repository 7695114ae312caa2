// Real axes: how a signal of real numbers and its spectrum become a complex core of half as many points (Cooley, Lewis
// & Welch, "The fast Fourier transform algorithm: programming considerations in the calculation of sine, cosine and
// Laplace transforms", 1970; Makhoul, "A fast cosine transform in one and two dimensions", 1980; type IV of odd length:
// Chan & Ho, "Fast algorithms for computing the discrete cosine transform", 1992).
//
// Every kind is a real transform of a signal v of `period` numbers, in some order and with some signs. An even period
// makes points z[j] = v[2j] + i v[2j+1] of a core of half as many points, whose bins k and m - k together give bins k
// and m - k of v's spectrum V; an odd one makes points z[j] = v[j]. Type IV of even length needs no pairs: its points
// are turned before and after the core.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "kernels/frame.hpp"
#include "kernels/pointwise.hpp"

namespace seiche::kernels {

/// Bins of V that are loaded or stored two by two: k = 0 .. this - 1 stand for k and its mirror.
std::uint64_t spectrum_pairs(const RealMap& map);

/// Where an element of the signal goes: v[index] = factor * element. Missing: factor 1, always.
struct SignalPlace {
    ir::Value index, factor, exists;
};
/// Up to two places; together they fill v but for the numbers that `zeros` lists.
std::vector<SignalPlace> signal_places(Frame& frame, const RealMap& map, ir::Value element);
std::vector<std::uint64_t> signal_zeros(const RealMap& map);

/// The other way, of one place each: which element is v[index], for index below an odd period.
SignalPlace signal_element(Frame& frame, const RealMap& map, ir::Value index);

/// Point `index` of a signal, at least `begin` and less than `end`.
struct SignalPoint {
    ir::Value index;
    std::uint64_t begin = 0, end = 0;
};
/// The element that is one of a point's numbers, and whether its sign is another one: of a stored sine or cosine of
/// type IV what its turn has left.
struct OwnElement {
    enum class Sign : std::uint8_t { kept, changed, as_told } sign = Sign::kept;
    ir::Value index;
    ir::Value is_changed;  ///< Sign::as_told.
    ir::Value with_sign(ir::Value x) const;
};
/// Those elements: two, or one where points are not paired.
std::vector<OwnElement> elements_of_point(Frame& frame, const RealMap& map, const SignalPoint& point, Side side);

/// Reads v[index], or a point of the core.
struct SignalReader {
    std::function<ir::Value(ir::Value index)> number;
    std::function<ir::Complex(ir::Value index)> point;
};
/// Element `element` of the output, RealWay::placed.
ir::Value stored_signal(Frame& frame, const RealMap& map, ir::Value element, const SignalReader& read);

/// Reads an element of the spectrum's array: real numbers have an empty imaginary part.
using SpectrumReader = std::function<ir::Complex(ir::Value element, ir::Value exists)>;
struct SpectrumElement {
    ir::Value index;
    ir::Complex value;  ///< Real numbers have an empty imaginary part.
    ir::Value exists;
};

/// Bin k of the core, at most m / 2, whether it is 0 (empty: it is not), and whether there is such a bin (empty: there
/// is). In a pass of several it is element `element` of column `column`, below m / 2.
struct LowBin {
    ir::Value k, is_zero, exists;
    ir::Value element = {}, column = {};
};
/// The bin's entry of the table; in a pass of several the product of the element's root and the column's.
ir::Complex bin_root(Frame& frame, const RealMap& map, const RootTable& table, const LowBin& bin);

/// The core's points k and its mirror (m - k, or n - k where points are not paired), from the spectrum's elements.
struct PointPair {
    ir::Complex low, high;
};
PointPair load_spectrum_pair(Frame& frame, const RealMap& map, ir::Value k, const SpectrumReader& read);
/// The elements that bins k and m - k of the core make. `points.high` is bin m - k, or bin 0 for k = 0; unused where
/// points are not paired.
std::vector<SpectrumElement> store_spectrum_pair(Frame& frame, const RealMap& map, ir::Value k, PointPair points);
/// Whether bins of r2c and c2r are elements as they lie, so that neighbouring pairs may be made in one register.
bool has_spectrum_runs(const RealMap& map);
/// The same for registers of pairs k, k + 1, ..., none of which is 0 or its own mirror: lane l of `high` is bin or
/// point m - k - l.
PointPair load_spectrum_run(Frame& frame, const RealMap& map, ir::Value k, const PointPair& bins);
PointPair store_spectrum_run(Frame& frame, const RealMap& map, ir::Value k, const PointPair& points);
/// Of an odd period n bin k, at most n / 2, alone: from the elements, or the elements that it and its mirror make,
/// those of type IV too, which are placed. `exists`: whether there is such a bin; empty: always.
struct OddBin {
    ir::Value k;
    ir::Complex value;
    ir::Value exists;
};
ir::Complex load_odd_bin(Frame& frame, const RealMap& map, ir::Value k, ir::Value exists, const SpectrumReader& read);
std::vector<SpectrumElement> store_odd_bin(Frame& frame, const RealMap& map, const OddBin& bin);
/// The same of a pass of several.
PointPair load_column_pair(Frame& frame, const RealMap& map, const LowBin& bin, const SpectrumReader& read);
std::vector<SpectrumElement> store_column_pair(Frame& frame, const RealMap& map, const LowBin& bin, PointPair points);
/// The core's point m / 2 from the spectrum's elements, and the elements that it makes where `exists` holds.
ir::Complex load_middle(Frame& frame, const RealMap& map, const SpectrumReader& read);
std::vector<SpectrumElement> store_middle(Frame& frame, const RealMap& map, ir::Complex point, ir::Value exists);
/// The mirror's index, and whether it is another point than k. `k` < spectrum_pairs.
ir::Value mirror(Frame& frame, const RealMap& map, ir::Value k);
ir::Value has_mirror(Frame& frame, const RealMap& map, ir::Value k);

/// Type IV of even length: its points are turned before and after the core.
bool is_turned(const RealMap& map);
/// Turns point j before the core, point k after it. Other kinds: the point itself. Where the core of a prime's group
/// has the points, `element` is the point's place (RaderPlaces).
ir::Complex turn_before(Frame& frame, const RealMap& map, const Place& j, ir::Complex z);
ir::Complex turn_after(Frame& frame, const RealMap& map, const Place& k, ir::Complex z);

/// In a pass of several or of its own, where it would add to the memory traffic, a long table of roots is kept as two
/// PowerTables; the functions below list it all the same.
bool is_factored(const KernelSpec& spec, const RootTable& table);
/// The tables that bins of a pass of several read.
std::vector<RootTable> column_roots(const KernelSpec& spec, const RealMap& map);
/// The tables that the functions above read.
std::vector<RootTable> load_roots(const KernelSpec& spec, const RealMap& map);
std::vector<RootTable> store_roots(const KernelSpec& spec, const RealMap& map);

}  // namespace seiche::kernels
