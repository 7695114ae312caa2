// Kernels of common lengths compile for two generations of cards without spilling a register, but for one that is
// known.
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

#include "exec/inspect.hpp"
#include "runtime/cuda/nvrtc.hpp"
#include "tests/unit/kernels/assembler_report.hpp"

namespace seiche::test {
namespace {

const runtime::cuda::Nvrtc& nvrtc() {
    static const runtime::cuda::Nvrtc loaded = runtime::cuda::load_nvrtc(runtime::cuda::nvrtc_candidates(), 0);
    return loaded;
}

struct Card {
    const char* architecture;
    std::uint32_t shared_bytes;
    std::uint32_t compute_units;
};

DeviceLimits limits_of(const Card& card) {
    DeviceLimits limits;
    limits.architecture = card.architecture;
    limits.shared_bytes = card.shared_bytes;
    limits.shared_bytes_per_unit = card.shared_bytes + 1024;
    limits.compute_units = card.compute_units;
    limits.fp16_arithmetic = true;
    limits.max_cluster_size = limits.architecture == "sm_90" ? 16 : 1;
    return limits;
}

std::string assembler_report(emit::Source source) {
    source.options.push_back("--ptxas-options=-v");
    std::string log;
    EXPECT_NO_THROW(runtime::cuda::compile_with_nvrtc(nvrtc(), source, &log)) << log;
    return log;
}

std::vector<exec::GeneratedKernel> kernels_for(const Problem& problem, const Card& card, const Tuning& tuning = {}) {
    emit::Target target;
    target.dialect = emit::Dialect::cuda;
    target.architecture = card.architecture;
    return exec::sources(problem::normalise(problem), limits_of(card), {Direction::forward, tuning}, target);
}

/// Of Rader's 1009 points the compiler puts two numbers of a thread aside to have two groups more on a unit: measured
/// on an H100, 0.63 of copy so, and 0.57 where it is asked for fewer groups and spills nothing. Of doubles it puts more
/// aside to have three: on an H200 0.41 of copy so, 0.38 of two groups that spill nothing.
/// Of 1536 doubles of types II and III it puts one aside on sm_80, where bins meet in shared memory; in registers,
/// where it spills nothing, 4096 doubles take longer on an H200 and 1024 as long. 2^16 points in a cluster have 64
/// registers for 32 numbers and their factors; on an H200 they take within 1 % of the time as before some of them
/// spilled. 3000 doubles, three groups to a unit, put one number aside
/// where they are compiled from CUDA C, as many as seven on sm_80, none from PTX. Bluestein's 1031 doubles (2304 as 24
/// x 12 x 8) put one or three aside and were the fastest all the same: on an H100 22 ns a transform, 24 and more of
/// other radices. 2018 points (4096) put one register aside, doubles as many as 25, in two groups of a unit: 0.36 ms of
/// 256 MiB there, alone on it 0.43 (LAB-0088). Of 257 doubles it puts one
/// number aside from CUDA C on sm_90, none from PTX, which is what a card gets and as fast as before.
int most_spilled_bytes(const Problem& problem) {
    if (problem.lengths.front() == 1009) return problem.precision == Precision::f32 ? 16 : 136;
    if (problem.lengths.front() == 257 && problem.precision == Precision::f64) return 4;
    if (problem.lengths.front() == 1031 && problem.precision == Precision::f64) return 24;
    if (problem.lengths.front() == 2018) return problem.precision == Precision::f32 ? 4 : 100;
    if (problem.lengths.front() == 3000 && problem.precision == Precision::f64) return 56;
    if (problem.lengths.front() == 65536 && problem.precision == Precision::f32) return 32;
    return problem.lengths.front() == 1536 && problem.precision == Precision::f64 ? 8 : 0;
}

void expect_no_spill(const Problem& problem, const Card& card, const Tuning& tuning = {}) {
    SCOPED_TRACE(to_string(problem) + " on " + card.architecture);
    for (const exec::GeneratedKernel& kernel : kernels_for(problem, card, tuning)) {
        const std::string log = assembler_report(kernel.source);
        const int stored = number_before(log, "bytes spill stores"), loaded = number_before(log, "bytes spill loads");
        EXPECT_GE(std::min(stored, loaded), 0) << log;
        EXPECT_LE(std::max(stored, loaded), most_spilled_bytes(problem)) << log;
        const int threads = static_cast<int>(kernel.source.group[0]);
        const int registers = number_before(log, "registers");
        EXPECT_GT(registers, 0) << log;
        EXPECT_LE(registers * threads, 65536) << "a group would not fit: " << log;
    }
}

// The report is really read: with too few registers there is something to see.
TEST(SpillReport, SeesOneThatIsForced) {
    if (!nvrtc().problem.empty()) GTEST_SKIP() << nvrtc().problem;
    Problem problem;
    problem.lengths = {4096};
    problem.precision = Precision::f64;
    emit::Source source = kernels_for(problem, {"sm_90", 227 * 1024, 132}).front().source;
    source.text =
        std::regex_replace(source.text, std::regex("__launch_bounds__\\([^)]*\\)"), "__launch_bounds__(1024, 2)");
    EXPECT_GT(number_before(assembler_report(source), "bytes spill stores"), 0);
}

const Card cards[] = {{"sm_80", 163 * 1024, 108}, {"sm_90", 227 * 1024, 132}};

class Spill : public testing::TestWithParam<std::tuple<std::uint64_t, Precision>> {};

TEST_P(Spill, NoneForTwoGenerationsOfCards) {
    if (!nvrtc().problem.empty()) GTEST_SKIP() << nvrtc().problem;
    Problem problem;
    problem.lengths = {std::get<0>(GetParam())};
    problem.batch = 64;
    problem.precision = std::get<1>(GetParam());
    for (const Card& card : cards) expect_no_spill(problem, card);
}

/// A thread has two butterflies' points at both ends.
TEST(SpillOfCosines, None) {
    if (!nvrtc().problem.empty()) GTEST_SKIP() << nvrtc().problem;
    for (const std::uint64_t n : {250, 500, 1024, 1536, 2048, 4096, 8192}) {
        for (const Kind kind : {Kind::dct2, Kind::dct3}) {
            for (const Precision precision : {Precision::f32, Precision::f64}) {
                Problem problem;
                problem.lengths = {n};
                problem.batch = 64;
                problem.kind = kind;
                problem.precision = precision;
                for (const Card& card : cards) expect_no_spill(problem, card);
            }
        }
    }
}

/// Two passes in one kernel, a transform to a cluster.
TEST(SpillOfClusters, None) {
    if (!nvrtc().problem.empty()) GTEST_SKIP() << nvrtc().problem;
    const std::pair<const char*, std::uint32_t> all[] = {
        {"32768", 8},     {"32768", 4},      {"65536", 8},    {"65536", 16},  {"131072", 8},
        {"262144", 16},   {"64x64", 1},      {"128x128", 1},  {"256x256", 8}, {"16384 f64", 4},
        {"32768 f64", 8}, {"65536 f64", 16}, {"32768 f16", 2}};
    for (const auto& [text, groups] : all) {
        Problem problem = parse_problem(text);
        problem.batch = 16;
        Tuning tuning;
        tuning.groups_per_cluster = groups;
        expect_no_spill(problem, cards[1], tuning);
    }
}

INSTANTIATE_TEST_SUITE_P(Lengths, Spill,
                         testing::Combine(testing::Values(17, 23, 31, 37, 48, 61, 64, 127, 128, 256, 257, 512, 1000,
                                                          1009, 1024, 1031, 1536, 2018, 2048, 2187, 3000, 4096, 8192,
                                                          16384, 1 << 20),
                                          testing::Values(Precision::f32, Precision::f64)),
                         [](const auto& info) {
                             return "n" + std::to_string(std::get<0>(info.param)) + "_" +
                                    to_string(std::get<1>(info.param));
                         });
INSTANTIATE_TEST_SUITE_P(Half, Spill,
                         testing::Combine(testing::Values(31, 64, 1000, 1009, 1031, 4096, 8192, 1 << 20),
                                          testing::Values(Precision::f16)),
                         [](const auto& info) { return "n" + std::to_string(std::get<0>(info.param)); });
INSTANTIATE_TEST_SUITE_P(DoubleDouble, Spill,
                         testing::Combine(testing::Values(13, 64, 512), testing::Values(Precision::f64x2)),
                         [](const auto& info) { return "n" + std::to_string(std::get<0>(info.param)); });

}  // namespace
}  // namespace seiche::test
