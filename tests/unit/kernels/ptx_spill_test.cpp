// Kernels of common problems become PTX that assembles for a card without spilling more than NVRTC's machine code of
// the same kernels does.
#include <gtest/gtest.h>

#include <algorithm>

#include "exec/inspect.hpp"
#include "ptxas.hpp"
#include "tests/unit/kernels/assembler_report.hpp"

namespace seiche::test {
namespace {

/// Of columns of 1024 points NVRTC's code puts 16 bytes aside, and none of three axes.
struct Case {
    const char* name;
    const char* problem;
    int most_spilled = 0;
    std::uint32_t groups_per_cluster = 0;
    Direction direction = Direction::forward;
    bool trails = false;  ///< Two passes in one launch.
};

class PtxSpill : public testing::TestWithParam<Case> {};

TEST_P(PtxSpill, is_none_or_known) {
    if (!has_ptxas()) GTEST_SKIP() << "no ptxas on this machine";
    emit::Target target;
    target.dialect = emit::Dialect::ptx;
    target.architecture = "sm_90";
    target.waits_for_previous = true;
    const Problem problem = parse_problem(GetParam().problem);
    Tuning tuning;
    if (GetParam().groups_per_cluster != 0) tuning.groups_per_cluster = GetParam().groups_per_cluster;
    tuning.trailing_passes = GetParam().trails;
    const std::vector<exec::GeneratedKernel> kernels =
        exec::sources(problem::normalise(problem), with_clusters_and_halves(), {GetParam().direction, tuning}, target);
    EXPECT_FALSE(kernels.empty());
    for (const exec::GeneratedKernel& kernel : kernels) {
        const Assembly made = assemble(kernel.source.text, "sm_90");
        ASSERT_TRUE(made.succeeded) << made.log << kernel.source.text;
        const int stored = number_before(made.log, "bytes spill stores"),
                  loaded = number_before(made.log, "bytes spill loads"),
                  registers = number_before(made.log, "registers");
        EXPECT_GE(std::min(stored, loaded), 0) << made.log;
        EXPECT_LE(std::max(stored, loaded), GetParam().most_spilled) << kernel.source.entry << made.log;
        EXPECT_GT(registers, 0) << made.log;
        EXPECT_LE(registers * static_cast<int>(kernel.source.group[0]), 65536) << made.log;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Problems, PtxSpill,
    testing::Values(
        Case{"n8", "8 batch=64"}, Case{"n64", "64 batch=64"}, Case{"n256", "256 batch=64"},
        Case{"n1024", "1024 batch=64"}, Case{"n4096", "4096 batch=64"}, Case{"n8192", "8192 batch=64"},
        Case{"n16384", "16384 batch=64"}, Case{"n1000", "1000 batch=64"}, Case{"n2187", "2187 batch=64"},
        Case{"n3000", "3000 batch=64"}, Case{"n37", "37 batch=64"}, Case{"rader", "1009 batch=64", 16},
        Case{"bluestein", "1031 batch=64"}, Case{"cluster", "65536 batch=64", 32, 8},
        Case{"cluster_of_16", "65536 batch=1024", 0, 16}, Case{"cluster_of_reals", "131072 r2c batch=1024", 0, 16},
        Case{"cluster_to_reals", "131072 c2r batch=1024", 0, 16, Direction::inverse},
        Case{"cluster_of_real_doubles", "32768 r2c f64 batch=2048", 0, 8}, Case{"n2_20", "1048576"},
        Case{"trailing", "1048576", 0, 0, Direction::forward, true}, Case{"n2_22", "4194304"},
        Case{"double_1024", "1024 f64 batch=64"}, Case{"double_4096", "4096 f64 batch=64"},
        Case{"double_4320", "4320 f64 batch=64"}, Case{"double_6561", "6561 f64 batch=64"},
        Case{"double_7680", "7680 f64 batch=64", 92}, Case{"double_8192", "8192 f64 batch=4096"},
        Case{"double_rader", "1009 f64 batch=64", 136}, Case{"parity", "11003 batch=64"},
        Case{"double_parity_4093", "4093 f64 batch=64", 64}, Case{"double_parity_8179", "8179 f64 batch=64"},
        Case{"double_radix_29", "523 f64 batch=64"}, Case{"double_columns_31", "3163x16 f64 axes=0", 256},
        Case{"double_columns_23", "1381x16 f64 axes=0", 16}, Case{"double_slots_of_14", "4621 f64 batch=64"},
        Case{"double_slots_of_18", "6553 f64 batch=64"}, Case{"half", "4096 f16 batch=64"},
        Case{"half_1000", "1000 f16 batch=64"}, Case{"double_double", "64 f64x2 batch=64"},
        Case{"real", "4096 r2c batch=64"}, Case{"complex_to_real", "4096 c2r batch=64", 0, 0, Direction::inverse},
        Case{"odd_real", "1000 r2c f64 batch=64"}, Case{"cosine", "1024 dct2 batch=64"},
        Case{"cosine_3", "1000 dct3 f64 batch=64"}, Case{"two_axes", "256x256 batch=64"},
        Case{"block", "80x80 dct2 batch=64"}, Case{"block_of_doubles", "48x48 dct4 f64 batch=64"},
        Case{"cubic_block", "24x24x24 dct2 batch=64"}, Case{"columns", "1024x384 batch=64", 24},
        Case{"cosine_columns", "2048x64 dct4 axes=0 batch=64", 4},
        Case{"short_cosine_columns", "512x64 dct4 axes=0 batch=64"},
        Case{"double_cosine_columns", "2160x64 dct4 f64 axes=0 batch=64", 8},
        Case{"three_axes", "128x64x32 batch=64", 4}),
    [](const auto& info) { return info.param.name; });

// Without a bound these take 190, 180, 168, 70 and 94 registers a thread, and a half to three quarters of the groups
// fit.
TEST(PtxRegisters, leave_as_many_groups_as_those_of_nvrtc) {
    if (!has_ptxas()) GTEST_SKIP() << "no ptxas on this machine";
    emit::Target target;
    target.dialect = emit::Dialect::ptx;
    target.architecture = "sm_90";
    constexpr int warp = 32, step = 8, registers_of_unit = 65536;
    for (const auto& [problem, groups] : std::vector<std::pair<const char*, int>>{{"16384 f64 batch=2048", 4},
                                                                                  {"32768 f64 batch=1024", 2},
                                                                                  {"4093 batch=16384", 2},
                                                                                  {"4096 f16 batch=32768", 4},
                                                                                  {"1009 batch=66510", 10},
                                                                                  {"65536 batch=1024", 4},
                                                                                  {"131072 batch=512", 2}}) {
        const std::vector<exec::GeneratedKernel> kernels = exec::sources(
            problem::normalise(parse_problem(problem)), with_clusters_and_halves(), {Direction::forward, {}}, target);
        ASSERT_EQ(kernels.size(), 1u) << problem;
        const Assembly made = assemble(kernels.front().source.text, "sm_90");
        ASSERT_TRUE(made.succeeded) << made.log;
        ASSERT_GT(number_before(made.log, "registers"), 0) << made.log;
        const int registers = (number_before(made.log, "registers") + step - 1) / step * step;
        const int warps = (static_cast<int>(kernels.front().source.group[0]) + warp - 1) / warp;
        EXPECT_GE(registers_of_unit / (registers * warp * warps), groups) << problem << made.log;
    }
}

TEST(PtxRegisters, are_bounded_for_no_more_groups_than_a_unit_gets) {
    emit::Target target;
    target.dialect = emit::Dialect::ptx;
    target.architecture = "sm_90";
    for (const auto& [problem, groups] : std::vector<std::pair<const char*, int>>{
             {"65536", 1}, {"65536 batch=16", 2}, {"65536 batch=17", 3}, {"65536 batch=1024", 4}}) {
        const std::vector<exec::GeneratedKernel> kernels = exec::sources(
            problem::normalise(parse_problem(problem)), with_clusters_and_halves(), {Direction::forward, {}}, target);
        ASSERT_EQ(kernels.size(), 1u) << problem;
        const std::string bound = ".minnctapersm " + std::to_string(groups) + "\n";
        EXPECT_NE(kernels.front().source.text.find(bound), std::string::npos) << problem << ' ' << bound;
    }
}

}  // namespace
}  // namespace seiche::test
