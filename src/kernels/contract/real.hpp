// The axes of real kinds: how their elements in memory are related to the points of a complex core.
#pragma once

#include <cstdint>
#include <optional>

#include "seiche/problem.hpp"

namespace seiche::kernels {

/// How the elements of an axis of a real kind become the points of a complex core, on load, or come from them, on
/// store. See real_map.hpp. The point's index is found as in Chirp.
struct RealMap {
    Kind kind = Kind::r2c;
    std::uint64_t length = 1;  ///< The axis's n.
    bool orthonormal = false;
    std::uint64_t element_stride = 1;
    std::int32_t loop = -1;
    bool operator==(const RealMap&) const = default;
};
/// What a real axis asks of the core.
struct RealCore {
    std::uint64_t points = 1;  ///< Of the complex core.
    std::uint64_t period = 1;  ///< Of v.
    bool is_paired = false;    ///< Two numbers make a point.
    bool is_inverse = false;   ///< From spectrum to signal: the core runs backwards.
};
RealCore real_core(Kind kind, std::uint64_t n);

/// How the elements in memory on one side are related to the core's points.
enum class RealWay : std::uint8_t {
    natural,   ///< Element p is v[p].
    placed,    ///< Elements are v in another order, with signs.
    spectrum,  ///< Elements are V or made from it.
};
RealWay load_way(Kind kind);
RealWay store_way(Kind kind);
/// Elements of the axis on the side that is loaded or stored.
std::uint64_t loaded_elements(const RealMap& map);
std::uint64_t stored_elements(const RealMap& map);

/// Elements that are placed and come in pairs of neighbours as two real numbers, so that a GPU's thread that has points
/// j and m - 1 - j of the core's m can exchange them in its registers: types II to IV of an even length.
bool comes_mirrored(const RealMap& map, bool input);

/// Types II and III: bins k and m - k of the core make, or are made of, four numbers of the spectrum.
bool has_fours(Kind kind);

/// Elements whose bins k and m - k a GPU's thread may have both, so that nothing of them passes through shared memory:
/// the spectra of an even length of r2c, c2r, the half-complex format, Hartley's transform and types II and III.
bool may_pair_in_thread(const RealMap& map, bool input);

/// Of the first or last of several passes over the core of types II to IV: its points come straight from the elements
/// or go there. Point j of m, a sequence's element times `element_stride` plus the index of `loop`, is of types II and
/// III elements 4 j and 4 j + 2 of the axis, or from the middle on the odd ones backwards; of type IV elements 2 j and
/// n - 1 - 2 j. Strides on that side count real numbers. Of an odd n, of any real-to-real kind but type I, one pass may
/// be all: a point of the signal is one number, and of the spectrum the points are its first n / 2 + 1 values, of two
/// numbers each but the first.
struct Folded {
    Kind kind = Kind::dct2;
    std::uint64_t length = 2;  ///< The axis's n, at most 2^30.
    std::uint64_t element_stride = 1;
    std::int32_t loop = 0;     ///< -1: of one pass.
    bool has_pairs = false;    ///< Memory may be seen as pairs of neighbouring numbers.
    bool orthonormal = false;  ///< Of an odd length: what RealMap has.
    bool is_odd() const { return length % 2 != 0; }
    bool operator==(const Folded&) const = default;
};
/// What a folded side of an odd length is.
inline RealMap odd_map(const Folded& fold) {
    return {fold.kind, fold.length, fold.orthonormal, fold.element_stride, fold.loop};
}
inline bool is_of_plane(const RealMap& map) { return map.loop == 0 && map.element_stride == 0; }
inline bool is_of_plane(const RealMap* map) { return map && is_of_plane(*map); }

}  // namespace seiche::kernels
