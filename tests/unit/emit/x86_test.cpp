// Machine code gives what the interpreter gives, for every op and for whole kernels, on each instruction set that this
// processor has.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cmath>
#include <cstring>

#include "emit/x86/entry.hpp"
#include "emit/x86/x86.hpp"
#include "every_op.hpp"
#include "exec/draft.hpp"
#include "ir/optimise.hpp"
#include "ir/print.hpp"
#include "ir/verify.hpp"
#include "problem/problem.hpp"
#include "run_kernel.hpp"
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
    explicit Executable(const emit::x86::Code& code) : bytes_(code.bytes.size()) {
        memory_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        std::memcpy(memory_, code.bytes.data(), bytes_);
        mprotect(memory_, bytes_, PROT_READ | PROT_EXEC);
    }
    ~Executable() { munmap(memory_, bytes_); }
    Executable(const Executable&) = delete;
    Executable& operator=(const Executable&) = delete;
    void run(const emit::x86::Call& call) const { reinterpret_cast<emit::x86::Entry>(memory_)(&call); }

private:
    void* memory_;
    std::size_t bytes_;
};

/// Buffers begin `shift` bytes behind a cache line.
void run_code(const emit::x86::Code& code, const ir::Kernel& kernel, KernelRun& run, bool streams = false,
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
    emit::x86::Call call;
    call.arguments = arguments.data();
    for (unsigned d = 0; d < 3; ++d) call.groups[d] = run.groups[d];
    call.last = std::uint64_t{run.groups[0]} * run.groups[1] * run.groups[2];
    call.shared = reinterpret_cast<std::byte*>((reinterpret_cast<std::uintptr_t>(shared.data()) + 63) / 64 * 64);
    call.functions = emit::x86::host_functions();
    call.streams = streams ? 1 : 0;
    executable.run(call);
    for (std::size_t b = 0; b < moved.size(); ++b)
        std::memcpy(run.buffers[b].data(), reinterpret_cast<const void*>(at_line(moved[b])), run.buffers[b].size());
}

void run_code(const ir::Kernel& kernel, InstructionSet set, KernelRun& run) {
    run_code(emit::x86::compile(kernel, set), kernel, run);
}

// ---- Every op

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

using Case = std::tuple<Scalar, unsigned, InstructionSet>;
class X86Ops : public testing::TestWithParam<Case> {};

double number(const std::byte* slot, Scalar scalar, unsigned lane) {
    std::uint32_t low = 0, high = 0;
    std::memcpy(&low, slot + 4 * lane, sizeof low);
    std::memcpy(&high, slot + slot_bytes / 2 + 4 * lane, sizeof high);
    if (scalar == Scalar::f32) return std::bit_cast<float>(low);
    return std::bit_cast<double>(low | std::uint64_t{high} << 32);
}

TEST_P(X86Ops, agree_with_the_interpreter) {
    const auto [scalar, lanes, set] = GetParam();
    if (!has(set)) GTEST_SKIP() << "this processor has no " << name_of(set);
    const EveryOp ops = every_op(Type(scalar, lanes));
    ir::verify(ops.kernel);
    std::mt19937_64 random(7);
    KernelRun want;
    for (unsigned k = 0; k < 3; ++k) want.buffers.push_back(operand(Type(scalar, lanes), k, random));
    want.buffers.emplace_back(groups * ops.results.size() * slot_bytes);
    want.groups = {groups, 1, 1};
    KernelRun got = want;
    run_kernel(runtime::open_device("reference"), ops.kernel, want);
    run_code(ops.kernel, set, got);
    for (std::uint32_t g = 0; g < groups; ++g)
        for (std::size_t r = 0; r < ops.results.size(); ++r) {
            const OpResult& result = ops.results[r];
            const std::size_t at = (g * ops.results.size() + r) * slot_bytes;
            const std::byte *expected = want.buffers[3].data() + at, *is = got.buffers[3].data() + at;
            // A product and a sum are rounded once or twice, elementary functions of a library as it likes.
            const bool may_differ = !result.exact && result.type.is_float();
            if (!may_differ) {
                ASSERT_EQ(std::memcmp(expected, is, slot_bytes), 0) << result.name << ", group " << g;
                continue;
            }
            for (unsigned lane = 0; lane < result.type.lanes; ++lane) {
                const double x = number(expected, result.type.scalar, lane), y = number(is, result.type.scalar, lane);
                const double unit = result.type.scalar == Scalar::f32 ? 0x1p-22 : 0x1p-50;
                ASSERT_NEAR(x, y, unit * std::max(16.0, std::abs(x))) << result.name << ", group " << g;
            }
        }
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

class X86Kernels : public testing::TestWithParam<InstructionSet> {};

Bytes floats(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> real(-1.0f, 1.0f);
    return fill<float>(count, [&] { return real(random); });
}

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
    expect_same(bundle_kernel(), {{floats(2 * 32 * 5, 2), Bytes(8 * 32 * 5), floats(8, 3)}, {}, {5, 1, 1}});
}

