// Devices that the tests of bytes plan for: a GPU of 227 KiB of shared memory, and a CPU.
#pragma once

#include "seiche/device.hpp"

namespace seiche {

inline DeviceLimits hopper() {
    DeviceLimits limits;
    limits.architecture = "sm_90";
    limits.shared_bytes = 227 * 1024;
    limits.shared_bytes_per_unit = 228 * 1024;
    limits.compute_units = 132;
    return limits;
}

inline DeviceLimits with_clusters() {
    DeviceLimits limits = hopper();
    limits.max_cluster_size = 16;
    return limits;
}

inline DeviceLimits simd_cpu() {
    DeviceLimits limits;
    limits.vectors = Vectors::explicit_simd;
    limits.vector_bytes = 32;
    limits.shared_bytes = 1024 * 1024;
    limits.compute_units = 2;
    return limits;
}

}  // namespace seiche
