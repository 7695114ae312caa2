// Whole plans on the fake CUDA driver: what a stream under capture may see, events, and several cards in one process.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <thread>

#include "fake_cuda.hpp"
#include "runtime/cuda/linker.hpp"
#include "seiche/convolution.hpp"
#include "seiche/error.hpp"
#include "seiche/interop/cuda.hpp"
#include "seiche/plan.hpp"

namespace seiche::test {
namespace {

template <class Function>
Function* driver(const char* name) {
    void* library = dlopen("libcuda.so.1", RTLD_NOW);
    return library != nullptr ? reinterpret_cast<Function*>(dlsym(library, name)) : nullptr;
}

std::string times(std::size_t count, const std::string& call) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += call + " ";
    return text;
}

class CudaPlan : public testing::Test {
protected:
    static constexpr const char *first_name = "cuda:0", *last_name = "cuda:2";

    void SetUp() override {
        setenv("SEICHE_CACHE_DIR", "/dev/null/nowhere", 1);
        auto* find = driver<FakeCudaRecord*()>("fake_cuda_record");
        ASSERT_NE(find, nullptr) << "LD_LIBRARY_PATH must begin with the fake driver's folder, as ctest sees to";
        record = find();
        record->strayed.clear();
        device = Device::open(first_name);
    }
    void TearDown() override { EXPECT_EQ(record->strayed, ""); }

    static Problem problem(std::uint64_t length) {
        Problem problem;
        problem.lengths = {length};
        return problem;
    }
    static Execution execution(const Plan& plan) {
        const auto buffer = [&](std::uint64_t bytes) { return bytes == 0 ? Buffer() : plan.device().allocate(bytes); };
        Execution execution;
        execution.input = buffer(plan.input_bytes());
        execution.output = buffer(plan.output_bytes());
        execution.workspace = buffer(plan.workspace_bytes());
        return execution;
    }

    void begin_capture() { ASSERT_EQ(driver<int(void*, int)>("cuStreamBeginCapture_v2")(stream, 0), 0); }
    void end_capture() {
        void* graph = nullptr;
        ASSERT_EQ(driver<int(void*, void**)>("cuStreamEndCapture")(stream, &graph), 0);
    }

