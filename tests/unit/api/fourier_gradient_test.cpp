// Parts of spectral operators: kept modes by themselves, the way back from them, and the gradients of a layer, on the
// interpreter and on the processor. The whole layer, which fourier_layer_test.cpp holds to sums, is linear in its input
// and in its weights: inner products with it say what both gradients have to be.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <limits>
#include <random>

#include "seiche/error.hpp"
#include "seiche/spectral.hpp"

namespace {

using namespace seiche;
using Numbers = std::vector<double>;
using Modes = std::vector<ModeRange>;

constexpr double pi = 3.14159265358979323846;

SpectralProblem layer_of(std::vector<std::uint64_t> lengths, Modes kept, SpectralChannels channels,
                         std::uint64_t batch = 1, SpectralNumbers numbers = SpectralNumbers::real) {
    SpectralProblem p;
    p.lengths = std::move(lengths);
    p.kept = std::move(kept);
    p.channels = channels;
    p.batch = batch;
    p.numbers = numbers;
    p.precision = Precision::f64;
    return p;
}

SpectralProblem part_of(SpectralProblem p, SpectralPart part) {
    p.part = part;
    if (part == SpectralPart::forward) {
        p.batch *= std::max(p.channels.inputs, 1u);
        p.channels = {};
        p.scale = 1;
    }
    return p;
}

/// The layer of the output's gradient that gives the input's.
SpectralProblem transposed(SpectralProblem p) {
    p.channels = {p.channels.outputs, p.channels.inputs, true};
    return p;
}

Numbers random_numbers(std::uint64_t bytes, unsigned seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    Numbers x(bytes / sizeof(double));
    for (double& number : x) number = static_cast<float>(uniform(random));
    return x;
}

template <class To, class From>
std::vector<To> converted(const std::vector<From>& x) {
    std::vector<To> result;
    for (const From& number : x) result.push_back(static_cast<To>(number));
    return result;
}

/// Executes with output and workspace full of what is no number.
template <class Real>
Numbers executed(const Device& device, const SpectralProblem& p, const Numbers& input, const Numbers& weights = {}) {
    const SpectralPlan plan(device, p);
    Queue queue = device.create_queue();
    const auto buffer = [&](const std::vector<Real>& numbers) {
        if (numbers.empty()) return Buffer();
        Buffer result = device.allocate(numbers.size() * sizeof(Real));
        queue.upload(result, numbers.data(), numbers.size() * sizeof(Real));
        return result;
    };
    const Real none = std::numeric_limits<Real>::quiet_NaN();
    std::vector<Real> result(plan.output_bytes() / sizeof(Real), none);
    EXPECT_EQ(plan.input_bytes(), input.size() * sizeof(Real)) << to_string(p);
    EXPECT_EQ(plan.weight_bytes(), weights.size() * sizeof(Real)) << to_string(p);
    SpectralExecution e;
    e.input = buffer(converted<Real>(input));
    e.weights = buffer(converted<Real>(weights));
    e.output = buffer(result);
    e.workspace = buffer(std::vector<Real>(plan.workspace_bytes() / sizeof(Real), none));
    plan.execute(queue, e);
    queue.download(result.data(), e.output, result.size() * sizeof(Real));
    return converted<double>(result);
}

Numbers executed(const Device& device, const SpectralProblem& p, const Numbers& input, const Numbers& weights = {}) {
    return p.precision == Precision::f64 ? executed<double>(device, p, input, weights)
                                         : executed<float>(device, p, input, weights);
}

double inner(const Numbers& a, const Numbers& b) {
    EXPECT_EQ(a.size(), b.size());
    double sum = 0;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) sum += a[i] * b[i];
    return sum;
}

void expect_near(const Numbers& got, const Numbers& right, double unit) {
    ASSERT_EQ(got.size(), right.size());
    double error = 0;
    for (std::size_t i = 0; i < got.size(); ++i) error += (got[i] - right[i]) * (got[i] - right[i]);
    EXPECT_LE(std::sqrt(error), unit * std::sqrt(inner(right, right)));
}

void on_both(const std::function<void(const Device&)>& test) {
    for (const char* name : {"reference", "cpu"}) {
        SCOPED_TRACE(name);
        test(Device::open(name));
    }
}

