// A library with the names of HIP's runtime and compiler that forwards each call to CUDA's driver and NVRTC, so that
// Seiche's HIP backend runs on an NVIDIA card: what the two halves of it share. For tests only.
#pragma once

#include <string>

namespace hip_forward {

/// NVRTC's name of the first card, "sm_90"; of HIP_FORWARD_ARCHITECTURE or sm_90 where there is no driver.
std::string card_architecture();

}  // namespace hip_forward
