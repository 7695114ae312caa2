// Colours weighted by how opaque their pixel is.
#include "cli/picture/alpha.hpp"

namespace seiche::cli {

void weigh_by_alpha(io::Raster& raster) {
    if (!raster.has_alpha()) return;
    const std::size_t channels = raster.channels;
    for (std::size_t i = 0; i < raster.samples.size(); i += channels)
        for (std::size_t c = 0; c + 1 < channels; ++c) raster.samples[i + c] *= raster.samples[i + channels - 1];
}

void divide_by_alpha(io::Raster& raster) {
    if (!raster.has_alpha()) return;
    const std::size_t channels = raster.channels;
    const float least = 0.5f / raster.full_scale();
    for (std::size_t i = 0; i < raster.samples.size(); i += channels) {
        const float alpha = raster.samples[i + channels - 1];
        for (std::size_t c = 0; c + 1 < channels; ++c)
            raster.samples[i + c] = alpha > least ? raster.samples[i + c] / alpha : 0.0f;
    }
}

}  // namespace seiche::cli
