// Butterflies: the discrete Fourier transform of a few points in registers, derived for any small radix.
#pragma once

#include <vector>

#include "ir/builder.hpp"

namespace seiche::kernels {

/// The forward transform of x.size() points, natural order in and out.
std::vector<ir::Complex> butterfly(ir::Builder& builder, const std::vector<ir::Complex>& x);

/// The forward transform of x[j] w^j, x.size() a power of two from 2 on, natural order in and out. For n = 2, 4, ..
/// x.size() and k < max(n / 4, 1) `factors` has w^(x.size() / n) exp(-2 pi i k / n) at [n / 4 + k]: half as many as
/// there are powers, and two operations fewer for each pair of points than by a product with each of them.
std::vector<ir::Complex> merged_butterfly(ir::Builder& builder, const std::vector<ir::Complex>& x,
                                          const std::vector<ir::Complex>& factors);

}  // namespace seiche::kernels
