// Pictures in PNG files, through libpng.
#pragma once

#include "cli/io/raster.hpp"

namespace seiche::cli::io {

/// Grey, colour and palette pictures of 1 to 16 bits a sample, with their transparency.
/// Throws Failure: not a PNG file, truncated, damaged, larger than its bytes can hold or than 2^28 pixels.
Raster read_png(InputFile& file);
/// The colours of one.
Picture read_png(const std::string& path);

/// With its tags. Rounds to nearest and clips to [0, 1]; returns how many samples were clipped. Throws Failure if
/// libpng cannot.
std::uint64_t write_raster(OutputFile& file, const Raster& raster);

}  // namespace seiche::cli::io
