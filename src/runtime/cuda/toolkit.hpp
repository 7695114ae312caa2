// Where the libraries of CUDA's toolkit are: wherever a toolkit, pip or conda put them.
#pragma once

#include <string>
#include <vector>

#include "runtime/library.hpp"

namespace seiche::runtime::cuda {

struct ToolkitLibrary {
    LibraryNames names;
    std::vector<const char*> wheels;  ///< The folders below site-packages/nvidia that Python packages put it in.
};

/// The files that are tried, in order: environment (CUDA_HOME, CUDA_PATH, VIRTUAL_ENV, CONDA_PREFIX), the system's
/// loader, /usr/local/cuda*, then Python packages of the user and of the system.
std::vector<std::string> toolkit_candidates(const ToolkitLibrary& library);

}  // namespace seiche::runtime::cuda
