// Pictures convolved with pictures or arrays, and searched for them.
#include <numeric>

#include "cli/device/device_transform.hpp"
#include "cli/device/tiled_convolution.hpp"
#include "cli/edit/convolve.hpp"
#include "cli/io/file_kind.hpp"
#include "cli/io/npy.hpp"
#include "cli/io/output_file.hpp"
#include "cli/io/outputs.hpp"
#include "cli/picture/alpha.hpp"
#include "cli/picture/normalised_correlation.hpp"
#include "cli/picture/raster_convolution.hpp"
#include "cli/picture/raster_file.hpp"
#include "cli/text/text.hpp"

namespace seiche::cli {
namespace {

struct Plane {
    Shape size;  ///< Height and width.
    std::vector<double> values;
};

/// Rec. 709 weights of the stored values, from 0 to 1; what is transparent is dark.
Plane luminance(io::Raster raster) {
    weigh_by_alpha(raster);
    const std::uint64_t pixels = raster.height * raster.width;
    const std::vector<double> planes = planes_of<double>(raster, false);
    if (colours_of(raster) == 1) return {{raster.height, raster.width}, planes};
    Plane plane{{raster.height, raster.width}, std::vector<double>(pixels)};
    for (std::uint64_t i = 0; i < pixels; ++i)
        plane.values[i] = 0.2126 * planes[i] + 0.7152 * planes[pixels + i] + 0.0722 * planes[2 * pixels + i];
    return plane;
}

void subtract_mean(Plane& plane) {
    const double mean =
        std::accumulate(plane.values.begin(), plane.values.end(), 0.0) / static_cast<double>(plane.values.size());
    for (double& value : plane.values) value -= mean;
}

/// What is searched for. Its mean is no part of it where that would count.
Plane read_pattern(const ConvolveCommand& command) {
    if (io::kind_of(command.b) == io::FileKind::picture) {
        Plane plane = luminance(open_raster(command.b));
        if (command.correlate) subtract_mean(plane);
        return plane;
    }
    const RasterKernel kernel = read_raster_kernel(command.b, 1);
    Plane plane{{kernel.height, kernel.width}, kernel.values};
    if (command.correlate) subtract_mean(plane);
    return plane;
}

template <class T>
void write_npy(const std::string& path, const Shape& shape, const std::vector<T>& values) {
    const io::ElementType type = sizeof(T) == 4 ? io::ElementType::float32 : io::ElementType::float64;
    io::OutputFile file(path);
    file.write(io::npy_preamble({type, false, false, shape}));
    file.write(values.data(), values.size() * sizeof(T));
    file.commit();
}

template <class T>
void correlate(const ConvolveCommand& command, const Plane& picture, const Plane& pattern) {
    const Convolution convolution = command.convolution(picture.size, pattern.size, ConvolutionMode::same);
    const Device device = open_device(command.device);
    require_precision(device, precision_of<T>());
    ConvolutionFigures figures;
    std::vector<T> result =
        convolve_any_size(device, convolution, std::vector<T>(picture.values.begin(), picture.values.end()),
                          std::vector<T>(pattern.values.begin(), pattern.values.end()), figures);
    if (command.correlate) normalise(convolution, picture.values, pattern.values, result);
    write_npy(command.output, result_lengths(convolution), result);
    print_report(command,
                 {device, convolution, precision_of<T>(), figures, find_peak(convolution, result), std::nullopt, true});
}

void check_result(const Convolution& convolution) {
    const Shape size = result_lengths(convolution);
    if (size[0] > io::longest_side || size[1] > io::longest_side || size[0] * size[1] > io::most_pixels)
        throw Failure("expected a result of at most 2^28 pixels, " + std::to_string(io::longest_side) +
                      " along a side, got " + std::to_string(size[1]) + " x " + std::to_string(size[0]));
}

template <class T>
void convolve(const ConvolveCommand& command, io::Raster& raster, const RasterKernel& kernel,
              const RasterConvolution& how) {
    const Device device = open_device(command.device);
    require_precision(device, precision_of<T>());
    ConvolutionFigures figures;
    const Convolution convolution = convolve_raster<T>(device, raster, kernel, how, figures);
    ConvolveReport report{device, convolution, precision_of<T>(), figures, std::nullopt, std::nullopt, true};
    if (output_kind(command.output, io::FileKind::picture, true) != ".npy") {
        report.clipped = save_raster(command.output, raster);
        note_clipped(*report.clipped, raster.samples.size(), std::to_string(raster.bits) + " bits");
    } else {
        Shape shape{raster.height, raster.width};
        if (raster.channels > 1) shape.push_back(raster.channels);
        write_npy(command.output, shape, raster.samples);
    }
    print_report(command, report);
}

}  // namespace

void convolve_pictures(const ConvolveCommand& command) {
    if (command.block) throw UsageError("--block: only for sounds (.wav) and arrays of one axis (.npy)");
    const bool wide = command.arithmetic(false) == Precision::f64;
    io::Raster raster = open_raster(command.a);
    if (command.is_correlation()) {
        Plane picture = luminance(std::move(raster));
        if (command.correlate) subtract_mean(picture);
        const Plane pattern = read_pattern(command);
        wide ? correlate<double>(command, picture, pattern) : correlate<float>(command, picture, pattern);
        return;
    }
    const RasterKernel kernel = read_raster_kernel(command.b, colours_of(raster));
    const Convolution convolution =
        command.convolution({raster.height, raster.width}, {kernel.height, kernel.width}, ConvolutionMode::same);
    check_result(convolution);
    const RasterConvolution how{convolution.mode, Borders::zero, alpha_for(kernel)};
    const bool keeps_size = how.mode == ConvolutionMode::same || how.mode == ConvolutionMode::circular;
    if (raster.has_alpha() && how.alpha == Alpha::keep && !keeps_size)
        throw Failure("'" + command.a +
                      "': expected the mode same or circular for a picture with alpha and a kernel "
                      "that sums to 0, got " +
                      to_string(how.mode));
    wide ? convolve<double>(command, raster, kernel, how) : convolve<float>(command, raster, kernel, how);
}

}  // namespace seiche::cli
