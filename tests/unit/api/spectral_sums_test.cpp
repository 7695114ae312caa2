// Sums over the bins of spectral operators against double precision: of any length, numbers and kept modes, on the
// interpreter and on the processor; their bits, their bytes, and what is refused.
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
using Lengths = std::vector<std::uint64_t>;

constexpr double pi = 3.14159265358979323846;
constexpr const char* devices[] = {"reference", "cpu"};

std::uint64_t product(const Lengths& lengths) {
    std::uint64_t all = 1;
    for (const std::uint64_t length : lengths) all *= length;
    return all;
}

/// One axis after the other; in time the square of an axis's length.
std::vector<Point> spectrum_of(std::vector<Point> x, const Lengths& lengths) {
    std::uint64_t stride = 1;
    for (std::size_t axis = lengths.size(); axis-- > 0; stride *= lengths[axis]) {
        const std::uint64_t n = lengths[axis];
        std::vector<Point> roots(n), y(x.size());
        for (std::uint64_t k = 0; k < n; ++k)
            roots[k] = std::polar(1.0, -2 * pi * static_cast<double>(k) / static_cast<double>(n));
        for (std::uint64_t i = 0; i < x.size(); ++i) {
            const std::uint64_t k = i / stride % n, first = i - k * stride;
            for (std::uint64_t j = 0; j < n; ++j) y[i] += x[first + j * stride] * roots[j * k % n];
        }
        x = y;
    }
    return x;
}

/// Of each axis, in the whole spectrum.
std::vector<double> wave_numbers(std::uint64_t bin, const Lengths& lengths) {
    std::vector<double> k(lengths.size());
    for (std::size_t i = lengths.size(); i-- > 0; bin /= lengths[i]) {
        const auto n = static_cast<double>(lengths[i]), index = static_cast<double>(bin % lengths[i]);
        k[i] = 2 * index < n ? index : index - n;
    }
    return k;
}

/// Of the whole spectrum, of every channel.
using Term = std::function<double(const std::vector<double>& k, Point value)>;
std::vector<double> sums_of(const SpectralProblem& p, const std::vector<Point>& x, const std::vector<Term>& terms) {
    std::vector<double> sums(terms.size());
    const std::uint64_t points = product(p.lengths);
    for (std::uint64_t first = 0; first < x.size(); first += points) {
        const auto begin = x.begin() + static_cast<std::ptrdiff_t>(first);
        const auto bins = spectrum_of({begin, begin + static_cast<std::ptrdiff_t>(points)}, p.lengths);
        for (std::uint64_t i = 0; i < points; ++i)
            for (std::size_t s = 0; s < terms.size(); ++s) sums[s] += terms[s](wave_numbers(i, p.lengths), bins[i]);
    }
    return sums;
}

/// What an execution gives.
struct Result {
    std::vector<std::byte> output, sums;
};

std::vector<double> numbers_of(const std::vector<std::byte>& bytes, bool is_double) {
    std::vector<double> numbers;
    for (std::size_t at = 0; at < bytes.size(); at += is_double ? 8 : 4) {
        double wide = 0;
        float narrow = 0;
        is_double ? std::memcpy(&wide, &bytes[at], 8) : std::memcpy(&narrow, &bytes[at], 4);
        numbers.push_back(is_double ? wide : static_cast<double>(narrow));
    }
    return numbers;
}

std::vector<std::byte> bytes_of(const std::vector<Point>& x, bool is_real, bool is_double) {
    std::vector<std::byte> bytes;
    const auto add = [&](auto number) {
        const auto* begin = reinterpret_cast<const std::byte*>(&number);
        bytes.insert(bytes.end(), begin, begin + sizeof number);
    };
    for (const Point& point : x)
        for (int part = 0; part < (is_real ? 1 : 2); ++part) {
            const double number = part == 0 ? point.real() : point.imag();
            is_double ? add(number) : add(static_cast<float>(number));
        }
    return bytes;
}

std::vector<Point> random_points(std::uint64_t count, bool is_real) {
    std::mt19937_64 random(count);
    std::uniform_real_distribution<float> uniform(-1, 1);
    std::vector<Point> x(count);
    for (Point& point : x) {
        const float re = uniform(random), im = uniform(random);
        point = {re, is_real ? 0.0f : im};
    }
    return x;
}

