// Short-time transforms that `seiche check` compares with transforms in extended precision on the host.
#pragma once

#include <cstdint>
#include <string>

#include "cli/check/verify.hpp"
#include "seiche/short_time.hpp"

namespace seiche::cli {

/// "forward short-time complex" and so on.
std::string class_of(const ShortTimeProblem& problem);

/// In units of u sqrt(log2 of a frame): a transform with its window, twice that for powers, and for an inverse, which
/// adds frames and divides.
double bound_of(const ShortTimeProblem& problem);

/// Runs a plan on random data: output and workspace are filled with NaN first, and what lies behind the output must
/// stay as it was.
Accuracy verify(const Device& device, const ShortTimeProblem& problem, std::uint64_t seed);

}  // namespace seiche::cli
