// A picture of another size: its values as stored (gamma-encoded), colours weighted by how opaque they are.
#include <algorithm>
#include <cmath>

#include "cli/device/device_transform.hpp"
#include "cli/edit/resample.hpp"
#include "cli/picture/alpha.hpp"
#include "cli/picture/raster_file.hpp"
#include "cli/text/text.hpp"

namespace seiche::cli {
namespace {

struct Size {
    std::uint64_t width = 0, height = 0;
};

std::uint64_t parse_side(std::string_view text) {
    const std::int64_t side = parse_integer(text, "--size");
    if (side < 1 || side > io::longest_side)
        throw UsageError("--size: expected sides from 1 to " + std::to_string(io::longest_side) + ", got " +
                         std::to_string(side));
    return static_cast<std::uint64_t>(side);
}

std::uint64_t scaled(std::uint64_t side, double scale) {
    const double result = std::max(1.0, std::round(static_cast<double>(side) * scale));
    if (!(result <= io::longest_side))
        throw Failure("--scale: expected sides of at most " + std::to_string(io::longest_side) + " pixels, got " +
                      std::to_string(side) + " by " + shortest(scale));
    return static_cast<std::uint64_t>(result);
}

Size new_size(const ResampleCommand& command, const io::Raster& raster) {
    if (command.scale) return {scaled(raster.width, *command.scale), scaled(raster.height, *command.scale)};
    const std::string_view text = *command.size;
    const std::size_t by = text.find('x');
    if (by == std::string_view::npos) throw UsageError("--size: expected WIDTHxHEIGHT, got '" + printable(text) + "'");
    return {parse_side(text.substr(0, by)), parse_side(text.substr(by + 1))};
}

template <class T>
void run_as(const ResampleCommand& command, io::Raster& raster, Size size) {
    const Device device = open_device(command.device);
    require_precision(device, precision_of<T>());
    const Size old{raster.width, raster.height};
    const Continuation continuation = command.continuation(Continuation::about_edges, Continuation::about_edges);
    ResampleFigures figures;
    weigh_by_alpha(raster);
    const std::vector<T> samples(raster.samples.begin(), raster.samples.end());
    const std::vector<T> result = fourier_resample(device, samples, {old.height, old.width, raster.channels},
                                                   {size.height, size.width, raster.channels}, continuation, figures);
    raster.width = size.width;
    raster.height = size.height;
    raster.samples.assign(result.begin(), result.end());
    divide_by_alpha(raster);
    const std::uint64_t clipped = save_raster(command.output, raster);
    note_clipped(clipped, raster.samples.size(), std::to_string(raster.bits) + " bits");
    print_report(command, {device,
                           {old.width, old.height},
                           {size.width, size.height},
                           continuation,
                           precision_of<T>(),
                           figures,
                           clipped});
}

}  // namespace

void resample_picture(const ResampleCommand& command) {
    if (!command.size && !command.scale) throw UsageError("expected --size or --scale for a picture, got neither");
    if (command.scale && !(*command.scale > 0))
        throw UsageError("--scale: expected a positive number, got " + shortest(*command.scale));
    io::Raster raster = open_raster(command.input);
    const Size size = new_size(command, raster);
    if (size.width * size.height > io::most_pixels)
        throw Failure("expected at most 2^28 pixels, got " + std::to_string(size.width) + " x " +
                      std::to_string(size.height));
    command.arithmetic(false) == Precision::f64 ? run_as<double>(command, raster, size)
                                                : run_as<float>(command, raster, size);
}

}  // namespace seiche::cli
