// Short-time transforms and their inverse against sums in double precision, on the interpreter and on the processor:
// in one kernel where groups add frames, in two where they do not; and what is refused.
#include "seiche/short_time.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <random>

#include "seiche/error.hpp"

namespace {

using namespace seiche;
using Point = std::complex<double>;

constexpr double pi = 3.14159265358979323846;

/// Nowhere so close to 0 that it magnifies errors.
std::vector<double> hamming(std::uint64_t n) {
    std::vector<double> window(n);
    for (std::uint64_t i = 0; i < n; ++i)
        window[i] = 0.54 - 0.46 * std::cos(2 * pi * (static_cast<double>(i) + 0.5) / static_cast<double>(n));
    return window;
}

std::vector<double> numbers(std::uint64_t count, unsigned seed) {
    std::mt19937_64 engine(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    std::vector<double> all(count);
    for (double& x : all) x = uniform(engine);
    return all;
}

std::int64_t begin_of(const ShortTimeProblem& p) {
    return p.padding == FramePadding::none ? 0 : static_cast<std::int64_t>(p.window.size() / 2);
}

/// Sample `at` of a padded signal.
double padded(const ShortTimeProblem& p, const double* signal, std::int64_t at) {
    const auto samples = static_cast<std::int64_t>(p.samples);
    if (p.padding == FramePadding::reflect) at = at < 0 ? -at : at >= samples ? 2 * (samples - 1) - at : at;
    return at < 0 || at >= samples ? 0 : signal[at];
}

std::size_t place(const ShortTimeProblem& p, std::uint64_t signal, std::uint64_t frame, std::uint64_t bin) {
    return p.order == FrameOrder::frames_first ? (signal * p.frames() + frame) * p.bins() + bin
                                               : (signal * p.bins() + bin) * p.frames() + frame;
}

Point root(std::uint64_t k, std::uint64_t n) {
    return std::polar(1.0, 2 * pi * static_cast<double>(k % n) / static_cast<double>(n));
}

std::vector<Point> spectra_of(const ShortTimeProblem& p, const std::vector<double>& signals) {
    const std::uint64_t n = p.window.size();
    std::vector<Point> spectra(p.batch * p.frames() * p.bins());
    for (std::uint64_t b = 0; b < p.batch; ++b)
        for (std::uint64_t t = 0; t < p.frames(); ++t)
            for (std::uint64_t k = 0; k < p.bins(); ++k)
                for (std::uint64_t j = 0; j < n; ++j)
                    spectra[place(p, b, t, k)] += std::conj(root(j * k, n)) * p.window[j] *
                                                  padded(p, signals.data() + b * p.samples,
                                                         static_cast<std::int64_t>(t * p.hop + j) - begin_of(p));
    return spectra;
}

/// The least-squares solution.
std::vector<double> signals_of(const ShortTimeProblem& p, const std::vector<Point>& spectra) {
    const std::uint64_t n = p.window.size();
    std::vector<double> sums(p.batch * p.samples), squares(sums.size());
    for (std::uint64_t b = 0; b < p.batch; ++b)
        for (std::uint64_t t = 0; t < p.frames(); ++t)
            for (std::uint64_t j = 0; j < n; ++j) {
                const std::int64_t at = static_cast<std::int64_t>(t * p.hop + j) - begin_of(p);
                if (at < 0 || at >= static_cast<std::int64_t>(p.samples)) continue;
                double x = 0;
                for (std::uint64_t k = 0; k < p.bins(); ++k) {
                    const double twice = k == 0 || 2 * k == n ? 1 : 2;
                    x += twice * (spectra[place(p, b, t, k)] * root(j * k, n)).real() / static_cast<double>(n);
                }
                const std::size_t to = b * p.samples + static_cast<std::uint64_t>(at);
                sums[to] += x * p.window[j];
                squares[to] += p.window[j] * p.window[j];
            }
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] = squares[i] > 0 ? sums[i] / squares[i] : 0;
    return sums;
}

template <class To, class From>
std::vector<To> converted(const std::vector<From>& from) {
    return std::vector<To>(from.begin(), from.end());
}

template <class Expected, class Got>
double error(const std::vector<Expected>& expected, const std::vector<Got>& got) {
    EXPECT_EQ(expected.size(), got.size());
    double difference = 0, norm = 0;
    for (std::size_t i = 0; i < expected.size() && i < got.size(); ++i) {
        difference += std::norm(Point(got[i]) - Point(expected[i]));
        norm += std::norm(Point(expected[i]));
    }
    return std::sqrt(difference / norm);
}

ShortTimeProblem problem(std::uint64_t samples, std::uint64_t length, std::uint64_t hop,
                         FramePadding padding = FramePadding::none, std::uint64_t batch = 1,
                         FrameOrder order = FrameOrder::frames_first) {
    ShortTimeProblem p;
    p.samples = samples;
    p.window = hamming(length);
    p.hop = hop;
    p.padding = padding;
    p.batch = batch;
    p.order = order;
    return p;
}

class ShortTime : public testing::TestWithParam<const char*> {
protected:
    const Device device = Device::open(GetParam());

