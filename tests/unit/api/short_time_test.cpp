// Short-time transforms and their inverse against sums in double precision, on the interpreter and on the processor:
// in one kernel where groups add frames, in two where they do not; and what is refused.
#include "seiche/short_time.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <random>

#include "exec/saved_plan.hpp"
#include "runtime/backend.hpp"
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

bool same(const ShortTimeProblem& a, const ShortTimeProblem& b) {
    return a.samples == b.samples && a.window == b.window && a.hop == b.hop && a.direction == b.direction &&
           a.padding == b.padding && a.value == b.value && a.order == b.order && a.batch == b.batch &&
           a.precision == b.precision;
}

/// A device that has compiled nothing yet.
Device fresh(Backend backend) {
    for (const runtime::BackendEntry& entry : runtime::registry()) {
        if (entry.backend != backend) continue;
        for (const DeviceInfo& info : entry.list())
            if (info.available) return Device(entry.open(info));
    }
    return {};
}

TEST_P(ShortTime, ComesBackFromItsBytes) {
    for (const FramePadding padding : {FramePadding::none, FramePadding::reflect})
        for (const Direction direction : {Direction::forward, Direction::inverse}) {
            ShortTimeProblem p = problem(500, 64, 16, padding, 2, FrameOrder::frequencies_first);
            p.direction = direction;
            SCOPED_TRACE(to_string(p));
            Tuning tuning;
            tuning.transforms_per_group = 16;
            const ShortTimePlan plan(device, p, tuning);
            const std::vector<std::byte> bytes = plan.save();
            const ShortTimePlan again = ShortTimePlan::load(fresh(device.info().backend), bytes);
            EXPECT_TRUE(same(again.problem(), p));
            EXPECT_EQ(again.report().compiled + again.report().cached, 0u);
            EXPECT_EQ(again.report().loaded, again.report().kernels.size());
            EXPECT_EQ(again.report().replanned, "");
            EXPECT_EQ(again.report().kernels.size(), plan.report().kernels.size());
            EXPECT_EQ(again.save(), bytes);
            const std::vector<float> numbers_in = converted<float>(numbers(plan.input_bytes() / 4, 5));
            if (direction == Direction::forward) {
                EXPECT_EQ(plan.apply<std::complex<float>>(numbers_in), again.apply<std::complex<float>>(numbers_in));
                continue;
            }
            std::vector<std::complex<float>> bins(numbers_in.size() / 2);
            for (std::size_t i = 0; i < bins.size(); ++i) bins[i] = {numbers_in[2 * i], numbers_in[2 * i + 1]};
            EXPECT_EQ(plan.apply<float>(bins), again.apply<float>(bins));
        }
}

/// What another library, or another device, saved is planned anew.
TEST_P(ShortTime, IsPlannedAnewWhereItWasNotSaved) {
    ShortTimeProblem p = problem(500, 64, 16);
    p.direction = Direction::inverse;
    exec::SavedShortTime saved = exec::read_saved_short_time(ShortTimePlan(device, p).save());
    saved.target.library = "9.9.9";
    const std::vector<std::complex<float>> bins(p.frames() * p.bins(), {1, 0});
    const ShortTimePlan other = ShortTimePlan::load(device, exec::to_bytes(saved));
    EXPECT_NE(other.report().replanned.find("it was saved by version '9.9.9'"), std::string::npos);
    EXPECT_EQ(other.apply<float>(bins), ShortTimePlan(device, p).apply<float>(bins));
    saved.target = exec::saved_target(*device.impl());
    saved.parts.clear();
    const ShortTimePlan emptied = ShortTimePlan::load(device, exec::to_bytes(saved));
    EXPECT_NE(emptied.report().replanned.find("are not among those saved"), std::string::npos);
    EXPECT_EQ(emptied.apply<float>(bins), other.apply<float>(bins));
}

/// Each byte in turn: whatever it says, one line, and nothing is planned.
TEST_P(ShortTime, RefusesDamagedBytes) {
    std::vector<std::byte> bytes = ShortTimePlan(device, problem(100, 20, 5)).save();
    const auto refusal = [&](const std::vector<std::byte>& given) -> std::string {
        try {
            ShortTimePlan::load(device, given);
        } catch (const InvalidProblem& error) {
            return error.what();
        }
        return "taken";
    };
    const std::size_t step = std::max<std::size_t>(1, bytes.size() / 200);
    for (std::size_t i = 0; i < bytes.size(); i += step) {
        bytes[i] ^= std::byte{0x20};
        EXPECT_NE(refusal(bytes).find("saved short-time plan: expected"), std::string::npos) << i << refusal(bytes);
        bytes[i] ^= std::byte{0x20};
    }
    for (const std::size_t count : {std::size_t{0}, std::size_t{20}, bytes.size() - 1})
        EXPECT_NE(refusal({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(count)})
                      .find("saved short-time plan: expected"),
                  std::string::npos);
    exec::SavedShortTime forged = exec::read_saved_short_time(bytes);
    forged.problem.hop = 0;
    EXPECT_EQ(refusal(exec::to_bytes(forged)), "InvalidProblem: short_time.hop: expected 1 to 2^30, got 0");
    EXPECT_NE(refusal(Plan(device, parse_problem("48")).save()).find("bytes that ShortTimePlan::save made, got others"),
              std::string::npos);
    EXPECT_THROW(ShortTimePlan::load(device, nullptr, 3), InvalidProblem);
    EXPECT_THROW(ShortTimePlan().save(), InvalidProblem);
}

