// Colours weighted by how opaque their pixel is.
#pragma once

#include "cli/io/raster.hpp"

namespace seiche::cli {

/// Multiplies the colours of each pixel by its alpha, so that what cannot be seen does not shine through. Both change
/// nothing in a picture without alpha.
void weigh_by_alpha(io::Raster& raster);
/// The way back; a pixel whose alpha rounds to 0 has no colour.
void divide_by_alpha(io::Raster& raster);

}  // namespace seiche::cli
