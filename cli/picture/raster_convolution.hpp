// A picture convolved with a kernel, colour by colour, with its alpha.
#pragma once

#include <string>
#include <vector>

#include "cli/device/device_convolution.hpp"
#include "cli/io/raster.hpp"

namespace seiche::cli {

/// One kernel for all colours of a picture, or one for each.
struct RasterKernel {
    std::uint64_t height = 0, width = 0, count = 1;
    std::vector<double> values;  ///< count x height x width
};

/// The kernel in `path` for a picture of so many colours: a picture, whose values are divided by their sum, in each
/// colour its own; or an .npy of shape (height, width) or (height, width, colours), as it is. Throws Failure.
RasterKernel read_raster_kernel(const std::string& path, std::uint64_t colours);

/// Channels that are no alpha.
std::uint64_t colours_of(const io::Raster& raster);

enum class Alpha {
    blend,  ///< Colours count by it, and it is convolved with the kernel divided by its sum, as a blur wants.
    keep    ///< It stays as it is; the result must have the picture's size.
};
/// What suits a kernel: `blend`, unless its values (of one of its colours) sum to 0, as those of an edge finder do.
Alpha alpha_for(const RasterKernel& kernel);

/// Channels one after the other, without the last one where `with_alpha` is not set.
template <class T>
std::vector<T> planes_of(const io::Raster& raster, bool with_alpha);
/// The way back, for a picture of a new size. Planes of colours alone leave alpha as it is.
template <class T>
void set_planes(io::Raster& raster, const std::vector<T>& planes, std::uint64_t height, std::uint64_t width);

enum class Borders {
    zero,     ///< Black and transparent beyond the picture.
    mirrored  ///< Mirrored about its edges, as often as needed; the result has the picture's size.
};

/// Each plane of so many rows and columns, mirrored about its edges for a kernel of such a size.
template <class T>
std::vector<T> mirrored(const std::vector<T>& planes, const Shape& size, const Shape& kernel);

struct RasterConvolution {
    ConvolutionMode mode = ConvolutionMode::same;  ///< With mirrored borders: none of its business.
    Borders borders = Borders::zero;
    Alpha alpha = Alpha::blend;
};
/// T is float or double. Returns what was convolved.
template <class T>
Convolution convolve_raster(const Device& device, io::Raster& raster, const RasterKernel& kernel,
                            const RasterConvolution& how, ConvolutionFigures& figures);

}  // namespace seiche::cli
