// Spectral operators that `seiche check` compares with transforms in extended precision on the host.
#pragma once

#include <cstdint>
#include <string>

#include "cli/check/verify.hpp"
#include "seiche/spectral.hpp"

namespace seiche::cli {

/// "2-D real operator" and so on.
std::string class_of(const SpectralProblem& problem);

/// Runs a plan on random data, weights and its stage's buffers and scalars too: output and workspace are filled with
/// NaN first, and what lies behind the output must stay as it was. The middle stage is computed in f64 by the
/// interpreter, apart from the transforms. Throws InvalidProblem for an operator with another stage.
Accuracy verify(const Device& device, const SpectralProblem& problem, std::uint64_t seed);

}  // namespace seiche::cli
