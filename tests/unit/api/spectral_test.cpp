// Spectral plans against sums in double precision: transforms of any length, numbers, ranges and stages, on the
// interpreter and on the processor; and what they refuse.
#include "seiche/spectral.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <functional>
#include <iterator>
#include <random>

#include "seiche/error.hpp"

namespace {

using namespace seiche;
using Point = std::complex<double>;
using Index = std::vector<std::uint64_t>;
using Lengths = std::vector<std::uint64_t>;

constexpr double pi = 3.14159265358979323846;

std::uint64_t product(const Lengths& lengths) {
    std::uint64_t all = 1;
    for (const std::uint64_t length : lengths) all *= length;
    return all;
}

Index index_of(std::uint64_t element, const Lengths& lengths) {
    Index index(lengths.size());
    for (std::size_t i = lengths.size(); i-- > 0; element /= lengths[i]) index[i] = element % lengths[i];
    return index;
}

/// The sums of one axis after the other; in time the square of an axis's length.
std::vector<Point> transform(std::vector<Point> x, const Lengths& lengths, double sign) {
    std::uint64_t stride = 1;
    for (std::size_t axis = lengths.size(); axis-- > 0; stride *= lengths[axis]) {
        const std::uint64_t n = lengths[axis];
        std::vector<Point> roots(n);
        for (std::uint64_t k = 0; k < n; ++k)
            roots[k] = std::polar(1.0, sign * 2 * pi * static_cast<double>(k) / static_cast<double>(n));
        std::vector<Point> y(x.size());
        for (std::uint64_t i = 0; i < x.size(); ++i) {
            const std::uint64_t k = i / stride % n, first = i - k * stride;
            for (std::uint64_t j = 0; j < n; ++j) y[i] += x[first + j * stride] * roots[j * k % n];
        }
        x = y;
    }
    return x;
}

/// Of a real operator the upper half of the last axis is what a complex to real transform makes of the lower half.
void complete_spectrum(std::vector<Point>& x, const Lengths& lengths) {
    const std::uint64_t n = lengths.back();
    for (std::uint64_t i = 0; i < x.size(); ++i) {
        Index index = index_of(i, lengths);
        if (2 * index.back() <= n) continue;
        std::uint64_t mirror = 0;
        for (std::size_t axis = 0; axis < lengths.size(); ++axis)
            mirror = mirror * lengths[axis] + (lengths[axis] - index[axis]) % lengths[axis];
        x[i] = std::conj(x[mirror]);
    }
}

using Middle = std::function<Point(const Index&, Point)>;

/// One array of the operator without stages at its ends.
std::vector<Point> expected(const SpectralProblem& p, const std::vector<Point>& input, const Middle& middle) {
    std::vector<Point> x(product(p.lengths));
    const auto has = [&](const Index& index, const std::vector<PointRange>& ranges) {
        bool inside = true;
        for (std::size_t i = 0; i < ranges.size(); ++i)
            inside = inside && index[i] >= ranges[i].begin && index[i] < ranges[i].end;
        return inside;
    };
    std::size_t next = 0;
    for (std::uint64_t i = 0; i < x.size(); ++i)
        if (has(index_of(i, p.lengths), p.input)) x[i] = input[next++];
    x = transform(x, p.lengths, -1);
    for (std::uint64_t i = 0; i < x.size(); ++i) {
        const Index index = index_of(i, p.lengths);
        if (p.numbers != SpectralNumbers::real || 2 * index.back() <= p.lengths.back()) x[i] = middle(index, x[i]);
    }
    if (p.numbers == SpectralNumbers::real) complete_spectrum(x, p.lengths);
    x = transform(x, p.lengths, 1);
    std::vector<Point> y;
    for (std::uint64_t i = 0; i < x.size(); ++i) {
        const Point scaled = x[i] * p.scale / static_cast<double>(x.size());
        if (has(index_of(i, p.lengths), p.output))
            y.push_back(p.numbers == SpectralNumbers::real ? Point(scaled.real()) : scaled);
    }
    return y;
}

struct Memory {
    std::vector<Point> values;
    bool is_real = false, is_double = false;