    template <class Real>
    void expect_both(ShortTimeProblem p) {
        constexpr bool is_double = sizeof(Real) == 8;
        p.precision = is_double ? Precision::f64 : Precision::f32;
        SCOPED_TRACE(to_string(p));
        const double bound = is_double ? 1e-14 : 1e-6;
        const std::vector<double> signals = numbers(p.batch * p.samples, 1);
        const std::vector<Point> spectra = spectra_of(p, signals);
        const auto got = ShortTimePlan(device, p).apply<std::complex<Real>>(converted<Real>(signals));
        EXPECT_LT(error(spectra, got), bound);
        expect_inverse<Real>(p, bound);
        p.direction = Direction::inverse;
        EXPECT_LT(error(signals_of(p, spectra), ShortTimePlan(device, p).apply<Real>(got)), 2 * bound);
    }

    /// Of spectra that are no signal's.
    template <class Real>
    void expect_inverse(ShortTimeProblem p, double bound) {
        p.direction = Direction::inverse;
        const std::vector<double> parts = numbers(2 * p.batch * p.frames() * p.bins(), 2);
        std::vector<Point> spectra(parts.size() / 2);
        std::vector<std::complex<Real>> given(spectra.size());
        for (std::size_t i = 0; i < spectra.size(); ++i) {
            spectra[i] = {parts[2 * i], parts[2 * i + 1]};
            given[i] = {static_cast<Real>(parts[2 * i]), static_cast<Real>(parts[2 * i + 1])};
        }
        EXPECT_LT(error(signals_of(p, spectra), ShortTimePlan(device, p).apply<Real>(given)), bound);
    }

