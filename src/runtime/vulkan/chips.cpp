// What no version of Vulkan says of a chip, and planning would know: its units.
#include "runtime/vulkan/chips.hpp"

#include "runtime/vulkan/facts.hpp"

namespace seiche::runtime::vulkan {

Uint compute_units(const Facts& facts) {
    constexpr Uint of_a_gpu = 32;
    const AmdUnits& all = facts.amd_units;
    const Uint said[] = {facts.nvidia_units.shaderSMCount, facts.amd_active_units.activeComputeUnitCount,
                         all.shaderEngineCount * all.shaderArraysPerEngineCount * all.computeUnitsPerShaderArray,
                         facts.arm_units.shaderCoreCount};
    for (const Uint units : said)
        if (units != 0) return units;
    return is_gpu(facts.properties.properties.deviceType) ? of_a_gpu : 1;
}

}  // namespace seiche::runtime::vulkan
