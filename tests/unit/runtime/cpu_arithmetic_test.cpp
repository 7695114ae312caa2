// What the calling thread has set for its arithmetic, when it plans and when it executes, changes no bit of a result.
#include <gtest/gtest.h>
#include <xmmintrin.h>

#include <cfenv>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "emit/machine/entry.hpp"
#include "runtime/cpu/device.hpp"
#include "seiche/convolution.hpp"
#include "seiche/interop/cpu.hpp"
#include "seiche/plan.hpp"

namespace seiche::test {
namespace {

using runtime::cpu::InstructionSet;
using Bytes = std::vector<std::byte>;

/// As MXCSR has them. The last lets every inexact result end the program.
constexpr unsigned plain = 0x1f80, flushing = 0x9fc0, upwards = 0x5f80, trapping = 0;

/// A thread's numbers while it lives; at its end they must be there still.
class WithArithmetic {
public:
    explicit WithArithmetic(unsigned wanted) : wanted_(wanted) {
        std::fegetenv(&former_);
        if (wanted == upwards) std::fesetround(FE_UPWARD);  // of long doubles too
        _mm_setcsr(wanted);
    }
    ~WithArithmetic() {
        const unsigned now = _mm_getcsr();
        const int rounding = std::fegetround();
        std::fesetenv(&former_);
        EXPECT_EQ(now & ~0x3fu, wanted_);
        EXPECT_EQ(rounding == FE_UPWARD, wanted_ == upwards);
    }
    WithArithmetic(const WithArithmetic&) = delete;
    WithArithmetic& operator=(const WithArithmetic&) = delete;

private:
    std::fenv_t former_{};
    unsigned wanted_;
};

/// Denormals of f32 and of f64 among ordinary numbers: sums of some are denormals, products of others.
Bytes numbers(std::uint64_t bytes, Precision precision) {
    std::mt19937_64 random(3);
    Bytes result(bytes);
    const bool is_single = precision == Precision::f32;
    for (std::uint64_t at = 0; at < bytes; at += is_single ? 4 : 8) {
        const std::uint64_t bits = random(), size = bits >> 60;
        if (is_single) {
            const float x = std::ldexp(static_cast<float>(bits & 0xffffff) - 0x800000, size < 8 ? -149 : -128);
            std::memcpy(&result[at], &x, sizeof x);
        } else {
            const double x = std::ldexp(static_cast<double>(bits & 0xffffff) - 0x800000, size < 8 ? -1074 : -1030);
            std::memcpy(&result[at], &x, sizeof x);
        }
    }
    return result;
}

Bytes result_with(unsigned planning, unsigned executing, InstructionSet set, const std::string& text) {
    const Device device(std::make_shared<runtime::cpu::CpuDevice>(runtime::cpu::describe({set, "any"}, 2),
                                                                  emit::machine::host_functions()));
    Plan plan;
    {
        const WithArithmetic with(planning);
        Problem problem = parse_problem(text);
        if (text == "100 f64 batch=200")  // elementary functions are the host's
            problem.forward_load = "return value * complex(cospi(i0 / 7), sinpi(i0 / 9)) * exp(-0.01 * i0);";
        plan = Plan(device, problem);
    }
    Bytes in = numbers(plan.input_bytes(), plan.problem().precision), out(plan.output_bytes());
    Bytes workspace(plan.workspace_bytes() + 64);
    Execution execution;
    execution.input = cpu::buffer(device, in.data(), in.size());
    execution.output = cpu::buffer(device, out.data(), out.size());
    execution.workspace = cpu::buffer(device, workspace.data(), workspace.size());
    Queue queue = device.create_queue();
    {
        const WithArithmetic with(executing);
        plan.execute(queue, execution);
    }
    return out;
}

TEST(CpuArithmetic, results_do_not_depend_on_the_callers) {
    cpu::set_threads(2);
    for (const InstructionSet set : {InstructionSet::sse4_2, InstructionSet::avx2, InstructionSet::avx512}) {
        if (runtime::cpu::features_here().instructions < set) continue;
        for (const char* text : {"64 batch=300", "1009 batch=40", "100 f64 batch=200", "37 f64x2 batch=100",
                                 "60x48 r2c batch=4", "16 dct2 batch=900", "65536", "48 f16 batch=300"}) {
            SCOPED_TRACE(std::string(text) + " on " + to_string(set));
            const Bytes want = result_with(plain, plain, set, text);
            for (const unsigned other : {flushing, upwards, trapping}) {
                EXPECT_EQ(result_with(plain, other, set, text), want) << std::hex << other;
                EXPECT_EQ(result_with(other, plain, set, text), want) << std::hex << other << " when it was planned";
            }
        }
    }
    cpu::set_threads(0);
}

}  // namespace
}  // namespace seiche::test
