// nvJitLink, CUDA's run-time linker, which makes one kernel of ours and a user's function.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "emit/source.hpp"
#include "runtime/backend.hpp"

namespace seiche::runtime::cuda {

using LinkHandle = struct LinkTag*;

// name, parameters; each gives a result code
#define SEICHE_NVJITLINK_SYMBOLS(X)                                               \
    X(nvJitLinkCreate, (LinkHandle*, std::uint32_t, const char**))                \
    X(nvJitLinkDestroy, (LinkHandle*))                                            \
    X(nvJitLinkAddData, (LinkHandle, int, const void*, std::size_t, const char*)) \
    X(nvJitLinkComplete, (LinkHandle))                                            \
    X(nvJitLinkGetLinkedCubinSize, (LinkHandle, std::size_t*))                    \
    X(nvJitLinkGetLinkedCubin, (LinkHandle, void*))                               \
    X(nvJitLinkGetErrorLogSize, (LinkHandle, std::size_t*))                       \
    X(nvJitLinkGetErrorLog, (LinkHandle, char*))

struct JitLinker {
#define SEICHE_DECLARE(name, parameters) int(*name) parameters = nullptr;
    SEICHE_NVJITLINK_SYMBOLS(SEICHE_DECLARE)
#undef SEICHE_DECLARE
    int major = 0;
    std::string path;
    std::string problem;  ///< Why there is none; empty if there is.
    std::string remedy;
};

/// The files that are tried, in order (toolkit.hpp).
std::vector<std::string> linker_candidates();

/// Loads the first one of the major version that made the kernels' LTO-IR, which it must be able to read.
JitLinker load_linker(const std::vector<std::string>& candidates, int major);

/// The one that goes with the NVRTC that devices compile with; found at the first call.
const JitLinker& loaded_linker();

/// Machine code for `architecture` ("sm_90") of a kernel in LTO-IR and the code of the functions that it calls, which
/// may be LTO-IR, a fatbin, a cubin or PTX: inlined where it is LTO-IR. Throws InvalidProblem for code that has no
/// such function, is of no such form or only for newer cards, and BackendError with the linker's first line.
Binary link_functions(const JitLinker& linker, const emit::Source& source, const Binary& kernel,
                      const std::string& architecture);

}  // namespace seiche::runtime::cuda
