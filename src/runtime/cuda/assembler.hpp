// What makes machine code of kernels: NVRTC of CUDA C, or the driver's own assembler of PTX.
#pragma once

#include <string>

#include "runtime/cuda/device.hpp"

namespace seiche::runtime::cuda {

struct CompilerChoice {
    emit::PtxUse ptx = emit::PtxUse::never;  ///< What is no PTX is NVRTC's.
    std::string problem;                     ///< Why there is none; empty if there is.
    std::string remedy;
};

/// What SEICHE_CUDA_COMPILER says, nvrtc or ptx; without it NVRTC, and the assembler for kernels that are faster by
/// it, where NVRTC can be loaded and knows such a card, else the assembler.
CompilerChoice choose_compiler(int capability);

/// Machine code for the session's card from PTX. Throws BackendError with the assembler's first line, which names the
/// file that the text is then kept in, unless it is not (`keeps_text`).
Binary assemble(const Session& session, const emit::Source& source, bool keeps_text);

}  // namespace seiche::runtime::cuda
