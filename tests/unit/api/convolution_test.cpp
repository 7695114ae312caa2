// What a convolution asks of its user: every mistake comes back in one line that names the field.
#include "seiche/convolution.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "seiche/error.hpp"

namespace {

using namespace seiche;

Convolution valid() {
    Convolution c;
    c.signal = {20, 30};
    c.kernel = {3, 5};
    return c;
}

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

void expect_refused(const std::function<void(Convolution&)>& change, const std::string& line) {
    Convolution c = valid();
    change(c);
    expect_line([&] { (void)result_lengths(c); }, line);
}

TEST(Convolution, LengthsOfResults) {
    Convolution c = valid();
    EXPECT_EQ(result_lengths(c), (std::vector<std::uint64_t>{22, 34}));
    c.mode = ConvolutionMode::same;
    EXPECT_EQ(result_lengths(c), (std::vector<std::uint64_t>{20, 30}));
    c.mode = ConvolutionMode::valid;
    EXPECT_EQ(result_lengths(c), (std::vector<std::uint64_t>{18, 26}));
    c.mode = ConvolutionMode::circular;
    EXPECT_EQ(result_lengths(c), (std::vector<std::uint64_t>{20, 30}));
    c.signal = {1, 30};
    c.kernel = {1, 5};
    EXPECT_EQ(result_lengths(c), (std::vector<std::uint64_t>{1, 30}));
    c.mode = ConvolutionMode::causal;
    c.kernel = {7, 50};
    EXPECT_EQ(result_lengths(c), (std::vector<std::uint64_t>{1, 30}));
}

TEST(Convolution, ReadsAndWritesItsText) {
    const Convolution rich = parse_convolution(
        "40x30 * 4x3 same correlate complex f64 storage=f32 inputs=2 outputs=2 channels=diagonal batch=3 block=1");
    EXPECT_EQ(rich.kernel, (std::vector<std::uint64_t>{4, 3}));
    EXPECT_EQ(rich.product, ConvolutionProduct::correlate);
    EXPECT_EQ(rich.storage, Storage::f32);
    EXPECT_EQ(rich.channels, ChannelMatrix::diagonal);
    EXPECT_EQ(rich.block, 1u);
    for (const std::string text :
         {"100 * 7 full real f32", "100x20 * spectrum circular complex f64x2", "20 * 30 causal real f32",
          "8 * 8 circular phase real f32 batch=9", "9 * 3 valid real bf16 inputs=2 outputs=3",
          "9 * 3 same real f64 storage=f32 inputs=2 outputs=2 channels=symmetric"})
        EXPECT_EQ(to_string(parse_convolution(text)), text);
    EXPECT_EQ(to_string(parse_convolution(to_string(rich))), to_string(rich));
    EXPECT_EQ(to_string(parse_convolution("7 * 3 full convolve real f32 batch=1 block=0")), "7 * 3 full real f32");
    const auto refused = [](const std::string& text) {
        try {
            parse_convolution(text);
        } catch (const InvalidProblem& error) {
            return std::string(error.what()).substr(std::string("InvalidProblem: ").size());
        }
        return std::string("accepted");
    };
    EXPECT_EQ(refused("7"), "convolution text: expected one such as \"48000 * 1001 same f32\", got \"7\"");
    EXPECT_NE(refused("7 * x"), "accepted");
    EXPECT_EQ(refused("7 * 3 f32 f64"), "convolution text, at \"f64\": expected precision once, after \"f32\"");
    EXPECT_EQ(refused("7 * 3 inputs=4294967296"),
              "convolution text, at \"inputs=4294967296\": expected a whole number from 0 to 4294967295");
    EXPECT_NE(refused("7 * 3 channels=some"), "accepted");
    EXPECT_NE(refused("7 * 3 r2c"), "accepted");
}

TEST(Convolution, CountsOfKernels) {
    Convolution c = valid();
    c.inputs = 3;
    c.outputs = 2;
    EXPECT_EQ(kernel_count(c), 6u);
    c.outputs = 3;
    c.channels = ChannelMatrix::symmetric;
    EXPECT_EQ(kernel_count(c), 6u);
    c.channels = ChannelMatrix::diagonal;
    EXPECT_EQ(kernel_count(c), 3u);
}

TEST(Convolution, RefusesWhatMakesNoSense) {
    expect_refused([](Convolution& c) { c.signal.clear(); },
                   "convolution.signal: expected at least one length, got none");
    expect_refused([](Convolution& c) { c.signal[1] = 0; }, "convolution.signal[1]: expected 1 to 2^30, got 0");
    expect_refused([](Convolution& c) { c.kernel = {3}; },
                   "convolution.kernel: expected as many lengths as the signal has, 2, got 1");
    expect_refused(
        [](Convolution& c) {
            c.mode = ConvolutionMode::valid;
            c.kernel = {3, 31};
        },
        "convolution.kernel[1]: expected at most the signal's 30 in mode valid, got 31");
    expect_refused([](Convolution& c) { c.domain = KernelDomain::frequency; },
                   "convolution.kernel: expected no lengths in frequency, where they are the signal's, got 3x5");
    expect_refused(
        [](Convolution& c) {
            c.domain = KernelDomain::frequency;
            c.kernel.clear();
        },
        "convolution.mode: expected circular with a kernel in frequency, got full");
    expect_refused([](Convolution& c) { c.inputs = 0; }, "convolution.inputs: expected at least 1, got 0");
    expect_refused([](Convolution& c) { c.inputs = 9; },
                   "convolution.inputs: expected at most 8 with a full or symmetric matrix, got 9");
    expect_refused(
        [](Convolution& c) {
            c.inputs = 2;
            c.channels = ChannelMatrix::symmetric;
        },
        "convolution.outputs: expected as many as inputs, 2, in a symmetric matrix, got 1");
    expect_refused(
        [](Convolution& c) {
            c.product = ConvolutionProduct::phase;
            c.mode = ConvolutionMode::circular;
            c.inputs = 2;
        },
        "convolution.inputs: expected 1, or a diagonal matrix, for phase correlation, got 2");
    expect_refused(
        [](Convolution& c) {
            c.product = ConvolutionProduct::phase;
            c.mode = ConvolutionMode::circular;
            c.precision = Precision::f64x2;
        },
        "convolution.precision: expected f32 or f64 for phase correlation, got f64x2");
    expect_refused([](Convolution& c) { c.precision = Precision::f16; },
                   "convolution.precision: expected f32, f64 or f64x2, because products of spectra leave the range of "
                   "halves, got f16");
    expect_refused([](Convolution& c) { c.product = ConvolutionProduct::phase; },
                   "convolution.mode: expected circular for phase correlation, got full");
    expect_refused([](Convolution& c) { c.storage = Storage::f64; },
                   "storage: expected f16, bf16 or f32 with f32 arithmetic, got f64");
    expect_refused([](Convolution& c) { c.block = 64; },
                   "convolution.block: expected 0 or 1 for a cyclic convolution or one of several axes, got 64");
}

TEST(Convolution, RefusesBuffersThatDoNotFit) {
    const Device device = Device::open("reference");
    const ConvolutionPlan plan(device, valid());
    Queue queue = device.create_queue();
    ConvolutionExecution execution;
    execution.input = device.allocate(plan.input_bytes());
    execution.spectrum = device.allocate(plan.spectrum_bytes());
    execution.output = device.allocate(plan.output_bytes());
    Convolution large = valid();
    large.signal = {200, 300};
    const ConvolutionPlan of_large(device, large);
    ASSERT_GT(of_large.workspace_bytes(), 0u);
    ConvolutionExecution without;
    without.input = device.allocate(of_large.input_bytes());
    without.spectrum = device.allocate(of_large.spectrum_bytes());
    without.output = device.allocate(of_large.output_bytes());
    expect_line([&] { of_large.execute(queue, without); }, "execution.workspace: expected a buffer of at least " +
                                                               std::to_string(of_large.workspace_bytes()) +
                                                               " bytes, got none");
    execution.output = execution.input;
    expect_line([&] { plan.execute(queue, execution); },
                "execution.output: expected at least " + std::to_string(plan.output_bytes()) +
                    " bytes from byte 0 on, got a buffer of " + std::to_string(plan.input_bytes()));
    execution.output = device.allocate(plan.output_bytes());
    execution.batch = 2;
    EXPECT_THROW(plan.execute(queue, execution), InvalidProblem);
    expect_line([&] { (void)plan.convolve(std::vector<double>(600), std::vector<double>(15)); },
                "input: expected float, as the plan's precision, storage and kind have it, got double");
    expect_line([&] { (void)plan.convolve(std::vector<float>(601), std::vector<float>(15)); },
                "input: expected 600 elements, got 601");
    expect_line([&] { (void)plan.convolve(std::vector<float>(600), std::vector<float>(14)); },
                "kernels: expected 15 elements, got 14");
    Tuning forced;
    forced.radices = {4, 4};
    expect_line<Unsupported>(
        [&] { ConvolutionPlan(device, valid(), forced); },
        "tuning.radices, passes, algorithm and padded_length: expected none of them for a convolution");
    forced = {};
    forced.buffer_bytes = 100;
    expect_line<Unsupported>([&] { ConvolutionPlan(device, valid(), forced); },
                             "tuning.buffer_bytes: expected 0 or at least 256, got 100");
    EXPECT_THROW(ConvolutionPlan().convolution(), InvalidProblem);
}

std::vector<float> noise(std::size_t count) {
    std::mt19937 generator(5);
    std::uniform_real_distribution<float> uniform(-1, 1);
    std::vector<float> x(count);
    for (float& value : x) value = uniform(generator);
    return x;
}

/// Arrays, workspaces, spectra and tables bound in pieces change no bit of the answer.
TEST(Convolution, TakesItsArraysInPieces) {
    const Device device = Device::open("reference");
    Convolution one_pass, blocks, several_axes, several_passes;
    one_pass.signal = {600};
    one_pass.kernel = {15};
    one_pass.batch = 3;
    blocks.signal = {3000};
    blocks.kernel = {9};
    several_axes.signal = {24, 20};
    several_axes.kernel = {5, 3};
    several_axes.batch = 2;
    several_passes.signal = {40000};
    several_passes.kernel = {30000};
    for (const Convolution& c : {one_pass, blocks, several_axes, several_passes}) {
        Tuning tuning;
        tuning.buffer_bytes = c.signal[0] == 40000 ? 1 << 16 : 1 << 10;
        const ConvolutionPlan whole(device, c), pieces(device, c, tuning);
        std::string specs;
        for (const KernelReport& kernel : pieces.report().kernels) specs += kernel.spec + "\n";
        EXPECT_NE(specs.find("input-parts="), std::string::npos) << specs;
        const bool is_long = pieces.spectrum_bytes() > tuning.buffer_bytes;
        EXPECT_EQ(specs.find("spectrum-parts=") != std::string::npos, is_long) << specs;
        const std::vector<float> x = noise(whole.input_bytes() / 4), h = noise(whole.kernel_bytes() / 4);
        EXPECT_EQ(whole.convolve(x, h), pieces.convolve(x, h)) << pieces.report().problem;
        if (c.signal[0] == 40000) continue;
        for (const AnalysisReport& report : analyse(c, device.limits(), tuning)) {
            EXPECT_EQ(report.out_of_bounds + report.uninitialised_reads + report.races, 0u) << report.kernel;
        }
    }
}

TEST(Convolution, HasAsManyPiecesAsItsOwnBatch) {
    const Device device = Device::open("reference");
    Convolution c;
    c.signal = {600};
    c.kernel = {15};
    Tuning tuning;
    tuning.buffer_bytes = 1 << 11;
    const ConvolutionPlan plan(device, c, tuning);
    Queue queue = device.create_queue();
    ConvolutionExecution execution;
    execution.batch = 2;
    expect_line([&] { plan.execute(queue, execution); },
                "execution.batch: expected arrays in at most 2 buffers of 2048 bytes, as for the problem's batch of 1, "
                "got a batch of 2 that needs 3");
}

/// One plan, other batches than its own, and spectra that are used again.
TEST(Convolution, ServesAnyBatch) {
    const Device device = Device::open("reference");
    Convolution c;
    c.signal = {50};
    c.kernel = {4};
    const ConvolutionPlan plan(device, c);
    Queue queue = device.create_queue();
    const std::vector<float> ones(4, 1.0f);
    const Buffer spectrum = device.allocate(plan.spectrum_bytes());
    ConvolutionPreparation preparation;
    preparation.kernels = device.allocate(plan.kernel_bytes());
    preparation.spectrum = spectrum;
    queue.upload(preparation.kernels, ones.data(), plan.kernel_bytes());
    plan.prepare(queue, preparation);
    for (const std::uint64_t batch : {1, 3, 7}) {
        std::vector<float> x(50 * batch), y(53 * batch);
        for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 50 == 0 ? i / 50 + 1 : 0);
        ConvolutionExecution execution;
        execution.batch = batch;
        execution.spectrum = spectrum;
        execution.input = device.allocate(plan.input_bytes(batch));
        execution.output = device.allocate(plan.output_bytes(batch));
        queue.upload(execution.input, x.data(), plan.input_bytes(batch));
        plan.execute(queue, execution);
        queue.download(y.data(), execution.output, plan.output_bytes(batch));
        for (std::size_t i = 0; i < y.size(); ++i) {
            const float expected = i % 53 < 4 ? static_cast<float>(i / 53 + 1) : 0.0f;
            EXPECT_NEAR(y[i], expected, 1e-5f) << i;
        }
    }
}

