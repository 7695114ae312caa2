// The C interface of short-time plans: the same numbers as the C++ plan, and one line for what is refused.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "seiche/seiche.h"
#include "seiche/short_time.hpp"

namespace {

constexpr std::size_t samples = 200, length = 20;

std::vector<float> signal() {
    std::vector<float> x(samples);
    for (std::size_t i = 0; i < samples; ++i) x[i] = static_cast<float>(i % 7) - 3;
    return x;
}

struct CShortTime : testing::Test {
    CShortTime() {
        EXPECT_EQ(seiche_device_open("cpu", &device), SEICHE_OK) << seiche_last_error();
        problem.samples = samples;
        problem.window = window.data();
        problem.length = length;
        problem.hop = 5;
        problem.order = SEICHE_FREQUENCIES_FIRST;
    }
    ~CShortTime() override {
        seiche_short_time_plan_release(plan);
        seiche_device_release(device);
    }
    CShortTime(const CShortTime&) = delete;
    CShortTime& operator=(const CShortTime&) = delete;

    void expect_refused(const std::string& line) {
        EXPECT_EQ(seiche_short_time_plan_create(device, &problem, nullptr, &plan), SEICHE_INVALID_PROBLEM) << line;
        EXPECT_EQ(std::string(seiche_last_error()), "InvalidProblem: " + line);
    }

