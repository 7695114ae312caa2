// `seiche convolve`: convolution, correlation and phase correlation of files; here are the options and arrays.
#include "cli/edit/convolve.hpp"

#include <algorithm>
#include <complex>
#include <memory>
#include <type_traits>

#include "cli/command/commands.hpp"
#include "cli/device/device_transform.hpp"
#include "cli/io/file_kind.hpp"
#include "cli/io/npy.hpp"
#include "cli/io/output_file.hpp"
#include "cli/io/outputs.hpp"
#include "cli/text/text.hpp"
#include "cli/text/words.hpp"

namespace seiche::cli {
namespace {

ConvolutionMode parse_mode(const std::string& text, ConvolutionMode unless_told) {
    for (const ConvolutionMode mode : {ConvolutionMode::full, ConvolutionMode::same, ConvolutionMode::valid,
                                       ConvolutionMode::circular, ConvolutionMode::causal})
        if (text == to_string(mode)) return mode;
    return unless_told;
}

std::string joined(const Shape& shape) {
    std::string text;
    for (const std::uint64_t n : shape) text += (text.empty() ? "" : " x ") + std::to_string(n);
    return text;
}

/// As the kind of file has it: a picture's width comes first.
std::string size_text(const ConvolveCommand& command, const Shape& shape) {
    return joined(io::kind_of(command.a) == io::FileKind::picture ? Shape(shape.rbegin(), shape.rend()) : shape);
}

/// An array with its axes in the order reversed, so that what was in Fortran order is in C order and the other way
/// round.
template <class Number>
std::vector<Number> with_axes_reversed(const std::vector<Number>& values, const Shape& shape) {
    std::vector<Number> result;
    result.reserve(values.size());
    Shape index(shape.size(), 0), strides(shape.size(), 1);
    for (std::size_t axis = shape.size(); axis-- > 1;) strides[axis - 1] = strides[axis] * shape[axis];
    std::uint64_t at = 0;
    while (result.size() < values.size()) {
        result.push_back(values[at]);
        for (std::size_t axis = 0; axis < shape.size(); ++axis) {
            at += strides[axis];
            if (++index[axis] < shape[axis]) break;
            at -= index[axis] * strides[axis];
            index[axis] = 0;
        }
    }
    return result;
}

/// The values of a file in C order. What is not finite is noted.
template <class Number>
std::vector<Number> read_values(const std::string& path, io::NpyFile& file) {
    std::vector<Number> numbers;
    if constexpr (std::is_floating_point_v<Number>) {
        for (const std::complex<Number>& value : file.read<Number>()) numbers.push_back(value.real());
    } else {
        numbers = file.read<typename Number::value_type>();
    }
    note_not_finite(path, numbers, file.header(), "they spread over the whole result");
    if (!file.header().fortran_order) return numbers;
    const Shape& shape = file.header().shape;
    return with_axes_reversed(numbers, Shape(shape.rbegin(), shape.rend()));
}

template <class Number>
io::ElementType element_type() {
    if constexpr (std::is_floating_point_v<Number>)
        return sizeof(Number) == 4 ? io::ElementType::float32 : io::ElementType::float64;
    return sizeof(Number) == 8 ? io::ElementType::complex64 : io::ElementType::complex128;
}

template <class Number>
void run_as(const ConvolveCommand& command, const Convolution& convolution, io::NpyFile& a, io::NpyFile& b,
            Precision precision) {
    const Device device = open_device(command.device);
    require_precision(device, precision);
    ConvolutionFigures figures;
    const std::vector<Number> result = run_convolution(device, convolution, read_values<Number>(command.a, a),
                                                       read_values<Number>(command.b, b), figures);
    io::OutputFile output(command.output);
    output.write(io::npy_preamble({element_type<Number>(), false, false, result_lengths(convolution)}));
    output.write(result.data(), result.size() * sizeof(Number));
    output.commit();
    std::optional<Peak> peak;
    if (command.is_correlation()) peak = find_peak(convolution, result);
    print_report(command, {device, convolution, precision, figures, peak, std::nullopt});
}

bool is_wide(io::ElementType type) {
    return type == io::ElementType::float64 || type == io::ElementType::complex128 || io::is_integer(type);
}

void check_shape(const std::string& path, const Shape& shape) {
    if (shape.empty()) throw Failure("'" + path + "': expected at least one axis, got a single number");
    if (io::element_count(shape) == 0)
        throw Failure("'" + path + "': expected at least one element along each axis, got " + joined(shape));
}

void run(const ConvolveCommand& command) {
    if (command.correlate && command.phase) throw UsageError("expected one of --correlate and --phase, got both");
    if (command.phase && !command.mode.empty() && command.mode != "circular")
        throw UsageError(
            "--phase: expected the mode circular, as its answer depends on the zeros that are added, got " +
            command.mode);
    const io::FileKind kind = io::kind_of(command.a), other = io::kind_of(command.b);
    if (kind == io::FileKind::unknown)
        throw UsageError("A: expected a sound, a picture or an .npy array, got '" + command.a + "'");
    if (other != kind && other != io::FileKind::array)
        throw UsageError("B: expected " +
                         std::string(kind == io::FileKind::array   ? ""
                                     : kind == io::FileKind::sound ? "a sound or "
                                                                   : "a picture or ") +
                         "an .npy array, got '" + command.b + "'");
    const bool only_array = kind == io::FileKind::array || command.is_correlation();
    output_kind(command.output, only_array ? io::FileKind::array : kind, true);
    if (command.loudness.any() && (kind != io::FileKind::sound || command.is_correlation()))
        throw UsageError("--gain and --normalise: only for sounds that are convolved");
    kind == io::FileKind::array   ? convolve_arrays(command)
    : kind == io::FileKind::sound ? convolve_sounds(command)
                                  : convolve_pictures(command);
}

}  // namespace

Convolution ConvolveCommand::convolution(const Shape& signal, const Shape& kernel, ConvolutionMode unless_told) const {
    Convolution result;
    result.signal = signal;
    result.kernel = kernel;
    result.mode = phase ? ConvolutionMode::circular : parse_mode(mode, unless_told);
    result.product = phase       ? ConvolutionProduct::phase
                     : correlate ? ConvolutionProduct::correlate
                                 : ConvolutionProduct::convolve;
    result.block = block.value_or(0);
    const bool is_within = result.mode == ConvolutionMode::valid || result.mode == ConvolutionMode::circular;
    for (std::size_t axis = 0; is_within && axis < signal.size(); ++axis)
        if (kernel[axis] > signal[axis])
            throw Failure("'" + b + "': expected at most " + size_text(*this, signal) + ", the size of '" + a +
                          "', in mode " + to_string(result.mode) + ", got " + size_text(*this, kernel));
    return result;
}

void convolve_arrays(const ConvolveCommand& command) {
    io::NpyFile a(command.a), b(command.b);
    check_shape(command.a, a.header().shape);
    check_shape(command.b, b.header().shape);
    const std::size_t rank = a.header().shape.size(), other = b.header().shape.size();
    if (other != rank)
        throw Failure("'" + command.b + "': expected " + counted(rank, "axis", "axes") + " as '" + command.a +
                      "' has, got " + std::to_string(other));
    const Convolution convolution = command.convolution(a.header().shape, b.header().shape, ConvolutionMode::full);
    const io::ElementType first = a.header().type, second = b.header().type;
    const Precision precision = command.arithmetic(is_wide(first) || is_wide(second));
    if (io::is_complex(first) || io::is_complex(second))
        precision == Precision::f64 ? run_as<std::complex<double>>(command, convolution, a, b, precision)
                                    : run_as<std::complex<float>>(command, convolution, a, b, precision);
    else
        precision == Precision::f64 ? run_as<double>(command, convolution, a, b, precision)
                                    : run_as<float>(command, convolution, a, b, precision);
}

void add_convolve(Command& app) {
    Command command = app.add_subcommand("convolve", "Convolve or correlate arrays, sounds or pictures");
    auto options = std::make_shared<ConvolveCommand>();
    command
        .add_option("A", options->a,
                    "An array (.npy) of any number of axes, a sound or a picture; - reads standard input")
        .value("FILE")
        .required();
    command
        .add_option("B", options->b,
                    "The kernel: a file of the same kind or, for sounds and pictures, an array (.npy) of real numbers. "
                    "It has one channel, which is used for all channels of A, or as many channels as A")
        .value("FILE")
        .required();
    command
        .add_option("-o,--output", options->output,
                    "The file to write; - writes to standard output. Sounds: .wav, .flac, .aiff, .ogg, .mp3; "
                    "pictures: .png, .jpg, .webp, .tif; all, and correlations: .npy")
        .value("FILE")
        .required();
    command
        .add_option("--mode", options->mode,
                    "The part of the result: full, same or valid, as in scipy.signal.fftconvolve, or circular: "
                    "ifft(fft(A) fft(B)), or causal: the first samples of full (default: full; for pictures same)")
        .value("MODE")
        .one_of({"full", "same", "valid", "circular", "causal"});
    command.add_flag("--correlate", options->correlate,
                     "Correlate, as scipy.signal.correlate does, and say where the peak is. Pictures: normalised "
                     "cross-correlation, which finds a part of a picture where it lies");
    command.add_flag("--phase", options->phase,
                     "Phase correlation: circular, each bin of the product divided by its magnitude");
    command
        .add_option("--precision", options->precision,
                    "The arithmetic: f32 or f64 (default: f64 if A or B is float64, complex128, of integers, or a "
                    "sound of more than 16 bits, except float32; for pictures f32)")
        .value("PRECISION")
        .one_of({"f32", "f64"});
    command
        .add_option("--block", options->block,
                    "Points of a block (overlap-save), for long sounds and arrays of one axis; 1: no blocks "
                    "(default: chosen by the kernel's length)")
        .within(0, std::int64_t{1} << 30)
        .quantity();
    add_loudness_options(command, options->loudness);
    add_device_option(command, options->device);
    add_json_option(command, options->json);
    command.footer(
        "The peak of a correlation is reported as a shift: moved by that much, B lies on A. A kernel that is a picture "
        "is divided by the sum of its values, so that the brightness stays.\n\n"
        "Samples outside the file's range are clipped. A note says how many, and for a sound the largest --gain that "
        "clips none.");
    command.callback([options] { run(*options); });
}

}  // namespace seiche::cli
