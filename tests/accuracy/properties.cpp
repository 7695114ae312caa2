// Impulse, linearity and time shift catch what comparing with one reference can miss, and the other way round: a wrong
// sign passes the first two, a wrong scale passes the last two.
#include "tests/accuracy/properties.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <random>

#include "tests/accuracy/checker.hpp"

namespace seiche::accuracy {

namespace {

using Complex = std::complex<double>;
using Values = std::vector<Complex>;

template <class T>
Values transform_as(const Plan& plan, const Values& values, Direction direction) {
    std::vector<std::complex<T>> data(values.begin(), values.end());
    const auto result = plan.transform<std::complex<T>>(data, direction);
    return Values(result.begin(), result.end());
}

/// A dense batch on one device.
class Batch {
public:
    Batch(const Device& device, const PropertyCase& c, std::uint64_t count) : case_(c), random_(c.seed) {
        Problem problem;
        problem.lengths = {c.length};
        problem.batch = count;
        problem.precision = c.precision;
        PlanOptions options;
        options.directions = c.direction == Direction::forward ? Directions::forward : Directions::inverse;
        plan_ = Plan(device, problem, options);
        // Several of the transforms' own errors, and the roundings of what they are compared with.
        const double unit = unit_roundoff(c.precision);
        const double points = static_cast<double>(std::max<std::uint64_t>(c.length, 2));
        tolerance_ =
            unit * (4 * allowed_error(problem, false, size_of(problem).way) * std::sqrt(std::log2(points)) + 2);
    }

    const Plan& plan() const { return plan_; }
    double tolerance() const { return tolerance_; }
    std::size_t n() const { return static_cast<std::size_t>(case_.length); }

    Complex rounded(Complex value) const {
        if (case_.precision == Precision::f64) return value;
        return {static_cast<double>(static_cast<float>(value.real())),
                static_cast<double>(static_cast<float>(value.imag()))};
    }
    Complex random() {
        std::uniform_real_distribution<double> uniform(-1, 1);
        const double re = uniform(random_);
        return rounded({re, uniform(random_)});
    }
    std::size_t index() { return random_() % n(); }
    Values random_values() {
        Values values(n());
        for (Complex& value : values) value = random();
        return values;
    }
    Values transform(const Values& values) const {
        return case_.precision == Precision::f32 ? transform_as<float>(plan_, values, case_.direction)
                                                 : transform_as<double>(plan_, values, case_.direction);
    }
    /// exp(-+ 2 pi i k j / n)
    Complex root(std::size_t k, std::size_t j) const {
        const auto product = static_cast<long double>(static_cast<unsigned __int128>(k) * j % n());
        const long double angle = 2 * 3.14159265358979323846264338327950288L * product / static_cast<long double>(n());
        const long double sign = case_.direction == Direction::forward ? -1 : 1;
        return {static_cast<double>(std::cos(angle)), static_cast<double>(sign * std::sin(angle))};
    }

private:
    PropertyCase case_;
    std::mt19937_64 random_;
    Plan plan_;
    double tolerance_ = 0;
};

std::string about(const PropertyCase& c) {
    return std::to_string(c.length) + (c.precision == Precision::f32 ? " f32 " : " f64 ") +
           (c.direction == Direction::forward ? "forward" : "inverse") + " seed " + std::to_string(c.seed);
}

double relative_error(const Values& got, const Values& expected) {
    double error = 0, size = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
        error += std::norm(got[i] - expected[i]);
        size += std::norm(expected[i]);
    }
    return std::sqrt(error / size);
}

std::vector<std::string> compare(const char* property, const PropertyCase& c, double error, double tolerance) {
    if (error <= tolerance) return {};
    return {std::string(property) + " of " + about(c) + ": relative error " + std::to_string(error / tolerance) +
            " times what is allowed"};
}

Values part(const Values& values, std::size_t index, std::size_t n) {
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(index * n);
    return Values(begin, begin + static_cast<std::ptrdiff_t>(n));
}

void append(Values& all, const Values& more) { all.insert(all.end(), more.begin(), more.end()); }

}  // namespace

std::vector<std::string> check_impulse(const Device& device, const PropertyCase& c) {
    Batch batch(device, c, 2);
    const std::size_t n = batch.n(), at = batch.index();
    const Complex height = batch.rounded(batch.random() + 2.0);
    // An impulse alone, and as the difference of two noisy signals: FFTW's form, where rounding is not trivial.
    Values impulse(n), noise = batch.random_values();
    impulse[at] = height;
    Values input = impulse;
    append(input, noise);
    const Values output = batch.transform(input);
    Values expected(n);
    for (std::size_t k = 0; k < n; ++k) expected[k] = height * batch.root(k, at);
    auto lines = compare("impulse", c, relative_error(part(output, 0, n), expected), batch.tolerance());
    Values rest(n);
    for (std::size_t j = 0; j < n; ++j) rest[j] = batch.rounded(impulse[j] - noise[j]);
    Values second = rest;
    append(second, noise);
    const Values difference = batch.transform(second);
    double error = 0, reference = 0;
    for (std::size_t k = 0; k < n; ++k) {
        error += std::norm(difference[k] + difference[n + k] - expected[k]);
        reference += std::norm(difference[k]) + std::norm(difference[n + k]);
    }
    const auto more = compare("impulse from noise", c, std::sqrt(error / reference), batch.tolerance());
    lines.insert(lines.end(), more.begin(), more.end());
    return lines;
}