    FakeCudaRecord* record = nullptr;
    Device device;
    int word = 0;
    CUstream stream = reinterpret_cast<CUstream>(&word);
};

// Lengths of one pass, of several with a workspace, of Rader's and Bluestein's convolutions in one and several kernels.
TEST_F(CudaPlan, a_capture_records_launches_and_sees_nothing_else) {
    for (const std::uint64_t length : {1024u, 1009u, 2053u, 1u << 22, 1u << 26, 1000003u}) {
        const Plan plan(device, problem(length));
        const Execution forward = execution(plan);
        Execution inverse = forward;
        inverse.direction = Direction::inverse;
        Queue queue = cuda::queue(device, stream);
        record->launches.clear();
        begin_capture();
        plan.execute(queue, forward);
        plan.execute(queue, inverse);
        end_capture();
        EXPECT_EQ(record->forbidden, "") << length;
        EXPECT_FALSE(record->launches.empty());
        EXPECT_EQ(record->captured, times(record->launches.size(), "cuLaunchKernelEx")) << length;
        for (const FakeCudaLaunch& launch : record->launches) EXPECT_EQ(launch.stream, stream);
    }
}

/// What the fake linker has been given so far.
std::string linked() {
    void* library = dlopen(runtime::cuda::loaded_linker().path.c_str(), RTLD_NOW);
    auto* all = reinterpret_cast<const char* (*)()>(dlsym(library, "fake_nvjitlink_all"));
    return all != nullptr ? all() : "no fake linker";
}

Problem with_function(std::uint64_t length, const std::string& symbol) {
    Problem problem;
    problem.lengths = {length};
    problem.forward_load = StageFunction{
        symbol, {std::byte{0x50}, std::byte{0xed}, std::byte{0x55}, std::byte{0xba}}, nullptr};  // as a fatbin begins
    return problem;
}

// The kernel that loads is linked to the function, and no other; what the execution gives reaches it.
TEST_F(CudaPlan, a_function_is_linked_and_gets_its_pointer) {
    const std::string before = linked();
    const Plan plan(device, with_function(1u << 22, "callback"), {Directions::forward, {}});
    ASSERT_GT(plan.report().kernels.size(), 1u);
    const std::string kernel = plan.report().kernels.front().name;
    EXPECT_EQ(linked(), before + "-arch=sm_90 -lto 3:" + kernel + " 4:callback \n");
    const Plan single(device, with_function(1024, "callback"), {Directions::forward, {}});
    EXPECT_EQ(record->image, "join");
    Queue queue = device.create_queue();
    Execution arguments = execution(single);
    arguments.load_pointer = reinterpret_cast<void*>(std::uintptr_t{0x1234});
    record->argument_count = 5;  // input, output, table, how many sequences, the pointer
    single.execute(queue, arguments);
    record->argument_count = 1;
    EXPECT_EQ(record->last_argument, 0x1234u);
}

TEST_F(CudaPlan, a_function_that_is_not_linked_fails_in_one_line) {
    const auto said = [&](const char* failing) {
        setenv("FAKE_NVJITLINK_FAILS", failing, 1);
        std::string text = "it was planned";
        try {
            Plan(device, with_function(2048, std::string("of_") + failing), {Directions::forward, {}});
        } catch (const BackendError& error) {
            text = error.what();
        }
        unsetenv("FAKE_NVJITLINK_FAILS");
        return text;
    };
    for (const std::string call :
         {"nvJitLinkAddData", "nvJitLinkComplete", "nvJitLinkGetLinkedCubinSize", "nvJitLinkGetLinkedCubin"}) {
        const std::string text = said(call.c_str());
        EXPECT_TRUE(text.starts_with("BackendError: cuda: " + call + " failed with code 5 for kernel ")) << text;
        EXPECT_TRUE(text.ends_with(" on sm_90: ERROR 7: an error of the linker")) << text;
    }
    EXPECT_TRUE(said("nvJitLinkCreate").ends_with(" on sm_90")) << said("nvJitLinkCreate");
}

// What the card has less room for than its kind.
TEST_F(CudaPlan, a_cluster_that_does_not_fit_is_planned_smaller_unless_it_was_asked_for) {
    record->largest_cluster = 4;
    const Plan plan(device, problem(65536));
    Queue queue = device.create_queue();
    record->launches.clear();
    plan.execute(queue, execution(plan));
    queue.wait();
    ASSERT_FALSE(record->launches.empty());
    for (const FakeCudaLaunch& launch : record->launches) EXPECT_LE(launch.cluster[0], 4u);
    PlanOptions options;
    options.tuning.groups_per_cluster = 8;
    try {
        Plan(device, problem(65536), options);
        ADD_FAILURE() << "it was planned";
    } catch (const Unsupported& error) {
        EXPECT_NE(std::string(error.what()).find("no room for a cluster of 8 groups"), std::string::npos)
            << error.what();
    }
    record->largest_cluster = 16;
    const Plan large(device, problem(16384));
    record->launches.clear();
    large.execute(queue, execution(large));
    queue.wait();
    EXPECT_EQ(record->launches.back().cluster[0], 16u) << "one that fits is taken";
}

TEST_F(CudaPlan, a_capture_records_convolutions_copies_and_events) {
    Convolution convolution;
    convolution.signal = {512, 512};
    convolution.kernel = {9, 9};
    const ConvolutionPlan plan(device, convolution);
    ConvolutionExecution execution;
    execution.input = device.allocate(plan.input_bytes());
    execution.spectrum = device.allocate(plan.spectrum_bytes());
    execution.output = device.allocate(plan.output_bytes());
    if (plan.workspace_bytes() != 0) execution.workspace = device.allocate(plan.workspace_bytes());
    Queue queue = cuda::queue(device, stream);
    int events[2] = {};
    record->launches.clear();
    begin_capture();
    cuda::wait_for(queue, reinterpret_cast<CUevent>(&events[0]));
    plan.execute(queue, execution);
    queue.copy(execution.input, execution.output, 64);
    cuda::record(queue, reinterpret_cast<CUevent>(&events[1]));
    end_capture();
    EXPECT_EQ(record->forbidden, "");
    EXPECT_EQ(record->captured, "cuStreamWaitEvent " + times(record->launches.size(), "cuLaunchKernelEx") +
                                    "cuMemcpyDtoDAsync cuEventRecord ");
}

TEST_F(CudaPlan, what_waits_for_the_stream_is_refused_in_a_capture_by_the_driver_and_explained) {
    const Buffer buffer = device.allocate(64);
    Queue queue = cuda::queue(device, stream);
    char bytes[64] = {};
    begin_capture();
    try {
        queue.download(bytes, buffer, 64);
        ADD_FAILURE() << "a stream was waited for during its capture";
    } catch (const BackendError& error) {
        EXPECT_NE(std::string(error.what()).find("a stream is being captured"), std::string::npos) << error.what();
    }
    end_capture();
    EXPECT_EQ(record->forbidden, "cuStreamSynchronize ");
}

TEST_F(CudaPlan, own_queues_wait_for_events_and_record_them) {
    Queue queue = device.create_queue();
    int word_of_event = 0;
    const auto event = reinterpret_cast<CUevent>(&word_of_event);
    record->calls.clear();
    cuda::wait_for(queue, event);
    cuda::record(queue, event);
    EXPECT_EQ(record->calls, "cuStreamWaitEvent cuEventRecord ");
    EXPECT_THROW(cuda::wait_for(queue, nullptr), InvalidProblem);
    EXPECT_THROW(cuda::record(queue, nullptr), InvalidProblem);
    Queue other = Device::open("reference").create_queue();
    EXPECT_THROW(cuda::wait_for(other, event), InvalidProblem);
    EXPECT_THROW(cuda::record(other, event), InvalidProblem);
}

TEST_F(CudaPlan, each_card_has_its_own_code_memory_and_streams) {
    const Device last = Device::open(last_name);
    EXPECT_EQ(device.limits().architecture, "sm_90");
    EXPECT_EQ(last.limits().architecture, "sm_100");
    Problem halves = problem(1000);  // NVRTC's, whose code here begins with what it was made for
    halves.storage = Storage::f16;
    const Plan here(device, halves);
    EXPECT_EQ(record->image, "sm_9");
    const int modules = record->modules;
    const Plan there(last, halves);
    EXPECT_GT(record->modules, modules) << "a module serves the context that it was loaded in";
    EXPECT_EQ(record->image, "sm_1");

    const Execution on_first = execution(here), on_last = execution(there);
    Queue first_queue = device.create_queue(), last_queue = last.create_queue();
    record->launches.clear();
    here.execute(first_queue, on_first);
    there.execute(last_queue, on_last);
    here.execute(first_queue, on_first);
    ASSERT_EQ(record->launches.size() % 3, 0u);
    for (std::size_t i = 0; i < record->launches.size(); ++i) {
        const Device& expected = i * 3 / record->launches.size() == 1 ? last : device;
        EXPECT_EQ(record->launches[i].context, cuda::context(expected)) << i;
    }
}

TEST_F(CudaPlan, the_threads_context_is_again_what_it_was) {
    const Device last = Device::open(last_name);
    const CUcontext own = cuda::context(device);
    ASSERT_EQ(driver<int(void*)>("cuCtxPushCurrent_v2")(own), 0);
    {
        const Plan plan(last, problem(4096));
        Queue queue = last.create_queue();
        const Execution arguments = execution(plan);
        std::vector<std::complex<float>> data(4096);
        queue.upload(arguments.input, data.data(), plan.input_bytes());
        plan.execute(queue, arguments);
        queue.milliseconds(queue.record(), queue.record());
        queue.download(data.data(), arguments.output, plan.output_bytes());
    }
    void* popped = nullptr;
    ASSERT_EQ(driver<int(void**)>("cuCtxPopCurrent_v2")(&popped), 0);
    EXPECT_EQ(popped, own);
    int ordinal = -1;
    EXPECT_NE(driver<int(int*)>("cuCtxGetDevice")(&ordinal), 0) << "a context is left over";
}

TEST_F(CudaPlan, what_is_of_one_card_is_refused_by_another_before_the_driver_sees_it) {
    const Device last = Device::open(last_name);
    const Plan plan(device, problem(1024));
    const Execution right = execution(plan);
    Execution wrong = right;
    wrong.output = last.allocate(plan.output_bytes());
    Queue queue = device.create_queue(), last_queue = last.create_queue();
    const auto refused = [&](Queue& on, const Execution& with, const std::string& got) {
        record->launches.clear();
        try {
            plan.execute(on, with);
            ADD_FAILURE() << "cards were mixed";
        } catch (const InvalidProblem& error) {
            EXPECT_NE(std::string(error.what()).find(got), std::string::npos) << error.what();
        }
        EXPECT_TRUE(record->launches.empty());
    };
    refused(queue, wrong, "the buffer belongs to card 2, expected one of card 0");
    refused(last_queue, right, "the plan belongs to card 0, expected one of card 2");
    char byte = 0;
    EXPECT_THROW(queue.upload(wrong.output, &byte, 1), InvalidProblem);
    const Plan stranger(Device::open("reference"), problem(1024));
    EXPECT_THROW(stranger.execute(queue, right), InvalidProblem);
}

TEST_F(CudaPlan, copies_go_between_cards_on_either_ones_queue) {
    const Device last = Device::open(last_name);
    const Buffer here = device.allocate(64), there = last.allocate(64);
    Queue queue = device.create_queue(), last_queue = last.create_queue();
    const std::string text = "sixteen letters.";
    std::string back(16, '\0');
    queue.upload({here, 8}, text.data(), 16);
    record->calls.clear();
    queue.copy({there, 32}, {here, 8}, 16);
    last_queue.copy({here, 40}, {there, 32}, 16);
    EXPECT_EQ(record->calls, "cuMemcpyPeerAsync cuMemcpyPeerAsync ");
    queue.download(back.data(), {here, 40}, 16);
    EXPECT_EQ(back, text);
}

// Tables go through one stream for each device; in a context of the caller's nothing stays.
TEST_F(CudaPlan, making_plans_keeps_one_stream_and_none_in_a_callers_context) {
    const Plan other(Device::open("reference"), problem(6));  // for which the cache lets go of earlier tests' plans
    const int streams = record->streams, modules = record->modules, allocations = record->allocations;
    {
        const Device callers = cuda::device(reinterpret_cast<CUcontext>(std::uintptr_t{3}));  // of the last card
        for (const std::uint64_t length : {1500u, 1600u}) {
            const Plan plan(callers, problem(length));
            EXPECT_EQ(record->streams, streams);
        }
    }
    EXPECT_EQ(record->modules, modules);
    EXPECT_EQ(record->allocations, allocations);
    const Device last = Device::open(last_name);
    std::vector<std::thread> threads;
    for (std::uint64_t t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            for (std::uint64_t p = 0; p < 4; ++p) const Plan plan(last, problem(2000 + 16 * (4 * p + t)));
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(record->streams, streams + 1);
}

TEST_F(CudaPlan, cards_work_at_the_same_time_from_several_threads) {
    const Device last = Device::open(last_name);
    const Plan plans[] = {Plan(device, problem(1 << 20)), Plan(last, problem(1 << 20))};
    record->launches.clear();
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            const Plan& plan = plans[t % 2];
            Queue queue = plan.device().create_queue();
            const Execution arguments = execution(plan);
            for (int i = 0; i < 20; ++i) plan.execute(queue, arguments);
            queue.wait();
        });
    for (std::thread& thread : threads) thread.join();
    const auto on_first = std::count_if(record->launches.begin(), record->launches.end(),
                                        [&](const auto& launch) { return launch.context == cuda::context(device); });
    EXPECT_EQ(2 * static_cast<std::size_t>(on_first), record->launches.size());
    EXPECT_GE(on_first, 40);
}

}  // namespace
}  // namespace seiche::test
