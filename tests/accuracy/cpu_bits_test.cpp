// Results on the processor have the same bits in every run and on every number of threads.
#include <gtest/gtest.h>

#include <cstring>
#include <optional>
#include <random>
#include <vector>

#include "seiche/error.hpp"
#include "seiche/interop/cpu.hpp"
#include "seiche/plan.hpp"

namespace seiche::accuracy {
namespace {

class CpuBits : public testing::TestWithParam<const char*> {
protected:
    void SetUp() override {
        try {
            device_ = Device::open("cpu");
        } catch (const Unsupported& error) {
            GTEST_SKIP() << "SKIPPED: no device cpu: " << error.what();
        }
    }
    void TearDown() override { cpu::set_threads(0); }

    std::optional<Device> device_;
};

TEST_P(CpuBits, do_not_depend_on_threads) {
    const Plan plan(*device_, parse_problem(GetParam()));
    const std::uint64_t in = plan.input_bytes(), out = plan.output_bytes();
    std::mt19937 random(1);
    std::uniform_real_distribution<float> number(-1, 1);
    std::vector<float> data(in / 4);
    for (float& value : data) value = number(random);

    std::vector<std::byte> first;
    for (const unsigned threads : {1u, 1u, 2u, 3u, 8u}) {
        cpu::set_threads(threads);
        Queue queue = device_->create_queue();
        Execution execution;
        execution.input = device_->allocate(in);
        execution.output = device_->allocate(out);
        if (plan.workspace_bytes() != 0) execution.workspace = device_->allocate(plan.workspace_bytes());
        queue.upload(execution.input, data.data(), in);
        plan.execute(queue, execution);
        std::vector<std::byte> result(out);
        queue.download(result.data(), execution.output, out);
        if (first.empty()) first = result;
        EXPECT_EQ(std::memcmp(result.data(), first.data(), out), 0) << threads << " threads";
    }
}

// Batches that fill no register of lanes, one long transform, primes of both ways, planes, real kinds.
INSTANTIATE_TEST_SUITE_P(Problems, CpuBits,
                         testing::Values("1000 f32 batch=77", "16 f32 batch=5003", "262144 f32", "10007 f32 batch=9",
                                         "1009 f32 batch=130", "127x65 f32 batch=3", "64x64x64 r2c f32",
                                         "131072 c2r f32", "512x257 dct2 f32"));

}  // namespace
}  // namespace seiche::accuracy
