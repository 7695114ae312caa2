// What a program needs to launch emitted kernels without Seiche, as JSON.
#pragma once

#include <string>
#include <vector>

#include "seiche/emit.hpp"
#include "seiche/plan.hpp"

namespace seiche::cli {

/// One object: problem, dialect, direction, and the launches in order, each with its grid, buffers and numbers. `files`
/// has for each kernel the name of the file that it is in; none where it is in no file.
std::string kernels_as_json(const Problem& problem, Dialect dialect, Direction direction,
                            const std::vector<EmittedKernel>& kernels, const std::vector<std::string>& files);

}  // namespace seiche::cli
