// What no version of Vulkan says of a chip, and planning would know: its units.
#pragma once

#include <cstdint>

#include "runtime/vulkan/api.hpp"

namespace seiche::runtime::vulkan {

struct Facts;

// ---- Units, where a vendor's extension counts them

/// VK_NV_shader_sm_builtins
struct NvidiaUnits {
    Header header{1000154001, nullptr};
    Uint shaderSMCount = 0, shaderWarpsPerSM = 0;
};
/// VK_AMD_shader_core_properties
struct AmdUnits {
    Header header{1000185000, nullptr};
    Uint shaderEngineCount = 0, shaderArraysPerEngineCount = 0, computeUnitsPerShaderArray = 0, others[11]{};
};
/// VK_AMD_shader_core_properties2
struct AmdActiveUnits {
    Header header{1000227000, nullptr};
    Uint shaderCoreFeatures = 0, activeComputeUnitCount = 0;
};
/// VK_ARM_shader_core_builtins
struct ArmUnits {
    Header header{1000497001, nullptr};
    std::uint64_t shaderCoreMask = 0;
    Uint shaderCoreCount = 0, shaderWarpsPerCore = 0;
};

/// As the vendor's extension counts them; else 32 of a GPU, and 1 of a CPU.
Uint compute_units(const Facts& facts);

}  // namespace seiche::runtime::vulkan
