// Codes of calls that make no sense, handles, sizes of work areas, and memory by descriptor.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <climits>
#include <complex>
#include <set>
#include <thread>
#include <vector>

#include "arrays.hpp"

namespace fft_test {
namespace {

/// One that is destroyed at the end.
struct Made {
    Handle plan = no_handle;
    ~Made() {
        if (plan != no_handle) fft().Destroy(plan);
    }
};

TEST(FftCalls, handles_are_of_living_plans_alone) {
    Handle first = no_handle, second = no_handle;
    ASSERT_EQ(fft().Create(&first), success);
    ASSERT_EQ(fft().Create(&second), success);
    EXPECT_NE(first, second);
    ASSERT_EQ(fft().Destroy(first), success);
    Size size = 0;
    EXPECT_EQ(fft().Destroy(first), invalid_plan);
    EXPECT_EQ(fft().MakePlan1d(first, 8, c2c, 1, &size), invalid_plan);
    EXPECT_EQ(fft().ExecC2C(first, &size, &size, forward), invalid_plan);
    EXPECT_EQ(fft().SetStream(first, nullptr), invalid_plan);
    EXPECT_EQ(fft().GetSize(first, &size), invalid_plan);
    for (const int number : {0, -2, 5000, INT_MAX, INT_MIN})
        EXPECT_EQ(fft().Destroy(handle_of(number)), invalid_plan) << number;
#ifndef TEST_HIPFFT
    EXPECT_EQ(fft().Destroy(handle_of(-1)), success) << "a handle before there is a plan";
#endif
    EXPECT_EQ(fft().Destroy(second), success);
}

TEST(FftCalls, a_handle_does_not_become_another_plans) {
    std::set<Handle> seen;
    for (int i = 0; i < 5000; ++i) {
        Handle plan = no_handle;
        ASSERT_EQ(fft().Create(&plan), success);
        EXPECT_TRUE(seen.insert(plan).second);
        ASSERT_EQ(fft().Destroy(plan), success);
    }
}

TEST(FftCalls, sizes_that_are_none_are_refused) {
    Handle plan = no_handle;
    for (const int n : {0, -1, INT_MIN}) {
        EXPECT_EQ(fft().Plan1d(&plan, n, c2c, 1), invalid_size) << n;
        EXPECT_EQ(fft().Plan1d(&plan, 8, c2c, n), invalid_size) << n;
        EXPECT_EQ(fft().Plan2d(&plan, 4, n, c2c), invalid_size) << n;
        EXPECT_EQ(fft().Plan3d(&plan, n, 4, 4, c2c), invalid_size) << n;
    }
    EXPECT_EQ(plan, no_handle);
    Size size = 0;
    Made made;
    ASSERT_EQ(fft().Create(&made.plan), success);
    Long huge[] = {LLONG_MAX, LLONG_MAX, 2};
    EXPECT_EQ(fft().MakePlanMany64(made.plan, 3, huge, nullptr, 1, 1, nullptr, 1, 1, c2c, LLONG_MAX, &size),
              invalid_size);
    Long n[] = {4, 4}, embed[] = {LLONG_MAX, LLONG_MAX};
    EXPECT_EQ(fft().MakePlanMany64(made.plan, 2, n, embed, LLONG_MAX, 1, embed, 1, 1, c2c, 1, &size), invalid_size);
    EXPECT_EQ(fft().MakePlan1d(made.plan, 8, c2c, 1, &size), success) << "after refusals a plan can be made";
}

TEST(FftCalls, arguments_that_are_none_are_refused) {
    Handle plan = no_handle;
    Size size = 0;
    int n[] = {4, 4, 4, 4}, zeros[] = {4, 0};
    EXPECT_EQ(fft().Create(nullptr), invalid_value);
    EXPECT_EQ(fft().Plan1d(nullptr, 8, c2c, 1), invalid_value);
    EXPECT_EQ(fft().Plan1d(&plan, 8, 7, 1), invalid_type);
    EXPECT_EQ(fft().PlanMany(&plan, 0, n, nullptr, 1, 1, nullptr, 1, 1, c2c, 1), invalid_value);
    EXPECT_EQ(fft().PlanMany(&plan, 4, n, nullptr, 1, 1, nullptr, 1, 1, c2c, 1), invalid_value);
    EXPECT_EQ(fft().PlanMany(&plan, 1, nullptr, nullptr, 1, 1, nullptr, 1, 1, c2c, 1), invalid_value);
    EXPECT_EQ(fft().PlanMany(&plan, 2, n, n, 0, 16, n, 1, 16, c2c, 1), invalid_value);
    EXPECT_EQ(fft().PlanMany(&plan, 2, n, n, 1, 16, n, -1, 16, c2c, 1), invalid_value);
    EXPECT_EQ(fft().PlanMany(&plan, 2, n, n, 1, -16, n, 1, 16, c2c, 2), invalid_value);
    EXPECT_EQ(fft().PlanMany(&plan, 2, n, n, 1, 16, n, 1, 0, c2c, 2), invalid_value);
    EXPECT_EQ(fft().PlanMany(&plan, 2, n, n, 1, 0, n, 1, 16, c2c, 1), invalid_value) << "also of one array";
    EXPECT_EQ(fft().PlanMany(&plan, 2, n, n, 1, 16, zeros, 1, 16, c2c, 1), invalid_value);
    EXPECT_EQ(fft().PlanMany(&plan, 2, n, n, 1, 16, nullptr, 1, 16, c2c, 1), invalid_value);
    EXPECT_EQ(fft().PlanMany(&plan, 2, n, nullptr, 1, 16, n, 1, 16, c2c, 1), invalid_value);
    EXPECT_EQ(fft().Estimate1d(8, c2c, 1, nullptr), invalid_value);
    EXPECT_EQ(fft().GetProperty(0, nullptr), invalid_value);
    Made made;
    ASSERT_EQ(fft().Create(&made.plan), success);
    EXPECT_EQ(fft().MakePlan1d(made.plan, 8, c2c, 1, nullptr), invalid_value);
    Long one[] = {8};
    for (const auto& [input, output, execution] : {std::array{4, 5, 4}, {0, 0, 4}, {4, 4, 5}, {99, 4, 4}, {0, 4, 5}})
        EXPECT_EQ(
            fft().XtMakePlanMany(made.plan, 1, one, nullptr, 1, 1, input, nullptr, 1, 1, output, 1, &size, execution),
            invalid_type);
}

TEST(FftCalls, executions_are_checked) {
    Made made;
    Size size = 0;
    alignas(16) std::array<float, 64> memory{};
    ASSERT_EQ(fft().Create(&made.plan), success);
    EXPECT_EQ(fft().ExecC2C(made.plan, memory.data(), memory.data(), forward), invalid_plan) << "not made";
    EXPECT_EQ(fft().GetSize(made.plan, &size), invalid_plan);
    ASSERT_EQ(fft().MakePlan1d(made.plan, 8, c2c, 1, &size), success);
    EXPECT_EQ(fft().MakePlan1d(made.plan, 8, c2c, 1, &size), invalid_plan) << "made twice";
    EXPECT_EQ(fft().ExecC2C(made.plan, nullptr, memory.data(), forward), invalid_value);
    EXPECT_EQ(fft().ExecC2C(made.plan, memory.data(), nullptr, forward), exec_failed);
    EXPECT_EQ(fft().ExecC2C(made.plan, memory.data(), memory.data(), 0), invalid_value);
    char* const bytes = reinterpret_cast<char*>(memory.data());
    EXPECT_EQ(fft().ExecC2C(made.plan, bytes + 1, memory.data() + 16, forward), invalid_value);
    EXPECT_EQ(fft().ExecC2C(made.plan, memory.data(), memory.data() + 16, forward), success);
}

/// As cuFFT has it: the plan says what is computed, the function's name only in which direction.
TEST(FftCalls, a_plan_is_executed_as_what_it_is) {
    Made complex, real, back;
    ASSERT_EQ(fft().Plan1d(&complex.plan, 8, c2c, 1), success);
    ASSERT_EQ(fft().Plan1d(&real.plan, 8, r2c, 1), success);
    ASSERT_EQ(fft().Plan1d(&back.plan, 8, c2r, 1), success);
    alignas(16) std::array<float, 64> in{}, out{};
    in[0] = 1;
    EXPECT_EQ(fft().ExecD2Z(complex.plan, in.data(), out.data()), success);
    EXPECT_EQ(out[14], 1);
    EXPECT_EQ(fft().ExecC2C(real.plan, in.data(), out.data(), forward), success);
    EXPECT_EQ(fft().ExecC2C(real.plan, in.data(), out.data(), inverse), invalid_value);
    EXPECT_EQ(fft().ExecC2R(real.plan, in.data(), out.data()), invalid_value);
    EXPECT_EQ(fft().XtExec(real.plan, in.data(), out.data(), 0), invalid_value);
    EXPECT_EQ(fft().XtExec(back.plan, in.data(), out.data(), inverse), success);
    EXPECT_EQ(fft().XtExec(back.plan, in.data(), out.data(), forward), invalid_value);
}

/// The work area that a plan says is what executions take, and estimates are what plans say.
TEST(FftCalls, work_areas_are_as_large_as_estimated) {
    struct Shape {
        std::vector<int> n;
        int type, batch;
    };
    for (const Shape& shape : {Shape{{64}, c2c, 3}, Shape{{97}, c2c, 2}, Shape{{1000}, r2c, 2}, Shape{{12, 10}, c2r, 1},
                               Shape{{8, 6, 10}, r2c, 1}, Shape{{2 * 1009}, z2z, 1}}) {
        std::vector<int> n = shape.n;
        const int rank = static_cast<int>(n.size());
        Size estimate = 7, asked = 7, made_size = 7, size = 7;
        Made made;
        ASSERT_EQ(fft().EstimateMany(rank, n.data(), nullptr, 1, 1, nullptr, 1, 1, shape.type, shape.batch, &estimate),
                  success);
        ASSERT_EQ(fft().Create(&made.plan), success);
        ASSERT_EQ(
            fft().GetSizeMany(made.plan, rank, n.data(), nullptr, 1, 1, nullptr, 1, 1, shape.type, shape.batch, &asked),
            success);
        ASSERT_EQ(fft().MakePlanMany(made.plan, rank, n.data(), nullptr, 1, 1, nullptr, 1, 1, shape.type, shape.batch,
                                     &made_size),
                  success);
        ASSERT_EQ(fft().GetSize(made.plan, &size), success);
        EXPECT_EQ(size, made_size);
        EXPECT_EQ(asked, made_size) << n[0];
        EXPECT_EQ(estimate, made_size) << n[0];
    }
    Size by_rank = 7, many = 8;
    int n[] = {6, 10, 14};
    EXPECT_EQ(fft().Estimate3d(6, 10, 14, d2z, &by_rank), success);
    EXPECT_EQ(fft().EstimateMany(3, n, nullptr, 1, 1, nullptr, 1, 1, d2z, 1, &many), success);
    EXPECT_EQ(by_rank, many);
}

/// Long enough for several passes, which take one in place.
constexpr int long_length = 1 << 18;
int make_with_work_area(Handle plan, Size* size) { return fft().MakePlan1d(plan, long_length, c2c, 1, size); }

/// The transform of an impulse, which is 1 everywhere.
int execute_impulse(Handle plan, float& last) {
    std::vector<std::complex<float>> data(long_length);
    data[0] = 1;
    const int code = fft().ExecC2C(plan, data.data(), data.data(), forward);
    last = data.back().real();
    return code;
}

TEST(FftCalls, work_areas_are_the_callers_where_it_says_so) {
    Made made;
    Size size = 0;
    float last = 0;
    ASSERT_EQ(fft().Create(&made.plan), success);
    ASSERT_EQ(fft().SetAutoAllocation(made.plan, 0), success);
    ASSERT_EQ(make_with_work_area(made.plan, &size), success);
    ASSERT_GT(size, 0U);
    std::vector<std::complex<double>> area(size / 16 + 2);
    EXPECT_EQ(execute_impulse(made.plan, last), no_workspace);
    EXPECT_EQ(fft().SetWorkArea(made.plan, reinterpret_cast<char*>(area.data()) + 1), invalid_value);
    ASSERT_EQ(fft().SetWorkArea(made.plan, area.data()), success);
    EXPECT_EQ(execute_impulse(made.plan, last), success);
    EXPECT_NEAR(last, 1, 1e-5);
    ASSERT_EQ(fft().SetWorkArea(made.plan, nullptr), success);
    EXPECT_EQ(execute_impulse(made.plan, last), no_workspace);
}

TEST(FftCalls, a_work_area_may_come_before_the_plan) {
    Made made;
    Size size = 0;
    float last = 0;
    std::vector<std::complex<double>> area(long_length);
    ASSERT_EQ(fft().Create(&made.plan), success);
    ASSERT_EQ(fft().SetWorkArea(made.plan, reinterpret_cast<char*>(area.data()) + 1), success);
    EXPECT_EQ(make_with_work_area(made.plan, &size), invalid_value) << "not aligned";
    ASSERT_EQ(fft().SetWorkArea(made.plan, area.data()), success);
    ASSERT_EQ(make_with_work_area(made.plan, &size), success);
    ASSERT_LE(size, area.size() * 16);
    EXPECT_EQ(execute_impulse(made.plan, last), success);
    EXPECT_NEAR(last, 1, 1e-5);
}

/// What an execution in place with two layouts takes is nobody's who does not ask for it.
TEST(FftCalls, a_copy_for_two_layouts_is_no_work_area) {
    Made made;
    Size size = 7;
    int n[] = {4, 5}, inembed[] = {4, 7}, onembed[] = {4, 6};
    ASSERT_EQ(fft().Create(&made.plan), success);
    ASSERT_EQ(fft().SetAutoAllocation(made.plan, 0), success);
    ASSERT_EQ(fft().MakePlanMany(made.plan, 2, n, inembed, 1, 28, onembed, 1, 24, c2c, 1, &size), success);
    EXPECT_EQ(size, 0U);
    std::vector<std::complex<float>> data(28);
    for (int i = 0; i < 2; ++i) {
        std::fill(data.begin(), data.end(), 0.0F);
        data[0] = 1;
        ASSERT_EQ(fft().ExecC2C(made.plan, data.data(), data.data(), forward), success);
        EXPECT_NEAR(data[3 * 6 + 4].real(), 1, 1e-5);
    }
}

TEST(FftCalls, an_own_work_area_serves_at_once) {
    Made made;
    Size size = 0;
    float last = 0;
    ASSERT_EQ(fft().Create(&made.plan), success);
    ASSERT_EQ(make_with_work_area(made.plan, &size), success);
    ASSERT_GT(size, 0U);
    EXPECT_EQ(execute_impulse(made.plan, last), success);
    EXPECT_NEAR(last, 1, 1e-5);
}

TEST(FftCalls, versions_agree) {
    int version = 0, major = 0, minor = 0, patch = 0;
    ASSERT_EQ(fft().GetVersion(&version), success);
    ASSERT_EQ(fft().GetProperty(0, &major), success);
    ASSERT_EQ(fft().GetProperty(1, &minor), success);
    ASSERT_EQ(fft().GetProperty(2, &patch), success);
    EXPECT_EQ(major, TEST_FFT_MAJOR);
#ifdef TEST_HIPFFT
    EXPECT_EQ(version, 10000 * major + 100 * minor + patch);
#else
    EXPECT_EQ(version, 1000 * major + 100 * minor + patch);
#endif
    EXPECT_EQ(fft().GetProperty(9, &patch), invalid_type);
}

TEST(FftCalls, callbacks_are_refused) {
    Made made;
    ASSERT_EQ(fft().Plan1d(&made.plan, 8, c2c, 1), success);
    EXPECT_EQ(fft().XtSetCallback(made.plan, nullptr, 0, nullptr), not_implemented);
}

#ifdef TEST_JIT_CALLBACK
/// Whether the code can be called shows when the plan is made; these devices have no machine code of CUDA's.
TEST(FftCalls, callbacks_as_code_are_the_plans_until_it_is_made) {
    auto* const set = fft().find<int(Handle, const char*, const void*, Size, int, void**)>(TEST_JIT_CALLBACK);
    Made made;
    Size size = 0;
    const char code[] = "code";
    ASSERT_EQ(fft().Create(&made.plan), success);
    EXPECT_EQ(set(made.plan, "load", nullptr, 4, 0, nullptr), invalid_value);
    EXPECT_EQ(fft().XtClearCallback(made.plan, 0), not_implemented) << "there is none";
    EXPECT_EQ(set(made.plan, "load", code, 4, 8, nullptr), invalid_type);
    EXPECT_EQ(set(made.plan, "load", code, 4, -1, nullptr), invalid_type);
    ASSERT_EQ(set(made.plan, "load", code, 4, 3, nullptr), success);
    EXPECT_EQ(fft().MakePlan1d(made.plan, 8, c2c, 1, &size), invalid_type) << "the code is for real numbers";
    ASSERT_EQ(fft().XtClearCallback(made.plan, 3), success);
    ASSERT_EQ(set(made.plan, "load", code, 4, 0, nullptr), success);
    EXPECT_NE(fft().MakePlan1d(made.plan, 8, c2c, 1, &size), success);
    ASSERT_EQ(fft().XtClearCallback(made.plan, 0), success);
    EXPECT_EQ(fft().MakePlan1d(made.plan, 8, c2c, 1, &size), success);
    EXPECT_EQ(set(made.plan, "load", code, 4, 0, nullptr), invalid_plan);
    EXPECT_EQ(fft().XtClearCallback(made.plan, 0), not_implemented);
}
#endif

TEST(FftCalls, one_card_has_descriptors) {
    Made made;
    Size size = 0;
    int cards[] = {0, 1};
    ASSERT_EQ(fft().Create(&made.plan), success);
#ifndef TEST_SEVERAL_CARDS
    ASSERT_EQ(fft().XtSetGPUs(made.plan, 2, cards), success);
    EXPECT_EQ(fft().MakePlan1d(made.plan, 4, c2c, 1, &size), not_implemented);
    ASSERT_EQ(fft().Destroy(made.plan), success);
    ASSERT_EQ(fft().Create(&made.plan), success);
#endif
    EXPECT_EQ(fft().XtSetGPUs(made.plan, 0, cards), invalid_value);
#ifdef TEST_HIPFFT
    EXPECT_EQ(fft().XtSetGPUs(made.plan, 1, cards), success);
    EXPECT_EQ(fft().XtSetGPUs(made.plan, 1, &cards[1]), not_implemented);
#else
    EXPECT_EQ(fft().XtSetGPUs(made.plan, 1, cards), invalid_value);
#endif
    ASSERT_EQ(fft().MakePlan1d(made.plan, 4, c2c, 1, &size), success);
    Descriptor *data = nullptr, *copy = nullptr;
    ASSERT_EQ(fft().XtMalloc(made.plan, &data, 2), success);
    ASSERT_EQ(fft().XtMalloc(made.plan, &copy, 0), success);
    EXPECT_EQ(data->memory->cards, 1);
    EXPECT_EQ(data->memory->size[0], 32U);
    std::vector<std::complex<float>> host{{1, 0}, {0, 0}, {0, 0}, {0, 0}}, result(4);
    ASSERT_EQ(fft().XtMemcpy(made.plan, data, host.data(), 0), success);
    ASSERT_EQ(fft().XtExecDescriptorC2C(made.plan, data, data, forward), success);
    ASSERT_EQ(fft().XtMemcpy(made.plan, copy, data, 2), success);
    ASSERT_EQ(fft().XtMemcpy(made.plan, result.data(), copy, 1), success);
    EXPECT_EQ(result, std::vector<std::complex<float>>(4, {1, 0}));
    EXPECT_EQ(fft().XtMemcpy(made.plan, result.data(), copy, 9), invalid_value);
    EXPECT_EQ(fft().XtFree(data), success);
    EXPECT_EQ(fft().XtFree(copy), success);
    EXPECT_EQ(fft().XtFree(nullptr), success);
}

#ifndef TEST_HIPFFT
TEST(FftCalls, plans_have_properties_until_they_are_made) {
    auto* const set = fft().find<int(Handle, int, Long)>("SetPlanPropertyInt64");
    auto* const get = fft().find<int(Handle, int, Long*)>("GetPlanPropertyInt64");
    auto* const reset = fft().find<int(Handle, int)>("ResetPlanProperty");
    Made made;
    Size size = 0;
    Long value = 7;
    ASSERT_EQ(fft().Create(&made.plan), success);
    ASSERT_EQ(get(made.plan, 1, &value), success);
    EXPECT_EQ(value, 0);
    EXPECT_EQ(set(made.plan, 1, 1), success);
    ASSERT_EQ(get(made.plan, 1, &value), success);
    EXPECT_EQ(value, 1);
    EXPECT_EQ(reset(made.plan, 1), success);
    ASSERT_EQ(get(made.plan, 1, &value), success);
    EXPECT_EQ(value, 0);
    EXPECT_EQ(set(made.plan, 2, 1), not_supported);
    EXPECT_EQ(set(made.plan, 9, 1), invalid_value);
    EXPECT_EQ(get(made.plan, 9, &value), invalid_value);
    EXPECT_EQ(reset(made.plan, 9), invalid_value);
    ASSERT_EQ(fft().MakePlan1d(made.plan, 4, c2c, 1, &size), success);
    EXPECT_EQ(set(made.plan, 1, 1), not_supported);
}

TEST(FftCalls, a_work_area_can_be_limited) {
    auto* const policy = fft().find<int(Handle, int, Size*)>("XtSetWorkAreaPolicy");
    Made made;
    ASSERT_EQ(fft().Create(&made.plan), success);
    Size most = 16, size = 0;
    EXPECT_EQ(policy(made.plan, 1, &most), invalid_plan) << "not made";
    ASSERT_EQ(make_with_work_area(made.plan, &size), success);
    EXPECT_EQ(policy(made.plan, 1, &most), invalid_size);
    EXPECT_EQ(policy(made.plan, 1, &size), success);
    EXPECT_EQ(policy(made.plan, 0, &most), success);
    EXPECT_EQ(policy(made.plan, 2, &most), success);
    EXPECT_EQ(policy(made.plan, 9, &most), invalid_value);
}
#endif

TEST(FftCalls, threads_use_one_plan_and_make_others) {
    Made shared;
    ASSERT_EQ(fft().Plan1d(&shared.plan, 16, c2c, 1), success);
    std::vector<std::thread> threads;
    std::atomic<int> wrong{0};
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&] {
            for (int i = 0; i < 50; ++i) {
                Handle own = no_handle;
                std::vector<std::complex<float>> data(16);
                data[0] = 1;
                wrong += fft().Plan1d(&own, 8, c2c, 1) != success;
                wrong += fft().ExecC2C(own, data.data(), data.data(), forward) != success;
                wrong += fft().Destroy(own) != success;
                data.assign(16, 0);
                data[0] = 1;
                wrong += fft().ExecC2C(shared.plan, data.data(), data.data(), forward) != success;
                wrong += std::abs(data[15] - 1.0F) > 1e-5F;
            }
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, 0);
}

/// A call that does nothing but find its plan.
TEST(FftCalls, finding_a_plan_takes_less_than_100_nanoseconds) {
    std::vector<Handle> plans(2000, no_handle);
    for (Handle& plan : plans) ASSERT_EQ(fft().Create(&plan), success);
    double best = 1e9;
    for (int round = 0; round < 20; ++round) {
        const auto start = std::chrono::steady_clock::now();
        for (const Handle plan : plans) fft().SetStream(plan, nullptr);
        const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
        best = std::min(best, time.count() / static_cast<double>(plans.size()));
    }
    for (const Handle plan : plans) EXPECT_EQ(fft().Destroy(plan), success);
    EXPECT_LT(best, 100);
}

}  // namespace
}  // namespace fft_test
