// Planes, cubes and columns of any length: how they are divided among groups and threads (LAB-0107).
#include <gtest/gtest.h>

#include <string>
#include <variant>
#include <vector>

#include "kernels/contract/generate.hpp"
#include "planner/recipe.hpp"
#include "seiche/problem.hpp"
#include "tests/unit/planner/card_of_kind.hpp"

namespace seiche {
namespace {

std::vector<kernels::KernelSpec> kernels_of(const std::string& text, Direction direction = Direction::forward,
                                            const DeviceLimits& limits = card_of_kind()) {
    const problem::Canonical canonical = problem::normalise(parse_problem(text));
    const planner::Recipe recipe = planner::design(canonical, limits, {});
    std::vector<kernels::KernelSpec> specs;
    for (const planner::Step& step : planner::plan(recipe, canonical, limits, {direction, {}}).schedule.steps)
        specs.push_back(step.spec);
    return specs;
}

kernels::GroupShape shape_of(const kernels::KernelSpec& spec) { return std::get<kernels::GroupShape>(spec.shape); }

/// Groups of a cluster, threads and sequences of the first pass, of a problem whose first kernel has two.
struct Division {
    std::uint32_t groups, threads, sequences;
    bool operator==(const Division&) const = default;
};

Division division(const std::string& text, Direction direction = Direction::forward) {
    const kernels::KernelSpec spec = kernels_of(text, direction).front();
    EXPECT_EQ(spec.on_chip.next.size(), 1u) << text;
    const kernels::GroupShape shape = shape_of(spec);
    return {shape.groups_per_cluster, shape.threads, shape.sequences};
}

TEST(Planes, OfWholeRows) {
    EXPECT_EQ(division("4x4 batch=99999"), (Division{1, 1, 64}));
    EXPECT_EQ(division("9x9 batch=99999"), (Division{1, 1, 36}));
    EXPECT_EQ(division("12x12 batch=99999"), (Division{1, 1, 48}));
    EXPECT_EQ(division("30x30 batch=99999"), (Division{1, 1, 120})) << "fewer leave no first cache";
    EXPECT_EQ(division("20x20 batch=9999 f64"), (Division{1, 1, 40}));
}

// What a thread's row has of memory comes by way of shared memory: many sectors, but for the shortest rows.
TEST(Planes, OfRowsThatComeThroughSharedMemory) {
    EXPECT_EQ(division("16x16 batch=99999"), (Division{1, 1, 32}));
    EXPECT_EQ(division("32x32 batch=99999"), (Division{1, 1, 32}));
    const auto has_rows_in = [](const char* text) { return kernels_of(text).front().in.has_rows(); };
    for (const char* text : {"8x8 batch=999", "24x24 batch=999", "100x32 batch=999", "12x12x12 f64 batch=99",
                             "16x16 r2c batch=999", "60x60 r2c batch=999", "48x48 r2c f64 batch=999"})
        EXPECT_TRUE(has_rows_in(text)) << text;
    EXPECT_TRUE(has_rows_in("128x16 r2c batch=999"));
    for (const char* text : {"4x4 batch=999", "32x32 f64 batch=999", "12x12 r2c batch=999", "60x20 r2c batch=999",
                             "20x20x20 r2c batch=99", "45x15 r2c batch=999"})
        EXPECT_FALSE(has_rows_in(text)) << text;
}

TEST(Planes, OfPartsOfRows) {
    for (const char* text : {"24x24 batch=9999 f64", "32x32 batch=9999 f64"})
        EXPECT_EQ(division(text).threads, 4u) << text;
}

// Even rows of real numbers that a thread has whole, and as many threads of its columns; of others bins meet on chip.
TEST(Planes, OfRealNumbers) {
    const auto columns_of = [](const char* text) { return shape_of(kernels_of(text).front().on_chip.next.front()); };
    EXPECT_EQ(division("60x60 r2c batch=9999"), (Division{1, 1, 60}));
    EXPECT_EQ(columns_of("60x60 r2c batch=9999").threads, 2u);
    EXPECT_EQ(division("80x80 r2c batch=9999"), (Division{1, 1, 80}));
    EXPECT_EQ(columns_of("80x80 r2c batch=9999").threads, 2u);
    EXPECT_EQ(division("128x32 r2c batch=9999"), (Division{1, 1, 128}));
    EXPECT_EQ(division("36x36 r2c batch=9999").sequences, 72u) << "two planes, which leave fewer lanes idle";
    for (const char* text :
         {"64x64 r2c batch=999", "90x90 r2c batch=999", "32x64 r2c batch=999", "64x64 r2c f64 batch=99"})
        EXPECT_TRUE(kernels_of(text).front().on_chip.next.front().out.bins() != nullptr) << text;
    EXPECT_EQ(division("120x120 r2c batch=999"), (Division{1, 4, 120}))
        << "480 threads, of which a unit has two groups";
    const auto of_inverse = [](const char* text) { return kernels_of(text, Direction::inverse).front(); };
    EXPECT_EQ(shape_of(of_inverse("60x60 c2r batch=9999")).sequences, 31u);
    EXPECT_FALSE(of_inverse("72x72 c2r batch=999").in.bins() != nullptr);
    EXPECT_TRUE(of_inverse("80x80 c2r batch=999").in.bins() != nullptr);
}

// Rows that do not begin at pairs of numbers, or that a thread has no registers for, are not a thread's.
TEST(Planes, OfRealNumbersThatAreNoPairs) {
    for (const char* text : {"60x60 r2c ioffset=4 batch=9", "30x30 r2c ioffset=4 batch=9",
                             "12x12x12 r2c ioffset=4 batch=9", "66x66 f64 r2c batch=9"})
        EXPECT_FALSE(kernels_of(text).front().in.has_pairs()) << text;
    for (const char* text :
         {"60x60 r2c idist=3601 batch=9", "3x60x60 r2c axes=1,2 istrides=3601,60,1 ostrides=1860,31,1"})
        EXPECT_EQ(kernels_of(text).front().n, 30u) << text;
    EXPECT_TRUE(kernels_of("60x60 r2c ioffset=8 batch=9").front().in.has_pairs());
    const auto stores_pairs = [](const char* text) {
        return kernels::last_pass(kernels_of(text, Direction::inverse).back()).out.has_pairs();
    };
    EXPECT_TRUE(stores_pairs("60x60 c2r batch=9"));
    EXPECT_FALSE(stores_pairs("60x60 c2r ooffset=4 batch=9"));
    DeviceLimits few = card_of_kind();
    few.registers_per_thread = 64;
    EXPECT_TRUE(kernels_of("28x28 r2c batch=9", Direction::forward, few).front().in.has_pairs());
    EXPECT_FALSE(kernels_of("60x60 r2c batch=9", Direction::forward, few).front().in.has_pairs());
}

/// Threads of both passes.
struct Threads {
    std::uint32_t first, second;
    bool operator==(const Threads&) const = default;
};

Threads threads_of(const std::string& text, Direction direction = Direction::forward) {
    const std::vector<kernels::KernelSpec> specs = kernels_of(text, direction);
    const kernels::KernelSpec& plane = direction == Direction::forward ? specs.front() : specs.back();
    EXPECT_EQ(plane.on_chip.next.size(), 1u) << text;
    return {shape_of(plane).threads, shape_of(plane.on_chip.next.front()).threads};
}

// The planes of a cube that no group holds, in front of the third axis or behind it.
TEST(Planes, OfRealCubes) {
    EXPECT_EQ(threads_of("50x63x20 r2c batch=99"), (Threads{1, 7}));
    EXPECT_EQ(threads_of("60x60x60 r2c batch=99"), (Threads{1, 2})) << "whole rows, as in planes by themselves";
    EXPECT_EQ(threads_of("60x60x60 c2r batch=99", Direction::inverse), (Threads{2, 1}));
    EXPECT_EQ(threads_of("208x21x39 c2r batch=99", Direction::inverse), (Threads{1, 3}));
    for (const char* text : {"50x63x20 r2c batch=99", "60x60x60 r2c batch=99"})
        EXPECT_EQ(kernels_of(text).size(), 2u) << text;
    EXPECT_EQ(kernels_of("208x21x39 c2r batch=99", Direction::inverse).size(), 2u);
    EXPECT_EQ(kernels_of("16x16x16 r2c batch=99").front().on_chip.next.front().on_chip.next.size(), 1u)
        << "a group has all of it";
}

// Even rows whose bins can meet in no points that threads of both axes have are one-sided, in parts.
/// Elements of others between the rows, or the planes: as many kernels as where there are none.
TEST(Planes, OfPitchedArrays) {
    struct Pitched {
        const char *dense, *strides;
    };
    for (const auto& [dense, strides] :
         {Pitched{"100x100x100", " istrides=11648,112,1 ostrides=11648,112,1"},
          Pitched{"100x100x100", " istrides=11648,112,1"}, Pitched{"16x16x16 batch=4", " istrides=400,20,1"},
          Pitched{"100x100x100 r2c", " istrides=11648,112,1 ostrides=5824,56,1"},
          Pitched{"100x100x100 r2c in-place", " istrides=11648,112,1 ostrides=5824,56,1"},
          Pitched{"75x75x75 r2c", " istrides=6401,81,1"}, Pitched{"16x16x16 r2c batch=4", " ostrides=200,10,1"}})
        EXPECT_EQ(kernels_of(dense + std::string(strides)).size(), kernels_of(dense).size()) << dense << strides;
    const std::string strides = " istrides=5824,56,1 ostrides=11648,112,1";
    EXPECT_EQ(kernels_of("100x100x100 c2r" + strides, Direction::inverse).size(), 2u);
    // Rows of an even length are taken in pairs, which begin at even places.
    EXPECT_EQ(kernels_of("100x100x100 r2c istrides=11100,111,1").size(), 3u);
}

/// Clusters of more groups while every group has a multiprocessor.
TEST(Planes, FewAreInClusters) {
    const auto groups = [](const char* text, Direction direction = Direction::forward) {
        const kernels::KernelSpec spec = kernels_of(text, direction).front();
        return spec.on_chip.next.empty() ? 0u : shape_of(spec).groups_per_cluster;
    };
    EXPECT_EQ(groups("64x64 r2c"), 1u) << "too short";
    for (const char* text : {"96x96 r2c", "112x112 r2c f64 batch=32", "128x128 r2c batch=9", "144x144 r2c batch=33",
                             "80x80 batch=32", "160x160 r2c batch=32"})
        EXPECT_EQ(groups(text), 4u) << text;
    EXPECT_EQ(groups("144x144 c2r", Direction::inverse), 4u) << "8 divide no whole accesses of columns";
    for (const char* text : {"160x160 r2c", "160x160 batch=16", "256x256 r2c batch=16", "144x144 f64 batch=4"})
        EXPECT_EQ(groups(text), 8u) << text;
    EXPECT_EQ(groups("192x192 c2r batch=8", Direction::inverse), 8u);
    EXPECT_EQ(groups("192x192 c2r batch=16", Direction::inverse), 0u);
    EXPECT_EQ(groups("128x128 r2c batch=34"), 1u) << "fewer multiprocessors than groups of clusters";
    EXPECT_EQ(groups("96x96"), 16u);
    EXPECT_EQ(groups("128x128 batch=8"), 16u);
}

/// Planes in one group each, of which a wave or two leaves multiprocessors idle, are passes by themselves.
TEST(Planes, LeaveNoMultiprocessorsIdle) {
    for (const char* text : {"144x144x144 r2c", "160x160x160 r2c", "90x90x90 f64"})
        EXPECT_EQ(kernels_of(text).size(), 3u) << text;
    for (const char* text : {"128x128x128 r2c", "100x100x100 r2c", "144x144x144 r2c batch=3", "80x80x80"})
        EXPECT_EQ(kernels_of(text).size(), 2u) << text;
}

/// As many blocks as there are multiprocessors: passes by themselves, fewer columns of a group.
TEST(Planes, FewTakeAllMultiprocessors) {
    EXPECT_EQ(kernels_of("256x256").size(), 2u);
    EXPECT_EQ(shape_of(kernels_of("512x512").back()).sequences, 4u) << "a sector";
    EXPECT_EQ(shape_of(kernels_of("512x512 f64").back()).sequences, 4u) << "128 groups";
    EXPECT_EQ(shape_of(kernels_of("512x512 batch=2").back()).sequences, 8u) << "128 groups";
    EXPECT_EQ(shape_of(kernels_of("512x512 batch=9999").back()).sequences, 16u);
}

TEST(Planes, OfEvenRowsInParts) {
    EXPECT_EQ(threads_of("28x100 r2c batch=99"), (Threads{10, 1}));
    EXPECT_EQ(threads_of("14x120 r2c batch=99"), (Threads{12, 1}));
    EXPECT_EQ(threads_of("10x110 r2c f64 batch=99"), (Threads{11, 1}));
    EXPECT_TRUE(kernels_of("100x100 r2c batch=99").front().on_chip.next.front().out.bins() != nullptr);
    for (const char* text : {"33x280 r2c batch=99", "11x286 r2c f64 batch=99", "52x210 r2c batch=99"})
        EXPECT_EQ(kernels_of(text).size(), 2u) << text << " would be a group alone on its unit";
    EXPECT_EQ(kernels_of("77x78 c2r batch=99", Direction::inverse).size(), 2u);
}

// Threads whose slots are not half empty, and that have registers beside the pass with the most of them.
TEST(Planes, WithoutEmptySlots) {
    EXPECT_EQ(threads_of("210x15 c2r batch=99", Direction::inverse), (Threads{15, 1}));
    EXPECT_EQ(threads_of("240x10 r2c batch=99"), (Threads{1, 16}));
    EXPECT_EQ(threads_of("175x20 c2r batch=99", Direction::inverse), (Threads{25, 1})) << "three stages either way";
    EXPECT_EQ(threads_of("35x20 f64 batch=99"), (Threads{1, 5}));
    EXPECT_EQ(threads_of("52x25 f64 batch=99"), (Threads{1, 4})) << "16 points of a thread";
    EXPECT_EQ(threads_of("30x126 f64 batch=99"), (Threads{21, 3})) << "no whole columns beside 630 threads";
    EXPECT_EQ(kernels_of("88x78 f64 batch=99").size(), 2u) << "858 threads would spill";
    EXPECT_EQ(threads_of("25x63 r2c batch=99"), (Threads{7, 1})) << "14 points of a thread, for 9";
    EXPECT_EQ(threads_of("195x14 c2r batch=99", Direction::inverse), (Threads{15, 1}));
    EXPECT_EQ(threads_of("130x28 r2c batch=99"), (Threads{1, 10}));
    EXPECT_EQ(threads_of("98x99 c2r batch=99", Direction::inverse), (Threads{7, 9})) << "11 would be too many";
    EXPECT_EQ(kernels_of("140x63 c2r batch=99", Direction::inverse).size(), 2u) << "980 threads";
    EXPECT_EQ(threads_of("65x96 f64 batch=99"), (Threads{12, 5})) << "a few registers spill";
    EXPECT_EQ(kernels_of("55x50 c2r f64 batch=99", Direction::inverse).size(), 2u) << "whole rows, 15 points for 11";
    EXPECT_EQ(threads_of("121x80 r2c batch=99"), (Threads{1, 11}));
    EXPECT_EQ(kernels_of("245x50 r2c batch=99").size(), 2u) << "no registers for whole rows beside 910 threads";
    EXPECT_EQ(kernels_of("60x105 r2c f64 batch=99").size(), 2u) << "more than 512 threads of doubles";
    EXPECT_EQ(shape_of(kernels_of("30x10 c2r f64 batch=9999", Direction::inverse).front()).sequences, 24u)
        << "four planes, so that a unit has two groups";
}

// Of doubles a tile of 48 KiB and more leaves a unit too few groups where memory is fast.
TEST(Planes, OfDoublesThatTrailInHalfATile) {
    DeviceLimits fast = card_of_kind();
    fast.memory_bytes_per_second = 4'800'000'000'000;
    const auto columns = [](const char* text, const DeviceLimits& limits) {
        for (const kernels::KernelSpec& spec : kernels_of(text, Direction::forward, limits))
            if (!spec.pipeline.next.empty()) return shape_of(spec).sequences;
        return 0u;
    };
    EXPECT_EQ(columns("192x192 f64 batch=455", fast), 8u);
    EXPECT_EQ(columns("256x256 f64 batch=256", fast), 8u);
    EXPECT_EQ(columns("512x512 f64 batch=64", fast), 4u);
    EXPECT_EQ(columns("512x512 f64 batch=64", card_of_kind()), 8u);
    EXPECT_EQ(columns("320x320 f64 batch=163", fast), 8u);
    EXPECT_EQ(columns("720x720 f64 batch=32", fast), 0u);
    EXPECT_EQ(columns("512x512x512 f64", fast), 8u) << "cubes were not measured";
    for (const char* text :
         {"256x256 f64 in-place batch=256", "256x256x256 f64 batch=2", "256x256 f64 planar batch=256"})
        EXPECT_EQ(kernels_of(text, Direction::forward, fast).front().on_chip.next.size(), 1u) << text;
}

// Axes that have no points in common, or too few, have threads of their own.
TEST(Planes, OfUnlikeAxes) {
    EXPECT_EQ(division("72x50 batch=9999"), (Division{1, 5, 72}));
    EXPECT_EQ(division("36x125 batch=9999"), (Division{1, 5, 36}));
    EXPECT_EQ(division("32x100 batch=9999"), (Division{1, 5, 32}));
    EXPECT_EQ(division("100x20 batch=9999"), (Division{1, 1, 100})) << "5 in common";
    EXPECT_EQ(division("100x32 batch=9999"), (Division{1, 1, 100}));
    EXPECT_EQ(division("36x36 batch=9999"), (Division{1, 6, 36}));
    EXPECT_EQ(division("72x50x20 batch=999"), (Division{1, 1, 50})) << "planes of a cube that no group holds";
    EXPECT_EQ(kernels_of("72x50x20 batch=999").size(), 2u);
    EXPECT_EQ(kernels_of("128x150 batch=999").front().on_chip.next.size(), 0u) << "150 KiB";
}

// A unit has two groups of 512 threads, one of 640, and one of 1000, whose threads are as many as two groups'.
TEST(Planes, LeaveRoomForASecondGroup) {
    EXPECT_EQ(division("72x72 batch=9999"), (Division{1, 6, 72}));
    EXPECT_EQ(division("80x80 batch=9999"), (Division{1, 5, 80}));
    EXPECT_EQ(division("100x100 batch=9999"), (Division{1, 10, 100}));
    EXPECT_EQ(division("125x125 batch=9999"), (Division{1, 5, 125}));
}

TEST(Planes, OfClustersStoreWholeSectors) {
    EXPECT_EQ(division("120x120 batch=9999"), (Division{4, 8, 30}));
    EXPECT_EQ(division("96x96 batch=9999"), (Division{4, 8, 24}));
    EXPECT_EQ(division("128x96 batch=9999").groups, 1u) << "six threads of a row";
}

TEST(Planes, OfPowersOfTwoThatAreNoSquares) {
    EXPECT_EQ(division("1024x64 batch=512"), (Division{8, 64, 8}));
    EXPECT_EQ(division("64x1024 batch=512"), (Division{16, 2, 64}));
    EXPECT_EQ(division("128x512 batch=512"), (Division{16, 4, 32}));
    EXPECT_EQ(kernels_of("1024x32 batch=1024").back().pipeline.next.size(), 1u);
    EXPECT_EQ(kernels_of("1024x32").size(), 2u) << "one plane in many blocks";
    EXPECT_EQ(division("1024x32 batch=9").groups, 8u) << "no batch to trail";
    EXPECT_EQ(division("128x96").groups, 16u) << "few planes";
    EXPECT_EQ(division("128x96 batch=9").groups, 4u);
}

// Whatever its group and its shared memory, a device has a plan, and none of its kernels has more than it allows.
TEST(Planes, OnSmallDevices) {
    for (const std::uint32_t threads : {64u, 128u, 256u, 1024u}) {
        for (const std::uint32_t kib : {16u, 32u, 48u}) {
            DeviceLimits limits = card_of_kind();
            limits.max_group_size = threads;
            limits.shared_bytes_per_unit = kib << 10;
            limits.shared_bytes = kib << 10;
            for (const char* text :
                 {"5x2 batch=999", "2x77 batch=99", "9x2 batch=999", "31x9x2 batch=9", "4x42 batch=99",
                  "6x600 batch=99", "6x880 batch=99", "6x20x15 batch=99", "15x33 f64 batch=99", "24x11x16 batch=9",
                  "30x30 f64 batch=99", "16x32 batch=9", "72x12 f64 r2c batch=9", "60x60 r2c batch=9"}) {
                SCOPED_TRACE(std::string(text) + " in groups of " + std::to_string(threads) + ", KiB " +
                             std::to_string(kib));
                for (const kernels::KernelSpec& spec : kernels_of(text, Direction::forward, limits)) {
                    const kernels::GroupShape shape = shape_of(spec);
                    EXPECT_LE(shape.threads * shape.sequences, threads);
                    EXPECT_LE(ir::shared_bytes(kernels::generate(spec)), kib << 10);
                }
            }
        }
    }
}

TEST(Planes, ToRealNumbersInFewerGroups) {
    EXPECT_EQ(division("256x256 c2r batch=1024", Direction::inverse), (Division{4, 8, 32}));
    EXPECT_EQ(division("256x256 r2c batch=1024").groups, 8u);
    EXPECT_EQ(division("512x256 c2r batch=512", Direction::inverse), (Division{8, 16, 16}));
    EXPECT_EQ(division("64x1024 r2c batch=1024"), (Division{8, 16, 8}));
    EXPECT_EQ(division("128x256 r2c batch=2048").groups, 4u);
    EXPECT_EQ(division("128x256 r2c batch=2").groups, 8u) << "few planes have the chip for themselves";
    EXPECT_EQ(kernels_of("1024x64 c2r batch=1024", Direction::inverse).size(), 2u);
}

// Columns in runs of 15 points would begin within sectors.
TEST(Planes, DoNotTrailInPartsOfSectors) {
    EXPECT_EQ(kernels_of("480x640 batch=109").size(), 2u);
    EXPECT_TRUE(kernels_of("480x640 batch=109").back().pipeline.next.empty());
    EXPECT_EQ(kernels_of("400x400 batch=209").back().pipeline.next.size(), 1u);
}

TEST(Columns, OfAnyLength) {
    const auto threads = [](const std::string& text) { return shape_of(kernels_of(text).front()).threads; };
    EXPECT_EQ(threads("660x480 axes=0 batch=99"), 33u) << "20 points of a thread, as most";
    EXPECT_EQ(threads("840x480 axes=0 batch=99"), 42u);
    EXPECT_EQ(threads("1600x480 axes=0 batch=99"), 100u) << "one group of a unit either way";
    EXPECT_EQ(threads("660x480 axes=0 f64 batch=99"), 60u) << "of doubles some were measured, each by itself";
    EXPECT_EQ(threads("960x480 axes=0 f64 batch=99"), 32u);
    DeviceLimits others = card_of_kind();
    others.architecture = "sm_75";
    EXPECT_EQ(shape_of(kernels_of("660x480 axes=0 batch=99", Direction::forward, others).front()).threads, 60u);
}

}  // namespace
}  // namespace seiche