    std::vector<std::byte> bytes() const {
        std::vector<std::byte> all;
        const auto add = [&all](auto number) {
            const auto* begin = reinterpret_cast<const std::byte*>(&number);
            all.insert(all.end(), begin, begin + sizeof number);
        };
        for (const Point& value : values)
            for (int part = 0; part < (is_real ? 1 : 2); ++part) {
                const double number = part == 0 ? value.real() : value.imag();
                is_double ? add(number) : add(static_cast<float>(number));
            }
        return all;
    }
    void read(const std::vector<std::byte>& bytes) {
        const std::size_t size = is_double ? 8 : 4, parts = is_real ? 1 : 2;
        const auto number = [&](std::size_t i) {
            double wide = 0;
            float narrow = 0;
            if (is_double)
                std::memcpy(&wide, bytes.data() + i * size, size);
            else
                std::memcpy(&narrow, bytes.data() + i * size, size);
            return is_double ? wide : static_cast<double>(narrow);
        };
        values.clear();
        for (std::size_t i = 0; i < bytes.size() / (size * parts); ++i)
            values.emplace_back(number(i * parts), is_real ? 0.0 : number(i * parts + 1));
    }
};

std::vector<Point> random_points(std::size_t count, bool is_real) {
    std::mt19937_64 random(count);
    std::uniform_real_distribution<double> uniform(-1, 1);
    std::vector<Point> x(count);
    for (Point& point : x) {
        const double re = static_cast<float>(uniform(random)), im = static_cast<float>(uniform(random));
        point = {re, is_real ? 0.0 : im};
    }
    return x;
}

std::uint64_t points_of(const SpectralProblem& p, const std::vector<PointRange>& ranges) {
    std::uint64_t count = 1;
    for (std::size_t i = 0; i < p.lengths.size(); ++i)
        count *= ranges.empty() ? p.lengths[i] : ranges[i].end - ranges[i].begin;
    return count;
}

/// Executes on the device with the output poisoned before, and compares all arrays of the batch.
void expect_right(const std::string& name, const SpectralProblem& p, const Middle& middle) {
    SCOPED_TRACE(name + ": " + to_string(p) + " | " + p.middle.text);
    const Device device = Device::open(name);
    const SpectralPlan plan(device, p);
    SCOPED_TRACE(plan.report().recipe);
    Memory in, out;
    in.is_double = out.is_double = p.precision == Precision::f64;
    in.is_real = p.numbers != SpectralNumbers::complex;
    out.is_real = p.numbers == SpectralNumbers::real;
    const std::uint64_t count_in = points_of(p, p.input), count_out = points_of(p, p.output);
    in.values = random_points(count_in * p.batch, in.is_real);
    Queue queue = device.create_queue();
    SpectralExecution execution;
    execution.input = device.allocate(plan.input_bytes());
    execution.output = device.allocate(plan.output_bytes());
    if (plan.workspace_bytes() != 0) execution.workspace = device.allocate(plan.workspace_bytes());
    const std::vector<std::byte> given = in.bytes();
    ASSERT_EQ(given.size(), plan.input_bytes());
    queue.upload(execution.input, given.data(), given.size());
    std::vector<std::byte> result(plan.output_bytes(), std::byte{0xff});
    queue.upload(execution.output, result.data(), result.size());
    plan.execute(queue, execution);
    queue.download(result.data(), execution.output, result.size());
    std::vector<std::byte> kept(given.size());
    queue.download(kept.data(), execution.input, kept.size());
    EXPECT_EQ(kept, given);
    out.read(result);
    ASSERT_EQ(out.values.size(), count_out * p.batch);
    for (std::uint64_t b = 0; b < p.batch; ++b) {
        const auto begin = in.values.begin() + static_cast<std::ptrdiff_t>(b * count_in);
        const std::vector<Point> right = expected(p, {begin, begin + static_cast<std::ptrdiff_t>(count_in)}, middle);
        double error = 0, size = 0;
        for (std::uint64_t i = 0; i < count_out; ++i) {
            error += std::norm(out.values[b * count_out + i] - right[i]);
            size += std::norm(right[i]);
        }
        const double unit = p.precision == Precision::f64 ? 0x1p-53 : 0x1p-24;
        EXPECT_LE(std::sqrt(error / size),
                  4 * unit * std::sqrt(std::log2(2.0 * static_cast<double>(product(p.lengths)))))
            << "array " << b;
    }
}

SpectralProblem operator_of(Lengths lengths, SpectralNumbers numbers = SpectralNumbers::real) {
    SpectralProblem p;
    p.lengths = std::move(lengths);
    p.numbers = numbers;
    return p;
}

const std::vector<SpectralNumbers> all_numbers = {SpectralNumbers::real, SpectralNumbers::complex,
                                                  SpectralNumbers::analytic};

/// numpy.fft.fftfreq times n, of the halved axis rfftfreq times n.
double wave_number(const SpectralProblem& p, const Index& index, std::size_t axis) {
    const auto n = static_cast<double>(p.lengths[axis]), i = static_cast<double>(index[axis]);
    const bool is_halved = p.numbers == SpectralNumbers::real && axis + 1 == p.lengths.size();
    return is_halved || 2 * i < n ? i : i - n;
}

TEST(SpectralText, IsReadAndWritten) {
    const std::string text = "40x30 analytic f64 storage=f32 batch=3 input=0-4,2-30 output=1-40,0-30 scale=0.5";
    const SpectralProblem rich = parse_spectral(text);
    EXPECT_EQ(rich.lengths, (Lengths{40, 30}));
    EXPECT_EQ(rich.numbers, SpectralNumbers::analytic);
    EXPECT_EQ(rich.precision, Precision::f64);
    EXPECT_EQ(rich.storage, Storage::f32);
    EXPECT_EQ(rich.batch, 3u);
    EXPECT_EQ(rich.input, (std::vector<PointRange>{{0, 4}, {2, 30}}));
    EXPECT_EQ(rich.output, (std::vector<PointRange>{{1, 40}, {0, 30}}));
    EXPECT_EQ(rich.scale, 0.5);
    EXPECT_EQ(to_string(rich), text);
    EXPECT_EQ(to_string(parse_spectral("7 batch=1 scale=1")), "7 real f32");
    const auto refused = [](const std::string& wrong, const std::string& says) {
        try {
            parse_spectral(wrong);
            ADD_FAILURE() << wrong << " was taken";
        } catch (const InvalidProblem& error) {
            EXPECT_NE(std::string(error.what()).find(says), std::string::npos) << error.what();
        }
    };
    refused("", "spectral text: expected one such as \"256x256 real f32\"");
    refused("8x real", "at \"8x\": expected lengths such as");
    refused("8 real complex", "at \"complex\": expected numbers once, after \"real\"");
    refused("8 input=0-4,3", "at \"input=0-4,3\": expected a range for each axis");
    refused("8 input=0-4-5", "expected a range");
    refused("8 batch=+3", "at \"batch=+3\": expected a whole number");
    refused("8 storage=f8", "expected f16, bf16, f32 or f64");
    refused("8 planar", "at \"planar\": expected real, complex, analytic");
    refused("8 kept=0-4", "at \"kept=0-4\": expected a range for each axis, such as -16:16,0:16");
    refused("8 kept=-4:4:5", "expected a range for each axis");
    refused("8 kept=0:4 kept=0:5", "expected kept once, after \"kept=0:4\"");
    refused("8 channels=3", "at \"channels=3\": expected counts of inputs and outputs, such as 32x32");
    refused("8 channels=3x4294967296", "expected counts of inputs and outputs");
    refused("8 channels=-3x3", "expected counts of inputs and outputs");
    refused("8 kinds=dst5", "at \"kinds=dst5\": expected a kind for each axis");
    refused("8 part=half", "at \"part=half\": expected whole, forward, inverse or gradient");
    refused("8 sums=f32", "at \"sums=f32\": expected");
}

/// Fields at random, whether or not they make sense together: all but the stages come back.
TEST(SpectralText, OfAnyProblemIsReadAsItWasWritten) {
    std::mt19937_64 random(58);
    const auto below = [&random](std::uint64_t most) { return random() % most; };
    for (int round = 0; round < 500; ++round) {
        SpectralProblem p;
        const std::size_t rank = 1 + below(4);
        for (std::size_t i = 0; i < rank; ++i) p.lengths.push_back(1 + below(std::uint64_t{1} << (1 + below(30))));
        const auto points = [&] { return PointRange{below(50), below(1000000)}; };
        if (below(2) == 0) std::generate_n(std::back_inserter(p.input), rank, points);
        if (below(2) == 0) std::generate_n(std::back_inserter(p.output), rank, points);
        const auto modes = [&] {
            return ModeRange{static_cast<std::int64_t>(below(100)) - 50, 60 - static_cast<std::int64_t>(below(100))};
        };
        if (below(2) == 0) std::generate_n(std::back_inserter(p.kept), rank, modes);
        if (below(2) == 0)
            p.channels = {static_cast<std::uint32_t>(below(9)), static_cast<std::uint32_t>(1 + below(UINT32_MAX))};
        p.channels.adjoint = below(2) == 0;
        const auto kind = [&] { return static_cast<SpectralAxisKind>(below(9)); };
        if (below(2) == 0) std::generate_n(std::back_inserter(p.kinds), rank, kind);
        p.order = static_cast<SpectralOrder>(below(2));
        p.sums_in_f64 = below(2) == 0;
        p.part = static_cast<SpectralPart>(below(4));
        p.numbers = static_cast<SpectralNumbers>(below(3));
        p.scale =
            below(2) == 0 ? 1.0 : std::ldexp(static_cast<double>(random()) - 0x1p63, -static_cast<int>(below(100)));
        p.batch = below(3) == 0 ? 1 : random();
        p.precision = below(2) == 0 ? Precision::f32 : Precision::f64;
        p.storage = static_cast<Storage>(below(5));
        const std::string text = to_string(p);
        SCOPED_TRACE(text);
        const SpectralProblem again = parse_spectral(text);
        EXPECT_EQ(to_string(again), text);
        EXPECT_TRUE(again.lengths == p.lengths && again.input == p.input && again.output == p.output &&
                    again.kept == p.kept && again.channels == p.channels && again.numbers == p.numbers &&
                    again.scale == p.scale && again.batch == p.batch && again.precision == p.precision &&
                    again.storage == p.storage && again.kinds == p.kinds && again.order == p.order &&
                    again.sums_in_f64 == p.sums_in_f64 && again.part == p.part);
    }
}

TEST(Spectral, WithoutStagesItIsAScale) {
    for (const char* device : {"reference", "cpu"})
        for (const SpectralNumbers numbers : all_numbers)
            for (const Lengths& lengths : std::vector<Lengths>{{1}, {2}, {24}, {17}, {1, 6}, {6, 1}, {5, 1, 4}}) {
                SpectralProblem p = operator_of(lengths, numbers);
                p.batch = 3;
                p.scale = 0.75;
                expect_right(device, p, [](const Index&, Point value) { return value; });
            }
}

TEST(Spectral, MiddleSeesEachBinOnce) {
    for (const char* device : {"reference", "cpu"})
        for (const SpectralNumbers numbers : all_numbers)
            for (const Lengths& lengths : std::vector<Lengths>{
                     {2}, {3}, {30}, {101}, {178}, {8, 2}, {7, 9}, {16, 12}, {3, 4, 5}, {4, 6, 8}, {4, 103}}) {
                SpectralProblem p = operator_of(lengths, numbers);
                p.batch = 2;
                std::string sum = "1 + 3 * k0";
                for (std::size_t i = 1; i < lengths.size(); ++i)
                    sum += " + " + std::to_string(3 + 2 * i) + " * k" + std::to_string(i);
                p.middle = "return value * complex(" + sum + ", i0 + 2);";
                expect_right(device, p, [&p](const Index& index, Point value) {
                    double re = 1 + 3 * wave_number(p, index, 0);
                    for (std::size_t i = 1; i < index.size(); ++i)
                        re += (3 + 2 * static_cast<double>(i)) * wave_number(p, index, i);
                    return value * Point(re, static_cast<double>(index[0]) + 2);
                });
            }
}

/// Rows of several passes, primes in convolutions of their own, planes that share a kernel elsewhere.
TEST(Spectral, AnyLength) {
    for (const char* device : {"reference", "cpu"})
        for (const Lengths& lengths :
             std::vector<Lengths>{{1009}, {2 * 1009}, {331, 3}, {3, 331}, {2048}, {16, 100}, {30, 20, 4}}) {
            for (const SpectralNumbers numbers : {SpectralNumbers::real, SpectralNumbers::complex}) {
                SpectralProblem p = operator_of(lengths, numbers);
                p.middle = "return value * exp(0 - abs(k0) / n0);";
                expect_right(device, p, [&p](const Index& index, Point value) {
                    return value * std::exp(-std::abs(wave_number(p, index, 0)) / static_cast<double>(p.lengths[0]));
                });
            }
        }
}

/// Where an axis takes several passes, bins are the results of the last one: a shift puts each point in its place.
TEST(Spectral, LongAxesKnowTheirBins) {
    constexpr std::uint64_t shift = 5;
    for (const auto& [name, n] :
         {std::pair{"reference", std::uint64_t{1} << 15}, std::pair{"cpu", std::uint64_t{1} << 18}})
        for (const SpectralNumbers numbers : {SpectralNumbers::complex, SpectralNumbers::real}) {
            SpectralProblem p = operator_of({n}, numbers);
            p.middle =
                "let turn = 2 * mod(i0 * 5, n0) / n0;"
                "return k0 < n0 ? value * complex(cospi(turn), -sinpi(turn)) : 0;";
            const Device device = Device::open(name);
            const SpectralPlan plan(device, p);
            SCOPED_TRACE(std::string(name) + ": " + plan.report().recipe);
            EXPECT_GE(plan.report().kernels.size(), 3u);
            const auto expect_shifted = [&](const auto& x) {
                using Number = typename std::decay_t<decltype(x)>::value_type;
                const auto y = plan.apply<Number>(x);
                for (std::uint64_t i = 0; i < n; ++i) ASSERT_LE(std::abs(y[(i + shift) % n] - x[i]), 1e-5) << i;
            };
            const std::vector<Point> points = random_points(n, numbers == SpectralNumbers::real);
            if (numbers == SpectralNumbers::complex) {
                expect_shifted(std::vector<std::complex<float>>(points.begin(), points.end()));
            } else {
                std::vector<float> x;
                for (const Point& point : points) x.push_back(static_cast<float>(point.real()));
                expect_shifted(x);
            }
        }
}

TEST(Spectral, RangesAreAllThatIsThere) {
    for (const char* device : {"reference", "cpu"})
        for (const SpectralNumbers numbers : all_numbers) {
            SpectralProblem p = operator_of({12, 20}, numbers);
            p.input = {{0, 7}, {3, 20}};
            p.output = {{5, 12}, {0, 9}};
            p.middle = "return value * complex(0, k0 + k1);";
            p.batch = 2;
            expect_right(device, p, [&p](const Index& index, Point value) {
                return value * Point(0, wave_number(p, index, 0) + wave_number(p, index, 1));
            });
            SpectralProblem row = operator_of({101}, numbers);
            row.input = {{10, 90}};
            row.output = {{0, 33}};
            expect_right(device, row, [](const Index&, Point value) { return value; });
        }
}

/// Whose rows, columns and rows back are one kernel on a GPU.
SpectralProblem plane_of(const Lengths& lengths, SpectralNumbers numbers, Precision precision) {
    SpectralProblem p = operator_of(lengths, numbers);
    p.precision = precision;
    p.middle = "return value * complex(3 + k0 + 2 * k1, 1 + i0 - i1);";
    return p;
}

void expect_plane_on_chip(const SpectralProblem& p, std::size_t kernels = 1) {
    expect_right("reference", p, [&p](const Index& index, Point value) {
        const double i0 = static_cast<double>(index[0]), i1 = static_cast<double>(index[1]);
        return value * Point(3 + wave_number(p, index, 0) + 2 * wave_number(p, index, 1), 1 + i0 - i1);
    });
    EXPECT_EQ(SpectralPlan(Device::open("reference"), p).report().kernels.size(), kernels) << to_string(p);
}

TEST(Spectral, PlanesAreOneKernel) {
    for (const Lengths& lengths :
         std::vector<Lengths>{{2, 3}, {8, 8}, {16, 32}, {9, 7}, {27, 35}, {60, 68}, {48, 20}, {64, 64}})
        for (const SpectralNumbers numbers : {SpectralNumbers::real, SpectralNumbers::complex})
            for (const Precision precision : {Precision::f32, Precision::f64})
                for (const std::uint64_t batch : {1u, 7u}) {
                    SpectralProblem p = plane_of(lengths, numbers, precision);
                    p.batch = batch;
                    expect_plane_on_chip(p);
                }
}

/// What a plane's axes keep from their first point on is moved through the same kernel; else there are three.
TEST(Spectral, PlanesOfRangesAreOneKernel) {
    for (const SpectralNumbers numbers : {SpectralNumbers::real, SpectralNumbers::complex}) {
        SpectralProblem p = plane_of({24, 20}, numbers, Precision::f32);
        p.batch = 3;
        p.input = {{0, 13}, {4, 17}};
        p.output = {{0, 9}, {1, 20}};
        expect_plane_on_chip(p);
        p.output[0] = {2, 24};
        expect_plane_on_chip(p, 3);
    }
}

TEST(Spectral, DoublesAndHalvesInMemory) {
    SpectralProblem p = operator_of({40, 36});
    p.precision = Precision::f64;
    p.middle = "return k0 == 0 && k1 == 0 ? 0 : 0 - value / (k0 * k0 + k1 * k1);";
    for (const char* device : {"reference", "cpu"})
        expect_right(device, p, [&p](const Index& index, Point value) {
            const double k0 = wave_number(p, index, 0), k1 = wave_number(p, index, 1);
            return k0 == 0 && k1 == 0 ? Point() : -value / (k0 * k0 + k1 * k1);
        });
}

TEST(Spectral, StagesNameWhatTheyShare) {
    for (const char* name : {"reference", "cpu"})
        for (const Lengths& lengths : std::vector<Lengths>{{24}, {6, 8}, {101}}) {
            const std::uint64_t n = product(lengths);
            SpectralProblem p = operator_of(lengths);
            const std::string place = lengths.size() == 1 ? "i0" : "i0 * n1 + i1";
            p.load = "return value * weight[" + place + "] + shift;";
            p.load.buffers = {{"weight", StageType::f32, n}};
            p.load.scalars = {{"shift", StageType::f32}};
            p.middle = "return value * weight[i0] * shift;";
            p.middle.buffers = p.load.buffers;
            p.middle.scalars = p.load.scalars;
            p.store =
                "store level[batch * " + std::to_string(n) + " + " + place + "] = value * value; return value + 1;";
            p.store.buffers = {{"level", StageType::f32, 2 * n}};
            p.batch = 2;
            SCOPED_TRACE(std::string(name) + " " + to_string(p));
            const Device device = Device::open(name);
            const SpectralPlan plan(device, p);
            Queue queue = device.create_queue();
            std::vector<float> x(2 * n), weight(n), y(2 * n, std::nanf("")), level(2 * n, std::nanf(""));
            for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 13) - 6;
            for (std::size_t i = 0; i < n; ++i) weight[i] = static_cast<float>(i % 5) - 1;
            const auto buffer = [&](const std::vector<float>& values) {
                Buffer made = device.allocate(4 * values.size());
                queue.upload(made, values.data(), 4 * values.size());
                return made;
            };
            SpectralExecution e;
            e.input = buffer(x);
            e.output = buffer(y);
            if (plan.workspace_bytes() != 0) e.workspace = device.allocate(plan.workspace_bytes());
            const Buffer levels = buffer(level);
            e.stage_buffers = {{"level", levels}, {"weight", buffer(weight)}};
            e.stage_scalars = {{"shift", 0.5}};
            plan.execute(queue, e);
            queue.download(y.data(), e.output, 4 * y.size());
            queue.download(level.data(), levels, 4 * level.size());
            for (std::uint64_t b = 0; b < 2; ++b) {
                std::vector<Point> loaded;
                for (std::uint64_t i = 0; i < n; ++i) loaded.emplace_back(x[b * n + i] * weight[i] + 0.5f);
                const std::vector<Point> right = expected(p, loaded, [&](const Index& index, Point value) {
                    return value * static_cast<double>(weight[index[0]]) * 0.5;
                });
                for (std::uint64_t i = 0; i < n; ++i) {
                    EXPECT_NEAR(y[b * n + i], right[i].real() + 1, 1e-4);
                    EXPECT_NEAR(level[b * n + i], right[i].real() * right[i].real(), 2e-3);
                }
            }
        }
}

