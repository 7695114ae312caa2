// Plans: what they refuse and how they say so, sizes, batches, host data, and the cache of the process.
#include "seiche/plan.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "seiche/error.hpp"
#include "seiche/half.hpp"

namespace seiche {
namespace {

using Signal = std::vector<std::complex<float>>;

Device reference() {
    static const Device device = Device::open("reference");
    return device;
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

/// y[k] = sum of x[j] exp(-+ 2 pi i j k / n)
Signal direct(const Signal& x, double sign) {
    const std::size_t n = x.size();
    Signal y(n);
    for (std::size_t k = 0; k < n; ++k) {
        std::complex<double> sum = 0;
        for (std::size_t j = 0; j < n; ++j)
            sum += std::complex<double>(x[j]) *
                   std::polar(1.0, sign * 6.283185307179586 * static_cast<double>(j * k % n) / static_cast<double>(n));
        y[k] = std::complex<float>(sum);
    }
    return y;
}

Signal signal(std::size_t n) {
    Signal x(n);
    for (std::size_t j = 0; j < n; ++j)
        x[j] = {std::sin(static_cast<float>(j * j)), std::cos(static_cast<float>(3 * j))};
    return x;
}

void expect_close(const Signal& a, const Signal& b) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_LT(std::abs(a[i] - b[i]), 1e-4f) << i;
}

TEST(Plan, TransformsHostData) {
    const Plan plan(reference(), parse_problem("24 inverse-scale=1/n"));
    const Signal x = signal(24);
    expect_close(plan.forward(x), direct(x, -1));
    expect_close(plan.inverse(plan.forward(x)), x);
}

PlanOptions in_passes(std::vector<std::uint64_t> passes) {
    PlanOptions options;
    options.tuning.passes = std::move(passes);
    return options;
}

TEST(Plan, LeavesTheSpectrumInPassOrder) {
    const Plan plan(reference(), parse_problem("64 spectrum-order=pass inverse-scale=1/n"), in_passes({4, 8, 2}));
    const Signal x = signal(64), spectrum = plan.forward(x), natural = direct(x, -1);
    for (std::uint64_t a = 0, position = 0; a < 4; ++a)
        for (std::uint64_t b = 0; b < 8; ++b)
            for (std::uint64_t c = 0; c < 2; ++c, ++position) {
                const std::uint64_t frequency = a + 4 * (b + 8 * c);
                EXPECT_EQ(plan.spectrum_index(0, position), frequency);
                EXPECT_LT(std::abs(spectrum[position] - natural[frequency]), 1e-4f) << position;
            }
    expect_close(plan.inverse(spectrum), x);
    EXPECT_EQ(plan.report().spectrum_digits, (std::vector<std::vector<std::uint64_t>>{{4, 8, 2}}));
    EXPECT_NE(plan.report().text().find("spectrum   axis 0 in pass order: digits 4, 8, 2 of the position"),
              std::string::npos)
        << plan.report().text();
    const Plan loaded = Plan::load(reference(), plan.save());
    for (std::uint64_t p = 0; p < 64; ++p) EXPECT_EQ(loaded.spectrum_index(0, p), plan.spectrum_index(0, p));
    EXPECT_SAYS(plan.spectrum_index(0, 64), "spectrum_index: expected a position below 4x8x2, got 64");
    EXPECT_SAYS(plan.spectrum_index(-2, 0), "spectrum_index: expected one of 1 axes, got -2");
    const Plan inner(reference(), parse_problem("3x64x1x5 axes=1 spectrum-order=pass"), in_passes({16, 4}));
    EXPECT_EQ(inner.report().spectrum_digits, (std::vector<std::vector<std::uint64_t>>{{3}, {16, 4}, {1}, {5}}));
    const Plan halved(reference(), parse_problem("6x8 r2c spectrum-order=pass"));
    EXPECT_EQ(halved.spectrum_index(-1, 4), 4u);
    EXPECT_SAYS(halved.spectrum_index(-1, 5), "expected a position below 5, got 5");
}

TEST(Plan, SpectraInPassOrderMultiplyPointByPoint) {
    Problem problem = parse_problem("64 spectrum-order=pass inverse-scale=1/n");
    const Plan plan(reference(), problem, in_passes({4, 4, 4}));
    const Signal x = signal(64);
    Signal shift(64), product = plan.forward(x);
    shift[3] = 1;
    const Signal kernel = plan.forward(shift);
    for (std::size_t i = 0; i < 64; ++i) product[i] *= kernel[i];
    Signal shifted(64);
    for (std::size_t j = 0; j < 64; ++j) shifted[(j + 3) % 64] = x[j];
    expect_close(plan.inverse(product), shifted);
    // A stage counts positions: no scattered reads of what lies in the same order.
    problem.forward_store = "return value * i0;";
    const Plan ramp(reference(), problem, in_passes({4, 4, 4}));
    const Signal plain = plan.forward(x), ramped = ramp.forward(x);
    for (std::size_t i = 0; i < 64; ++i) EXPECT_LT(std::abs(ramped[i] - plain[i] * float(i)), 1e-3f) << i;
    problem.forward_store = {};
    problem.inverse_load = "return value * i0;";
    const Plan back(reference(), problem, in_passes({4, 4, 4}));
    expect_close(back.inverse(plain), plan.inverse(ramped));
}

TEST(Plan, TakesEnqueuedCopiesAsItTakesOthers) {
    const Signal x = signal(256);
    const Plan plan(reference(), parse_problem("256 in-place"));
    const HostMemory memory = reference().allocate_host(256 * 8);
    EXPECT_EQ(memory.bytes(), 256u * 8);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory.data()) % 4096, 0u);
    std::memcpy(memory.data(), x.data(), 256 * 8);
    Queue queue = reference().create_queue();
    Execution execution;
    execution.input = reference().allocate(256 * 8);
    queue.enqueue_upload(execution.input, memory.data(), 256 * 8);
    plan.execute(queue, execution);
    queue.enqueue_download(memory.data(), execution.input, 256 * 8);
    queue.wait();
    EXPECT_EQ(std::memcmp(memory.data(), plan.forward(x).data(), 256 * 8), 0);
    EXPECT_SAYS(queue.enqueue_upload({execution.input.buffer, 8}, memory.data(), 256 * 8), "too small");
    EXPECT_SAYS(queue.enqueue_download(memory.data(), BufferView(), 8), "is empty");
    EXPECT_EQ(HostMemory().data(), nullptr);
    EXPECT_EQ(HostMemory().bytes(), 0u);
    EXPECT_THROW(Device().allocate_host(8), InvalidProblem);
    EXPECT_THROW(reference().allocate_host(std::uint64_t{1} << 60), BackendError);
}

