// An operator's definition, bin by bin.
#include "cli/check/check_operators.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <complex>
#include <cstring>
#include <vector>

#include "cli/reference/host_spectrum.hpp"
#include "cli/reference/random_data.hpp"
#include "seiche/error.hpp"
#include "seiche/half.hpp"

namespace seiche::cli {
namespace {

/// Two transforms and a stage.
constexpr double bound = 3.0;
constexpr std::uint64_t canary_bytes = 64;

using Lengths = std::vector<std::uint64_t>;
using Bytes = std::vector<std::byte>;

std::uint64_t product_of(const Lengths& lengths) {
    std::uint64_t product = 1;
    for (const std::uint64_t n : lengths) product *= n;
    return product;
}

/// A name in a stage's text in place of another.
std::string renamed(const std::string& text, const std::string& name, const std::string& other) {
    const auto is_letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at;
        while (end < text.size() && is_letter(text[end])) ++end;
        const std::string word = end == at ? text.substr(at, 1) : text.substr(at, end - at);
        result += word == name ? other : word;
        at += word.size();
    }
    return result;
}

/// What the middle stage's arguments are.
struct Arguments {
    std::vector<std::pair<std::string, Bytes>> buffers;
    std::vector<StageScalarArgument> scalars;

    void bring(Queue& queue, const Device& device, std::vector<StageBufferArgument>& to) const {
        for (const auto& [name, bytes] : buffers) {
            const Buffer memory = device.allocate(bytes.size());
            queue.upload(memory, bytes.data(), bytes.size());
            to.push_back({name, memory});
        }
    }
};

template <class T>
void append(Bytes& bytes, T value) {
    const auto* const from = reinterpret_cast<const std::byte*>(&value);
    bytes.insert(bytes.end(), from, from + sizeof value);
}

Bytes random_elements(Random& random, const StageBuffer& buffer) {
    constexpr std::uint64_t whole = 100;
    Bytes bytes;
    for (std::uint64_t i = 0; i < buffer.count; ++i) switch (buffer.type) {
            case StageType::f16: append(bytes, to_f16(random.value<float>())); break;
            case StageType::f32: append(bytes, random.value<float>()); break;
            case StageType::f64: append(bytes, static_cast<double>(random.value<float>())); break;
            case StageType::i8:
            case StageType::u8: append(bytes, static_cast<std::uint8_t>(random.below(whole))); break;
            case StageType::i16:
            case StageType::u16: append(bytes, static_cast<std::uint16_t>(random.below(whole))); break;
            default: append(bytes, static_cast<std::uint32_t>(random.below(whole))); break;
        }
    return bytes;
}

Arguments random_arguments(Random& random, const UserStage& stage) {
    Arguments arguments;
    for (const StageBuffer& buffer : stage.buffers)
        arguments.buffers.emplace_back(buffer.name, random_elements(random, buffer));
    for (const StageScalar& scalar : stage.scalars) {
        const bool is_real = scalar.type == StageType::f32 || scalar.type == StageType::f64;
        arguments.scalars.push_back({scalar.name, is_real ? static_cast<double>(random.value<float>())
                                                          : static_cast<double>(random.below(10))});
    }
    return arguments;
}

/// The spectra as the middle stage leaves them: transforms of one point, which it is the load stage of.
void apply_middle(const SpectralProblem& problem, const Arguments& arguments, const Lengths& bins,
                  HostArrayOfPoints& spectra) {
    if (problem.middle.empty()) return;
    const bool is_halved = problem.numbers == SpectralNumbers::real;
    Problem points;
    points.lengths = bins;
    points.lengths.push_back(1);
    points.axes = {static_cast<int>(bins.size())};
    points.precision = Precision::f64;
    points.batch = problem.batch;
    std::string waves;
    for (std::size_t axis = 0; axis < bins.size(); ++axis) {
        const std::string i = "i" + std::to_string(axis), n = std::to_string(problem.lengths[axis]);
        waves.append("let k").append(std::to_string(axis)).append(" = ");
        if (!is_halved || axis + 1 != bins.size())
            waves.append("2 * ")
                .append(i)
                .append(" >= ")
                .append(n)
                .append(" ? ")
                .append(i)
                .append(" - ")
                .append(n)
                .append(" : ");
        waves.append(i).append("; ");
    }
    points.forward_load = problem.middle;
    points.forward_load.text = waves + renamed(problem.middle.text, "n" + std::to_string(bins.size() - 1),
                                               std::to_string(problem.lengths.back()));
    const Device interpreter = Device::open("reference");
    PlanOptions options;
    options.directions = Directions::forward;
    const Plan plan(interpreter, points, options);
    Queue queue = interpreter.create_queue();
    Execution execution;
    execution.input = interpreter.allocate(spectra.size() * sizeof spectra[0]);
    execution.output = interpreter.allocate(spectra.size() * sizeof spectra[0]);
    arguments.bring(queue, interpreter, execution.stage_buffers);
    execution.stage_scalars = arguments.scalars;
    queue.upload(execution.input, spectra.data(), spectra.size() * sizeof spectra[0]);
    plan.execute(queue, execution);
    queue.download(spectra.data(), execution.output, spectra.size() * sizeof spectra[0]);
}

/// Arrays of points with their place in the whole.
class Operator {
public:
    explicit Operator(const SpectralProblem& problem)
        : problem_(problem), bins_(problem.lengths), size_(product_of(problem.lengths)) {
        if (is_real()) bins_.back() = bins_.back() / 2 + 1;
        input_ = counts(problem.input);
        output_ = counts(problem.output);
    }
    std::uint64_t input_points() const { return product_of(input_); }
    std::uint64_t output_points() const { return product_of(output_); }

