// amd2011's kernel sizes: what is counted of them, threads on a unit, and the verdict.
#include "study/kernel_sizes.hpp"

#include <gtest/gtest.h>

#include "cli/problem/profiles.hpp"
#include "study/tables.hpp"

namespace seiche::study {
namespace {

Trial points(unsigned count) { return recipe("multistage-" + std::to_string(count), TwiddleMethod::native); }

/// A launch packs the planar input, the others do as many stages each as the kernel has; each reads and writes all.
TEST(StudyKernelSizes, LaunchesAndBytesAreThoseOfTheText) {
    const Laboratory laboratory(Device::open("reference"), {});
    for (const unsigned stages : {1u, 2u, 3u, 4u})
        for (const unsigned power : {4u, 7u, 11u}) {
            const std::uint64_t n = std::uint64_t{1} << power, launches = 1 + (power + stages - 1) / stages;
            const Anatomy one =
                laboratory.anatomy(parse_problem(std::to_string(n) + " f32 iplanar"), points(1u << stages));
            EXPECT_EQ(one.launches, launches) << n << ", " << stages;
            EXPECT_EQ(one.moved_bytes, launches * 2 * 8 * n) << n << ", " << stages;
            EXPECT_DOUBLE_EQ(one.flops_per_byte, static_cast<double>(one.flops) / static_cast<double>(one.moved_bytes));
        }
}

/// A thread of a 2-point kernel: its angle, a cosine and a sine (3), a product of complex numbers (6), a sum and a
/// difference (4); the first stage has no factors. 256 points are two whole groups of 64 threads.
TEST(StudyKernelSizes, FlopsAreThoseOfThePaper) {
    const Laboratory laboratory(Device::open("reference"), {});
    EXPECT_EQ(laboratory.anatomy(parse_problem("256 f32"), points(2)).flops, 128u * (4 + 7 * (3 + 6 + 4)));
}

TEST(StudyKernelSizes, RegistersDependOnTheKernelAndNotOnTheLength) {
    const Laboratory laboratory(Device::open("reference"), {});
    std::uint64_t last = 0;
    for (const unsigned count : {2u, 4u, 8u, 16u}) {
        const auto registers = [&](const char* problem) {
            return laboratory.anatomy(parse_problem(problem), points(count)).registers;
        };
        EXPECT_EQ(registers("256 f32 iplanar"), registers("4096 f32 iplanar")) << count;
        EXPECT_GE(registers("256 f32 iplanar"), 2 * count);  // its points, at least
        EXPECT_GT(registers("256 f32 iplanar"), last);
        last = registers("256 f32 iplanar");
    }
}

TEST(StudyOccupancy, RegistersGroupsAndSharedMemoryBoundIt) {
    const DeviceLimits h200 = cli::find_profile("h200").limits;
    EXPECT_EQ(residence({23, 64, 0}, h200).threads, 2048u);
    EXPECT_EQ(residence({32, 64, 0}, h200).threads, 2048u);
    EXPECT_EQ(residence({39, 64, 0}, h200).threads, 1600u);  // 65536 / 40 = 1638, in groups of 64
    EXPECT_EQ(residence({128, 256, 0}, h200).threads, 512u);
    EXPECT_EQ(residence({16, 32, 0}, h200).threads, 1024u);  // 32 groups at most
    EXPECT_EQ(residence({16, 64, 64 * 1024}, h200).threads, 64u * (h200.shared_bytes_per_unit / (64 * 1024)));
    EXPECT_EQ(residence({1000, 1024, 0}, h200).threads, 1024u);  // one group, whatever it needs
    EXPECT_EQ(residence({39, 64, 0}, h200).most, 2048u);
}

TEST(StudyOccupancy, UnitsAreThoseOfTheArchitecture) {
    DeviceLimits limits = cli::find_profile("mi250").limits;
    EXPECT_EQ(unit_of(limits).registers, 131072u);
    EXPECT_EQ(residence({39, 64, 0}, limits).threads, 2048u);
    limits.architecture = "sm_86";
    EXPECT_EQ(unit_of(limits).threads, 1536u);
    EXPECT_TRUE(unit_of(limits).is_known);
    limits.architecture = "llvmpipe";
    EXPECT_FALSE(unit_of(limits).is_known);
    EXPECT_EQ(unit_of(limits).threads, 2048u);
}

KernelSize size_of(const char* name, double milliseconds, std::uint64_t launches, std::uint64_t registers) {
    KernelSize size{name, {}, residence({registers, 64, 0}, cli::find_profile("h200").limits), milliseconds};
    size.anatomy.launches = launches;
    size.anatomy.moved_bytes = launches << 20;
    size.anatomy.registers = registers;
    return size;
}

TEST(StudyKernelSizes, VerdictIsMadeOfTheFigures) {
    const KernelSize four = size_of("4-point", 4, 9, 15), eight = size_of("8-point", 3, 7, 23);
    EXPECT_EQ(verdict_on_largest("65536", {four, eight, size_of("16-point", 2, 5, 39)}, Units::of_a_gpu),
              "16-point kernels win at 65536 points, 1.5 times as fast as 8-point ones: they move 5.00 MiB in 5 "
              "launches where the others move 7.00 MiB in 7 launches, by which alone they would be 1.4 times as fast; "
              "their 39 registers (23) leave 1600 threads on a unit in place of 2048 to hide the time that memory "
              "takes.");
    EXPECT_EQ(verdict_on_largest("64", {four, eight, size_of("16-point", 6, 7, 32)}, Units::of_a_gpu),
              "16-point kernels do not win at 64 points, 0.5 times as fast as 8-point ones: both move 7.00 MiB in 7 "
              "launches; their 32 registers (23) leave as many threads on a unit, 2048 of 2048, so that registers are "
              "no reason.");
    const std::string equal = verdict_on_largest("64", {four, size_of("16-point", 4.02, 5, 39)}, Units::of_a_processor);
    EXPECT_EQ(equal.rfind("16-point kernels are as fast as 4-point ones at 64 points, within 2 %: ", 0), 0u) << equal;
    EXPECT_NE(equal.find("their 39 registers (15) keep no threads away, since a core of a processor"), equal.npos);
}

TEST(StudyKernelSizes, NoTimesMakeNoVerdict) {
    const KernelSize none = size_of("16-point", 0, 5, 39), some = size_of("8-point", 1, 5, 39);
    for (const auto& sizes : {std::vector{some, none}, std::vector{none, some}})
        EXPECT_EQ(verdict_on_largest("64", sizes, Units::of_a_gpu),
                  "Too few of the kernel sizes have a time at 64 points to say whether the largest wins.");
}

TEST(StudyKernelSizes, TableHasEverySizeAtItsLengths) {
    Grid grid;
    for (const char* length : {"16", "64", "131072"})
        grid.rows.push_back({length, std::stod(length), parse_problem(std::string(length) + " f32 iplanar")});
    grid.trials = {points(8), points(16), recipe("multistage-8"), automatic()};
    Outcome slow, fast;
    slow.milliseconds = 2, fast.milliseconds = 1;
    grid.outcomes = {{slow, fast, fast, fast}, {fast, slow, fast, fast}, {slow, fast, fast, fast}};
    const Laboratory laboratory(Device::open("reference"), {});
    const Table table = kernel_size_table(laboratory, grid);
    ASSERT_EQ(table.rows.size(), 6u);
    EXPECT_EQ(table.rows[0][0].text, "16, multistage-8");
    EXPECT_EQ(table.rows[5][0].text, "131072, multistage-16");
    EXPECT_FALSE(table.rows[5][3].value);                     // too long for the interpreter
    EXPECT_EQ(table.rows[5][5].text, table.rows[3][5].text);  // but the kernel is the same
    EXPECT_EQ(*table.rows[5][1].value, 1 + 5);
    EXPECT_NE(table.notes[0].find("multistage-16 kernels win at 131072 points, 2 times"), std::string::npos);
    EXPECT_EQ(table.notes[1], "Of the 3 lengths above multistage-16 kernels are the fastest of the 2 sizes at 2.");
}

}  // namespace
}  // namespace seiche::study
