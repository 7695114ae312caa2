// The caller's memory and threads on the processor, in C++ and in C, and plans for it without a device.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "api/c_handles.hpp"
#include "cpu_kernels.hpp"
#include "runtime/cpu/device.hpp"
#include "seiche/error.hpp"
#include "seiche/inspect.hpp"
#include "seiche/interop/cpu.h"
#include "seiche/interop/cpu.hpp"

namespace seiche::test {
namespace {

using runtime::cpu::InstructionSet;

/// Whether or not this build has an emitter.
Device processor() {
    return Device(std::make_shared<runtime::cpu::CpuDevice>(runtime::cpu::describe(runtime::cpu::features_here(), 2)));
}

void add_numbers_to(const Device& device, const Buffer& buffer, std::uint32_t groups) {
    const auto module = device.impl()->load(source_of(add_numbers), {});
    const runtime::BufferArgument argument{buffer.impl().get(), 0};
    runtime::Launch launch;
    launch.module = module.get();
    launch.groups = {groups, 1, 1};
    launch.buffers = &argument;
    launch.buffer_count = 1;
    device.create_queue().impl()->launch(launch);
}

bool are_counted(const std::vector<std::uint64_t>& numbers) {
    for (std::size_t i = 0; i < numbers.size(); ++i)
        if (numbers[i] != i + 1) return false;
    return true;
}

TEST(CpuInterop, takes_the_callers_memory_without_a_copy) {
    const Device device = processor();
    std::vector<std::uint64_t> numbers(100000);
    const Buffer buffer = cpu::buffer(device, numbers.data(), 8 * numbers.size());
    EXPECT_EQ(cpu::data(buffer), numbers.data());
    EXPECT_EQ(buffer.bytes(), 8 * numbers.size());
    add_numbers_to(device, buffer, 100000);
    EXPECT_TRUE(are_counted(numbers));
}

TEST(CpuInterop, shows_where_the_bytes_of_its_own_buffers_are) {
    const Device device = processor();
    const Buffer from = device.allocate(64), to = device.allocate(64);
    std::memcpy(cpu::data(from), "sixteen letters.", 16);
    Queue queue = device.create_queue();
    queue.copy({to, 8}, from, 16);
    EXPECT_EQ(std::memcmp(static_cast<const char*>(cpu::data(to)) + 8, "sixteen letters.", 16), 0);
}

TEST(CpuInterop, refuses_what_is_not_the_processors) {
    const Device device = processor(), other = Device::open("reference");
    std::uint64_t number = 0;
    EXPECT_THROW(cpu::buffer(other, &number, 8), InvalidProblem);
    EXPECT_THROW(cpu::buffer(Device(), &number, 8), InvalidProblem);
    EXPECT_THROW(cpu::buffer(device, nullptr, 8), InvalidProblem);
    EXPECT_THROW(cpu::buffer(device, &number, ~std::uint64_t{0}), InvalidProblem);
    EXPECT_THROW(cpu::data(other.allocate(8)), InvalidProblem);
    EXPECT_THROW(cpu::data(Buffer()), InvalidProblem);
    EXPECT_THROW(cpu::set_threads(1025), InvalidProblem);
    EXPECT_THROW(device.allocate_image(ImageFormat::rg32f, 4, 4), Unsupported);
    EXPECT_EQ(cpu::buffer(device, nullptr, 0).bytes(), 0u);
}

TEST(CpuInterop, divides_work_by_the_callers_threads) {
    const Device device = processor();
    std::vector<std::uint64_t> numbers(100000);
    std::size_t pieces = 0;
    cpu::set_threads(3);
    cpu::set_parallel_for([&](std::size_t count, const std::function<void(std::size_t)>& piece) {
        pieces = count;
        std::thread helper([&] {
            for (std::size_t i = 1; i < count; i += 2) piece(i);
        });
        for (std::size_t i = 0; i < count; i += 2) piece(i);
        helper.join();
    });
    add_numbers_to(device, cpu::buffer(device, numbers.data(), 8 * numbers.size()), 100000);
    cpu::set_parallel_for({});
    cpu::set_threads(0);
    EXPECT_TRUE(are_counted(numbers));
    EXPECT_GE(pieces, 12u);
}

/// One piece after the other, and counts the calls in what `user` points to.
void one_by_one(void* user, size_t count, void (*piece)(void* context, size_t index), void* context) {
    ++*static_cast<int*>(user);
    for (size_t i = 0; i < count; ++i) piece(context, i);
}

TEST(CpuInterop, does_the_same_in_c) {
    seiche_device device{processor()};
    std::vector<std::uint64_t> numbers(100000);
    seiche_buffer* buffer = nullptr;
    ASSERT_EQ(seiche_cpu_buffer(&device, numbers.data(), 8 * numbers.size(), &buffer), SEICHE_OK)
        << seiche_last_error();
    void* pointer = nullptr;
    ASSERT_EQ(seiche_cpu_data(buffer, &pointer), SEICHE_OK);
    EXPECT_EQ(pointer, numbers.data());
    int calls = 0;
    ASSERT_EQ(seiche_cpu_set_threads(2), SEICHE_OK);
    ASSERT_EQ(seiche_cpu_set_parallel_for(one_by_one, &calls), SEICHE_OK);
    add_numbers_to(device.value, buffer->value, 100000);
    ASSERT_EQ(seiche_cpu_set_parallel_for(nullptr, nullptr), SEICHE_OK);
    ASSERT_EQ(seiche_cpu_set_threads(0), SEICHE_OK);
    EXPECT_EQ(calls, 1);
    EXPECT_TRUE(are_counted(numbers));
    seiche_buffer_release(buffer);
    EXPECT_EQ(seiche_cpu_buffer(nullptr, numbers.data(), 8, &buffer), SEICHE_INVALID_PROBLEM);
    EXPECT_EQ(seiche_cpu_buffer(&device, nullptr, 8, &buffer), SEICHE_INVALID_PROBLEM);
    EXPECT_EQ(seiche_cpu_data(nullptr, &pointer), SEICHE_INVALID_PROBLEM);
    EXPECT_EQ(seiche_cpu_set_threads(1025), SEICHE_INVALID_PROBLEM);
    EXPECT_STREQ(seiche_backend_name(SEICHE_BACKEND_CPU), "cpu");
}

TEST(CpuInterop, plans_are_made_for_its_limits) {
    for (const InstructionSet set : {InstructionSet::sse4_2, InstructionSet::avx2, InstructionSet::avx512}) {
        const DeviceLimits limits = runtime::cpu::describe({set, "a processor"}, 4).limits;
        for (const char* text : {"4096 batch=8", "1009", "1000000", "48x60 r2c", "64x64 f64", "60 dct2", "60 f16",
                                 "96 f64x2", "262144 c2r", "64 planar f16"}) {
            const PlanReport report = inspect(parse_problem(text), limits);
            EXPECT_FALSE(report.kernels.empty()) << text;
            EXPECT_TRUE(std::all_of(report.kernels.begin(), report.kernels.end(), [&](const KernelReport& kernel) {
                return kernel.group_size == 1 && kernel.shared_bytes <= limits.shared_bytes;
            })) << text;
        }
    }
}

}  // namespace
}  // namespace seiche::test
