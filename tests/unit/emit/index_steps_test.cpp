// Which sums with a constant may be taken apart where memory is accessed: those that cannot carry.
#include "emit/index_steps.hpp"

#include <gtest/gtest.h>

#include "ir/builder.hpp"

namespace seiche::test {
namespace {

using emit::IndexSteps;
using ir::Op;
using ir::Scalar;
using ir::Value;

class Steps : public testing::Test {
protected:
    Steps() {
        b.kernel().launch.group = {64, 1, 1};
        array = b.shared_array("array", Scalar::u32, 4096);
        out = b.buffer({"out", Scalar::u32, ir::Access::write, false, false});
        t = b.thread_id();
        n = b.scalar("n", Scalar::u32);
    }
    Value c(std::uint64_t value) { return b.integer(Scalar::u32, value); }
    Value load(Value index) { return b.shared_load(array, index, Scalar::u32); }
    bool is_step(Value v) { return emit::find_index_steps(b.kernel()).is_step[v.id()]; }
    bool is_idle(Value v) { return emit::find_index_steps(b.kernel()).is_idle[v.id()]; }

    ir::Builder b{"steps"};
    std::uint32_t array = 0, out = 0;
    Value t, n;
};

TEST_F(Steps, are_sums_that_cannot_carry) {
    constexpr std::uint64_t most = 0xffffffff;
    EXPECT_TRUE(is_step(t + std::uint64_t{5}));
    EXPECT_TRUE(is_step(t + (most - 63)));
    EXPECT_FALSE(is_step(t + (most - 62))) << "63 more is 0";
    EXPECT_FALSE(is_step(n + std::uint64_t{5}));
    EXPECT_TRUE(is_step(b.binary(Op::min, n, c(most - 5)) + std::uint64_t{5}));
    EXPECT_FALSE(is_step(b.binary(Op::min, n, c(most - 4)) + std::uint64_t{5}));
    EXPECT_FALSE(is_step((t - c(1)) + std::uint64_t{2})) << "below 1 the difference is 2^32 - 1";
    EXPECT_FALSE(is_step(t * std::uint64_t{5}));
    EXPECT_FALSE(is_step(b.convert(t, Scalar::u64) + std::uint64_t{5})) << "it has 64 bits already";
}

TEST_F(Steps, are_idle_if_all_take_them_apart) {
    const Value loaded = t + std::uint64_t{5}, stored = t + std::uint64_t{6}, both = t + std::uint64_t{7};
    const Value carries = n + std::uint64_t{5};
    b.shared_store(array, stored, load(loaded) + load(carries));
    b.shared_store(array, both, both);
    EXPECT_TRUE(is_idle(loaded));
    EXPECT_TRUE(is_idle(stored));
    EXPECT_TRUE(is_step(both));
    EXPECT_FALSE(is_idle(both)) << "it is stored";
    EXPECT_FALSE(is_idle(carries));
}

TEST_F(Steps, are_idle_if_they_are_widened) {
    const Value wide = t + std::uint64_t{5}, real = t + std::uint64_t{6};
    b.global_store(out, b.convert(wide, Scalar::u64), c(1));
    b.global_store(out, b.convert(t, Scalar::u64), b.convert(b.convert(real, Scalar::f32), Scalar::u32));
    EXPECT_TRUE(is_idle(wide));
    EXPECT_TRUE(is_step(real));
    EXPECT_FALSE(is_idle(real)) << "it is converted to another type";
}

}  // namespace
}  // namespace seiche::test
