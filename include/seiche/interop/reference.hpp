// Images of `reference`: buffers whose bytes are rows of texels.
#pragma once

#include "seiche/device.hpp"
#include "seiche/image.hpp"
#include "seiche/visibility.h"

SEICHE_EXPORT_BEGIN
namespace seiche::reference {

/// A buffer of the device as an image: `height` rows of `width` texels, one after the other, each channel a float or
/// (of rgba16f) a half. Queue::upload and download fill and read it. Throws InvalidProblem for another backend's device
/// or buffer, for no format or no texel, and for a buffer that is too small.
Image image(const Device& device, const Buffer& buffer, ImageFormat format, std::uint32_t width, std::uint32_t height);

}  // namespace seiche::reference
SEICHE_EXPORT_END
