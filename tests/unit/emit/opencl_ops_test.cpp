// Every op of every type and lane count gives on OpenCL what the interpreter gives.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "every_op.hpp"
#include "ir/verify.hpp"
#include "run_kernel.hpp"
#include "spirv_device.hpp"

namespace seiche::test {
namespace {

using ir::Scalar;
using ir::Type;

constexpr std::uint32_t groups = 37;

template <class T, class Make>
Bytes fill(std::size_t count, Make&& make) {
    Bytes bytes(count * sizeof(T));
    for (std::size_t i = 0; i < count; ++i) {
        const T value = static_cast<T>(make());
        std::memcpy(bytes.data() + i * sizeof(T), &value, sizeof(T));
    }
    return bytes;
}

// Operand 0 has both signs, the others are positive (for log, pow and divisors); some are equal, for the comparisons.
Bytes operand(Type type, unsigned which, std::mt19937_64& random) {
    const std::size_t count = std::size_t{groups} * type.lanes;
    std::uniform_real_distribution<double> real(which == 0 ? -4.0 : 0.1, 4.0);
    const auto quarter = [&] {
        return random() % 4 == 0 ? std::round(real(random)) + (which == 0 ? 0.0 : 1.0) : real(random);
    };
    switch (type.scalar) {
        case Scalar::f32: return fill<float>(count, quarter);
        case Scalar::f64: return fill<double>(count, quarter);
        case Scalar::u64: return fill<std::uint64_t>(count, [&] { return random() >> (random() % 60) | 1u; });
        case Scalar::i32: return fill<std::int32_t>(count, [&] { return random() >> (random() % 60); });
        default: return fill<std::uint32_t>(count, [&] { return random() >> (random() % 60) | 1u; });
    }
}

double number(const std::uint32_t* slot, Scalar scalar, unsigned lane) {
    if (scalar == Scalar::f32) {
        float value = 0;
        std::memcpy(&value, slot + lane, sizeof value);
        return value;
    }
    const std::uint64_t bits = slot[lane] | std::uint64_t{slot[lane + slot_bytes / 8]} << 32;
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

/// By way of OpenCL C, of SPIR-V translated for OpenCL, of SPIR-V for Vulkan, or of GLSL.
using Case = std::tuple<Scalar, unsigned, const char*>;
/// What Vulkan and OpenGL do not promise to the last bit.
bool is_rounded_freely(const std::string& name) {
    return name == "div" || name == "sqrt" || name == "fma" || name == "to other float";
}

class OpenclOps : public testing::TestWithParam<Case> {};

TEST_P(OpenclOps, agree_with_the_interpreter) {
    const auto [scalar, lanes, name] = GetParam();
    const bool graphics = std::string(name) == "vulkan" || std::string(name) == "opengl";
    const Type type(scalar, lanes);
    std::string reason;
    const auto device =
        std::string(name) == "spirv" ? open_spirv_device(PlannedFor::cpu, reason) : try_open(name, reason);
    if (!device) GTEST_SKIP() << reason;
    const auto reference = runtime::open_device("reference");
    const EveryOp ops = every_op(type);
    ir::verify(ops.kernel);
    std::mt19937_64 random(7);
    KernelRun expected;
    for (unsigned k = 0; k < 3; ++k) expected.buffers.push_back(operand(type, k, random));
    expected.buffers.emplace_back(std::size_t{groups} * ops.results.size() * slot_bytes);
    expected.groups = {groups, 1, 1};
    KernelRun got = expected;
    run_kernel(reference, ops.kernel, expected);
    run_kernel(device, ops.kernel, got);

    for (std::size_t slot = 0; slot < groups * ops.results.size(); ++slot) {
        const OpResult& result = ops.results[slot % ops.results.size()];
        const auto* e = reinterpret_cast<const std::uint32_t*>(expected.buffers[3].data() + slot * slot_bytes);
        const auto* g = reinterpret_cast<const std::uint32_t*>(got.buffers[3].data() + slot * slot_bytes);
        if (result.exact && !(graphics && is_rounded_freely(result.name))) {
            ASSERT_EQ(std::memcmp(e, g, slot_bytes), 0) << result.name << " of group " << slot / ops.results.size();
            continue;
        }
        const double unit = result.type.scalar == Scalar::f32 ? std::ldexp(1.0, -24) : std::ldexp(1.0, -53);
        for (unsigned lane = 0; lane < result.type.lanes; ++lane) {
            const double want = number(e, result.type.scalar, lane), is = number(g, result.type.scalar, lane);
            // OpenCL grants pow 16 ulp, the others 4 to 6; a * b + c cancels at worst from 20.
            // Vulkan grants atan2 4096 ulp, and OpenGL says nothing.
            const double granted = graphics && result.name == "atan2" ? 8192.0 : 32.0;
            const double bound = result.fused ? 40.0 * unit : granted * unit * std::abs(want) + 4.0 * unit;
            ASSERT_LE(std::abs(want - is), bound) << result.name << " lane " << lane << ": " << want << " and " << is;
        }
    }
}

const auto by_text = testing::Values("opencl");
const auto either_way = testing::Values("opencl", "spirv");
const auto every_way = testing::Values("opencl", "spirv", "vulkan");
INSTANTIATE_TEST_SUITE_P(f32, OpenclOps,
                         testing::Combine(testing::Values(Scalar::f32), testing::Values(1u, 2u, 4u, 8u), every_way));
INSTANTIATE_TEST_SUITE_P(f64, OpenclOps,
                         testing::Combine(testing::Values(Scalar::f64), testing::Values(1u, 4u), either_way));
INSTANTIATE_TEST_SUITE_P(integers, OpenclOps,
                         testing::Combine(testing::Values(Scalar::i32, Scalar::u32, Scalar::u64),
                                          testing::Values(1u, 4u), every_way));
// Its vectors are taken apart like any other dialect's.
INSTANTIATE_TEST_SUITE_P(shaders, OpenclOps,
                         testing::Combine(testing::Values(Scalar::f32, Scalar::i32, Scalar::u32, Scalar::u64),
                                          testing::Values(1u), testing::Values("opengl")));
// 64-byte vectors: functions of PoCL's library expect them otherwise than translated bitcode hands them over.
INSTANTIATE_TEST_SUITE_P(wide_f32, OpenclOps,
                         testing::Combine(testing::Values(Scalar::f32), testing::Values(16u), by_text));
INSTANTIATE_TEST_SUITE_P(wide_f64, OpenclOps,
                         testing::Combine(testing::Values(Scalar::f64), testing::Values(8u), by_text));

}  // namespace
}  // namespace seiche::test
