// Images of a graphics API as the arrays of a transform.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "seiche/visibility.h"

SEICHE_EXPORT_BEGIN
namespace seiche {

SEICHE_EXPORT_END
namespace runtime {
class Image;  // the backend's side, src/runtime/backend.hpp
}
SEICHE_EXPORT_BEGIN

/// What a texel is.
///
/// r32f     a real number: of a real array.
/// rg32f    a complex one, r the real part and g the imaginary one; OpenGL ES has no such images.
/// rgba32f  two complex ones, r and g the first, b and a the second: neighbours along a row, or two fields (see
///          Layout::image).
/// rgba16f  the same in halves, which are rounded to nearest even.
///
/// `none` is an array in buffers.
enum class ImageFormat { none, r32f, rg32f, rgba32f, rgba16f };
/// "none", "r32f", "rg32f", "rgba32f", "rgba16f".
const char* to_string(ImageFormat format) noexcept;
/// Numbers of a texel: 1, 2 or 4; of none 0.
constexpr unsigned channels(ImageFormat format) noexcept {
    return format == ImageFormat::none ? 0 : format == ImageFormat::r32f ? 1 : format == ImageFormat::rg32f ? 2 : 4;
}
/// Bytes of a texel.
constexpr unsigned texel_bytes(ImageFormat format) noexcept {
    return channels(format) * (format == ImageFormat::rgba16f ? 2 : 4);
}

/// A two-dimensional image on a device, which a header in seiche/interop makes of a native one. A value that shares
/// ownership; empty when default-constructed.
class Image {
public:
    Image() = default;
    explicit Image(std::shared_ptr<runtime::Image> impl) : impl_(std::move(impl)) {}
    ImageFormat format() const;
    /// In texels; 0 of an empty one.
    std::uint32_t width() const;
    std::uint32_t height() const;
    explicit operator bool() const noexcept { return impl_ != nullptr; }
    const std::shared_ptr<runtime::Image>& impl() const noexcept { return impl_; }

private:
    std::shared_ptr<runtime::Image> impl_;
};

}  // namespace seiche
SEICHE_EXPORT_END
