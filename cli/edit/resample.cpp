// `seiche resample`: a sound at another rate, a picture of another size, an array of another length; here are the
// options and arrays.
#include "cli/edit/resample.hpp"

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command/commands.hpp"
#include "cli/device/device_transform.hpp"
#include "cli/io/npy.hpp"
#include "cli/io/output_file.hpp"
#include "cli/io/outputs.hpp"
#include "cli/text/text.hpp"
#include "cli/text/words.hpp"

namespace seiche::cli {
namespace {

/// The numbers of an array; those of a complex one are pairs.
template <class T>
std::vector<T> read_numbers(io::NpyFile& file) {
    const std::vector<std::complex<T>> values = file.read<T>();
    const bool pairs = io::is_complex(file.header().type);
    std::vector<T> numbers;
    numbers.reserve(values.size() * (pairs ? 2 : 1));
    for (const std::complex<T>& value : values) {
        numbers.push_back(value.real());
        if (pairs) numbers.push_back(value.imag());
    }
    return numbers;
}

/// Resampling is linear with real factors, so that a complex array is one of reals with an axis of two more.
template <class T>
void run_as(const ResampleCommand& command, io::NpyFile& file, std::size_t axis, std::uint64_t count) {
    const io::NpyHeader& header = file.header();
    const Device device = open_device(command.device);
    require_precision(device, precision_of<T>());
    const bool pairs = io::is_complex(header.type);
    io::NpyHeader changed;
    changed.type = sizeof(T) == 4 ? (pairs ? io::ElementType::complex64 : io::ElementType::float32)
                                  : (pairs ? io::ElementType::complex128 : io::ElementType::float64);
    changed.fortran_order = header.fortran_order;
    changed.shape = header.shape;
    changed.shape[axis] = count;
    Shape from = header.shape, to = changed.shape;
    for (Shape* shape : {&from, &to}) {
        if (header.fortran_order) std::reverse(shape->begin(), shape->end());
        if (pairs) shape->push_back(2);
    }
    const Continuation continuation = command.continuation(Continuation::periodic, Continuation::about_edges);
    ResampleFigures figures;
    const std::vector<T> numbers = read_numbers<T>(file);
    note_not_finite(command.input, numbers, header, "they spread along the whole axis");
    std::vector<T> result;  // no numbers stay none
    if (!numbers.empty()) result = fourier_resample(device, numbers, from, to, continuation, figures);
    io::OutputFile output(command.output);
    output.write(io::npy_preamble(changed));
    output.write(result.data(), result.size() * sizeof(T));
    output.commit();
    print_report(command,
                 {device, header.shape, changed.shape, continuation, precision_of<T>(), figures, std::nullopt});
}

void resample_array(const ResampleCommand& command) {
    if (!command.count) throw UsageError("expected --count for an array, got none");
    io::NpyFile file(command.input);
    const Shape& shape = file.header().shape;
    const auto rank = static_cast<std::int64_t>(shape.size());
    std::int64_t axis = command.axis.value_or(0);
    if (axis < -rank || axis >= rank)
        throw Failure("--axis: expected one of the " + counted(shape.size(), "axis", "axes") + " of '" + command.input +
                      "', got " + std::to_string(axis));
    if (axis < 0) axis += rank;
    const auto at = static_cast<std::size_t>(axis);
    if (shape[at] == 0)
        throw Failure("'" + command.input + "': expected at least one element along axis " + std::to_string(at) +
                      ", got 0");
    const auto count = static_cast<std::uint64_t>(*command.count);
    if (std::max(count, shape[at]) > longest_axis)
        throw Failure("expected at most 2^28 elements along the axis, got " +
                      std::to_string(std::max(count, shape[at])));
    const io::ElementType type = file.header().type;
    const bool wide = type == io::ElementType::float64 || type == io::ElementType::complex128 || io::is_integer(type);
    command.arithmetic(wide) == Precision::f64 ? run_as<double>(command, file, at, count)
                                               : run_as<float>(command, file, at, count);
}

/// Refuses the options of other kinds of files.
void require_no(const char* option, bool given, const char* files) {
    if (given) throw UsageError(std::string(option) + ": only for " + files);
}

void run(const ResampleCommand& command) {
    const io::FileKind kind = io::kind_of(command.input);
    if (kind == io::FileKind::unknown)
        throw UsageError("expected an input that is a sound, a picture or an .npy array, got '" + command.input + "'");
    output_kind(command.output, kind);
    if (kind != io::FileKind::sound) require_no("--rate", command.rate.has_value(), "sounds");
    if (kind != io::FileKind::sound) require_no("--gain and --normalise", command.loudness.any(), "sounds");
    if (kind != io::FileKind::picture) {
        require_no("--size", command.size.has_value(), "pictures");
        require_no("--scale", command.scale.has_value(), "pictures");
    }
    if (kind != io::FileKind::array) {
        require_no("--count", command.count.has_value(), "arrays (.npy)");
        require_no("--axis", command.axis.has_value(), "arrays (.npy)");
    }
    kind == io::FileKind::array   ? resample_array(command)
    : kind == io::FileKind::sound ? resample_sound(command)
                                  : resample_picture(command);
}

}  // namespace

void print_report(const ResampleCommand& command, const ResampleReport& report) {
    if (!command.json) return;
    Json json = {{"device", device_text(report.device)},
                 {"input", command.input},
                 {"output", command.output},
                 {"size", report.size},
                 {"new_size", report.new_size},
                 {"continuation", to_string(report.continuation)},
                 {"precision", to_string(report.precision)},
                 {"device_milliseconds", report.figures.device_milliseconds},
                 {"plan_ms", report.figures.plan_ms}};
    if (report.gain_db) json["gain_db"] = *report.gain_db;
    if (report.clipped) json["clipped"] = *report.clipped;
    print_json(json);
}

void add_resample(Command& app) {
    Command command =
        app.add_subcommand("resample", "Change the rate of a sound, or the size of a picture or an array");
    auto options = std::make_shared<ResampleCommand>();
    command
        .add_option("IN", options->input,
                    "A sound (.wav, .flac, .ogg, .mp3, .aiff), a picture (.png, .jpg, .webp, .tif) or an array (.npy); "
                    "- reads standard input")
        .value("FILE")
        .required();
    command
        .add_option("-o,--output", options->output,
                    "A file of the same kind; - writes to standard output. Sounds: .wav, .flac, .aiff, .ogg, .mp3; "
                    "pictures: .png, .jpg, .webp, .tif; arrays: .npy. Samples keep their type where the format allows")
        .value("FILE")
        .required();
    command.add_option("--rate", options->rate, "For a sound: the new rate in samples per second")
        .value("HZ")
        .positive()
        .quantity();
    const Option size =
        command.add_option("--size", options->size, "For a picture: its new size").value("WIDTHxHEIGHT");
    command.add_option("--scale", options->scale, "For a picture: the factor of its width and height").excludes(size);
    command.add_option("--count", options->count, "For an array: the new number of elements along the axis")
        .within(1, static_cast<std::int64_t>(longest_axis))
        .quantity();
    command.add_option("--axis", options->axis, "For an array: the axis; negative counts from the last (default: 0)");
    const Option periodic =
        command.add_flag("--periodic", options->periodic,
                         "Treat the data as periodic, as scipy.signal.resample does (the default for arrays)");
    command
        .add_flag("--symmetric", options->symmetric,
                  "Mirror the data at its ends, so that one end does not ring into the other (the default for sounds "
                  "and pictures)")
        .excludes(periodic);
    command
        .add_option("--precision", options->precision,
                    "The arithmetic: f32 or f64 (default: that of a floating-point array; f64 for integer arrays and "
                    "for sounds of more than 16 bits, except float32; else f32)")
        .value("PRECISION")
        .one_of({"f32", "f64"});
    add_loudness_options(command, options->loudness);
    add_device_option(command, options->device);
    add_json_option(command, options->json);
    command.footer(
        "The spectrum is cut, or extended with zeros. Frequencies below half of the lower rate are kept exactly; those "
        "above are removed.\n\n"
        "Samples outside the file's range are clipped. A note says how many, and for a sound the largest --gain that "
        "clips none.");
    command.callback([options] { run(*options); });
}

}  // namespace seiche::cli
