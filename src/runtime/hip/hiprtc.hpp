// hiprtc, HIP's run-time compiler: a library of its own, or up to ROCm 5.2 a part of the runtime's.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "emit/source.hpp"
#include "runtime/backend.hpp"

namespace seiche::runtime::hip {

using ProgramHandle = struct ProgramTag*;

// name, what it gives, parameters
#define SEICHE_HIPRTC_SYMBOLS(X)                                                               \
    X(hiprtcVersion, int, (int*, int*))                                                        \
    X(hiprtcGetErrorString, const char*, (int))                                                \
    X(hiprtcCreateProgram, int,                                                                \
      (ProgramHandle*, const char*, const char*, int, const char* const*, const char* const*)) \
    X(hiprtcCompileProgram, int, (ProgramHandle, int, const char* const*))                     \
    X(hiprtcGetCodeSize, int, (ProgramHandle, std::size_t*))                                   \
    X(hiprtcGetCode, int, (ProgramHandle, char*))                                              \
    X(hiprtcGetProgramLogSize, int, (ProgramHandle, std::size_t*))                             \
    X(hiprtcGetProgramLog, int, (ProgramHandle, char*))                                        \
    X(hiprtcDestroyProgram, int, (ProgramHandle*))

struct Hiprtc {
#define SEICHE_DECLARE(name, result, parameters) result(*name) parameters = nullptr;
    SEICHE_HIPRTC_SYMBOLS(SEICHE_DECLARE)
#undef SEICHE_DECLARE
    std::string version;  ///< Its own count, e.g. "9.0".
    std::string path;
    std::string problem;  ///< Why there is none; empty if there is.
    std::string remedy;
};

/// The files that are tried, in order: what SEICHE_HIPRTC_LIBRARY names and nothing else, or the one beside
/// `runtime_library`, the system's, and that library itself.
std::vector<std::string> hiprtc_candidates(const std::string& runtime_library);

/// Loads the first of the candidates that is complete.
Hiprtc load_hiprtc(const std::vector<std::string>& candidates);

/// Compiles for Source::architecture to a code object. Throws BackendError. `log`, if given, receives what the compiler
/// said.
Binary compile_with_hiprtc(const Hiprtc& hiprtc, const emit::Source& source, std::string* log = nullptr);

}  // namespace seiche::runtime::hip
