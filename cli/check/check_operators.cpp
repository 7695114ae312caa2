// An operator's definition, bin by bin.
#include "cli/check/check_operators.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <vector>

#include "cli/check/host_operator.hpp"
#include "seiche/error.hpp"
#include "seiche/half.hpp"

namespace seiche::cli {
namespace {

/// Two transforms and a stage.
constexpr double bound = 3.0;
constexpr std::uint64_t canary_bytes = 64;

using Bytes = std::vector<std::byte>;

template <class T>
void append(Bytes& bytes, T value) {
    const auto* const from = reinterpret_cast<const std::byte*>(&value);
    bytes.insert(bytes.end(), from, from + sizeof value);
}

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

/// Complex numbers of the problem's precision.
HostArrayOfPoints random_weights(Random& random, std::uint64_t count) {
    HostArrayOfPoints weights(count);
    for (std::complex<double>& weight : weights) {
        const auto re = static_cast<double>(random.value<float>());
        weight = {re, static_cast<double>(random.value<float>())};
    }
    return weights;
}

Bytes stored_weights(const SpectralProblem& problem, const HostArrayOfPoints& weights) {
    SpectralProblem unstored = problem;
    unstored.storage = Storage::same;
    const Stored stored(unstored);
    Bytes bytes;
    for (const std::complex<double>& weight : weights) {
        stored.append_to(bytes, weight.real());
        stored.append_to(bytes, weight.imag());
    }
    return bytes;
}

/// The output, and what lies behind it.
Bytes run(const Device& device, const SpectralPlan& plan, const Bytes& input, const Bytes& weights,
          const OperatorArguments& arguments) {
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
    if (!weights.empty()) {
        execution.weights = device.allocate(weights.size());
        queue.upload(execution.weights, weights.data(), weights.size());
    }
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
           (problem.channels == SpectralChannels{} ? (problem.kept.empty() ? "" : " of kept modes") : " of channels") +
           (problem.storage != Storage::same ? " stored" : "");
}

Accuracy verify(const Device& device, const SpectralProblem& problem, std::uint64_t seed) {
    if (!problem.load.empty() || !problem.store.empty())
        throw InvalidProblem("check of a spectral operator: expected a middle stage alone, got a load or store stage");
    if (std::any_of(problem.kinds.begin(), problem.kinds.end(),
                    [](SpectralAxisKind kind) { return kind != SpectralAxisKind::periodic; }))
        throw InvalidProblem("check of a spectral operator: expected periodic axes, got real-to-real kinds");
    if (problem.order != SpectralOrder::points_first)
        throw InvalidProblem("check of a spectral operator: expected points-first, got spectrum-first");
    if (problem.part != SpectralPart::whole || problem.channels.adjoint)
        throw InvalidProblem("check of a spectral operator: expected a whole one, not adjoint, got " +
                             to_string(problem));
    const SpectralPlan plan(device, problem);
    if (!plan.sum_names().empty())
        throw InvalidProblem("check of a spectral operator: expected a middle stage without sums, got '" +
                             plan.sum_names().front() + "'");
    const HostOperator operation(problem);
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
    const OperatorArguments arguments = random_arguments(random, problem.middle);
    const HostArrayOfPoints weights = random_weights(random, operation.weights());
    const Bytes output = run(device, plan, input, stored_weights(problem, weights), arguments);
    const HostArrayOfPoints expected = operation.results(points, weights, arguments);
    double error = 0, size = 0;
    for (std::uint64_t i = 0; i < expected.size(); ++i) {
        const std::complex<double> got =
            is_complex_out ? std::complex<double>(stored.number(output, 2 * i), stored.number(output, 2 * i + 1))
                           : std::complex<double>(stored.number(output, i));
        const std::complex<double> wanted = is_complex_out ? expected[i] : expected[i].real();
        error += std::norm(got - wanted);
        size += std::norm(wanted);
    }
    double all = 1;
    for (const std::uint64_t n : problem.lengths) all *= static_cast<double>(n);
    all = std::max(2.0, all);
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
