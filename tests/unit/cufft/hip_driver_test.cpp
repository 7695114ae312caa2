// The way to a card by hipFFT's names, on the fake HIP runtime of two cards: streams, the current card, failures.
#include <gtest/gtest.h>

#include <complex>

#include "../runtime/fake_hip.hpp"
#include "fft_library.hpp"

namespace fft_test {
namespace {

constexpr int exec_failed = 6, invalid_device = 11;

class HipFftDriver : public testing::Test {
protected:
    void SetUp() override {
        void* const library = dlopen(TEST_FAKE_HIP, RTLD_NOW);
        ASSERT_NE(library, nullptr);
        record = reinterpret_cast<FakeHipRecord* (*)()>(dlsym(library, "fake_hip_record"))();
        record->device = 0;
        ASSERT_EQ(fft().Plan1d(&plan, 8, c2c, 1), success);
    }
    void TearDown() override {
        record->failing.clear();
        EXPECT_EQ(fft().Destroy(plan), success);
    }

    FakeHipRecord* record = nullptr;
    Handle plan = no_handle;
    alignas(16) std::complex<float> input[8] = {}, output[8] = {};
};

TEST_F(HipFftDriver, work_goes_to_the_stream_that_was_set_last) {
    int words[2] = {};
    for (void* const stream :
         {static_cast<void*>(&words[0]), static_cast<void*>(nullptr), static_cast<void*>(&words[1])}) {
        ASSERT_EQ(fft().SetStream(plan, stream), success);
        ASSERT_EQ(fft().ExecC2C(plan, input, output, forward), success);
        EXPECT_EQ(record->stream, stream);
        EXPECT_EQ(record->first_argument, static_cast<void*>(input));
    }
}

TEST_F(HipFftDriver, a_plan_is_of_the_card_that_was_current) {
    record->device = 1;
    EXPECT_EQ(fft().ExecC2C(plan, input, output, forward), invalid_device);
    Handle other = no_handle;
    ASSERT_EQ(fft().Plan1d(&other, 8, c2c, 1), success);
    record->device = 1;
    EXPECT_EQ(fft().ExecC2C(other, input, input, inverse), success);
    EXPECT_EQ(fft().Destroy(other), success);
    record->device = 0;
    EXPECT_EQ(fft().ExecC2C(plan, input, output, forward), success);
}

TEST_F(HipFftDriver, what_the_runtime_refuses_is_an_execution_that_failed) {
    record->failing = "hipModuleLaunchKernel";
    EXPECT_EQ(fft().ExecC2C(plan, input, output, forward), exec_failed);
    record->failing.clear();
    EXPECT_EQ(fft().ExecC2C(plan, input, output, forward), success);
}

}  // namespace
}  // namespace fft_test
