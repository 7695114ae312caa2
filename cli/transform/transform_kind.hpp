// What --kind, --inverse and --norm of `seiche transform` mean: numpy's and scipy's conventions as a problem.
#pragma once

#include <string>
#include <vector>

#include "cli/device/array.hpp"
#include "seiche/problem.hpp"

namespace seiche::cli {

struct TransformKind {
    Kind kind = Kind::c2c;
    bool inverse = false;
    std::string norm = "backward";      ///< Or ortho, forward, none.
    bool orthogonalizes_edges = false;  ///< SciPy's orthogonalize, of dct1 ... dst4.
};

/// Reads --kind and --orthogonalize, yes, no or nothing: what SciPy has for the norm. Throws UsageError for --inverse
/// beside a kind that has one direction, and for --orthogonalize beside one that is neither a dct nor a dst.
TransformKind parse_transform_kind(const std::string& kind, bool inverse, const std::string& norm,
                                   const std::string& orthogonalize);

/// Whether the transform reads real numbers, and whether it writes them.
bool takes_reals(const TransformKind& what);
bool gives_reals(const TransformKind& what);

/// The lengths of the transform of an array of `shape` along `axes`, with --length as in `resized_shape`; of c2r those
/// of the real array, 2 (m - 1) for m values along the last of the axes. Throws UsageError or Failure.
Shape transform_lengths(const TransformKind& what, const Shape& shape, const std::vector<int>& axes,
                        const std::string& length);
/// The shapes of what the transform of these lengths reads and writes.
Shape input_shape(const TransformKind& what, Shape lengths, const std::vector<int>& axes);
Shape output_shape(const TransformKind& what, Shape lengths, const std::vector<int>& axes);

/// The problem and the direction to run it in; batch and precision are left to the caller.
Problem problem_for(const TransformKind& what, const Shape& lengths, const std::vector<int>& axes);
Direction direction_of(const TransformKind& what);

}  // namespace seiche::cli
