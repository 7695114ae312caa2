// Native objects through the C interface, and SYCL's through seiche/interop/sycl.hpp, with drivers that only record. A
// program of its own, because a driver is loaded once in a process.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "fake_cuda.hpp"
#include "fake_level_zero.hpp"
#include "seiche/interop/cuda.h"
#include "seiche/interop/hip.h"
#include "seiche/interop/level_zero.h"
#include "seiche/interop/sycl.hpp"

namespace seiche::test {
namespace {

std::string said() { return seiche_last_error(); }

class Interop : public testing::Test {
protected:
    void SetUp() override { setenv("SEICHE_CACHE_DIR", "/dev/null/nowhere", 1); }
    void TearDown() override {
        seiche_buffer_release(buffer);
        seiche_queue_release(queue);
        seiche_device_release(device);
    }
    template <class Record>
    static Record* record_of(const char* library, const char* name) {
        void* handle = dlopen(library, RTLD_NOW);
        void* symbol = handle != nullptr ? dlsym(handle, name) : nullptr;
        return symbol != nullptr ? reinterpret_cast<Record* (*)()>(symbol)() : nullptr;
    }
    seiche_device* device = nullptr;
    seiche_queue* queue = nullptr;
    seiche_buffer* buffer = nullptr;
};

TEST_F(Interop, CudaInC) {
    int word = 0, event = 0;
    ASSERT_EQ(seiche_cuda_device(reinterpret_cast<void*>(1), &device), SEICHE_OK) << said();
    EXPECT_STREQ(seiche_device_name(device), "cuda:0");
    ASSERT_EQ(seiche_cuda_queue(device, &word, &queue), SEICHE_OK) << said();
    ASSERT_EQ(seiche_cuda_buffer(device, 0x1000, 256, &buffer), SEICHE_OK) << said();
    seiche_buffer* same = nullptr;
    ASSERT_EQ(seiche_cuda_pointer_buffer(device, reinterpret_cast<void*>(0x1000), 256, &same), SEICHE_OK);
    std::uint64_t address = 0;
    void *context = nullptr, *stream = nullptr;
    EXPECT_EQ(seiche_cuda_address(same, &address), SEICHE_OK);
    EXPECT_EQ(address, 0x1000u);
    EXPECT_EQ(seiche_cuda_context(device, &context), SEICHE_OK);
    EXPECT_EQ(context, reinterpret_cast<void*>(1));
    EXPECT_EQ(seiche_cuda_stream(queue, &stream), SEICHE_OK);
    EXPECT_EQ(stream, &word);
    auto* record = record_of<FakeCudaRecord>("libcuda.so.1", "fake_cuda_record");
    ASSERT_NE(record, nullptr);
    record->calls.clear();
    seiche_cuda_wait_for(queue, &event);
    seiche_cuda_record(queue, &event);
    EXPECT_NE(record->calls.find("cuStreamWaitEvent"), std::string::npos) << record->calls;
    EXPECT_NE(record->calls.find("cuEventRecord"), std::string::npos) << record->calls;
    seiche_buffer_release(same);
    ASSERT_EQ(seiche_cuda_repeating_buffer(device, 1 << 16, 3 << 16, &same), SEICHE_OK) << said();
    EXPECT_EQ(seiche_buffer_bytes(same), 3u << 16);
    seiche_buffer_release(same);
    EXPECT_EQ(seiche_cuda_repeating_buffer(device, 100, 300, &same), SEICHE_INVALID_PROBLEM);
    EXPECT_EQ(same, nullptr);
    EXPECT_EQ(seiche_cuda_wait_for(queue, nullptr), SEICHE_INVALID_PROBLEM);
    EXPECT_EQ(seiche_cuda_buffer(nullptr, 0x1000, 256, &same), SEICHE_INVALID_PROBLEM);
    EXPECT_EQ(seiche_cuda_device(nullptr, &device), SEICHE_INVALID_PROBLEM);
    EXPECT_EQ(seiche_hip_stream(queue, &stream), SEICHE_INVALID_PROBLEM) << "of another backend";
    EXPECT_EQ(stream, nullptr);
}

TEST_F(Interop, TheListOfDevicesInC) {
    seiche_device_list* list = nullptr;
    ASSERT_EQ(seiche_devices(&list), SEICHE_OK) << said();
    const std::vector<DeviceInfo> expected = devices();
    ASSERT_EQ(seiche_device_list_count(list), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        seiche_device_info info = SEICHE_DEVICE_INFO_INIT;
        seiche_device_limits limits = SEICHE_DEVICE_LIMITS_INIT;
        ASSERT_EQ(seiche_device_list_get(list, i, &info), SEICHE_OK);
        ASSERT_EQ(seiche_device_list_get_limits(list, i, &limits), SEICHE_OK);
        EXPECT_EQ(info.name, expected[i].name);
        EXPECT_EQ(info.description, expected[i].description);
        EXPECT_STREQ(seiche_backend_name(info.backend), to_string(expected[i].backend));
        EXPECT_EQ(info.available != 0, expected[i].available);
        EXPECT_EQ(info.remedy, expected[i].remedy);
        EXPECT_EQ(limits.architecture, expected[i].limits.architecture);
        EXPECT_EQ(limits.cache_bytes, expected[i].limits.cache_bytes);
        EXPECT_EQ(limits.part_barriers != 0, expected[i].limits.part_barriers);
    }
    seiche_device_info info = SEICHE_DEVICE_INFO_INIT;
    EXPECT_EQ(seiche_device_list_get(list, expected.size(), &info), SEICHE_INVALID_PROBLEM);
    EXPECT_EQ(seiche_device_list_get(nullptr, 0, &info), SEICHE_INVALID_PROBLEM);
    seiche_device_list_release(list);
    EXPECT_EQ(seiche_devices(nullptr), SEICHE_INVALID_PROBLEM);
}

TEST_F(Interop, LevelZeroInC) {
    seiche_level_zero_native_device native = SEICHE_LEVEL_ZERO_NATIVE_DEVICE_INIT;
    EXPECT_EQ(seiche_level_zero_device(&native, &device), SEICHE_INVALID_PROBLEM);
    int word = 0, list = 0;
    native.driver = reinterpret_cast<void*>(0x1000);
    native.context = &word;
    native.device = reinterpret_cast<void*>(0x2000);
    ASSERT_EQ(seiche_level_zero_device(&native, &device), SEICHE_OK) << said();
    ASSERT_EQ(seiche_level_zero_queue(device, &list, &queue), SEICHE_OK) << said();
    ASSERT_EQ(seiche_buffer_create(device, 1 << 14, &buffer), SEICHE_OK) << said();
    void *context = nullptr, *handle = nullptr, *commands = nullptr, *address = nullptr;
    EXPECT_EQ(seiche_level_zero_context_handle(device, &context), SEICHE_OK);
    EXPECT_EQ(seiche_level_zero_device_handle(device, &handle), SEICHE_OK);
    EXPECT_EQ(seiche_level_zero_command_list_handle(queue, &commands), SEICHE_OK);
    EXPECT_EQ(seiche_level_zero_address(buffer, &address), SEICHE_OK);
    EXPECT_EQ(context, native.context);
    EXPECT_EQ(handle, native.device);
    EXPECT_EQ(commands, &list);
    seiche_buffer* wrapped = nullptr;
    ASSERT_EQ(seiche_level_zero_buffer(device, address, 1 << 13, &wrapped), SEICHE_OK) << said();
    seiche_plan* plan = nullptr;
    ASSERT_EQ(seiche_plan_create_from_text(device, "256 in-place", SEICHE_ONLY_INVERSE, &plan), SEICHE_OK) << said();
    auto* record = record_of<FakeLevelZeroRecord>(std::getenv("SEICHE_LEVEL_ZERO_LIBRARY"), "fake_level_zero_record");
    ASSERT_NE(record, nullptr);
    record->calls.clear();
    seiche_execution execution = SEICHE_EXECUTION_INIT;  // inverse, the plan's one direction
    execution.input = wrapped;
    ASSERT_EQ(seiche_level_zero_record(plan, &execution, &list), SEICHE_OK) << said();
    EXPECT_EQ(record->list, &list);
    EXPECT_NE(record->calls, "");
    EXPECT_EQ(seiche_level_zero_record(plan, &execution, nullptr), SEICHE_INVALID_PROBLEM);
    EXPECT_EQ(seiche_level_zero_record(plan, nullptr, &list), SEICHE_INVALID_PROBLEM);
    record->busy = false;
    seiche_plan_release(plan);
    seiche_buffer_release(wrapped);
}

TEST_F(Interop, SyclOnLevelZero) {
    int word = 0, list = 0;
    const Buffer memory = Device::open("level_zero:0").allocate(4096);
    ::sycl::Native native;
    native.kind = ::sycl::backend::ext_oneapi_level_zero;
    native.driver = reinterpret_cast<void*>(0x1000);
    native.context = &word;
    native.device = reinterpret_cast<void*>(0x2000);
    native.queue = &list;
    native.usm = level_zero::address(memory);
    const ::sycl::queue own(native);
    const Device on = sycl::device(own);
    EXPECT_EQ(level_zero::context_handle(on), &word);
    EXPECT_EQ(level_zero::device_handle(on), native.device);
    EXPECT_EQ(level_zero::command_list_handle(sycl::queue(on, own)), &list);
    const Buffer wrapped = sycl::buffer(on, own, level_zero::address(memory), 4096);
    EXPECT_EQ(level_zero::address(wrapped), level_zero::address(memory));
    EXPECT_THROW(sycl::buffer(on, own, &word, 4), InvalidProblem);
    native.has_list = false;
    EXPECT_THROW(sycl::queue(on, own), Unsupported);
    native.has_list = true;
    native.is_in_order = false;
    EXPECT_THROW(sycl::queue(on, own), InvalidProblem);
}

TEST_F(Interop, SyclOnCudaAndHip) {
    int word = 0;
    char memory[64];
    for (const auto kind : {::sycl::backend::ext_oneapi_cuda, ::sycl::backend::ext_oneapi_hip}) {
        ::sycl::Native native;
        native.kind = kind;
        native.queue = &word;
        native.usm = memory;
        const bool is_cuda = kind == ::sycl::backend::ext_oneapi_cuda;
        native.ordinal = is_cuda ? 0 : 1;
        const ::sycl::queue own(native);
        const Device on = sycl::device(own);
        EXPECT_EQ(on.info().name, is_cuda ? "cuda:0" : "hip:1");
        const Queue stream = sycl::queue(on, own);
        EXPECT_EQ(is_cuda ? cuda::untyped::stream(stream) : hip::untyped::stream(stream), &word);
        const Buffer wrapped = sycl::buffer(on, own, memory, sizeof memory);
        if (is_cuda)
            EXPECT_EQ(cuda::untyped::address(wrapped), reinterpret_cast<std::uintptr_t>(memory));
        else
            EXPECT_EQ(hip::untyped::address(wrapped), memory);
        EXPECT_THROW(sycl::queue(Device::open("reference"), own), InvalidProblem);
        EXPECT_THROW(sycl::buffer(on, own, &word, 4), InvalidProblem);
    }
    const ::sycl::Native other;
    EXPECT_THROW(sycl::device(::sycl::queue(other)), Unsupported);
}

}  // namespace
}  // namespace seiche::test