/// Too long for one kernel of Bluestein's, so that the product is beside the last pass of a transform that is a
/// convolution itself.
TEST(Convolution, CircularOfLongPrimes) {
    const Device device = Device::open("reference");
    constexpr std::uint64_t n = 20011, taps = 3;
    for (const std::uint64_t rows : {1u, 3u}) {
        Convolution c;
        c.mode = ConvolutionMode::circular;
        c.signal = rows == 1 ? std::vector<std::uint64_t>{n} : std::vector<std::uint64_t>{rows, n};
        c.kernel = rows == 1 ? std::vector<std::uint64_t>{taps} : std::vector<std::uint64_t>{1, taps};
        const ConvolutionPlan plan(device, c);
        ASSERT_GT(plan.report().kernels.size(), 5u) << plan.report().recipe;
        const std::vector<float> x = noise(rows * n), h = noise(taps), y = plan.convolve(x, h);
        double error = 0, size = 0;
        for (std::uint64_t i = 0; i < rows * n; ++i) {
            double expected = 0;
            for (std::uint64_t l = 0; l < taps; ++l) expected += double{h[l]} * x[i / n * n + (i % n + n - l) % n];
            error += (y[i] - expected) * (y[i] - expected);
            size += expected * expected;
        }
        constexpr double bound = 3.0, unit = 0x1p-24;
        EXPECT_LT(std::sqrt(error / size), bound * unit * std::sqrt(std::log2(n * rows))) << rows;
    }
}

}  // namespace
