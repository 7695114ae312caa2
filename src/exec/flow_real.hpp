// Where real numbers become the points of a complex core, and come from them, for a flow graph.
#pragma once

#include <complex>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "exec/flow_side.hpp"
#include "kernels/contract/spec.hpp"

namespace seiche::exec {

/// Linear in real numbers: result k is the sum over j of own[k][j] x[j] + conjugated[k][j] conj(x[j]).
struct RealLinear {
    std::size_t results = 0, terms = 0;
    std::vector<std::complex<double>> own, conjugated;  ///< results x terms.
};

/// Some terms and the results that depend on them, and on no other.
struct RealNode {
    std::vector<std::uint32_t> terms, results;
    std::vector<std::complex<double>> own, conjugated;  ///< results x terms.
};

/// The map of this side of a pass, whichever kernel has it; its `element_stride` and `loop` say which point of the core
/// an element of a sequence is.
std::optional<kernels::RealMap> map_of(const kernels::KernelSpec& spec, bool input);

/// The side of a pass that has the numbers of a real axis in memory.
class RealSide {
public:
    /// `spec` is the pass that has the side.
    RealSide(const kernels::KernelSpec& spec, bool input);

    /// Elements of one axis in memory, or of a plane: numbers, complex numbers, or pairs of neighbouring numbers.
    std::uint64_t elements() const { return elements_; }
    /// The first sequence of each axis.
    std::vector<std::uint64_t> axes() const;
    std::uint64_t axis_count() const;
    std::uint64_t address(std::uint64_t axis, std::uint64_t element) const;
    bool is_kept(std::uint64_t element) const;
    /// Elements that are left out, if any.
    kernels::Kept kept() const { return is_folded() ? kernels::Kept{} : spec_.side(input_).kept; }
    Lines lines() const;
    /// From elements to the core's points, or from these to elements.
    std::vector<RealNode> nodes() const;
    /// Point j of the axis's core: a sequence and its point; or where the kernel has no core, the address of the point.
    struct Point {
        std::uint64_t sequence = 0, position = 0;
    };
    Point point(std::uint64_t axis, std::uint64_t j) const;
    std::uint64_t point_address(std::uint64_t axis, std::uint64_t j) const;
    std::uint64_t points() const {
        return kernels::real_core(map_.kind, map_.length).points * (is_of_plane() ? spec_.n : 1);
    }
    /// One line: which elements are which points.
    std::string text() const;

private:
    /// The loop that counts points of one axis, or the items of a map; -1: none.
    std::int32_t inner_loop() const { return spec_.is_repacking() ? 0 : map_.loop; }
    /// Elements and points are those of a plane, row by row of the other axis's.
    bool is_of_plane() const { return !spec_.is_repacking() && kernels::is_of_plane(map_); }
    std::uint64_t row() const;
    std::vector<RealNode> plane_nodes(const std::vector<RealNode>& row) const;
    bool is_folded() const { return spec_.side(input_).folded() != nullptr; }
    std::uint64_t distance(std::uint64_t axis, bool input) const;
    bool is_odd() const { return map_.length % 2 != 0; }
    void leave_out_turns(RealLinear& map) const;
    void leave_out_mirrors(RealLinear& map) const;

    const kernels::KernelSpec& spec_;
    bool input_;
    kernels::RealMap map_;
    bool has_pairs_ = false;  // of numbers, as elements
    std::uint64_t elements_ = 0;
};

}  // namespace seiche::exec
