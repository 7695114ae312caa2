// A picture convolved with a kernel, colour by colour, with its alpha.
#include "cli/picture/raster_convolution.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "cli/device/tiled_convolution.hpp"
#include "cli/io/file_kind.hpp"
#include "cli/io/npy.hpp"
#include "cli/picture/alpha.hpp"
#include "cli/picture/raster_file.hpp"
#include "cli/text/failure.hpp"
#include "cli/text/text.hpp"
#include "cli/text/words.hpp"

namespace seiche::cli {
namespace {

double sum_of(const RasterKernel& kernel, std::uint64_t which) {
    const std::uint64_t points = kernel.height * kernel.width;
    const auto first = kernel.values.begin() + static_cast<std::ptrdiff_t>(which * points);
    return std::accumulate(first, first + static_cast<std::ptrdiff_t>(points), 0.0);
}

bool sums_to_zero(const RasterKernel& kernel, std::uint64_t which) {
    constexpr double negligible = 1e-6;
    const std::uint64_t points = kernel.height * kernel.width;
    double all = 0;
    for (std::uint64_t i = which * points; i < (which + 1) * points; ++i) all += std::fabs(kernel.values[i]);
    return std::fabs(sum_of(kernel, which)) <= negligible * all;
}

RasterKernel read_picture(const std::string& path) {
    io::Raster raster = open_raster(path);
    weigh_by_alpha(raster);
    RasterKernel kernel{raster.height, raster.width, colours_of(raster), planes_of<double>(raster, false)};
    const std::uint64_t points = kernel.height * kernel.width;
    for (std::uint64_t c = 0; c < kernel.count; ++c) {
        const double sum = sum_of(kernel, c);
        if (!(sum > 0))
            throw Failure("'" + path + "': expected a kernel that is not black, got one in channel " +
                          std::to_string(c));
        for (std::uint64_t i = c * points; i < (c + 1) * points; ++i) kernel.values[i] /= sum;
    }
    return kernel;
}

RasterKernel read_array(const std::string& path) {
    io::NpyFile file(path);
    const io::NpyHeader& header = file.header();
    const std::size_t rank = header.shape.size();
    if (rank != 2 && rank != 3)
        throw Failure("'" + path + "': expected the shape (height, width) or (height, width, colours), got " +
                      counted(rank, "axis", "axes"));
    if (io::is_complex(header.type))
        throw Failure("'" + path + "': expected real numbers for a picture, got " + to_string(header.type));
    if (io::element_count(header.shape) == 0) throw Failure("'" + path + "': expected at least one number, got none");
    RasterKernel kernel{header.shape[0], header.shape[1], rank == 3 ? header.shape[2] : 1, {}};
    const auto values = file.read<double>();
    kernel.values.resize(values.size());
    const std::uint64_t h = kernel.height, w = kernel.width, n = kernel.count;
    for (std::uint64_t c = 0; c < n; ++c)
        for (std::uint64_t y = 0; y < h; ++y)
            for (std::uint64_t x = 0; x < w; ++x) {
                const std::uint64_t from = header.fortran_order ? (c * w + x) * h + y : (y * w + x) * n + c;
                const double value = values[from].real();
                if (!std::isfinite(value)) throw Failure("'" + path + "': expected finite numbers, got another");
                kernel.values[(c * h + y) * w + x] = value;
            }
    return kernel;
}

/// The kernels of all colours and, last, that of alpha, the mean of theirs when each sums to 1.
std::vector<double> kernels_with_alpha(const RasterKernel& kernel, std::uint64_t colours) {
    const std::uint64_t points = kernel.height * kernel.width;
    std::vector<double> result;
    for (std::uint64_t c = 0; c < colours; ++c) {
        const auto first = kernel.values.begin() + static_cast<std::ptrdiff_t>(c % kernel.count * points);
        result.insert(result.end(), first, first + static_cast<std::ptrdiff_t>(points));
    }
    result.resize((colours + 1) * points);
    for (std::uint64_t c = 0; c < kernel.count; ++c) {
        const double weight = 1 / (sum_of(kernel, c) * static_cast<double>(kernel.count));
        for (std::uint64_t i = 0; i < points; ++i)
            result[colours * points + i] += weight * kernel.values[c * points + i];
    }
    return result;
}

}  // namespace

std::uint64_t colours_of(const io::Raster& raster) { return raster.channels - (raster.has_alpha() ? 1 : 0); }

RasterKernel read_raster_kernel(const std::string& path, std::uint64_t colours) {
    const io::FileKind kind = io::kind_of(path);
    if (kind != io::FileKind::picture && kind != io::FileKind::array)
        throw UsageError("expected a kernel that is a picture or an .npy array, got '" + path + "'");
    RasterKernel kernel = kind == io::FileKind::picture ? read_picture(path) : read_array(path);
    if (kernel.count != 1 && kernel.count != colours)
        throw Failure("'" + path + "': expected a grey kernel" +
                      (colours == 1 ? "" : " or one of " + std::to_string(colours) + " colours as the picture") +
                      ", got " + counted(kernel.count, "colour"));
    return kernel;
}

Alpha alpha_for(const RasterKernel& kernel) {
    for (std::uint64_t c = 0; c < kernel.count; ++c)
        if (sums_to_zero(kernel, c)) return Alpha::keep;
    return Alpha::blend;
}

template <class T>
std::vector<T> planes_of(const io::Raster& raster, bool with_alpha) {
    const std::uint64_t planes = with_alpha ? raster.channels : colours_of(raster);
    const std::uint64_t pixels = raster.height * raster.width;
    std::vector<T> result(planes * pixels);
    for (std::uint64_t p = 0; p < planes; ++p)
        for (std::uint64_t i = 0; i < pixels; ++i)
            result[p * pixels + i] = static_cast<T>(raster.samples[i * raster.channels + p]);
    return result;
}
template std::vector<float> planes_of(const io::Raster&, bool);
template std::vector<double> planes_of(const io::Raster&, bool);

template <class T>
void set_planes(io::Raster& raster, const std::vector<T>& planes, std::uint64_t height, std::uint64_t width) {
    const std::uint64_t pixels = height * width, count = planes.size() / pixels;
    raster.height = height;
    raster.width = width;
    raster.samples.resize(pixels * raster.channels);
    for (std::uint64_t p = 0; p < count; ++p)
        for (std::uint64_t i = 0; i < pixels; ++i)
            raster.samples[i * raster.channels + p] = static_cast<float>(planes[p * pixels + i]);
}
template void set_planes(io::Raster&, const std::vector<float>&, std::uint64_t, std::uint64_t);
template void set_planes(io::Raster&, const std::vector<double>&, std::uint64_t, std::uint64_t);

template <class T>
std::vector<T> mirrored(const std::vector<T>& planes, const Shape& size, const Shape& kernel) {
    /// Where each element of a longer axis lies in the axis; what `same` leaves out before it comes first.
    const auto places = [](std::uint64_t n, std::uint64_t b) {
        const std::uint64_t before = b / 2, period = 2 * n;
        std::vector<std::uint64_t> list(n + b - 1);
        for (std::uint64_t i = 0; i < list.size(); ++i) {
            const std::uint64_t at = (i + period - before % period) % period;
            list[i] = std::min(at, period - 1 - at);
        }
        return list;
    };
    const std::vector<std::uint64_t> rows = places(size[0], kernel[0]), columns = places(size[1], kernel[1]);
    const std::uint64_t pixels = size[0] * size[1];
    std::vector<T> result;
    result.reserve(planes.size() / pixels * rows.size() * columns.size());
    for (std::uint64_t first = 0; first < planes.size(); first += pixels)
        for (const std::uint64_t row : rows)
            for (const std::uint64_t column : columns) result.push_back(planes[first + row * size[1] + column]);
    return result;
}
template std::vector<float> mirrored(const std::vector<float>&, const Shape&, const Shape&);
template std::vector<double> mirrored(const std::vector<double>&, const Shape&, const Shape&);

template <class T>
Convolution convolve_raster(const Device& device, io::Raster& raster, const RasterKernel& kernel,
                            const RasterConvolution& how, ConvolutionFigures& figures) {
    const bool blends = raster.has_alpha() && how.alpha == Alpha::blend;
    if (blends) weigh_by_alpha(raster);
    Convolution convolution;
    convolution.signal = {raster.height, raster.width};
    convolution.kernel = {kernel.height, kernel.width};
    convolution.mode = how.mode;
    std::vector<T> planes = planes_of<T>(raster, blends);
    if (how.borders == Borders::mirrored) {
        planes = mirrored(planes, convolution.signal, convolution.kernel);
        convolution.signal = {raster.height + kernel.height - 1, raster.width + kernel.width - 1};
        convolution.mode = ConvolutionMode::valid;
    }
    const std::uint64_t colours = colours_of(raster);
    const std::vector<double> values = blends ? kernels_with_alpha(kernel, colours) : kernel.values;
    set_channels(convolution, blends ? raster.channels : colours, blends ? raster.channels : kernel.count);
    const std::vector<T> result =
        convolve_any_size(device, convolution, planes, std::vector<T>(values.begin(), values.end()), figures);
    const Shape size = result_lengths(convolution);
    set_planes(raster, result, size[0], size[1]);
    if (blends) divide_by_alpha(raster);
    return convolution;
}
template Convolution convolve_raster<float>(const Device&, io::Raster&, const RasterKernel&, const RasterConvolution&,
                                            ConvolutionFigures&);
template Convolution convolve_raster<double>(const Device&, io::Raster&, const RasterKernel&, const RasterConvolution&,
                                             ConvolutionFigures&);

}  // namespace seiche::cli