    void expect_refused(const ShortTimeProblem& p, const std::string& message) {
        SCOPED_TRACE(message);
        try {
            ShortTimePlan plan(device, p);
            FAIL() << "expected an error";
        } catch (const InvalidProblem& error) {
            EXPECT_EQ(std::string(error.what()), "InvalidProblem: " + message);
        }
    }
};

TEST_P(ShortTime, IsTheSumsInEveryPaddingAndOrder) {
    for (const FramePadding padding : {FramePadding::none, FramePadding::zeros, FramePadding::reflect})
        for (const FrameOrder order : {FrameOrder::frames_first, FrameOrder::frequencies_first}) {
            expect_both<float>(problem(700, 64, 16, padding, 2, order));
            expect_both<double>(problem(333, 30, 7, padding, 3, order));
        }
}

TEST_P(ShortTime, TakesOddAndPrimeFramesAndAnyHop) {
    for (const std::uint64_t length : {1, 2, 3, 15, 37, 49, 66, 127})
        for (const std::uint64_t hop : {std::uint64_t{1}, length / 4, length / 2, length - 1, length})
            if (hop > 0 && length <= 40 * hop) {
                expect_both<float>(problem(6 * length + 5, length, hop));
                expect_both<double>(problem(3 * length + 1, length, hop, FramePadding::zeros));
            }
}

TEST_P(ShortTime, TakesAsManyFramesAsThereAre) {
    for (std::uint64_t frames = 1; frames < 60; frames += frames < 34 ? 1 : 7)
        expect_both<float>(problem(48 + 12 * (frames - 1) + frames % 3, 48, 12));
}

TEST_P(ShortTime, StoresPowerAndDecibels) {
    for (const FrameOrder order : {FrameOrder::frames_first, FrameOrder::frequencies_first}) {
        ShortTimeProblem p = problem(500, 50, 20, FramePadding::reflect, 2, order);
        const std::vector<double> signals = numbers(p.batch * p.samples, 1);
        std::vector<double> power, decibels;
        for (const Point& bin : spectra_of(p, signals)) {
            power.push_back(std::norm(bin));
            decibels.push_back(10 * std::log10(std::max(std::norm(bin), 1e-10)));
        }
        p.value = BinValue::power;
        EXPECT_LT(error(power, ShortTimePlan(device, p).apply<float>(converted<float>(signals))), 1e-6);
        p.value = BinValue::decibels;
        EXPECT_LT(error(decibels, ShortTimePlan(device, p).apply<float>(converted<float>(signals))), 1e-5);
    }
}

TEST_P(ShortTime, TransformsFewerSignalsAlike) {
    ShortTimeProblem p = problem(400, 64, 16, FramePadding::zeros, 3);
    p.direction = Direction::inverse;
    const ShortTimePlan plan(device, p);
    const std::vector<double> parts = numbers(plan.input_bytes() / 4, 3);
    const std::vector<float> given = converted<float>(parts);
    Queue queue = device.create_queue();
    ShortTimeExecution execution;
    execution.input = device.allocate(plan.input_bytes());
    execution.output = device.allocate(plan.output_bytes());
    if (plan.workspace_bytes() != 0) execution.workspace = device.allocate(plan.workspace_bytes());
    queue.upload(execution.input.buffer, given.data(), plan.input_bytes());
    plan.execute(queue, execution);
    std::vector<float> all(plan.output_bytes() / 4), two(all.size());
    queue.download(all.data(), execution.output.buffer, plan.output_bytes());
    execution.output = device.allocate(plan.output_bytes());
    execution.batch = 2;
    plan.execute(queue, execution);
    queue.download(two.data(), execution.output.buffer, plan.output_bytes());
    const std::size_t samples = p.samples;
    EXPECT_TRUE(std::equal(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(2 * samples), two.begin()));
    execution.batch = 4;
    EXPECT_THROW(plan.execute(queue, execution), InvalidProblem);
}

TEST_P(ShortTime, RefusesWhatMakesNoSense) {
    ShortTimeProblem p = problem(1000, 64, 16);
    p.direction = Direction::inverse;
    p.hop = 65;
    expect_refused(p, "short_time.hop: expected at most the window's 64 samples for an inverse, got 65");
    p.hop = 16;
    p.window[0] = 0;
    expect_refused(p,
                   "short_time.window: expected windows whose squares, added every 16 samples, are more than 1e-10 of "
                   "their largest sum at each sample of the inverse, got 0 at sample 0");
    p.padding = FramePadding::zeros;
    ShortTimePlan invertible(device, p);  // other frames reach that sample then
    for (std::uint64_t i = 5; i < 64; i += 16) p.window[i] = 0;
    expect_refused(p,
                   "short_time.window: expected windows whose squares, added every 16 samples, are more than 1e-10 of "
                   "their largest sum at each sample of the inverse, got 0 at sample 5");
    p = problem(1000, 64, 16);
    p.samples = 63;
    expect_refused(p, "short_time.samples: expected at least a frame of 64, got 63");
    p.samples = 32;
    p.padding = FramePadding::reflect;
    expect_refused(p, "short_time.samples: expected more than half of a frame to reflect, 32, got 32");
    p = problem(1000, 64, 0);
    expect_refused(p, "short_time.hop: expected 1 to 2^30, got 0");
    p = problem(1000, 64, 16);
    p.value = BinValue::power;
    p.direction = Direction::inverse;
    expect_refused(p, "short_time.value: expected complex for an inverse, got power");
    p = problem(1000, 64, 16);
    p.precision = Precision::f16;
    expect_refused(p, "short_time.precision: expected f32 or f64, got f16-arithmetic");
    p = problem(1000, 64, 16);
    p.window.clear();
    expect_refused(p, "short_time.window: expected 1 to 2^20 values, got 0");
}

INSTANTIATE_TEST_SUITE_P(Devices, ShortTime, testing::Values("reference", "cpu"));

DeviceLimits limits_of_gpu() {
    DeviceLimits limits;
    limits.shared_bytes = 227 * 1024;
    limits.shared_bytes_per_unit = 228 * 1024;
    limits.compute_units = 132;
    return limits;
}

TEST(ShortTimeKernels, AddFramesOfAGpuInOneKernelWithoutRaces) {
    for (const FrameOrder order : {FrameOrder::frames_first, FrameOrder::frequencies_first}) {
        ShortTimeProblem p = problem(20000, 1024, 256, FramePadding::zeros, 2, order);
        p.direction = Direction::inverse;
        const PlanReport report = inspect(p, limits_of_gpu());
        ASSERT_EQ(report.kernels.size(), 1u);
        EXPECT_EQ(report.workspace_bytes, 0u);
        for (const AnalysisReport& kernel : analyse(p, limits_of_gpu())) {
            EXPECT_EQ(kernel.races, 0u);
            EXPECT_EQ(kernel.out_of_bounds, 0u);
            EXPECT_EQ(kernel.uninitialised_reads, 0u);
        }
    }
}

TEST(ShortTimeKernels, PutLongFramesThroughMemory) {
    ShortTimeProblem p = problem(1 << 19, 1 << 16, 1 << 14);
    p.direction = Direction::inverse;
    EXPECT_GT(inspect(p, limits_of_gpu()).kernels.size(), 1u);
}

}  // namespace