Result execute(const SpectralPlan& plan, const std::vector<std::byte>& input, std::uint64_t batch) {
    const Device& device = plan.device();
    Queue queue = device.create_queue();
    SpectralExecution e;
    e.batch = batch;
    e.input = device.allocate(plan.input_bytes(batch));
    e.output = device.allocate(plan.output_bytes(batch));
    if (plan.workspace_bytes(batch) != 0) e.workspace = device.allocate(plan.workspace_bytes(batch));
    if (plan.weight_bytes() != 0) {
        std::vector<float> weights(plan.weight_bytes() / sizeof(float), 1.0f);
        e.weights = device.allocate(plan.weight_bytes());
        queue.upload(e.weights, weights.data(), plan.weight_bytes());
    }
    e.sums = device.allocate(plan.sum_bytes(batch));
    Result result{std::vector<std::byte>(plan.output_bytes(batch)),
                  std::vector<std::byte>(plan.sum_bytes(batch), std::byte{0xff})};
    queue.upload(e.input, input.data(), plan.input_bytes(batch));
    queue.upload(e.sums, result.sums.data(), result.sums.size());
    plan.execute(queue, e);
    queue.download(result.output.data(), e.output, result.output.size());
    queue.download(result.sums.data(), e.sums, result.sums.size());
    return result;
}

struct Stated {
    std::string text;
    std::vector<Term> terms;
};

/// Three sums of which one counts bins, and an output that is half of the input.
Stated three_sums() {
    return {
        "sum energy = norm(value); let w = 1 + k0 * k0; sum virial = w * norm(value); sum bins = 1;"
        "return value / 2;",
        {[](const auto&, Point value) { return std::norm(value); },
         [](const auto& k, Point value) { return (1 + k[0] * k[0]) * std::norm(value); },
         [](const auto&, Point) { return 1.0; }}};
}

void expect_right(const std::string& name, SpectralProblem p) {
    const Stated stated = three_sums();
    p.middle = stated.text;
    SCOPED_TRACE(name + ": " + to_string(p));
    const SpectralPlan plan(Device::open(name), p);
    SCOPED_TRACE(plan.report().recipe);
    const bool is_real = p.numbers != SpectralNumbers::complex, is_double = p.precision == Precision::f64;
    const std::uint64_t channels = std::max(1u, p.channels.inputs), points = channels * product(p.lengths);
    const std::vector<Point> x = random_points(p.batch * points, is_real);
    const Result result = execute(plan, bytes_of(x, is_real, is_double), p.batch);
    EXPECT_EQ(plan.sum_names(), (std::vector<std::string>{"energy", "virial", "bins"}));
    const std::vector<double> sums = numbers_of(result.sums, is_double || p.sums_in_f64);
    ASSERT_EQ(sums.size(), 3 * p.batch);
    for (std::uint64_t b = 0; b < p.batch; ++b) {
        const auto begin = x.begin() + static_cast<std::ptrdiff_t>(b * points);
        const std::vector<double> right =
            sums_of(p, {begin, begin + static_cast<std::ptrdiff_t>(points)}, stated.terms);
        for (std::size_t s = 0; s < 3; ++s)
            EXPECT_NEAR(sums[3 * b + s], right[s], right[s] * (is_double ? 4e-15 : 2e-6)) << "sum " << s;
        EXPECT_EQ(sums[3 * b + 2], right[2]);
    }
    if (p.numbers == SpectralNumbers::analytic || p.channels.inputs != 0) return;
    const std::vector<double> y = numbers_of(result.output, is_double);
    for (std::size_t i = 0; i < x.size(); ++i)
        ASSERT_NEAR(y[is_real ? i : 2 * i], x[i].real() / 2, is_double ? 1e-14 : 1e-5) << i;
}

SpectralProblem operator_of(Lengths lengths, SpectralNumbers numbers, std::uint64_t batch) {
    SpectralProblem p;
    p.lengths = std::move(lengths);
    p.numbers = numbers;
    p.batch = batch;
    return p;
}

const std::vector<SpectralNumbers> all_numbers = {SpectralNumbers::real, SpectralNumbers::complex,
                                                  SpectralNumbers::analytic};

TEST(SpectralSums, AreOverTheWholeSpectrum) {
    for (const char* device : devices)
        for (const SpectralNumbers numbers : all_numbers)
            for (const Lengths& lengths : std::vector<Lengths>{{1},
                                                               {2},
                                                               {24},
                                                               {17},
                                                               {101},
                                                               {178},
                                                               {8, 2},
                                                               {7, 9},
                                                               {16, 12},
                                                               {3, 4, 5},
                                                               {4, 6, 8},
                                                               {4, 103},
                                                               {6, 1},
                                                               {1, 6}})
                expect_right(device, operator_of(lengths, numbers, 3));
}