TEST(Spectral, AppliesToHostDataAndIsSaved) {
    const Device device = Device::open("cpu");
    SpectralProblem p = operator_of({16}, SpectralNumbers::analytic);
    p.middle = "return k0 < 0 || 2 * i0 == n0 ? 0 : i0 == 0 ? value : gain * value;";
    p.middle.scalars = {{"gain", StageType::f32}};
    const SpectralPlan plan(device, p);
    std::vector<float> x(16);
    for (std::size_t i = 0; i < 16; ++i) x[i] = static_cast<float>(std::cos(2 * pi * 3 * static_cast<double>(i) / 16));
    for (const SpectralPlan& one : {plan, SpectralPlan::load(device, plan.save())}) {
        const auto y = one.apply<std::complex<float>>(x, {{"gain", 2.0}});
        for (std::size_t i = 0; i < 16; ++i)
            EXPECT_NEAR(
                std::abs(std::complex<double>(y[i]) - std::polar(1.0, 2 * pi * 3 * static_cast<double>(i) / 16)), 0,
                1e-6);
        EXPECT_EQ(one.problem().middle, p.middle);
    }
}

// ---- How much is moved

TEST(SpectralBytes, RowsAreOneRoundTrip) {
    for (const char* name : {"reference", "cpu"}) {
        const DeviceLimits limits = Device::open(name).limits();
        for (const SpectralNumbers numbers : all_numbers) {
            SpectralProblem p = operator_of({1024}, numbers);
            p.batch = 4;
            p.middle = "return value / (1 + k0);";
            const std::vector<AnalysisReport> kernels = analyse(p, limits);
            ASSERT_EQ(kernels.size(), 1u);
            EXPECT_EQ(kernels[0].bytes_read, 4096u * (numbers == SpectralNumbers::complex ? 8 : 4));
            EXPECT_EQ(kernels[0].bytes_written, 4096u * (numbers == SpectralNumbers::real ? 4 : 8));
            EXPECT_EQ(kernels[0].races + kernels[0].out_of_bounds + kernels[0].uninitialised_reads, 0u);
        }
    }
}

