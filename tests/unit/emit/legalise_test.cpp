// Taking vectors apart changes no result, and leaves only what a dialect without vector arithmetic can say.
#include <gtest/gtest.h>

#include <cstring>

#include "emit/legalise.hpp"
#include "every_op.hpp"
#include "ir/interpret.hpp"
#include "ir/verify.hpp"
#include "run_kernel.hpp"
#include "sample_kernels.hpp"

namespace seiche::test {
namespace {

using ir::Scalar;
using ir::Type;

std::vector<Bytes> interpret(const ir::Kernel& kernel, std::vector<Bytes> buffers, std::vector<std::uint64_t> scalars,
                             std::uint32_t groups) {
    ir::Launch launch;
    launch.groups = {groups, 1, 1};
    launch.scalars = std::move(scalars);
    for (Bytes& buffer : buffers) launch.buffers.push_back({buffer.data(), buffer.size()});
    ir::interpret(kernel, launch);
    return buffers;
}

// Bytes that are small numbers in every type, so that no result is a NaN.
Bytes numbers(Type type, std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    Bytes bytes(count * ir::scalar_bytes(type.scalar));
    for (std::size_t i = 0; i < count; ++i) {
        const double value = 1.0 + static_cast<double>(random() % 1000) / 16.0;
        const auto put = [&](auto x) { std::memcpy(&bytes[i * sizeof x], &x, sizeof x); };
        if (type.scalar == Scalar::f32)
            put(static_cast<float>(value));
        else if (type.scalar == Scalar::f64)
            put(value);
        else if (type.scalar == Scalar::u64)
            put(static_cast<std::uint64_t>(value * 1e9));
        else
            put(static_cast<std::uint32_t>(value * 1e3));
    }
    return bytes;
}

void expect_scalar_arithmetic(const ir::Kernel& kernel) {
    for (const ir::Instruction& i : kernel.code) {
        const ir::OpKind kind = ir::op_kind(i.op);
        const bool may_be_vector = kind == ir::OpKind::memory || kind == ir::OpKind::cluster ||
                                   kind == ir::OpKind::matrix || i.op == ir::Op::compose;
        EXPECT_TRUE(may_be_vector || !i.type.is_vector()) << ir::op_name(i.op);
        EXPECT_LE(ir::type_bytes(i.type), 16u) << ir::op_name(i.op);
        EXPECT_LE(i.type.lanes, 4) << ir::op_name(i.op);
    }
}

class Legalise : public testing::TestWithParam<std::tuple<Scalar, unsigned>> {};

TEST_P(Legalise, keeps_every_result) {
    const Type type(std::get<0>(GetParam()), std::get<1>(GetParam()));
    const EveryOp ops = every_op(type);
    const ir::Kernel legal = emit::legalise(ops.kernel, {});
    ir::verify(legal);
    expect_scalar_arithmetic(legal);
    constexpr std::uint32_t groups = 5;
    std::vector<Bytes> buffers;
    for (unsigned k = 0; k < 3; ++k) buffers.push_back(numbers(type, std::size_t{groups} * type.lanes, k));
    buffers.emplace_back(std::size_t{groups} * ops.results.size() * slot_bytes);
    EXPECT_EQ(interpret(ops.kernel, buffers, {}, groups), interpret(legal, buffers, {}, groups));
}

INSTANTIATE_TEST_SUITE_P(types, Legalise,
                         testing::Combine(testing::Values(Scalar::f32, Scalar::f64, Scalar::i32, Scalar::u32,
                                                          Scalar::u64),
                                          testing::Values(1u, 2u, 4u, 8u, 16u)));

std::size_t count_of(const ir::Kernel& kernel, ir::Op op, unsigned lanes) {
    std::size_t count = 0;
    for (const ir::Instruction& i : kernel.code) count += i.op == op && i.type.lanes == lanes ? 1 : 0;
    return count;
}

TEST(LegaliseAccesses, are_as_wide_as_their_alignment_is_known) {
    const ir::Kernel legal = emit::legalise(dynamic_shared_kernel(), {});
    expect_scalar_arithmetic(legal);
    // The buffer's element is four floats; an index shifted by two into an aligned array is as good; one into pairs is
    // not.
    EXPECT_EQ(count_of(legal, ir::Op::global_load, 4), 1u);
    EXPECT_EQ(count_of(legal, ir::Op::global_store, 4), 1u);
    EXPECT_EQ(count_of(legal, ir::Op::shared_store, 4), 2u);
    EXPECT_EQ(count_of(legal, ir::Op::shared_load, 4), 1u);
    EXPECT_EQ(count_of(legal, ir::Op::shared_load, 2), 2u);
}

TEST(LegaliseAccesses, give_the_same_memory) {
    const std::vector<Bytes> wide{numbers(Scalar::f32, 4 * 256 * 2, 9)};
    EXPECT_EQ(interpret(dynamic_shared_kernel(), wide, {}, 2),
              interpret(emit::legalise(dynamic_shared_kernel(), {}), wide, {}, 2));
    const std::vector<Bytes> bundle{numbers(Scalar::f32, 64, 1), Bytes(256), numbers(Scalar::f32, 8, 2)};
    const auto scalarised = interpret(emit::legalise(simd_kernel(), {}), bundle, {}, 1);
    EXPECT_EQ(interpret(simd_kernel(), bundle, {}, 1), scalarised);
    EXPECT_NE(scalarised, bundle);
}

// Four points of a buffer, and of an array in shared memory whose elements they are.
TEST(Legalise, joins_words_that_are_sure_to_be_aligned) {
    emit::Target target;
    target.dialect = emit::Dialect::spirv_vulkan;
    target.pairs_as_words = target.joins_words = true;
    for (const std::uint64_t step : {2u, 4u}) {
        ir::Builder b("points");
        b.kernel().launch.group = {8, 1, 1};
        const Type point(Scalar::f32, 2), four(Scalar::f32, 8);
        const auto in = b.buffer({"in", point, ir::Access::read}), out = b.buffer({"out", point, ir::Access::write});
        const auto shared = b.shared_array("shared", four, 8);
        const ir::Value thread = b.thread_id(), at = b.convert(thread, Scalar::u64) * step;
        b.shared_store(shared, thread, b.global_load(in, at, four));
        b.group_barrier();
        b.global_store(out, at, b.shared_load(shared, thread, four));
        const ir::Kernel kernel = b.finish();
        const ir::Kernel legal = emit::legalise(kernel, target);
        EXPECT_EQ(emit::joins_words(legal), step == 4);
        EXPECT_EQ(count_of(legal, ir::Op::global_load, step == 4 ? 4 : 2), step == 4 ? 1u : 4u);
        EXPECT_EQ(count_of(legal, ir::Op::shared_load, 4), 1u);
        emit::Target other = target;
        other.joins_words = false;
        const ir::Kernel apart = emit::legalise(kernel, other);
        EXPECT_FALSE(emit::joins_words(apart));
        ir::verify(apart);
        if (step != 4) continue;  // neighbours write the same points
        std::vector<Bytes> buffers{numbers(Scalar::f32, 64, 1), Bytes(64 * 4)};
        EXPECT_EQ(interpret(apart, buffers, {}, 1)[1], buffers[0]);
    }
}

}  // namespace
}  // namespace seiche::test
