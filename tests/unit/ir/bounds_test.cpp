// What the builder leaves out because of values' bounds, and what it must not: each rule at its limit and one beyond.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "ir/bounds.hpp"
#include "seiche/error.hpp"
#include "tests/unit/ir/small_kernels.hpp"

namespace seiche::ir::test {
namespace {

constexpr std::uint32_t most = 0xffffffffu;

class BoundedThreads : public testing::Test {
protected:
    BoundedThreads() {
        b.bound_threads(96, 4);
        t = b.thread_id();
        y = b.thread_id(1);
        n = b.scalar("n", Scalar::u32);
    }

    Value c(std::uint64_t value) { return b.integer(Scalar::u32, value); }
    bool is(Value v, std::uint64_t constant) { return b.is_constant(v) && b.integer_value(v) == constant; }
    bool is(Value v, Op op) { return b.instruction(v).op == op; }
    static bool same(Value v, Value w) { return v.id() == w.id(); }

    Builder b{"bounded"};
    Value t, y, n;  // below 96, below 4, anything
};

TEST_F(BoundedThreads, have_no_quotient_by_their_number) {
    EXPECT_TRUE(is(t / 96_u, 0));
    EXPECT_TRUE(is(t / 95_u, Op::div));
    EXPECT_TRUE(is(y / 4_u, 0));
    EXPECT_TRUE(is(n / 96_u, Op::div));
    EXPECT_TRUE(is(t >> 7, 0));
    EXPECT_TRUE(is(t >> 6, Op::shift_right));
    EXPECT_TRUE(is(wide(t) / 96_u, 0));
}

TEST_F(BoundedThreads, are_their_own_remainder) {
    EXPECT_TRUE(same(t % 96_u, t));
    EXPECT_TRUE(is(t % 95_u, Op::mod));
    EXPECT_TRUE(same(t & 127_u, t));
    EXPECT_TRUE(is(t & 63_u, Op::bit_and));
    EXPECT_TRUE(is(t & 95_u, Op::bit_and)) << "95 has a bit that is not set";
    EXPECT_TRUE(same(n & 0xffffffff_u, n));
    EXPECT_TRUE(is(n % 96_u, Op::mod));
}

TEST_F(BoundedThreads, compare_alike_where_no_number_differs) {
    EXPECT_TRUE(is(b.less(t, c(96)), 1));
    EXPECT_TRUE(is(b.less(t, c(95)), Op::less));
    EXPECT_TRUE(is(b.less(c(95), t), 0));
    EXPECT_TRUE(is(b.less(c(94), t), Op::less));
    EXPECT_TRUE(is(b.compare(Op::less_equal, t, c(95)), 1));
    EXPECT_TRUE(is(b.compare(Op::less_equal, t, c(94)), Op::less_equal));
    EXPECT_TRUE(is(b.compare(Op::less_equal, c(96), t), 0));
    EXPECT_TRUE(is(b.compare(Op::equal, t, c(96)), 0));
    EXPECT_TRUE(is(b.compare(Op::not_equal, t, c(96)), 1));
    EXPECT_TRUE(is(b.compare(Op::equal, t, c(95)), Op::equal));
    EXPECT_TRUE(is(b.less(t + 95_u, t), 0)) << "95 to 190 and 0 to 95";
    EXPECT_TRUE(is(b.less(t + 94_u, t), Op::less));
    EXPECT_TRUE(is(b.binary(Op::bit_or, b.less(n, c(5)), b.less(t, c(96))), 1));
}

TEST_F(BoundedThreads, have_sums_that_cannot_carry) {
    EXPECT_TRUE(is((t + 96_u) / 96_u, 1));
    EXPECT_TRUE(same((t + 96_u) % 96_u, t));
    EXPECT_TRUE(same((t + 192_u) % 192_u, t));
    EXPECT_TRUE(same((t + 224_u) % 192_u, t + 32_u));
    EXPECT_TRUE(same((t + 289_u) % 192_u, (t + 289_u) % 192_u));
    EXPECT_TRUE(is((t + 289_u) % 192_u, Op::mod)) << "97 + 95 is 192";
    EXPECT_TRUE(same((t + 144_u) / 48_u, t / 48_u + 3_u));
    EXPECT_TRUE(same((t + 144_u) % 48_u, t % 48_u));
    EXPECT_TRUE(is((t + 145_u) / 48_u, Op::div));
    EXPECT_TRUE(is((t + std::uint64_t{most - 95}) >> 31, 1));
    EXPECT_TRUE(is((t + std::uint64_t{most - 94}) >> 31, Op::shift_right)) << "95 more is 0";
    EXPECT_TRUE(is((n + 192_u) % 192_u, Op::mod)) << "the sum may carry, and 192 does not divide 2^32";
}

TEST_F(BoundedThreads, have_products_and_shifts_that_cannot_carry) {
    constexpr std::uint64_t factor = most / 95;
    EXPECT_TRUE(is(b.less(t * factor, c(95 * factor + 1)), 1));
    EXPECT_TRUE(is(b.less(t * (factor + 1), c(95 * factor + 1)), Op::less));
    EXPECT_TRUE(is(b.less(t << 25, c((std::uint64_t{95} << 25) + 1)), 1));
    EXPECT_TRUE(is(b.less(t << 26, c(most)), Op::less));
}

TEST_F(BoundedThreads, have_differences_that_cannot_borrow) {
    EXPECT_TRUE(is(b.less(c(95) - t, c(96)), 1));
    EXPECT_TRUE(is(b.less(c(94) - t, c(96)), Op::less));
    EXPECT_TRUE(is(((t + 10_u) - c(10)) / 96_u, 0));
    EXPECT_TRUE(is(((t + 10_u) - c(11)) / 96_u, Op::div));
}

/// What `v` is more than a value that has no constant of its own.
TEST_F(BoundedThreads, keep_constants_outside) {
    const auto beyond = [&](Value v) {
        return is(v, Op::add) ? b.integer_value({&b, b.instruction(v).operands[1]}) : 0;
    };
    const auto inside = [&](Value v) { return is(v, Op::add) ? Value{&b, b.instruction(v).operands[0]} : v; };
    EXPECT_EQ(beyond((t + 5_u) * 3_u), 15u);
    EXPECT_TRUE(same(inside((t + 5_u) * 3_u), t * 3_u));
    EXPECT_TRUE(is((n + 5_u) * 3_u, Op::mul)) << "the sum may carry";
    EXPECT_TRUE(is((t + 5_u) * 0x80000000_u, Op::mul)) << "the product may";
    EXPECT_EQ(beyond(c(200) - t), 105u);
    EXPECT_EQ(beyond(c(200) - (t + 7_u)), 98u);
    EXPECT_TRUE(same(inside(c(200) - (t + 7_u)), c(95) - t));
    EXPECT_TRUE(is(c(95) - t, Op::sub));
    EXPECT_TRUE(is(c(94) - t, Op::sub)) << "it may borrow";
    EXPECT_TRUE(is(c(200) - n, Op::sub));
}

TEST_F(BoundedThreads, are_what_a_multiple_leaves) {
    EXPECT_TRUE(same((y * 96_u + t) / 96_u, y));
    EXPECT_TRUE(same((y * 96_u + t) % 96_u, t));
    EXPECT_TRUE(same((t + y * 192_u) / 96_u, y * 2_u));
    EXPECT_TRUE(is((y * 96_u + t) / 95_u, Op::div));
    EXPECT_TRUE(is((y * 96_u + t) % 64_u, Op::bit_and)) << "t has two multiples of 64";
    EXPECT_TRUE(is((y * 100_u + t) % 96_u, Op::mod)) << "96 does not divide 100";
    EXPECT_TRUE(is((n * 96_u + t) / 96_u, Op::div)) << "the product may carry";
    EXPECT_TRUE(is((b.group_id() * 96_u + t) % 96_u, Op::mod));
}

TEST_F(BoundedThreads, meet_at_choices_and_conversions) {
    EXPECT_TRUE(same(b.binary(Op::min, t, c(95)), t));
    EXPECT_TRUE(is(b.binary(Op::min, t, c(94)), Op::min));
    EXPECT_TRUE(is(b.binary(Op::max, t, c(95)), 95));
    EXPECT_TRUE(is(b.binary(Op::max, t, c(94)), Op::max));
    const Value either = b.select(b.less(n, c(7)), t, c(200));
    EXPECT_TRUE(is(b.less(either, c(201)), 1));
    EXPECT_TRUE(is(b.less(either, c(200)), Op::less));
    EXPECT_TRUE(is(b.convert(wide(t) + 1_u, Scalar::u32) / 97_u, 0));
    const Value high = b.convert(wide(n) + 1_u, Scalar::u32);
    EXPECT_TRUE(is(b.less(c(0), high), Op::less)) << "2^32 is 0 in 32 bits";
    EXPECT_TRUE(same(b.binary(Op::bit_xor, t >> 7, n), n));
}

TEST_F(BoundedThreads, bound_counters_of_loops) {
    const Value i = b.begin_loop(c(3), c(8), c(2));
    EXPECT_TRUE(is(i / 8_u, 0));
    EXPECT_TRUE(is(i / 7_u, Op::div));
    EXPECT_TRUE(is(b.less(i, c(3)), 0));
    EXPECT_TRUE(is(b.less(i, c(4)), Op::less));
    b.end_loop();
    const Value j = b.begin_loop(c(5), n, c(1));
    EXPECT_TRUE(is(b.less(j, c(5)), 0));
    EXPECT_TRUE(is(b.less(j, c(most)), 1)) << "it is below the end";
    b.end_loop();
    const Value k = b.begin_loop(c(5), c(most - 15), c(32));
    EXPECT_TRUE(is(b.less(k, c(5)), Op::less)) << "it may step past 2^32";
    b.end_loop();
    const Value m = b.begin_loop(n, c(8), c(1));
    EXPECT_TRUE(is(b.less(m, c(8)), 1)) << "wherever it begins";
    EXPECT_TRUE(is(b.less(m, c(7)), Op::less));
    b.end_loop();
}

TEST_F(BoundedThreads, leave_no_predicate_that_is_true) {
    const std::uint32_t in = input(b, "in", Scalar::u32), out = output(b, "out", Scalar::u32);
    const std::uint32_t shared = b.shared_array("shared", Scalar::u32, 96);
    const auto predicate = [&](ValueId id, unsigned slot) { return b.kernel().code[id].operands[slot]; };
    const Value always = b.less(t, c(96)), perhaps = b.less(t, c(95));
    EXPECT_EQ(predicate(b.global_load(in, wide(t), Scalar::u32, always).id(), 1), no_value);
    EXPECT_EQ(predicate(b.global_load(in, wide(t), Scalar::u32, perhaps & always).id(), 1), perhaps.id());
    const auto last = [&] { return static_cast<ValueId>(b.kernel().code.size() - 1); };
    b.global_store(out, wide(t), t, always);
    EXPECT_EQ(predicate(last(), 2), no_value);
    b.shared_store(shared, t, t, always);
    EXPECT_EQ(predicate(last(), 2), no_value);
    EXPECT_EQ(predicate(b.shared_load(shared, t, Scalar::u32, always).id(), 1), no_value);
    EXPECT_EQ(predicate(b.shared_load(shared, t, Scalar::u32, b.boolean(false)).id(), 1), b.boolean(false).id());
}

TEST(Bounds, are_for_those_who_say_how_many_threads_there_are) {
    Builder b("unsaid");
    b.kernel().launch.group = {96, 1, 1};
    EXPECT_EQ(b.instruction(b.thread_id() / 96_u).op, Op::div);
}

TEST(Bounds, hold_for_one_size_of_groups) {
    Builder b("twice");
    b.bound_threads(64);
    EXPECT_EQ(b.kernel().launch.group[0], 64u);
    EXPECT_NO_THROW(b.bound_threads(64));
    EXPECT_THROW(b.bound_threads(128), InternalError);
    b.kernel().launch.group = {128, 1, 1};
    EXPECT_THROW(b.finish(), InternalError);
}

constexpr std::uint32_t columns = 12, rows = 2, threads = columns * rows, groups = 3;

/// Random arithmetic on thread ids, a group id and constants, with and without bounds: the same draws for both. Every
/// value is stored.
class Arithmetic {
public:
    Arithmetic(unsigned seed, bool is_bounded) : engine_(seed) {
        if (is_bounded)
            b_.bound_threads(columns, rows);
        else
            b_.kernel().launch.group = {columns, rows, 1};
        out_ = output(b_, "out", Scalar::u32);
        values_ = {b_.thread_id(), b_.thread_id(1), b_.group_id(), constant(), constant()};
        while (values_.size() < count) values_.push_back(next());
    }

