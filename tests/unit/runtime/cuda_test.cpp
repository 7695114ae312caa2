// The CUDA backend against a driver that only records: choice of a card, limits, loading, launches, what is given back.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>

#include "fake_cuda.hpp"
#include "run_kernel.hpp"
#include "runtime/cuda/nvrtc.hpp"
#include "sample_kernels.hpp"
#include "seiche/error.hpp"
#include "seiche/interop/cuda.hpp"

namespace seiche::test {
namespace {

FakeCudaRecord* fake() {
    void* library = dlopen("libcuda.so.1", RTLD_NOW);
    void* symbol = library != nullptr ? dlsym(library, "fake_cuda_record") : nullptr;
    return symbol != nullptr ? reinterpret_cast<FakeCudaRecord* (*)()>(symbol)() : nullptr;
}

bool nvrtc_here() { return runtime::cuda::load_nvrtc(runtime::cuda::nvrtc_candidates(), 0).problem.empty(); }

class CudaBackend : public testing::Test {
protected:
    void SetUp() override {
        setenv("SEICHE_CACHE_DIR", "/dev/null/nowhere", 1);
        record = fake();
        ASSERT_NE(record, nullptr) << "LD_LIBRARY_PATH must begin with the fake driver's folder, as ctest sees to";
    }
    FakeCudaRecord* record = nullptr;
};

/// Machine code is taken for granted.
class CudaLaunch : public CudaBackend {
protected:
    void SetUp() override {
        CudaBackend::SetUp();
        if (record == nullptr) return;
        if (!nvrtc_here()) GTEST_SKIP() << "no NVRTC";
        device = runtime::open_device("cuda:0");
    }
    emit::Source source_of(const ir::Kernel& kernel) const {
        return emit::emit(std::make_shared<ir::Kernel>(kernel), device->target());
    }
    std::shared_ptr<runtime::Module> load(const ir::Kernel& kernel) const {
        runtime::Binary binary;
        binary.bytes.resize(16, std::byte{'x'});
        return device->load(source_of(kernel), binary);
    }
    std::shared_ptr<runtime::Device> device;
};

TEST_F(CudaBackend, lists_cards_with_their_limits_and_refuses_an_old_one) {
    const std::vector<DeviceInfo> infos = runtime::list_devices();
    const auto named = [&](const std::string& name) {
        for (const DeviceInfo& info : infos)
            if (info.name == name) return info;
        return DeviceInfo{};
    };
    const DeviceInfo hopper = named("cuda:0"), volta = named("cuda:1");
    EXPECT_EQ(hopper.description, "Fake Hopper");
    EXPECT_TRUE(hopper.is_gpu);
    EXPECT_TRUE(hopper.available) << hopper.problem;
    EXPECT_EQ(hopper.limits.architecture, "sm_90");
    EXPECT_EQ(hopper.limits.shared_bytes, 232448u);
    EXPECT_EQ(hopper.limits.shared_bytes_per_unit, 233472u);
    EXPECT_EQ(hopper.limits.compute_units, 132u);
    EXPECT_EQ(hopper.limits.max_cluster_size, 16u);
    EXPECT_EQ(hopper.limits.memory_bytes, std::uint64_t{1} << 37);
    EXPECT_EQ(hopper.limits.vectors, Vectors::subgroups);
    EXPECT_FALSE(volta.available);
    EXPECT_NE(volta.problem.find("70"), std::string::npos) << volta.problem;
    EXPECT_FALSE(volta.remedy.empty());
}

TEST_F(CudaBackend, without_its_compiler_is_passed_over_with_a_remedy) {
    const auto none = runtime::cuda::load_nvrtc({"/nonexistent/libnvrtc.so"}, 12040);
    EXPECT_NE(none.problem.find("NVRTC"), std::string::npos);
    EXPECT_NE(none.remedy.find("pip install nvidia-cuda-nvrtc-cu12"), std::string::npos) << none.remedy;
    if (!nvrtc_here()) return;
    // Machine code of a later major version would not load.
    const auto newer = runtime::cuda::load_nvrtc(runtime::cuda::nvrtc_candidates(), 11080);
    EXPECT_FALSE(newer.problem.empty());
}

TEST_F(CudaLaunch, is_the_default_and_may_be_named_in_part) {
    unsetenv("SEICHE_DEVICE");
    EXPECT_EQ(runtime::open_device(""), device);
    EXPECT_EQ(runtime::open_device("cuda:hopper"), device);
    EXPECT_EQ(runtime::open_device("cuda"), device);
    EXPECT_THROW(runtime::open_device("cuda:volta"), Unsupported);
    EXPECT_EQ(device->target().architecture, "sm_90");
}

// NVRTC itself asks the driver, and does not survive a fake one: that it compiles is tested without.
TEST_F(CudaLaunch, loads_the_binary_and_its_function_at_once) {
    record->calls.clear();
    const auto module = load(exchange_kernel());
    EXPECT_EQ(record->calls, "cuModuleLoadData cuModuleGetFunction ");
    EXPECT_EQ(record->function, "reverse_64");
    EXPECT_EQ(record->image, "xxxx");
    EXPECT_THROW(device->load(source_of(exchange_kernel()), {}), BackendError);
}

TEST_F(CudaLaunch, passes_addresses_scalars_and_shape) {
    const auto module = load(exchange_kernel());
    const auto queue = device->create_queue();
    const auto in = device->allocate(1024), out = device->allocate(1024);
    const runtime::BufferArgument buffers[2] = {{in.get(), 16}, {out.get(), 0}};
    const std::uint64_t count = 77;
    record->argument_count = 3;
    record->calls.clear();
    record->current_calls.clear();
    queue->launch({module.get(), {5, 2, 1}, buffers, 2, &count, 1});
    EXPECT_EQ(record->calls, "cuLaunchKernelEx ") << "a launch that is being captured may do nothing else";
    EXPECT_EQ(record->current_calls, "cuCtxPushCurrent cuCtxPopCurrent ");
    EXPECT_TRUE(record->launch.early);
    EXPECT_EQ(record->launch.grid[0], 5u);
    EXPECT_EQ(record->launch.grid[1], 2u);
    EXPECT_EQ(record->launch.block[0], 64u);
    EXPECT_EQ(record->launch.shared, 0u) << "what is declared in the text is not given again";
    EXPECT_EQ(record->last_argument, 77u);
    const std::uint64_t with_offset = record->first_argument;
    const runtime::BufferArgument at_start[2] = {{in.get(), 0}, {out.get(), 0}};
    queue->launch({module.get(), {1, 1, 1}, at_start, 2, &count, 1});
    EXPECT_EQ(record->first_argument + 16, with_offset);
    EXPECT_THROW(queue->launch({module.get(), {1, 1, 1}, buffers, 1, &count, 1}), InternalError);
}

TEST_F(CudaLaunch, asks_for_large_shared_memory_once_and_gives_it_at_every_launch) {
    const auto module = load(dynamic_shared_kernel());
    EXPECT_EQ(record->dynamic_shared_allowed, 12288 * 4 + 1024 * 8);
    const auto queue = device->create_queue();
    const auto data = device->allocate(4096);
    const runtime::BufferArgument buffer{data.get(), 0};
    record->argument_count = 1;
    queue->launch({module.get(), {1, 1, 1}, &buffer, 1, nullptr, 0});
    EXPECT_EQ(record->launch.shared, 12288u * 4 + 1024 * 8);
}

TEST_F(CudaLaunch, launches_clusters_with_their_attribute) {
    ir::Kernel kernel = cluster_kernel();
    const auto queue = device->create_queue();
    const auto data = device->allocate(4096);
    const runtime::BufferArgument buffer{data.get(), 0};
    const auto module = load(kernel);
    queue->launch({module.get(), {4, 1, 1}, &buffer, 1, nullptr, 0});
    EXPECT_EQ(record->launch.attributes, 2u);
    EXPECT_EQ(record->launch.cluster[0], 2u);
    EXPECT_TRUE(record->launch.early);
    EXPECT_EQ(record->any_cluster_size, 0);
    kernel.launch.cluster = {16, 1, 1};
    const auto large = load(kernel);
    EXPECT_EQ(record->any_cluster_size, 1);
}

TEST_F(CudaLaunch, does_not_begin_early_in_the_legacy_default_stream) {
    const auto module = load(dynamic_shared_kernel());
    const auto data = device->allocate(4096);
    const runtime::BufferArgument buffer{data.get(), 0};
    record->argument_count = 1;
    const Device own(device);
    for (const std::uintptr_t handle : {0, 1, 2}) {
        const Queue queue = cuda::queue(own, reinterpret_cast<CUstream>(handle));
        queue.impl()->launch({module.get(), {1, 1, 1}, &buffer, 1, nullptr, 0});
        EXPECT_EQ(record->launch.early, handle == 2) << handle;
    }
}

// Beside the wait in the kernel's text no launch may begin early, and the other way round.
TEST_F(CudaLaunch, begins_early_where_the_text_waits) {
    const emit::Source source = source_of(exchange_kernel());
    EXPECT_TRUE(source.waits_for_previous);
    EXPECT_NE(source.text.find("griddepcontrol.wait"), std::string::npos);
    emit::Target target = device->target();
    target.waits_for_previous = false;
    const emit::Source other = emit::emit(std::make_shared<ir::Kernel>(exchange_kernel()), target);
    EXPECT_FALSE(other.waits_for_previous);
    EXPECT_EQ(other.text.find("griddepcontrol"), std::string::npos);
}

TEST_F(CudaLaunch, keeps_the_context_current_through_a_batch) {
    const auto module = load(dynamic_shared_kernel());
    const auto queue = device->create_queue();
    const auto data = device->allocate(4096);
    const runtime::BufferArgument buffer{data.get(), 0};
    record->argument_count = 1;
    record->current_calls.clear();
    runtime::in_one_batch(*queue, [&] {
        for (int i = 0; i < 3; ++i)
            runtime::in_one_batch(*queue, [&] { queue->launch({module.get(), {1, 1, 1}, &buffer, 1, nullptr, 0}); });
    });
    EXPECT_EQ(record->current_calls, "cuCtxPushCurrent cuCtxPopCurrent ");
}

TEST_F(CudaLaunch, asks_the_card_whether_a_cluster_fits) {
    ir::Kernel kernel = cluster_kernel();
    kernel.launch.cluster = {16, 1, 1};
    record->largest_cluster = 8;
    try {
        load(kernel);
        ADD_FAILURE() << "it was loaded";
    } catch (const runtime::NoSuchCluster& error) {
        EXPECT_EQ(error.groups, 16u);
        EXPECT_NE(std::string(error.what()).find("no room for a cluster of 16 groups"), std::string::npos)
            << error.what();
    }
    EXPECT_EQ(record->modules, 0) << "what does not fit is unloaded";
    record->largest_cluster = 16;
}

TEST_F(CudaLaunch, moves_bytes_and_measures) {
    const auto queue = device->create_queue();
    const auto a = device->allocate(64), b = device->allocate(64);
    const std::string text = "sixteen letters.";
    std::string back(16, '\0');
    queue->upload(*a, 8, text.data(), 16);
    queue->copy(*b, 32, *a, 8, 16);
    queue->download(back.data(), *b, 32, 16);
    EXPECT_EQ(back, text);
    EXPECT_EQ(queue->milliseconds(*queue->record(), *queue->record()), 1.5);
    try {
        device->allocate(std::uint64_t{1} << 40);
        FAIL() << "a tebibyte was allocated";
    } catch (const BackendError& error) {
        EXPECT_NE(std::string(error.what()).find("CUDA_ERROR_OUT_OF_MEMORY"), std::string::npos) << error.what();
        EXPECT_NE(std::string(error.what()).find("1099511627776 bytes"), std::string::npos) << error.what();
    }
}

TEST_F(CudaLaunch, enqueued_copies_of_pinned_memory_wait_for_nothing) {
    const auto queue = device->create_queue();
    const auto buffer = device->allocate(64);
    const int before = record->allocations;
    {
        const auto host = device->allocate_host(64);
        EXPECT_EQ(record->allocations, before + 1);
        EXPECT_EQ(host->bytes(), 64u);
        std::memcpy(host->data(), "sixteen letters.", 16);
        record->calls.clear();
        queue->enqueue_upload(*buffer, 8, host->data(), 16);
        queue->enqueue_download(static_cast<char*>(host->data()) + 32, *buffer, 8, 16);
        EXPECT_EQ(record->calls, "cuMemcpyHtoDAsync cuMemcpyDtoHAsync ");
        queue->wait();
        EXPECT_EQ(std::memcmp(static_cast<char*>(host->data()) + 32, "sixteen letters.", 16), 0);
        queue->upload(*buffer, 0, host->data(), 16);
        EXPECT_TRUE(record->calls.ends_with("cuMemcpyHtoDAsync cuStreamSynchronize ")) << record->calls;
    }
    EXPECT_EQ(record->allocations, before);
    EXPECT_THROW(device->allocate_host(std::uint64_t{1} << 40), BackendError);
}

TEST_F(CudaLaunch, takes_the_callers_context_stream_and_memory_and_leaves_them_be) {
    const int contexts = record->contexts, streams = record->streams, allocations = record->allocations;
    const auto context = reinterpret_cast<CUcontext>(std::uintptr_t{1});  // the fake driver's context of card 0
    int word = 0;
    const auto stream = reinterpret_cast<CUstream>(&word);
    {
        const Device own = cuda::device(context);
        EXPECT_EQ(own.info().name, "cuda:0");
        EXPECT_EQ(cuda::context(own), context);
        const Queue queue = cuda::queue(own, stream);
        EXPECT_EQ(cuda::stream(queue), stream);
        const Buffer buffer = cuda::buffer(own, 0x1000, 256);
        EXPECT_EQ(buffer.bytes(), 256u);
        EXPECT_EQ(cuda::address(buffer), 0x1000u);
        float* const pointer = reinterpret_cast<float*>(0x2000);  // as cudaMalloc gives it
        EXPECT_EQ(cuda::address(cuda::buffer(own, pointer, 256)), 0x2000u);
        const runtime::BufferArgument arguments[2] = {{buffer.impl().get(), 32}, {buffer.impl().get(), 0}};
        const std::uint64_t count = 1;
        record->argument_count = 3;
        queue.impl()->launch({load(exchange_kernel()).get(), {1, 1, 1}, arguments, 2, &count, 1});
        EXPECT_EQ(record->first_argument, 0x1020u);
        EXPECT_EQ(record->launch.stream, stream);
        EXPECT_THROW(cuda::buffer(Device::open("reference"), 0x1000, 256), InvalidProblem);
        EXPECT_THROW(cuda::context(Device()), InvalidProblem);
    }
    EXPECT_EQ(record->contexts, contexts);
    EXPECT_EQ(record->streams, streams);
    EXPECT_EQ(record->allocations, allocations);
    EXPECT_THROW(cuda::device(reinterpret_cast<CUcontext>(std::uintptr_t{2})), Unsupported) << "card 1 is too old";
    EXPECT_EQ(cuda::device(0).impl(), device);
}

TEST_F(CudaLaunch, repeats_a_period_of_memory_over_a_buffer) {
    constexpr std::uint64_t period = 1 << 16, bytes = 3 * period + 100;
    const int before = record->allocations;
    {
        const Device card = Device::open("cuda:0");
        const Buffer ring = cuda::repeating_buffer(card, period, bytes);
        EXPECT_EQ(ring.bytes(), bytes);
        Queue queue = card.create_queue();
        std::string back(16, '\0');
        queue.upload({ring, period - 8}, "sixteen letters.", 16);  // past the end of the first
        for (const std::uint64_t place : {period - 8, 2 * period - 8, 3 * period - 8}) {
            queue.download(back.data(), {ring, place}, 16);
            EXPECT_EQ(back, "sixteen letters.") << place;
        }
        queue.download(back.data(), {ring, 0}, 8);
        EXPECT_EQ(back.substr(0, 8), "letters.");
        EXPECT_EQ(cuda::repeating_buffer(card, period, 1).bytes(), 1u);
        try {
            cuda::repeating_buffer(card, 1000, bytes);
            ADD_FAILURE() << "no error";
        } catch (const InvalidProblem& error) {
            EXPECT_STREQ(error.what(),
                         "InvalidProblem: cuda interop: the period of a repeating buffer is 1000 bytes, expected a "
                         "multiple of 65536");
        }
        EXPECT_THROW(cuda::repeating_buffer(card, 0, bytes), InvalidProblem);
        EXPECT_THROW(cuda::repeating_buffer(Device::open("reference"), period, bytes), InvalidProblem);
    }
    EXPECT_EQ(record->allocations, before);
}

TEST_F(CudaLaunch, gives_everything_back) {
    {
        const auto module = load(exchange_kernel());
        const auto queue = device->create_queue();
        const auto buffer = device->allocate(64);
        EXPECT_EQ(record->modules, 1);
        EXPECT_EQ(record->allocations, 1);
        device.reset();
        EXPECT_EQ(record->contexts, 1) << "what was made in a context keeps it";
    }
    EXPECT_EQ(record->modules, 0);
    EXPECT_EQ(record->streams, 0);
    EXPECT_EQ(record->allocations, 0);
    EXPECT_EQ(record->contexts, 0);
}

}  // namespace
}  // namespace seiche::test
