// User stages through the public interface: on the interpreter, on OpenCL where it is, as text of every dialect; and
// what an execution refuses.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <functional>

#include "seiche/emit.hpp"
#include "seiche/error.hpp"
#include "seiche/plan.hpp"

namespace {

using namespace seiche;
using Point = std::complex<float>;

constexpr std::uint64_t n = 48, batch = 3, count = n * batch;

Problem staged_problem(std::uint64_t length = n) {
    Problem p;
    p.lengths = {length};
    p.batch = batch;
    p.forward_load = "return value * window[i0] + shift;";
    p.forward_load.buffers = {{"window", StageType::i16, length}};
    p.forward_load.scalars = {{"shift", StageType::i32}};
    p.forward_store = "store power[batch * n0 + i0] = norm(value); return value * (1 + i0 % 3);";
    p.forward_store.buffers = {{"power", StageType::f32, length * batch}};
    p.inverse_load = "return conj(value) * exp(0 - i0 / n0) * sqrt(1 + i0) + sin(i0) * cos(value.re);";
    return p;
}

std::vector<Point> signal(std::uint64_t points) {
    std::vector<Point> x(points);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = {static_cast<float>(i % 11) - 5, static_cast<float>(i % 7)};
    return x;
}

/// Everything that an execution of the problem needs.
struct Bench {
    Device device;
    Plan plan;
    Queue queue;
    Execution execution;

    explicit Bench(const std::string& name, std::uint64_t length = n)
        : device(Device::open(name)), plan(device, staged_problem(length)), queue(device.create_queue()) {
        const std::vector<Point> x = signal(length * batch);
        execution.input = device.allocate(plan.input_bytes());
        execution.output = device.allocate(plan.output_bytes());
        if (plan.workspace_bytes() != 0) execution.workspace = device.allocate(plan.workspace_bytes());
        queue.upload(execution.input, x.data(), plan.input_bytes());
        std::vector<std::int16_t> window(length);
        for (std::size_t i = 0; i < length; ++i) window[i] = static_cast<std::int16_t>(static_cast<int>(i % 9) - 4);
        const Buffer memory = device.allocate(2 * length);
        queue.upload(memory, window.data(), 2 * length);
        execution.stage_buffers = {{"window", memory}, {"power", device.allocate(4 * length * batch)}};
        execution.stage_scalars = {{"shift", -2}};
    }