std::vector<std::string> check_linearity(const Device& device, const PropertyCase& c) {
    Batch batch(device, c, 3);
    const std::size_t n = batch.n();
    const Values a = batch.random_values(), b = batch.random_values();
    const Complex alpha = batch.random(), beta = batch.random();
    Values mixed(n);
    for (std::size_t j = 0; j < n; ++j) mixed[j] = batch.rounded(alpha * a[j] + beta * b[j]);
    Values input = a;
    append(input, b);
    append(input, mixed);
    const Values output = batch.transform(input);
    double error = 0, size = 0;
    for (std::size_t k = 0; k < n; ++k) {
        const Complex first = alpha * output[k], second = beta * output[n + k];
        error += std::norm(first + second - output[2 * n + k]);
        size += std::norm(first) + std::norm(second);
    }
    return compare("linearity", c, std::sqrt(error / size), batch.tolerance());
}

std::vector<std::string> check_time_shift(const Device& device, const PropertyCase& c) {
    Batch batch(device, c, 2);
    const std::size_t n = batch.n(), by = batch.index();
    const Values a = batch.random_values();
    Values input = a;
    input.resize(2 * n);
    for (std::size_t j = 0; j < n; ++j) input[n + (j + by) % n] = a[j];
    const Values output = batch.transform(input);
    Values expected(n);
    for (std::size_t k = 0; k < n; ++k) expected[k] = output[k] * batch.root(k, by);
    return compare("time shift", c, relative_error(part(output, 1, n), expected), batch.tolerance());
}

std::vector<std::string> check_isolation(const Device& device, const PropertyCase& c) {
    constexpr std::size_t count = 9, with_nan = 3, with_infinity = 6;
    Batch batch(device, c, count);
    const std::size_t n = batch.n();
    Values input;
    for (std::size_t b = 0; b < count; ++b) append(input, batch.random_values());
    const Values clean = batch.transform(input);
    input[with_nan * n + batch.index()] = {std::numeric_limits<double>::quiet_NaN(), 0};
    input[with_infinity * n + batch.index()] = {0, std::numeric_limits<double>::infinity()};
    const Values dirty = batch.transform(input);
    std::vector<std::string> lines;
    for (std::size_t b = 0; b < count; ++b) {
        const bool spoilt = b == with_nan || b == with_infinity;
        const Values x = part(clean, b, n), y = part(dirty, b, n);
        if (!spoilt && std::memcmp(x.data(), y.data(), n * sizeof(Complex)) != 0)
            lines.push_back("isolation of " + about(c) + ": transform " + std::to_string(b) +
                            " changed when two others got a NaN and an infinity");
        const bool finite = std::all_of(
            y.begin(), y.end(), [](const Complex& v) { return std::isfinite(v.real()) && std::isfinite(v.imag()); });
        if (spoilt && finite)
            lines.push_back("isolation of " + about(c) + ": transform " + std::to_string(b) +
                            " lost its NaN or infinity");
    }
    return lines;
}

namespace {

/// The bits of `count` transforms of the same data side by side.
template <class T>
std::vector<std::complex<T>> repeated(const Device& device, const Batch& batch, const PropertyCase& c,
                                      const Values& values, std::uint64_t count) {
    std::vector<std::complex<T>> data;
    for (std::uint64_t b = 0; b < count; ++b) data.insert(data.end(), values.begin(), values.end());
    const std::uint64_t bytes = data.size() * sizeof(std::complex<T>);
    Queue queue = device.create_queue();
    Execution execution;
    execution.direction = c.direction;
    execution.batch = count;
    execution.input = device.allocate(bytes);
    execution.output = device.allocate(bytes);
    if (const std::uint64_t scratch = batch.plan().workspace_bytes(count); scratch != 0)
        execution.workspace = device.allocate(scratch);
    queue.upload(execution.input, data.data(), bytes);
    batch.plan().execute(queue, execution);
    queue.wait();
    queue.download(data.data(), execution.output, bytes);
    return data;
}

template <class T>
std::vector<std::string> batch_independence(const Device& device, const PropertyCase& c) {
    Batch batch(device, c, 4);
    const Values values = batch.random_values();
    const auto alone = repeated<T>(device, batch, c, values, 1);
    for (const std::uint64_t count : {2u, 4u, 7u, 33u}) {
        const std::uint64_t bytes = count * alone.size() * sizeof(std::complex<T>);
        const std::uint64_t bound = device.limits().max_buffer_bytes;  // a plan's buffers are those of its own batch
        if (bytes > device.limits().max_allocation_bytes || (bound != 0 && bytes > bound)) continue;
        const auto many = repeated<T>(device, batch, c, values, count);
        for (std::size_t b = 0; b < count; ++b)
            if (std::memcmp(many.data() + b * alone.size(), alone.data(), alone.size() * sizeof(std::complex<T>)) != 0)
                return {"batch independence of " + about(c) + ": place " + std::to_string(b) + " of " +
                        std::to_string(count) + " differs from a transform alone"};
    }
    return {};
}

}  // namespace

std::vector<std::string> check_batch_independence(const Device& device, const PropertyCase& c) {
    return c.precision == Precision::f32 ? batch_independence<float>(device, c) : batch_independence<double>(device, c);
}

}  // namespace seiche::accuracy
