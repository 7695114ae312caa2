// The order of the spectrum of one axis over several ranks, where arrays of more axes would be cut along another.
#pragma once

#include <utility>

#include "seiche/problem.hpp"

namespace seiche::cli {

/// Arrays of complex numbers of one axis are in pass order where the order is not natural, which spares an exchange.
inline Problem in_order_of_ranks(Problem problem, bool is_natural) {
    if (!is_natural && problem.lengths.size() == 1 && problem.axis_kinds.empty() && problem.kind == Kind::c2c &&
        problem.precision != Precision::f64x2)
        problem.spectrum_order = SpectrumOrder::pass;
    return problem;
}

}  // namespace seiche::cli
