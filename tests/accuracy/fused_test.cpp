// Two passes in one launch, on the backend that SEICHE_TEST_DEVICE names: what lies between them stays in the memory of
// a group, or of the groups of a cluster; or the second trails the first, and finds it in a cache.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/accuracy/suite.hpp"

namespace seiche::accuracy {
namespace {

class Fused : public Suite {
protected:
    void SetUp() override {
        Suite::SetUp();
        if (device_ && device_->limits().vectors == Vectors::explicit_simd)
            GTEST_SKIP() << "SKIPPED: no device with groups of several threads";
    }

    void expect(const char* text, std::uint32_t groups, const std::vector<std::uint64_t>& passes = {}) {
        if (groups > std::max(1u, device_->limits().max_cluster_size) || !is_in_sample()) return;
        SCOPED_TRACE(std::string(text) + " in clusters of " + std::to_string(groups));
        Problem problem = parse_problem(text);
        problem.precision = GetParam();
        Tuning tuning;
        tuning.groups_per_cluster = groups;
        tuning.passes = passes;
        expect_accurate(problem, random_(), tuning);
    }

    void expect_trailing(const char* text, const std::vector<std::uint64_t>& passes = {}) {
        if (!device_->limits().waits_for_groups || !is_in_sample()) return;
        SCOPED_TRACE(std::string(text) + ", passes that trail each other");
        Problem problem = parse_problem(text);
        problem.precision = GetParam();
        Tuning tuning;
        tuning.trailing_passes = true;
        tuning.passes = passes;
        expect_accurate(problem, random_(), tuning);
    }

    /// Every one, or of those of a test every third: the interpreter has the same kernels.
    bool is_in_sample() { return full_sweep() || !compiles_slowly() || asked_++ % 3 == 0; }

