// A short-time transform's definition, frame by frame.
#include "cli/check/check_frames.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "cli/check/fill_buffer.hpp"
#include "cli/check/host_frames.hpp"
#include "cli/reference/random_data.hpp"

namespace seiche::cli {
namespace {

constexpr std::uint64_t canary_bytes = 64;

using Bytes = std::vector<std::byte>;

std::uint64_t number_bytes(const ShortTimeProblem& problem) { return stored_bytes(problem.precision, Storage::same); }

Bytes bytes_of(const ShortTimeProblem& problem, const std::vector<double>& numbers) {
    Bytes bytes(numbers.size() * number_bytes(problem));
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const auto single = static_cast<float>(numbers[i]);
        if (problem.precision == Precision::f64)
            std::memcpy(bytes.data() + i * sizeof(double), &numbers[i], sizeof(double));
        else
            std::memcpy(bytes.data() + i * sizeof single, &single, sizeof single);
    }
    return bytes;
}

double number(const ShortTimeProblem& problem, const Bytes& bytes, std::size_t i) {
    double whole = 0;
    float single = 0;
    if (problem.precision == Precision::f64)
        std::memcpy(&whole, bytes.data() + i * sizeof whole, sizeof whole);
    else
        std::memcpy(&single, bytes.data() + i * sizeof single, sizeof single);
    return problem.precision == Precision::f64 ? whole : static_cast<double>(single);
}

/// The output, and what lies behind it.
Bytes run(const Device& device, const ShortTimePlan& plan, const Bytes& input) {
    Queue queue = device.create_queue();
    const auto poisoned = [&](std::uint64_t bytes) {
        Buffer buffer = bytes == 0 ? Buffer() : device.allocate(bytes);
        if (bytes != 0) fill_buffer(queue, buffer, 0xff);
        return buffer;
    };
    ShortTimeExecution execution;
    execution.input = device.allocate(input.size());
    queue.upload(execution.input.buffer, input.data(), input.size());
    execution.output = poisoned(plan.output_bytes() + canary_bytes);
    execution.workspace = poisoned(plan.workspace_bytes());
    plan.execute(queue, execution);
    Bytes bytes(plan.output_bytes() + canary_bytes);
    queue.download(bytes.data(), execution.output.buffer, bytes.size());
    return bytes;
}

}  // namespace

std::string class_of(const ShortTimeProblem& problem) {
    return std::string(problem.direction == Direction::forward ? "forward" : "inverse") + " short-time " +
           to_string(problem.value);
}

double bound_of(const ShortTimeProblem& problem) {
    constexpr double of_a_transform = 3.0;
    const bool is_plain = problem.direction == Direction::forward && problem.value == BinValue::complex;
    return is_plain ? of_a_transform : 2 * of_a_transform;
}

Accuracy verify(const Device& device, const ShortTimeProblem& problem, std::uint64_t seed) {
    const ShortTimePlan plan(device, problem);
    const bool is_forward = problem.direction == Direction::forward;
    Random random(seed);
    std::vector<double> all(problem.batch * (is_forward ? signal_numbers(problem) : spectra_numbers(problem)));
    for (double& one : all) one = static_cast<double>(random.value<float>());
    const Bytes output = run(device, plan, bytes_of(problem, all));
    const std::size_t each = all.size() / problem.batch;
    double error = 0, size = 0;
    std::size_t at = 0;
    for (std::uint64_t entry = 0; entry < problem.batch; ++entry) {
        const auto first = all.begin() + static_cast<std::ptrdiff_t>(entry * each);
        for (const double number_there : frames_on_host(problem, {first, first + static_cast<std::ptrdiff_t>(each)})) {
            const double expected = comparable(problem, number_there);
            const double difference = comparable(problem, number(problem, output, at++)) - expected;
            error += difference * difference;
            size += expected * expected;
        }
    }
    const double points = static_cast<double>(std::max<std::size_t>(2, problem.window.size()));
    const double unit = (problem.precision == Precision::f64 ? 0x1p-53 : 0x1p-24) * std::sqrt(std::log2(points));
    Accuracy accuracy;
    accuracy.bound = bound_of(problem);
    accuracy.transforms = problem.batch;
    accuracy.units = error == 0 ? 0 : std::sqrt(error / size) / unit;
    if (std::isnan(accuracy.units)) accuracy.fault = "a NaN in the result: not written, or read from where nothing was";
    if (!std::all_of(output.end() - canary_bytes, output.end(), [](std::byte b) { return b == std::byte{0xff}; }))
        accuracy.fault = "bytes behind the output were written";
    return accuracy;
}

}  // namespace seiche::cli
