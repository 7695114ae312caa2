// `seiche transform`: the transform of an array in a file, with numpy's meaning of axes, lengths and normalisation.
#include <algorithm>
#include <memory>

#include "cli/array.hpp"
#include "cli/commands.hpp"
#include "cli/device_transform.hpp"
#include "cli/io/npy.hpp"
#include "cli/io/output_file.hpp"
#include "cli/io/recording.hpp"
#include "cli/report.hpp"
#include "cli/sound_options.hpp"
#include "cli/text.hpp"

namespace seiche::cli {
namespace {

struct TransformCommand {
    std::string input, output, axes, norm = "backward", precision, length, device;
    RecordingOptions recording;
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
    std::unique_ptr<io::Recording> recording;
    Shape shape;  ///< As numpy sees it.
    Precision natural = Precision::f64;
    std::vector<std::int64_t> default_axes;
};

Source open_source(const TransformCommand& command) {
    Source source;
    if (is_recording(command.input, command.recording)) {
        source.recording = std::make_unique<io::Recording>(open_recording(command.input, command.recording));
        source.shape = {source.recording->channels(), source.recording->frames()};
        if (source.recording->is_two_sided()) source.shape.erase(source.shape.begin());
        // Integers and cf32 are exact in single precision; sounds were read as double from the start.
        const bool single = source.recording->is_two_sided() && source.recording->type() != "cf64";
        source.natural = single ? Precision::f32 : Precision::f64;
        source.default_axes = {-1};
    } else if (command.recording.rate || command.recording.centre) {
        throw UsageError("--rate and --centre: only for radio recordings");
    } else if (extension(command.input) == ".npy") {
        source.npy = std::make_unique<io::NpyFile>(command.input);
        source.shape = source.npy->header().shape;
        const io::ElementType type = source.npy->header().type;
        if (is_integer(type))
            throw Failure("'" + command.input +
                          "': expected the dtype float16, float32, float64, complex64 or complex128, got " +
                          to_string(type));
        const bool wide = type == io::ElementType::float64 || type == io::ElementType::complex128;
        source.natural = wide ? Precision::f64 : Precision::f32;
    } else {
        throw UsageError("expected --iq, or an input that ends in .npy, .wav, .sigmf-meta or .sigmf-data, got '" +
                         command.input + "'");
    }
    return source;
}

template <class T>
Array<T> read_recording(io::Recording& recording, const Shape& shape) {
    constexpr std::uint64_t block = 1 << 16;
    Array<T> array{shape, std::vector<std::complex<T>>(io::element_count(shape)), false};
    const std::uint64_t channels = recording.channels(), length = shape.back();
    std::vector<std::complex<double>> samples;
    std::uint64_t at = 0;
    while (const std::uint64_t frames = recording.read(samples, block)) {
        for (std::uint64_t i = 0; i < samples.size(); ++i)
            array.values[i % channels * length + at + i / channels] = std::complex<T>(samples[i]);
        at += frames;
    }
    return array;
}

template <class T>
Array<T> read_array(Source& source) {
    if (source.recording) return read_recording<T>(*source.recording, source.shape);
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
    Source source = open_source(command);
    const bool wide = command.precision.empty() ? source.natural == Precision::f64 : command.precision == "f64";
    wide ? run_as<double>(command, source) : run_as<float>(command, source);
}

}  // namespace

void add_transform(CLI::App& app) {
    auto* command = app.add_subcommand("transform", "Transform an array in a file, as numpy.fft.fftn and ifftn do");
    auto options = std::make_shared<TransformCommand>();
    command
        ->add_option(
            "IN", options->input,
            ".npy (float16/32/64, complex64/128); .wav: float64 in [-1, 1), shape (channels, samples); a SigMF "
            "recording (.sigmf-meta or .sigmf-data) or any file with --iq: complex64 (cf64: complex128), shape "
            "(samples,)")
        ->required();
    command->add_option("-o,--output", options->output, "The .npy file to write: complex64 or complex128")->required();
    command->add_option(
        "--axes", options->axes,
        "Axes to transform, e.g. 0,1; negative counts from the last (default: all; of a recording: time)");
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
    add_recording_options(*command, options->recording);
    command->add_option("--device", options->device, "Device name, see `seiche devices`");
    command->add_flag("--json", options->json, "Print figures as JSON");
    command->callback([options] { run(*options); });
}

}  // namespace seiche::cli
