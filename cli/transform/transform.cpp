// `seiche transform`: the transform of an array in a file, with numpy's meaning of axes, lengths and normalisation.
#include <algorithm>
#include <complex>
#include <memory>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "cli/command/commands.hpp"
#include "cli/command/report.hpp"
#include "cli/device/array.hpp"
#include "cli/device/device_transform.hpp"
#include "cli/io/file_kind.hpp"
#include "cli/io/npy.hpp"
#include "cli/io/output_file.hpp"
#include "cli/io/recording.hpp"
#include "cli/problem/stage_options.hpp"
#include "cli/sound/sound_options.hpp"
#include "cli/text/text.hpp"
#include "cli/transform/transform_kind.hpp"

namespace seiche::cli {
namespace {

struct TransformCommand {
    std::string input, output, axes, kind = "c2c", norm = "backward", orthogonalize, precision, length, device;
    RecordingOptions recording;
    bool inverse = false, pad = false, json = false;
    StageOptions stages;
};

/// An array in C order; what numpy would see has its axes reversed where the file was in Fortran order.
template <class T>
struct Array {
    Shape shape;
    std::vector<std::complex<T>> values;
    bool reversed = false;
};

/// What T's arrays are transformed in: f64x2 reads and writes doubles, f16 floats that are rounded to halves.
template <class T>
Precision arithmetic(const TransformCommand& command) {
    if (command.precision == "f16-arithmetic") return Precision::f16;
    return command.precision == "f64x2" ? Precision::f64x2 : precision_of<T>();
}

/// What the input is, before its values are read in the chosen precision.
struct Source {
    std::unique_ptr<io::NpyFile> npy;
    std::unique_ptr<io::Recording> recording;
    Shape shape;  ///< As numpy sees it.
    Precision natural = Precision::f64;
    bool is_real = false;
    std::string element;  ///< What a value is, in messages.
    std::vector<std::int64_t> default_axes;
};

Source open_source(const TransformCommand& command) {
    Source source;
    if (is_recording(command.input, command.recording)) {
        source.recording = std::make_unique<io::Recording>(open_recording(command.input, command.recording));
        const io::Recording& recording = *source.recording;
        source.shape = {recording.channels(), recording.frames()};
        if (recording.is_radio() && recording.channels() == 1) source.shape.erase(source.shape.begin());
        // Sounds were read as double from the start.
        source.natural = recording.is_radio() && !recording.is_wide() ? Precision::f32 : Precision::f64;
        source.default_axes = {-1};
        source.is_real = !source.recording->is_two_sided();
        source.element = source.is_real ? "samples" : "pairs (in phase, quadrature)";
    } else if (command.recording.rate || command.recording.centre) {
        throw UsageError("--rate and --centre: only for radio recordings");
    } else if (io::kind_of(command.input) == io::FileKind::array) {
        source.npy = std::make_unique<io::NpyFile>(command.input);
        source.shape = source.npy->header().shape;
        const io::ElementType type = source.npy->header().type;
        const bool wide =
            type == io::ElementType::float64 || type == io::ElementType::complex128 || io::is_integer(type);
        source.natural = wide ? Precision::f64 : Precision::f32;
        source.is_real = !io::is_complex(type);
        source.element = io::to_string(type);
    } else {
        throw UsageError("expected an .npy array, a sound, a SigMF recording, or --iq, got '" + command.input + "'");
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
Array<T> read_array(const TransformCommand& command, Source& source) {
    if (source.recording) return read_recording<T>(*source.recording, source.shape);
    Array<T> array{source.shape, source.npy->read<T>(), source.npy->header().fortran_order};
    note_not_finite(command.input, array.values, source.npy->header(), "all results of its transform are NaN");
    if (array.reversed) std::reverse(array.shape.begin(), array.shape.end());
    return array;
}

template <class Number>
io::ElementType element_type() {
    if constexpr (std::is_floating_point_v<Number>)
        return sizeof(Number) == 4 ? io::ElementType::float32 : io::ElementType::float64;
    return sizeof(Number) == 8 ? io::ElementType::complex64 : io::ElementType::complex128;
}

/// `shape` is numpy's.
template <class Number>
void write_array(const std::string& path, const std::vector<Number>& values, const Shape& shape, bool fortran_order) {
    io::NpyHeader header;
    header.type = element_type<Number>();
    header.fortran_order = fortran_order;
    header.shape = shape;
    io::OutputFile file(path);
    file.write(io::npy_preamble(header));
    file.write(values.data(), values.size() * sizeof(Number));
    file.commit();
}

/// What is transformed: --axes, --length and --kind applied to the file's shape. All shapes are numpy's.
struct Request {
    TransformKind what;
    std::vector<int> axes;
    Shape lengths;
};

Request request_for(const TransformCommand& command, const Source& source) {
    Request request;
    request.what = parse_transform_kind(command.kind, command.inverse, command.norm, command.orthogonalize);
    const auto named = command.axes.empty() ? source.default_axes : parse_integers(command.axes, "--axes");
    request.axes = resolve_axes(named, source.shape.size());
    for (const int axis : request.axes)
        if (source.shape[static_cast<std::size_t>(axis)] == 0)
            throw Failure("'" + command.input +
                          "': expected at least one element along a transformed axis, got 0 along axis " +
                          std::to_string(axis));
    if (takes_reals(request.what) && !source.is_real)
        throw Failure("'" + command.input + "': expected real numbers for --kind " + command.kind + ", got " +
                      source.element);
    if (request.axes.empty() && request.what.kind != Kind::c2c)
        throw Failure("'" + command.input + "': expected at least one axis for --kind " + command.kind + ", got none");
    if (command.pad && !command.length.empty()) throw UsageError("either --pad or --length, not both");
    request.lengths =
        transform_lengths(request.what, source.shape, request.axes, command.pad ? "fast" : command.length);
    check_element_count(request.lengths);
    return request;
}

/// Transforms the array and writes it; what is read and written is real where the kind says so.
template <class T>
class Work {
public:
    Work(const TransformCommand& command, const Request& request, Array<T> array)
        : command_(command), request_(request), array_(std::move(array)) {}

    TransformFigures run(const Device& device) {
        if (!takes_reals(request_.what)) return run_from(device, array_.values);
        std::vector<T> reals(array_.values.size());
        for (std::size_t i = 0; i < reals.size(); ++i) reals[i] = array_.values[i].real();
        return run_from(device, reals);
    }

private:
    template <class In>
    TransformFigures run_from(const Device& device, std::vector<In>& in) {
        if (gives_reals(request_.what)) {
            std::vector<T> out;
            return run_into(device, in, out);
        }
        std::vector<std::complex<T>> out;
        return run_into(device, in, out);
    }

    template <class In, class Out>
    TransformFigures run_into(const Device& device, const std::vector<In>& in, std::vector<Out>& out) {
        const Shape shape = output_shape(request_.what, request_.lengths, request_.axes);
        if constexpr (std::is_same_v<In, Out>)
            if (request_.axes.empty() && !command_.stages.any()) {  // one number is its own transform
                write_array(command_.output, in, shape, array_.reversed);
                return {};
            }
        if (io::element_count(shape) == 0) {  // no transforms
            write_array(command_.output, out, shape, array_.reversed);
            return {};
        }
        Shape lengths = request_.lengths;
        std::vector<int> axes = request_.axes;
        if (array_.reversed) {
            std::reverse(lengths.begin(), lengths.end());
            for (int& axis : axes) axis = static_cast<int>(lengths.size()) - 1 - axis;
        }
        Problem problem = problem_for(request_.what, lengths, axes);
        problem.precision = arithmetic<T>(command_);
        if (problem.precision == Precision::f64x2) problem.storage = Storage::f64;
        const Direction direction = direction_of(request_.what);
        StageArguments stages;
        if (command_.stages.any()) stages = load_stages(command_.stages, device, direction, problem);
        DeviceTransform<T> transform(device, problem, direction);
        transform.give(stages);
        transform.run(in, out, 1);
        write_array(command_.output, out, shape, array_.reversed);
        return transform.figures();
    }

    const TransformCommand& command_;
    const Request& request_;
    Array<T> array_;
};

/// The file's array with the shape that the transform reads.
template <class T>
Array<T> resized_array(const TransformCommand& command, Source& source, const Request& request) {
    Array<T> array = read_array<T>(command, source);
    Shape target = input_shape(request.what, request.lengths, request.axes);
    if (target == source.shape) return array;
    note(describe_resize(source.shape, target));
    if (array.reversed) std::reverse(target.begin(), target.end());
    array.values = resize(array.values, array.shape, target);
    array.shape = target;
    return array;
}

template <class T>
void run_as(const TransformCommand& command, Source& source) {
    const Request request = request_for(command, source);
    const Device device = open_device(command.device);
    require_precision(device, arithmetic<T>(command));
    Work<T> work(command, request, resized_array<T>(command, source, request));
    const TransformFigures figures = work.run(device);
    if (command.json)
        print_json({{"device", device_text(device)},
                    {"input", command.input},
                    {"kind", command.kind},
                    {"size", request.lengths},
                    {"axes", request.axes},
                    {"precision", to_string(arithmetic<T>(command))},
                    {"output", command.output},
                    {"device_milliseconds", figures.device_milliseconds},
                    {"plan_cold_ms", figures.plan_cold_ms},
                    {"plan_warm_ms", figures.plan_warm_ms}});
}

void run(const TransformCommand& command) {
    if (io::output_extension(command.output, ".npy") != ".npy")
        throw UsageError("expected an output that ends in .npy, got '" + command.output + "'");
    Source source = open_source(command);
    const bool is_narrow = command.precision == "f32" || command.precision == "f16-arithmetic";
    const bool wide = command.precision.empty() ? source.natural == Precision::f64 : !is_narrow;
    wide ? run_as<double>(command, source) : run_as<float>(command, source);
}

}  // namespace

void add_transform(Command& app) {
    Command command = app.add_subcommand("transform", "Transform an array in a file, as numpy.fft and scipy.fft do");
    auto options = std::make_shared<TransformCommand>();
    command
        .add_option("IN", options->input,
                    "An array (.npy), a sound (.wav, .flac, .ogg, .mp3, .aiff), a SigMF recording (.sigmf-meta or "
                    ".sigmf-data), or any file with --iq; - reads standard input")
        .value("FILE")
        .required();
    command
        .add_option("-o,--output", options->output,
                    "The .npy file to write; - writes to standard output. Complex, but real for c2r, hfft and the "
                    "real-to-real kinds")
        .value("FILE")
        .required();
    command
        .add_option("--kind", options->kind,
                    "The transform. c2c: fftn; r2c: rfftn; c2r: irfftn; hfft: hfftn; ihfft: ihfftn; dct1, dct2, dct3, "
                    "dct4, dst1, dst2, dst3, dst4: dctn and dstn of that type in scipy.fft; dht, r2hc, hc2r: as in "
                    "FFTW")
        .value("KIND")
        .one_of({"c2c", "r2c", "c2r", "dct1", "dct2", "dct3", "dct4", "dst1", "dst2", "dst3", "dst4", "dht", "r2hc",
                 "hc2r", "hfft", "ihfft"})
        .capture_default_str();
    command
        .add_option("--axes", options->axes,
                    "The axes to transform, e.g. 0,-1; negative numbers count from the last (default: all axes; for a "
                    "recording, time)")
        .value("AXIS,...");
    command.add_flag("--inverse", options->inverse, "Compute the inverse transform: ifftn, idctn, idstn");
    command
        .add_option("--norm", options->norm,
                    "Which transform is scaled. backward: the inverse by 1/N; ortho: both by 1/sqrt(N); forward: the "
                    "forward by 1/N; none: neither")
        .value("NORM")
        .one_of({"none", "backward", "ortho", "forward"})
        .capture_default_str();
    command
        .add_option("--orthogonalize", options->orthogonalize,
                    "Weight the edge values of a dct or dst so that its rows are orthogonal, yes or no, as in SciPy "
                    "(default: yes with --norm ortho, else no)")
        .value("YES/NO")
        .one_of({"yes", "no"});
    command
        .add_option("--precision", options->precision,
                    "The arithmetic: f32, f64, f64x2 (double-double; the result is rounded once to f64) or "
                    "f16-arithmetic (half precision, written as float32) (default: the precision of the input)")
        .value("PRECISION")
        .one_of({"f32", "f64", "f64x2", "f16-arithmetic"});
    command
        .add_option("--length", options->length,
                    "Crop or zero-pad the transformed axes to this length, or to one length for each axis: 512,1024. "
                    "fast: zero-pad to the next length that needs no Bluestein transform. For c2r and hfft: the "
                    "length of the real array (default: 2 (m - 1))")
        .value("N,...");
    command.add_flag("--pad", options->pad, "The same as --length fast");
    add_recording_options(command, options->recording);
    add_device_option(command, options->device);
    add_stage_options(command, options->stages, true);
    add_json_option(command, options->json);
    command.footer(
        "Arrays may be float16, float32, float64, complex64, complex128, integers or bool; integers and bool count as "
        "float64. A sound is float64 with the shape (channels, samples). A radio recording is complex64, or complex128 "
        "if its samples have more digits, with the shape (samples,) or, with several channels, (channels, samples).");
    command.callback(of_problems([options] { run(*options); }));
}

}  // namespace seiche::cli