    /// The outputs of all arrays, one behind the other.
    HostArrayOfPoints results(const HostArrayOfPoints& inputs, const Arguments& arguments) const {
        HostArrayOfPoints spectra;
        for (std::uint64_t entry = 0; entry < problem_.batch; ++entry) {
            const HostArrayOfPoints one = spectrum(inputs, entry);
            spectra.insert(spectra.end(), one.begin(), one.end());
        }
        apply_middle(problem_, arguments, bins_, spectra);
        HostArrayOfPoints all;
        for (std::uint64_t entry = 0; entry < problem_.batch; ++entry) {
            const auto first = spectra.begin() + static_cast<std::ptrdiff_t>(entry * product_of(bins_));
            const HostArrayOfPoints whole = inverse({first, first + static_cast<std::ptrdiff_t>(product_of(bins_))});
            for (std::uint64_t i = 0; i < output_points(); ++i)
                all.push_back(whole[place(i, output_, problem_.output)] * problem_.scale);
        }
        return all;
    }

private:
    bool is_real() const { return problem_.numbers == SpectralNumbers::real; }
    Lengths counts(const std::vector<PointRange>& ranges) const {
        Lengths lengths = problem_.lengths;
        for (std::size_t axis = 0; axis < ranges.size(); ++axis) lengths[axis] = ranges[axis].end - ranges[axis].begin;
        return lengths;
    }
    std::uint64_t place(std::uint64_t i, const Lengths& lengths, const std::vector<PointRange>& ranges) const {
        const Lengths at = place_of(i, lengths);
        std::uint64_t whole = 0;
        for (std::size_t axis = 0; axis < at.size(); ++axis)
            whole = whole * problem_.lengths[axis] + at[axis] + (ranges.empty() ? 0 : ranges[axis].begin);
        return whole;
    }
    HostArrayOfPoints spectrum(const HostArrayOfPoints& inputs, std::uint64_t entry) const {
        HostArrayOfPoints whole(size_);
        for (std::uint64_t i = 0; i < input_points(); ++i)
            whole[place(i, input_, problem_.input)] = inputs[entry * input_points() + i];
        transform_on_host(whole, problem_.lengths, Direction::forward);
        HostArrayOfPoints kept;
        for (std::uint64_t i = 0; i < size_; ++i)
            if (i % problem_.lengths.back() < bins_.back()) kept.push_back(whole[i]);
        return kept;
    }
    /// Of a halved spectrum as numpy.fft.irfftn, which ignores imaginary parts that a real signal cannot have.
    HostArrayOfPoints inverse(HostArrayOfPoints spectrum) const {
        for (std::size_t axis = 0; axis + 1 < bins_.size(); ++axis)
            transform_axis_on_host(spectrum, bins_, axis, Direction::inverse);
        const std::uint64_t n = problem_.lengths.back(), row = bins_.back();
        HostArrayOfPoints whole(size_);
        for (std::uint64_t i = 0; i < size_; ++i) {
            const std::uint64_t k = i % n, first = i / n * row;
            whole[i] = k < row ? spectrum[first + k] : std::conj(spectrum[first + n - k]);
            if (is_real() && (k == 0 || 2 * k == n)) whole[i] = whole[i].real();
        }
        transform_axis_on_host(whole, problem_.lengths, bins_.size() - 1, Direction::inverse);
        for (std::complex<double>& point : whole) point /= static_cast<double>(size_);
        return whole;
    }