    std::vector<Point> result() {
        std::vector<Point> y(plan.output_bytes() / sizeof(Point));
        queue.download(y.data(), execution.output, plan.output_bytes());
        return y;
    }
    std::vector<float> power() {
        const BufferView& view = execution.stage_buffers[1].view;
        std::vector<float> values(view.buffer.bytes() / sizeof(float));
        queue.download(values.data(), view, view.buffer.bytes());
        return values;
    }
};

// Nor does a kernel that would bring the input to shared memory before the stage sees it. Neither array is there, so
// that an access to one would leave the memory that stands for it.
TEST(Stage, that_does_not_use_the_value_reads_no_input_of_any_shape) {
    const Device device = Device::open("reference");
    for (const char* text : {"64", "1009", "100x32", "24x24", "16x16x16", "30 r2c", "31 r2c", "64x48 r2c", "60x60 r2c",
                             "16x16x16 r2c", "20x20x20 r2c", "30 c2r", "64x48 c2r", "16x16x16 c2r"}) {
        Problem problem = parse_problem(text);
        const bool is_inverse = problem.kind == Kind::c2r;
        UserStage store = "store seen[0] = 1;";
        store.buffers = {{"seen", StageType::f32, 1}};
        (is_inverse ? problem.inverse_load : problem.forward_load) = "return 1;";
        (is_inverse ? problem.inverse_store : problem.forward_store) = store;
        const Plan plan(device, problem, {is_inverse ? Directions::inverse : Directions::forward, {}});
        ASSERT_EQ(plan.input_bytes(), 0u) << text;
        Queue queue = device.create_queue();
        Execution execution;
        execution.stage_buffers = {{"seen", device.allocate(4)}};
        if (plan.output_bytes() != 0) execution.output = device.allocate(plan.output_bytes());
        if (plan.workspace_bytes() != 0) execution.workspace = device.allocate(plan.workspace_bytes());
        EXPECT_NO_THROW(plan.execute(queue, execution)) << text;
        float seen = 0;
        queue.download(&seen, execution.stage_buffers[0].view, 4);
        EXPECT_EQ(seen, 1) << text;
    }
}

TEST(Stage, what_the_user_names_comes_with_the_execution) {
    Bench bench("reference");
    bench.plan.execute(bench.queue, bench.execution);
    const std::vector<Point> x = signal(count), y = bench.result();
    const std::vector<float> power = bench.power();
    for (std::size_t b = 0; b < batch; ++b)
        for (std::size_t k = 0; k < n; ++k) {
            std::complex<double> sum = 0;
            for (std::size_t j = 0; j < n; ++j) {
                const double window = static_cast<double>(j % 9) - 4;
                sum += (std::complex<double>(x[b * n + j]) * window - 2.0) *
                       std::polar(1.0, -2 * M_PI * static_cast<double>(j * k % n) / static_cast<double>(n));
            }
            EXPECT_NEAR(power[b * n + k], std::norm(sum), 1e-4 * (1 + std::norm(sum)));
            EXPECT_LT(std::abs(std::complex<double>(y[b * n + k]) - sum * (1.0 + static_cast<double>(k % 3))), 1e-2);
        }
}

TEST(Stage, opencl_gives_what_the_interpreter_gives) {
    for (const std::uint64_t length : {std::uint64_t{48}, std::uint64_t{64}, std::uint64_t{97}}) {
        std::unique_ptr<Bench> device;
        try {
            device = std::make_unique<Bench>("opencl", length);
        } catch (const BackendError& error) {
            GTEST_SKIP() << error.what();
        } catch (const Unsupported& error) {
            GTEST_SKIP() << error.what();
        }
        Bench reference("reference", length);
        double difference = 0, size = 0;
        for (const Direction direction : {Direction::forward, Direction::inverse}) {
            for (Bench* bench : {device.get(), &reference}) {
                bench->execution.direction = direction;
                bench->plan.execute(bench->queue, bench->execution);
            }
            const std::vector<Point> got = device->result(), want = reference.result();
            for (std::size_t i = 0; i < want.size(); ++i) {
                difference += std::norm(got[i] - want[i]);
                size += std::norm(want[i]);
            }
        }
        const std::vector<float> got = device->power(), want = reference.power();
        for (std::size_t i = 0; i < want.size(); ++i) {
            difference += std::pow(got[i] - want[i], 2);
            size += std::pow(want[i], 2);
        }
        EXPECT_LT(std::sqrt(difference / size), 2e-6) << length;
    }
}

TEST(Stage, a_needless_input_or_output_may_be_left_out) {
    Problem p;
    p.lengths = {n};
    p.forward_load = "return i0 == 0 ? 1 : 0;";
    p.forward_store = "store out[i0] = value.re * 10;";
    p.forward_store.buffers = {{"out", StageType::u8, n}};
    PlanOptions options;
    options.directions = Directions::forward;
    const Device device = Device::open("reference");
    const Plan plan(device, p, options);
    EXPECT_EQ(plan.input_bytes(), 0u);
    EXPECT_EQ(plan.output_bytes(), 0u);
    plan.warm_up();
    Queue queue = device.create_queue();
    Execution execution;
    execution.stage_buffers = {{"out", device.allocate(n)}};
    plan.execute(queue, execution);
    std::vector<std::uint8_t> out(n);
    queue.download(out.data(), execution.stage_buffers[0].view, n);
    EXPECT_EQ(out, std::vector<std::uint8_t>(n, 10));
    EXPECT_NE(Plan(device, p).input_bytes(), 0u) << "the inverse reads it";
}

/// Half storage and planar halves are the memory's matter; a stage without a result touches neither half of the output.
TEST(Stage, any_storage_of_the_problem_will_do) {
    const Device device = Device::open("reference");
    for (const char* text : {"16 f32", "16 f32 planar", "16 f32 iplanar", "16 f32 oplanar", "16 f32 storage=f16"}) {
        Problem p = parse_problem(text);
        p.forward_load = "return i0 == 3 ? value * 2 : 0;";
        p.forward_store = "store out[i0] = norm(value);";
        p.forward_store.buffers = {{"out", StageType::f32, 16}};
        PlanOptions options;
        options.directions = Directions::forward;
        const Plan plan(device, p, options);
        EXPECT_EQ(plan.output_bytes(), 0u) << text;
        Queue queue = device.create_queue();
        const bool is_half = p.storage == Storage::f16;
        const std::uint64_t bytes = plan.input_bytes();
        std::vector<std::byte> ones(bytes);
        for (std::size_t i = 0; i < bytes; ++i)  // 1.0 in f32 or f16, little-endian
            ones[i] = static_cast<std::byte>(is_half ? (i % 2 ? 0x3c : 0) : i % 4 == 3 ? 0x3f : i % 4 == 2 ? 0x80 : 0);
        Execution execution;
        execution.input = device.allocate(bytes);
        queue.upload(execution.input, ones.data(), bytes);
        execution.stage_buffers = {{"out", device.allocate(64)}};
        plan.execute(queue, execution);
        std::vector<float> out(16);
        queue.download(out.data(), execution.stage_buffers[0].view, 64);
        for (const float power : out) EXPECT_NEAR(power, 8, 1e-5) << text;  // |2 (1 + i)|^2
        queue.download(ones.data(), execution.input, bytes);
        EXPECT_EQ(ones[bytes - 1], static_cast<std::byte>(is_half ? 0x3c : 0x3f)) << "the input is as it was";
    }
}

/// The same of real kinds, whose real arrays have no planes.
TEST(Stage, any_storage_of_a_real_problem_will_do) {
    const Device device = Device::open("reference");
    for (const char* words : {"", "oplanar", "storage=f16", "storage=bf16"}) {
        Problem p = parse_problem(std::string("16 r2c f32 ") + words);
        p.forward_load = "return i0 == 3 ? value * 2 : 0;";
        p.forward_store = "store out[i0] = norm(value); return value * 2;";
        p.forward_store.buffers = {{"out", StageType::f32, 9}};
        const Plan plan(device, p);
        Queue queue = device.create_queue();
        const bool is_half = p.storage == Storage::f16;
        const std::vector<int> one = is_half                      ? std::vector<int>{0, 0x3c}  // little-endian
                                     : p.storage == Storage::bf16 ? std::vector<int>{0x80, 0x3f}
                                                                  : std::vector<int>{0, 0, 0x80, 0x3f};
        std::vector<std::byte> ones(plan.input_bytes());
        for (std::size_t i = 0; i < ones.size(); ++i) ones[i] = static_cast<std::byte>(one[i % one.size()]);
        Execution execution;
        execution.input = device.allocate(plan.input_bytes());
        execution.output = device.allocate(plan.output_bytes());
        queue.upload(execution.input, ones.data(), ones.size());
        execution.stage_buffers = {{"out", device.allocate(36)}};
        plan.execute(queue, execution);
        std::vector<float> out(9);
        queue.download(out.data(), execution.stage_buffers[0].view, 36);
        for (const float power : out) EXPECT_NEAR(power, 4, 1e-5) << words;
        std::vector<std::byte> result(plan.output_bytes());
        queue.download(result.data(), execution.output, result.size());
        // The first number is 2 * 2 + 0 i.
        EXPECT_EQ(result[one.size() - 1], static_cast<std::byte>(is_half ? 0x44 : 0x40)) << words;
    }
}

TEST(Stage, plans_that_differ_in_a_stage_are_two) {
    const Device device = Device::open("reference");
    Problem p;
    p.lengths = {8};
    const auto sum = [&](const char* text) {
        p.forward_load = text;
        return Plan(device, p).forward(std::vector<Point>(8, 1.0f))[0].real();
    };
    EXPECT_EQ(sum("return value;"), 8);
    EXPECT_EQ(sum("return value * 2;"), 16);
    EXPECT_EQ(sum(""), 8);
}

void expect_refused(const std::function<void(Bench&)>& change, const std::string& message) {
    Bench bench("reference");
    change(bench);
    try {
        bench.plan.execute(bench.queue, bench.execution);
        FAIL() << "accepted";
    } catch (const InvalidProblem& error) {
        EXPECT_EQ(std::string(error.what()), "InvalidProblem: execution." + message);
    }
}

TEST(Stage, an_execution_is_refused_by_name) {
    expect_refused([](Bench& b) { b.execution.stage_buffers.pop_back(); },
                   "stage_buffers 'power': expected a buffer of at least 576 bytes, got none");
    expect_refused([](Bench& b) { b.execution.stage_buffers[0].view = b.device.allocate(95); },
                   "stage_buffers 'window': expected at least 96 bytes from byte 0 on, got a buffer of 95");
    expect_refused(
        [](Bench& b) {
            b.execution.stage_buffers[0].view = {b.device.allocate(200), 3};
        },
        "stage_buffers 'window'.byte_offset: expected a multiple of 2, got 3");
    expect_refused([](Bench& b) { b.execution.stage_buffers[0].name = "windw"; },
                   "stage_buffers 'windw': expected a name that a stage of the problem declares, got another");
    expect_refused([](Bench& b) { b.execution.stage_buffers.push_back(b.execution.stage_buffers[0]); },
                   "stage_buffers 'window': expected each name once, got it again");
    expect_refused([](Bench& b) { b.execution.stage_buffers[1].view = b.execution.output; },
                   "stage_buffers 'power': expected memory apart from execution.output, got bytes 0 to 576 and 0 to "
                   "1152 of one buffer");
    expect_refused([](Bench& b) { b.execution.stage_buffers[1].view = b.execution.input; },
                   "stage_buffers 'power': expected memory apart from execution.input, got bytes 0 to 576 and 0 to "
                   "1152 of one buffer");
    expect_refused(
        [](Bench& b) {
            const Buffer both = b.device.allocate(1000);
            b.execution.stage_buffers[0].view = {both, 574};
            b.execution.stage_buffers[1].view = both;
        },
        "stage_buffers 'power': expected memory apart from execution.stage_buffers 'window', got bytes 0 to 576 and "
        "574 to 670 of one buffer");
    expect_refused([](Bench& b) { b.execution.stage_scalars.clear(); },
                   "stage_scalars 'shift': expected a number of type i32, got none");
    expect_refused([](Bench& b) { b.execution.stage_scalars[0].value = 0.5; },
                   "stage_scalars 'shift': expected a whole number that fits i32, got 0.500000");
    expect_refused([](Bench& b) { b.execution.stage_scalars[0].value = 4e9; },
                   "stage_scalars 'shift': expected a whole number that fits i32, got 4000000000.000000");
}

TEST(Stage, a_batch_that_leaves_a_buffer_is_refused) {
    Bench bench("reference");
    bench.execution.batch = batch + 1;
    try {
        bench.plan.execute(bench.queue, bench.execution);
        FAIL() << "accepted";
    } catch (const InvalidProblem& error) {
        EXPECT_STREQ(error.what(),
                     "InvalidProblem: batch: expected at most 3, because an index of a stage would leave its buffer "
                     "beyond, got 4");
    }
}

TEST(Stage, a_problem_is_refused_by_field) {
    const auto refused = [](const std::function<void(Problem&)>& change) -> std::string {
        Problem p = staged_problem();
        change(p);
        try {
            emit_kernels(p, Dialect::cuda, DeviceLimits{});
        } catch (const InvalidProblem& error) {
            return error.what();
        }
        return "accepted";
    };
    EXPECT_EQ(refused([](Problem&) {}), "accepted");
    EXPECT_EQ(refused([](Problem& p) { p.inverse_load = "return value\n + hann;"; }),
              "InvalidProblem: inverse_load: line 2, column 4: expected a name that is declared, got 'hann'");
    EXPECT_EQ(refused([](Problem& p) { p.forward_load.buffers[0].count = 47; }),
              "InvalidProblem: forward_load: line 1, column 23: expected an index from 0 to 46 into 'window', got one "
              "from 0 to 47");
    EXPECT_EQ(refused([](Problem& p) { p.forward_load.text.clear(); }),
              "InvalidProblem: forward_load: expected a text that mentions the buffers and scalars, got none");
    EXPECT_EQ(
        refused([](Problem& p) {
            p.forward_store = "return value * window[i0];";
            p.forward_store.buffers = {{"window", StageType::f32, n}};
        }),
        "InvalidProblem: forward_store.buffers[0]: expected 'window' of 48 x i16 as the load stage has it, got 48 "
        "x f32");
    EXPECT_EQ(refused([](Problem& p) {
                  p.forward_store = "store window[i0] = 1;";
                  p.forward_store.buffers = {{"window", StageType::i16, n}};
              }),
              "InvalidProblem: forward_store.buffers[0]: expected a buffer that is either read or stored to, got "
              "'window' for both");
    EXPECT_EQ(refused([](Problem& p) {
                  p.kind = Kind::dct2;
                  p.forward_load = p.forward_store = {};
              }),
              "InvalidProblem: inverse_load: line 1, column 70: expected a complex number before '.re', got a real "
              "number");
    EXPECT_EQ(refused([](Problem& p) {
                  p.kind = Kind::r2c;
                  p.forward_load.text = "return value * window[i0] + complex(shift, 1);";
              }),
              "InvalidProblem: forward_load: line 1, column 27: expected a real number to return, because the array is "
              "real, got a complex number");
    EXPECT_EQ(refused([](Problem& p) { p.kind = Kind::r2c; }),
              "InvalidProblem: inverse_load: expected no stage, because r2c has no such direction, got one");
    EXPECT_EQ(refused([](Problem& p) { p.kind = Kind::c2r; }),
              "InvalidProblem: forward_load: expected no stage, because c2r has no such direction, got one");
}

TEST(Stage, generated_text_has_the_users_parameters_under_safe_names) {
    Problem p = staged_problem();
    p.forward_load.text = "return value * __global[i0] + float;  // */ \\\n/* \" */";
    p.forward_load.buffers[0].name = "__global";
    p.forward_load.scalars[0].name = "float";
    for (const Dialect dialect : {Dialect::cuda, Dialect::opencl}) {
        const std::string text = emit_kernels(p, dialect, DeviceLimits{}).front().source;
        EXPECT_NE(text.find("* restrict load___global") == std::string::npos,
                  text.find("* __restrict__ load___global") == std::string::npos);
        EXPECT_NE(text.find("int load_float"), std::string::npos);
        EXPECT_NE(text.find("user(return value * __global [ i0 ] + float ;)"), std::string::npos)
            << text.substr(0, 400);
        EXPECT_EQ(text.find("*/"), std::string::npos);
        EXPECT_EQ(text.find('\\'), std::string::npos);
    }
}

}  // namespace
