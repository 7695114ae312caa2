// A form becomes a seiche::Problem: with the arrays as they lie, or with dense ones that are gathered and scattered.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "copies.hpp"
#include "form.hpp"
#include "seiche/problem.hpp"

namespace seiche_fftw {

/// The arrays as they lie.
struct DirectProblem {
    seiche::Problem problem;
    std::ptrdiff_t in_offset = 0,
                   out_offset = 0;              ///< Reals from the caller's pointer to the lowest element: 0 or less.
    std::uint64_t in_bytes = 0, out_bytes = 0;  ///< From there on; of split arrays of each part.
};

/// Nothing where strides of an output are 0.
std::optional<DirectProblem> direct_problem(const Form& form);

/// Dense arrays out of place, complex numbers interleaved, axes in the order in which they lie in the caller's arrays.
struct DenseProblem {
    seiche::Problem problem;
    std::vector<CopyLoop> gather, scatter;                 ///< From the caller's input; to the caller's output.
    bool is_input_dense = false, is_output_dense = false;  ///< The caller's array lies so already.
    std::uint64_t in_reals = 0, out_reals = 0;
};

DenseProblem dense_problem(const Form& form);

seiche::Direction direction_of(const Form& form);

}  // namespace seiche_fftw