TEST(SpectralSums, OfLongAxesAndManyRows) {
    for (const char* device : devices)
        for (const Lengths& lengths : std::vector<Lengths>{{1009}, {4096}, {331, 3}, {3, 331}, {64, 40}, {30, 20, 14}})
            for (const SpectralNumbers numbers : {SpectralNumbers::real, SpectralNumbers::complex})
                expect_right(device, operator_of(lengths, numbers, lengths.size() == 1 ? 5 : 1));
}

TEST(SpectralSums, InDoubles) {
    for (const char* device : devices)
        for (const Lengths& lengths : std::vector<Lengths>{{24}, {101}, {12, 10}, {6, 5, 8}}) {
            SpectralProblem p = operator_of(lengths, SpectralNumbers::real, 2);
            p.precision = Precision::f64;
            expect_right(device, p);
        }
}

/// What doubles keep and floats lose: ones beside a large number.
TEST(SpectralSums, InDoublesOfFloats) {
    for (const char* device : devices)
        for (const Lengths& lengths : std::vector<Lengths>{{250}, {20, 15}, {8, 9, 10}, {263}}) {
            SpectralProblem p = operator_of(lengths, SpectralNumbers::complex, 2);
            p.sums_in_f64 = true;
            expect_right(device, p);
            p.middle = "sum ones = i0 == 0 ? 1.0e8 : 1.0; return value;";
            const SpectralPlan plan(Device::open(device), p);
            const std::vector<Point> x(2 * product(lengths));
            const std::vector<double> sums = numbers_of(execute(plan, bytes_of(x, false, false), 2).sums, true);
            const double rows = static_cast<double>(product(lengths) / lengths[0]);
            const double right = 1e8 * rows + static_cast<double>(product(lengths)) - rows;
            EXPECT_EQ(sums, (std::vector<double>{right, right})) << device;
        }
}

TEST(SpectralSums, OfKeptModesAndChannels) {
    for (const char* device : devices) {
        SpectralProblem p = operator_of({12, 10}, SpectralNumbers::real, 2);
        p.kept = {{-3, 3}, {0, 4}};
        p.channels = {2, 3};
        const Stated stated = three_sums();
        p.middle = stated.text;
        SCOPED_TRACE(device);
        const SpectralPlan plan(Device::open(device), p);
        const std::vector<Point> x = random_points(2 * 2 * 120, true);
        const std::vector<double> sums = numbers_of(execute(plan, bytes_of(x, true, false), 2).sums, false);
        std::vector<Term> kept;
        for (const Term& term : stated.terms)
            kept.push_back([term](const std::vector<double>& k, Point value) {
                // The mirrors of those that are kept count too; of column 0 each bin is there itself.
                const bool is_there = k[1] == 0  ? k[0] >= -3 && k[0] < 3
                                      : k[1] > 0 ? k[0] >= -3 && k[0] < 3 && k[1] < 4
                                                 : -k[0] >= -3 && -k[0] < 3 && -k[1] < 4;
                return is_there ? term(k, value) : 0.0;
            });
        for (std::uint64_t b = 0; b < 2; ++b) {
            const auto begin = x.begin() + static_cast<std::ptrdiff_t>(b * 240);
            const std::vector<double> right = sums_of(p, {begin, begin + 240}, kept);
            for (std::size_t s = 0; s < 3; ++s) EXPECT_NEAR(sums[3 * b + s], right[s], 2e-6 * right[s]) << s;
        }
    }
}

TEST(SpectralSums, HaveTheSameBitsInAnyBatch) {
    for (const char* device : devices)
        for (const Lengths& lengths : std::vector<Lengths>{{60}, {101}, {16, 12}, {4, 5, 6}}) {
            SpectralProblem p = operator_of(lengths, SpectralNumbers::real, 5);
            p.middle = three_sums().text;
            const SpectralPlan plan(Device::open(device), p);
            const std::vector<std::byte> input = bytes_of(random_points(5 * product(lengths), true), true, false);
            const Result all = execute(plan, input, 5);
            for (std::size_t b = 0; b < 5; ++b) {
                const std::size_t own = input.size() / 5, sums = all.sums.size() / 5;
                const auto part = [b](const std::vector<std::byte>& bytes, std::size_t size) {
                    const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(b * size);
                    return std::vector<std::byte>(begin, begin + static_cast<std::ptrdiff_t>(size));
                };
                EXPECT_EQ(execute(plan, part(input, own), 1).sums, part(all.sums, sums)) << device << " array " << b;
            }
        }
}