    Kernel run() {
        const Value thread = b_.group_id() * std::uint64_t{threads} + b_.thread_id(1) * std::uint64_t{columns};
        const Value first = (thread + b_.thread_id()) * std::uint64_t{count};
        for (std::uint64_t k = 0; k < count; ++k) b_.global_store(out_, wide(first + k), values_[k]);
        return b_.finish();
    }

    ValueId id(std::size_t k) const { return values_[k].id(); }

    static constexpr std::uint32_t count = 40;

private:
    std::uint32_t draw(std::uint32_t below) { return static_cast<std::uint32_t>(engine_()) % below; }
    /// Small ones, and those about a power of two.
    Value constant() {
        if (draw(3) != 0) return u32(b_, 1 + draw(30));
        return u32(b_, (std::uint32_t{1} << draw(32)) + draw(3) - 1);
    }
    Value divisor() { return u32(b_, 1 + draw(draw(4) == 0 ? 1000 : 30)); }
    /// Late ones more often.
    Value pick() {
        const auto size = static_cast<std::uint32_t>(values_.size());
        return values_[std::max(draw(size), draw(size))];
    }

    Value next() {
        // One draw after the other: the order of arguments' evaluation is the compiler's.
        const std::uint32_t op = draw(16);
        const Value a = pick(), c = pick(), k = constant(), d = divisor();
        const unsigned bits = draw(8);
        switch (op) {
            case 0: return a + c;
            case 1: return a + k;
            case 2: return a - c;
            case 3: return k - a;
            case 4: return a * c;
            case 5: return a * k;
            case 6: return a / d;
            case 7: return a % d;
            case 8: return a & k;
            case 9: return a & std::uint64_t{(1u << bits) - 1};
            case 10: return a >> bits;
            case 11: return a << bits;
            case 12: return b_.binary(bits % 2 == 0 ? Op::min : Op::max, a, c);
            case 13: return b_.binary(bits % 2 == 0 ? Op::bit_xor : Op::bit_or, a, c);
            case 14: return b_.select(comparison(bits, a, bits < 4 ? c : k), c, d);
            default: return b_.convert((wide(a) + wide(k)) / wide(d), Scalar::u32);
        }
    }