/// The sums of one array's modes, in their order.
Numbers sums_of(const SpectralProblem& p, const Numbers& x, std::uint64_t first) {
    const std::size_t rank = p.lengths.size();
    std::vector<std::vector<std::int64_t>> waves(rank);
    std::uint64_t modes = 1, points = 1;
    for (std::size_t i = 0; i < rank; ++i) {
        const auto n = static_cast<std::int64_t>(p.lengths[i]);
        const bool is_halved = p.numbers == SpectralNumbers::real && i + 1 == rank;
        for (std::int64_t k = 0; k < (is_halved ? n / 2 + 1 : n); ++k) {
            const std::int64_t wave = is_halved || 2 * k < n ? k : k - n;
            if (p.kept.empty() || (wave >= p.kept[i].begin && wave < p.kept[i].end)) waves[i].push_back(wave);
        }
        modes *= waves[i].size();
        points *= p.lengths[i];
    }
    Numbers result;
    for (std::uint64_t m = 0; m < modes; ++m) {
        std::complex<double> sum;
        for (std::uint64_t at = 0; at < points; ++at) {
            double turns = 0;
            for (std::uint64_t i = rank, point = at, mode = m; i-- > 0;) {
                const auto n = static_cast<std::int64_t>(p.lengths[i]);
                const std::int64_t k = waves[i][mode % waves[i].size()], t = static_cast<std::int64_t>(point) % n;
                turns += static_cast<double>(k * t % n) / static_cast<double>(n);
                point /= p.lengths[i];
                mode /= waves[i].size();
            }
            const std::uint64_t place = first + at;
            const bool is_complex = p.numbers == SpectralNumbers::complex;
            sum += std::complex<double>(x[is_complex ? 2 * place : place], is_complex ? x[2 * place + 1] : 0) *
                   std::polar(1.0, -2 * pi * turns);
        }
        result.push_back(sum.real());
        result.push_back(sum.imag());
    }
    return result;
}

std::vector<SpectralProblem> layers() {
    const SpectralNumbers complex = SpectralNumbers::complex;
    return {layer_of({32}, {{0, 7}}, {3, 5}, 2),
            layer_of({16, 12}, {{-4, 4}, {0, 5}}, {5, 3}, 3),
            layer_of({16, 12}, {{-8, 8}, {0, 7}}, {2, 2}),  // all, the middle bin too
            layer_of({8, 6, 10}, {{-2, 3}, {-1, 2}, {0, 4}}, {2, 6}, 2),
            layer_of({21, 14}, {{2, 6}, {3, 8}}, {2, 3}),       // positive alone
            layer_of({21, 14}, {{-9, -3}, {7, 8}}, {3, 1}, 4),  // negative alone, the middle column
            layer_of({9, 8}, {}, {2, 3}, 2),
            layer_of({12, 10}, {{-3, 3}, {-2, 4}}, {3, 2}, 2, complex),
            layer_of({20}, {{-6, 6}}, {4, 9}, 3, complex),
            layer_of({1, 8}, {}, {2, 2}),
            layer_of({4, 331}, {{-1, 2}, {0, 9}}, {2, 2})};
}

TEST(FourierParts, ForwardGivesTheKeptModes) {
    on_both([](const Device& device) {
        for (const SpectralProblem& layer : layers()) {
            const SpectralProblem p = part_of(layer, SpectralPart::forward);
            SCOPED_TRACE(to_string(p));
            const Numbers x = random_numbers(SpectralPlan(device, p).input_bytes(), 1), got = executed(device, p, x);
            std::uint64_t points = 1;
            for (const std::uint64_t n : p.lengths) points *= n;
            Numbers right;
            for (std::uint64_t b = 0; b < p.batch; ++b) {
                const Numbers one = sums_of(p, x, b * points);
                right.insert(right.end(), one.begin(), one.end());
            }
            expect_near(got, right, 1e-14);
        }
    });
}

TEST(FourierParts, ForwardHasLoadAndMiddleStages) {
    on_both([](const Device& device) {
        SpectralProblem p = layer_of({8, 6}, {{-2, 2}, {0, 3}}, {}, 2);
        p.part = SpectralPart::forward;
        p.input = {{0, 5}, {1, 6}};
        const Numbers x = random_numbers(SpectralPlan(device, p).input_bytes(), 1);
        const Numbers plain = executed(device, p, x);
        p.load = "return 3 * value;";
        p.middle = "return value * complex(0, 1 + k0);";
        const Numbers got = executed(device, p, x);
        Numbers right;
        for (std::size_t i = 0; i < plain.size(); i += 2) {
            const double row = static_cast<double>(i / 2 / 3 % 4), wave = row < 2 ? row : row - 4;
            right.push_back(-3 * (1 + wave) * plain[i + 1]);
            right.push_back(3 * (1 + wave) * plain[i]);
        }
        expect_near(got, right, 1e-14);
    });
}