TEST(Plan, AnInputThatMayBeOverwrittenIsTheWorkspace) {
    const Signal x = signal(256);
    const Plan careful(reference(), parse_problem("256"), in_passes({4, 8, 8}));
    const Plan free(reference(), parse_problem("256 overwrite-input"), in_passes({4, 8, 8}));
    EXPECT_EQ(careful.workspace_bytes(), 256u * 8);
    EXPECT_EQ(free.workspace_bytes(), 0u);
    EXPECT_EQ(free.forward(x), careful.forward(x));
    for (const Plan* plan : {&careful, &free}) {
        Queue queue = reference().create_queue();
        Execution execution;
        execution.input = reference().allocate(256 * 8);
        execution.output = reference().allocate(256 * 8);
        if (plan == &careful) execution.workspace = reference().allocate(256 * 8);
        queue.upload(execution.input, x.data(), 256 * 8);
        plan->execute(queue, execution);
        Signal left(256);
        queue.download(left.data(), execution.input, 256 * 8);
        EXPECT_EQ(left == x, plan == &careful);
    }
    Problem staged = parse_problem("256 overwrite-input");
    staged.forward_store = "return value * w[i0];";
    staged.forward_store.buffers = {{"w", StageType::f32, 256}};
    Queue queue = reference().create_queue();
    Execution execution;
    execution.input = reference().allocate(256 * 8);
    execution.output = reference().allocate(256 * 8);
    execution.stage_buffers = {{"w", execution.input}};
    EXPECT_SAYS(Plan(reference(), staged).execute(queue, execution), "execution.stage_buffers 'w'");
    staged.may_overwrite_input = false;  // what is only read may lie anywhere
    Plan(reference(), staged).execute(queue, execution);
}

