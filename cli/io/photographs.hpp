// Pictures in JPEG, WebP and TIFF, through libjpeg, libwebp and libtiff. A tool that was built without one of them says
// so in the Failure that its functions throw.
#pragma once

#include "cli/io/raster.hpp"

namespace seiche::cli::io {

/// Baseline and progressive, grey, colour or CMYK; upright as its Exif data say. Throws Failure: damaged, truncated.
Raster read_jpeg(InputFile& file);
/// Of quality 95, with full resolution of colour. Throws Failure for a picture with alpha.
std::uint64_t write_jpeg(OutputFile& file, const Raster& raster);

/// With or without loss. Throws Failure: damaged, truncated, moving.
Raster read_webp(InputFile& file);
/// Without loss, 8 bits.
std::uint64_t write_webp(OutputFile& file, const Raster& raster);

/// The first picture of the file: unsigned samples of up to 16 bits, of any compression that libtiff was built with;
/// what has other colours than grey and RGB is converted to RGB of 8 bits. Throws Failure: damaged, truncated, floats.
Raster read_tiff(InputFile& file);
/// Compressed without loss (deflate).
std::uint64_t write_tiff(OutputFile& file, const Raster& raster);

}  // namespace seiche::cli::io
