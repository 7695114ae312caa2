// Butterflies: the discrete Fourier transform of a few points in registers, derived for any small radix.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "ir/builder.hpp"

namespace seiche::kernels {

/// Fused into the sums behind them, products take the fewest operations; apart from them they take less time on CPUs.
enum class Products : std::uint8_t { fused, apart };

/// The forward transform of x.size() points, natural order in and out.
std::vector<ir::Complex> butterfly(ir::Builder& builder, const std::vector<ir::Complex>& x,
                                   Products products = Products::fused);

/// Factors by their index, asked for where they are first needed, so that they are not kept for long.
using Factors = std::function<ir::Complex(std::size_t)>;

/// The forward transform of x[j] factors(j), but x[0] as it is.
std::vector<ir::Complex> butterfly(ir::Builder& builder, const std::vector<ir::Complex>& x, const Factors& factors,
                                   Products products = Products::fused);

/// The forward transform of x[j] w^j, x.size() a power of two from 2 on, natural order in and out. For n = 2, 4, ..
/// x.size() and k < max(n / 4, 1) factors(n / 4 + k) is w^(x.size() / n) exp(-2 pi i k / n): half as many as there are
/// powers.
std::vector<ir::Complex> merged_butterfly(ir::Builder& builder, const std::vector<ir::Complex>& x,
                                          const Factors& factors);

}  // namespace seiche::kernels