TEST(Plan, RefusesWrongHostData) {
    const Plan plan(reference(), parse_problem("16 batch=2"));
    EXPECT_SAYS(plan.forward(signal(31)), "data: expected 32 elements, got 31");
    EXPECT_SAYS(plan.forward(std::vector<std::complex<double>>(32)),
                "data: expected std::complex<float>, as the plan's precision");
}

TEST(Plan, GapsOfStridedOutputAreZero) {
    const Plan plan(reference(), parse_problem("8 ostrides=2 ooffset=8"));
    const Signal x = signal(8), y = plan.forward(x), expected = direct(x, -1);
    ASSERT_EQ(y.size(), 1u + 15u);
    for (std::size_t i = 0; i < y.size(); ++i) EXPECT_LT(std::abs(y[i] - (i % 2 ? expected[i / 2] : 0.0f)), 1e-4f) << i;
}

TEST(Plan, ElementsMayLieBeforeTheFirst) {
    const Signal x = signal(24), back(x.rbegin(), x.rend());
    const auto turned = [](Signal y) { return Signal(y.rbegin(), y.rend()); };
    expect_close(Plan(reference(), parse_problem("24 istrides=-1 ioffset=184")).forward(back), direct(x, -1));
    expect_close(turned(Plan(reference(), parse_problem("24 ostrides=-1 ooffset=184")).inverse(x)), direct(x, 1));
    expect_close(turned(Plan(reference(), parse_problem("24 in-place istrides=-1 ioffset=184")).forward(back)),
                 direct(x, -1));
    // The last of three arrays comes first in memory.
    const Plan batch(reference(), parse_problem("8 batch=3 idist=-8 ioffset=128"));
    Signal expected;
    for (const std::size_t first : {16u, 8u, 0u}) {
        const Signal y = direct(Signal(x.begin() + first, x.begin() + first + 8), -1);
        expected.insert(expected.end(), y.begin(), y.end());
    }
    expect_close(batch.forward(x), expected);
    EXPECT_EQ(batch.input_bytes(2), 192u);
    EXPECT_SAYS(batch.input_bytes(4), "batch: expected at most 3, because input.byte_offset leaves no room");
}

TEST(Execution, ABatchThatGoesBackwardsTakesItsOwnMemoryOnly) {
    const Plan plan(reference(), parse_problem("8 batch=3 idist=-8 ioffset=128"));
    Queue queue = reference().create_queue();
    const Buffer both = reference().allocate(3 * 64);
    const Signal x = signal(24);
    queue.upload(both, x.data(), 3 * 64);
    Execution execution;
    execution.input = both;
    execution.batch = 1;
    // The third array alone is input: the result of one may lie where the first two would.
    execution.output = {both, 64};
    plan.execute(queue, execution);
    Signal y(24);
    queue.download(y.data(), both, 3 * 64);
    Signal expected = x;
    const Signal spectrum = direct(Signal(x.begin() + 16, x.end()), -1);
    std::copy(spectrum.begin(), spectrum.end(), expected.begin() + 8);
    expect_close(y, expected);
    execution.batch = 2;
    EXPECT_SAYS(plan.execute(queue, execution), "execution.output");
}

TEST(Plan, InPlaceKeepsWhatLiesBetween) {
    const Plan plan(reference(), parse_problem("8 in-place istrides=2"));
    const Signal x = signal(15), y = plan.forward(x);
    for (std::size_t i = 1; i < 15; i += 2) EXPECT_EQ(y[i], x[i]);
}

TEST(Plan, TransformsHalvesAsTheirBits) {
    const Plan plan(reference(), parse_problem("8 f16"));
    std::vector<std::uint16_t> x(16), y(16);
    Signal values(8);
    for (std::size_t i = 0; i < 8; ++i) {
        values[i] = {0.25f * static_cast<float>(i), -0.5f};
        x[2 * i] = to_f16(values[i].real());
        x[2 * i + 1] = to_f16(values[i].imag());
    }
    plan.run({x.data(), 8, HostElement::complex_f16}, HostElement::complex_f16, y.data(), Direction::forward);
    const Signal expected = direct(values, -1);
    for (std::size_t i = 0; i < 8; ++i)
        EXPECT_LT(std::abs(std::complex<float>(from_f16(y[2 * i]), from_f16(y[2 * i + 1])) - expected[i]), 0.005f) << i;
    EXPECT_SAYS(plan.forward(values), "data: expected pairs of f16");
    EXPECT_SAYS(plan.run({x.data(), 8, HostElement::complex_bf16}, HostElement::complex_f16, y.data(), {}),
                "data: expected pairs of f16, as the plan's precision, storage and kind have it, got pairs of bf16");
}

