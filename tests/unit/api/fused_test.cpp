// Two passes in one kernel give what two kernels give: pruned, with stages of the user, in halves; and what asking for
// it is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <random>

#include "seiche/convolution.hpp"
#include "seiche/error.hpp"
#include "seiche/half.hpp"
#include "seiche/plan.hpp"

namespace {

using namespace seiche;

/// What comes out of a plan of f32 or halves, as numbers; what nobody writes stays as it was.
std::vector<float> transformed(const Problem& problem, const Tuning& tuning, Direction direction) {
    const Device device = Device::open("reference");
    PlanOptions options;
    const std::uint32_t groups = tuning.groups_per_cluster;
    options.tuning = tuning;
    options.tuning.separate_passes = groups == 0;
    const Plan plan(device, problem, options);
    EXPECT_TRUE(groups == 0 || plan.workspace_bytes() == 0);
    Queue queue = device.create_queue();
    const bool has_halves = problem.storage == Storage::f16;
    const std::size_t bytes = direction == Direction::forward ? plan.input_bytes() : plan.output_bytes();
    const std::size_t written = direction == Direction::forward ? plan.output_bytes() : plan.input_bytes();
    std::mt19937 random(7);
    std::uniform_real_distribution<float> number(-1, 1);
    std::vector<float> wide(bytes / (has_halves ? 2 : 4));
    std::vector<std::uint16_t> narrow(has_halves ? wide.size() : 0);
    for (float& x : wide) x = number(random);
    for (std::size_t i = 0; i < narrow.size(); ++i) narrow[i] = to_f16(wide[i]);
    Execution execution;
    execution.direction = direction;
    execution.input = device.allocate(bytes);
    execution.output = device.allocate(written);
    if (plan.workspace_bytes() != 0) execution.workspace = device.allocate(plan.workspace_bytes());
    queue.upload(execution.input, has_halves ? static_cast<const void*>(narrow.data()) : wide.data(), bytes);
    const std::vector<char> untouched(written, 0);
    queue.upload(execution.output, untouched.data(), written);
    plan.execute(queue, execution);
    wide.assign(written / (has_halves ? 2 : 4), 0);
    narrow.assign(has_halves ? wide.size() : 0, 0);
    queue.download(has_halves ? static_cast<void*>(narrow.data()) : wide.data(), execution.output, written);
    for (std::size_t i = 0; i < narrow.size(); ++i) wide[i] = from_f16(narrow[i]);
    return wide;
}

void expect_same(const Problem& problem, std::uint32_t groups, double within = 4e-7, std::uint32_t threads = 0) {
    Tuning tuning;
    tuning.groups_per_cluster = groups;
    tuning.threads_per_transform = threads;
    for (const Direction direction : {Direction::forward, Direction::inverse}) {
        const std::vector<float> wanted = transformed(problem, {}, direction);
        const std::vector<float> got = transformed(problem, tuning, direction);
        ASSERT_EQ(got.size(), wanted.size());
        double difference = 0, whole = 0;
        for (std::size_t i = 0; i < got.size(); ++i) {
            difference += std::pow(double(got[i]) - wanted[i], 2);
            whole += std::pow(double(wanted[i]), 2);
        }
        EXPECT_GT(whole, 0);
        EXPECT_LT(std::sqrt(difference / whole), within) << to_string(problem) << " in " << groups;
    }
}

TEST(Fused, leaves_out_what_is_pruned) {
    expect_same(parse_problem("1024 signal-zeros=0:512-1024 batch=2"), 2);
    expect_same(parse_problem("1024 spectrum-zeros=0:100-300 batch=2"), 4);
    expect_same(parse_problem("1024 signal-zeros=0:3-900 spectrum-zeros=0:0-500"), 1);
}

TEST(Fused, applies_stages_of_the_user) {
    Problem problem = parse_problem("768 batch=3");
    problem.forward_load = "return value * (1 + i0 % 3);";
    problem.forward_store = "return conj(value) * i0;";
    problem.inverse_load = "return value + batch;";
    expect_same(problem, 2);
    problem.lengths = {16, 48};
    problem.forward_load = "return value * (1 + i0 % 3 + i1);";
    problem.forward_store = "return conj(value) * (i0 + 2 * i1);";
    expect_same(problem, 1);
    expect_same(problem, 4);
}

TEST(Fused, takes_the_threads_that_are_asked_for) {
    for (const std::uint32_t threads : {4u, 8u, 16u}) expect_same(parse_problem("4096"), 2, 4e-7, threads);
    for (const std::uint32_t threads : {3u, 6u, 15u}) expect_same(parse_problem("40x60 batch=2"), 1, 4e-7, threads);
}

/// Rows that a thread has whole, and as many threads as each axis asks for.
TEST(Fused, planes_of_whole_rows) {
    for (const char* text : {"12x12 batch=7", "20x16 batch=3", "9x31", "5x3x7 axes=1,2 batch=2", "30x4x6 axes=0,2",
                             "72x50", "100x20", "3x25x40", "45x20", "36x25 batch=2", "12x10 f16"}) {
        Problem problem = parse_problem(text);
        const double within = problem.storage == Storage::f16 ? 2e-3 : 4e-7;
        expect_same(problem, 1, within);
        problem.forward_store = "return value * (1 + i0);";
        problem.inverse_load = "return conj(value) + i1;";
        expect_same(problem, 1, within);
    }
}

TEST(Fused, rounds_halves_once) {
    const Problem problem = parse_problem("1024 f16 batch=2 inverse-scale=1/n");
    expect_same(problem, 2, 2e-3);
}

/// Numbers that are no spectrum of real ones: of columns 0 and n / 2 only what is one counts.
TEST(Fused, leaves_out_of_a_plane_what_no_real_numbers_have) {
    const Device device = Device::open("reference");
    std::mt19937 random(5);
    std::uniform_real_distribution<float> number(-1, 1);
    for (const char* text : {"12x20 c2r", "9x14 c2r", "16x8 c2r batch=3", "3x8x16 c2r"}) {
        SCOPED_TRACE(text);
        PlanOptions separate, together;
        separate.tuning.separate_passes = true;
        together.tuning.groups_per_cluster = 1;
        const Plan wanted(device, parse_problem(text), separate), plan(device, parse_problem(text), together);
        EXPECT_LT(plan.report().kernels.size(), wanted.report().kernels.size());
        std::vector<std::complex<float>> spectrum(plan.input_bytes() / sizeof(std::complex<float>));
        for (std::complex<float>& x : spectrum) x = {number(random), number(random)};
        const std::vector<float> a = wanted.transform<float>(spectrum, Direction::inverse),
                                 b = plan.transform<float>(spectrum, Direction::inverse);
        double difference = 0, whole = 0;
        for (std::size_t i = 0; i < a.size(); ++i) {
            difference += std::pow(double(a[i]) - b[i], 2);
            whole += std::pow(double(a[i]), 2);
        }
        EXPECT_LT(std::sqrt(difference / whole), 4e-7);
    }
}

std::string refusal(const std::string& problem, std::uint32_t groups, const std::string& device = "reference") {
    PlanOptions options;
    options.tuning.groups_per_cluster = groups;
    try {
        const Plan plan(Device::open(device), parse_problem(problem), options);
    } catch (const Unsupported& error) {
        return error.what();
    }
    return "taken";
}

TEST(Fused, refuses_what_it_would_ignore) {
    const Device device = Device::open("reference");
    PlanOptions options;
    options.tuning.groups_per_cluster = 2;
    options.tuning.threads_per_transform = 3;
    EXPECT_THROW(Plan(device, parse_problem("4096"), options), Unsupported) << "no divisor";
    options.tuning.threads_per_transform = 1;
    EXPECT_THROW(Plan(device, parse_problem("8x16x24"), options), Unsupported) << "each axis has its own";
    Convolution convolution;
    convolution.signal = {64};
    convolution.kernel = {5};
    options.tuning.threads_per_transform = 0;
    EXPECT_THROW(ConvolutionPlan(device, convolution, options.tuning), Unsupported);
}

TEST(Fused, says_what_cannot_be_one_kernel) {
    EXPECT_NE(refusal("4096", 32).find("expected at most 16"), std::string::npos) << refusal("4096", 32);
    EXPECT_NE(refusal("4096x4096", 2).find("bytes of shared memory"), std::string::npos) << refusal("4096x4096", 2);
    EXPECT_NE(refusal("67108864", 2).find("expected groups that hold a part"), std::string::npos)
        << refusal("67108864", 2);
    for (const char* problem : {"67", "4096 r2c", "4096 f64x2"})
        EXPECT_NE(refusal(problem, 1).find("expected two passes, the second across"), std::string::npos)
            << problem << ": " << refusal(problem, 1);
}

}  // namespace
