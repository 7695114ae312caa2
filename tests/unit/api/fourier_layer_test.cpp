// Spectral operators of whose spectra some modes are kept, with a matrix of weights between channels or without:
// against sums in double precision, on the interpreter and on the processor; what they move, and what they refuse.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstring>
#include <functional>
#include <random>

#include "seiche/error.hpp"
#include "seiche/spectral.hpp"

namespace {

using namespace seiche;
using Point = std::complex<double>;
using Points = std::vector<Point>;
using Lengths = std::vector<std::uint64_t>;
using Index = std::vector<std::uint64_t>;

constexpr double pi = 3.14159265358979323846;

/// What a layer is, and the sums that say what it does.
struct Layer {
    SpectralProblem p;
    std::function<Point(const Index&, Point)> middle = [](const Index&, Point value) { return value; };

    std::uint32_t inputs() const { return std::max(p.channels.inputs, 1u); }
    std::uint32_t outputs() const { return std::max(p.channels.outputs, 1u); }
    bool is_halved(std::size_t axis) const {
        return p.numbers == SpectralNumbers::real && axis + 1 == p.lengths.size();
    }
    std::uint64_t points(const std::vector<PointRange>& ranges) const {
        std::uint64_t count = 1;
        for (std::size_t i = 0; i < p.lengths.size(); ++i)
            count *= ranges.empty() ? p.lengths[i] : ranges[i].end - ranges[i].begin;
        return count;
    }
    /// The bins of an axis that are kept, in the order in which weights have them.
    Index bins(std::size_t axis) const {
        const auto n = static_cast<std::int64_t>(p.lengths[axis]);
        Index result;
        for (std::int64_t k = 0; k < (is_halved(axis) ? n / 2 + 1 : n); ++k) {
            const std::int64_t wave = is_halved(axis) || 2 * k < n ? k : k - n;
            if (p.kept.empty() || (wave >= p.kept[axis].begin && wave < p.kept[axis].end))
                result.push_back(static_cast<std::uint64_t>(k));
        }
        return result;
    }
    std::vector<Index> modes() const {
        std::vector<Index> all = {{}};
        for (std::size_t axis = 0; axis < p.lengths.size(); ++axis) {
            std::vector<Index> longer;
            for (const Index& index : all)
                for (const std::uint64_t bin : bins(axis)) {
                    longer.push_back(index);
                    longer.back().push_back(bin);
                }
            all = longer;
        }
        return all;
    }
    Index position(std::uint64_t place, const std::vector<PointRange>& ranges) const {
        Index index(p.lengths.size());
        for (std::size_t i = p.lengths.size(); i-- > 0;) {
            const PointRange range = ranges.empty() ? PointRange{0, p.lengths[i]} : ranges[i];
            index[i] = range.begin + place % (range.end - range.begin);
            place /= range.end - range.begin;
        }
        return index;
    }
    Point root(const Index& a, const Index& b, double sign) const {
        double turns = 0;
        for (std::size_t i = 0; i < a.size(); ++i)
            turns += static_cast<double>(a[i] * b[i] % p.lengths[i]) / static_cast<double>(p.lengths[i]);
        return std::polar(1.0, sign * 2 * pi * turns);
    }
    /// One array of the batch.
    Points expected(const Points& input, const Points& weights) const {
        const std::vector<Index> kept = modes();
        const std::uint64_t count = points(p.input), made = points(p.output);
        std::vector<Points> spectra(inputs(), Points(kept.size())), results = spectra;
        for (std::uint32_t c = 0; c < inputs(); ++c)
            for (std::size_t k = 0; k < kept.size(); ++k) {
                for (std::uint64_t x = 0; x < count; ++x)
                    spectra[c][k] += input[c * count + x] * root(kept[k], position(x, p.input), -1);
                spectra[c][k] = middle(kept[k], spectra[c][k]);
            }
        if (p.channels.inputs != 0) {
            results.assign(outputs(), Points(kept.size()));
            for (std::uint32_t i = 0; i < inputs(); ++i)
                for (std::uint32_t o = 0; o < outputs(); ++o)
                    for (std::size_t k = 0; k < kept.size(); ++k)
                        results[o][k] += spectra[i][k] * weights[(i * outputs() + o) * kept.size() + k];
        } else {
            results = spectra;
        }
        Points y;
        double n = 1;
        for (const std::uint64_t length : p.lengths) n *= static_cast<double>(length);
        for (std::uint32_t o = 0; o < outputs(); ++o)
            for (std::uint64_t x = 0; x < made; ++x) {
                Point sum;
                for (std::size_t k = 0; k < kept.size(); ++k) {
                    const Point term = results[o][k] * root(kept[k], position(x, p.output), 1);
                    // numpy.fft.irfft: bins 0 and n/2 are there once, others stand for their mirrors too.
                    const std::uint64_t last = kept[k].back();
                    const bool is_once = last == 0 || 2 * last == p.lengths.back();
                    sum += p.numbers != SpectralNumbers::real ? term : (is_once ? 1.0 : 2.0) * term.real();
                }
                y.push_back(sum * p.scale / n);
            }
        return y;
    }
};

Layer layer_of(Lengths lengths, std::vector<ModeRange> kept, SpectralChannels channels = {},
               SpectralNumbers numbers = SpectralNumbers::real) {
    Layer layer;
    layer.p.lengths = std::move(lengths);
    layer.p.kept = std::move(kept);
    layer.p.channels = channels;
    layer.p.numbers = numbers;
    return layer;
}

Points random_points(std::size_t count, bool is_real, unsigned seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    Points x(count);
    for (Point& point : x) {
        const double re = static_cast<float>(uniform(random)), im = static_cast<float>(uniform(random));
        point = {re, is_real ? 0.0 : im};
    }
    return x;
}

template <class Real>
std::vector<Real> packed(const Points& points, bool is_real) {
    std::vector<Real> numbers;
    for (const Point& point : points) {
        numbers.push_back(static_cast<Real>(point.real()));
        if (!is_real) numbers.push_back(static_cast<Real>(point.imag()));
    }
    return numbers;
}

/// Executes with output and workspace full of what is no number, and compares all arrays of `batch`.
template <class Real>
void expect_values(const Device& device, const Layer& layer, std::uint64_t batch) {
    const SpectralProblem& p = layer.p;
    const SpectralPlan plan(device, p);
    SCOPED_TRACE(plan.report().recipe);
    const bool in_is_real = p.numbers != SpectralNumbers::complex, out_is_real = p.numbers == SpectralNumbers::real;
    const std::uint64_t count = layer.inputs() * layer.points(p.input), made = layer.outputs() * layer.points(p.output);
    const Points input = random_points(batch * count, in_is_real, 1);
    Points weights;
    if (p.channels.inputs != 0)
        weights = random_points(layer.inputs() * layer.outputs() * layer.modes().size(), false, 2);
    Queue queue = device.create_queue();
    const auto buffer = [&](const std::vector<Real>& numbers) {
        if (numbers.empty()) return Buffer();
        Buffer result = device.allocate(numbers.size() * sizeof(Real));
        queue.upload(result, numbers.data(), numbers.size() * sizeof(Real));
        return result;
    };
    SpectralExecution e;
    e.batch = batch;
    e.input = buffer(packed<Real>(input, in_is_real));
    e.weights = buffer(packed<Real>(weights, false));
    ASSERT_EQ(plan.input_bytes(batch), batch * count * sizeof(Real) * (in_is_real ? 1 : 2));
    ASSERT_EQ(plan.output_bytes(batch), batch * made * sizeof(Real) * (out_is_real ? 1 : 2));
    ASSERT_EQ(plan.weight_bytes(), weights.size() * 2 * sizeof(Real));
    const Real none = std::numeric_limits<Real>::quiet_NaN();
    std::vector<Real> result(plan.output_bytes(batch) / sizeof(Real), none);
    e.output = buffer(result);
    e.workspace = buffer(std::vector<Real>(plan.workspace_bytes(batch) / sizeof(Real), none));
    plan.execute(queue, e);
    queue.download(result.data(), e.output, result.size() * sizeof(Real));
    for (std::uint64_t b = 0; b < batch; ++b) {
        const auto from = input.begin() + static_cast<std::ptrdiff_t>(b * count);
        const Points right = layer.expected({from, from + static_cast<std::ptrdiff_t>(count)}, weights);
        double error = 0, size = 0;
        for (std::uint64_t i = 0; i < made; ++i) {
            const std::uint64_t at = (b * made + i) * (out_is_real ? 1 : 2);
            error += std::norm(Point(result[at], out_is_real ? 0.0 : result[at + 1]) - right[i]);
            size += std::norm(right[i]);
        }
        const double unit = sizeof(Real) == 8 ? 0x1p-53 : 0x1p-24;
        EXPECT_LE(std::sqrt(error / size), 8 * unit * std::sqrt(std::log2(2.0 * static_cast<double>(count)))) << b;
    }
}

void expect_layer(const Layer& layer) {
    for (const char* name : {"reference", "cpu"}) {
        SCOPED_TRACE(std::string(name) + ": " + to_string(layer.p) + " | " + layer.p.middle.text);
        const Device device = Device::open(name);
        if (layer.p.precision == Precision::f64)
            expect_values<double>(device, layer, layer.p.batch);
        else
            expect_values<float>(device, layer, layer.p.batch);
    }
}

TEST(FourierLayer, EveryRankWithBothSigns) {
    for (const std::uint64_t batch : {1u, 5u}) {
        Layer one = layer_of({32}, {{0, 7}}, {3, 5});
        Layer two = layer_of({16, 12}, {{-4, 4}, {0, 5}}, {5, 3});
        Layer three = layer_of({8, 6, 10}, {{-2, 3}, {-1, 2}, {0, 4}}, {2, 6});
        for (Layer* layer : {&one, &two, &three}) {
            layer->p.batch = batch;
            expect_layer(*layer);
        }
    }
}

TEST(FourierLayer, OddLengthsAndOneSide) {
    expect_layer(layer_of({15, 9}, {{-3, 4}, {0, 5}}, {2, 2}));
    expect_layer(layer_of({21, 14}, {{2, 6}, {3, 8}}, {2, 3}));    // positive alone, the middle bin too
    expect_layer(layer_of({21, 14}, {{-9, -3}, {2, 3}}, {3, 1}));  // negative alone, one column
    expect_layer(layer_of({16, 16}, {{-8, 8}, {0, 9}}, {2, 2}));   // all
    expect_layer(layer_of({17, 5}, {{0, 1}, {0, 1}}, {4, 4}));     // the mean
}

/// More inputs than are summed without a loop, and numbers that no thread's share divides.
TEST(FourierLayer, ManyChannels) {
    for (const SpectralChannels channels : {SpectralChannels{8, 9}, {9, 8}, {15, 1}, {1, 15}, {33, 18}}) {
        Layer layer = layer_of({12, 8}, {{-2, 2}, {0, 3}}, channels);
        layer.p.batch = 3;
        expect_layer(layer);
    }
}

TEST(FourierLayer, ComplexNumbersAndDoubles) {
    for (const SpectralNumbers numbers : {SpectralNumbers::real, SpectralNumbers::complex, SpectralNumbers::analytic})
        for (const Precision precision : {Precision::f32, Precision::f64}) {
            const bool is_real = numbers == SpectralNumbers::real;
            for (Layer layer : {layer_of({20}, {{is_real ? 0 : -6, 6}}, {2, 3}, numbers),
                                layer_of({12, 10}, {{-3, 3}, {is_real ? 0 : -2, 4}}, {3, 2}, numbers)}) {
                layer.p.precision = precision;
                layer.p.batch = 2;
                expect_layer(layer);
            }
        }
}

/// Without channels modes are kept alone; without kept modes the matrix is of all bins.
TEST(FourierLayer, EitherByItself) {
    for (const SpectralNumbers numbers : {SpectralNumbers::real, SpectralNumbers::complex}) {
        expect_layer(layer_of({24}, {{0, 5}}, {}, numbers));
        expect_layer(layer_of({9, 20}, {{-2, 2}, {0, 5}}, {}, numbers));
        expect_layer(layer_of({9, 8}, {}, {2, 3}, numbers));
        expect_layer(layer_of({18}, {}, {3, 2}, numbers));
        expect_layer(layer_of({1, 8}, {}, {2, 2}, numbers));
        expect_layer(layer_of({8, 1}, {{-2, 2}, {0, 1}}, {2, 2}, numbers));
        expect_layer(layer_of({1}, {}, {2, 2}, numbers));
    }
}

TEST(FourierLayer, MiddleStageComesBeforeTheMatrix) {
    for (const SpectralNumbers numbers : {SpectralNumbers::real, SpectralNumbers::complex})
        for (Layer layer :
             {layer_of({16, 18}, {{-5, 5}, {0, 6}}, {2, 3}, numbers), layer_of({40}, {{0, 9}}, {}, numbers),
              layer_of({6, 8, 8}, {{-2, 2}, {-3, 3}, {0, 3}}, {2, 2}, numbers)}) {
            layer.p.scale = 0.5;
            layer.p.batch = 2;
            layer.p.middle = "return value * complex(1 + k0, i0);";
            layer.middle = [n = static_cast<double>(layer.p.lengths[0]),
                            is_row = layer.p.lengths.size() == 1 && numbers == SpectralNumbers::real](
                               const Index& index, Point value) {
                const auto i = static_cast<double>(index[0]);
                return value * Point(1 + (is_row || 2 * i < n ? i : i - n), i);
            };
            expect_layer(layer);
        }
}

TEST(FourierLayer, RangesOfPoints) {
    Layer layer = layer_of({24, 20}, {{-4, 4}, {0, 6}}, {3, 2});
    layer.p.input = {{0, 15}, {2, 20}};
    layer.p.output = {{4, 24}, {0, 11}};
    layer.p.batch = 2;
    expect_layer(layer);
}

/// Between axes data rest where all of them are, not in an output that is shorter.
TEST(FourierLayer, RangesOfComplexOutputs) {
    Layer layer = layer_of({9, 5, 8}, {{-4, 4}, {-2, 2}, {-4, 3}}, {2, 1});
    layer.p.numbers = SpectralNumbers::complex;
    layer.p.output = {{2, 4}, {0, 3}, {1, 7}};
    layer.p.batch = 2;
    expect_layer(layer);
    layer.p.numbers = SpectralNumbers::analytic;
    expect_layer(layer);
}

/// Long axes take several passes, and primes padded ones.
TEST(FourierLayer, AnyLength) {
    expect_layer(layer_of({331, 6}, {{-3, 3}, {0, 3}}, {2, 2}));
    expect_layer(layer_of({4, 331}, {{-1, 2}, {0, 9}}, {2, 2}));
    expect_layer(layer_of({12000}, {{0, 16}}, {1, 2}));
}

TEST(FourierLayer, BatchOfAnExecution) {
    Layer layer = layer_of({8, 8}, {{-2, 2}, {0, 3}}, {2, 5});
    for (const std::uint64_t planned : {1u, 6u}) {
        layer.p.batch = planned;
        for (const std::uint64_t batch : {1u, 2u, 7u})
            for (const char* name : {"reference", "cpu"}) expect_values<float>(Device::open(name), layer, batch);
    }
}

TEST(FourierLayer, AppliesToHostDataAndIsSaved) {
    const Device device = Device::open("cpu");
    const Layer layer = layer_of({12, 10}, {{-3, 3}, {0, 4}}, {2, 3});
    const SpectralPlan plan(device, layer.p);
    const Points input = random_points(2 * 120, true, 3), weights = random_points(2 * 3 * 24, false, 4);
    const Points right = layer.expected(input, weights);
    std::vector<std::complex<float>> w;
    for (const Point& point : weights) w.emplace_back(point);
    for (const SpectralPlan& one : {plan, SpectralPlan::load(device, plan.save())}) {
        const std::vector<float> y = one.apply<float>(packed<float>(input, true), w);
        ASSERT_EQ(y.size(), right.size());
        for (std::size_t i = 0; i < y.size(); ++i) EXPECT_NEAR(y[i], right[i].real(), 1e-5);
        EXPECT_EQ(one.problem().kept, layer.p.kept);
        EXPECT_EQ(one.problem().channels, layer.p.channels);
    }
}

// ---- How much is moved

/// Rows leave the kept columns, columns the kept rows; the matrix reads and writes modes; and the same back.
TEST(FourierLayerBytes, OnlyKeptModesAreMoved) {
    Layer layer = layer_of({64, 64}, {{-8, 8}, {0, 8}}, {4, 2});
    layer.p.batch = 4;
    const std::uint64_t points = 4 * 64 * 64, rows = 8ull * 64 * 8, modes = 8ull * 16 * 8, weights = modes * 4 * 2;
    for (const char* name : {"reference", "cpu"}) {
        const std::vector<AnalysisReport> kernels = analyse(layer.p, Device::open(name).limits());
        std::uint64_t moved = 0;
        for (const AnalysisReport& kernel : kernels) {
            moved += kernel.bytes_read + kernel.bytes_written;
            EXPECT_EQ(kernel.races + kernel.out_of_bounds + kernel.uninitialised_reads, 0u) << kernel.kernel;
        }
        const std::uint64_t in = 4 * 4, out = 4 * 2;  // channels of all arrays
        EXPECT_LE(moved, (in + out) * (points + 2 * rows + modes) + (in + out) * modes + weights) << name;
        // What the matrix asks for lies in caches but for the first time.
        const auto matrix = std::find_if(kernels.begin(), kernels.end(),
                                         [](const AnalysisReport& kernel) { return kernel.kernel == "modes_4x2"; });
        ASSERT_NE(matrix, kernels.end());
        EXPECT_EQ(matrix->bytes_written, out * modes);
    }
}

TEST(FourierLayerBytes, ReportsAreTheLeast) {
    Layer layer = layer_of({256, 256}, {{-32, 32}, {0, 32}}, {32, 32});
    layer.p.batch = 16;
    const PlanReport report = inspect(layer.p, Device::open("reference").limits());
    const std::uint64_t real = 4ull * 256 * 256 * 512, rows = 8ull * 256 * 32 * 512, modes = 8ull * 64 * 32 * 512,
                        weights = 8ull * 64 * 32 * 32 * 32;
    EXPECT_EQ(report.ideal_bytes, 2 * real + weights);
    EXPECT_LE(report.moved_bytes, 2 * real + 4 * rows + 4 * modes + weights);
}

// ---- Mistakes

void expect_one_line(const std::function<void()>& action, const std::string& line) {
    try {
        action();
        ADD_FAILURE() << "expected '" << line << "'";
    } catch (const InvalidProblem& error) {
        const std::string what = error.what();
        EXPECT_EQ(what.substr(what.find(": ") + 2), line);
    }
}

void expect_mistake(std::vector<ModeRange> kept, SpectralChannels channels, const std::string& line) {
    const Layer layer = layer_of({8, 7}, std::move(kept), channels);
    expect_one_line([&] { (void)inspect(layer.p, Device::open("reference").limits()); }, line);
}

TEST(FourierLayer, RefusesInOneLine) {
    expect_mistake({{0, 2}}, {}, "spectral.kept: expected a range for each of 2 axes, or none, got 1");
    expect_mistake({{2, 2}, {0, 3}}, {},
                   "spectral.kept[0]: expected begin below end, and wave numbers from -4 to 3, so that end is at most "
                   "4, got 2 to 2");
    expect_mistake({{-5, 2}, {0, 3}}, {},
                   "spectral.kept[0]: expected begin below end, and wave numbers from -4 to 3, so that end is at most "
                   "4, got -5 to 2");
    expect_mistake({{-4, 4}, {-1, 3}}, {},
                   "spectral.kept[1]: expected begin below end, and wave numbers from 0 to 3, so that end is at most "
                   "4, got -1 to 3");
    expect_mistake({{-4, 4}, {0, 5}}, {},
                   "spectral.kept[1]: expected begin below end, and wave numbers from 0 to 3, so that end is at most "
                   "4, got 0 to 5");
    expect_mistake({}, {3, 0},
                   "spectral.channels: expected 1 to 65536 inputs and outputs, or 0 of both for none, got 3 and 0");
}

TEST(FourierLayer, RefusesWrongWeights) {
    const Device device = Device::open("cpu");
    const SpectralPlan plan(device, layer_of({8, 8}, {{-2, 2}, {0, 2}}, {2, 2}).p);
    Queue queue = device.create_queue();
    SpectralExecution e;
    e.input = device.allocate(plan.input_bytes());
    e.output = device.allocate(plan.output_bytes());
    e.workspace = device.allocate(plan.workspace_bytes());
    const auto execute = [&] { plan.execute(queue, e); };
    expect_one_line(execute, "execution.weights: expected a buffer of at least 256 bytes, got none");
    e.weights = device.allocate(128);
    expect_one_line(execute, "execution.weights: expected at least 256 bytes from byte 0 on, got a buffer of 128");
    e.weights = e.output;
    EXPECT_THROW(execute(), InvalidProblem);
    const std::vector<float> x(128);
    expect_one_line([&] { (void)plan.apply<float>(x); },
                    "weights: expected an array, as the plan has channels, got none");
    expect_one_line([&] { (void)plan.apply<float>(x, std::vector<std::complex<float>>(31)); },
                    "weights: expected 32 elements, got 31");
}

}  // namespace
