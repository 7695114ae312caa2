// Names of the formats of images.
#include "seiche/image.hpp"

namespace seiche {

const char* to_string(ImageFormat format) noexcept {
    switch (format) {
        case ImageFormat::none: return "none";
        case ImageFormat::r32f: return "r32f";
        case ImageFormat::rg32f: return "rg32f";
        case ImageFormat::rgba32f: return "rgba32f";
        case ImageFormat::rgba16f: break;
    }
    return "rgba16f";
}

}  // namespace seiche