/// A NaN stays in its own array.
TEST(SpectralSums, KeepArraysApart) {
    for (const char* device : devices)
        for (const Lengths& lengths : std::vector<Lengths>{{60}, {8, 6}}) {
            SpectralProblem p = operator_of(lengths, SpectralNumbers::real, 3);
            p.middle = "sum energy = norm(value); return value;";
            const SpectralPlan plan(Device::open(device), p);
            std::vector<Point> x = random_points(3 * product(lengths), true);
            x[product(lengths) + 3] = std::nan("");
            const std::vector<double> sums = numbers_of(execute(plan, bytes_of(x, true, false), 3).sums, false);
            EXPECT_TRUE(std::isfinite(sums[0]) && std::isnan(sums[1]) && std::isfinite(sums[2])) << device;
        }
}

TEST(SpectralSums, AreSavedAndSaid) {
    SpectralProblem p = parse_spectral("12x10 real f32 batch=2 sums=f64");
    EXPECT_TRUE(p.sums_in_f64);
    EXPECT_EQ(to_string(p), "12x10 real f32 batch=2 sums=f64");
    p.middle = three_sums().text;
    const Device device = Device::open("cpu");
    const SpectralPlan plan(device, p);
    const SpectralPlan again = SpectralPlan::load(device, plan.save());
    EXPECT_TRUE(again.problem().sums_in_f64);
    EXPECT_EQ(again.sum_bytes(), 2u * 3 * 8);
    const std::vector<std::byte> input = bytes_of(random_points(240, true), true, false);
    EXPECT_EQ(execute(again, input, 2).sums, execute(plan, input, 2).sums);
}

// ---- How much is moved

std::uint64_t moved(const SpectralProblem& p, const DeviceLimits& limits) {
    std::uint64_t bytes = 0;
    for (const AnalysisReport& kernel : analyse(p, limits)) {
        bytes += kernel.bytes_read + kernel.bytes_written;
        EXPECT_EQ(kernel.races + kernel.out_of_bounds + kernel.uninitialised_reads, 0u) << kernel.kernel;
    }
    return bytes;
}

/// On a GPU a number for each group goes to memory and back, and no more; of a row nothing but the sums.
TEST(SpectralSumBytes, PartialSumsAreAllThatIsMoved) {
    const DeviceLimits limits = Device::open("reference").limits();
    for (const Lengths& lengths : std::vector<Lengths>{{1024}, {32, 32, 32}, {24, 20, 30}}) {
        SpectralProblem p = operator_of(lengths, SpectralNumbers::real, 2);
        p.middle = "return value / (1 + k0);";
        const std::uint64_t without = moved(p, limits);
        p.middle = "sum energy = norm(value); sum virial = k0 * norm(value); return value / (1 + k0);";
        p.sums_in_f64 = true;
        const std::uint64_t sums = 2 * 2 * 8, parts = moved(p, limits) - without - sums;
        SCOPED_TRACE(to_string(p));
        if (lengths.size() == 1) {
            EXPECT_EQ(parts, 0u);
            EXPECT_EQ(inspect(p, limits).kernels.size(), 1u);
            continue;
        }
        // The passes have rows of the first axis, in groups of 4 at least.
        EXPECT_GT(parts, 0u);
        EXPECT_LE(parts, 2 * sums * lengths[1] * (lengths[2] / 2 + 1) / 4 + 2 * sums);
        const PlanReport report = inspect(p, limits);
        EXPECT_EQ(report.moved_bytes, without + parts + sums) << report.text();
    }
}

