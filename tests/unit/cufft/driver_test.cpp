// The way to a card, on the fake CUDA driver: contexts, streams, captures, and what is given back.
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <thread>
#include <vector>

#include "../runtime/fake_cuda.hpp"
#include "fft_library.hpp"

namespace fft_test {
namespace {

constexpr int invalid_device = 11;

template <class Function>
Function* driver(const char* name) {
    void* const library = dlopen("libcuda.so.1", RTLD_NOW);
    return library != nullptr ? reinterpret_cast<Function*>(dlsym(library, name)) : nullptr;
}

/// The primary context of a card, as the fake driver numbers them.
void* context_of(int card) { return reinterpret_cast<void*>(static_cast<std::ptrdiff_t>(card + 1)); }

class FftDriver : public testing::Test {
protected:
    void SetUp() override {
        auto* const find = driver<FakeCudaRecord*()>("fake_cuda_record");
        ASSERT_NE(find, nullptr) << "LD_LIBRARY_PATH must begin with the fake driver's folder, as ctest sees to";
        record = find();
        record->strayed.clear();
        record->forbidden.clear();
        record->launches.clear();
        set_current(context_of(0));
    }
    void TearDown() override { EXPECT_EQ(record->strayed, ""); }

    static void set_current(void* context) { driver<int(void*)>("cuCtxSetCurrent")(context); }
    static void* current() {
        void* context = nullptr;
        driver<int(void**)>("cuCtxGetCurrent")(&context);
        return context;
    }
    static Handle planned(int n) {
        Handle plan = no_handle;
        EXPECT_EQ(fft().Plan1d(&plan, n, c2c, 1), success);
        return plan;
    }

    FakeCudaRecord* record = nullptr;
    alignas(16) std::complex<float> input[8] = {}, output[8] = {};
};

TEST_F(FftDriver, a_thread_without_a_context_gets_that_of_the_first_card) {
    set_current(nullptr);
    const Handle plan = planned(8);
    EXPECT_EQ(current(), context_of(0));
    EXPECT_EQ(fft().ExecC2C(plan, input, output, forward), success);
    set_current(nullptr);
    EXPECT_EQ(fft().ExecC2C(plan, input, output, forward), success);
    EXPECT_EQ(record->launches.back().context, context_of(0));
    EXPECT_EQ(fft().Destroy(plan), success);
}

TEST_F(FftDriver, a_plan_is_of_the_current_card_and_of_no_other) {
    set_current(context_of(2));
    const Handle third = planned(8);
    EXPECT_EQ(fft().ExecC2C(third, input, output, forward), success);
    EXPECT_EQ(record->launches.back().context, context_of(2));
    set_current(context_of(0));
    const Handle first = planned(8);
    EXPECT_EQ(fft().ExecC2C(third, input, output, forward), invalid_device);
    EXPECT_EQ(fft().ExecC2C(first, input, output, forward), success);
    EXPECT_EQ(record->launches.back().context, context_of(0));
    EXPECT_EQ(current(), context_of(0));
    EXPECT_EQ(fft().Destroy(third), success);
    EXPECT_EQ(fft().Destroy(first), success);
}

TEST_F(FftDriver, work_goes_to_the_stream_that_was_set_last) {
    const Handle plan = planned(8);
    int words[2] = {};
    for (void* const stream : std::vector<void*>{nullptr, &words[0], &words[1], &words[0], nullptr}) {
        ASSERT_EQ(fft().SetStream(plan, stream), success);
        ASSERT_EQ(fft().ExecC2C(plan, input, output, forward), success);
        EXPECT_EQ(record->launches.back().stream, stream);
    }
    EXPECT_EQ(fft().Destroy(plan), success);
}

/// Neither placement nor direction nor a new stream makes anything while a graph is captured.
TEST_F(FftDriver, a_capture_sees_launches_alone) {
    for (const int n : {8, 1009, 1 << 20}) {
        const Handle plan = planned(n);
        std::vector<std::complex<float>> from(static_cast<std::size_t>(n)), to(static_cast<std::size_t>(n));
        int word = 0;
        ASSERT_EQ(driver<int(void*, int)>("cuStreamBeginCapture_v2")(&word, 0), 0);
        EXPECT_EQ(fft().SetStream(plan, &word), success);
        for (const int direction : {forward, inverse}) {
            EXPECT_EQ(fft().ExecC2C(plan, from.data(), to.data(), direction), success);
            EXPECT_EQ(fft().ExecC2C(plan, from.data(), from.data(), direction), success);
        }
        void* graph = nullptr;
        ASSERT_EQ(driver<int(void*, void**)>("cuStreamEndCapture")(&word, &graph), 0);
        EXPECT_EQ(record->forbidden, "") << n;
        EXPECT_EQ(record->captured.find("cuLaunchKernelEx"), 0U) << n;
        EXPECT_EQ(fft().Destroy(plan), success);
    }
}

TEST_F(FftDriver, a_work_area_is_given_back_with_its_plan) {
    const int before = record->allocations;
    Handle plan = no_handle;
    ASSERT_EQ(fft().Plan1d(&plan, 1 << 20, c2c, 1), success);
    const int with_plan = record->allocations;
    EXPECT_GT(with_plan, before);
    ASSERT_EQ(fft().SetWorkArea(plan, input), success) << "the caller's stands in for the own one";
    EXPECT_LT(record->allocations, with_plan);
    EXPECT_EQ(fft().Destroy(plan), success);
}

TEST_F(FftDriver, the_last_plans_are_kept_for_others_like_them) {
    EXPECT_EQ(fft().Destroy(planned(12)), success);
    record->calls.clear();
    EXPECT_EQ(fft().Destroy(planned(12)), success);
    EXPECT_EQ(record->calls.find("cuModuleLoadData"), std::string::npos) << "loaded again";
    int most = 0;
    for (int n = 2; n < 200; ++n) {
        EXPECT_EQ(fft().Destroy(planned(n)), success);
        most = std::max(most, record->modules);
    }
    EXPECT_LT(most, 200) << "plans that were destroyed are kept for ever";
}

TEST_F(FftDriver, a_context_made_anew_at_the_same_address_is_another) {
    const Handle old = planned(8);
    EXPECT_EQ(fft().Destroy(old), success);
    record->calls.clear();
    ++record->context_generation;
    const Handle plan = planned(8);
    EXPECT_EQ(fft().ExecC2C(plan, input, output, forward), success);
    EXPECT_NE(record->calls.find("cuModuleLoadData"), std::string::npos)
        << "code of the context that is gone was taken for the new one's";
    EXPECT_EQ(fft().Destroy(plan), success);
}

TEST_F(FftDriver, threads_have_contexts_of_their_own) {
    std::vector<std::thread> threads;
    std::vector<int> wrong(3);
    for (int card = 0; card < 3; card += 2)
        threads.emplace_back([card, &wrong, this] {
            set_current(context_of(card));
            for (int i = 0; i < 20; ++i) {
                Handle plan = no_handle;
                wrong[static_cast<std::size_t>(card)] += fft().Plan1d(&plan, 8, c2c, 1) != success;
                wrong[static_cast<std::size_t>(card)] += fft().ExecC2C(plan, input, output, forward) != success;
                wrong[static_cast<std::size_t>(card)] += fft().Destroy(plan) != success;
            }
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, std::vector<int>(3));
}

}  // namespace
}  // namespace fft_test