    std::mt19937_64 random_{sample_seed() + 5};
    std::size_t asked_ = 0;
};

/// Slices of whole groups and others, passes of the same threads and others, more slices than groups wait at once.
TEST_P(Fused, passes_that_trail_each_other) {
    expect_trailing("4096 batch=9", {64, 64});
    expect_trailing("4095 batch=5", {63, 65});
    expect_trailing("8192 inverse-scale=1/n batch=2", {128, 64});
    expect_trailing("1024 planar batch=70", {32, 32});
    expect_trailing("64x64 batch=3");
    expect_trailing("30x48 batch=7");
    expect_trailing("25x40 batch=4 odist=1003");
    expect_trailing("17x12x50");
    expect_trailing("30x48 r2c batch=5");
    expect_trailing("6x30x60 r2c");
    if (GetParam() == Precision::f32) expect_trailing("64x64 storage=f16 batch=6");
}

/// The second has both cores of a padded convolution.
TEST_P(Fused, convolutions_that_trail) {
    expect_trailing("134 batch=9", {16, 18});
    expect_trailing("142 planar batch=5", {20, 16});
    expect_trailing("536 in-place inverse-scale=1/n batch=3", {36, 30});
    expect_trailing("201 istrides=2 idist=500 odist=230 batch=4", {36, 12});
}

/// The last two of three, whose slices are runs of what lies beside each other.
TEST_P(Fused, the_last_of_three_passes_trail_each_other) {
    expect_trailing("8192 batch=2", {32, 16, 16});
    expect_trailing("4096 in-place batch=3 inverse-scale=1/n", {32, 8, 16});
    expect_trailing("9216 planar", {48, 8, 24});
    expect_trailing("38400", {40, 32, 30});  // groups of 40 and 16 columns in f32, of 20 and 16 in f64: no runs of both
    expect_trailing("2x8192 axes=1", {64, 8, 16});
    if (GetParam() == Precision::f32) {
        expect_trailing("8192 storage=f16 batch=3", {32, 16, 16});
        expect_trailing("4095 storage=bf16 planar batch=2", {7, 39, 15});
    }
}

/// In place: the second pass goes back to where the first one loads, or both stay.
TEST_P(Fused, passes_in_place_that_trail_each_other) {
    expect_trailing("4096 in-place batch=5", {64, 64});
    expect_trailing("4095 in-place planar batch=3 inverse-scale=1/n", {63, 65});
    expect_trailing("64x64 in-place batch=3");
    expect_trailing("30x48 in-place batch=4 idist=1500 odist=1500");
    expect_trailing("5x32x16 in-place");
}

/// Planes that a group has on chip, whose third axis trails them.
TEST_P(Fused, third_axes_that_trail_planes) {
    expect_trailing("8x8x8 batch=9");
    expect_trailing("16x8x16 inverse-scale=1/n batch=3 in-place");
    expect_trailing("10x10x10 batch=4 odist=1001");
    expect_trailing("20x20x20 planar");
}

/// The first pass beside the spectrum, or the last: what lies between them is in the output, which is 4 KiB and 8 bytes
/// of each spectrum, in rows that begin anywhere, in planes, or behind gaps.
TEST_P(Fused, passes_of_real_axes_that_trail_each_other) {
    expect_trailing("4096 r2c batch=5", {64, 32});
    expect_trailing("4096 c2r batch=5", {32, 64});
    expect_trailing("8192 c2r batch=3", {64, 64});
    expect_trailing("2304 r2c oplanar batch=4 odist=1300", {32, 36});
    expect_trailing("3x4096 r2c batch=2 axes=1", {64, 32});
    expect_trailing("3x4096 c2r batch=2 axes=1 inverse-scale=1/n", {64, 32});
}

TEST_P(Fused, one_axis) {
    expect("64 batch=5", 1);
    expect("64 batch=5", 4);
    expect("256 batch=3 in-place", 2);
    expect("900 batch=2", 2);
    expect("1001 batch=3", 1);
    expect("1024", 16);
    expect("2048 batch=2 inverse-scale=1/n", 4, {32, 64});
    expect("4096 planar batch=2", 8, {128, 32});
    expect("512 istrides=3 idist=2000 odist=700 batch=3", 4);
    expect("8192 in-place", 2);
    expect("3600", 3, {48, 75});
}

/// One pass is Rader's or Bluestein's, or both are.
TEST_P(Fused, convolutions_in_a_group) {
    expect("365 batch=3 inverse-scale=1/n", 1, {5, 73});
    expect("730 in-place batch=2", 1, {73, 10});
    expect("249 batch=9", 1, {3, 83});
    expect("134 batch=33", 1, {2, 67});
    expect("1169 planar", 1, {7, 167});
    if (GetParam() == Precision::f32) expect("5329", 1, {73, 73});
    expect("2190 istrides=2 idist=5000 odist=2200 batch=2", 1, {30, 73});
    expect("730 r2c batch=3", 1, {5, 73});
    expect("365 r2c batch=2", 1, {5, 73});
    expect("498 r2c in-place inverse-scale=1/n", 1, {3, 83});
    expect("292 r2c batch=9", 1, {2, 73});
}

TEST_P(Fused, planes) {
    expect("8x8 batch=65", 1);
    expect("16x16 batch=5 in-place", 1);
    expect("12x20 batch=3", 1);
    expect("32x64", 2);
    expect("64x32 batch=2 inverse-scale=1/n", 4);
    expect("30x16 planar", 1);
    expect("32x16 istrides=20,1 idist=700 batch=2", 1);
}

/// All three axes: whole rows of a thread and parts of them, passes of different numbers of threads, the last group
/// with fewer cubes, axes beside the cube.
TEST_P(Fused, cubes) {
    for (const char* text : {"2x2x2 batch=150", "4x4x4 batch=9 in-place", "5x7x9 batch=3", "3x16x4 inverse-scale=1/n",
                             "7x7x7 planar", "4x6x32", "2x3x4x5 batch=2", "6x5x4 istrides=44,9,2 idist=300 batch=2"})
        expect(text, 1);
}

/// Rows of real numbers and the axis beside them: odd counts of points of a row, several planes of a group, columns and
/// their mirrors in the groups of a cluster, the last two axes of three.
TEST_P(Fused, planes_of_real_numbers) {
    for (const char* text :
         {"8x8 r2c batch=65", "8x8 c2r batch=65", "16x24 r2c in-place batch=3", "16x24 c2r in-place",
          "15x20 r2c batch=3", "15x20 c2r batch=3 inverse-scale=1/n", "12x10 r2c batch=4", "9x14 c2r batch=3",
          "30x16 r2c oplanar", "30x16 c2r iplanar", "6x8x16 r2c forward-scale=1/n", "6x8x16 c2r batch=2",
          "3x4x5x12 c2r in-place", "12x20 r2c batch=3 istrides=24,1 idist=300 ostrides=13,1 odist=170",
          "12x20 c2r batch=3 istrides=13,1 idist=170 ostrides=24,1 odist=300"})
        expect(text, 1);
    for (const std::uint32_t groups : {2u, 4u})
        for (const char* text :
             {"32x16 r2c batch=2", "32x16 c2r in-place", "12x48 r2c in-place", "20x48 c2r", "3x16x32 c2r"})
            expect(text, groups);
    if (GetParam() == Precision::f32)
        for (const char* text : {"16x20 r2c storage=f16", "16x20 c2r storage=f16"}) expect(text, 1);
}

/// Rows of an odd length and the axis beside them, and all axes of a cube: half of a row's spectrum crosses. Rows that
/// a thread has whole, and of several; in place; the last group with fewer transforms; axes beside the cube.
TEST_P(Fused, one_sided_rows) {
    for (const char* text : {"9x9 r2c batch=40",
                             "9x9 c2r batch=40",
                             "4x3 r2c batch=9",
                             "3x5 c2r in-place batch=7",
                             "14x27 r2c batch=3",
                             "27x14 c2r batch=3",
                             "20x33 r2c in-place batch=2",
                             "33x20 c2r inverse-scale=1/n",
                             "21x65 c2r iplanar",
                             "65x21 r2c oplanar",
                             "2x2x2 r2c batch=150",
                             "2x2x2 c2r batch=150",
                             "4x4x4 r2c batch=9 in-place",
                             "4x4x4 c2r batch=9 in-place",
                             "5x7x9 r2c batch=3",
                             "5x7x9 c2r batch=3 inverse-scale=1/n",
                             "3x8x26 r2c",
                             "3x8x26 c2r",
                             "8x3x40 c2r batch=2",
                             "2x3x4x5 r2c batch=2",
                             "2x3x4x5 c2r batch=2",
                             "3x2x5x6 c2r in-place"})
        expect(text, 1);
}

/// Planes of which no thread has a whole row: even rows of numbers whose bins have no points in common with the
/// columns, rows and columns that would leave too few registers. And planes of cubes that no group holds, beside an
/// axis.
TEST_P(Fused, planes_in_parts_and_of_real_cubes) {
    for (const char* text : {"28x100 r2c", "12x98 c2r batch=2", "10x66 r2c in-place batch=3", "10x66 c2r in-place",
                             "5x70 r2c batch=2", "10x126 batch=2", "52x25 in-place", "7x78 planar"})
        expect(text, 1);
    for (const char* text : {"60x22x21 r2c", "60x22x21 c2r in-place inverse-scale=1/n", "24x36x30 r2c in-place",
                             "24x36x30 c2r", "2x15x40x28 c2r", "18x40x35 r2c batch=2", "9x60x60 r2c"})
        expect(text, 1);
}

/// Planes and cubes of real-to-real kinds, of which a thread has whole rows.
TEST_P(Fused, blocks_of_real_numbers) {
    for (const char* kind : {"dct1", "dct2", "dct3", "dct4", "dst1", "dst2", "dst3", "dst4", "dht", "r2hc", "hc2r"})
        for (const char* shape : {"8x8 batch=21", "7x12 batch=10", "9x5 orthonormal", "4x6x5 batch=7"}) {
            std::string text = shape;
            text.insert(text.find(' '), std::string(" ") + kind);
            expect(text.c_str(), 1);
        }
    for (const char* text :
         {"16x16 dct2 in-place batch=9", "32x32 dct2,dct3", "24x24 dct4 inverse-scale=1/n batch=2",
          "2x2 dct2 batch=300", "3x2x2 dht batch=70", "20x40 dct2", "12x48 dst2 batch=3", "25x25 dct2", "48x36 dct3",
          "8x8x8 dct2 in-place batch=5 forward-scale=1/n", "10x10x10 dct2 batch=4", "5x20x10 dct1,dst3,dht",
          "3x9x8 dct2 axes=1,2 batch=5", "8x8 dct2 batch=6 istrides=11,1 idist=100 ostrides=9,1 odist=80",
          "6x8x8 dct2 istrides=80,10,1 batch=3 idist=500 odist=400", "4x6x8x8 dct2 axes=2,3 istrides=384,8,48,1"})
        expect(text, 1);
    if (GetParam() == Precision::f32)
        for (const char* text : {"8x8 dct2 storage=f16 batch=9", "16x16 dct3 storage=bf16", "6x8x8 dct4 storage=f16",
                                 "8x9 dst2 storage=f16 orthonormal batch=3"})
            expect(text, 1);
}

/// A part of a longer transform: its first two passes, its last two, or both.
TEST_P(Fused, tiles_of_a_longer_axis) {
    expect("4096 batch=3", 2, {16, 16, 16});
    expect("4096 in-place inverse-scale=1/n", 4, {64, 8, 8});
    expect("8192", 1, {16, 8, 64});
    expect("16384 planar batch=2", 4, {8, 16, 8, 16});
    expect("27000 batch=2", 5, {15, 20, 90});
    expect("5400", 3, {50, 9, 12});
    expect("4096 istrides=2 idist=9000 odist=4100 batch=2", 8, {8, 16, 32});
}

TEST_P(Fused, tiles_of_columns) {
    expect("256x48 axes=0", 2, {16, 16});
    expect("144x20 axes=0 batch=3 in-place", 4, {12, 12});
    expect("64x33 axes=0", 1, {8, 8});
    expect("256x16 axes=0 planar inverse-scale=1/n", 8, {8, 32});
}

INSTANTIATE_TEST_SUITE_P(Precisions, Fused, testing::Values(Precision::f32, Precision::f64), precision_name);

}  // namespace
}  // namespace seiche::accuracy
