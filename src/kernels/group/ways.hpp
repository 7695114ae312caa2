// The ways of points between memory and the registers of a pass's threads.
#pragma once

#include "kernels/group/pass.hpp"
#include "kernels/real/real_map.hpp"

namespace seiche::kernels {

/// Whichever of those below the pass asks for, through the stages of its side.
void load_points(const Pass& pass, Registers& registers);
void store_points(const Pass& pass, Registers& registers);

// Each has the points of the first stage, or takes those of the last.

/// Each point by itself.
void load_each(const Pass& pass, std::vector<ir::Complex>& points);
void store_each(const Pass& pass, const std::vector<ir::Complex>& points);
/// Neighbouring butterflies' points in one access.
bool moves_neighbours(const KernelSpec& spec, Side side);
void load_neighbours(const Pass& pass, std::vector<ir::Complex>& points);
void store_neighbours(const Pass& pass, const std::vector<ir::Complex>& points);
/// Rows that a thread has whole, with RowAccess.
void load_pairs(const Pass& pass, std::vector<ir::Complex>& points);
void load_rows(const Pass& pass, std::vector<ir::Complex>& points);
void store_rows(const Pass& pass, const std::vector<ir::Complex>& points);
/// From one row's elements in shared memory to the next one's: an odd count meets in no bank twice.
inline std::uint32_t pitch_of_rows(std::uint32_t elements) { return elements | 1; }
/// Elements of a row that is loaded: points, or pairs of numbers.
std::uint32_t elements_of_row(const KernelSpec& spec);
/// A plane's conjugate pairs, by way of shared memory.
void load_plane(const Pass& pass, std::vector<ir::Complex>& points);
void store_plane(const Pass& pass, const std::vector<ir::Complex>& points);
/// The same of a whole axis, both of whose passes the group has.
bool has_whole_axis(const KernelSpec& spec, Side side);
void load_axis(const Pass& pass, std::vector<ir::Complex>& points);
void store_axis(const Pass& pass, const std::vector<ir::Complex>& points);
/// Conjugate pairs that a thread has: of a whole axis, or of mirrored columns.
void load_bins(const Pass& pass, std::vector<ir::Complex>& points);
void store_bins(const Pass& pass, const std::vector<ir::Complex>& points);
/// Points j and m - 1 - j that a thread has, of a whole axis or of mirrored columns with folded elements.
void load_mirrored(const Pass& pass, std::vector<ir::Complex>& points);
void store_mirrored(const Pass& pass, const std::vector<ir::Complex>& points);
/// A real axis's elements, whichever way they go.
void load_real(const Pass& pass, Registers& registers);
void store_real(const Pass& pass, Registers& registers);

// One point of load_each, or one element.

struct FoldedPoint {
    Place place;
    std::uint64_t leg = 0;  ///< Its element is at least this, and
    std::uint64_t end = 0;  ///< less than this.
    ir::Value origin, predicate;
};
/// The point's j along the axis.
ir::Value folded_index(Frame& frame, const Folded& fold, const Place& place);
ir::Complex load_folded(const Pass& pass, const FoldedPoint& point);
void store_folded(const Pass& pass, const FoldedPoint& point, ir::Complex z);

/// An element of a real axis in memory, where `live` holds.
void store_element(const Pass& pass, ir::Value sequence, ir::Value live, const SpectrumElement& element);

}  // namespace seiche::kernels