/// Real parts, then imaginary parts.
std::vector<float> planes(const Signal& x) {
    std::vector<float> parts(2 * x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
        parts[i] = x[i].real();
        parts[x.size() + i] = x[i].imag();
    }
    return parts;
}

TEST(Plan, TransformsDoubleDoubles) {
    const Plan plan(Device::open("reference"), parse_problem("2 f64x2 inverse-scale=1/n"));
    const DoubleDouble fine{1.0, 0x1p-80};
    const std::vector<ComplexDoubleDouble> data{{fine, 2.0}, {1.0, -3.0}};
    const std::vector<ComplexDoubleDouble> spectrum = plan.forward(data);
    EXPECT_EQ(spectrum[0], (ComplexDoubleDouble{{2.0, 0x1p-80}, -1.0}));
    EXPECT_EQ(spectrum[1], (ComplexDoubleDouble{0x1p-80, 5.0}));
    EXPECT_EQ(plan.inverse(spectrum), data);
    EXPECT_THROW(plan.forward(std::vector<std::complex<double>>(2)), InvalidProblem);
    const Plan real(Device::open("reference"), parse_problem("2 r2c f64x2"));
    const auto bins = real.transform<ComplexDoubleDouble>(std::vector<DoubleDouble>{fine, 1.0});
    EXPECT_EQ(bins[1], (ComplexDoubleDouble{0x1p-80, 0.0}));
    const Plan stored(Device::open("reference"), parse_problem("2 f64x2 storage=f64"));
    EXPECT_EQ(stored.forward(std::vector<std::complex<double>>{3.0, 1.0})[1], 2.0);
}

TEST(Plan, ComputesInHalf) {
    const Plan plan(Device::open("reference"), parse_problem("4 f16-arithmetic"));
    const std::uint16_t one = to_f16(1.0f), tiny = to_f16(0x1p-11f);
    // 1 + 2^-11 is a tie, which goes to 1, twice; in f32 the two would have made 2^-10.
    const std::vector<std::uint16_t> x{one, 0, tiny, 0, 0, 0, tiny, 0};
    std::vector<std::uint16_t> y(8);
    EXPECT_EQ(plan.input_bytes(), 16u);
    plan.run({x.data(), 4, HostElement::complex_f16}, HostElement::complex_f16, y.data(), {});
    EXPECT_EQ(from_f16(y[0]), 1.0f + 0x1p-10f) << "2^-11 + 2^-11 first";
    EXPECT_EQ(from_f16(y[2]), 1.0f);
    const std::vector<std::uint16_t> large(8, to_f16(30000.0f));
    plan.run({large.data(), 4, HostElement::complex_f16}, HostElement::complex_f16, y.data(), {});
    EXPECT_TRUE(std::isinf(from_f16(y[0]))) << "beyond 65504";
    EXPECT_THROW(plan.forward(std::vector<std::complex<float>>(4)), InvalidProblem);
}

TEST(Plan, TransformsPlanarHostData) {
    const Plan plan(reference(), parse_problem("24 iplanar"));
    const Signal x = signal(24);
    expect_close(plan.transform<std::complex<float>>(planes(x)), direct(x, -1));
    const Plan back(reference(), parse_problem("24 oplanar"));
    const std::vector<float> parts = back.transform<float>(x);
    const std::vector<float> expected = planes(direct(x, -1));
    ASSERT_EQ(parts.size(), expected.size());
    for (std::size_t i = 0; i < parts.size(); ++i) EXPECT_LT(std::abs(parts[i] - expected[i]), 1e-4f) << i;
}

TEST(Plan, AnEmptyOneSaysSo) {
    const Plan plan;
    EXPECT_FALSE(plan);
    EXPECT_SAYS(plan.report(), "the plan is empty");
    EXPECT_SAYS(plan.input_bytes(), "the plan is empty");
    EXPECT_SAYS(Plan(Device(), parse_problem("16")), "the device is empty");
    Queue queue;
    EXPECT_SAYS(Plan(reference(), parse_problem("16")).execute(queue, {}), "the queue is empty");
}