    Value comparison(unsigned which, Value a, Value c) {
        constexpr std::array<Op, 4> all{Op::less, Op::less_equal, Op::equal, Op::not_equal};
        return b_.compare(all[which % 4], a, c);
    }

    Builder b_{"arithmetic"};
    std::mt19937 engine_;
    std::uint32_t out_ = 0;
    std::vector<Value> values_;
};

std::vector<std::uint32_t> results(const Kernel& kernel) {
    verify(kernel);
    std::vector<std::uint32_t> out(std::size_t{threads} * groups * Arithmetic::count);
    interpret(kernel, launch_of({bound(out)}, groups));
    return out;
}

/// Divisions, remainders and comparisons, which bounds may answer.
std::size_t questions(const Kernel& kernel) {
    return static_cast<std::size_t>(std::count_if(kernel.code.begin(), kernel.code.end(), [](const Instruction& i) {
        return i.op == Op::div || i.op == Op::mod || op_kind(i.op) == OpKind::compare;
    }));
}

TEST(Bounds, change_no_result) {
    std::size_t with = 0, without = 0;
    for (unsigned seed = 0; seed < 2000; ++seed) {
        const Kernel bounded = Arithmetic(seed, true).run(), unbounded = Arithmetic(seed, false).run();
        ASSERT_EQ(results(bounded), results(unbounded)) << "seed " << seed;
        with += questions(bounded);
        without += questions(unbounded);
    }
    EXPECT_LT(with, without - without / 50) << "they leave something out";
}

TEST(Bounds, hold_for_every_result) {
    std::size_t known = 0;
    for (unsigned seed = 0; seed < 2000; ++seed) {
        Arithmetic arithmetic(seed, false);
        const Kernel kernel = arithmetic.run();
        const std::vector<Bounds> all = bounds(kernel);
        const std::vector<std::uint32_t> out = results(kernel);
        for (std::size_t i = 0; i < out.size(); ++i) {
            const Bounds own = all[arithmetic.id(i % Arithmetic::count)];
            ASSERT_TRUE(own.least <= out[i] && out[i] <= own.greatest)
                << "seed " << seed << ", value " << i % Arithmetic::count << ": " << out[i] << " is not in "
                << own.least << " .. " << own.greatest;
            known += own.greatest < most;
        }
    }
    EXPECT_GT(known, std::size_t{2000} * threads * groups * Arithmetic::count / 4);
}

}  // namespace
}  // namespace seiche::ir::test
