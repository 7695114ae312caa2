// Products of polynomials: exact ones of integers, and ones in double precision.
#pragma once

#include <complex>
#include <cstdint>
#include <vector>

#include "cli/number/convolve.hpp"

namespace seiche::cli::number {

struct IntegerPolynomial {
    std::vector<std::int64_t> values;
    unsigned bits = 0;  ///< Of a balanced digit of the coefficients.
    Evidence evidence;
};

/// The exact product; neither factor may be empty. Coefficients are cut into balanced digits, laid so far apart that
/// one convolution gives all their products (Leopold Kronecker's substitution, 1882, in the digit's place value).
/// Checked at a point modulo 2^61 - 1. Throws Failure for a coefficient beyond int64.
IntegerPolynomial multiply(const Device& device, const std::vector<std::int64_t>& a,
                           const std::vector<std::int64_t>& b);

struct ComplexPolynomial {
    std::vector<std::complex<double>> values;
    TransformFigures figures;
};

/// The product in double precision, of finite coefficients; neither factor may be empty. Errors are relative to the
/// product of the factors' norms, not to the coefficient.
ComplexPolynomial multiply(const Device& device, const std::vector<std::complex<double>>& a,
                           const std::vector<std::complex<double>>& b);

}  // namespace seiche::cli::number
