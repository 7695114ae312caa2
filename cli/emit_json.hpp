// What a program needs to launch emitted kernels without Seiche, as JSON.
#pragma once

#include <string>
#include <vector>

#include "seiche/emit.hpp"
#include "seiche/plan.hpp"

namespace seiche::cli {

/// One object: problem, dialect, direction, and the launches in order, each with its grid, buffers and numbers.
std::string kernels_as_json(const std::string& problem, const std::string& dialect, Direction direction,
                            const std::vector<EmittedKernel>& kernels);

}  // namespace seiche::cli