TEST(FourierParts, ForwardAndInverseAreTheWhole) {
    on_both([](const Device& device) {
        for (SpectralProblem layer : layers())
            for (const bool has_weights : {true, false}) {
                if (!has_weights) layer.channels = {};
                layer.scale = 0.5;
                SCOPED_TRACE(to_string(layer));
                const SpectralPlan whole(device, layer);
                const Numbers x = random_numbers(whole.input_bytes(), 1), w = random_numbers(whole.weight_bytes(), 2);
                const Numbers modes = executed(device, part_of(layer, SpectralPart::forward), x);
                const Numbers got = executed(device, part_of(layer, SpectralPart::inverse), modes, w);
                expect_near(got, executed(device, layer, x, w), 1e-14);
            }
    });
}

TEST(FourierGradients, OfTheInputIsTheAdjointLayer) {
    on_both([](const Device& device) {
        for (const SpectralProblem& layer : layers()) {
            SCOPED_TRACE(to_string(transposed(layer)));
            const SpectralPlan whole(device, layer);
            const Numbers x = random_numbers(whole.input_bytes(), 1), w = random_numbers(whole.weight_bytes(), 2);
            const Numbers g = random_numbers(whole.output_bytes(), 3);
            const Numbers of_x = executed(device, transposed(layer), g, w);
            const double right = inner(executed(device, layer, x, w), g);
            EXPECT_NEAR(inner(x, of_x), right, 1e-12 * std::sqrt(inner(x, x) * inner(of_x, of_x)));
            const Numbers modes = executed(device, part_of(transposed(layer), SpectralPart::forward), g);
            expect_near(executed(device, part_of(transposed(layer), SpectralPart::inverse), modes, w), of_x, 1e-14);
        }
    });
}

Numbers gradient_of_weights(const Device& device, const SpectralProblem& layer, const Numbers& x, const Numbers& g) {
    const Numbers modes = executed(device, part_of(layer, SpectralPart::forward), x);
    const Numbers of_output = executed(device, part_of(transposed(layer), SpectralPart::forward), g);
    return executed(device, part_of(layer, SpectralPart::gradient), modes, of_output);
}

TEST(FourierGradients, OfTheWeightsAreTheDerivatives) {
    on_both([](const Device& device) {
        for (SpectralProblem layer : layers()) {
            layer.scale = 0.5;
            SCOPED_TRACE(to_string(layer));
            const SpectralPlan whole(device, layer);
            const Numbers x = random_numbers(whole.input_bytes(), 1), g = random_numbers(whole.output_bytes(), 3);
            const Numbers of_weights = gradient_of_weights(device, layer, x, g);
            for (unsigned seed = 4; seed < 7; ++seed) {
                const Numbers w = random_numbers(whole.weight_bytes(), seed);
                const double right = inner(executed(device, layer, x, w), g);
                EXPECT_NEAR(inner(w, of_weights), right,
                            1e-12 * std::sqrt(inner(w, w) * inner(of_weights, of_weights)));
            }
        }
    });
}

/// One weight after the other, its real and its imaginary part.
TEST(FourierGradients, OfEachWeight) {
    on_both([](const Device& device) {
        const SpectralProblem layer = layer_of({6, 4}, {{-1, 2}, {0, 3}}, {2, 1}, 2);
        const SpectralPlan whole(device, layer);
        const Numbers x = random_numbers(whole.input_bytes(), 1), g = random_numbers(whole.output_bytes(), 3);
        const Numbers of_weights = gradient_of_weights(device, layer, x, g);
        Numbers w(of_weights.size());
        for (std::size_t i = 0; i < w.size(); ++i) {
            w[i] = 1;
            EXPECT_NEAR(of_weights[i], inner(executed(device, layer, x, w), g), 1e-13) << i;
            w[i] = 0;
        }
    });
}

