// How far a product of integer sequences by transforms in double precision may be from the true integers, proven.
#pragma once

#include <complex>
#include <cstdint>
#include <vector>

namespace seiche::cli::number {

/// The sum of the squares, in double.
double energy(const std::vector<std::int32_t>& values);

/// The power of two that makes the energy of y nearest to that of x: what y is multiplied by before both travel through
/// one transform. 0 where one of them is 0.
int balance(double energy_x, double energy_y);

/// An upper bound of |computed - true| for every element of the cyclic convolution of x and y, 2^log2_n points long,
/// computed as `convolve` does. docs/explanation/bigmul.md derives it, after R. P. Brent, C. Percival, P. Zimmermann,
/// "Error bounds on complex floating-point multiplication", 2007, and C. Percival, "Rapid multiplication modulo the sum
/// and difference of highly composite numbers", 2003.
double convolution_error_bound(double energy_x, double energy_y, unsigned log2_n);

struct Rounded {
    std::vector<std::int64_t> values;
    double distance = 0;  ///< The largest of a computed value from the integer it became.
};

/// The first `count` values, times `scale`, as the integers that they are near. Throws Failure where one is farther
/// from a real integer than `bound`, which was proven, or one of the rest is not 0: then whoever computed them is at
/// fault.
Rounded round_within(double bound, const std::vector<std::complex<double>>& values, double scale, std::size_t count);

}  // namespace seiche::cli::number
