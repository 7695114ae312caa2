// Time and error of the study's algorithms on one thread of this processor, as the text 000 times them in its Table 2.
#pragma once

#include <cstddef>
#include <string>

#include "bench/study/cpu_transforms.hpp"

namespace seiche::study {

struct CpuEffort {
    double seconds = 0.02;    ///< That a measurement takes at least.
    unsigned rounds = 5;      ///< The shortest is taken.
    bool has_inverse = true;  ///< Time a forward and an inverse transform with its scale, too.
};

struct CpuTime {
    double forward_ns = 0;
    double both_ns = 0;  ///< Forward, inverse and its scale; 0 where that wasn't asked for.
    double error = 0;    ///< Relative L2 error of a forward transform of random numbers, against extended precision.
};

/// `Real` is float or double; the sign of the question is of no account. Throws as make_cpu_transform.
template <class Real>
CpuTime time_cpu_transform(const CpuAlgorithm& algorithm, CpuQuestion question, const CpuEffort& effort);

}  // namespace seiche::study