/// Channels that no thread's tile divides, and single precision.
TEST(FourierGradients, ManyChannels) {
    on_both([](const Device& device) {
        for (const SpectralChannels channels : {SpectralChannels{8, 9}, {1, 15}, {15, 1}, {33, 18}})
            for (const Precision precision : {Precision::f32, Precision::f64}) {
                SpectralProblem layer = layer_of({12, 16}, {{-3, 3}, {0, 8}}, channels, 5);
                layer.precision = precision;
                SCOPED_TRACE(to_string(layer));
                const SpectralPlan whole(device, layer);
                const std::uint64_t wide = precision == Precision::f32 ? 2 : 1;
                const Numbers x = random_numbers(wide * whole.input_bytes(), 1);
                const Numbers g = random_numbers(wide * whole.output_bytes(), 3);
                const Numbers w = random_numbers(wide * whole.weight_bytes(), 2);
                const Numbers of_weights = gradient_of_weights(device, layer, x, g);
                const double unit = precision == Precision::f32 ? 1e-5 : 1e-13;
                EXPECT_NEAR(inner(w, of_weights), inner(executed(device, layer, x, w), g),
                            unit * std::sqrt(inner(w, w) * inner(of_weights, of_weights)));
                EXPECT_EQ(of_weights, gradient_of_weights(device, layer, x, g));
            }
    });
}

/// An execution of more arrays than were planned for.
TEST(FourierGradients, BatchOfAnExecution) {
    on_both([](const Device& device) {
        const SpectralProblem planned = part_of(layer_of({8, 8}, {{-2, 2}, {0, 3}}, {2, 5}), SpectralPart::gradient);
        const SpectralPlan plan(device, planned);
        SpectralProblem longer = planned;
        longer.batch = 7;
        const Numbers x = random_numbers(plan.input_bytes(7), 1), g = random_numbers(plan.weight_bytes(7), 2);
        Queue queue = device.create_queue();
        SpectralExecution e;
        e.batch = 7;
        e.input = device.allocate(plan.input_bytes(7));
        e.weights = device.allocate(plan.weight_bytes(7));
        e.output = device.allocate(plan.output_bytes(7));
        queue.upload(e.input, x.data(), plan.input_bytes(7));
        queue.upload(e.weights, g.data(), plan.weight_bytes(7));
        plan.execute(queue, e);
        Numbers result(plan.output_bytes(7) / sizeof(double));
        queue.download(result.data(), e.output, plan.output_bytes(7));
        EXPECT_EQ(result, executed(device, longer, x, g));
        EXPECT_EQ(plan.output_bytes(7), plan.output_bytes());
        e.weights = device.allocate(plan.weight_bytes(6));
        EXPECT_THROW(plan.execute(queue, e), InvalidProblem);
    });
}

TEST(FourierParts, ArriveFromHostDataAndAreSaved) {
    const Device device = Device::open("cpu");
    SpectralProblem p = part_of(layer_of({12, 10}, {{-3, 3}, {0, 4}}, {2, 3}, 2), SpectralPart::gradient);
    const SpectralPlan plan(device, p);
    const Numbers x = random_numbers(plan.input_bytes(), 1), g = random_numbers(plan.weight_bytes(), 2);
    const auto pairs = [](const Numbers& numbers) {
        std::vector<std::complex<double>> result;
        for (std::size_t i = 0; i < numbers.size(); i += 2) result.emplace_back(numbers[i], numbers[i + 1]);
        return result;
    };
    const SpectralPlan again = SpectralPlan::load(device, plan.save());
    EXPECT_EQ(again.problem().part, SpectralPart::gradient);
    const auto first = plan.apply<std::complex<double>>(pairs(x), pairs(g));
    EXPECT_EQ(first, again.apply<std::complex<double>>(pairs(x), pairs(g)));
    EXPECT_EQ(first, pairs(executed(device, p, x, g)));
    const SpectralPlan adjoint(device, transposed(layer_of({12}, {{0, 4}}, {2, 3})));
    EXPECT_TRUE(SpectralPlan::load(device, adjoint.save()).problem().channels.adjoint);
}

// ---- How much is moved

/// A layer's backward pass with the modes kept from the forward one: it reads the gradient once, writes that of the
/// input once, and moves nothing else of their size.
TEST(FourierGradientBytes, BackwardMovesLittleMoreThanForward) {
    SpectralProblem layer = layer_of({256, 256}, {{-32, 32}, {0, 32}}, {32, 32}, 16);
    layer.precision = Precision::f32;
    const DeviceLimits limits = Device::open("reference").limits();
    const auto moved = [&](const SpectralProblem& p) { return inspect(p, limits).moved_bytes; };
    const std::uint64_t modes = 8ull * 64 * 32 * 512, weights = 8ull * 64 * 32 * 32 * 32;
    const std::uint64_t gradient = moved(part_of(layer, SpectralPart::gradient));
    EXPECT_EQ(gradient, 2 * modes + weights);
    const std::uint64_t backward = moved(part_of(transposed(layer), SpectralPart::forward)) +
                                   moved(part_of(transposed(layer), SpectralPart::inverse)) + gradient;
    EXPECT_LE(backward, moved(layer) + gradient + 2 * modes);
    EXPECT_LE(backward, moved(layer) * 6 / 5);
}

