// The judge of every kind: transforms of whole arrays in extended precision on the host.
#pragma once

#include <memory>
#include <vector>

#include "cli/reference/kind_bins.hpp"
#include "cli/reference/reference_dft.hpp"

namespace seiche::cli {

/// What is computed along the axes of a dense array, slowest first.
struct KindShape {
    std::vector<KindAxis> axes;
    bool orthonormal = false;
    Direction direction = Direction::forward;  ///< Of the axes that are c2c.
    bool orthogonalize = false;                ///< The edges have their weights without a scale too.

    bool weighs_edges() const { return orthonormal || orthogonalize; }
};

/// Transforms with tables. Safe to use from many threads. A real number is a complex one with the imaginary part 0.
class ReferenceTransform {
public:
    /// Throws InvalidProblem for a length of 0.
    explicit ReferenceTransform(KindShape shape);
    ~ReferenceTransform();
    /// The transform of a dense row-major array; not scaled, unless it is orthonormal: then with all its factors. On so
    /// many threads, which changes no bit.
    std::vector<Wide> run(std::vector<Wide> data, std::size_t workers = 1) const;

private:
    class Line;
    /// Some of an axis whose elements are `stride` apart, and the threads for each.
    struct Rows {
        std::uint64_t stride, first, end;
        std::size_t workers;
    };
    static void run_rows(const Line& line, const Rows& rows, const std::vector<Wide>& from, std::vector<Wide>& to);
    KindShape shape_;
    std::vector<std::unique_ptr<const Line>> lines_;
};

/// What makes the edges of types I to III orthogonal, as scipy's orthogonalize=True: the factor of element j of the
/// input (sqrt(2) at an edge) or of the output (its inverse).
template <class Real = long double>
Real orthonormal_edge(const KindAxis& axis, std::uint64_t j, bool input);
/// 1 / sqrt(the product of the logical lengths).
template <class Real = long double>
Real orthonormal_scale(const std::vector<KindAxis>& axes);

}  // namespace seiche::cli