TEST(SpectralBytes, PlanesAreOneRoundTrip) {
    for (const SpectralNumbers numbers : {SpectralNumbers::real, SpectralNumbers::complex})
        for (const Precision precision : {Precision::f32, Precision::f64})
            for (const Lengths& lengths : std::vector<Lengths>{{32, 32}, {27, 35}, {60, 42}, {90, 84}}) {
                SpectralProblem p = plane_of(lengths, numbers, precision);
                p.batch = 2;
                const std::uint64_t bins = numbers == SpectralNumbers::complex ? lengths[1] : lengths[1] / 2 + 1;
                p.middle = "return value * response[i0 * " + std::to_string(bins) + " + i1];";
                p.middle.buffers = {{"response", StageType::f32, lengths[0] * bins}};
                SCOPED_TRACE(to_string(p));
                DeviceLimits limits = Device::open("reference").limits();
                limits.compute_units = 2;
                const std::vector<AnalysisReport> kernels = analyse(p, limits);
                const bool is_large =
                    product(lengths) > 4096 && (numbers == SpectralNumbers::real || precision == Precision::f64);
                ASSERT_EQ(kernels.size(), is_large ? 3u : 1u);
                if (is_large) continue;
                const std::uint64_t bytes = 2 * product(lengths) * (numbers == SpectralNumbers::complex ? 2 : 1) *
                                            (precision == Precision::f64 ? 8 : 4);
                EXPECT_EQ(kernels[0].bytes_read, bytes + 2 * 4 * lengths[0] * bins);
                EXPECT_EQ(kernels[0].bytes_written, bytes);
                EXPECT_EQ(kernels[0].races + kernels[0].out_of_bounds + kernels[0].uninitialised_reads, 0u);
            }
}