TEST(FourierGradientBytes, KernelsAreSound) {
    for (const char* name : {"reference", "cpu"})
        for (const SpectralPart part : {SpectralPart::forward, SpectralPart::inverse, SpectralPart::gradient}) {
            SpectralProblem layer = layer_of({32, 32}, {{-4, 4}, {0, 8}}, {5, 6}, 3);
            layer.precision = Precision::f32;
            const SpectralProblem p = part_of(transposed(layer), part);
            if (part == SpectralPart::gradient) layer.part = part;
            for (const AnalysisReport& kernel :
                 analyse(part == SpectralPart::gradient ? layer : p, Device::open(name).limits()))
                EXPECT_EQ(kernel.races + kernel.out_of_bounds + kernel.uninitialised_reads, 0u)
                    << name << ": " << kernel.kernel;
        }
}

/// One range that begins at 0, of one axis: modes are dense where the rows leave them.
TEST(FourierParts, DenseModesAreNotCopied) {
    const DeviceLimits limits = Device::open("reference").limits();
    const auto is_copied = [&](Modes kept, std::vector<std::uint64_t> lengths) {
        const SpectralProblem layer = layer_of(std::move(lengths), std::move(kept), {});
        return inspect(part_of(layer, SpectralPart::forward), limits).kernels.back().name == "gather_modes";
    };
    EXPECT_FALSE(is_copied({{0, 7}}, {32}));
    EXPECT_FALSE(is_copied({}, {16, 16}));
    EXPECT_TRUE(is_copied({{-2, 2}, {0, 4}}, {16, 16}));
}

// ---- Texts and mistakes

TEST(FourierParts, AreWordsOfTheText) {
    for (const char* text : {"32x32 real f32 batch=2 kept=-4:4,0:8 channels=2x3 part=gradient",
                             "32x32 real f32 kept=-4:4,0:8 channels=2x3 adjoint",
                             "32x32 complex f64 kept=-4:4,-8:0 part=forward", "16 real f32 part=inverse"})
        EXPECT_EQ(to_string(parse_spectral(text)), text);
    EXPECT_THROW((void)parse_spectral("16 part=half"), InvalidProblem);
    EXPECT_THROW((void)parse_spectral("16 kept=1-2"), InvalidProblem);
    EXPECT_THROW((void)parse_spectral("16 channels=2"), InvalidProblem);
    EXPECT_STREQ(to_string(SpectralPart::whole), "whole");
}

TEST(FourierParts, RefuseInOneLine) {
    const auto expect_mistake = [](const char* text, const char* line,
                                   const std::function<void(SpectralProblem&)>& set) {
        SpectralProblem p = parse_spectral(text);
        set(p);
        try {
            (void)inspect(p, Device::open("reference").limits());
            ADD_FAILURE() << "expected '" << line << "'";
        } catch (const InvalidProblem& error) {
            const std::string what = error.what();
            EXPECT_EQ(what.substr(what.find(": ") + 2), line);
        }
    };
    const auto nothing = [](SpectralProblem&) {};
    expect_mistake("8 part=forward channels=2x2",
                   "spectral.channels: expected none, as they are a batch for part=forward, got some", nothing);
    expect_mistake("8 part=forward scale=2", "spectral.scale: expected 1 for part=forward, got 2", nothing);
    expect_mistake("8 part=forward output=0-4", "spectral.output: expected no ranges for part=forward, got some",
                   nothing);
    expect_mistake("8 part=inverse input=0-4", "spectral.input: expected no ranges for part=inverse, got some",
                   nothing);
    expect_mistake("8 part=inverse storage=f16", "spectral.storage: expected same for part=inverse, got f16", nothing);
    expect_mistake("8 part=gradient",
                   "spectral.channels: expected inputs and outputs, not adjoint for part=gradient, got others",
                   nothing);
    expect_mistake("8 part=inverse", "spectral.middle: expected no stage for part=inverse, got one",
                   [](SpectralProblem& p) { p.middle = "return value;"; });
    expect_mistake("8 part=forward", "spectral.store: expected no stage for part=forward, got one",
                   [](SpectralProblem& p) { p.store = "return value;"; });
}

}  // namespace