TEST_P(X86Kernels, groups_of_several_threads_are_refused) {
    EXPECT_THROW(emit::x86::compile(exchange_kernel(), GetParam()), Unsupported);
}

ir::Kernel first_kernel(const char* text, InstructionSet set) {
    DeviceLimits limits;
    limits.vectors = Vectors::explicit_simd;
    limits.vector_bytes = emit::x86::widest_register(set);
    limits.max_group_size = limits.subgroup_size = 1;
    limits.shared_bytes = limits.shared_bytes_per_unit = 1u << 20;
    PlanOptions options;
    options.directions = Directions::forward;
    const exec::Draft draft = exec::draft(problem::normalise(parse_problem(text)), limits, options);
    return *draft.schedules.at(0).steps.at(0).kernel;
}

KernelRun start_of(const ir::Kernel& kernel, std::size_t count = std::size_t{1} << 21) {
    KernelRun start;
    for (unsigned b = 0; b < kernel.buffers.size(); ++b) start.buffers.push_back(floats(count, b));
    start.scalars.assign(kernel.scalars.size(), 16);
    return start;
}

// Transforms of 16 sequences across the lanes, in both ways through memory. With eight lanes and sixteen registers a
// place in the frame, read by its last user, was once written by another value first.
TEST_P(X86Kernels, transforms_of_plans) {
    for (const char* text : {"8 batch=16 istrides=1024", "16 batch=16", "64 batch=16 ostrides=1024", "45 batch=16"}) {
        SCOPED_TRACE(text);
        const ir::Kernel kernel = first_kernel(text, GetParam());
        expect_same(kernel, start_of(kernel));
    }
}

