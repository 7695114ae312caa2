// `seiche transform`: the transform of an array in a file, with numpy's meaning of axes, lengths and normalisation.
#include <algorithm>
#include <memory>

#include "cli/array.hpp"
#include "cli/commands.hpp"
#include "cli/device_transform.hpp"
#include "cli/io/npy.hpp"
#include "cli/io/output_file.hpp"
#include "cli/io/wav.hpp"
#include "cli/report.hpp"
#include "cli/sound_options.hpp"
#include "cli/text.hpp"

namespace seiche::cli {
namespace {

struct TransformCommand {
    std::string input, output, axes, norm = "backward", precision, length, device;
    bool inverse = false, json = false;
};

/// An array in C order; what numpy would see has its axes reversed where the file was in Fortran order.
template <class T>
struct Array {
    Shape shape;
    std::vector<std::complex<T>> values;
    bool reversed = false;
};

/// What the input is, before its values are read in the chosen precision.
struct Source {
    std::unique_ptr<io::NpyFile> npy;
    std::unique_ptr<io::WavFile> wav;
    Shape shape;  ///< As numpy sees it.
    Precision natural = Precision::f64;
    std::vector<std::int64_t> default_axes;
};

Source open_source(const std::string& path) {
    Source source;
    const std::string kind = extension(path);
    if (kind == ".wav") {
        source.wav = std::make_unique<io::WavFile>(open_sound(path));
        source.shape = {source.wav->format().channels, source.wav->frames()};
        source.default_axes = {-1};
    } else if (kind == ".npy") {
        source.npy = std::make_unique<io::NpyFile>(path);
        source.shape = source.npy->header().shape;
        const io::ElementType type = source.npy->header().type;
        const bool wide = type == io::ElementType::float64 || type == io::ElementType::complex128;
        source.natural = wide ? Precision::f64 : Precision::f32;
    } else {
        throw UsageError("expected an input that ends in .npy or .wav, got '" + path + "'");
    }
    return source;
}

template <class T>
Array<T> read_wav(io::WavFile& wav, const Shape& shape) {
    constexpr std::uint64_t block = 1 << 16;
    Array<T> array{shape, std::vector<std::complex<T>>(io::element_count(shape)), false};
    std::vector<double> samples;
    std::uint64_t at = 0;
    while (const std::uint64_t frames = wav.read(samples, block)) {
        for (std::uint64_t i = 0; i < samples.size(); ++i)
            array.values[i % shape[0] * shape[1] + at + i / shape[0]] = static_cast<T>(samples[i]);
        at += frames;
    }
    return array;
}

template <class T>
Array<T> read_array(Source& source) {
    if (source.wav) return read_wav<T>(*source.wav, source.shape);
    Array<T> array{source.shape, source.npy->read<T>(), source.npy->header().fortran_order};
    if (array.reversed) std::reverse(array.shape.begin(), array.shape.end());
    return array;
}

/// The scale of the direction that runs, by numpy's `norm`.
Scale scale_of(const std::string& norm, bool inverse) {
    if (norm == "ortho") return Scale::by_sqrt_n();
    const bool scaled = (norm == "backward" && inverse) || (norm == "forward" && !inverse);
    return scaled ? Scale::by_n() : Scale::none();
}

template <class T>
void write_array(const std::string& path, const Array<T>& array) {
    io::NpyHeader header;
    header.type = sizeof(T) == 4 ? io::ElementType::complex64 : io::ElementType::complex128;
    header.fortran_order = array.reversed;
    header.shape = array.shape;
    if (array.reversed) std::reverse(header.shape.begin(), header.shape.end());
    io::OutputFile file(path);
    file.write(io::npy_preamble(header));
    file.write(array.values.data(), array.values.size() * sizeof(std::complex<T>));
    file.commit();
}

template <class T>
TransformFigures transform_values(const Device& device, const TransformCommand& command, std::vector<int> axes,
                                  Array<T>& array) {
    if (array.reversed)
        for (int& axis : axes) axis = static_cast<int>(array.shape.size()) - 1 - axis;
    Problem problem;
    problem.lengths = array.shape;
    problem.axes = axes;
    problem.precision = precision_of<T>();
    (command.inverse ? problem.inverse_scale : problem.forward_scale) = scale_of(command.norm, command.inverse);
    DeviceTransform<T> transform(device, problem, command.inverse ? Direction::inverse : Direction::forward);
    transform.run(array.values, array.values, 1);
    return transform.figures();
}

template <class T>
void run_as(const TransformCommand& command, Source& source) {
    const auto named = command.axes.empty() ? source.default_axes : parse_integers(command.axes, "--axes");
    const std::vector<int> axes = resolve_axes(named, source.shape.size());
    for (std::size_t axis = 0; axis < source.shape.size(); ++axis)
        if (source.shape[axis] == 0)
            throw Failure("'" + command.input + "': expected at least one element along each axis, got 0 along axis " +
                          std::to_string(axis));
    const Shape target = resized_shape(source.shape, axes, command.length);
    static_cast<void>(io::element_count(target));
    const Device device = open_device(command.device);
    require_precision(device, precision_of<T>());
    Array<T> array = read_array<T>(source);
    if (target != source.shape) {
        note(describe_resize(source.shape, target));
        Shape stored = target;
        if (array.reversed) std::reverse(stored.begin(), stored.end());
        array.values = resize(array.values, array.shape, stored);
        array.shape = stored;
    }
    TransformFigures figures;
    if (!axes.empty()) figures = transform_values(device, command, axes, array);  // one number is its own transform
    write_array(command.output, array);
    if (command.json)
        print_json({{"device", device_text(device)},
                    {"input", command.input},
                    {"size", target},
                    {"axes", axes},
                    {"precision", sizeof(T) == 4 ? "f32" : "f64"},
                    {"output", command.output},
                    {"device_milliseconds", figures.device_milliseconds},
                    {"plan_cold_ms", figures.plan_cold_ms},
                    {"plan_warm_ms", figures.plan_warm_ms}});
}

void run(const TransformCommand& command) {
    if (extension(command.output) != ".npy")
        throw UsageError("expected an output that ends in .npy, got '" + command.output + "'");
    Source source = open_source(command.input);
    const bool wide = command.precision.empty() ? source.natural == Precision::f64 : command.precision == "f64";
    wide ? run_as<double>(command, source) : run_as<float>(command, source);
}

}  // namespace

void add_transform(CLI::App& app) {
    auto* command = app.add_subcommand("transform", "Transform an array in a file, as numpy.fft.fftn and ifftn do");
    auto options = std::make_shared<TransformCommand>();
    command
        ->add_option("IN", options->input,
                     ".npy (float16/32/64, complex64/128), or .wav: float64 in [-1, 1), shape (channels, samples)")
        ->required();
    command->add_option("-o,--output", options->output, "The .npy file to write: complex64 or complex128")->required();
    command->add_option("--axes", options->axes,
                        "Axes to transform, e.g. 0,1; negative counts from the last (default: all; of a sound: time)");
    command->add_flag("--inverse", options->inverse, "The inverse transform");
    command
        ->add_option("--norm", options->norm,
                     "backward: inverse by 1/N; ortho: both by 1/sqrt(N); forward: forward by 1/N; none")
        ->check(CLI::IsMember({"none", "backward", "ortho", "forward"}))
        ->capture_default_str();
    command->add_option("--precision", options->precision, "f32 or f64 (default: that of the input)")
        ->check(CLI::IsMember({"f32", "f64"}));
    command->add_option("--length", options->length,
                        "Crop or zero-pad the transformed axes to this length, or one for each axis: 512,1024; "
                        "fast: to the next length that needs no Bluestein");
    command->add_option("--device", options->device, "Device name, see `seiche devices`");
    command->add_flag("--json", options->json, "Print figures as JSON");
    command->callback([options] { run(*options); });
}

}  // namespace seiche::cli
