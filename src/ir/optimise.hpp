// The ordered list of passes that every kernel goes through between generation and emission.
#pragma once

#include <vector>

#include "ir/kernel.hpp"

namespace seiche::ir {

Kernel optimise(Kernel kernel);

/// Makes doubles of double-double numbers: see the file of the same name. Throws InternalError for what they cannot do.
Kernel expand_double_double(Kernel kernel);

/// Drops what nothing with an effect needs.
Kernel remove_dead_code(Kernel kernel);

/// A buffer whose array lies in several instead, one after the other.
struct BufferSplit {
    std::uint32_t buffer = 0;
    std::uint32_t parts = 1;
    std::uint64_t part_bytes = 0;  ///< Of each but the last, which may be shorter.
    std::uint64_t first_byte = 0;  ///< Of element 0, from the start of the first on.
};
/// The kernel with those buffers as so many parameters each, named name_0, name_1 ..., in its place. See the file of
/// the same name. Throws InternalError for bytes that are no whole elements, and for atomics and asynchronous copies.
Kernel split_buffers(const Kernel& kernel, const std::vector<BufferSplit>& splits);

/// The same accesses without the parts' numbers, for a dialect that cannot choose among pointers: each becomes one
/// access a part, predicated by whether it is the one.
Kernel predicate_parts(const Kernel& kernel);

/// A buffer of f32 whose array is an image instead.
struct BufferImage {
    std::uint32_t buffer = 0;
    ImageFormat format = ImageFormat::rg32f;
    std::uint32_t width = 1;  ///< Texels of a row.
};
/// The kernel with those buffers as images. See place_in_images.cpp. Throws InternalError for elements that are no
/// texels, or parts or pairs of them, for stores of a part, and for atomics and asynchronous copies.
Kernel place_in_images(const Kernel& kernel, const std::vector<BufferImage>& images);

/// Drops the stores to one buffer, and with them what nothing else needs.
Kernel remove_stores(Kernel kernel, std::uint32_t buffer);

}  // namespace seiche::ir
