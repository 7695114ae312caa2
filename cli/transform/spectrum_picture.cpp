// The spectrum of a picture: the centred two-dimensional transform of one colour or of each.
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numbers>
#include <optional>

#include "cli/draw/heatmap.hpp"
#include "cli/io/npy.hpp"
#include "cli/io/output_file.hpp"
#include "cli/picture/raster_file.hpp"
#include "cli/reference/dft_bins.hpp"
#include "cli/reference/reference_dft.hpp"
#include "cli/system/system.hpp"
#include "cli/text/text.hpp"
#include "cli/transform/spectrum.hpp"

namespace seiche::cli {
namespace {

constexpr double decibel_range = 80;

/// One transformed plane of the picture and what is written of it.
struct Plane {
    std::string label;
    std::array<double, 3> weights{};  ///< Of red, green, blue.
    std::vector<float> values;        ///< Centred, row by row from the most negative vertical frequency: dB or radians.
};

struct Size {
    std::uint64_t height = 0, width = 0;
    std::uint64_t pixels() const { return height * width; }
};

std::vector<Plane> planes_of(const std::string& channels) {
    const Plane red{"red", {1, 0, 0}, {}}, green{"green", {0, 1, 0}, {}}, blue{"blue", {0, 0, 1}, {}};
    if (channels == "each") return {red, green, blue};
    if (channels == "r") return {red};
    if (channels == "g") return {green};
    if (channels == "b") return {blue};
    return {{"luminance", {0.2126, 0.7152, 0.0722}, {}}};  // ITU-R BT.709
}

template <class T>
std::vector<std::complex<T>> input_of(const io::Picture& picture, const std::vector<Plane>& planes) {
    const std::uint64_t pixels = picture.width * picture.height;
    std::vector<std::complex<T>> input(planes.size() * pixels);
    for (std::size_t p = 0; p < planes.size(); ++p)
        for (std::uint64_t i = 0; i < pixels; ++i) {
            double value = 0;
            for (std::size_t c = 0; c < 3; ++c)
                value += planes[p].weights[c] * static_cast<double>(picture.rgb[3 * i + c]);
            input[p * pixels + i] = static_cast<T>(value);
        }
    return input;
}

/// Relative L2 error of the first plane's transform. A large picture is judged by some of its rows of frequencies:
/// their error, scaled to all rows, against the energy that Parseval's theorem says.
template <class T>
double error_of(const std::vector<std::complex<T>>& in, const std::vector<std::complex<T>>& out, Size size) {
    constexpr std::uint64_t most_pixels = 1 << 22, sampled_rows = 16;
    const std::uint64_t count = size.pixels() <= most_pixels ? size.height : sampled_rows;
    std::vector<Wide> reference;
    if (count == size.height) {
        std::vector<Wide> wide(in.begin(), in.begin() + static_cast<std::ptrdiff_t>(size.pixels()));
        reference = reference_dft(wide, {size.height, size.width}, {}, Direction::forward);
    }
    long double fault = 0, energy = 0;
    for (std::uint64_t i = 0; i < size.pixels(); ++i) energy += std::norm(Wide(in[i]));
    energy *= static_cast<long double>(size.pixels());
    std::vector<Wide> row(size.width);
    for (std::uint64_t r = 0; r < count; ++r) {
        const std::uint64_t ky = r * size.height / count;
        if (!reference.empty()) {
            std::copy_n(reference.begin() + static_cast<std::ptrdiff_t>(ky * size.width), size.width, row.begin());
        } else {
            std::fill(row.begin(), row.end(), Wide());
            const BinRoots roots(size.height, ky, false);
            for (std::uint64_t y = 0; y < size.height; ++y)
                for (std::uint64_t x = 0; x < size.width; ++x) row[x] += roots.at(y) * Wide(in[y * size.width + x]);
            row = reference_dft(row, Direction::forward);
        }
        for (std::uint64_t x = 0; x < size.width; ++x) fault += std::norm(Wide(out[ky * size.width + x]) - row[x]);
    }
    fault *= static_cast<long double>(size.height) / static_cast<long double>(count);
    return energy > 0 ? static_cast<double>(std::sqrt(fault / energy)) : fault > 0 ? INFINITY : 0;
}

/// Moves frequency 0 to the middle and takes levels or phases.
template <class T>
void centre(const std::complex<T>* spectrum, Size size, bool phase, Plane& plane) {
    plane.values.resize(size.pixels());
    const double pixels = static_cast<double>(size.pixels());
    for (std::uint64_t y = 0; y < size.height; ++y)
        for (std::uint64_t x = 0; x < size.width; ++x) {
            const std::complex<double> value(spectrum[y * size.width + x]);
            const double shown = phase ? std::arg(value) : 20 * std::log10(std::abs(value) / pixels);
            const std::uint64_t row = (y + size.height / 2) % size.height, column = (x + size.width / 2) % size.width;
            plane.values[row * size.width + column] = static_cast<float>(shown);
        }
}

/// The frequency of centred index i of n, in cycles per pixel.
double frequency(double i, std::uint64_t n) {
    const std::uint64_t middle = n / 2;
    return (i - static_cast<double>(middle)) / static_cast<double>(n);
}

/// The highest level beside frequency 0, which stands far above all others.
double highest_level(const std::vector<Plane>& planes, Size size) {
    const std::uint64_t middle = size.height / 2 * size.width + size.width / 2;
    double highest = -INFINITY;
    for (const Plane& plane : planes)
        for (std::uint64_t i = 0; i < size.pixels(); ++i)
            if (i != middle) highest = std::fmax(highest, static_cast<double>(plane.values[i]));
    return highest;
}

void write_picture(const std::string& path, const SpectrumCommand& command, const std::vector<Plane>& planes,
                   Size size) {
    draw::Heatmap map;
    map.title = path_of(command.input).filename().string();
    map.subtitle = std::string(command.phase ? "phase" : "level") + " of the 2-D spectrum \u00b7 " +
                   std::to_string(size.width) + " \u00d7 " + std::to_string(size.height) + " pixels" +
                   (planes.size() == 1 ? " \u00b7 " + planes[0].label : "");
    map.square = true;
    map.cyclic = command.phase;
    map.x = {"horizontal (cycles/pixel)", frequency(-0.5, size.width),
             frequency(static_cast<double>(size.width) - 0.5, size.width)};
    // Rows and their frequencies count downward, as in the picture and in the tables.
    map.y = {"vertical, downward (cycles/pixel)", frequency(static_cast<double>(size.height) - 0.5, size.height),
             frequency(-0.5, size.height)};
    map.colour = command.phase ? draw::Axis{"phase (rad)", -std::numbers::pi, std::numbers::pi}
                               : level_axis("level (dB)", highest_level(planes, size), decibel_range);
    for (const Plane& plane : planes) {
        draw::Panel panel{planes.size() == 1 ? "" : plane.label, size.height, size.width, {}};
        panel.values.reserve(size.pixels());
        for (std::uint64_t y = size.height; y-- > 0;) {
            const auto row = plane.values.begin() + static_cast<std::ptrdiff_t>(y * size.width);
            panel.values.insert(panel.values.end(), row, row + static_cast<std::ptrdiff_t>(size.width));
        }
        map.panels.push_back(std::move(panel));
    }
    io::OutputFile png(path);
    draw_heatmap(map, png);
    png.commit();
}

/// A row for each vertical frequency of each plane: plane, vertical frequency (downward), values.
void write_csv(const std::string& path, const std::vector<Plane>& planes, Size size) {
    io::OutputFile csv(path);
    std::string row = "channel,vertical_cycles_per_pixel";
    for (std::uint64_t x = 0; x < size.width; ++x) row += "," + shortest(frequency(static_cast<double>(x), size.width));
    csv.write(row + "\n");
    for (const Plane& plane : planes)
        for (std::uint64_t y = 0; y < size.height; ++y) {
            row = plane.label + "," + shortest(frequency(static_cast<double>(y), size.height));
            for (std::uint64_t x = 0; x < size.width; ++x) row += "," + shortest(plane.values[y * size.width + x]);
            csv.write(row + "\n");
        }
    csv.commit();
}

void write_npy(const std::string& path, const std::vector<Plane>& planes, Size size) {
    io::NpyHeader header{io::ElementType::float32, false, false, {size.height, size.width}};
    if (planes.size() > 1) header.shape.insert(header.shape.begin(), planes.size());
    io::OutputFile npy(path);
    npy.write(io::npy_preamble(header));
    for (const Plane& plane : planes) npy.write(plane.values.data(), plane.values.size() * sizeof(float));
    npy.commit();
}

struct PictureFigures : TransformFigures {
    double error = 0;
};

template <class T>
PictureFigures transform_planes(const Device& device, const io::Picture& picture, const SpectrumCommand& command,
                                std::vector<Plane>& planes) {
    const Size size{picture.height, picture.width};
    Problem problem;
    problem.lengths = {size.height, size.width};
    problem.batch = planes.size();
    problem.precision = precision_of<T>();
    DeviceTransform<T> transform(device, problem, Direction::forward);
    const std::vector<std::complex<T>> in = input_of<T>(picture, planes);
    std::vector<std::complex<T>> out;
    transform.run(in, out, planes.size());
    for (std::size_t p = 0; p < planes.size(); ++p)
        centre(out.data() + p * size.pixels(), size, command.phase, planes[p]);
    return {transform.figures(), error_of(in, out, size)};
}

void report(const SpectrumCommand& command, const Device& device, Size size, const PictureFigures& figures) {
    if (command.json) {
        print_json({{"device", device_text(device)},
                    {"input", command.input},
                    {"size", {size.width, size.height}},
                    {"output", command.outputs.all.front()},
                    {"outputs", command.outputs.all},
                    {"device_milliseconds", figures.device_milliseconds},
                    {"error", figures.error},
                    {"plan_cold_ms", figures.plan_cold_ms},
                    {"plan_warm_ms", figures.plan_warm_ms},
                    {"channels", command.channels}});
        return;
    }
    std::string outputs;
    for (const std::string& output : command.outputs.all) outputs += (outputs.empty() ? "" : ", ") + output;
    print_rows({{"device", device_text(device)},
                {"input", command.input},
                {"size", std::to_string(size.width) + " x " + std::to_string(size.height) + " pixels"},
                {"output", outputs},
                {"device time", fixed(figures.device_milliseconds, 3) + " ms"},
                {"error", significant(figures.error, 3) + " (relative L2 against extended precision)"},
                {"plan time",
                 "cold " + fixed(figures.plan_cold_ms, 1) + " ms, warm " + fixed(figures.plan_warm_ms, 3) + " ms"}});
}

}  // namespace

void spectrum_of_picture(const SpectrumCommand& command) {
    const io::Picture picture = io::to_picture(open_raster(command.input));
    const Size size{picture.height, picture.width};
    const Precision precision = command.sound.precision == "f64" ? Precision::f64 : Precision::f32;
    const Device device = open_device(command.device);
    require_precision(device, precision);
    std::vector<Plane> planes = planes_of(command.channels);
    const PictureFigures figures = precision == Precision::f64
                                       ? transform_planes<double>(device, picture, command, planes)
                                       : transform_planes<float>(device, picture, command, planes);
    for (const std::string& path : command.outputs.png) write_picture(path, command, planes, size);
    for (const std::string& path : command.outputs.csv) write_csv(path, planes, size);
    for (const std::string& path : command.outputs.npy) write_npy(path, planes, size);
    report(command, device, size, figures);
}

}  // namespace seiche::cli
