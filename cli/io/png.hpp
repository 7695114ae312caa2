// Pictures in PNG files, as samples in [0, 1].
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/io/output_file.hpp"

namespace seiche::cli::io {

struct Picture {
    std::uint64_t width = 0, height = 0;
    bool grey = false;       ///< Red, green and blue are the same.
    std::vector<float> rgb;  ///< height x width x 3, as stored (gamma-encoded) and divided by the largest value.
};

/// Reads grey, colour and palette pictures of 1 to 16 bits a sample; transparency is ignored.
/// Throws Failure: not a PNG file, truncated, damaged, larger than its bytes can hold or than 2^28 pixels.
Picture read_png(const std::string& path);

/// A picture with all its channels: grey, grey and alpha, red, green and blue, or these and alpha.
struct Raster {
    std::uint64_t width = 0, height = 0;
    std::uint32_t channels = 0, bits = 8;  ///< 1 to 4; 8 or 16.
    std::vector<float> samples;            ///< height x width x channels, as stored and divided by the largest value.

    bool has_alpha() const noexcept { return channels == 2 || channels == 4; }
    /// The largest stored value.
    float full_scale() const noexcept { return bits == 8 ? 255.0f : 65535.0f; }
};

constexpr std::uint64_t most_pixels = std::uint64_t{1} << 28;
constexpr std::uint32_t longest_side = 1'000'000;

/// Reads what `read_png` does, with its transparency: palettes become colours, samples of fewer than 8 bits have 8.
Raster read_raster(const std::string& path);

/// Rounds to nearest and clips to [0, 1]; returns how many samples were clipped. Throws Failure if libpng cannot.
std::uint64_t write_raster(io::OutputFile& file, const Raster& raster);

}  // namespace seiche::cli::io
