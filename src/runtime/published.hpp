// What makers publish of chips and no driver says.
#pragma once

#include <cstdint>
#include <string_view>

namespace seiche::runtime {

/// The last cache that all units share, of chips whose maker has published it; of all others 0. Only whole cards count:
/// a part of one, and a laptop's chip of the same name, may have another. `vendor`: the PCI-SIG's number.
std::uint64_t published_cache_bytes(std::uint32_t vendor, std::string_view device_name);

/// 32-bit registers of a lane on Intel's GPUs, whose threads have 128 registers for all their lanes, each as wide as
/// the vector engine: 32 bytes for 8 lanes (Xe-LP, Xe-HPG), 64 bytes for 16 (Xe-HPC). `engine_lanes` are those,
/// `lanes` what a kernel is compiled for. Intel, "oneAPI GPU Optimization Guide": "Registerization and Avoiding
/// Register Spills" (2024.0) has those of 32 bytes, "Registers and Performance" (2024.1) those of 64.
constexpr std::uint32_t intel_lane_registers(std::uint32_t engine_lanes, std::uint32_t lanes) {
    return 128 * engine_lanes / lanes;
}

/// Whether Intel's compiler must be told to take `lanes`, of several sizes the `fewest`. Where there are fewer, it
/// takes those itself when registers are short; but Xe-HPC's (IGC 1.0.12504) takes 32 rather than 16 and spills.
constexpr bool must_state_intel_lanes(std::uint32_t fewest, std::uint32_t lanes) { return lanes == fewest; }

}  // namespace seiche::runtime