TEST(Plan, SizesFollowTheBatch) {
    const Plan plan(reference(), parse_problem("16 f64 batch=4 ooffset=32 odist=20"));
    EXPECT_EQ(plan.input_bytes(), 4 * 16 * 16u);
    EXPECT_EQ(plan.input_bytes(7), 7 * 16 * 16u);
    EXPECT_EQ(plan.output_bytes(), 32 + (3 * 20 + 16) * 16u);
    EXPECT_SAYS(plan.input_bytes(1ull << 60), "expected an extent below 2^63 bytes");
    const Plan interleaved(reference(), parse_problem("16 batch=4 ostrides=4 odist=1"));
    EXPECT_SAYS(interleaved.output_bytes(5), "batch: expected at most 4");
    EXPECT_EQ(plan.workspace_bytes(), 0u);
    PlanOptions options;
    options.tuning.algorithm = Algorithm::bluestein;
    const Plan bluestein(reference(), parse_problem("12011"), options);
    EXPECT_GE(bluestein.workspace_bytes(10), 9 * bluestein.workspace_bytes(1));
    // Arrays that fit in 64 bits, and workspaces that would not.
    const std::uint64_t many = (std::uint64_t{1} << 62) / bluestein.input_bytes(1);
    EXPECT_GE(bluestein.input_bytes(many), std::uint64_t{1} << 61);
    EXPECT_THROW(bluestein.workspace_bytes(many), InvalidProblem);
    EXPECT_THROW(bluestein.workspace_part_bytes(many), InvalidProblem);
}

struct Buffers {
    Queue queue = reference().create_queue();
    Buffer input = reference().allocate(16 * 8), output = reference().allocate(16 * 8);
    Execution execution;
    Buffers() {
        execution.input = input;
        execution.output = output;
    }
};

TEST(Execution, RefusesMissingAndSmallBuffers) {
    const Plan plan(reference(), parse_problem("16"));
    Buffers b;
    EXPECT_EQ(refusal([&] { plan.execute(b.queue, b.execution); }), "accepted");
    b.execution.input = {};
    EXPECT_SAYS(plan.execute(b.queue, b.execution),
                "execution.input: expected a buffer of at least 128 bytes, got none");
    b.execution.input = {b.input, 8};
    EXPECT_SAYS(plan.execute(b.queue, b.execution),
                "execution.input: expected at least 128 bytes from byte 8 on, got a buffer of 128");
    b.execution.input = {b.input, 4};
    EXPECT_SAYS(plan.execute(b.queue, b.execution), "execution.input.byte_offset: expected a multiple of 8, got 4");
    b.execution.input = {b.input, ~std::uint64_t{7}};
    EXPECT_SAYS(plan.execute(b.queue, b.execution), "execution.input: expected at least 128 bytes");
    b.execution.input = b.input;
    b.execution.output = {};
    EXPECT_SAYS(plan.execute(b.queue, b.execution),
                "execution.output: expected a buffer of at least 128 bytes, got none");
    b.execution.output = b.output;
    b.execution.batch = 2;
    EXPECT_SAYS(plan.execute(b.queue, b.execution), "expected at least 256 bytes from byte 0 on, got a buffer of 128");
    PlanOptions options;
    options.tuning.algorithm = Algorithm::bluestein;
    const Plan bluestein(reference(), parse_problem("12011"), options);
    b.execution.batch.reset();
    b.execution.input = reference().allocate(12011 * 8);
    b.execution.output = reference().allocate(12011 * 8);
    ASSERT_NE(bluestein.workspace_bytes(), 0u);
    EXPECT_SAYS(bluestein.execute(b.queue, b.execution),
                "execution.workspace: expected a buffer of at least " + std::to_string(bluestein.workspace_bytes()));
}

