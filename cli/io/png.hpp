// Pictures in PNG files: read as samples in [0, 1].
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace seiche::cli::io {

struct Picture {
    std::uint64_t width = 0, height = 0;
    bool grey = false;       ///< Red, green and blue are the same.
    std::vector<float> rgb;  ///< height x width x 3, as stored (gamma-encoded) and divided by the largest value.
};

/// Reads grey, colour and palette pictures of 1 to 16 bits a sample; transparency is ignored.
/// Throws Failure: not a PNG file, truncated, damaged, larger than its bytes can hold or than 2^28 pixels.
Picture read_png(const std::string& path);

}  // namespace seiche::cli::io
