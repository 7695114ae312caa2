// The expansion of double-double numbers: every operation against quad precision, on random and on hard operands.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "ir/optimise.hpp"
#include "seiche/error.hpp"
#include "support/double_double.hpp"
#include "tests/unit/ir/small_kernels.hpp"

namespace seiche::ir::test {
namespace {

constexpr Scalar dd = Scalar::dd;
constexpr double unit = 0x1p-106;  // u^2
using Numbers = std::vector<DoubleDouble>;

__float128 quad(DoubleDouble x) { return static_cast<__float128>(x.hi) + static_cast<__float128>(x.lo); }
double size(__float128 x) { return static_cast<double>(x < 0 ? -x : x); }

Kernel expanded(Builder& b) {
    Kernel kernel = optimise(b.finish());
    verify(kernel);
    return kernel;
}

/// Random ones of 106 bits and many sizes, and those that trip careless sums: neighbours that cancel to a few bits, lo
/// parts of half an ulp and of the other sign, exact doubles, zero.
Numbers operands(std::size_t count, unsigned seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    const Numbers hard{{0.0},
                       {1.0},
                       {-1.0, 0x1p-54},
                       {1.0, -0x1p-54},
                       {1.0, 0x1p-53},
                       {-1.0, -0x1p-53},
                       {0.1},
                       support::sqrt_half,
                       {0x1p300, 0x1p240},
                       {0x1p-300, -0x1p-360},
                       {3.0, 0x1p-80},
                       {1.0 + 0x1p-52, -0x1p-54}};
    Numbers all;
    for (std::size_t i = 0; i < count; ++i) {
        const double hi = std::ldexp(uniform(random), static_cast<int>(random() % 40));
        all.push_back(random() % 3 == 0 ? hard[random() % hard.size()]
                                        : support::two_sum(hi, hi * uniform(random) * 0x1p-53));
    }
    return all;
}

using Operation = std::function<Value(Value, Value, Value)>;

/// One thread with `lanes` numbers a register, over arrays of 16 * 64 numbers.
Numbers apply(unsigned lanes, const Operation& operation, std::array<Numbers, 3> inputs) {
    const std::uint32_t count = static_cast<std::uint32_t>(inputs[0].size());
    Builder b("operation");
    const auto x = input(b, "x", dd), y = input(b, "y", dd), z = input(b, "z", dd), out = output(b, "out", dd);
    const Value at = wide(b.begin_loop(u32(b, 0), u32(b, count), u32(b, lanes)));
    const Type type(dd, lanes);
    b.global_store(out, at,
                   operation(b.global_load(x, at, type), b.global_load(y, at, type), b.global_load(z, at, type)));
    b.end_loop();
    Numbers result(count);
    interpret(expanded(b), launch_of({bound(inputs[0]), bound(inputs[1]), bound(inputs[2]), bound(result)}));
    return result;
}

/// `bound` in u^2, given the three operands.
void expect_close(const Operation& operation,
                  const std::function<__float128(__float128, __float128, __float128)>& exact,
                  const std::function<double(double, double, double)>& bound) {
    for (const unsigned lanes : {1u, 2u, 4u, 8u, 16u}) {
        const std::array<Numbers, 3> in{operands(1024, lanes), operands(1024, lanes + 50), operands(1024, lanes + 90)};
        const Numbers got = apply(lanes, operation, in);
        for (std::size_t i = 0; i < got.size(); ++i) {
            const __float128 x = quad(in[0][i]), y = quad(in[1][i]), z = quad(in[2][i]);
            const double allowed = unit * bound(size(x), size(y), size(z));
            EXPECT_LE(size(quad(got[i]) - exact(x, y, z)), allowed) << lanes << " lanes, " << i;
            EXPECT_LE(std::abs(got[i].lo), 0x1p-52 * std::abs(got[i].hi)) << lanes << " lanes, " << i;
        }
    }
}

TEST(ExpandDoubleDouble, Sums) {
    // 2^-113 of its operands is what a quad's own sum may lack.
    const auto bound = [](double x, double y, double) { return 3.01 * (x + y); };
    expect_close([](Value x, Value y, Value) { return x + y; },
                 [](__float128 x, __float128 y, __float128) { return x + y; }, bound);
    expect_close([](Value x, Value y, Value) { return x - y; },
                 [](__float128 x, __float128 y, __float128) { return x - y; }, bound);
    expect_close([](Value x, Value y, Value) { return x + -y; },
                 [](__float128 x, __float128 y, __float128) { return x - y; }, bound);
}

TEST(ExpandDoubleDouble, Products) {
    expect_close([](Value x, Value y, Value) { return x * y; },
                 [](__float128 x, __float128 y, __float128) { return x * y; },
                 [](double x, double y, double) { return 5.01 * x * y; });
    expect_close([](Value x, Value y, Value z) { return x.builder().mad(x, y, z); },
                 [](__float128 x, __float128 y, __float128 z) { return x * y + z; },
                 [](double x, double y, double z) { return 13.01 * x * y + 4.01 * z; });
    expect_close([](Value x, Value y, Value z) { return x.builder().mad(x, y, -z); },
                 [](__float128 x, __float128 y, __float128 z) { return x * y - z; },
                 [](double x, double y, double z) { return 13.01 * x * y + 4.01 * z; });
}

TEST(ExpandDoubleDouble, Constants) {
    const DoubleDouble third = support::divide(1.0, 3.0);
    const auto times = [](DoubleDouble c) {
        return [c](Value x, Value, Value) { return x * x.builder().constant(x.type(), c); };
    };
    for (const DoubleDouble c : {third, DoubleDouble(0.1), support::sqrt_half}) {
        expect_close(
            times(c), [c](__float128 x, __float128, __float128) { return x * quad(c); },
            [](double x, double, double) { return 5.01 * x; });
    }
    for (const double c : {0.5, -4.0, 1.0, -1.0, 0x1p-20}) {  // nothing is lost
        expect_close(
            times(c), [c](__float128 x, __float128, __float128) { return x * c; },
            [](double, double, double) { return 0; });
    }
    // Constants are not folded in double.
    expect_close(
        [](Value x, Value, Value) {
            Builder& b = x.builder();
            return x + (b.constant(x.type(), 0.1) * b.constant(x.type(), 0.7));
        },
        [](__float128 x, __float128, __float128) {
            return x + static_cast<__float128>(0.1) * static_cast<__float128>(0.7);
        },
        [](double x, double, double) { return 3.01 * x + 8; });
}

TEST(ExpandDoubleDouble, ChoiceSignAndConversion) {
    const auto none = [](double, double, double) { return 0.0; };
    expect_close(
        [](Value x, Value y, Value) {
            Builder& b = x.builder();
            return b.select(b.compare(Op::less, b.convert(x, Scalar::f64), b.convert(y, Scalar::f64)), x, -y);
        },
        [](__float128 x, __float128 y, __float128) { return static_cast<double>(x) < static_cast<double>(y) ? x : -y; },
        none);
    expect_close([](Value x, Value, Value) { return x.builder().convert(x.builder().convert(x, Scalar::f64), dd); },
                 [](__float128 x, __float128, __float128) { return static_cast<__float128>(static_cast<double>(x)); },
                 none);
}

/// A complex array in, its parts exchanged out, through shared memory and a shuffle, by eight threads.
TEST(ExpandDoubleDouble, MovesBothHalves) {
    constexpr std::uint32_t threads = 8;
    Builder b("moves");
    b.kernel().launch.group = {threads, 1, 1};
    const auto in = input(b, "in", Type(dd, 2)), out = output(b, "out", Type(dd, 2));
    const auto shared = b.shared_array("shared", dd, threads), own = b.private_array("own", dd, 2);
    const Value t = b.thread_id();
    const Value x = b.global_load(in, wide(t), Type(dd, 2));
    b.private_store(own, u32(b, 1), b.extract(x, 1));
    b.shared_store(shared, t, b.extract(x, 0), b.less(t, u32(b, threads)));
    b.group_barrier();
    const Value mirrored = b.shared_load(shared, u32(b, threads - 1) - t, dd);
    const Value neighbour = b.effect(instruction(Op::subgroup_shuffle_xor, dd, {mirrored, u32(b, 1)}));
    b.global_store(out, wide(t), b.compose({b.private_load(own, u32(b, 1), dd), neighbour}));
    const Kernel kernel = expanded(b);
    EXPECT_EQ(kernel.buffers[in].element, Type(Scalar::f64, 4));
    EXPECT_EQ(shared_bytes(kernel), 16u * threads);
    Numbers data = operands(2 * threads, 7), result(2 * threads);
    interpret(kernel, launch_of({bound(data), bound(result)}));
    for (std::uint32_t k = 0; k < threads; ++k) {
        EXPECT_EQ(result[2 * k], data[2 * k + 1]);
        EXPECT_EQ(result[2 * k + 1], data[2 * (threads - 1 - (k ^ 1u))]);
    }
}

TEST(ExpandDoubleDouble, PredicatedLoadsGiveZero) {
    Builder b("predicated");
    b.kernel().launch.group = {4, 1, 1};
    const auto in = input(b, "in", dd), out = output(b, "out", dd);
    const Value t = b.thread_id();
    b.global_store(out, wide(t), b.global_load(in, wide(t), dd, b.less(t, u32(b, 2))), b.less(t, u32(b, 3)));
    Numbers data = operands(4, 3), result(4, DoubleDouble(7.0));
    interpret(expanded(b), launch_of({bound(data), bound(result)}));
    EXPECT_EQ(result, (Numbers{data[0], data[1], {0.0}, {7.0}}));
}

TEST(ExpandDoubleDouble, MarksItsArithmeticAsExact) {
    Builder b("exact");
    const auto in = input(b, "in", dd), out = output(b, "out", dd);
    const Value x = b.global_load(in, u64(b, 0), dd);
    b.global_store(out, u64(b, 0), b.mad(x, x, x) + x);
    std::size_t count = 0;
    for (const Instruction& i : expanded(b).code) {
        const bool rounds = i.op == Op::add || i.op == Op::sub || i.op == Op::mul || i.op == Op::fma;
        if (!rounds || !i.type.is_float()) continue;
        EXPECT_TRUE(i.exact) << op_name(i.op);
        ++count;
    }
    EXPECT_GE(count, 20u);
}

TEST(ExpandDoubleDouble, LeavesOtherKernelsAsTheyAre) {
    Builder b("doubles");
    const auto in = input(b, "in", Scalar::f64), out = output(b, "out", Scalar::f64);
    b.global_store(out, u64(b, 0), b.global_load(in, u64(b, 0), Scalar::f64) * 3.0);
    const Kernel kernel = b.finish();
    EXPECT_EQ(expand_double_double(kernel), kernel);
}

TEST(ExpandDoubleDouble, RefusesWhatItCannotDo) {
    Builder b("root");
    const auto in = input(b, "in", dd), out = output(b, "out", dd);
    b.global_store(out, u64(b, 0), b.unary(Op::sqrt, b.global_load(in, u64(b, 0), dd)));
    const Kernel kernel = b.finish();
    EXPECT_THROW(expand_double_double(kernel), InternalError);
    EXPECT_THROW(verify(kernel), InternalError);  // before the expansion no kernel is right
}

}  // namespace
}  // namespace seiche::ir::test
