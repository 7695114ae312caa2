// Colours of perceptually uniform maps, dark to light. "viridis", "magma" and "plasma" by Stefan van der Walt,
// Nathaniel Smith and Eric Firing (2015), as distributed with matplotlib; dedicated to the public domain (CC0 1.0).
#pragma once

#include <array>
#include <cstdint>

namespace seiche::cli::draw {

extern const std::array<std::uint32_t, 256> viridis, magma, plasma;  ///< 0xRRGGBB

}  // namespace seiche::cli::draw
