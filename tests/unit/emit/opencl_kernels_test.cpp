// Kernels with control flow, shared memory, predicates and half storage give on OpenCL, Vulkan and OpenGL what the
// interpreter gives.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

#include "ir/verify.hpp"
#include "run_kernel.hpp"
#include "sample_kernels.hpp"
#include "seiche/error.hpp"
#include "spirv_device.hpp"

namespace seiche::test {
namespace {

Bytes floats(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> real(-1.0f, 1.0f);
    Bytes bytes(count * sizeof(float));
    for (std::size_t i = 0; i < count; ++i) {
        const float value = real(random);
        std::memcpy(&bytes[i * sizeof value], &value, sizeof value);
    }
    return bytes;
}

/// By way of OpenCL C, of SPIR-V translated for OpenCL, of SPIR-V for Vulkan, or of GLSL.
class DeviceKernels : public testing::TestWithParam<const char*> {};

// Of floats of the size of 1.
void expect_near(const Bytes& want, const Bytes& got) {
    ASSERT_EQ(want.size(), got.size());
    for (std::size_t at = 0; at < want.size(); at += sizeof(float)) {
        float expected = 0, is = 0;
        std::memcpy(&expected, &want[at], sizeof expected);
        std::memcpy(&is, &got[at], sizeof is);
        EXPECT_NEAR(expected, is, 4.0f / (1 << 24)) << "byte " << at;
    }
}

/// `fused`: the kernel has an fma, which Vulkan and OpenGL may round twice.
void expect_same(const ir::Kernel& kernel, const KernelRun& start, bool fused = false) {
    std::string reason;
    const std::string name = DeviceKernels::GetParam();
    const auto device = name == "spirv" ? open_spirv_device(PlannedFor::cpu, reason) : try_open(name, reason);
    if (!device) GTEST_SKIP() << reason;
    if (fused && device->target().dialect == emit::Dialect::glsl_es) GTEST_SKIP() << "OpenGL ES has no fma";
    if (ir::shared_bytes(kernel) > device->info().limits.shared_bytes) GTEST_SKIP() << "too little shared memory";
    ir::verify(kernel);
    KernelRun want = start, got = start;
    run_kernel(runtime::open_device("reference"), kernel, want);
    run_kernel(device, kernel, got);
    for (std::size_t b = 0; b < start.buffers.size(); ++b) {
        if (fused && (name == "vulkan" || name == "opengl"))
            expect_near(want.buffers[b], got.buffers[b]);
        else
            EXPECT_EQ(want.buffers[b], got.buffers[b]) << "buffer " << b;
    }
    EXPECT_NE(want.buffers, start.buffers) << "the kernel did nothing";
    if (device->info().limits.max_addressed_bytes == 0) return;
    ir::Kernel by_address = kernel;
    for (ir::BufferParameter& buffer : by_address.buffers) buffer.by_address = true;
    KernelRun again = start;
    run_kernel(device, by_address, again);
    EXPECT_EQ(again.buffers, got.buffers) << "by address";
}

TEST_P(DeviceKernels, exchange_through_shared_memory_under_a_predicate) {
    expect_same(exchange_kernel(), {{floats(2 * 64 * 3, 1), Bytes(8 * 64 * 3)}, {150}, {3, 1, 1}});
}

TEST_P(DeviceKernels, accesses_under_predicates_whatever_their_order) {
    Bytes where(4 * 96);
    for (std::uint32_t i = 0; i < 96; ++i) {
        const std::uint32_t place = (i * 37 + 11) % 160;
        std::memcpy(&where[4 * i], &place, sizeof place);
    }
    expect_same(guarded_kernel(), {{floats(160, 7), where, Bytes(4 * 96 * 4)}, {70}, {3, 1, 1}});
}

TEST_P(DeviceKernels, bundle_with_loop_and_private_array) {
    expect_same(simd_kernel(), {{floats(2 * 32 * 5, 2), Bytes(8 * 32 * 5), floats(8, 3)}, {}, {5, 1, 1}}, true);
}

TEST_P(DeviceKernels, wide_shared_accesses) {
    expect_same(dynamic_shared_kernel(), {{floats(4 * 256 * 2, 4)}, {}, {2, 1, 1}});
}

TEST_P(DeviceKernels, half_storage) {
    Bytes halves(4 * 64);
    std::mt19937 random(5);
    for (std::size_t i = 0; i < halves.size(); i += 2) {
        const auto bits = static_cast<std::uint16_t>(random() & 0xbbffu);  // finite: not all exponent bits set
        std::memcpy(&halves[i], &bits, sizeof bits);
    }
    expect_same(half_storage_kernel(), {{halves, Bytes(4 * 64)}, {}, {2, 1, 1}});
}

TEST_P(DeviceKernels, narrow_integers) {
    std::mt19937 random(8);
    KernelRun start{
        {Bytes(64), Bytes(64), Bytes(128), Bytes(128), Bytes(64), Bytes(64), Bytes(128), Bytes(128)}, {}, {2, 1, 1}};
    for (std::size_t b = 0; b < 4; ++b)
        for (std::byte& byte : start.buffers[b]) byte = static_cast<std::byte>(random() & 0xffu);
    expect_same(narrow_storage_kernel(), start);
}

TEST_P(DeviceKernels, asynchronous_copies_are_done_at_once) {
    expect_same(async_kernel(), {{floats(2 * 128 * 3, 6), Bytes(8 * 64 * 3)}, {}, {3, 1, 1}});
}

// PoCL's library of bitcode has no mem_fence for SPIR-V to call.
TEST_P(DeviceKernels, atomics) {
    if (std::string(GetParam()) == "spirv")
        GTEST_SKIP() << "the translated module calls what this device does not offer";
    expect_same(atomic_kernel(), {{Bytes(8)}, {}, {7, 1, 1}});
}

// Of 9 levels: more groups than any of these devices has under way at once.
TEST_P(DeviceKernels, groups_wait_for_those_of_lower_tickets) {
    if (std::string(GetParam()) == "spirv")
        GTEST_SKIP() << "the translated module calls what this device does not offer";
    std::string reason;
    const auto device = try_open(GetParam(), reason);
    if (!device) GTEST_SKIP() << reason;
    if (!device->info().limits.waits_for_groups) GTEST_SKIP() << "its driver ends a loop that takes long";
    Bytes data(4 * 8 * 8);
    for (std::uint32_t i = 0; i < 64; ++i) {
        const std::uint32_t number = i * 2654435761u;
        std::memcpy(&data[4 * i], &number, sizeof number);
    }
    for (int again = 0; again < 5; ++again) expect_same(ticket_kernel(), {{Bytes(4 * 9), data}, {}, {4 * 9, 1, 1}});
}

TEST(OpenclKernels, what_other_groups_see_takes_a_language_with_scopes) {
    emit::Target target;
    target.dialect = emit::Dialect::opencl;
    target.architecture = "sm_61";  // whose machine has none either
    try {
        emit::emit(std::make_shared<ir::Kernel>(ticket_kernel()), target);
        FAIL() << "OpenCL C 1.2 was taken for enough";
    } catch (const Unsupported& error) {
        EXPECT_NE(std::string(error.what()).find("need OpenCL C 2.0"), std::string::npos) << error.what();
    }
}

// NVIDIA's compiler is not here; clang makes PTX of OpenCL C too, where the keyword is spelled otherwise.
TEST(OpenclKernels, inline_fences_compile_for_the_machine_that_has_them) {
    const std::string clang = SEICHE_CLANG;
    if (clang.empty()) GTEST_SKIP() << "no clang on this machine";
    emit::Target target;
    target.dialect = emit::Dialect::opencl;
    target.architecture = "sm_70";
    const std::string folder = testing::TempDir(), source = folder + "inline_fences.cl",
                      machine = folder + "inline_fences.ptx";
    std::ofstream(source) << emit::emit(std::make_shared<ir::Kernel>(ticket_kernel()), target).text;
    const std::string command = clang +
                                " -x cl -cl-std=CL1.2 -Dasm=__asm__ -target nvptx64 -march=sm_70 -O2 -S "
                                "-Xclang -finclude-default-header -o " +
                                machine + " " + source;
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
    std::ifstream stream(machine);
    const std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
    for (const std::string& file : {source, machine}) std::remove(file.c_str());
    const std::size_t asks = text.find("ld.volatile.global.u32"), fence = text.find("fence.acq_rel.gpu;", asks);
    ASSERT_NE(asks, std::string::npos) << text;
    ASSERT_NE(fence, std::string::npos) << text;
    EXPECT_NE(text.find("bar", fence), std::string::npos) << "the others wait until the fence was passed";
    EXPECT_NE(text.find("fence.acq_rel.gpu;", text.rfind("ld.global")), std::string::npos) << "none before the signal";
}

INSTANTIATE_TEST_SUITE_P(devices, DeviceKernels,
                         testing::Values("opencl", "spirv", "vulkan", "opengl", "opengl:OpenGL ES"));

}  // namespace
}  // namespace seiche::test
