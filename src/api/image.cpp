// Images as their user sees them.
#include "seiche/image.hpp"

#include "runtime/backend.hpp"

namespace seiche {

ImageFormat Image::format() const { return impl_ ? impl_->format() : ImageFormat::none; }
std::uint32_t Image::width() const { return impl_ ? impl_->width() : 0; }
std::uint32_t Image::height() const { return impl_ ? impl_->height() : 0; }

}  // namespace seiche
