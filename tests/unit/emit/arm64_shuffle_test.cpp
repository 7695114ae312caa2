// Shuffles of lanes lowered to NEON: right under an emulator, pattern for pattern, and few steps.
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "arm64_run.hpp"
#include "emit/arm64/shuffle.hpp"

namespace seiche::test {
namespace {

using emit::arm64::LaneSource;
using emit::arm64::lower_shuffles;
using emit::arm64::ShuffleOp;
using emit::arm64::ShuffleProgram;
using ir::Scalar;
using ir::Type;
using Lanes = std::vector<unsigned>;
using Register = std::vector<LaneSource>;

/// Every pattern is a shuffle of the same two values, whose results lie one behind the other.
KernelCase case_of(Type type, const std::vector<Lanes>& patterns) {
    ir::Builder b("shuffles");
    const std::uint32_t in = b.buffer({"in", Type(type.scalar), ir::Access::read});
    const std::uint32_t out = b.buffer({"out", Type(type.scalar), ir::Access::write});
    const auto at = [&](std::uint64_t index) { return b.integer(Scalar::u64, index); };
    const ir::Value x = b.global_load(in, at(0), type), y = b.global_load(in, at(type.lanes), type);
    std::uint64_t place = 0;
    for (const Lanes& lanes : patterns) {
        const bool is_of_two = std::any_of(lanes.begin(), lanes.end(), [&](unsigned i) { return i >= type.lanes; });
        const ir::Value result = b.shuffle(x, is_of_two ? y : ir::Value{}, lanes);
        b.global_store(out, at(place), result);
        place += lanes.size();
    }
    const unsigned lane = ir::scalar_bytes(type.scalar);
    std::mt19937 random(9);
    return {
        b.finish(),
        {{fill<std::uint8_t>(std::size_t{2} * type.lanes * lane, [&] { return random() % 0x3c; }), Bytes(place * lane)},
         {},
         {1, 1, 1}}};
}

std::vector<Lanes> every_pattern(unsigned lanes, unsigned sources) {
    std::size_t count = 1;
    for (unsigned i = 0; i < lanes; ++i) count *= std::size_t{lanes} * sources;
    std::vector<Lanes> all;
    for (std::size_t pattern = 0; pattern < count; ++pattern) {
        Lanes one;
        for (std::size_t i = 0, rest = pattern; i < lanes; ++i, rest /= std::size_t{lanes} * sources)
            one.push_back(static_cast<unsigned>(rest % (std::size_t{lanes} * sources)));
        all.push_back(one);
    }
    return all;
}

std::vector<Lanes> random_patterns(unsigned lanes, unsigned results, unsigned count) {
    std::mt19937 random(4);
    std::vector<Lanes> all(count);
    for (Lanes& one : all)
        for (unsigned i = 0; i < results; ++i) one.push_back(static_cast<unsigned>(random() % (2 * lanes)));
    return all;
}

/// What one instruction does, and what two or three do, for 8 lanes.
std::vector<Lanes> regular_patterns() {
    std::vector<Lanes> all;
    const auto add = [&](const auto& place) {
        Lanes one;
        for (unsigned i = 0; i < 8; ++i) one.push_back(place(i) % 16);
        all.push_back(one);
    };
    for (const unsigned high : {0u, 1u}) {
        for (const unsigned run : {1u, 2u, 4u}) {  // lanes that stay together
            const auto wide = [&](const auto& place) {
                add([&](unsigned i) { return place(i / run) * run + i % run; });
            };
            const unsigned n = 8 / run;
            wide([&](unsigned i) { return i / 2 + high * n / 2 + i % 2 * n; });
            wide([&](unsigned i) { return 2 * i + high; });
            wide([&](unsigned i) { return i / 2 * 2 + high + i % 2 * n; });
            wide([&](unsigned i) { return i ^ 1u; });
            wide([&](unsigned) { return high * 3; });
            wide([&](unsigned i) { return i == 1 ? n + high : i; });
        }
        for (unsigned from = 1; from < 8; ++from)
            add([&](unsigned i) { return high != 0 ? (i + from) % 8 : i + from; });
    }
    add([](unsigned i) { return 7 - i; });
    add([](unsigned i) { return i ^ 3u; });
    return all;
}

TEST(Arm64Shuffle, every_pattern_moves_its_lanes) {
    if (const std::string why = why_no_arm64(); !why.empty()) GTEST_SKIP() << why;
    std::vector<KernelCase> cases;
    for (const unsigned sources : {1u, 2u}) {
        cases.push_back(case_of(Type(Scalar::f64, 2), every_pattern(2, sources)));
        cases.push_back(case_of(Type(Scalar::f32, 4), every_pattern(4, sources)));
    }
    cases.push_back(case_of(Type(Scalar::f16, 8), regular_patterns()));
    cases.push_back(case_of(Type(Scalar::f32, 8), regular_patterns()));
    for (const unsigned results : {2u, 4u, 8u, 16u})
        for (const Scalar scalar : {Scalar::f16, Scalar::f32, Scalar::f64})
            for (const unsigned lanes : {2u, 8u, 16u})
                cases.push_back(case_of(Type(scalar, lanes), random_patterns(lanes, results, 40)));
    expect_same_on_arm64(cases);
}

/// Registers by the places of their lanes in all sources, one after the other.
template <typename Place>
Register make(unsigned lane_bytes, const Place& place) {
    const unsigned n = 16 / lane_bytes;
    Register lanes;
    for (unsigned i = 0; i < n; ++i) {
        const unsigned at = place(i);
        lanes.push_back({static_cast<std::uint8_t>(at / n), static_cast<std::uint8_t>(at % n)});
    }
    return lanes;
}

TEST(Arm64Shuffle, any_pattern_of_n_sources_is_n_steps_at_most) {
    std::mt19937 random(1);
    for (const unsigned lane_bytes : {2u, 4u, 8u})
        for (const unsigned sources : {1u, 2u, 3u, 4u, 8u, 16u})
            for (unsigned k = 0; k < 40; ++k) {
                const unsigned lanes = 16 / lane_bytes * sources;
                const Register wanted =
                    make(lane_bytes, [&](unsigned) { return static_cast<unsigned>(random() % lanes); });
                const ShuffleProgram program = lower_shuffles(lane_bytes, sources, {wanted});
                EXPECT_LE(program.steps.size(), std::min(sources, 16 / lane_bytes));
            }
}

TEST(Arm64Shuffle, what_kernels_shuffle_takes_few_steps) {
    for (const unsigned lane_bytes : {2u, 4u, 8u}) {
        SCOPED_TRACE(lane_bytes);
        const unsigned n = 16 / lane_bytes;
        const auto steps = [&](const std::vector<Register>& registers) {
            return lower_shuffles(lane_bytes, 16, registers).steps.size();
        };
        const auto one = [&](const auto& place) { return make(lane_bytes, place); };
        const Register even = one([](unsigned i) { return 2 * i; }), odd = one([](unsigned i) { return 2 * i + 1; });
        const Register low = one([&](unsigned i) { return i / 2 + i % 2 * n; });
        const Register high = one([&](unsigned i) { return i / 2 + n / 2 + i % 2 * n; });
        EXPECT_EQ(steps({even, odd}), 2u);
        EXPECT_EQ(steps({low, high}), 2u);
        EXPECT_EQ(steps({one([](unsigned i) { return i + 1; })}), 1u);
        EXPECT_EQ(steps({one([&](unsigned i) { return (i + 1) % n; })}), 1u);
        EXPECT_EQ(steps({one([&](unsigned) { return n - 1; })}), 1u);
        EXPECT_EQ(steps({one([](unsigned i) { return i ^ 1u; })}), 1u);
        EXPECT_EQ(steps({one([&](unsigned i) { return n - 1 - i; })}), 1u);
        EXPECT_EQ(steps({one([&](unsigned i) { return i + i % 2 * n; })}), 1u);
        std::vector<Register> transposed;
        for (unsigned c = 0; c < n; ++c) transposed.push_back(one([&](unsigned i) { return i * n + c; }));
        const std::size_t stages = n == 8 ? 3 : n == 4 ? 2 : 1;
        EXPECT_EQ(steps(transposed), n * stages);
    }
}

TEST(Arm64Shuffle, each_instruction_is_found_for_what_it_does) {
    const auto found = [](unsigned lane_bytes, const auto& place) {
        const ShuffleProgram program = lower_shuffles(lane_bytes, 2, {make(lane_bytes, place)});
        EXPECT_EQ(program.steps.size(), 1u);
        return program.steps.at(0).op;
    };
    for (const unsigned lane_bytes : {2u, 4u}) {
        SCOPED_TRACE(lane_bytes);
        const unsigned n = 16 / lane_bytes;
        EXPECT_EQ(found(lane_bytes, [&](unsigned i) { return i / 2 + i % 2 * n; }), ShuffleOp::zip1);
        EXPECT_EQ(found(lane_bytes, [&](unsigned i) { return n / 2 + i / 2 + i % 2 * n; }), ShuffleOp::zip2);
        EXPECT_EQ(found(lane_bytes, [&](unsigned i) { return 2 * i; }), ShuffleOp::uzp1);
        EXPECT_EQ(found(lane_bytes, [&](unsigned i) { return 2 * i + 1; }), ShuffleOp::uzp2);
        EXPECT_EQ(found(lane_bytes, [&](unsigned i) { return i - i % 2 + i % 2 * n; }), ShuffleOp::trn1);
        EXPECT_EQ(found(lane_bytes, [&](unsigned i) { return i - i % 2 + 1 + i % 2 * n; }), ShuffleOp::trn2);
        EXPECT_EQ(found(lane_bytes, [&](unsigned i) { return i + n / 2 - 1; }), ShuffleOp::align);
        EXPECT_EQ(found(lane_bytes, [&](unsigned i) { return i ^ (8 / lane_bytes - 1); }), ShuffleOp::rev64);
        EXPECT_EQ(found(lane_bytes, [&](unsigned) { return n - 1; }), ShuffleOp::duplicate);
        EXPECT_EQ(found(lane_bytes, [&](unsigned i) { return i == 1 ? n : i; }), ShuffleOp::insert);
        EXPECT_EQ(found(lane_bytes, [&](unsigned i) { return n - 1 - i; }), ShuffleOp::table);
        EXPECT_EQ(found(lane_bytes, [&](unsigned i) { return i + i % 2 * n; }), ShuffleOp::table_among);
    }
    EXPECT_EQ(found(2, [](unsigned i) { return i ^ 1u; }), ShuffleOp::rev32);
    EXPECT_EQ(found(8, [](unsigned i) { return 2 * i; }), ShuffleOp::zip1);
    EXPECT_EQ(found(8, [](unsigned i) { return 2 * i + 1; }), ShuffleOp::zip2);
    EXPECT_EQ(found(8, [](unsigned i) { return i + 1; }), ShuffleOp::align);
}

TEST(Arm64Shuffle, a_source_itself_is_no_step) {
    Register wanted = make(4, [](unsigned i) { return 8 + i; });
    wanted.back() = {};
    const ShuffleProgram program = lower_shuffles(4, 3, {wanted, {}, Register(1)});
    EXPECT_TRUE(program.steps.empty());
    EXPECT_EQ(program.results, (std::vector<std::uint16_t>{2, 0, 0}));
}

TEST(Arm64Shuffle, what_is_not_there_is_refused) {
    const Register first(4, LaneSource{0, 0});
    EXPECT_THROW(lower_shuffles(1, 1, {first}), std::invalid_argument);
    EXPECT_THROW(lower_shuffles(4, 17, {first}), std::invalid_argument);
    EXPECT_THROW(lower_shuffles(4, 1, {Register(5)}), std::invalid_argument);
    EXPECT_THROW(lower_shuffles(4, 1, {{{1, 0}}}), std::invalid_argument);
    EXPECT_THROW(lower_shuffles(4, 1, {{{0, 4}}}), std::invalid_argument);
}

}  // namespace
}  // namespace seiche::test