INSTANTIATE_TEST_SUITE_P(Devices, ShortTime, testing::Values("reference", "cpu"));

TEST(ShortTimeText, IsReadAndWritten) {
    const std::string text =
        "48000 frames=1000/250 window=blackman inverse f64 batch=4 padding=reflect frequencies-first";
    const ShortTimeProblem p = parse_short_time(text);
    EXPECT_EQ(p.samples, 48000u);
    EXPECT_EQ(p.window.size(), 1000u);
    EXPECT_NEAR(p.window[500], 1, 1e-15);
    EXPECT_NEAR(p.window[0], 0, 1e-15);
    EXPECT_EQ(p.hop, 250u);
    EXPECT_EQ(p.direction, Direction::inverse);
    EXPECT_EQ(p.precision, Precision::f64);
    EXPECT_EQ(p.batch, 4u);
    EXPECT_EQ(p.padding, FramePadding::reflect);
    EXPECT_EQ(p.order, FrameOrder::frequencies_first);
    EXPECT_EQ(to_string(p), text);
    EXPECT_EQ(to_string(parse_short_time("9 frames=4/1 forward complex frames-first padding=zeros batch=1")),
              "9 frames=4/1 window=hann f32");
    EXPECT_NEAR(parse_short_time("9 frames=4/1").window[1], 0.5, 1e-15);
    const auto refused = [](const std::string& wrong, const std::string& says, const std::vector<double>& window = {}) {
        try {
            parse_short_time(wrong, window);
            ADD_FAILURE() << wrong << " was taken";
        } catch (const InvalidProblem& error) {
            EXPECT_NE(std::string(error.what()).find(says), std::string::npos) << error.what();
        }
    };
    refused("", "short-time text: expected one such as \"480000 frames=1024/256 window=hann f32\"");
    refused("x frames=4/1", "at \"x\": expected the samples of a signal, such as 480000");
    refused("9 f32", "got no frames=");
    refused("9 frames=4", "at \"frames=4\": expected a frame's length and the hop");
    refused("9 frames=4/1/2", "expected a frame's length and the hop");
    refused("9 frames=0/1", "expected a frame of 1 to 2^20 samples");
    refused("9 frames=4000000000/1", "expected a frame of 1 to 2^20 samples");
    refused("9 frames=4/1 window=hannn", "at \"window=hannn\": expected hann, hamming, blackman, rectangular");
    refused("9 frames=4/1 f32 f64", "at \"f64\": expected precision once, after \"f32\"");
    refused("9 frames=4/1 padding=ones", "at \"padding=ones\": expected none, zeros or reflect");
    refused("9 frames=4/1 real", "at \"real\": expected forward, inverse, f32");
    refused("9 frames=4/1 window=given", "window=given: expected its 4 values beside the text, got 0");
    refused("9 frames=4/1 window=given", "expected its 4 values beside the text, got 3", {1, 2, 3});
    refused("9 frames=4/1", "expected window=given beside a window's values, got window=hann", {1, 2, 3, 4});
}

/// Fields at random, whether or not they make sense together: all come back, windows without a name beside the text.
TEST(ShortTimeText, OfAnyProblemIsReadAsItWasWritten) {
    std::mt19937_64 random(58);
    for (int round = 0; round < 300; ++round) {
        const std::uint64_t length = 1 + random() % 40;
        const char* const names[] = {"hann", "hamming", "blackman", "rectangular"};
        ShortTimeProblem p =
            parse_short_time("9 frames=" + std::to_string(length) + "/1 window=" + names[random() % 4]);
        const bool is_given = random() % 3 == 0;
        if (is_given) p.window = numbers(length, static_cast<unsigned>(round));
        p.samples = random();
        p.hop = random();
        p.batch = random() % 3 == 0 ? 1 : random();
        p.direction = static_cast<Direction>(random() % 2);
        p.padding = static_cast<FramePadding>(random() % 3);
        p.value = static_cast<BinValue>(random() % 3);
        p.order = static_cast<FrameOrder>(random() % 2);
        p.precision = random() % 2 == 0 ? Precision::f32 : Precision::f64;
        const std::string text = to_string(p);
        SCOPED_TRACE(text);
        EXPECT_TRUE(same(parse_short_time(text, is_given ? p.window : std::vector<double>()), p));
    }
}

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
