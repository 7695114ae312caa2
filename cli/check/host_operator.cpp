#include "cli/check/host_operator.hpp"

#include <algorithm>
#include <cctype>
#include <complex>
#include <numeric>

#include "seiche/half.hpp"

namespace seiche::cli {
namespace {

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

/// The spectra as the middle stage leaves them: transforms of one point, which it is the load stage of.
void apply_middle(const SpectralProblem& problem, const OperatorArguments& arguments, const Lengths& bins,
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

}  // namespace

void OperatorArguments::bring(Queue& queue, const Device& device, std::vector<StageBufferArgument>& to) const {
    for (const auto& [name, bytes_of_buffer] : buffers) {
        const Buffer memory = device.allocate(bytes_of_buffer.size());
        queue.upload(memory, bytes_of_buffer.data(), bytes_of_buffer.size());
        to.push_back({name, memory});
    }
}

std::uint64_t OperatorArguments::bytes() const {
    std::uint64_t sum = 0;
    for (const auto& [name, bytes_of_buffer] : buffers) sum += bytes_of_buffer.size();
    return sum;
}

OperatorArguments random_arguments(Random& random, const UserStage& stage) {
    OperatorArguments arguments;
    for (const StageBuffer& buffer : stage.buffers)
        arguments.buffers.emplace_back(buffer.name, random_elements(random, buffer));
    for (const StageScalar& scalar : stage.scalars) {
        const bool is_real = scalar.type == StageType::f32 || scalar.type == StageType::f64;
        arguments.scalars.push_back({scalar.name, is_real ? static_cast<double>(random.value<float>())
                                                          : static_cast<double>(random.below(10))});
    }
    return arguments;
}

SpectralProblem of_entry(SpectralProblem problem, std::uint64_t entry) {
    problem.middle.text = renamed(problem.middle.text, "batch", std::to_string(entry));
    problem.batch = 1;
    return problem;
}

HostOperator::HostOperator(SpectralProblem problem)
    : problem_(std::move(problem)), bins_(problem_.lengths), size_(product_of(problem_.lengths)) {
    if (is_real()) bins_.back() = bins_.back() / 2 + 1;
    row_ = product_of(bins_);
    input_ = counts(problem_.input);
    output_ = counts(problem_.output);
    modes_ = kept_modes();
}

std::uint64_t HostOperator::input_points() const { return inputs() * product_of(input_); }
std::uint64_t HostOperator::output_points() const { return outputs() * product_of(output_); }
std::uint64_t HostOperator::weights() const {
    return std::uint64_t{problem_.channels.inputs} * problem_.channels.outputs * modes_.size();
}

HostArrayOfPoints HostOperator::results(const HostArrayOfPoints& inputs, const HostArrayOfPoints& weights,
                                        const OperatorArguments& arguments) const {
    const bool has_weights = problem_.channels != SpectralChannels{};
    std::vector<HostArrayOfPoints> spectra;  // of each channel, all entries
    for (std::uint32_t i = 0; i < this->inputs(); ++i) spectra.push_back(kept_spectra(inputs, i, arguments));
    HostArrayOfPoints all;
    for (std::uint64_t entry = 0; entry < problem_.batch; ++entry)
        for (std::uint32_t o = 0; o < outputs(); ++o) {
            HostArrayOfPoints sum(row_);
            for (std::uint32_t i = 0; i < this->inputs(); ++i)
                for (std::size_t mode = 0; mode < modes_.size(); ++mode) {
                    const std::size_t at = (std::size_t{i} * outputs() + o) * modes_.size() + mode;
                    const std::complex<double> weight = has_weights ? weights[at] : 1.0;
                    sum[modes_[mode]] += weight * spectra[i][entry * row_ + modes_[mode]];
                }
            const HostArrayOfPoints whole = inverse(std::move(sum));
            for (std::uint64_t i = 0; i < product_of(output_); ++i)
                all.push_back(whole[place(i, output_, problem_.output)] * problem_.scale);
        }
    return all;
}

HostOperator::Lengths HostOperator::counts(const std::vector<PointRange>& ranges) const {
    Lengths lengths = problem_.lengths;
    for (std::size_t axis = 0; axis < ranges.size(); ++axis) lengths[axis] = ranges[axis].end - ranges[axis].begin;
    return lengths;
}

std::uint64_t HostOperator::place(std::uint64_t i, const Lengths& lengths,
                                  const std::vector<PointRange>& ranges) const {
    const Lengths at = place_of(i, lengths);
    std::uint64_t whole = 0;
    for (std::size_t axis = 0; axis < at.size(); ++axis)
        whole = whole * problem_.lengths[axis] + at[axis] + (ranges.empty() ? 0 : ranges[axis].begin);
    return whole;
}

std::vector<std::uint64_t> HostOperator::kept_modes() const {
    std::vector<std::uint64_t> modes;
    for (std::uint64_t bin = 0; bin < row_; ++bin) {
        const Lengths at = place_of(bin, bins_);
        bool is_kept = true;
        for (std::size_t axis = 0; axis < problem_.kept.size(); ++axis) {
            const auto n = static_cast<std::int64_t>(problem_.lengths[axis]), i = static_cast<std::int64_t>(at[axis]);
            const bool is_halved = is_real() && axis + 1 == bins_.size();
            const std::int64_t wave = !is_halved && 2 * i >= n ? i - n : i;
            is_kept &= problem_.kept[axis].begin <= wave && wave < problem_.kept[axis].end;
        }
        if (is_kept) modes.push_back(bin);
    }
    return modes;
}

HostArrayOfPoints HostOperator::spectrum(const HostArrayOfPoints& inputs, std::uint64_t first) const {
    HostArrayOfPoints whole(size_);
    for (std::uint64_t i = 0; i < product_of(input_); ++i) whole[place(i, input_, problem_.input)] = inputs[first + i];
    transform_on_host(whole, problem_.lengths, Direction::forward);
    HostArrayOfPoints kept;
    for (std::uint64_t i = 0; i < size_; ++i)
        if (i % problem_.lengths.back() < bins_.back()) kept.push_back(whole[i]);
    return kept;
}

/// One channel of all entries, behind the middle stage.
HostArrayOfPoints HostOperator::kept_spectra(const HostArrayOfPoints& inputs, std::uint32_t channel,
                                             const OperatorArguments& arguments) const {
    HostArrayOfPoints spectra;
    for (std::uint64_t entry = 0; entry < problem_.batch; ++entry) {
        const std::uint64_t first = (entry * this->inputs() + channel) * product_of(input_);
        const HostArrayOfPoints one = spectrum(inputs, first);
        spectra.insert(spectra.end(), one.begin(), one.end());
    }
    apply_middle(problem_, arguments, bins_, spectra);
    return spectra;
}

/// Of a halved spectrum as numpy.fft.irfftn, which ignores imaginary parts that a real signal cannot have.
HostArrayOfPoints HostOperator::inverse(HostArrayOfPoints spectrum) const {
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

}  // namespace seiche::cli