/// Each further axis is one trip each way; the spectrum is not moved for the middle.
TEST(SpectralBytes, LastAxisAndMiddleAreOneKernel) {
    SpectralProblem p = operator_of({32, 32, 32});
    p.middle = "let k = k0 * k0 + k1 * k1 + k2 * k2; return k == 0 ? 0 : value / k;";
    const std::vector<AnalysisReport> kernels = analyse(p, Device::open("reference").limits());
    ASSERT_LE(kernels.size(), 5u);
    std::uint64_t moved = 0;
    for (const AnalysisReport& kernel : kernels) {
        moved += kernel.bytes_read + kernel.bytes_written;

        EXPECT_EQ(kernel.races + kernel.out_of_bounds + kernel.uninitialised_reads, 0u);
    }
    const std::uint64_t real = 4ull * 32 * 32 * 32, bins = 8ull * 32 * 32 * 17;
    // A c2r reads the bin in the middle of half a row twice.
    EXPECT_LE(moved, 2 * real + 8 * bins + 8ull * 32 * 32);
}

// ---- Mistakes

template <class Error = InvalidProblem>
void expect_line(const std::function<void()>& action, const std::string& line) {
    try {
        action();
        ADD_FAILURE() << "expected '" << line << "'";
    } catch (const Error& error) {
        const std::string what = error.what();
        EXPECT_EQ(what.substr(what.find(": ") + 2), line);
    }
}