// Around the caches or through them, the results have the same bits; buffers that begin inside a cache line go through.
TEST_P(X86Kernels, results_stream) {
    if (!has(GetParam())) GTEST_SKIP() << "this processor has no " << name_of(GetParam());
    for (const char* text : {"256 batch=16", "16 batch=16", "64 f64 batch=16"}) {
        SCOPED_TRACE(text);
        const ir::Kernel kernel = first_kernel(text, GetParam());
        const emit::x86::Code code = emit::x86::compile(kernel, GetParam());
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
    const emit::x86::Code code = emit::x86::compile(first_kernel("1024", GetParam()), GetParam());
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
    ir::Builder b("predicates");
    const std::uint32_t in = b.buffer({"in", Type(Scalar::f32), ir::Access::read});
    const std::uint32_t out = b.buffer({"out", Type(Scalar::f32), ir::Access::write});
    const std::uint32_t chosen = b.buffer({"chosen", Type(Scalar::u32), ir::Access::write});
    const ir::Value group = b.group_id(), wide = b.convert(group, Scalar::u64);
    const auto u32 = [&](std::uint32_t c) { return b.integer(Scalar::u32, c); };
    const ir::Value number = b.global_load(in, wide, Type(Scalar::f32));
    const ir::Value below = b.less(group, u32(20)), odd = b.compare(ir::Op::equal, group % std::uint64_t{2}, u32(1));
    const ir::Value sign =
        b.compare(ir::Op::less, b.convert(group, Scalar::i32) - b.integer(Scalar::i32, 9), b.integer(Scalar::i32, 0));
    const ir::Value third = b.compare(ir::Op::not_equal, group % std::uint64_t{3}, u32(0));
    const ir::Value large = b.compare(ir::Op::less, b.constant(Type(Scalar::f32), 0), number);
    const ir::Value far =
        b.compare(ir::Op::less_equal, b.integer(Scalar::u64, 0x100000000u + 7), wide * std::uint64_t{0x10000000});
    const std::vector<ir::Value> all = {below,
                                        odd,
                                        sign,
                                        third,
                                        large,
                                        far,
                                        below & odd,
                                        third & large,
                                        large & far,
                                        sign & third & odd,
                                        below & odd & third & far,
                                        b.unary(ir::Op::bit_not, odd),
                                        b.unary(ir::Op::bit_not, odd) & below};
    for (std::size_t k = 0; k < all.size(); ++k) {
        const ir::Value at = wide * std::uint64_t{16 * all.size()} + std::uint64_t{16 * k};
        for (const unsigned lanes : {1u, 2u, 4u, 8u}) {
            const ir::Value loaded = b.global_load(in, wide + std::uint64_t{k}, Type(Scalar::f32, lanes), all[k]);
            b.global_store(out, at + std::uint64_t{lanes == 1 ? 0 : lanes}, loaded, all[(k + 1) % all.size()]);
            b.global_store(out, at + std::uint64_t{1}, b.select(all[k], number, b.constant(Type(Scalar::f32), 3)));
        }
        b.global_store(chosen, wide * std::uint64_t{all.size()} + std::uint64_t{k}, b.select(all[k], group, u32(1000)));
    }
    expect_same(b.finish(),
                {{floats(64, 1), floats(16 * 37 * all.size(), 2), Bytes(4 * 37 * all.size())}, {}, {37, 1, 1}});
}

// Constants are immediates where an instruction takes them.
TEST_P(X86Kernels, integers_meet_constants) {
    ir::Builder b("constants");
    const std::uint32_t out = b.buffer({"out", Type(Scalar::u32), ir::Access::write});
    const ir::Value group = b.group_id(), wide = b.convert(group, Scalar::u64);
    std::vector<ir::Value> results;
    for (const std::uint32_t c : {0u, 1u, 2u, 3u, 7u, 64u, 1000u, 0x7fffffffu, 0x80000000u, 0xffffffffu}) {
        const ir::Value constant = b.integer(Scalar::u32, c), n = group * std::uint64_t{0x9e3779b9u};
        for (const ir::Op op : {ir::Op::add, ir::Op::sub, ir::Op::mul, ir::Op::mul_high, ir::Op::min, ir::Op::max,
                                ir::Op::bit_and, ir::Op::bit_or, ir::Op::bit_xor}) {
            results.push_back(b.binary(op, n, constant));
            results.push_back(b.binary(op, constant, n));
        }
        for (const ir::Op op : {ir::Op::equal, ir::Op::not_equal, ir::Op::less, ir::Op::less_equal})
            results.push_back(b.select(b.compare(op, n, constant), n, constant));
        if (c == 0) continue;
        results.push_back(b.binary(ir::Op::div, n, constant));
        results.push_back(b.binary(ir::Op::mod, n, constant));
        results.push_back(b.convert(
            b.binary(ir::Op::div, wide * std::uint64_t{0x9e3779b97f4a7c15u}, b.integer(Scalar::u64, c)), Scalar::u32));
    }
    for (std::size_t r = 0; r < results.size(); ++r)
        b.global_store(out, wide * std::uint64_t{results.size()} + std::uint64_t{r}, results[r]);
    expect_same(b.finish(), {{Bytes(4 * 37 * results.size())}, {}, {37, 1, 1}}, false);
}

// The part of an array that an access names, where its predicate does not hold, is any number.
TEST_P(X86Kernels, no_part_is_looked_up_that_is_not_there) {
    ir::Builder b("parts");
    const std::uint32_t in = b.buffer({"in", Type(Scalar::f32), ir::Access::read});
    const std::uint32_t out = b.buffer({"out", Type(Scalar::f32), ir::Access::write});
    const ir::Value group = b.group_id(), wide = b.convert(group, Scalar::u64);
    const ir::Value far = wide * std::uint64_t{0x3000001};
    const ir::Value is_near = b.less(far, b.integer(Scalar::u64, 64));
    b.global_store(out, wide, b.global_load(in, far, Type(Scalar::f32), is_near));
    const ir::Kernel kernel = ir::split_buffers(b.finish(), {{in, 2, 32 * sizeof(float), 0}});
    expect_same(kernel, {{floats(32, 1), floats(32, 2), Bytes(4 * 37)}, {}, {37, 1, 1}});
}

INSTANTIATE_TEST_SUITE_P(All, X86Kernels,
                         testing::Values(InstructionSet::sse42, InstructionSet::avx2, InstructionSet::avx512),
                         [](const auto& test) { return name_of(test.param); });

}  // namespace
}  // namespace seiche::test
