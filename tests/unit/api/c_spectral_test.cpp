// The C interface of spectral plans: the same numbers as the C++ plan, and one line for everything that is refused.
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "seiche/seiche.h"
#include "seiche/spectral.hpp"

namespace {

/// The refusal of a call: its status and its line.
void expect_refused(seiche_status status, const std::string& line) {
    EXPECT_EQ(status, SEICHE_INVALID_PROBLEM) << line;
    EXPECT_EQ(std::string(seiche_last_error()), "InvalidProblem: " + line);
}

void expect_null_refused(seiche_status status, const std::string& name) {
    expect_refused(status, name + ": expected a pointer, got NULL");
}

struct CSpectral : testing::Test {
    CSpectral() { EXPECT_EQ(seiche_device_open("cpu", &device), SEICHE_OK) << seiche_last_error(); }
    ~CSpectral() override {
        seiche_spectral_plan_release(plan);
        for (seiche_buffer* buffer : buffers) seiche_buffer_release(buffer);
        seiche_queue_release(queue);
        seiche_device_release(device);
    }
    CSpectral(const CSpectral&) = delete;
    CSpectral& operator=(const CSpectral&) = delete;

    void make(const seiche_spectral_problem& problem) {
        seiche_spectral_plan_release(plan);
        ASSERT_EQ(seiche_spectral_plan_create(device, &problem, &plan), SEICHE_OK) << seiche_last_error();
    }
    seiche_buffer* allocated(std::uint64_t bytes) {
        seiche_buffer* buffer = nullptr;
        if (bytes != 0) {
            EXPECT_EQ(seiche_buffer_create(device, bytes, &buffer), SEICHE_OK) << seiche_last_error();
            buffers.push_back(buffer);
        }
        return buffer;
    }

