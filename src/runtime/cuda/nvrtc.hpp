// NVRTC, CUDA's run-time compiler, found wherever a toolkit, pip or conda put it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "emit/source.hpp"
#include "runtime/backend.hpp"

namespace seiche::runtime::cuda {

using ProgramHandle = struct ProgramTag*;

// name, what it gives, parameters; an int is a result code
#define SEICHE_NVRTC_SYMBOLS(X)                                                                \
    X(nvrtcVersion, int, (int*, int*))                                                         \
    X(nvrtcGetErrorString, const char*, (int))                                                 \
    X(nvrtcGetNumSupportedArchs, int, (int*))                                                  \
    X(nvrtcGetSupportedArchs, int, (int*))                                                     \
    X(nvrtcCreateProgram, int,                                                                 \
      (ProgramHandle*, const char*, const char*, int, const char* const*, const char* const*)) \
    X(nvrtcCompileProgram, int, (ProgramHandle, int, const char* const*))                      \
    X(nvrtcGetCUBINSize, int, (ProgramHandle, std::size_t*))                                   \
    X(nvrtcGetCUBIN, int, (ProgramHandle, char*))                                              \
    X(nvrtcGetPTXSize, int, (ProgramHandle, std::size_t*))                                     \
    X(nvrtcGetPTX, int, (ProgramHandle, char*))                                                \
    X(nvrtcGetProgramLogSize, int, (ProgramHandle, std::size_t*))                              \
    X(nvrtcGetProgramLog, int, (ProgramHandle, char*))                                         \
    X(nvrtcDestroyProgram, int, (ProgramHandle*))

struct Nvrtc {
#define SEICHE_DECLARE(name, result, parameters) result(*name) parameters = nullptr;
    SEICHE_NVRTC_SYMBOLS(SEICHE_DECLARE)
#undef SEICHE_DECLARE
    /// What is linked to other code; null in a library that has none.
    int (*nvrtcGetLTOIRSize)(ProgramHandle, std::size_t*) = nullptr;
    int (*nvrtcGetLTOIR)(ProgramHandle, char*) = nullptr;
    int version = 0;                 ///< 1000 * major + 10 * minor.
    std::vector<int> architectures;  ///< That it makes machine code for, e.g. 90.
    std::string path;
    std::string problem;  ///< Why there is none; empty if there is.
    std::string remedy;
};

/// The files that are tried, in order (toolkit.hpp).
std::vector<std::string> nvrtc_candidates();

/// Loads the first NVRTC that is 12.0 or newer and not of a later major version than `driver_version`, whose machine
/// code the driver could not load. 0: any.
Nvrtc load_nvrtc(const std::vector<std::string>& candidates, int driver_version);

/// The one that devices compile with, for the driver that is loaded; found at the first call.
const Nvrtc& loaded_nvrtc();

/// Machine code for the card ("sm_90") if the compiler knows it, else PTX of the newest before it ("compute_80"); empty
/// if there is neither.
std::string compiler_target(const Nvrtc& nvrtc, int capability);

/// Whether a kernel is LTO-IR at first, to be linked to the functions that it calls (linker.hpp).
bool is_linked(const emit::Source& source);

/// Compiles for Source::architecture: machine code, PTX, or LTO-IR of what is linked. Throws BackendError. `log`, if
/// given, receives what the compiler said.
Binary compile_with_nvrtc(const Nvrtc& nvrtc, const emit::Source& source, std::string* log = nullptr);

}  // namespace seiche::runtime::cuda
