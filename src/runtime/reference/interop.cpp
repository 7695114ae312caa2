// Buffers of the reference backend as images. Declared in seiche/interop/reference.hpp.
#include "seiche/interop/reference.hpp"

#include <string>

#include "runtime/reference/queue.hpp"
#include "seiche/error.hpp"

namespace seiche::reference {

Image image(const Device& device, const Buffer& buffer, ImageFormat format, std::uint32_t width, std::uint32_t height) {
    if (!device || device.info().backend != Backend::reference)
        throw InvalidProblem("reference interop: expected the device 'reference'");
    auto memory = std::dynamic_pointer_cast<runtime::reference::ReferenceBuffer>(buffer.impl());
    if (memory == nullptr) throw InvalidProblem("reference interop: expected a buffer of the device 'reference'");
    if (format == ImageFormat::none || width == 0 || height == 0)
        throw InvalidProblem("reference interop: expected an image with a format and texels, got " +
                             std::to_string(width) + " by " + std::to_string(height) + " of " + to_string(format));
    const std::uint64_t texels = std::uint64_t{width} * height;
    if (texels > buffer.bytes() / texel_bytes(format))
        throw InvalidProblem("reference interop: expected a buffer of " + std::to_string(width) + " by " +
                             std::to_string(height) + " texels of " + std::to_string(texel_bytes(format)) +
                             " bytes, got one of " + std::to_string(buffer.bytes()) + " bytes");
    return Image(std::make_shared<runtime::reference::ReferenceImage>(std::move(memory), format, width, height));
}

}  // namespace seiche::reference