TEST(Execution, RefusesSharedMemory) {
    const Plan plan(reference(), parse_problem("16"));
    Buffers b;
    const Buffer both = reference().allocate(2 * 128);
    b.execution.input = both;
    b.execution.output = {both, 64};
    EXPECT_SAYS(plan.execute(b.queue, b.execution), "execution.output: expected memory apart from execution.input");
    b.execution.output = {both, 128};
    EXPECT_EQ(refusal([&] { plan.execute(b.queue, b.execution); }), "accepted");
    const Plan in_place(reference(), parse_problem("16 in-place"));
    EXPECT_SAYS(in_place.execute(b.queue, b.execution), "execution.output: expected the input or none");
    b.execution.output = {};
    EXPECT_EQ(refusal([&] { in_place.execute(b.queue, b.execution); }), "accepted");
    b.execution.output = both;
    EXPECT_EQ(refusal([&] { in_place.execute(b.queue, b.execution); }), "accepted");
}

std::vector<BufferView> buffers_of(const std::vector<std::uint64_t>& bytes) {
    std::vector<BufferView> views;
    for (const std::uint64_t count : bytes) views.emplace_back(reference().allocate(count));
    return views;
}

TEST(Execution, RefusesOtherPartsThanTheProblemHas) {
    const Plan plan(reference(), parse_problem("16 planar batch=2 iparts=48"));
    Queue queue = reference().create_queue();
    EXPECT_EQ(plan.input_part_bytes(), (std::vector<std::uint64_t>{48, 48, 32}));
    EXPECT_EQ(plan.input_part_bytes(1), (std::vector<std::uint64_t>{48, 16}));
    EXPECT_EQ(plan.output_part_bytes(), (std::vector<std::uint64_t>{256}));
    EXPECT_TRUE(plan.workspace_part_bytes().empty());
    Execution execution;
    execution.output = reference().allocate(256);
    execution.input = reference().allocate(256);
    EXPECT_SAYS(plan.execute(queue, execution),
                "execution.input: expected none, because the array lies in parts, got a buffer");
    execution.input = {};
    EXPECT_SAYS(plan.execute(queue, execution),
                "execution.input_parts: expected 3 buffers, 48 bytes in each and 32 in the last, got 0");
    execution.input_parts = buffers_of({48, 48, 32});
    EXPECT_SAYS(plan.execute(queue, execution), "execution.input_imaginary_parts: expected 3 buffers");
    execution.input_imaginary_parts = buffers_of({48, 44, 32});
    EXPECT_SAYS(plan.execute(queue, execution), "execution.input_imaginary_parts[1]: expected at least 48 bytes");
    execution.input_imaginary_parts[1] = execution.input_parts[0];
    EXPECT_SAYS(plan.execute(queue, execution), "execution.input_imaginary_parts: expected memory apart from");
    execution.input_imaginary_parts = buffers_of({48, 48, 32});
    EXPECT_EQ(refusal([&] { plan.execute(queue, execution); }), "accepted");
    execution.input_parts[2] = execution.input_parts[0];
    EXPECT_SAYS(plan.execute(queue, execution),
                "execution.input_parts: expected memory apart from execution.input_parts");
    execution.output_parts = buffers_of({256});
    execution.input_parts = buffers_of({48, 48, 32});
    EXPECT_SAYS(plan.execute(queue, execution),
                "execution.output_parts: expected none, because the problem has no part_bytes for it, got 1");
    execution.output_parts.clear();
    execution.batch = 3;
    EXPECT_SAYS(plan.execute(queue, execution), "execution.batch: expected arrays in at most 3 buffers of 48 bytes");
}

TEST(Execution, TakesFewerPartsForASmallerBatch) {
    const Plan whole(reference(), parse_problem("16 batch=4")),
        parts(reference(), parse_problem("16 batch=4 parts=160"));
    std::vector<std::complex<float>> x(16), y(16);
    for (std::size_t j = 0; j < x.size(); ++j) x[j] = {static_cast<float>(j), 1.0F};
    Queue queue = reference().create_queue();
    Execution execution;
    execution.batch = 1;
    execution.input_parts = buffers_of(parts.input_part_bytes(1));
    execution.output_parts = buffers_of(parts.output_part_bytes(1));
    ASSERT_EQ(execution.input_parts.size(), 1u);
    queue.upload(execution.input_parts[0], x.data(), 128);
    parts.execute(queue, execution);
    queue.download(y.data(), execution.output_parts[0], 128);
    EXPECT_EQ(y, Plan(reference(), parse_problem("16")).forward(x));
}