void expect_refused(const std::function<void(SpectralProblem&)>& change, const std::string& line) {
    SpectralProblem p = operator_of({8, 6});
    change(p);
    expect_line([&] { (void)inspect(p, Device::open("reference").limits()); }, line);
}

TEST(Spectral, RefusesInOneLine) {
    expect_refused([](SpectralProblem& p) { p.lengths = {}; }, "spectral.lengths: expected at least one, got none");
    expect_refused([](SpectralProblem& p) { p.lengths = {8, 0}; }, "spectral.lengths[1]: expected 1 to 2^30, got 0");
    expect_refused(
        [](SpectralProblem& p) {
            p.input = {{0, 8}};
        },
        "spectral.input: expected a range for each of 2 axes, or none, got 1");
    expect_refused(
        [](SpectralProblem& p) {
            p.output = {{0, 8}, {3, 7}};
        },
        "spectral.output[1]: expected begin below end, and end at most 6, got 3 to 7");
    expect_refused([](SpectralProblem& p) { p.precision = Precision::f64x2; },
                   "spectral.precision: expected f32 or f64, which stages compute in, got f64x2");
    expect_refused([](SpectralProblem& p) { p.middle = "store a[0] = 1; return value;"; },
                   "spectral.middle: line 1, column 7: expected no store in a middle stage, got 'a'");
    expect_refused([](SpectralProblem& p) { p.middle = "let x = k2;"; },
                   "spectral.middle: line 1, column 9: expected k0 to k1, got 'k2'");
    expect_refused([](SpectralProblem& p) { p.middle = "let x = 1;"; },
                   "spectral.middle: line 1, column 11: expected a return, got the end of the text");
    expect_refused(
        [](SpectralProblem& p) {
            p.middle = "return value * h[i0 * n1 + i1];";
            p.middle.buffers = {{"h", StageType::f32, 40}};
        },
        "spectral.middle: line 1, column 26: expected an index from 0 to 39 into 'h', got one from 0 to 45");
    expect_refused([](SpectralProblem& p) { p.load = "return k0;"; },
                   "spectral.load: line 1, column 8: expected a name that is declared, got 'k0'");
    expect_refused(
        [](SpectralProblem& p) { p.load = "return complex(value, 1);"; },
        "spectral.load: line 1, column 8: expected a real number to return, because the array is real, got a "
        "complex number");
    expect_refused(
        [](SpectralProblem& p) {
            p.load = "return value * h[0];";
            p.load.buffers = {{"h", StageType::f32, 40}};
            p.middle = "return value * h[0];";
            p.middle.buffers = {{"h", StageType::f32, 41}};
        },
        "spectral.middle.buffers[0]: expected 'h' of 40 x f32 as the load stage has it, got 41 x f32");
    expect_refused([](SpectralProblem& p) { p.scale = std::nan(""); },
                   "spectral.scale: expected a finite number, got nan");
}

