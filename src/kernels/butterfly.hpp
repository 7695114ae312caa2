// Butterflies: the discrete Fourier transform of a few points in registers, derived for any small radix.
#pragma once

#include <vector>

#include "ir/builder.hpp"

namespace seiche::kernels {

/// The forward transform of x.size() points, natural order in and out.
std::vector<ir::Complex> butterfly(ir::Builder& builder, const std::vector<ir::Complex>& x);

}  // namespace seiche::kernels