    seiche_device* device = nullptr;
    seiche_queue* queue = nullptr;
    seiche_spectral_plan* plan = nullptr;
    std::vector<seiche_buffer*> buffers;
};

/// A problem as either interface says it.
struct Case {
    const char* name;
    std::vector<std::uint64_t> lengths;
    std::function<void(seiche_spectral_problem&)> in_c;
    std::function<void(seiche::SpectralProblem&)> in_cpp;
};

seiche_stage stage_in_c(const char* text) {
    seiche_stage stage = SEICHE_STAGE_INIT;
    stage.text = text;
    return stage;
}

const seiche_point_range some_input[] = {{0, 7}, {3, 20}}, some_output[] = {{5, 12}, {0, 9}};
const seiche_mode_range some_modes[] = {{-3, 2}, {0, 5}};
const seiche_spectral_axis_kind some_kinds[] = {SEICHE_SPECTRAL_DST1, SEICHE_SPECTRAL_PERIODIC};
const seiche_stage loads = stage_in_c("return 2 * value + i0;"), stores = stage_in_c("return value - i1;");
const seiche_stage middles = stage_in_c("return value / (1 + k0 * k0 + k1 * k1);");
const std::int64_t some_waves[] = {1, -2, 0, 0, -3, 5};
const seiche_stage grows = stage_in_c("return value * (i0 + i1);");
const seiche_stage low = stage_in_c("return abs(k0) < 5 ? value : 0;");

std::vector<Case> cases() {
    using seiche::SpectralNumbers, seiche::SpectralProblem;
    return {
        {"defaults", {20}, [](seiche_spectral_problem&) {}, [](SpectralProblem&) {}},
        {"three stages, ranges, scale and batch",
         {12, 20},
         [](seiche_spectral_problem& p) {
             p.input = some_input;
             p.output = some_output;
             p.load = &loads;
             p.middle = &middles;
             p.store = &stores;
             p.scale = -0.5;
             p.batch = 3;
         },
         [](SpectralProblem& p) {
             p.input = {{0, 7}, {3, 20}};
             p.output = {{5, 12}, {0, 9}};
             p.load = loads.text;
             p.middle = middles.text;
             p.store = stores.text;
             p.scale = -0.5;
             p.batch = 3;
         }},
        {"kept modes",
         {12, 20},
         [](seiche_spectral_problem& p) {
             p.kept = some_modes;
             p.middle = &middles;
         },
         [](SpectralProblem& p) {
             p.kept = {{-3, 2}, {0, 5}};
             p.middle = middles.text;
         }},
        {"kinds",
         {12, 20},
         [](seiche_spectral_problem& p) {
             p.kinds = some_kinds;
             p.middle = &middles;
         },
         [](SpectralProblem& p) {
             p.kinds = {seiche::SpectralAxisKind::dst1, seiche::SpectralAxisKind::periodic};
             p.middle = middles.text;
         }},
        {"spectra at both ends, modes in a list",
         {12, 20},
         [](seiche_spectral_problem& p) {
             p.numbers = SEICHE_SPECTRAL_COMPLEX;
             p.order = SEICHE_SPECTRAL_SPECTRUM_FIRST;
             p.packed = some_waves;
             p.packed_count = 3;
             p.middle = &grows;
         },
         [](SpectralProblem& p) {
             p.numbers = SpectralNumbers::complex;
             p.order = seiche::SpectralOrder::spectrum_first;
             p.packed = {some_waves, some_waves + 6};
             p.middle = grows.text;
         }},
        {"kept modes by themselves",
         {12, 20},
         [](seiche_spectral_problem& p) {
             p.kept = some_modes;
             p.middle = &middles;
             p.batch = 2;
             p.part = SEICHE_SPECTRAL_FORWARD;
         },
         [](SpectralProblem& p) {
             p.kept = {{-3, 2}, {0, 5}};
             p.middle = middles.text;
             p.batch = 2;
             p.part = seiche::SpectralPart::forward;
         }},
        {"the way back from modes",
         {12, 20},
         [](seiche_spectral_problem& p) {
             p.kept = some_modes;
             p.part = SEICHE_SPECTRAL_INVERSE;
         },
         [](SpectralProblem& p) {
             p.kept = {{-3, 2}, {0, 5}};
             p.part = seiche::SpectralPart::inverse;
         }},
        {"complex",
         {18},
         [](seiche_spectral_problem& p) {
             p.numbers = SEICHE_SPECTRAL_COMPLEX;
             p.middle = &low;
         },
         [](SpectralProblem& p) {
             p.numbers = SpectralNumbers::complex;
             p.middle = low.text;
         }},
        {"analytic",
         {17},
         [](seiche_spectral_problem& p) {
             p.numbers = SEICHE_SPECTRAL_ANALYTIC;
             p.middle = &low;
         },
         [](SpectralProblem& p) {
             p.numbers = SpectralNumbers::analytic;
             p.middle = low.text;
         }},
        {"f64 stored as f32",
         {20},
         [](seiche_spectral_problem& p) {
             p.precision = SEICHE_F64;
             p.storage = SEICHE_STORAGE_F32;
             p.middle = &low;
         },
         [](SpectralProblem& p) {
             p.precision = seiche::Precision::f64;
             p.storage = seiche::Storage::f32;
             p.middle = low.text;
         }},
    };
}

seiche_spectral_problem c_form(const Case& a_case) {
    seiche_spectral_problem p = seiche_spectral_problem_default(a_case.lengths.size(), a_case.lengths.data());
    a_case.in_c(p);
    return p;
}

seiche::SpectralProblem cpp_form(const Case& a_case) {
    seiche::SpectralProblem p;
    p.lengths = a_case.lengths;
    a_case.in_cpp(p);
    return p;
}

std::vector<float> samples(std::uint64_t bytes) {
    std::vector<float> result(static_cast<std::size_t>(bytes / sizeof(float)));
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = static_cast<float>((i * 37 + 5) % 23) - 11.0F;
    return result;
}

std::string text_of(const seiche_spectral_problem& problem) {
    char* text = nullptr;
    if (seiche_spectral_problem_text(&problem, &text) != SEICHE_OK) return seiche_last_error();
    std::string result = text;
    seiche_text_release(text);
    return result;
}

TEST_F(CSpectral, HasPartsAndAdjoints) {
    const std::uint64_t length = 16;
    seiche_spectral_problem problem = seiche_spectral_problem_default(1, &length);
    problem.inputs = 2;
    problem.outputs = 3;
    problem.adjoint = 1;
    EXPECT_EQ(text_of(problem), "16 real f32 channels=2x3 adjoint");
    problem.adjoint = 0;
    problem.part = SEICHE_SPECTRAL_GRADIENT;
    EXPECT_EQ(text_of(problem), "16 real f32 channels=2x3 part=gradient");
    make(problem);
    std::uint64_t bytes = 0;
    EXPECT_EQ(seiche_spectral_plan_output_bytes(plan, 0, &bytes), SEICHE_OK);
    EXPECT_EQ(bytes, 2u * 3 * 9 * 8);
    EXPECT_EQ(seiche_spectral_plan_weight_bytes(plan, &bytes), SEICHE_OK);
    EXPECT_EQ(bytes, 3u * 9 * 8);
    EXPECT_STREQ(seiche_spectral_part_name(SEICHE_SPECTRAL_INVERSE), "inverse");
    const int beyond = SEICHE_SPECTRAL_GRADIENT + 1;
    std::memcpy(&problem.part, &beyond, sizeof beyond);  // as C may
    char* text = nullptr;
    EXPECT_EQ(seiche_spectral_problem_text(&problem, &text), SEICHE_INVALID_PROBLEM);
}

TEST_F(CSpectral, AgreesWithTheCppPlan) {
    const seiche::Device cpu = seiche::Device::open("cpu");
    for (const Case& a_case : cases()) {
        SCOPED_TRACE(a_case.name);
        const seiche::SpectralPlan expected(cpu, cpp_form(a_case));
        const seiche_spectral_problem problem = c_form(a_case);
        EXPECT_EQ(text_of(problem), to_string(expected.problem()));
        make(problem);
        EXPECT_NE(std::string(seiche_spectral_plan_report(plan)).find(expected.report().problem), std::string::npos)
            << seiche_spectral_plan_report(plan);
        const seiche::SpectralProblem& stated = expected.problem();
        const bool pairs_in =
            stated.numbers == seiche::SpectralNumbers::complex || stated.part == seiche::SpectralPart::inverse;
        const bool pairs_out =
            stated.numbers != seiche::SpectralNumbers::real || stated.part == seiche::SpectralPart::forward;
        const auto element = [](bool pairs) {
            return pairs ? seiche::HostElement::complex_f32 : seiche::HostElement::f32;
        };
        const std::vector<float> x = samples(expected.input_bytes());
        std::vector<float> y(expected.output_bytes() / sizeof(float)), z(y.size(), -1.0F), w(y.size(), -1.0F);
        const std::size_t count = x.size() / (pairs_in ? 2 : 1), capacity = y.size() / (pairs_out ? 2 : 1);
        expected.run({x.data(), count, element(pairs_in)}, element(pairs_out), y.data());
        ASSERT_EQ(seiche_spectral_apply_f32(plan, x.data(), count, z.data(), capacity, nullptr, 0), SEICHE_OK)
            << seiche_last_error();
        EXPECT_EQ(y, z);
        ASSERT_EQ(seiche_spectral_apply(plan, pairs_in ? SEICHE_HOST_COMPLEX_F32 : SEICHE_HOST_F32, x.data(), count,
                                        pairs_out ? SEICHE_HOST_COMPLEX_F32 : SEICHE_HOST_F32, w.data(), 4 * w.size(),
                                        nullptr, 0),
                  SEICHE_OK)
            << seiche_last_error();
        EXPECT_EQ(y, w);
        for (const std::uint64_t batch : {std::uint64_t{0}, std::uint64_t{3}, SEICHE_NO_ARRAYS}) {
            const seiche::SpectralPlan::Batch own = batch == 0                  ? seiche::SpectralPlan::Batch{}
                                                    : batch == SEICHE_NO_ARRAYS ? 0
                                                                                : batch;
            std::uint64_t bytes = 1;
            EXPECT_EQ(seiche_spectral_plan_input_bytes(plan, batch, &bytes), SEICHE_OK);
            EXPECT_EQ(bytes, expected.input_bytes(own));
            EXPECT_EQ(seiche_spectral_plan_output_bytes(plan, batch, &bytes), SEICHE_OK);
            EXPECT_EQ(bytes, expected.output_bytes(own));
            EXPECT_EQ(seiche_spectral_plan_workspace_bytes(plan, batch, &bytes), SEICHE_OK);
            EXPECT_EQ(bytes, expected.workspace_bytes(own));
        }
    }
}

TEST_F(CSpectral, WeightsOfChannels) {
    const std::uint64_t lengths[] = {12, 20};
    seiche_spectral_problem problem = seiche_spectral_problem_default(2, lengths);
    problem.kept = some_modes;
    problem.inputs = 2;
    problem.outputs = 3;
    make(problem);
    const seiche::Device cpu = seiche::Device::open("cpu");
    seiche::SpectralProblem same;
    same.lengths = {12, 20};
    same.kept = {{-3, 2}, {0, 5}};
    same.channels = {2, 3};
    const seiche::SpectralPlan expected(cpu, same);
    EXPECT_EQ(text_of(problem), to_string(same));
    std::uint64_t bytes = 0;
    ASSERT_EQ(seiche_spectral_plan_weight_bytes(plan, &bytes), SEICHE_OK);
    EXPECT_EQ(bytes, 2 * 3 * 25 * 8u);
    expect_null_refused(seiche_spectral_plan_weight_bytes(nullptr, &bytes), "plan");
    expect_null_refused(seiche_spectral_plan_weight_bytes(plan, nullptr), "bytes");
    const std::vector<float> x = samples(expected.input_bytes()), w = samples(bytes);
    std::vector<float> y(expected.output_bytes() / 4), z(y.size(), -1.0F);
    expected.run({x.data(), x.size(), seiche::HostElement::f32}, {w.data(), 150, seiche::HostElement::complex_f32},
                 seiche::HostElement::f32, y.data());
    const auto apply = [&](std::size_t count) {
        return seiche_spectral_apply_weights(plan, SEICHE_HOST_F32, x.data(), x.size(), SEICHE_HOST_COMPLEX_F32,
                                             w.data(), count, SEICHE_HOST_F32, z.data(), 4 * z.size(), nullptr, 0);
    };
    ASSERT_EQ(apply(150), SEICHE_OK) << seiche_last_error();
    EXPECT_EQ(y, z);
    expect_refused(apply(149), "weights: expected 150 elements, got 149");

    seiche_spectral_execution execution = SEICHE_SPECTRAL_EXECUTION_INIT;
    execution.input = allocated(expected.input_bytes());
    execution.output = allocated(expected.output_bytes());
    execution.workspace = allocated(expected.workspace_bytes());
    ASSERT_EQ(seiche_queue_create(device, &queue), SEICHE_OK);
    expect_refused(seiche_spectral_execute(plan, queue, &execution),
                   "execution.weights: expected a buffer of at least 1200 bytes, got none");
    execution.weights = allocated(bytes + 8);
    execution.weights_offset = 8;
    EXPECT_EQ(seiche_spectral_execute(plan, queue, &execution), SEICHE_OK) << seiche_last_error();
    EXPECT_EQ(seiche_queue_wait(queue), SEICHE_OK);
}

TEST_F(CSpectral, SumsOfTheMiddle) {
    const std::uint64_t length = 20;
    const seiche_stage sums = stage_in_c("sum power = norm(value); sum bins = 1; return value;");
    seiche_spectral_problem problem = seiche_spectral_problem_default(1, &length);
    problem.middle = &sums;
    problem.sums_in_f64 = 1;
    problem.batch = 2;
    EXPECT_EQ(text_of(problem), "20 real f32 batch=2 sums=f64");
    make(problem);
    std::uint64_t bytes = 0, workspace = 0;
    ASSERT_EQ(seiche_spectral_plan_sum_bytes(plan, 0, &bytes), SEICHE_OK);
    EXPECT_EQ(bytes, 2 * 2 * 8u);
    expect_null_refused(seiche_spectral_plan_sum_bytes(nullptr, 0, &bytes), "plan");
    seiche_text_list* names = nullptr;
    ASSERT_EQ(seiche_spectral_plan_sum_names(plan, &names), SEICHE_OK);
    ASSERT_EQ(seiche_text_list_count(names), 2u);
    EXPECT_STREQ(seiche_text_list_get(names, 0), "power");
    EXPECT_STREQ(seiche_text_list_get(names, 1), "bins");
    seiche_text_list_release(names);
    expect_null_refused(seiche_spectral_plan_sum_names(plan, nullptr), "names");
    seiche_spectral_problem* own = nullptr;
    ASSERT_EQ(seiche_spectral_plan_get_problem(plan, &own), SEICHE_OK);
    EXPECT_EQ(own->sums_in_f64, 1);
    seiche_spectral_problem_release(own);

    const std::vector<float> x = samples(160);
    ASSERT_EQ(seiche_queue_create(device, &queue), SEICHE_OK);
    ASSERT_EQ(seiche_spectral_plan_workspace_bytes(plan, 0, &workspace), SEICHE_OK);
    seiche_spectral_execution execution = SEICHE_SPECTRAL_EXECUTION_INIT;
    seiche_buffer* const input = allocated(160);
    execution.input = input;
    execution.output = allocated(160);
    execution.workspace = allocated(workspace);
    ASSERT_EQ(seiche_upload(queue, input, 0, x.data(), 160), SEICHE_OK);
    expect_refused(seiche_spectral_execute(plan, queue, &execution),
                   "execution.sums: expected a buffer of at least 32 bytes, got none");
    seiche_buffer* const into = allocated(40);
    execution.sums = into;
    execution.sums_offset = 8;
    ASSERT_EQ(seiche_spectral_execute(plan, queue, &execution), SEICHE_OK) << seiche_last_error();
    double given[4];
    ASSERT_EQ(seiche_download(queue, given, into, 8, 32), SEICHE_OK);
    for (std::size_t b = 0; b < 2; ++b) {
        double power = 0;
        for (std::size_t i = 0; i < 20; ++i) power += 20.0 * x[20 * b + i] * x[20 * b + i];
        EXPECT_NEAR(given[2 * b], power, 1e-6 * power);
        EXPECT_EQ(given[2 * b + 1], 20.0);
    }
}

/// The problem that a plan gives back makes the same plan.
TEST_F(CSpectral, GivesItsProblemBack) {
    for (const Case& a_case : cases()) {
        SCOPED_TRACE(a_case.name);
        make(c_form(a_case));
        seiche_spectral_problem* own = nullptr;
        ASSERT_EQ(seiche_spectral_plan_get_problem(plan, &own), SEICHE_OK) << seiche_last_error();
        EXPECT_EQ(text_of(*own), to_string(cpp_form(a_case)));
        seiche_spectral_plan* again = nullptr;
        ASSERT_EQ(seiche_spectral_plan_create(device, own, &again), SEICHE_OK) << seiche_last_error();
        seiche_spectral_problem_release(own);
        unsigned char *saved = nullptr, *saved_again = nullptr;
        std::size_t count = 0, count_again = 0;
        ASSERT_EQ(seiche_spectral_plan_save(plan, &saved, &count), SEICHE_OK) << seiche_last_error();
        ASSERT_EQ(seiche_spectral_plan_save(again, &saved_again, &count_again), SEICHE_OK) << seiche_last_error();
        ASSERT_EQ(count, count_again);
        EXPECT_EQ(std::memcmp(saved, saved_again, count), 0);
        seiche_bytes_release(saved);
        seiche_bytes_release(saved_again);
        seiche_spectral_plan_release(again);
    }
}

TEST_F(CSpectral, ReportsAndAnalyses) {
    const std::uint64_t lengths[] = {12, 20};
    seiche_spectral_problem problem = seiche_spectral_problem_default(2, lengths);
    problem.middle = &middles;
    ASSERT_EQ(seiche_spectral_plan_create_tuned(device, &problem, "transforms-per-group=16", &plan), SEICHE_OK)
        << seiche_last_error();
    seiche_spectral_plan* untuned = nullptr;
    EXPECT_EQ(seiche_spectral_plan_create_tuned(device, &problem, "no-such-word", &untuned), SEICHE_INVALID_PROBLEM);
    EXPECT_EQ(untuned, nullptr);
    seiche_report* report = nullptr;
    ASSERT_EQ(seiche_spectral_plan_get_report(plan, &report), SEICHE_OK) << seiche_last_error();
    EXPECT_STREQ(seiche_report_text(report), seiche_spectral_plan_report(plan));
    seiche_report_release(report);
    ASSERT_EQ(seiche_spectral_inspect(&problem, nullptr, nullptr, &report), SEICHE_OK) << seiche_last_error();
    seiche_report_summary summary = SEICHE_REPORT_SUMMARY_INIT;
    ASSERT_EQ(seiche_report_get(report, &summary), SEICHE_OK);
    seiche_analysis* analysis = nullptr;
    ASSERT_EQ(seiche_spectral_analyse(&problem, nullptr, "", &analysis), SEICHE_OK) << seiche_last_error();
    EXPECT_EQ(seiche_analysis_count(analysis), summary.kernel_count);
    EXPECT_GT(summary.kernel_count, 0U);
    seiche_analysis_release(analysis);
    seiche_report_release(report);
    seiche_device* own = nullptr;
    ASSERT_EQ(seiche_spectral_plan_get_device(plan, &own), SEICHE_OK);
    EXPECT_STREQ(seiche_device_name(own), seiche_device_name(device));
    seiche_device_release(own);
    EXPECT_STREQ(seiche_spectral_numbers_name(SEICHE_SPECTRAL_ANALYTIC), "analytic");
    EXPECT_STREQ(seiche_spectral_order_name(SEICHE_SPECTRAL_SPECTRUM_FIRST), "spectrum-first");
    seiche_spectral_numbers none;
    const int number = 3;
    std::memcpy(&none, &number, sizeof none);  // as C may
    EXPECT_STREQ(seiche_spectral_numbers_name(none), "unknown");
    EXPECT_STREQ(seiche_spectral_axis_kind_name(SEICHE_SPECTRAL_DST4), "dst4");
    seiche_spectral_axis_kind beyond;
    const int next = 9;
    std::memcpy(&beyond, &next, sizeof beyond);
    EXPECT_STREQ(seiche_spectral_axis_kind_name(beyond), "unknown");
    const seiche_spectral_axis_kind wrong[] = {SEICHE_SPECTRAL_PERIODIC, beyond};
    problem.kinds = wrong;
    seiche_spectral_plan* refused = nullptr;
    expect_refused(seiche_spectral_plan_create(device, &problem, &refused), "problem.kinds: expected 0 to 8, got 9");
}

/// Lowpass by a scalar, in every type that a host's numbers may have: what is constant stays.
TEST_F(CSpectral, EveryTypeOfNumbers) {
    const std::uint64_t length = 4;
    const seiche_stage_scalar gain = {"gain", SEICHE_STAGE_F32};
    seiche_stage stage = stage_in_c("return k0 == 0 ? gain * value : 0;");
    stage.scalars = &gain;
    stage.scalar_count = 1;
    const seiche_stage_value two = {"gain", 2.0};
    seiche_spectral_problem p = seiche_spectral_problem_default(1, &length);
    p.middle = &stage;
    p.precision = SEICHE_F64;
    make(p);
    const double x[] = {1, 2, 3, 6};
    double y[4];
    ASSERT_EQ(seiche_spectral_apply_f64(plan, x, 4, y, 4, &two, 1), SEICHE_OK) << seiche_last_error();
    for (const double value : y) EXPECT_NEAR(value, 6.0, 1e-14);

    const std::uint16_t bf16_x[] = {0x3f80, 0x4000, 0x4040, 0x40c0}, f16_x[] = {0x3c00, 0x4000, 0x4200, 0x4600};
    std::uint16_t half_y[4];
    p.precision = SEICHE_F32;
    p.storage = SEICHE_STORAGE_BF16;
    make(p);
    ASSERT_EQ(seiche_spectral_apply_half(plan, bf16_x, 4, half_y, 4, &two, 1), SEICHE_OK) << seiche_last_error();
    for (const std::uint16_t value : half_y) EXPECT_EQ(value, 0x40c0);
    p.storage = SEICHE_STORAGE_F16;
    make(p);
    ASSERT_EQ(seiche_spectral_apply_half(plan, f16_x, 4, half_y, 4, &two, 1), SEICHE_OK) << seiche_last_error();
    for (const std::uint16_t value : half_y) EXPECT_EQ(value, 0x4600);
    expect_refused(seiche_spectral_apply_half(plan, f16_x, 4, half_y, 4, nullptr, 0),
                   "execution.stage_scalars 'gain': expected a number of type f32, got none");
}

/// Batches of two sizes through buffers that begin at an offset, with a response and a gain as arguments of the stage.
TEST_F(CSpectral, ExecutesOnItsOwnBuffers) {
    const std::uint64_t length = 16;
    const seiche_stage_buffer response = {"response", SEICHE_STAGE_F32, 9};
    const seiche_stage_scalar gain = {"gain", SEICHE_STAGE_F32};
    seiche_stage stage = stage_in_c("return gain * response[i0] * value;");
    stage.buffers = &response;
    stage.buffer_count = 1;
    stage.scalars = &gain;
    stage.scalar_count = 1;
    seiche_spectral_problem problem = seiche_spectral_problem_default(1, &length);
    problem.middle = &stage;
    make(problem);
    ASSERT_EQ(seiche_queue_create(device, &queue), SEICHE_OK);
    // All bins but that of the constant.
    std::vector<float> h(9, 1.0F);
    h[0] = 0.0F;
    const seiche_stage_memory memory = {"response", allocated(8 + 36), 8};
    ASSERT_EQ(seiche_upload(queue, buffers[0], 8, h.data(), 36), SEICHE_OK);
    const seiche_stage_value two = {"gain", 2.0};
    seiche_spectral_execution execution = SEICHE_SPECTRAL_EXECUTION_INIT;
    execution.stage_buffers = &memory;
    execution.stage_buffer_count = 1;
    execution.stage_scalars = &two;
    execution.stage_scalar_count = 1;
    for (const std::uint64_t batch : {1U, 3U}) {
        const std::vector<float> x = samples(64 * batch);
        seiche_buffer *input = allocated(32 + 64 * batch), *output = allocated(40 + 64 * batch);
        std::uint64_t workspace_bytes = 0;
        ASSERT_EQ(seiche_spectral_plan_workspace_bytes(plan, batch, &workspace_bytes), SEICHE_OK);
        execution.input = input;
        execution.input_offset = 32;
        execution.output = output;
        execution.output_offset = 40;
        execution.workspace = allocated(workspace_bytes);
        execution.batch = batch == 1 ? 0 : batch;
        ASSERT_EQ(seiche_upload(queue, input, 32, x.data(), 64 * batch), SEICHE_OK);
        ASSERT_EQ(seiche_spectral_execute(plan, queue, &execution), SEICHE_OK) << seiche_last_error();
        std::vector<float> y(16 * batch);
        ASSERT_EQ(seiche_download(queue, y.data(), output, 40, 64 * batch), SEICHE_OK);
        for (std::size_t row = 0; row < batch; ++row) {
            float mean = 0;
            for (std::size_t i = 0; i < 16; ++i) mean += x[16 * row + i] / 16;
            for (std::size_t i = 0; i < 16; ++i)
                EXPECT_NEAR(y[16 * row + i], 2 * (x[16 * row + i] - mean), 1e-4) << row << " " << i;
        }
        execution.input_offset = 40;
        expect_refused(seiche_spectral_execute(plan, queue, &execution),
                       "execution.input: expected at least " + std::to_string(64 * batch) +
                           " bytes from byte 40 on, got a buffer of " + std::to_string(32 + 64 * batch));
        execution.input_offset = 32;
    }
    execution.batch = SEICHE_NO_ARRAYS;
    execution.input = execution.output = nullptr;
    EXPECT_EQ(seiche_spectral_execute(plan, queue, &execution), SEICHE_OK) << seiche_last_error();
}

TEST_F(CSpectral, AreKeptAsBytes) {
    const std::uint64_t length = 3;
    seiche_spectral_problem problem = seiche_spectral_problem_default(1, &length);
    problem.middle = &low;
    make(problem);
    unsigned char* bytes = nullptr;
    std::size_t count = 0;
    ASSERT_EQ(seiche_spectral_plan_save(plan, &bytes, &count), SEICHE_OK) << seiche_last_error();
    seiche_spectral_plan* again = nullptr;
    ASSERT_EQ(seiche_spectral_plan_load(device, bytes, count, &again), SEICHE_OK) << seiche_last_error();
    const float x[] = {1, 2, 3};
    float y[3] = {};
    EXPECT_EQ(seiche_spectral_apply_f32(again, x, 3, y, 3, nullptr, 0), SEICHE_OK);
    EXPECT_NEAR(y[1], 2.0F, 1e-5F);
    seiche_spectral_plan_release(again);
    EXPECT_EQ(seiche_spectral_plan_load(device, bytes, count - 1, &again), SEICHE_INVALID_PROBLEM);
    EXPECT_EQ(again, nullptr);
    EXPECT_EQ(seiche_spectral_plan_save(plan, nullptr, &count), SEICHE_INVALID_PROBLEM);
    seiche_bytes_release(bytes);
    EXPECT_EQ(seiche_spectral_plan_save(nullptr, &bytes, &count), SEICHE_INVALID_PROBLEM);
    EXPECT_EQ(bytes, nullptr);
}

TEST_F(CSpectral, RefusesNull) {
    const std::uint64_t length = 20;
    seiche_spectral_problem p = seiche_spectral_problem_default(1, &length);
    std::uint64_t bytes = 0;
    char* text = nullptr;
    seiche_spectral_problem* parsed = nullptr;
    expect_null_refused(seiche_spectral_problem_parse(nullptr, &parsed), "text");
    expect_null_refused(seiche_spectral_problem_parse("8", nullptr), "problem");
    ASSERT_EQ(seiche_spectral_problem_parse("8x6 complex f64 input=0-3,0-6", &parsed), SEICHE_OK);
    EXPECT_EQ(text_of(*parsed), "8x6 complex f64 input=0-3,0-6");
    seiche_spectral_problem_release(parsed);
    parsed = nullptr;
    EXPECT_EQ(seiche_spectral_problem_parse("8 real real", &parsed), SEICHE_INVALID_PROBLEM);
    EXPECT_EQ(parsed, nullptr);
    expect_null_refused(seiche_spectral_problem_text(nullptr, &text), "problem");
    expect_null_refused(seiche_spectral_problem_text(&p, nullptr), "text");
    expect_null_refused(seiche_spectral_plan_create(nullptr, &p, &plan), "device");
    expect_null_refused(seiche_spectral_plan_create(device, nullptr, &plan), "problem");
    expect_null_refused(seiche_spectral_plan_create(device, &p, nullptr), "plan");
    p.lengths = nullptr;
    expect_null_refused(seiche_spectral_plan_create(device, &p, &plan), "problem.lengths");
    EXPECT_EQ(plan, nullptr);
    p.lengths = &length;
    make(p);
    for (const auto question : {&seiche_spectral_plan_input_bytes, &seiche_spectral_plan_output_bytes,
                                &seiche_spectral_plan_workspace_bytes}) {
        expect_null_refused(question(nullptr, 0, &bytes), "plan");
        expect_null_refused(question(plan, 0, nullptr), "bytes");
    }
    ASSERT_EQ(seiche_queue_create(device, &queue), SEICHE_OK);
    seiche_spectral_execution execution = SEICHE_SPECTRAL_EXECUTION_INIT;
    expect_null_refused(seiche_spectral_execute(nullptr, queue, &execution), "plan");
    expect_null_refused(seiche_spectral_execute(plan, nullptr, &execution), "queue");
    expect_null_refused(seiche_spectral_execute(plan, queue, nullptr), "execution");
    execution.stage_buffer_count = 1;
    expect_refused(seiche_spectral_execute(plan, queue, &execution),
                   "execution.stage_buffers: expected a pointer to 1 element, got NULL");
    const seiche_stage_value nameless = {nullptr, 1.0};
    const float x[20] = {};
    float y[20];
    expect_null_refused(seiche_spectral_apply_f32(plan, x, 20, y, 20, &nameless, 1), "scalars.name");
    expect_null_refused(seiche_spectral_apply_f32(nullptr, x, 20, y, 20, nullptr, 0), "plan");
    expect_refused(seiche_spectral_apply_f32(plan, nullptr, 20, y, 20, nullptr, 0),
                   "in: expected a pointer to 20 elements, got NULL");
    expect_refused(seiche_spectral_apply_f32(plan, x, 20, nullptr, 20, nullptr, 0),
                   "out: expected a pointer to 20 elements, got NULL");
    seiche_spectral_problem* own = nullptr;
    expect_null_refused(seiche_spectral_plan_get_problem(nullptr, &own), "plan");
    seiche_spectral_plan_release(nullptr);
    seiche_spectral_problem_release(nullptr);
    EXPECT_STREQ(seiche_spectral_plan_report(nullptr), "");
}

template <class Enum>
void expect_enumerators_refused(seiche_spectral_problem& p, Enum& field, int most, const std::string& name) {
    const Enum before = field;
    for (const int number : {most + 1, -1}) {
        static_assert(sizeof number == sizeof field);
        std::memcpy(&field, &number, sizeof number);  // as C may
        char* text = nullptr;
        expect_refused(seiche_spectral_problem_text(&p, &text),
                       name + ": expected 0 to " + std::to_string(most) + ", got " + std::to_string(number));
    }
    field = before;
}

TEST_F(CSpectral, RefusesWhatMakesNoSense) {
    const std::uint64_t length = 20;
    seiche_spectral_problem p = seiche_spectral_problem_default(1, &length);
    expect_enumerators_refused(p, p.numbers, 2, "problem.numbers");
    expect_enumerators_refused(p, p.precision, 3, "problem.precision");
    expect_enumerators_refused(p, p.storage, 4, "problem.storage");
    expect_enumerators_refused(p, p.order, 1, "problem.order");
    p.packed_count = 2;
    char* text = nullptr;
    expect_refused(seiche_spectral_problem_text(&p, &text),
                   "problem.packed: expected a pointer to 2 elements, got NULL");
    p.packed_count = 0;
    make(p);
    const std::vector<float> x(21);
    std::vector<float> y(20);
    expect_refused(seiche_spectral_apply_f32(plan, x.data(), 20, y.data(), 19, nullptr, 0),
                   "capacity: expected at least 20 elements, got 19");
    expect_refused(seiche_spectral_apply_f32(plan, x.data(), 21, y.data(), 20, nullptr, 0),
                   "input: expected 20 elements, got 21");
    expect_refused(
        seiche_spectral_apply(plan, SEICHE_HOST_F32, x.data(), 20, SEICHE_HOST_F32, y.data(), 79, nullptr, 0),
        "out_bytes: expected at least 80, got 79");
    seiche_spectral_plan* none = plan;
    const seiche_point_range beyond = {0, 21};
    p.input = &beyond;
    expect_refused(seiche_spectral_plan_create(device, &p, &none),
                   "spectral.input[0]: expected begin below end, and end at most 20, got 0 to 21");
    EXPECT_EQ(none, nullptr);
}

}  // namespace
