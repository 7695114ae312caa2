// Where transforms run, and which of them go to a real FFTW.
#pragma once

#include <cstdint>

#include "seiche/device.hpp"

namespace seiche_fftw {

/// The device of this process: SEICHE_DEVICE, else the library's default. Opened by the first call; throws
/// seiche::Error where there is none, each time anew.
seiche::Device main_device();

/// The processor itself as a device; empty where this build has none. For what is too small for a GPU.
seiche::Device processor();

/// The device for a transform of so many points. `is_for_real` says whether a real FFTW, if there is one, is to have
/// it.
struct Choice {
    seiche::Device device;
    bool is_for_real = false;
};
Choice choose_device(std::uint64_t points);

/// Whether a pointer of the host is memory of the device.
bool has_host_memory(const seiche::Device& device);

/// Lets executions from now on have so many threads, on the processor. Costs nothing where they are as many already.
void use_threads(int threads);

}  // namespace seiche_fftw
