// Shuffles of lanes lowered to x86: right by a model of each instruction, the model right by the processor, and few
// steps.
#include "emit/x86/shuffle.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <stdexcept>
#include <string>

#include "x86_shuffle_model.hpp"

namespace seiche::test {
namespace {

using emit::x86::InstructionSet;
using emit::x86::LaneSource;
using emit::x86::lower_shuffle;
using emit::x86::lower_shuffles;
using emit::x86::ShuffleOp;
using emit::x86::ShuffleProgram;
using emit::x86::ShuffleStep;
using Register = std::vector<LaneSource>;

/// A size of registers of an instruction set.
struct Target {
    InstructionSet set;
    unsigned bytes;
};
constexpr Target sse{InstructionSet::sse42, 16};
constexpr Target targets[] = {sse,
                              {InstructionSet::avx2, 16},
                              {InstructionSet::avx2, 32},
                              {InstructionSet::avx512, 16},
                              {InstructionSet::avx512, 32},
                              {InstructionSet::avx512, 64}};

std::vector<RegisterBytes> random_registers(unsigned count, unsigned bytes) {
    std::mt19937 random(7);
    std::vector<RegisterBytes> registers(count);
    for (RegisterBytes& r : registers)
        for (unsigned i = 0; i < bytes; ++i) r[i] = static_cast<std::uint8_t>(random());
    return registers;
}

std::string describe(const Target& target, unsigned lane_bytes, const std::vector<Register>& registers) {
    std::string text = "set " + std::to_string(static_cast<int>(target.set)) + ", " + std::to_string(target.bytes) +
                       " bytes, lanes of " + std::to_string(lane_bytes) + ":";
    for (const Register& lanes : registers) {
        for (const LaneSource& lane : lanes)
            text += lane.source == LaneSource::any
                        ? " ?"
                        : " " + std::string(1, static_cast<char>('a' + lane.source)) + std::to_string(lane.lane);
        text += ";";
    }
    return text;
}

/// Whether the set has the instruction for registers of this size.
bool is_of(ShuffleOp op, const Target& target) {
    using enum ShuffleOp;
    const bool avx512 = target.set == InstructionSet::avx512;
    switch (op) {
        case blend_16:
        case blend_32:
        case bit_or: return !avx512;
        case blend_masked_16:
        case blend_masked_32:
        case permute_across_16:
        case permute_two_16:
        case permute_two_32: return avx512;
        case broadcast_16:
        case broadcast_32: return target.set != InstructionSet::sse42;
        case broadcast_64:
        case permute_across_64:
        case permute_across_32: return target.bytes > 16;
        case permute_2x128: return target.set == InstructionSet::avx2 && target.bytes == 32;
        case shuffle_128:
        case align_across_32: return avx512 && target.bytes > 16;
        default: return true;
    }
}

bool steps_are_sound(const ShuffleProgram& program, const Target& target, unsigned sources) {
    for (std::size_t i = 0; i < program.steps.size(); ++i) {
        const ShuffleStep& step = program.steps[i];
        if (step.a >= sources + i || step.b >= sources + i || !is_of(step.op, target)) return false;
        if (!emit::x86::takes_two(step.op) && step.b != step.a) return false;
        if (!step.constant.empty() && step.constant.size() != target.bytes) return false;
        if (!emit::x86::takes_immediate(step.op) && step.immediate != 0) return false;
    }
    return true;
}

/// Lowers the registers, and proves what the steps make of random bytes.
ShuffleProgram lowered(const Target& target, unsigned lane_bytes, unsigned sources,
                       const std::vector<Register>& registers) {
    static const std::vector<RegisterBytes> all = random_registers(16, 64);
    ShuffleProgram program = lower_shuffles(target.set, target.bytes, lane_bytes, sources, registers);
    EXPECT_TRUE(steps_are_sound(program, target, sources)) << describe(target, lane_bytes, registers);
    const std::vector<RegisterBytes> results =
        model_program(program, target.bytes, {all.begin(), all.begin() + static_cast<int>(sources)});
    for (std::size_t r = 0; r < registers.size(); ++r)
        for (std::size_t i = 0; i < registers[r].size(); ++i) {
            const LaneSource lane = registers[r][i];
            if (lane.source == LaneSource::any) continue;
            const auto* const wanted = all[lane.source].data() + std::size_t{lane.lane} * lane_bytes;
            EXPECT_TRUE(std::equal(wanted, wanted + lane_bytes, results[r].data() + i * lane_bytes))
                << describe(target, lane_bytes, registers) << " register " << r << " lane " << i;
        }
    return program;
}
std::size_t steps_of(const Target& target, unsigned lane_bytes, unsigned sources, const Register& lanes) {
    return lowered(target, lane_bytes, sources, {lanes}).steps.size();
}

/// The most steps for any goal of one or two sources.
std::size_t most_steps(const Target& target, unsigned lane_bytes, unsigned sources) {
    if (target.set == InstructionSet::avx512) return 1;
    if (target.bytes == 32) return lane_bytes == 2 ? 4 * sources - 1 + sources : 2 * sources - 1;
    return sources == 1 || lane_bytes == 8 ? 1 : lane_bytes == 4 ? 2 : 3;
}

/// Lane `place` of all sources, one after the other.
LaneSource lane_at(const Target& target, unsigned lane_bytes, unsigned place) {
    const unsigned lanes = target.bytes / lane_bytes;
    return {static_cast<std::uint8_t>(place / lanes), static_cast<std::uint8_t>(place % lanes)};
}
template <typename Place>
Register make(const Target& target, unsigned lane_bytes, const Place& place) {
    Register lanes;
    for (unsigned i = 0; i < target.bytes / lane_bytes; ++i)
        lanes.push_back(lane_at(target, lane_bytes, static_cast<unsigned>(place(i))));
    return lanes;
}

/// Every register of few lanes, out of `sources`.
void check_all(const Target& target, unsigned lane_bytes, unsigned sources) {
    const unsigned lanes = target.bytes / lane_bytes, choices = lanes * sources;
    unsigned patterns = 1;
    for (unsigned i = 0; i < lanes; ++i) patterns *= choices;
    for (unsigned pattern = 0; pattern < patterns && !testing::Test::HasFailure(); ++pattern) {
        unsigned rest = pattern;
        const Register wanted = make(target, lane_bytes, [&](unsigned) {
            const unsigned place = rest % choices;
            rest /= choices;
            return place;
        });
        EXPECT_LE(steps_of(target, lane_bytes, sources, wanted), most_steps(target, lane_bytes, sources))
            << describe(target, lane_bytes, {wanted});
    }
}

TEST(X86Shuffle, every_pattern_of_two_and_four_lanes) {
    for (const Target& target : targets) {
        if (target.bytes == 16) check_all(target, 8, 1);
        if (target.bytes == 16) check_all(target, 8, 2);
        if (target.bytes / 4 == 4) check_all(target, 4, 1);
        if (target.bytes / 4 == 4) check_all(target, 4, 2);
        if (target.bytes / 8 == 4) check_all(target, 8, 1);
        if (target.bytes / 8 == 4) check_all(target, 8, 2);
    }
}

TEST(X86Shuffle, random_patterns_of_many_sources) {
    std::mt19937 random(1);
    for (const Target& target : targets)
        for (const unsigned lane_bytes : {2u, 4u, 8u})
            for (const unsigned sources : {1u, 2u, 3u, 4u, 8u, 16u})
                for (unsigned k = 0; k < 200 && !HasFailure(); ++k) {
                    const unsigned lanes = target.bytes / lane_bytes * sources;
                    Register wanted = make(target, lane_bytes, [&](unsigned) { return random() % lanes; });
                    for (LaneSource& lane : wanted)
                        if (k % 2 == 1 && random() % 3 == 0) lane = {};
                    const std::size_t steps = steps_of(target, lane_bytes, sources, wanted);
                    const bool is_bounded = sources <= 2 || target.set == InstructionSet::avx512;
                    const std::size_t most = sources <= 2 ? most_steps(target, lane_bytes, sources) : sources - 1;
                    EXPECT_TRUE(!is_bounded || steps <= most) << describe(target, lane_bytes, {wanted});
                }
}

TEST(X86Shuffle, a_source_itself_is_no_step) {
    for (const Target& target : targets)
        for (const unsigned lane_bytes : {2u, 4u, 8u}) {
            const unsigned lanes = target.bytes / lane_bytes;
            Register wanted = make(target, lane_bytes, [&](unsigned i) { return 2 * lanes + i; });
            wanted.back() = {};
            const ShuffleProgram program = lowered(target, lane_bytes, 3, {wanted, {}, Register(1)});
            EXPECT_TRUE(program.steps.empty());
            EXPECT_EQ(program.results, (std::vector<std::uint16_t>{2, 0, 0}));
        }
}

/// What kernels shuffle, in registers of L lanes.
struct Case {
    const char* name;
    unsigned lane_bytes;
    std::size_t sse, avx2, avx512;  ///< Steps in the widest registers.
};
/// The registers that a name asks for.
std::vector<Register> registers_of(const std::string& name, const Target& target, unsigned lane_bytes) {
    const unsigned lanes = target.bytes / lane_bytes, half = lanes / 2, block = 16 / lane_bytes;
    const auto one = [&](const auto& place) { return make(target, lane_bytes, place); };
    const Register even = one([](unsigned i) { return 2 * i; }), odd = one([](unsigned i) { return 2 * i + 1; });
    const Register low = one([&](unsigned i) { return i / 2 + i % 2 * lanes; });
    const Register high = one([&](unsigned i) { return i / 2 + lanes / 2 + i % 2 * lanes; });
    if (name == "even") return {even};
    if (name == "odd") return {odd};
    if (name == "even and odd") return {even, odd};
    if (name == "low interleaved") return {low};
    if (name == "high interleaved") return {high};
    if (name == "both interleaved") return {low, high};
    if (name == "reversed") return {one([&](unsigned i) { return lanes - 1 - i; })};
    if (name == "rotated across two") return {one([](unsigned i) { return i + 1; })};
    if (name == "rotated") return {one([&](unsigned i) { return (i + 1) % lanes; })};
    if (name == "first everywhere") return {one([](unsigned) { return 0; })};
    if (name == "last everywhere") return {one([&](unsigned) { return lanes - 1; })};
    if (name == "neighbours swapped") return {one([](unsigned i) { return i ^ 1u; })};
    if (name == "low halves") return {one([&](unsigned i) { return i < half ? i : i + half; })};
    if (name == "high halves") return {one([&](unsigned i) { return i < half ? i + half : i + lanes; })};
    if (name == "alternating") return {one([&](unsigned i) { return i + i % 2 * lanes; })};
    std::vector<Register> columns;
    for (unsigned c = 0; c < 4 && name == "every fourth"; ++c)
        columns.push_back(one([&](unsigned i) { return i * 4 + c; }));
    for (unsigned c = 0; c < 4 && name == "four interleaved"; ++c)
        columns.push_back(one([&](unsigned i) { return (c * lanes + i) % 4 * lanes + (c * lanes + i) / 4; }));
    if (!columns.empty()) return columns;
    const unsigned rows = name == "blocks transposed" ? block : lanes;
    for (unsigned c = 0; c < rows; ++c)
        columns.push_back(one([&](unsigned i) { return i % rows * lanes + i - i % rows + c; }));
    return columns;
}

class X86ShuffleCost : public testing::TestWithParam<Case> {};

TEST_P(X86ShuffleCost, is_as_promised) {
    const Case& c = GetParam();
    const std::size_t counts[] = {c.sse, c.avx2, c.avx512};
    const Target widest[] = {sse, targets[2], targets[5]};
    for (unsigned k = 0; k < 3; ++k) {
        const std::vector<Register> registers = registers_of(c.name, widest[k], c.lane_bytes);
        const ShuffleProgram program = lowered(widest[k], c.lane_bytes, 16, registers);
        EXPECT_EQ(program.steps.size(), counts[k]) << describe(widest[k], c.lane_bytes, registers);
    }
}

INSTANTIATE_TEST_SUITE_P(
    kernels, X86ShuffleCost,
    testing::Values(
        Case{"even", 4, 1, 2, 1}, Case{"odd", 4, 1, 2, 1}, Case{"even and odd", 4, 2, 4, 2},
        Case{"low interleaved", 4, 1, 2, 1}, Case{"high interleaved", 4, 1, 2, 1}, Case{"both interleaved", 4, 2, 4, 2},
        Case{"reversed", 4, 1, 1, 1}, Case{"rotated across two", 4, 1, 2, 1}, Case{"rotated", 4, 1, 1, 1},
        Case{"first everywhere", 4, 1, 1, 1}, Case{"last everywhere", 4, 1, 1, 1},
        Case{"neighbours swapped", 4, 1, 1, 1}, Case{"low halves", 4, 1, 1, 1}, Case{"high halves", 4, 1, 1, 1},
        Case{"alternating", 4, 1, 1, 1}, Case{"blocks transposed", 4, 8, 8, 8}, Case{"transposed", 4, 8, 24, 64},
        Case{"every fourth", 4, 8, 12, 12}, Case{"four interleaved", 4, 8, 12, 12}, Case{"every fourth", 8, 4, 8, 12},
        Case{"four interleaved", 8, 4, 8, 12}, Case{"even", 8, 1, 2, 1}, Case{"odd", 8, 1, 2, 1},
        Case{"even and odd", 8, 2, 4, 2}, Case{"low interleaved", 8, 1, 2, 1}, Case{"high interleaved", 8, 1, 2, 1},
        Case{"both interleaved", 8, 2, 4, 2}, Case{"reversed", 8, 1, 1, 1}, Case{"rotated across two", 8, 1, 2, 1},
        Case{"rotated", 8, 1, 1, 1}, Case{"first everywhere", 8, 1, 1, 1}, Case{"last everywhere", 8, 1, 1, 1},
        Case{"neighbours swapped", 8, 1, 1, 1}, Case{"low halves", 8, 1, 1, 1}, Case{"high halves", 8, 1, 1, 1},
        Case{"alternating", 8, 1, 1, 1}, Case{"blocks transposed", 8, 2, 2, 2}, Case{"transposed", 8, 2, 8, 24}),
    [](const testing::TestParamInfo<Case>& info) {
        std::string name = std::string(info.param.name) + "_" + std::to_string(info.param.lane_bytes);
        std::replace(name.begin(), name.end(), ' ', '_');
        return name;
    });

TEST(X86Shuffle, halves_interleaved_together_share_their_unpacks) {
    for (const unsigned lane_bytes : {4u, 8u}) {
        const ShuffleProgram program =
            lowered(targets[2], lane_bytes, 2, registers_of("both interleaved", targets[2], lane_bytes));
        ASSERT_EQ(program.steps.size(), 4u);
        for (const ShuffleStep& step : program.steps) EXPECT_TRUE(step.constant.empty());
        EXPECT_EQ(std::count_if(program.steps.begin(), program.steps.end(),
                                [](const ShuffleStep& s) { return s.op == ShuffleOp::permute_2x128; }),
                  2);
    }
}

TEST(X86Shuffle, what_is_not_there_is_refused) {
    const Register first(4, LaneSource{0, 0});
    EXPECT_THROW(lower_shuffle(InstructionSet::sse42, 32, 4, 1, first), std::invalid_argument);
    EXPECT_THROW(lower_shuffle(InstructionSet::avx2, 64, 4, 1, first), std::invalid_argument);
    EXPECT_THROW(lower_shuffle(InstructionSet::avx2, 16, 1, 1, first), std::invalid_argument);
    EXPECT_THROW(lower_shuffle(InstructionSet::avx2, 16, 4, 17, first), std::invalid_argument);
    EXPECT_THROW(lower_shuffle(InstructionSet::avx2, 16, 4, 1, Register(5)), std::invalid_argument);
    EXPECT_THROW(lower_shuffle(InstructionSet::avx2, 16, 4, 1, {{1, 0}}), std::invalid_argument);
    EXPECT_THROW(lower_shuffle(InstructionSet::avx2, 16, 4, 1, {{0, 4}}), std::invalid_argument);
}

/// A random constant that the instruction may have.
std::vector<std::uint8_t> random_constant(ShuffleOp op, unsigned bytes, std::mt19937& random) {
    using enum ShuffleOp;
    const bool two = op == permute_two_16 || op == permute_two_32;
    const bool words = op == permute_across_32 || op == permute_two_32;
    if (op != shuffle_bytes && !two && op != permute_across_16 && op != permute_across_32) return {};
    const unsigned width = op == shuffle_bytes ? 1 : words ? 4 : 2;
    const unsigned places = bytes / width * (two ? 2 : 1);
    std::vector<std::uint8_t> constant(bytes, 0);
    for (unsigned i = 0; i < bytes; i += width)
        constant[i] = static_cast<std::uint8_t>(op == shuffle_bytes ? (random() % 8 == 0 ? 0x80u : random() % 16)
                                                                    : random() % places);
    return constant;
}

/// Bits of the immediate that the instruction has.
unsigned immediate_bits(ShuffleOp op, unsigned bytes) {
    switch (op) {
        case ShuffleOp::shuffle_64: return (1u << bytes / 8) - 1;
        case ShuffleOp::blend_32: return (1u << bytes / 4) - 1;
        case ShuffleOp::align_bytes: return 15;
        case ShuffleOp::align_across_32: return bytes / 4 - 1;
        case ShuffleOp::permute_2x128: return 0x33;
        case ShuffleOp::shuffle_128: return bytes == 32 ? 3 : 0xff;
        default: return emit::x86::takes_immediate(op) ? 0xff : 0;
    }
}

TEST(X86Shuffle, the_model_is_what_the_processor_does) {
    std::mt19937 random(3);
    const std::vector<RegisterBytes> operands = random_registers(2, 64);
    bool tried = false;
    for (const Target& target : targets) {
        if (!has_instruction_set(target.set)) continue;
        tried = true;
        for (unsigned k = 0; k <= static_cast<unsigned>(ShuffleOp::permute_two_32); ++k) {
            ShuffleStep step;
            step.op = static_cast<ShuffleOp>(k);
            if (!is_of(step.op, target)) continue;
            const unsigned bits = immediate_bits(step.op, target.bytes);
            for (unsigned immediate = 0; immediate < 256; ++immediate) {
                step.immediate = static_cast<std::uint8_t>(immediate & bits);
                step.mask = static_cast<std::uint32_t>(random());
                step.constant = random_constant(step.op, target.bytes, random);
                const RegisterBytes model = model_step(step, target.bytes, operands[0], operands[1]);
                ASSERT_EQ(native_step(step, target.set, target.bytes, operands[0], operands[1]), model)
                    << "set " << static_cast<int>(target.set) << ", " << target.bytes << " bytes, op " << k
                    << ", immediate " << immediate;
            }
        }
    }
    if (!tried) GTEST_SKIP() << "not an x86-64 processor";
}

}  // namespace
}  // namespace seiche::test
