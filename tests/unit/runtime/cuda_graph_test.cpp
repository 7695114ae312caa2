// Executions captured into CUDA graphs on a real card: what a graph computes, launched again and again, on new data, is
// what the plan computes by itself.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <complex>
#include <cstring>
#include <random>
#include <vector>

#include "seiche/convolution.hpp"
#include "seiche/interop/cuda.hpp"
#include "seiche/plan.hpp"

namespace seiche::test {
namespace {

using Samples = std::vector<std::complex<float>>;

Samples noise(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> uniform(-1, 1);
    Samples samples(count);
    for (auto& sample : samples) sample = {uniform(random), uniform(random)};
    return samples;
}

class CudaGraph : public testing::Test {
protected:
    void SetUp() override {
        int cards = 0;
        if (cudaGetDeviceCount(&cards) != cudaSuccess || cards == 0) GTEST_SKIP() << "no CUDA card";
        device = cuda::device(0);
        ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
        ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
    }
    void TearDown() override {
        if (stream == nullptr) return;
        EXPECT_EQ(instance == nullptr ? cudaSuccess : cudaGraphExecDestroy(instance), cudaSuccess);
        EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
    }
    template <class Work>
    void capture(const Work& work, std::size_t least_nodes) {
        cudaGraph_t graph = nullptr;
        ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
        work();
        ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
        std::size_t nodes = 0;
        ASSERT_EQ(cudaGraphGetNodes(graph, nullptr, &nodes), cudaSuccess);
        EXPECT_GE(nodes, least_nodes);
        ASSERT_EQ(cudaGraphInstantiate(&instance, graph, 0), cudaSuccess);
        EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
    }
    void launch() {
        ASSERT_EQ(cudaGraphLaunch(instance, stream), cudaSuccess);
        ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    }
    Buffer buffer(std::uint64_t bytes) const { return bytes == 0 ? Buffer() : device.allocate(bytes); }

    Device device;
    cudaStream_t stream = nullptr;
    cudaGraphExec_t instance = nullptr;
};

class CudaGraphOfLength : public CudaGraph, public testing::WithParamInterface<std::uint64_t> {};

TEST_P(CudaGraphOfLength, computes_what_the_plan_does) {
    Problem problem;
    problem.lengths = {GetParam()};
    problem.batch = GetParam() > 100000 ? 1 : 64;
    const Plan plan(device, problem);
    Queue queue = cuda::queue(device, stream);
    Execution execution;
    execution.input = buffer(plan.input_bytes());
    execution.output = buffer(plan.output_bytes());
    execution.workspace = buffer(plan.workspace_bytes());
    capture([&] { plan.execute(queue, execution); }, 1);
    for (const unsigned seed : {1u, 2u}) {
        const Samples samples = noise(GetParam() * problem.batch, seed);
        const Samples expected = plan.forward(samples);
        Samples got(expected.size());
        queue.upload(execution.input, samples.data(), plan.input_bytes());
        launch();
        queue.download(got.data(), execution.output, plan.output_bytes());
        EXPECT_EQ(std::memcmp(got.data(), expected.data(), plan.output_bytes()), 0) << "length " << GetParam();
    }
}
// One pass, Rader, Bluestein, clusters, two passes, three, Bluestein in several.
INSTANTIATE_TEST_SUITE_P(Lengths, CudaGraphOfLength,
                         testing::Values(1024, 1009, 2053, 1 << 15, 1 << 16, 1 << 20, 1 << 25, 1000003));

TEST_F(CudaGraph, a_convolution_and_a_copy_are_captured_too) {
    Convolution convolution;
    convolution.signal = {256, 256};
    convolution.kernel = {9, 9};
    const ConvolutionPlan plan(device, convolution);
    std::vector<float> signal(256 * 256), kernel(81);
    std::mt19937 random(3);
    std::uniform_real_distribution<float> uniform(-1, 1);
    for (float& value : signal) value = uniform(random);
    for (float& value : kernel) value = uniform(random);
    const std::vector<float> expected = plan.convolve(signal, kernel);

    Queue queue = cuda::queue(device, stream);
    ConvolutionPreparation preparation;
    ConvolutionExecution execution;
    preparation.kernels = buffer(plan.kernel_bytes());
    preparation.workspace = buffer(plan.preparation_bytes());
    preparation.spectrum = execution.spectrum = buffer(plan.spectrum_bytes());
    execution.input = buffer(plan.input_bytes());
    execution.output = buffer(plan.output_bytes());
    execution.workspace = buffer(plan.workspace_bytes());
    const Buffer copy = buffer(plan.output_bytes());
    queue.upload(preparation.kernels, kernel.data(), plan.kernel_bytes());
    queue.upload(execution.input, signal.data(), plan.input_bytes());
    capture(
        [&] {
            plan.prepare(queue, preparation);
            plan.execute(queue, execution);
            queue.copy(copy, execution.output, plan.output_bytes());
        },
        3);
    launch();
    std::vector<float> got(expected.size());
    queue.download(got.data(), copy, plan.output_bytes());
    EXPECT_EQ(got, expected);
}

// Two streams in one graph: the second joins and leaves by events.
TEST_F(CudaGraph, events_join_two_streams_in_one_graph) {
    Problem problem;
    problem.lengths = {4096};
    problem.placement = Placement::in_place;
    const Plan plan(device, problem);
    cudaStream_t other = nullptr;
    cudaEvent_t forked = nullptr, joined = nullptr;
    ASSERT_EQ(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking), cudaSuccess);
    ASSERT_EQ(cudaEventCreateWithFlags(&forked, cudaEventDisableTiming), cudaSuccess);
    ASSERT_EQ(cudaEventCreateWithFlags(&joined, cudaEventDisableTiming), cudaSuccess);
    {
        Queue first = cuda::queue(device, stream), second = cuda::queue(device, other);
        Execution here, there;
        here.input = buffer(plan.input_bytes());
        there.input = buffer(plan.input_bytes());
        here.workspace = buffer(plan.workspace_bytes());
        there.workspace = buffer(plan.workspace_bytes());
        const Samples samples = noise(4096, 5), expected = plan.forward(samples);
        first.upload(here.input, samples.data(), plan.input_bytes());
        first.upload(there.input, samples.data(), plan.input_bytes());
        capture(
            [&] {
                cuda::record(first, forked);
                cuda::wait_for(second, forked);
                plan.execute(first, here);
                plan.execute(second, there);
                cuda::record(second, joined);
                cuda::wait_for(first, joined);
            },
            2);
        launch();
        Samples got(4096);
        for (const Execution& execution : {here, there}) {
            first.download(got.data(), execution.input, plan.output_bytes());
            EXPECT_EQ(got, expected);
        }
    }
    EXPECT_EQ(cudaEventDestroy(forked), cudaSuccess);
    EXPECT_EQ(cudaEventDestroy(joined), cudaSuccess);
    EXPECT_EQ(cudaStreamDestroy(other), cudaSuccess);
}

}  // namespace
}  // namespace seiche::test