TEST(Spectral, RefusesTuningsThatNoOperatorHas) {
    Tuning tuning;
    tuning.groups_per_cluster = 4;
    expect_line<Unsupported>([&] { (void)inspect(operator_of({64}), Device::open("reference").limits(), tuning); },
                             "tuning.groups_per_cluster: expected 0 for a spectral operator, got 4");
}

TEST(Spectral, RefusesWrongArguments) {
    const Device device = Device::open("cpu");
    SpectralProblem p = operator_of({8});
    p.middle = "return value * h[i0];";
    p.middle.buffers = {{"h", StageType::f32, 5}};
    const SpectralPlan plan(device, p);
    Queue queue = device.create_queue();
    SpectralExecution e;
    e.input = device.allocate(32);
    e.output = device.allocate(32);
    const auto execute = [&] { plan.execute(queue, e); };
    expect_line(execute, "execution.stage_buffers 'h': expected a buffer of at least 20 bytes, got none");
    e.stage_buffers = {{"h", device.allocate(16)}};
    expect_line(execute, "execution.stage_buffers 'h': expected at least 20 bytes from byte 0 on, got a buffer of 16");
    e.stage_buffers = {{"g", device.allocate(20)}};
    expect_line(execute,
                "execution.stage_buffers 'g': expected a name that a stage of the problem declares, got another");
    e.stage_buffers = {{"h", e.output}};
    EXPECT_THROW(execute(), InvalidProblem);
    e.stage_buffers = {{"h", device.allocate(20)}};
    execute();
    e.output = e.input;
    EXPECT_THROW(execute(), InvalidProblem);
    EXPECT_THROW(SpectralPlan().report(), InvalidProblem);
    expect_line(
        [&] {
            plan.run({nullptr, 7, HostElement::f32}, HostElement::f32, nullptr);
        },
        "input: expected 8 elements, got 7");
}

}  // namespace