TEST(Plan, TransformsHostArraysThroughParts) {
    for (const char* words :
         {"parts=1600", "in-place parts=2000", "planar ioffset=8 parts=836", "oparts=816 ostrides=3"}) {
        const std::string text =
            std::string("100 batch=5 idist=103 ") + (std::string(words).find("in-place") == 0 ? "" : "odist=303 ");
        Problem problem = parse_problem(text + words);
        const Plan split(reference(), problem);
        problem.input.part_bytes = problem.output.part_bytes = 0;
        const Plan whole(reference(), problem);
        ASSERT_EQ(split.input_bytes(), whole.input_bytes());
        std::vector<float> x(split.input_bytes() / 4), y(split.output_bytes() / 4), expected(y.size());
        for (std::size_t j = 0; j < x.size(); ++j) x[j] = static_cast<float>(j % 17);
        const bool planar = problem.input.planar;
        const HostElement element = planar ? HostElement::f32 : HostElement::complex_f32;
        const HostArray data{x.data(), planar ? x.size() : x.size() / 2, element};
        for (const Direction direction : {Direction::forward, Direction::inverse}) {
            split.run(data, element, y.data(), direction);
            whole.run(data, element, expected.data(), direction);
            EXPECT_EQ(y, expected) << words;
        }
        split.warm_up();
    }
}

// Each in at most 16 parts, and those of one stage together in 32.
TEST(Plan, BindsBuffersOfStagesInPieces) {
    PlanOptions options;
    options.tuning.buffer_bytes = 256;
    Problem problem = parse_problem("8 batch=2");
    const auto refused = [&](std::uint64_t first, std::uint64_t others) {
        problem.forward_load = "return value * first[i0] * second[i0] * third[i0];";
        problem.forward_load.buffers = {
            {"first", StageType::f32, first}, {"second", StageType::f32, others}, {"third", StageType::f32, others}};
        return refusal([&] { Plan(reference(), problem, options); });
    };
    EXPECT_EQ(refused(1024, 512), "accepted");
    EXPECT_EQ(refused(1025, 8),
              "another kind: Unsupported: stage buffer first: expected at most 16 buffers of 256 bytes, what a kernel "
              "on this device "
              "takes, got 4100 bytes");
    EXPECT_EQ(refused(1024, 513),
              "another kind: Unsupported: stage buffers: expected at most 32 of 256 bytes for those of one stage "
              "together, what a "
              "kernel on this device takes, got 34");
}

TEST(Plan, BindsALargeWorkspaceInPieces) {
    PlanOptions options;
    options.tuning.buffer_bytes = 100;
    EXPECT_NE(refusal([&] {
                  Plan(reference(), parse_problem("16"), options);
              }).find("tuning.buffer_bytes: expected 0 or at least 256, got 100"),
              std::string::npos);
    options.tuning.buffer_bytes = 1 << 15;
    EXPECT_NE(refusal([&] {
                  Plan(reference(), parse_problem("16384 parts=65536"), options);
              }).find("input.part_bytes: expected at most 32768"),
              std::string::npos);
    options.tuning.buffer_bytes = 1 << 16;
    options.tuning.algorithm = Algorithm::bluestein;
    PlanOptions of_whole;
    of_whole.tuning.algorithm = Algorithm::bluestein;
    const Plan plan(reference(), parse_problem("12011"), options), whole(reference(), parse_problem("12011"), of_whole);
    EXPECT_NE(plan.report().text().find("parts=2x65536"), std::string::npos) << plan.report().text();
    const std::vector<std::uint64_t> bytes = plan.workspace_part_bytes();
    ASSERT_GE(bytes.size(), 3u);
    for (const std::uint64_t part : bytes) EXPECT_LE(part, 65536u);
    std::vector<std::complex<float>> x(12011, {1.0F, -0.5F}), y(12011);
    x[77] = 3.0F;
    const std::vector<std::complex<float>> expected = whole.forward(x);
    EXPECT_EQ(plan.forward(x), expected);
    Queue queue = reference().create_queue();
    Execution execution;
    execution.input = reference().allocate(12011 * 8);
    execution.output = reference().allocate(12011 * 8);
    execution.workspace = reference().allocate(plan.workspace_bytes());  // in one buffer it does as well
    queue.upload(execution.input, x.data(), x.size() * 8);
    plan.execute(queue, execution);
    queue.download(y.data(), execution.output, y.size() * 8);
    EXPECT_EQ(y, expected);
    execution.workspace_parts = buffers_of({65536});
    EXPECT_SAYS(plan.execute(queue, execution),
                "execution.workspace: expected none, because workspace_parts are given");
    execution.workspace = {};
    EXPECT_SAYS(plan.execute(queue, execution),
                "execution.workspace_parts: expected " + std::to_string(bytes.size()) + " buffers, got 1");
}

