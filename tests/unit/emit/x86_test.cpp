// Machine code gives what the interpreter gives, for every op and for whole kernels, on each instruction set that this
// processor has.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cmath>
#include <cstring>

#include "emit/machine/entry.hpp"
#include "emit/x86/x86.hpp"
#include "ir/print.hpp"
#include "ir/verify.hpp"
#include "machine_cases.hpp"
#include "sample_kernels.hpp"
#include "seiche/error.hpp"

namespace seiche::test {
namespace {

using emit::x86::InstructionSet;
using ir::Scalar;
using ir::Type;

bool has(InstructionSet set) {
    switch (set) {
        case InstructionSet::sse42: return __builtin_cpu_supports("sse4.2") != 0;
        case InstructionSet::avx2: return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
        case InstructionSet::avx512: break;
    }
    return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
           __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512vl") != 0;
}

std::string name_of(InstructionSet set) {
    return set == InstructionSet::sse42 ? "sse42" : set == InstructionSet::avx2 ? "avx2" : "avx512";
}

/// Code that can be run: written first, then made executable.
class Executable {
public:
    explicit Executable(const emit::machine::Code& code) : bytes_(code.bytes.size()) {
        memory_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        std::memcpy(memory_, code.bytes.data(), bytes_);
        mprotect(memory_, bytes_, PROT_READ | PROT_EXEC);
    }
    ~Executable() { munmap(memory_, bytes_); }
    Executable(const Executable&) = delete;
    Executable& operator=(const Executable&) = delete;
    void run(const emit::machine::Call& call) const { reinterpret_cast<emit::machine::Entry>(memory_)(&call); }

private:
    void* memory_;
    std::size_t bytes_;
};

/// Buffers begin `shift` bytes behind a cache line.
void run_code(const emit::machine::Code& code, const ir::Kernel& kernel, KernelRun& run, bool streams = false,
              std::size_t shift = 0) {
    const Executable executable(code);
    std::vector<std::uint64_t> arguments;
    std::vector<Bytes> moved;
    const auto at_line = [shift](Bytes& bytes) {
        return (reinterpret_cast<std::uintptr_t>(bytes.data()) + 63) / 64 * 64 + shift;
    };
    for (const Bytes& buffer : run.buffers) {
        moved.emplace_back(buffer.size() + 128);
        arguments.push_back(at_line(moved.back()));
        std::memcpy(reinterpret_cast<void*>(arguments.back()), buffer.data(), buffer.size());
    }
    arguments.insert(arguments.end(), run.scalars.begin(), run.scalars.end());
    std::vector<std::byte> shared(ir::shared_bytes(kernel) + 64);
    emit::machine::Call call;
    call.arguments = arguments.data();
    for (unsigned d = 0; d < 3; ++d) call.groups[d] = run.groups[d];
    call.last = std::uint64_t{run.groups[0]} * run.groups[1] * run.groups[2];
    call.shared = reinterpret_cast<std::byte*>((reinterpret_cast<std::uintptr_t>(shared.data()) + 63) / 64 * 64);
    call.functions = emit::machine::host_functions();
    call.streams = streams ? 1 : 0;
    executable.run(call);
    for (std::size_t b = 0; b < moved.size(); ++b)
        std::memcpy(run.buffers[b].data(), reinterpret_cast<const void*>(at_line(moved[b])), run.buffers[b].size());
}

void run_code(const ir::Kernel& kernel, InstructionSet set, KernelRun& run) {
    run_code(emit::x86::compile(kernel, set), kernel, run);
}

// ---- Every op

using Case = std::tuple<Scalar, unsigned, InstructionSet>;
class X86Ops : public testing::TestWithParam<Case> {};

TEST_P(X86Ops, agree_with_the_interpreter) {
    const auto [scalar, lanes, set] = GetParam();
    if (!has(set)) GTEST_SKIP() << "this processor has no " << name_of(set);
    const EveryOp ops = every_op(Type(scalar, lanes));
    ir::verify(ops.kernel);
    KernelRun want = start_of_ops(ops, Type(scalar, lanes));
    KernelRun got = want;
    run_kernel(runtime::open_device("reference"), ops.kernel, want);
    run_code(ops.kernel, set, got);
    expect_same_ops(ops, want, got);
}

std::string name_of_case(const Case& which) {
    const auto [scalar, lanes, set] = which;
    return ir::to_string(Type(scalar)) + "x" + std::to_string(lanes) + "_" + name_of(set);
}

INSTANTIATE_TEST_SUITE_P(
    All, X86Ops,
    testing::Combine(testing::Values(Scalar::f32, Scalar::f64, Scalar::i32, Scalar::u32, Scalar::u64),
                     testing::Values(1u, 2u, 4u, 8u, 16u),
                     testing::Values(InstructionSet::sse42, InstructionSet::avx2, InstructionSet::avx512)),
    [](const auto& test) { return name_of_case(test.param); });

// ---- Whole kernels

class X86Kernels : public testing::TestWithParam<InstructionSet> {
protected:
    static unsigned widest() { return emit::x86::widest_register(GetParam()); }
};

// Of sums of up to 64 numbers of the size of 1.
void expect_near(const Bytes& want, const Bytes& got) {
    ASSERT_EQ(want.size(), got.size());
    for (std::size_t at = 0; at < want.size(); at += sizeof(float)) {
        float expected = 0, is = 0;
        std::memcpy(&expected, &want[at], sizeof expected);
        std::memcpy(&is, &got[at], sizeof is);
        EXPECT_NEAR(expected, is, 0x1p-18f) << "byte " << at;
    }
}

void expect_same(const ir::Kernel& kernel, const KernelRun& start, bool has_floats = true) {
    const InstructionSet set = X86Kernels::GetParam();
    if (!has(set)) GTEST_SKIP() << "this processor has no " << name_of(set);
    ir::verify(kernel);
    KernelRun want = start, got = start;
    run_kernel(runtime::open_device("reference"), kernel, want);
    run_code(kernel, set, got);
    for (std::size_t b = 0; b < start.buffers.size(); ++b) {
        if (set == InstructionSet::sse42 && has_floats)  // which rounds a product and a sum twice
            expect_near(want.buffers[b], got.buffers[b]);
        else
            EXPECT_EQ(want.buffers[b], got.buffers[b]) << "buffer " << b;
    }
    EXPECT_NE(want.buffers, start.buffers) << "the kernel did nothing";
}

TEST_P(X86Kernels, bundle_with_loop_and_private_array) {
    const KernelCase test = bundle_with_loop();
    expect_same(test.kernel, test.start);
}

TEST_P(X86Kernels, groups_of_several_threads_are_refused) {
    EXPECT_THROW(emit::x86::compile(exchange_kernel(), GetParam()), Unsupported);
}

// Transforms of 16 sequences across the lanes, in both ways through memory. With eight lanes and sixteen registers a
// place in the frame, read by its last user, was once written by another value first.
TEST_P(X86Kernels, transforms_of_plans) {
    for (const char* text : {"8 batch=16 istrides=1024", "16 batch=16", "64 batch=16 ostrides=1024", "45 batch=16"}) {
        SCOPED_TRACE(text);
        const ir::Kernel kernel = first_kernel(text, widest());
        expect_same(kernel, start_of(kernel));
    }
}

// Around the caches or through them, the results have the same bits; buffers that begin inside a cache line go through.
TEST_P(X86Kernels, results_stream) {
    if (!has(GetParam())) GTEST_SKIP() << "this processor has no " << name_of(GetParam());
    for (const char* text : {"256 batch=16", "16 batch=16", "64 f64 batch=16"}) {
        SCOPED_TRACE(text);
        const ir::Kernel kernel = first_kernel(text, widest());
        const emit::machine::Code code = emit::x86::compile(kernel, GetParam());
        // With registers of 16 bytes no two stores fill a line.
        EXPECT_EQ(code.streaming_stores != 0, GetParam() != InstructionSet::sse42);
        constexpr std::size_t enough = std::size_t{1} << 14;
        KernelRun want = start_of(kernel, enough);
        run_code(code, kernel, want);
        for (const std::size_t shift : {0u, 16u}) {
            KernelRun got = start_of(kernel, enough);
            run_code(code, kernel, got, true, shift);
            EXPECT_EQ(want.buffers, got.buffers) << "behind a line by " << shift;
        }
    }
}

// A radix of 16 has 32 values alive: with 32 registers few of them leave, with 16 of 32 bytes a quarter of the code
// moves them. By the farthest next use it was 7 % and 25 %.
TEST_P(X86Kernels, few_values_leave_their_registers) {
    const emit::machine::Code code = emit::x86::compile(first_kernel("1024", widest()), GetParam());
    const double share = static_cast<double>(code.spills + code.reloads) / static_cast<double>(code.instructions);
    EXPECT_LT(share, GetParam() == InstructionSet::avx512 ? 0.06 : 0.24);
}

// What is stored to a buffer that is read too, at odd places or by halves of a line alone stays in the caches.
TEST_P(X86Kernels, what_is_no_whole_line_does_not_stream) {
    const auto stores = [](ir::Access access, std::uint64_t scale, std::uint64_t start, unsigned lanes) {
        ir::Builder b("lines");
        const std::uint32_t out = b.buffer({"out", Type(Scalar::f32), access});
        const ir::Value at = b.convert(b.group_id(), Scalar::u64) * scale + start;
        b.global_store(out, at, b.splat(b.constant(Type(Scalar::f32), 1), lanes));
        return b.finish();
    };
    const auto count = [&](const ir::Kernel& kernel) {
        return emit::x86::compile(kernel, GetParam()).streaming_stores;
    };
    const std::size_t whole = GetParam() == InstructionSet::sse42 ? 0 : GetParam() == InstructionSet::avx2 ? 2 : 1;
    EXPECT_EQ(count(stores(ir::Access::write, 16, 32, 16)), whole);
    EXPECT_EQ(count(stores(ir::Access::read_write, 16, 32, 16)), 0u);
    EXPECT_EQ(count(stores(ir::Access::write, 8, 32, 16)), 0u);
    EXPECT_EQ(count(stores(ir::Access::write, 16, 8, 16)), 0u);
    EXPECT_EQ(count(stores(ir::Access::write, 16, 0, 8)), 0u);
}

// Of an access and of a choice: one comparison, two, more, of either sign, and booleans that are no comparison.
TEST_P(X86Kernels, predicates_of_every_kind) {
    const KernelCase test = predicates_of_every_kind();
    expect_same(test.kernel, test.start);
}

// Constants are immediates where an instruction takes them.
TEST_P(X86Kernels, integers_meet_constants) {
    const KernelCase test = integers_and_constants();
    expect_same(test.kernel, test.start, false);
}

// The part of an array that an access names, where its predicate does not hold, is any number.
TEST_P(X86Kernels, no_part_is_looked_up_that_is_not_there) {
    const KernelCase test = parts_that_are_not_there();
    expect_same(test.kernel, test.start);
}

TEST_P(X86Kernels, special_numbers_are_as_in_the_interpreter) {
    std::vector<KernelCase> cases = halves();
    for (const Scalar scalar : {Scalar::f32, Scalar::f64})
        for (const unsigned lanes : {1u, 2u, 4u, 16u}) cases.push_back(special_numbers(Type(scalar, lanes)));
    for (const KernelCase& test : cases) expect_same(test.kernel, test.start, false);
}

TEST_P(X86Kernels, addresses_reach_far) {
    const KernelCase test = far_addresses();
    expect_same(test.kernel, test.start);
}

INSTANTIATE_TEST_SUITE_P(All, X86Kernels,
                         testing::Values(InstructionSet::sse42, InstructionSet::avx2, InstructionSet::avx512),
                         [](const auto& test) { return name_of(test.param); });

}  // namespace
}  // namespace seiche::test
