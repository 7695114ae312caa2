// A picture blurred, sharpened, searched for edges or convolved with a kernel, mirrored at its borders.
#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/device/device_transform.hpp"
#include "cli/device/tiled_convolution.hpp"
#include "cli/edit/filter.hpp"
#include "cli/picture/raster_convolution.hpp"
#include "cli/picture/raster_file.hpp"
#include "cli/text/text.hpp"

namespace seiche::cli {
namespace {

/// Of a normal distribution up to four standard deviations, as scipy.ndimage.gaussian_filter has it.
RasterKernel gaussian(double sigma) {
    const auto radius = static_cast<std::uint64_t>(4 * sigma + 0.5);
    const std::uint64_t n = 2 * radius + 1;
    std::vector<double> line(n);
    double sum = 0;
    for (std::uint64_t i = 0; i < n; ++i) {
        const double x = (static_cast<double>(i) - static_cast<double>(radius)) / sigma;
        sum += line[i] = std::exp(-x * x / 2);
    }
    RasterKernel kernel{n, n, 1, {}};
    for (const double row : line)
        for (const double column : line) kernel.values.push_back(row * column / (sum * sum));
    return kernel;
}

RasterKernel box(std::uint64_t n) {
    const auto points = static_cast<double>(n * n);
    return {n, n, 1, std::vector<double>(n * n, 1 / points)};
}

/// The picture and `amount` times what a blur of one pixel takes away from it (unsharp masking).
RasterKernel sharpening(double amount) {
    RasterKernel kernel = gaussian(1);
    for (double& value : kernel.values) value *= -amount;
    kernel.values[kernel.values.size() / 2] += 1 + amount;
    return kernel;
}

/// What is done to a picture.
struct Filter {
    std::string text;
    Json facts;
    RasterKernel kernel;
    Alpha alpha = Alpha::blend;
};

std::string number_text(std::uint64_t width, std::uint64_t height) {
    return std::to_string(width) + " x " + std::to_string(height);
}

Filter filter_for(const FilterCommand& command, const io::Raster& raster) {
    if (command.gaussian) {
        const double sigma = *command.gaussian;
        constexpr double widest = 500;
        if (!(sigma > 0 && sigma <= widest))
            throw UsageError("--gaussian: expected a standard deviation above 0 and at most " + shortest(widest) +
                             " pixels, got " + shortest(sigma));
        return {"gaussian of " + shortest(sigma) + " pixels",
                {{"filter", "gaussian"}, {"sigma", sigma}},
                gaussian(sigma),
                Alpha::blend};
    }
    if (command.box) {
        constexpr std::int64_t longest = 1 << 12;
        if (*command.box < 1 || *command.box > longest)
            throw UsageError("--box: expected 1 to " + std::to_string(longest) + " pixels, got " +
                             std::to_string(*command.box));
        const auto n = static_cast<std::uint64_t>(*command.box);
        return {"box of " + number_text(n, n) + " pixels", {{"filter", "box"}, {"pixels", n}}, box(n), Alpha::blend};
    }
    if (command.sharpen) {
        constexpr double most = 1e6;
        if (!(*command.sharpen > 0 && *command.sharpen <= most))
            throw UsageError("--sharpen: expected an amount above 0 and at most " + shortest(most) + ", got " +
                             shortest(*command.sharpen));
        return {"sharpen by " + shortest(*command.sharpen),
                {{"filter", "sharpen"}, {"amount", *command.sharpen}},
                sharpening(*command.sharpen),
                Alpha::keep};
    }
    const RasterKernel kernel = read_raster_kernel(command.kernel, colours_of(raster));
    return {"kernel of " + number_text(kernel.width, kernel.height) + " pixels",
            {{"filter", "kernel"}, {"kernel", command.kernel}},
            kernel,
            alpha_for(kernel)};
}

/// Both slopes of each colour by one plan: one input, two outputs. Sobel's weights are divided by their sum on one
/// side, 4, and the result by the square root of 2, so that it stays in the range of the picture.
template <class T>
void find_edges(const Device& device, io::Raster& raster, ConvolutionFigures& figures) {
    Convolution convolution;
    convolution.kernel = {3, 3};
    const Shape size{raster.height, raster.width};
    const std::vector<T> planes = mirrored(planes_of<T>(raster, false), size, convolution.kernel);
    convolution.signal = {raster.height + 2, raster.width + 2};
    convolution.mode = ConvolutionMode::valid;
    convolution.outputs = 2;
    convolution.batch = colours_of(raster);
    const std::vector<T> across = {1, 0, -1, 2, 0, -2, 1, 0, -1}, down = {1, 2, 1, 0, 0, 0, -1, -2, -1};
    std::vector<T> kernels;
    for (const std::vector<T>* slope : {&across, &down})
        for (const T weight : *slope) kernels.push_back(weight / 4);
    const std::vector<T> slopes = convolve_any_size(device, convolution, planes, kernels, figures);
    const std::uint64_t pixels = raster.height * raster.width;
    std::vector<T> result(colours_of(raster) * pixels);
    for (std::uint64_t i = 0; i < result.size(); ++i) {
        const std::uint64_t at = i / pixels * 2 * pixels + i % pixels;
        result[i] = std::hypot(slopes[at], slopes[at + pixels]) * static_cast<T>(std::sqrt(0.5));
    }
    set_planes(raster, result, raster.height, raster.width);
}

void check_size(const io::Raster& raster, const RasterKernel& kernel) {
    const std::uint64_t height = raster.height + kernel.height - 1, width = raster.width + kernel.width - 1;
    if (height > io::most_pixels / width)
        throw Failure("expected at most 2^28 pixels with the mirrored borders that the kernel needs, got " +
                      number_text(width, height));
}

template <class T>
void run_as(const FilterCommand& command, io::Raster& raster, const Filter* filter) {
    const Device device = open_device(command.device);
    require_precision(device, precision_of<T>());
    ConvolutionFigures figures;
    if (filter != nullptr)
        convolve_raster<T>(device, raster, filter->kernel, {ConvolutionMode::same, Borders::mirrored, filter->alpha},
                           figures);
    else
        find_edges<T>(device, raster, figures);
    const std::uint64_t clipped = save_raster(command.output, raster);
    note_clipped(clipped, raster.samples.size(), std::to_string(raster.bits) + " bits");
    Json facts = filter != nullptr ? filter->facts : Json{{"filter", "sobel"}};
    facts["size"] = {raster.width, raster.height};
    print_report(command, {device, filter != nullptr ? filter->text : "sobel", facts,
                           number_text(raster.width, raster.height) + " pixels", precision_of<T>(), figures, clipped});
}

}  // namespace

void filter_picture(const FilterCommand& command) {
    io::Raster raster = open_raster(command.input);
    std::optional<Filter> filter;
    if (!command.sobel) {
        filter = filter_for(command, raster);
        check_size(raster, filter->kernel);
    }
    command.arithmetic(false) == Precision::f64 ? run_as<double>(command, raster, filter ? &*filter : nullptr)
                                                : run_as<float>(command, raster, filter ? &*filter : nullptr);
}

}  // namespace seiche::cli