/// A group has a plane: each column's part goes to memory and back.
TEST(SpectralSumBytes, PlanesAreOneKernelAndAShortOne) {
    const DeviceLimits limits = Device::open("reference").limits();
    for (const SpectralNumbers numbers : {SpectralNumbers::real, SpectralNumbers::complex})
        for (const Lengths& lengths : std::vector<Lengths>{{32, 32}, {27, 35}, {8, 10}}) {
            SpectralProblem p = operator_of(lengths, numbers, 3);
            p.middle = "return value / (1 + k0);";
            const std::uint64_t without = moved(p, limits);
            p.middle = "sum energy = norm(value); return value / (1 + k0);";
            SCOPED_TRACE(to_string(p));
            EXPECT_EQ(inspect(p, limits).kernels.size(), 2u);
            const std::uint64_t columns = numbers == SpectralNumbers::real ? lengths[1] / 2 + 1 : lengths[1];
            EXPECT_EQ(moved(p, limits) - without, 3 * 4 * (2 * columns + 1));
            EXPECT_EQ(inspect(p, limits).moved_bytes, moved(p, limits));
            expect_right("reference", p);
        }
}

/// Without groups the sums' own kernel reads the spectrum and writes it: one trip more.
TEST(SpectralSumBytes, OwnKernelIsOneTrip) {
    const DeviceLimits limits = Device::open("cpu").limits();
    SpectralProblem p = operator_of({20, 24}, SpectralNumbers::complex, 2);
    p.middle = "return value / (1 + k0);";
    const std::uint64_t without = moved(p, limits), bins = 2 * 20 * 24;
    p.middle = "sum energy = norm(value); return value / (1 + k0);";
    EXPECT_EQ(moved(p, limits) - without, 2 * (2 * 8 * bins) + 2 * 4);  // the middle was fused before
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

void expect_refused(const std::string& text, const std::string& line) {
    SpectralProblem p = operator_of({8, 6}, SpectralNumbers::real, 1);
    p.middle = text;
    expect_line([&] { (void)inspect(p, Device::open("reference").limits()); }, line);
}

TEST(SpectralSums, RefuseInOneLine) {
    expect_refused("sum a = value; return value;",
                   "spectral.middle: line 1, column 9: expected a whole or real number to sum, got a complex number");
    expect_refused("sum a = 1; sum a = 2; return value;",
                   "spectral.middle: line 1, column 16: expected each sum once, got 'a' again");
    expect_refused("sum 3 = 1; return value;",
                   "spectral.middle: line 1, column 5: expected the name of a sum, got '3'");
    expect_refused("sum a = norm(value);",
                   "spectral.middle: line 1, column 21: expected a return, got the end of the text");
    std::string nine;
    for (int i = 0; i < 9; ++i) nine += "sum s" + std::to_string(i) + " = 1;\n";
    expect_refused(nine + "return value;",
                   "spectral.middle: line 9, column 5: expected at most 8 sums, got another, 's8'");
    SpectralProblem p = operator_of({8}, SpectralNumbers::real, 1);
    const auto inspected = [&p] { (void)inspect(p, Device::open("reference").limits()); };
    p.load = "sum a = 1; return value;";
    expect_line(inspected,
                "spectral.load: line 1, column 5: expected sums over the bins of a middle stage alone, got 'a'");
    p.load = {};
    p.numbers = SpectralNumbers::complex;
    p.order = SpectralOrder::spectrum_first;
    p.middle = "sum a = 1; return value;";
    expect_line(inspected,
                "spectral.middle: line 1, column 5: expected sums over the bins of a middle stage alone, got 'a'");
    p = operator_of({8}, SpectralNumbers::real, 1);
    p.sums_in_f64 = true;
    expect_line(inspected, "spectral.sums_in_f64: expected a middle stage that sums, got none");
}

TEST(SpectralSums, RefuseWrongArguments) {
    const Device device = Device::open("cpu");
    SpectralProblem p = operator_of({8}, SpectralNumbers::real, 2);
    p.middle = "sum energy = norm(value); return value;";
    const SpectralPlan plan(device, p);
    Queue queue = device.create_queue();
    SpectralExecution e;
    e.input = device.allocate(64);
    e.output = device.allocate(64);
    if (plan.workspace_bytes() != 0) e.workspace = device.allocate(plan.workspace_bytes());
    const auto run = [&] { plan.execute(queue, e); };
    expect_line(run, "execution.sums: expected a buffer of at least 8 bytes, got none");
    e.sums = device.allocate(4);
    expect_line(run, "execution.sums: expected at least 8 bytes from byte 0 on, got a buffer of 4");
    e.sums = e.output;
    EXPECT_THROW(run(), InvalidProblem);
    expect_line([&] { (void)plan.apply<float>(std::vector<float>(16)); },
                "sums: expected an execution with a buffer for the middle stage's sums, got host arrays");
}

}  // namespace
