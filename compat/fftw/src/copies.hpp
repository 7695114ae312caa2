// Strided copies on the host: transforms of rank 0, and what gathers and scatters arrays that the library does not take
// as they lie.
#pragma once

#include <cstddef>
#include <vector>

#include "form.hpp"

namespace seiche_fftw {

/// One loop of a copy; distances in real numbers.
struct CopyLoop {
    std::ptrdiff_t n = 1, from = 0, to = 0;
};

/// Copies one real number for each tuple of indices. Where several are written to one place, any of them is there
/// afterwards. The arrays do not overlap.
void copy_reals(std::vector<CopyLoop> loops, const Real* from, Real* to);

/// Complex numbers whose parts may lie apart on either side; interleaved ones are given by their first parts, with null
/// pointers for the second.
struct ComplexPointer {
    Real *re = nullptr, *im = nullptr;
};
void copy_complex(const std::vector<CopyLoop>& loops, const ComplexPointer& from, const ComplexPointer& to);

}  // namespace seiche_fftw
