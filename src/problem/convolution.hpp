// A convolution made canonical: a spectral operator whose middle is a product with the spectra of its kernels.
#pragma once

#include "problem/spectral.hpp"

namespace seiche::problem {

/// Throws InvalidProblem naming the field, the rule and the value.
CanonicalSpectral normalise(const Convolution& convolution);

}  // namespace seiche::problem