TEST(Execution, TakesPlanarHalvesFromAnywhere) {
    const Plan plan(reference(), parse_problem("16 planar ioffset=4"));
    Queue queue = reference().create_queue();
    const Signal x = signal(16), expected = direct(x, -1);
    const std::vector<float> parts = planes(x);
    const Buffer re = reference().allocate(4 + 64), im = reference().allocate(8 + 64), out = reference().allocate(256);
    queue.upload({re, 4}, parts.data(), 64);
    queue.upload({im, 8}, parts.data() + 16, 64);
    Execution execution;
    execution.input = re;
    execution.input_imaginary = {im, 4};  // the layout's offset holds here too
    execution.output = {out, 64};
    execution.output_imaginary = out;
    plan.execute(queue, execution);
    std::vector<float> result(32);
    queue.download(result.data(), out, 128);
    for (std::size_t i = 0; i < 16; ++i) {
        EXPECT_LT(std::abs(result[i] - expected[i].imag()), 1e-4f) << i;
        EXPECT_LT(std::abs(result[16 + i] - expected[i].real()), 1e-4f) << i;
    }
    execution.output_imaginary = {out, 32};
    EXPECT_SAYS(plan.execute(queue, execution),
                "execution.output_imaginary: expected memory apart from execution.output");
    execution.output_imaginary = {};
    execution.input_imaginary = {re, 32};
    EXPECT_SAYS(plan.execute(queue, execution),
                "execution.input_imaginary: expected at least 68 bytes from byte 32 on, got a buffer of 68");
    execution.input_imaginary = {};
    EXPECT_SAYS(plan.execute(queue, execution), "execution.input: expected at least 132 bytes");
    const Plan pairs(reference(), parse_problem("16"));
    execution.input = out;
    execution.input_imaginary = im;
    EXPECT_SAYS(pairs.execute(queue, execution),
                "execution.input_imaginary: expected none, because the array is not planar, got a buffer");
}

TEST(Execution, RefusesTheDirectionThatWasNotPlanned) {
    PlanOptions options;
    options.directions = Directions::forward;
    const Plan plan(reference(), parse_problem("16"), options);
    Buffers b;
    b.execution.direction = Direction::inverse;
    EXPECT_NE(refusal([&] { plan.execute(b.queue, b.execution); }).find("InvalidProblem"), std::string::npos);
    EXPECT_NO_THROW(plan.warm_up());
}

TEST(PlanCache, TheSameProblemAgainIsTheSamePlan) {
    const Problem problem = parse_problem("48x36 batch=3 inverse-scale=1/n");
    const Plan first(reference(), problem);
    for (int i = 0; i < 20; ++i) {
        const Plan again(reference(), problem);
        EXPECT_EQ(&again.report(), &first.report());  // what it costs: `seiche bench --plan-times`
    }
}

TEST(PlanCache, KeepsDifferentPlansApart) {
    const Plan plan(reference(), parse_problem("40"));
    EXPECT_NE(&Plan(reference(), parse_problem("40 f64")).report(), &plan.report());
    EXPECT_NE(&Plan(Device::open("reference"), parse_problem("40 batch=2")).report(), &plan.report());
    PlanOptions options;
    options.directions = Directions::inverse;
    EXPECT_NE(&Plan(reference(), parse_problem("40"), options).report(), &plan.report());
    // The same transform in other words keeps its words.
    EXPECT_EQ(to_string(Plan(reference(), parse_problem("40 axes=0")).problem()), "40 c2c f32 axes=0");
}

TEST(PlanCache, ForgetsTheOldest) {
    for (int n = 2; n < 60; ++n) {
        Problem problem;
        problem.lengths = {static_cast<std::uint64_t>(n)};
        const Plan plan(reference(), problem);
        const Signal x = signal(static_cast<std::size_t>(n));
        if (n < 8) expect_close(plan.forward(x), direct(x, -1));
    }
}

}  // namespace
}  // namespace seiche