    const SpectralProblem& problem_;
    Lengths bins_, input_, output_;
    std::uint64_t size_;
};

/// Real numbers as an array stores them.
class Stored {
public:
    explicit Stored(const SpectralProblem& problem)
        : type_(problem.storage != Storage::same      ? problem.storage
                : problem.precision == Precision::f64 ? Storage::f64
                                                      : Storage::f32),
          is_narrow_(problem.storage != Storage::same) {}
    void append_to(Bytes& bytes, double value) const {
        switch (type_) {
            case Storage::f16: append(bytes, to_f16(static_cast<float>(value))); break;
            case Storage::bf16: append(bytes, to_bf16(static_cast<float>(value))); break;
            case Storage::f64: append(bytes, value); break;
            default: append(bytes, static_cast<float>(value)); break;
        }
    }
    std::uint64_t bytes() const { return type_ == Storage::f64 ? 8 : type_ == Storage::f32 ? 4 : 2; }
    double number(const Bytes& memory, std::uint64_t i) const {
        const auto get = [&]<class T>(T value) {
            std::memcpy(&value, memory.data() + i * sizeof value, sizeof value);
            return value;
        };
        switch (type_) {
            case Storage::f16: return from_f16(get(std::uint16_t{}));
            case Storage::bf16: return from_bf16(get(std::uint16_t{}));
            case Storage::f64: return get(double{});
            default: return get(float{});
        }
    }
    /// Of one rounding to the storage.
    double unit() const {
        if (!is_narrow_) return 0;
        return type_ == Storage::bf16 ? 0x1p-8 : type_ == Storage::f16 ? 0x1p-11 : 0x1p-24;
    }

private:
    Storage type_;
    bool is_narrow_;
};

/// The output, and what lies behind it.
Bytes run(const Device& device, const SpectralPlan& plan, const Bytes& input, const Arguments& arguments) {
    Queue queue = device.create_queue();
    const auto poisoned = [&](std::uint64_t bytes) {
        const Bytes nan(bytes, std::byte{0xff});
        Buffer buffer = bytes == 0 ? Buffer() : device.allocate(bytes);
        if (bytes != 0) queue.upload(buffer, nan.data(), nan.size());
        return buffer;
    };
    SpectralExecution execution;
    execution.input = device.allocate(input.size());
    queue.upload(execution.input, input.data(), input.size());
    execution.output = poisoned(plan.output_bytes() + canary_bytes);
    execution.workspace = poisoned(plan.workspace_bytes());
    arguments.bring(queue, device, execution.stage_buffers);
    execution.stage_scalars = arguments.scalars;
    plan.execute(queue, execution);
    Bytes bytes(plan.output_bytes() + canary_bytes);
    queue.download(bytes.data(), execution.output, bytes.size());
    return bytes;
}

}  // namespace

std::string class_of(const SpectralProblem& problem) {
    return std::string(problem.lengths.size() == 1 ? "1-D " : "n-D ") + to_string(problem.numbers) + " operator" +
           (problem.storage != Storage::same ? " stored" : "");
}

Accuracy verify(const Device& device, const SpectralProblem& problem, std::uint64_t seed) {
    if (!problem.load.empty() || !problem.store.empty())
        throw InvalidProblem("check of a spectral operator: expected a middle stage alone, got a load or store stage");
    if (problem.part != SpectralPart::whole || problem.channels.adjoint)
        throw InvalidProblem("check of a spectral operator: expected a whole one, not adjoint, got " +
                             to_string(problem));
    if (!problem.kept.empty() || problem.channels != SpectralChannels{})
        throw InvalidProblem("check of a spectral operator: expected all modes and no channels, got " +
                             to_string(problem));
    const SpectralPlan plan(device, problem);
    const Operator operation(problem);
    const Stored stored(problem);
    Random random(seed);
    const bool is_complex_in = problem.numbers == SpectralNumbers::complex,
               is_complex_out = problem.numbers != SpectralNumbers::real;
    Bytes input;
    HostArrayOfPoints points(problem.batch * operation.input_points());
    for (std::uint64_t i = 0; i < points.size() * (is_complex_in ? 2 : 1); ++i)
        stored.append_to(input, static_cast<double>(random.value<float>()));
    for (std::uint64_t i = 0; i < points.size(); ++i)
        points[i] = is_complex_in ? std::complex<double>(stored.number(input, 2 * i), stored.number(input, 2 * i + 1))
                                  : std::complex<double>(stored.number(input, i));
    const Arguments arguments = random_arguments(random, problem.middle);
    const Bytes output = run(device, plan, input, arguments);
    const HostArrayOfPoints expected = operation.results(points, arguments);
    double error = 0, size = 0;
    for (std::uint64_t i = 0; i < expected.size(); ++i) {
        const std::complex<double> got =
            is_complex_out ? std::complex<double>(stored.number(output, 2 * i), stored.number(output, 2 * i + 1))
                           : std::complex<double>(stored.number(output, i));
        const std::complex<double> wanted = is_complex_out ? expected[i] : expected[i].real();
        error += std::norm(got - wanted);
        size += std::norm(wanted);
    }
    const double all = static_cast<double>(std::max<std::uint64_t>(2, product_of(problem.lengths)));
    const double unit = (problem.precision == Precision::f64 ? 0x1p-53 : 0x1p-24) * std::sqrt(std::log2(all));
    Accuracy accuracy;
    accuracy.bound = bound + stored.unit() / unit;
    accuracy.transforms = problem.batch;
    accuracy.units = error == 0 ? 0 : std::sqrt(error / size) / unit;
    if (std::isnan(accuracy.units)) accuracy.fault = "a NaN in the result: not written, or read from where nothing was";
    if (!std::all_of(output.end() - canary_bytes, output.end(), [](std::byte b) { return b == std::byte{0xff}; }))
        accuracy.fault = "bytes behind the output were written";
    return accuracy;
}

}  // namespace seiche::cli