    std::vector<double> window = std::vector<double>(length, 0.5);
    seiche_short_time_problem problem = SEICHE_SHORT_TIME_PROBLEM_INIT;
    seiche_device* device = nullptr;
    seiche_short_time_plan* plan = nullptr;
};

TEST_F(CShortTime, TransformsAsCppDoes) {
    seiche::ShortTimeProblem same;
    same.samples = samples;
    same.window = window;
    same.hop = 5;
    same.order = seiche::FrameOrder::frequencies_first;
    const std::vector<float> x = signal();
    const auto expected = seiche::ShortTimePlan(seiche::Device::open("cpu"), same).apply<std::complex<float>>(x);

    ASSERT_EQ(seiche_short_time_plan_create(device, &problem, "", &plan), SEICHE_OK) << seiche_last_error();
    std::uint64_t bytes = 0, frames = 0, bins = 0;
    ASSERT_EQ(seiche_short_time_plan_output_bytes(plan, &bytes), SEICHE_OK);
    ASSERT_EQ(bytes, expected.size() * sizeof(expected[0]));
    ASSERT_EQ(seiche_short_time_problem_frames(&problem, &frames), SEICHE_OK);
    ASSERT_EQ(seiche_short_time_problem_bins(&problem, &bins), SEICHE_OK);
    EXPECT_EQ(frames * bins, expected.size());
    std::vector<std::complex<float>> got(expected.size());
    ASSERT_EQ(
        seiche_short_time_apply(plan, SEICHE_HOST_F32, x.data(), x.size(), SEICHE_HOST_COMPLEX_F32, got.data(), bytes),
        SEICHE_OK)
        << seiche_last_error();
    EXPECT_EQ(got, expected);
    EXPECT_EQ(seiche_short_time_apply(plan, SEICHE_HOST_F32, x.data(), x.size(), SEICHE_HOST_COMPLEX_F32, got.data(),
                                      bytes - 1),
              SEICHE_INVALID_PROBLEM);
}

TEST_F(CShortTime, ExecutesTheInverseOnBuffers) {
    seiche_short_time_plan* forward = nullptr;
    ASSERT_EQ(seiche_short_time_plan_create(device, &problem, nullptr, &forward), SEICHE_OK) << seiche_last_error();
    problem.direction = SEICHE_INVERSE;
    ASSERT_EQ(seiche_short_time_plan_create(device, &problem, nullptr, &plan), SEICHE_OK) << seiche_last_error();
    std::uint64_t in = 0, out = 0, between = 0;
    ASSERT_EQ(seiche_short_time_plan_input_bytes(plan, &in), SEICHE_OK);
    ASSERT_EQ(seiche_short_time_plan_output_bytes(plan, &out), SEICHE_OK);
    ASSERT_EQ(seiche_short_time_plan_workspace_bytes(plan, &between), SEICHE_OK);
    ASSERT_EQ(out, samples * sizeof(float));
    seiche_queue* queue = nullptr;
    seiche_buffer *spectra = nullptr, *signals = nullptr, *workspace = nullptr;
    ASSERT_EQ(seiche_queue_create(device, &queue), SEICHE_OK);
    ASSERT_EQ(seiche_buffer_create(device, in, &spectra), SEICHE_OK);
    ASSERT_EQ(seiche_buffer_create(device, out, &signals), SEICHE_OK);
    if (between != 0) {
        ASSERT_EQ(seiche_buffer_create(device, between, &workspace), SEICHE_OK);
    }
    const std::vector<float> x = signal();
    ASSERT_EQ(seiche_enqueue_upload(queue, signals, 0, x.data(), out), SEICHE_OK) << seiche_last_error();
    seiche_short_time_execution execution = SEICHE_SHORT_TIME_EXECUTION_INIT;
    execution.input = signals;
    execution.output = spectra;
    ASSERT_EQ(seiche_short_time_execute(forward, queue, &execution), SEICHE_OK) << seiche_last_error();
    execution.input = spectra;
    execution.output = signals;
    execution.workspace = workspace;
    ASSERT_EQ(seiche_short_time_execute(plan, queue, &execution), SEICHE_OK) << seiche_last_error();
    std::vector<float> y(samples);
    ASSERT_EQ(seiche_enqueue_download(queue, y.data(), signals, 0, out), SEICHE_OK) << seiche_last_error();
    ASSERT_EQ(seiche_queue_wait(queue), SEICHE_OK);
    for (std::size_t i = 0; i < samples; ++i) EXPECT_NEAR(y[i], x[i], 1e-5) << i;
    seiche_short_time_plan_release(forward);
    for (seiche_buffer* buffer : {spectra, signals, workspace}) seiche_buffer_release(buffer);
    seiche_queue_release(queue);
}

TEST_F(CShortTime, IsReadFromText) {
    seiche_short_time_problem* read = nullptr;
    ASSERT_EQ(
        seiche_short_time_problem_parse("200 frames=20/5 window=given frequencies-first", window.data(), length, &read),
        SEICHE_OK)
        << seiche_last_error();
    EXPECT_EQ(read->samples, samples);
    ASSERT_EQ(read->length, length);
    EXPECT_EQ(read->window[3], 0.5);
    EXPECT_EQ(read->hop, 5u);
    EXPECT_EQ(read->order, SEICHE_FREQUENCIES_FIRST);
    seiche_short_time_problem_release(read);
    EXPECT_EQ(seiche_short_time_problem_parse("200 frames=20/5 wide", nullptr, 0, &read), SEICHE_INVALID_PROBLEM);
    EXPECT_EQ(read, nullptr);
    EXPECT_EQ(seiche_short_time_problem_parse(nullptr, nullptr, 0, &read), SEICHE_INVALID_PROBLEM);
}

TEST_F(CShortTime, IsSavedAndLoaded) {
    ASSERT_EQ(seiche_short_time_plan_create(device, &problem, nullptr, &plan), SEICHE_OK) << seiche_last_error();
    unsigned char* bytes = nullptr;
    std::size_t count = 0;
    ASSERT_EQ(seiche_short_time_plan_save(plan, &bytes, &count), SEICHE_OK) << seiche_last_error();
    seiche_short_time_plan* again = nullptr;
    ASSERT_EQ(seiche_short_time_plan_load(device, bytes, count, &again), SEICHE_OK) << seiche_last_error();
    const std::vector<float> x = signal();
    std::uint64_t out = 0;
    ASSERT_EQ(seiche_short_time_plan_output_bytes(again, &out), SEICHE_OK);
    std::vector<std::complex<float>> first(out / sizeof(std::complex<float>)), second(first.size());
    for (auto* result : {&first, &second})
        ASSERT_EQ(seiche_short_time_apply(result == &first ? plan : again, SEICHE_HOST_F32, x.data(), x.size(),
                                          SEICHE_HOST_COMPLEX_F32, result->data(), out),
                  SEICHE_OK);
    EXPECT_EQ(first, second);
    seiche_short_time_plan_release(again);
    bytes[count / 2] ^= 1;
    EXPECT_EQ(seiche_short_time_plan_load(device, bytes, count, &again), SEICHE_INVALID_PROBLEM);
    EXPECT_EQ(again, nullptr);
    seiche_bytes_release(bytes);
}

TEST_F(CShortTime, TellsWhatItIs) {
    problem.value = SEICHE_BIN_POWER;
    ASSERT_EQ(seiche_short_time_plan_create(device, &problem, nullptr, &plan), SEICHE_OK) << seiche_last_error();
    seiche_short_time_problem* copy = nullptr;
    ASSERT_EQ(seiche_short_time_plan_get_problem(plan, &copy), SEICHE_OK);
    char* text = nullptr;
    ASSERT_EQ(seiche_short_time_problem_text(copy, &text), SEICHE_OK);
    EXPECT_STREQ(text, "200 frames=20/5 window=given f32 frequencies-first power");
    seiche_text_release(text);
    seiche_short_time_problem_release(copy);
    seiche_report* report = nullptr;
    ASSERT_EQ(seiche_short_time_plan_get_report(plan, &report), SEICHE_OK);
    seiche_report_release(report);
    seiche_device* same = nullptr;
    ASSERT_EQ(seiche_short_time_plan_get_device(plan, &same), SEICHE_OK);
    seiche_device_release(same);
    seiche_device_limits limits = SEICHE_DEVICE_LIMITS_INIT;
    ASSERT_EQ(seiche_short_time_inspect(&problem, &limits, nullptr, &report), SEICHE_OK) << seiche_last_error();
    seiche_report_release(report);
    seiche_analysis* analysis = nullptr;
    ASSERT_EQ(seiche_short_time_analyse(&problem, &limits, nullptr, &analysis), SEICHE_OK) << seiche_last_error();
    seiche_analysis_release(analysis);
    EXPECT_STREQ(seiche_frame_padding_name(SEICHE_PADDING_REFLECT), "reflect");
    EXPECT_STREQ(seiche_bin_value_name(SEICHE_BIN_DECIBELS), "decibels");
    EXPECT_STREQ(seiche_frame_order_name(SEICHE_FRAMES_FIRST), "frames-first");
}

TEST_F(CShortTime, RefusesInOneLine) {
    problem.window = nullptr;
    expect_refused("problem.window: expected a pointer, got NULL");
    problem.window = window.data();
    problem.hop = 0;
    expect_refused("short_time.hop: expected 1 to 2^30, got 0");
    problem.hop = 21;
    problem.direction = SEICHE_INVERSE;
    expect_refused("short_time.hop: expected at most the window's 20 samples for an inverse, got 21");
}

}  // namespace
