// Conventions that arrays have elsewhere: no arrays at all, broadcast inputs, numpy's hfft and ihfft, norms, padded
// arrays, and defaults that follow from the problem.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <functional>
#include <random>

#include "seiche/convolution.hpp"
#include "seiche/error.hpp"
#include "seiche/plan.hpp"

namespace seiche {
namespace {

using Wide = std::complex<double>;

const Device& device(const std::string& name) {
    static const Device reference = Device::open("reference"), pocl = Device::open("opencl:pocl");
    return name == "reference" ? reference : pocl;
}

template <class Action>
std::string refusal(const Action& action) {
    try {
        action();
    } catch (const InvalidProblem& error) {
        return error.what();
    } catch (const std::exception& error) {
        return std::string("another kind: ") + error.what();
    }
    return "accepted";
}

#define EXPECT_SAYS(action, text) \
    EXPECT_NE(refusal([&] { action; }).find(text), std::string::npos) << refusal([&] { action; })

std::vector<double> random_numbers(std::size_t count, unsigned seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    std::vector<double> numbers(count);
    for (double& x : numbers) x = uniform(random);
    return numbers;
}

template <class T>
std::vector<T> as(const std::vector<double>& numbers) {
    return {numbers.begin(), numbers.end()};
}

template <class T>
std::vector<std::complex<T>> complex_of(const std::vector<double>& numbers) {
    std::vector<std::complex<T>> values(numbers.size() / 2);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = {static_cast<T>(numbers[2 * i]), static_cast<T>(numbers[2 * i + 1])};
    return values;
}

template <class A, class B>
void expect_near(const std::vector<A>& found, const std::vector<B>& expected, double most) {
    ASSERT_EQ(found.size(), expected.size());
    double worst = 0, size = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        const double difference = std::abs(Wide(found[i]) - Wide(expected[i]));
        worst = difference <= worst ? worst : difference;  // NaN stays
        size = std::max(size, std::abs(Wide(expected[i])));
    }
    EXPECT_LE(worst, most * std::max(size, 1.0));
}

// ---- No arrays

class NoArrays : public testing::TestWithParam<const char*> {};

TEST_P(NoArrays, GiveNoResults) {
    const Plan plan(device(GetParam()), parse_problem("16 batch=0"));
    EXPECT_EQ(plan.input_bytes(), 0u);
    EXPECT_EQ(plan.output_bytes(), 0u);
    EXPECT_EQ(plan.workspace_bytes(), 0u);
    EXPECT_EQ(plan.input_bytes(2), 2 * 16 * 8u);
    EXPECT_EQ(plan.report().moved_bytes, 0u);
    const std::vector<std::complex<float>> none, one(16, {1, 0});
    EXPECT_TRUE(plan.forward(none).empty());
    EXPECT_TRUE(plan.inverse(none).empty());
    EXPECT_SAYS(plan.forward(one), "data: expected 0 elements, got 16");
    plan.warm_up();
}

TEST_P(NoArrays, AreABatchOfAnExecution) {
    const Plan plan(device(GetParam()), parse_problem("16x6 r2c batch=3"));
    Queue queue = plan.device().create_queue();
    Execution execution;
    execution.batch = 0;
    plan.execute(queue, execution);  // no buffers are needed
    execution.batch.reset();
    EXPECT_SAYS(plan.execute(queue, execution), "execution.input: expected");
    EXPECT_EQ(plan.input_bytes(0), 0u);
    EXPECT_EQ(plan.output_part_bytes(0), std::vector<std::uint64_t>{});
    execution.batch = 0;
    execution.direction = Direction::inverse;
    EXPECT_SAYS(plan.execute(queue, execution), "execution.direction: expected forward, the only one of this plan");
}

TEST_P(NoArrays, HaveAnAxisOfLength0) {
    const Plan plan(device(GetParam()), parse_problem("0x8 r2c axes=1"));
    EXPECT_EQ(plan.input_bytes(), 0u);
    EXPECT_EQ(plan.input_bytes(5), 0u);
    EXPECT_TRUE(plan.transform<std::complex<float>>(std::vector<float>{}).empty());
    Queue queue = plan.device().create_queue();
    plan.execute(queue, {});
    plan.warm_up();
    EXPECT_SAYS(parse_problem("0x8 r2c"); Plan(device(GetParam()), parse_problem("0x8 r2c")),
                                          "lengths[0]: expected at least 1 along a transformed axis, got 0");
}

TEST_P(NoArrays, AreConvolved) {
    Convolution convolution = parse_convolution("16 * 5 full batch=0");
    const ConvolutionPlan plan(device(GetParam()), convolution);
    EXPECT_EQ(plan.input_bytes(), 0u);
    EXPECT_EQ(plan.output_bytes(), 0u);
    EXPECT_TRUE(plan.convolve(std::vector<float>{}, std::vector<float>(5, 1.0f)).empty());
    Queue queue = plan.device().create_queue();
    plan.execute(queue, {});
    EXPECT_EQ(plan.output_bytes(2), 2 * 20 * 4u);
}

INSTANTIATE_TEST_SUITE_P(Devices, NoArrays, testing::Values("reference"));

// ---- Broadcast inputs

struct Broadcast {
    std::string shape, words, strides;  ///< `strides` of the input, some 0.
    std::uint64_t elements;             ///< That the input has.
};

/// The same transform of the array written out.
template <class T, class In, class Out>
void expect_as_written_out(const Device& on, const Broadcast& c) {
    const std::string words = " " + c.words + (sizeof(T) == 8 ? " f64" : "");
    const Problem broadcast = parse_problem(c.shape + words + " istrides=" + c.strides);
    const Plan plan(on, broadcast), dense(on, parse_problem(c.shape + words));
    constexpr std::size_t parts = sizeof(In) / sizeof(T);
    std::vector<In> x(c.elements);
    const std::vector<double> numbers = random_numbers(parts * x.size(), 5);
    for (std::size_t i = 0; i < parts * x.size(); ++i) reinterpret_cast<T*>(x.data())[i] = static_cast<T>(numbers[i]);
    EXPECT_EQ(plan.input_bytes(), x.size() * sizeof(In)) << c.shape << words;

    std::vector<std::uint64_t> counts = broadcast.lengths;
    if (broadcast.kind == Kind::c2r) counts.back() = counts.back() / 2 + 1;
    std::vector<In> written(dense.input_bytes() / sizeof(In));
    for (std::size_t i = 0; i < written.size(); ++i) {
        std::uint64_t rest = i, at = 0;
        for (std::size_t axis = counts.size(); axis-- > 0; rest /= counts[axis])
            at += rest % counts[axis] * static_cast<std::uint64_t>(broadcast.input.strides[axis]);
        written[i] = x[at];
    }
    SCOPED_TRACE(c.shape + words + " istrides=" + c.strides);
    expect_near(plan.transform<Out>(x), dense.transform<Out>(written), sizeof(T) == 8 ? 1e-13 : 1e-5);
}

class BroadcastInput : public testing::TestWithParam<const char*> {};

TEST_P(BroadcastInput, IsAsTheArrayWrittenOut) {
    const Device& on = device(GetParam());
    using Complex = std::complex<float>;
    expect_as_written_out<float, Complex, Complex>(on, {"5x16", "axes=1", "0,1", 16});
    expect_as_written_out<float, Complex, Complex>(on, {"16x5", "axes=0", "1,0", 16});
    expect_as_written_out<float, Complex, Complex>(on, {"4x6", "", "1,0", 4});
    expect_as_written_out<float, float, Complex>(on, {"6x10", "r2c", "0,1", 10});
    expect_as_written_out<float, Complex, float>(on, {"5x16", "c2r axes=1", "1,0", 5});
    expect_as_written_out<float, float, float>(on, {"5x16", "dct2 axes=1", "1,0", 5});
    expect_as_written_out<double, std::complex<double>, std::complex<double>>(on, {"4x12", "axes=1", "0,1", 12});
}

INSTANTIATE_TEST_SUITE_P(Devices, BroadcastInput, testing::Values("reference", "pocl"));

TEST(BroadcastInput, OfEveryAlgorithmIsAsTheArrayWrittenOut) {
    const Device& on = device("reference");
    using Complex = std::complex<float>;
    for (const Broadcast& c : std::vector<Broadcast>{{"6", "", "0", 1},
                                                     {"3x4x5", "axes=2", "0,0,1", 5},
                                                     {"3x4x5", "axes=1", "0,1,4", 20},
                                                     {"3x5x4", "axes=1", "4,0,1", 12},
                                                     {"2x37", "axes=1", "0,1", 37},
                                                     {"8x8x8", "", "8,0,1", 64},
                                                     {"3x64", "axes=1 overwrite-input", "0,1", 64},
                                                     {"1x3000", "axes=1", "1,0", 1},
                                                     {"2x263", "axes=1", "1,0", 2},
                                                     {"5x16", "axes=1 spectrum-order=pass", "0,1", 16}})
        expect_as_written_out<float, Complex, Complex>(on, c);
    for (const Broadcast& c : std::vector<Broadcast>{
             {"5x16", "r2c axes=1", "0,1", 16}, {"6x9", "r2c", "0,1", 9}, {"1x8192", "r2c axes=1", "1,0", 1}})
        expect_as_written_out<float, float, Complex>(on, c);
    for (const Broadcast& c : std::vector<Broadcast>{
             {"5x16", "c2r axes=1", "0,1", 9}, {"6x9", "c2r", "0,1", 5}, {"1x8192", "c2r axes=1", "1,0", 1}})
        expect_as_written_out<float, Complex, float>(on, c);
    // Those of several passes, whose ends are folded, find their columns without a stride.
    for (const Broadcast& c : std::vector<Broadcast>{{"8x8", "dct2", "0,1", 8},
                                                     {"1x4096", "dct2 axes=1", "1,0", 1},
                                                     {"37", "dct2", "0", 1},
                                                     {"67", "dct4", "0", 1},
                                                     {"25x37", "r2hc", "0,0", 1},
                                                     {"2x30", "dht axes=1", "0,1", 30}})
        expect_as_written_out<float, float, float>(on, c);
}

// ---- hfft and ihfft

/// numpy's: the real spectrum of a signal of which the half is stored, along the last axis; the others are complex.
std::vector<double> hfftn(const std::vector<Wide>& half, const std::vector<std::uint64_t>& lengths) {
    const std::uint64_t n = lengths.back(), m = n / 2 + 1, rows = half.size() / m;
    std::vector<Wide> x = half;
    std::uint64_t inner = m;
    for (std::size_t axis = lengths.size() - 1; axis-- > 0; inner *= lengths[axis]) {
        std::vector<Wide> y(x.size());
        for (std::size_t at = 0; at < x.size(); ++at) {
            const std::uint64_t k = at / inner % lengths[axis], base = at - k * inner;
            for (std::uint64_t j = 0; j < lengths[axis]; ++j)
                y[at] += x[base + j * inner] *
                         std::polar(1.0, -2 * M_PI * static_cast<double>(j * k) / static_cast<double>(lengths[axis]));
        }
        x = y;
    }
    std::vector<double> result(rows * n);
    for (std::uint64_t row = 0; row < rows; ++row)
        for (std::uint64_t k = 0; k < n; ++k) {
            double sum = x[row * m].real();
            for (std::uint64_t j = 1; j < n; ++j) {
                const Wide value = j < m ? x[row * m + j] : std::conj(x[row * m + n - j]);
                const double angle = -2 * M_PI * static_cast<double>(j * k % n) / static_cast<double>(n);
                sum += (2 * j == n ? Wide(value.real()) : value).real() * std::cos(angle) -
                       (2 * j == n ? Wide(value.real()) : value).imag() * std::sin(angle);
            }
            result[row * n + k] = sum;
        }
    return result;
}

class Hermitian : public testing::TestWithParam<const char*> {};

template <class T>
void expect_numpys(const Device& on, const std::string& shape, double most) {
    SCOPED_TRACE(shape + (sizeof(T) == 8 ? " f64" : " f32"));
    const std::string precision = sizeof(T) == 8 ? " f64" : " f32";
    const Problem problem = parse_problem(shape + " hfft" + precision);
    std::uint64_t rows = 1, points = 1;
    for (const std::uint64_t n : problem.lengths) points *= n;
    rows = points / problem.lengths.back();
    const std::uint64_t m = problem.lengths.back() / 2 + 1;
    const std::vector<double> numbers = random_numbers(2 * rows * m, 11);
    const auto half = complex_of<T>(numbers);
    const std::vector<Wide> wide = {half.begin(), half.end()};
    const Plan forward(on, problem);
    const std::vector<T> spectrum = forward.transform<T>(half);  // its only direction
    expect_near(spectrum, hfftn(wide, problem.lengths), most);
    EXPECT_SAYS(forward.transform<T>(half, Direction::inverse), "execution.direction: expected forward, the only one");
    EXPECT_EQ(forward.report().kernels.front().direction, Direction::forward);

    Problem back = parse_problem(shape + " ihfft norm=backward" + precision);
    const Plan inverse(on, back);
    const auto again = inverse.transform<std::complex<T>>(spectrum);
    // A real spectrum's signal has Hermitian symmetry: the way forth gives the spectrum again.
    expect_near(forward.transform<T>(again), spectrum, most);
    // ihfft is conj(rfft) / n.
    const Plan r2c(on, parse_problem(shape + " r2c forward-scale=1/n" + precision));
    auto conjugated = r2c.transform<std::complex<T>>(spectrum);
    for (auto& value : conjugated) value = std::conj(value);
    expect_near(again, conjugated, most);
}

TEST_P(Hermitian, AreNumpysTransforms) {
    const Device& on = device(GetParam());
    for (const char* shape : {"8", "9", "6x8"}) expect_numpys<float>(on, shape, 2e-6);
    for (const char* shape : {"12", "3x9"}) expect_numpys<double>(on, shape, 1e-14);
}

TEST(Hermitian, OfEveryAlgorithmAreNumpysTransforms) {
    const Device& on = device("reference");
    for (const char* shape : {"1", "2", "37", "5x7", "3x4x6", "526", "2048"}) expect_numpys<float>(on, shape, 2e-6);
    for (const char* shape : {"15", "4x10", "3x3x3"}) expect_numpys<double>(on, shape, 1e-14);
}

TEST(Hermitian, TakeStagesScalesAndBatches) {
    const Device& on = device("reference");
    Problem problem = parse_problem("10 hfft batch=3 norm=ortho");
    const auto half = complex_of<float>(random_numbers(2 * 3 * 6, 3));
    std::vector<float> plain;
    for (int row = 0; row < 3; ++row) {
        const std::vector<Wide> one(half.begin() + 6 * row, half.begin() + 6 * (row + 1));
        for (const double x : hfftn(one, {10})) plain.push_back(static_cast<float>(x / std::sqrt(10.0)));
    }
    expect_near(Plan(on, problem).transform<float>(half), plain, 1e-6);
    // A load stage sees what was given, a store stage the real result.
    problem.forward_load = "return value * (i0 + 1);";
    problem.forward_store = "return value + i0;";
    auto weighted = half;
    for (std::size_t i = 0; i < weighted.size(); ++i) weighted[i] *= static_cast<float>(i % 6 + 1);
    problem.forward_load = "return value * (i0 + 1);";
    std::vector<float> expected = Plan(on, parse_problem("10 hfft batch=3 norm=ortho")).transform<float>(weighted);
    for (std::size_t i = 0; i < expected.size(); ++i) expected[i] += static_cast<float>(i % 10);
    expect_near(Plan(on, problem).transform<float>(half), expected, 1e-6);
    Problem back = parse_problem("10 ihfft batch=3");
    back.inverse_store = "return complex(value.re, value.im * 2);";
    auto doubled = Plan(on, parse_problem("10 ihfft batch=3")).transform<std::complex<float>>(plain);
    for (auto& value : doubled) value = {value.real(), value.imag() * 2};
    expect_near(Plan(on, back).transform<std::complex<float>>(plain), doubled, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Devices, Hermitian, testing::Values("reference", "pocl"));

TEST(Hermitian, AreDoneInPlacePrunedAndWide) {
    const Device& on = device("reference");
    const auto half = complex_of<float>(random_numbers(2 * 9, 17));
    const auto expected = Plan(on, parse_problem("16 hfft")).transform<float>(half);
    auto in_place = Plan(on, parse_problem("16 hfft in-place")).transform<float>(half);
    in_place.resize(16);
    expect_near(in_place, expected, 1e-6);
    // The signal is the half that is stored.
    auto pruned = half;
    for (std::size_t i = 4; i < 9; ++i) pruned[i] = 0;
    expect_near(Plan(on, parse_problem("16 hfft signal-zeros=0:4-9")).transform<float>(half),
                Plan(on, parse_problem("16 hfft")).transform<float>(pruned), 1e-6);
    std::vector<ComplexDoubleDouble> wide(half.size());
    for (std::size_t i = 0; i < wide.size(); ++i)
        wide[i] = {DoubleDouble(half[i].real()), DoubleDouble(half[i].imag())};
    std::vector<double> found;
    for (const DoubleDouble& x : Plan(on, parse_problem("16 hfft f64x2")).transform<DoubleDouble>(wide))
        found.push_back(x.hi);
    expect_near(found, hfftn({half.begin(), half.end()}, {16}), 1e-14);
}

TEST(Hermitian, RefuseWhatTheyDoNotHave) {
    const Device& on = device("reference");
    PlanOptions options;
    options.directions = Directions::inverse;
    EXPECT_SAYS(Plan(on, parse_problem("16 hfft"), options), "options.directions: expected both or forward");
    EXPECT_SAYS(Plan(on, parse_problem("16 hfft spectrum-order=pass")),
                "spectrum_order: expected natural, because the spectrum is real, got hfft");
    EXPECT_SAYS(Plan(on, parse_problem("16 hfft signal-zeros=0:4-10")),
                "signal_zeros: expected a block within the 9 elements");
    EXPECT_SAYS(Plan(on, parse_problem("16 hfft orthonormal")), "orthonormal: expected a real-to-real kind");
    Problem problem = parse_problem("16 hfft");
    problem.inverse_load = "return value;";
    EXPECT_SAYS(Plan(on, problem), "inverse_load: expected no stage, because hfft has no such direction");
    problem.inverse_load = {};
    problem.forward_load = "return value +;";
    EXPECT_SAYS(Plan(on, problem), "forward_load: line 1");
    options.directions = Directions::forward;
    EXPECT_EQ(Plan(on, parse_problem("16 hfft"), options).report().kernels.size(), 1u);
}

// ---- Norms

TEST(Norm, SetsBothScales) {
    Problem problem;
    problem.lengths = {8};
    problem.set_norm(Norm::ortho);
    EXPECT_EQ(problem.forward_scale, Scale::by_sqrt_n());
    EXPECT_EQ(problem.inverse_scale, Scale::by_sqrt_n());
    problem.set_norm(Norm::forward);
    EXPECT_EQ(problem.forward_scale, Scale::by_n());
    EXPECT_EQ(problem.inverse_scale, Scale::none());
    problem.set_norm(Norm::backward);
    EXPECT_EQ(problem.forward_scale, Scale::none());
    EXPECT_EQ(problem.inverse_scale, Scale::by_n());
    for (const Norm norm : {Norm::backward, Norm::ortho, Norm::forward}) {
        problem.set_norm(norm);
        const Plan plan(device("reference"), problem);
        const auto x = complex_of<float>(random_numbers(16, 2));
        expect_near(plan.inverse(plan.forward(x)), x, 1e-6);
    }
}

// ---- In place with two layouts

/// The buffer after an execution, of `before`, with as many bytes; the imaginary half apart in its second half where
/// `imaginary` says how many bytes behind the view it begins.
std::vector<float> executed(const Plan& plan, const std::vector<float>& before, std::uint64_t imaginary = 0) {
    Queue queue = plan.device().create_queue();
    Execution execution;
    const std::uint64_t bytes = before.size() * sizeof(float);
    const Buffer buffer = plan.device().allocate(bytes);
    queue.upload(buffer, before.data(), bytes);
    execution.input = buffer;
    if (imaginary != 0) execution.input_imaginary = {buffer, imaginary};
    if (plan.workspace_bytes() != 0) execution.workspace = plan.device().allocate(plan.workspace_bytes());
    plan.execute(queue, execution);
    std::vector<float> after(before.size());
    queue.download(after.data(), buffer, bytes);
    return after;
}

std::vector<float> numbers_of(const std::vector<std::complex<float>>& values) {
    std::vector<float> numbers;
    for (const std::complex<float>& value : values) numbers.insert(numbers.end(), {value.real(), value.imag()});
    return numbers;
}

TEST(TwoLayouts, OutputsAreThoseOutOfPlaceAndTheRestIsLeftAlone) {
    const Device& on = device("reference");
    const Plan plan(on, parse_problem("4x6 in-place istrides=1,5 ostrides=7,1 ooffset=16 batch=2 idist=40 odist=30")),
        dense(on, parse_problem("4x6 batch=2"));
    ASSERT_EQ(plan.input_bytes(), std::max<std::uint64_t>(40 + 29, 2 + 30 + 27) * 8);
    EXPECT_GE(plan.workspace_bytes(), 2 * 24 * 8u);
    const auto x = complex_of<float>(random_numbers(2 * 2 * 24, 3));
    const std::vector<float> spectrum = numbers_of(dense.forward(x));
    std::vector<float> memory(plan.input_bytes() / 4, 7.0f);
    const auto place = [](std::size_t i, bool output) {
        const std::size_t b = i / 24, row = i / 6 % 4, column = i % 6;
        return output ? 2 + 30 * b + 7 * row + column : 40 * b + row + 5 * column;
    };
    for (std::size_t i = 0; i < x.size(); ++i) {
        memory[2 * place(i, false)] = x[i].real();
        memory[2 * place(i, false) + 1] = x[i].imag();
    }
    const std::vector<float> after = executed(plan, memory);
    std::vector<float> found, expected = memory;
    for (std::size_t i = 0; i < x.size(); ++i)
        for (std::size_t part = 0; part < 2; ++part) {
            found.push_back(after[2 * place(i, true) + part]);
            expected[2 * place(i, true) + part] = found.back();
        }
    expect_near(found, spectrum, 1e-6);
    EXPECT_EQ(after, expected) << "what is no output";
}

/// The halves follow each other as each layout says, or have a buffer of their own.
TEST(TwoLayouts, PlanarHalvesToo) {
    const Device& on = device("reference");
    const Plan plan(on, parse_problem("8 in-place planar istrides=2 idist=16 odist=9 ostrides=1 batch=2")),
        dense(on, parse_problem("8 batch=2"));
    const auto x = complex_of<float>(random_numbers(2 * 16, 5));
    const auto spectrum = dense.forward(x);
    const std::size_t in_half = 16 + 15, out_half = 9 + 8;
    EXPECT_EQ(plan.input_bytes(), 2 * in_half * 4);
    for (const std::size_t apart : {std::size_t{0}, std::size_t{40}}) {
        std::vector<float> memory(80, 7.0f);
        for (std::size_t i = 0; i < x.size(); ++i) {
            memory[2 * i] = x[i].real();
            memory[(apart ? apart : in_half) + 2 * i] = x[i].imag();
        }
        const std::vector<float> after = executed(plan, memory, 4 * apart);
        std::vector<std::complex<float>> found;
        for (std::size_t i = 0; i < x.size(); ++i) {
            const std::size_t at = i / 8 * 9 + i % 8;
            found.emplace_back(after[at], after[(apart ? apart : out_half) + at]);
        }
        expect_near(found, spectrum, 1e-6);
    }
}

TEST(TwoLayouts, OfRealKindsRowsWithoutPadding) {
    const Device& on = device("reference");
    for (const char* shape : {"6x10", "5x7"}) {
        const std::string text(shape);
        const std::size_t rows = static_cast<std::size_t>(text[0] - '0'), n = std::stoul(text.substr(2)),
                          half = n / 2 + 1;
        const std::string real = std::to_string(n) + ",1", complex = std::to_string(half) + ",1";
        const Plan plan(on,
                        parse_problem(text + " r2c in-place istrides=" + real + " ostrides=" + complex + " batch=2")),
            back(on, parse_problem(text + " c2r in-place istrides=" + complex + " ostrides=" + real +
                                   " batch=2 inverse-scale=1/n")),
            dense(on, parse_problem(text + " r2c batch=2"));
        EXPECT_EQ(plan.input_bytes(), 2 * rows * half * 8);
        const auto x = as<float>(random_numbers(2 * rows * n, 4));
        const auto spectrum = plan.transform<std::complex<float>>(x);
        expect_near(spectrum, dense.transform<std::complex<float>>(x), 1e-6);
        std::vector<float> again = back.transform<float>(spectrum);
        again.resize(x.size());
        expect_near(again, x, 1e-6);
    }
}

/// Several passes rest in the workspace.
TEST(TwoLayouts, NothingIsCopiedWhereOnePassReadsTheInputAndAnotherWritesTheOutput) {
    const Device& on = device("reference");
    PlanOptions passes;
    passes.tuning.passes = {16, 16};
    for (const std::string text :
         {"256 odist=300 batch=3", "32x32x64 odist=70000", "32x40x64 axes=0,1 ostrides=4096,64,1"}) {
        const PlanOptions options = text.front() == '2' ? passes : PlanOptions{};
        const Plan plan(on, parse_problem(text + " in-place"), options), apart(on, parse_problem(text), options);
        EXPECT_EQ(plan.report().kernels.size(), apart.report().kernels.size()) << text;
        EXPECT_EQ(plan.report().moved_bytes, apart.report().moved_bytes) << text;
        EXPECT_GT(plan.workspace_bytes(), apart.workspace_bytes()) << text;
    }
    const Plan one(on, parse_problem("16 in-place odist=20 batch=3")),
        one_apart(on, parse_problem("16 odist=20 batch=3"));
    EXPECT_EQ(one.report().moved_bytes, 2 * one_apart.report().moved_bytes) << "the copy is counted";
    EXPECT_EQ(one.report().kernels.front().name, "forward_0_n1_copy");
    EXPECT_EQ(one.report().workspace_bytes, 3 * 16 * 8u);
    Problem windows = parse_problem("16 in-place odist=20 batch=3");
    windows.forward_load = "return i0;";
    EXPECT_EQ(Plan(on, windows, {Directions::forward, {}}).report().kernels.size(), 1u) << "the input is not read";
}

TEST(TwoLayouts, StagesSeeThePointsOfTheProblem) {
    const Device& on = device("reference");
    Problem problem = parse_problem("3x8 axes=1");
    problem.forward_load = "return value * (1 + i0 + 10 * batch);";
    problem.forward_store = "return value * i1;";
    problem.batch = 2;
    const auto x = complex_of<float>(random_numbers(2 * 48, 8));
    const auto expected = Plan(on, problem, {Directions::forward, {}}).forward(x);
    problem.placement = Placement::in_place;
    problem.output.strides = {1, 3};
    std::vector<std::complex<float>> turned = Plan(on, problem, {Directions::forward, {}}).forward(x), found;
    for (std::size_t i = 0; i < x.size(); ++i) found.push_back(turned[i / 24 * 24 + i / 8 % 3 + i % 8 * 3]);
    expect_near(found, expected, 1e-6);
}

TEST(TwoLayouts, RefuseWhatHasNoRoom) {
    const Plan plan(device("reference"), parse_problem("16 in-place odist=20 batch=3"));
    Queue queue = plan.device().create_queue();
    Execution execution;
    execution.input = plan.device().allocate(3 * 16 * 8);
    execution.workspace = plan.device().allocate(plan.workspace_bytes());
    EXPECT_SAYS(plan.execute(queue, execution),
                "execution.input: expected at least 448 bytes from byte 0 on, got a buffer of 384");
}

// ---- One definition of sizes

TEST(Sizes, InPlaceAreThoseOfTheBuffer) {
    const Plan plan(device("reference"), parse_problem("6x10 r2c in-place batch=3"));
    EXPECT_EQ(plan.input_bytes(), 864u);
    EXPECT_EQ(plan.output_bytes(), 864u);
    Queue queue = plan.device().create_queue();
    Execution execution;
    execution.input = plan.device().allocate(plan.input_bytes());
    execution.workspace = plan.device().allocate(std::max<std::uint64_t>(plan.workspace_bytes(), 8));
    plan.execute(queue, execution);
    queue.wait();
    const Plan back(device("reference"), parse_problem("6x9 c2r in-place"));
    EXPECT_EQ(back.input_bytes(), back.output_bytes());
}

TEST(Sizes, TransformTakesPaddedArrays) {
    const Device& on = device("reference");
    const Plan plan(on, parse_problem("6x10 r2c in-place batch=2")), dense(on, parse_problem("6x10 r2c batch=2"));
    const auto x = as<float>(random_numbers(2 * 60, 4));
    std::vector<float> padded(2 * 72, 7.0f);
    for (std::size_t i = 0; i < x.size(); ++i) padded[i / 10 * 12 + i % 10] = x[i];
    const auto spectrum = dense.transform<std::complex<float>>(x);
    expect_near(plan.transform<std::complex<float>>(padded), spectrum, 1e-6);
    padded.resize(2 * 72 - 2);  // without the padding behind the last row
    expect_near(plan.transform<std::complex<float>>(padded), spectrum, 1e-6);
    padded.resize(2 * 60);
    EXPECT_SAYS(plan.transform<std::complex<float>>(padded), "data: expected 144 elements, got 120");

    const Plan back(on, parse_problem("6x10 c2r in-place batch=2"));
    const std::vector<float> rows = back.transform<float>(spectrum);
    ASSERT_EQ(rows.size(), 2 * 72u);
    std::vector<float> signal;
    for (std::size_t i = 0; i < x.size(); ++i) signal.push_back(rows[i / 10 * 12 + i % 10] / 60);
    expect_near(signal, x, 1e-6);
}

TEST(Sizes, ArraysOfABatchFollowPaddedRows) {
    const Device& on = device("reference");
    const Plan plan(on, parse_problem("4x6 batch=2 istrides=8,1 ostrides=8,1"));
    EXPECT_EQ(plan.input_bytes(), (32 + 30) * 8u);
    const auto x = complex_of<float>(random_numbers(2 * 2 * 24, 6));
    std::vector<std::complex<float>> padded(64);
    for (std::size_t i = 0; i < x.size(); ++i) padded[i / 6 * 8 + i % 6] = x[i];
    const auto rows = plan.forward(padded);  // all of its rows are whole
    std::vector<std::complex<float>> found;
    for (std::size_t i = 0; i < x.size(); ++i) found.push_back(rows[i / 6 * 8 + i % 6]);
    expect_near(found, Plan(on, parse_problem("4x6 batch=2")).forward(x), 1e-6);
}

// ---- Defaults

TEST(Defaults, APlanOfOneDirectionTakesIt) {
    const Device& on = device("reference");
    const auto x = as<float>(random_numbers(12, 8));
    const auto spectrum = Plan(on, parse_problem("12 r2c")).transform<std::complex<float>>(x);
    const Plan back(on, parse_problem("12 c2r norm=backward"));
    expect_near(back.transform<float>(spectrum), x, 1e-6);

    Queue queue = on.create_queue();
    Execution execution;
    execution.input = on.allocate(back.input_bytes());
    execution.output = on.allocate(back.output_bytes());
    queue.upload(execution.input, spectrum.data(), back.input_bytes());
    back.execute(queue, execution);
    std::vector<float> found(12);
    queue.download(found.data(), execution.output, back.output_bytes());
    expect_near(found, x, 1e-6);

    PlanOptions options;
    options.directions = Directions::inverse;
    const Plan only(on, parse_problem("12"), options), both(on, parse_problem("12"));
    const auto y = complex_of<float>(random_numbers(24, 9));
    expect_near(only.transform<std::complex<float>>(y), both.inverse(y), 1e-6);
    expect_near(both.transform<std::complex<float>>(y), both.forward(y), 1e-6);
    EXPECT_SAYS(back.transform<float>(spectrum, Direction::forward),
                "execution.direction: expected inverse, the only one of this plan, got forward");
    EXPECT_SAYS(both.transform<std::complex<float>>(y, static_cast<Direction>(7)),
                "execution.direction: expected one of its enumerators, 0 to 1, got 7");
}

// ---- Phase correlation with several outputs

class PhaseOfSeveral : public testing::TestWithParam<const char*> {};

TEST_P(PhaseOfSeveral, IsThatOfEach) {
    const Device& on = device(GetParam());
    const bool is_brief = std::string(GetParam()) != "reference";
    const std::vector<const char*> shapes =
        is_brief ? std::vector{"64 * 64"} : std::vector{"64 * 64", "12 * 7", "8x6 * 8x6", "4096 * 100"};
    const std::vector<const char*> ways =
        is_brief ? std::vector{" circular phase outputs=3"}
                 : std::vector{" circular phase outputs=3", " circular phase outputs=8 batch=2",
                               " circular phase complex outputs=2"};
    for (const char* shape : shapes) {
        for (const char* words : ways) {
            SCOPED_TRACE(std::string(shape) + words);
            const Convolution all = parse_convolution(std::string(shape) + words);
            Convolution each = all;
            each.outputs = 1;
            each.batch = 1;
            const ConvolutionPlan plan(on, all), single(on, each);
            const std::size_t in = single.input_bytes() / 4, kernel = single.kernel_bytes() / 4;
            const auto x = random_numbers(in * all.batch, 21), h = random_numbers(kernel * all.outputs, 22);
            const auto run = [&](const ConvolutionPlan& own, const std::vector<double>& a,
                                 const std::vector<double>& b) {
                std::vector<float> result(own.output_bytes() / 4);
                const HostElement element = all.complex ? HostElement::complex_f32 : HostElement::f32;
                const std::size_t parts = all.complex ? 2 : 1;
                const auto input = as<float>(a), kernels = as<float>(b);
                own.run({input.data(), input.size() / parts, element},
                        {kernels.data(), kernels.size() / parts, element}, result.data());
                return result;
            };
            std::vector<float> expected;
            for (std::size_t b = 0; b < all.batch; ++b)
                for (std::size_t o = 0; o < all.outputs; ++o) {
                    const auto a = x.begin() + static_cast<std::ptrdiff_t>(b * in);
                    const auto k = h.begin() + static_cast<std::ptrdiff_t>(o * kernel);
                    const std::vector<float> one = run(single, {a, a + static_cast<std::ptrdiff_t>(in)},
                                                       {k, k + static_cast<std::ptrdiff_t>(kernel)});
                    expected.insert(expected.end(), one.begin(), one.end());
                }
            expect_near(run(plan, x, h), expected, 2e-5);
        }
    }
}

TEST(PhaseOfSeveral, IsPhaseCorrelationByItsDefinition) {
    constexpr std::size_t n = 16;
    const auto x = random_numbers(n, 31), h = random_numbers(2 * n, 32);
    const ConvolutionPlan plan(device("reference"), parse_convolution("16 * 16 circular phase f64 outputs=2"));
    const std::vector<double> found = plan.convolve(x, h);
    std::vector<double> expected;
    const auto root = [](std::size_t a, std::size_t b, double sign) {
        return std::polar(1.0, sign * 2 * M_PI * static_cast<double>(a * b % n) / n);
    };
    for (std::size_t o = 0; o < 2; ++o) {
        std::vector<Wide> bins(n);
        for (std::size_t k = 0; k < n; ++k) {
            Wide a = 0, b = 0;
            for (std::size_t j = 0; j < n; ++j) {
                a += x[j] * root(j, k, -1);
                b += h[o * n + j] * root(j, k, -1);
            }
            bins[k] = a * std::conj(b) / std::abs(a * std::conj(b));
        }
        for (std::size_t j = 0; j < n; ++j) {
            Wide sum = 0;
            for (std::size_t k = 0; k < n; ++k) sum += bins[k] * root(j, k, 1);
            expected.push_back(sum.real() / n);
        }
    }
    expect_near(found, expected, 1e-13);
}

INSTANTIATE_TEST_SUITE_P(Devices, PhaseOfSeveral, testing::Values("reference", "pocl"));

}  // namespace
}  // namespace seiche
