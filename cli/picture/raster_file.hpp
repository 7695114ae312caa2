// Pictures that commands read and write, with what is to be said of their files.
#pragma once

#include <cstdint>
#include <string>

#include "cli/io/raster.hpp"

namespace seiche::cli {

/// Reads a picture and says on stderr what is odd about its file.
io::Raster open_raster(const std::string& path);

/// Writes a picture in the format that the name ends in; says on stderr what the format cannot hold. Returns how many
/// samples were clipped.
std::uint64_t save_raster(const std::string& path, const io::Raster& raster);

}  // namespace seiche::cli
