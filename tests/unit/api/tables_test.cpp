// Tables of measurements as programs give them, and wisdom as one.
#include "seiche/tables.hpp"

#include <gtest/gtest.h>

#include <complex>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "seiche/error.hpp"
#include "seiche/inspect.hpp"
#include "seiche/plan.hpp"
#include "seiche/version.hpp"
#include "seiche/wisdom.hpp"

namespace {

using namespace seiche;

const std::string head = "Seiche table 1\ncard architecture=*\n";

DeviceInfo hopper() {
    DeviceInfo info;
    info.description = "a card";
    info.limits.architecture = "sm_90";
    info.limits.shared_bytes = 227 * 1024;
    info.limits.shared_bytes_per_unit = 228 * 1024;
    info.limits.compute_units = 132;
    info.limits.max_cluster_size = 16;
    info.limits.cache_bytes = std::uint64_t{50} << 20;
    info.limits.memory_bytes_per_second = 3'350'000'000'000;
    return info;
}

bool has(const PlanReport& report, const std::string& text) {
    for (const KernelReport& kernel : report.kernels)
        if (kernel.spec.find(text) != std::string::npos) return true;
    return false;
}

TEST(Tables, are_values) {
    EXPECT_FALSE(MeasuredTable());
    EXPECT_EQ(MeasuredTable().text(), "");
    const std::string text = head + "core rows f32 64 | radices=4x16 threads=16 | me\n";
    const MeasuredTable table = MeasuredTable::parse(text), same = MeasuredTable::parse(text), copy = table;
    EXPECT_TRUE(table);
    EXPECT_EQ(table.text(), text);
    EXPECT_TRUE(table == same && table == copy);
    EXPECT_FALSE(table == MeasuredTable::parse(head));
    EXPECT_FALSE(table == MeasuredTable());
    try {
        MeasuredTable::parse(head + "nonsense\n");
        FAIL();
    } catch (const InvalidProblem& error) {
        EXPECT_NE(std::string(error.what()).find("table, line 3: expected 'KEY | HOW | SOURCE'"), std::string::npos);
    }
}

TEST(Tables, go_before_those_of_the_library) {
    DeviceLimits limits = hopper().limits;
    const Problem problem = parse_problem("8192 f32 batch=999");
    EXPECT_TRUE(has(inspect(problem, limits), "radices=32x16x16 "));
    limits.tables = {MeasuredTable::parse(head + "core rows f32 8192 | radices=16x32x16 threads=512 | me\n"),
                     MeasuredTable::parse(head + "core rows f32 8192 | radices=8x32x32 threads=256 | me\n")};
    EXPECT_TRUE(has(inspect(problem, limits), "radices=16x32x16 threads=512 ")) << "the first";
    EXPECT_TRUE(has(inspect(parse_problem("300x8192 f32"), limits), "radices=16x32x16 threads=512 "));
    Tuning tuning;
    tuning.radices = {32, 16, 16};
    EXPECT_TRUE(has(inspect(problem, limits, tuning), "radices=32x16x16 ")) << "a tuning goes first";
    limits.tables = {
        MeasuredTable::parse("Seiche table 1\ncard architecture=gfx90a\n"
                             "core rows f32 8192 | radices=16x32x16 threads=512 | me\n")};
    EXPECT_TRUE(has(inspect(problem, limits), "radices=32x16x16 ")) << "for another card";
}

/// What this device cannot hold is left out, whoever measured it.
TEST(Tables, rows_fit_the_device) {
    DeviceLimits limits = hopper().limits;
    const PlanReport usual = inspect(parse_problem("4096 f32 batch=999"), limits);
    for (const char* row : {"core rows f32 4096 | radices=16x16x16 threads=2048 | me\n",
                            "core rows f32 4096 | radices=16x16x16 threads=256 transforms-per-group=16 | me\n",
                            "core rows f32 4096 | radices=64x64 threads=2 | me\n"}) {
        limits.tables = {MeasuredTable::parse(head + row)};
        const PlanReport report = inspect(parse_problem("4096 f32 batch=999"), limits);
        EXPECT_EQ(report.kernels.at(0).group_size, usual.kernels.at(0).group_size) << row;
    }
    limits.tables.assign(9, MeasuredTable::parse(head));
    EXPECT_THROW(inspect(parse_problem("64"), limits), InvalidProblem);
}

TEST(Tables, of_a_device) {
    const Device plain = Device::open("reference");
    const Device device =
        plain.with_tables({MeasuredTable::parse(head + "core rows f32 64 | radices=4x16 threads=16 | me\n")});
    EXPECT_TRUE(plain.limits().tables.empty());
    EXPECT_EQ(device.limits().tables.size(), 1u);
    EXPECT_EQ(device.info().name, plain.info().name);
    EXPECT_EQ(device.impl(), plain.impl());
    const Problem problem = parse_problem("64 f32 batch=3");
    const Plan plan(device, problem);
    EXPECT_TRUE(has(plan.report(), "radices=4x16 "));
    EXPECT_FALSE(has(Plan(plain, problem).report(), "radices=4x16 ")) << "a plan of the other is not this one's";
    const std::vector<std::complex<float>> data(std::size_t{3} * 64, 1.0f), result = plan.forward(data);
    EXPECT_FLOAT_EQ(result[0].real(), 64.0f);
    EXPECT_NEAR(std::abs(result[1]), 0.0f, 1e-5f);
}

TEST(Tables, of_the_environment) {
    const std::filesystem::path file = std::filesystem::temp_directory_path() / "seiche-tables-test.txt";
    const std::string text = head + "core rows f32 64 | radices=4x16 threads=16 | me\n";
    std::ofstream(file) << text;
    ASSERT_EQ(setenv("SEICHE_TABLES", (":" + file.string()).c_str(), 1), 0);
    ASSERT_EQ(environment_tables().size(), 1u);
    EXPECT_EQ(environment_tables().front().text(), text);
    EXPECT_EQ(Device::open("reference").limits().tables.size(), 1u);
    std::ofstream(file) << "nonsense\n";
    try {
        Device::open("reference");
        ADD_FAILURE();
    } catch (const InvalidProblem& error) {
        EXPECT_EQ(std::string(error.reason()),
                  "SEICHE_TABLES: '" + file.string() + "': table, line 1: expected 'Seiche table 1', got 'nonsense'");
    }
    unsetenv("SEICHE_TABLES");
    EXPECT_TRUE(environment_tables().empty());
    std::filesystem::remove(file);
}

/// Each part of a transform that a table has rows of, and what else was tuned.
TEST(Tables, of_wisdom) {
    const DeviceInfo card = hopper();
    Wisdom wisdom;
    const auto tuned = [&](const std::string& problem, const std::string& tuning) {
        wisdom.set({card.description, version(), to_string(parse_problem(problem)), parse_tuning(tuning), 1, 2});
    };
    tuned("8192 f32 batch=2048", "radices=16x32x16 threads=512 transforms-per-group=1");
    tuned("512x480 axes=0 f32", "radices=32x16");
    tuned("4096 r2c f64 batch=2048", "radices=16x8x16");
    tuned("1048576 f32 batch=64", "passes=512x2048");
    tuned("65536 f32 batch=1024", "groups-per-cluster=8");
    const std::string parts = wisdom.table(card).text();
    for (const char* other :
         {"1000 dct2 f32", "1000x1000 f32", "1000 f16 batch=99", "1000 planar f32", "1009 f32 batch=9"})
        tuned(other, other == std::string("1009 f32 batch=9") ? "algorithm=bluestein" : "separate-passes=yes");
    tuned("1000 f32 batch=9", "");
    wisdom.set({"another", version(), "64 c2c f32", parse_tuning("radices=4x16"), 1, 2});
    wisdom.set({card.description, "0.0.1", "64 c2c f32", parse_tuning("radices=4x16"), 1, 2});
    const MeasuredTable table = wisdom.table(card);
    EXPECT_EQ(table.text(), parts);
    const std::string text = table.text();
    EXPECT_EQ(text.rfind("Seiche table 1\ncard architecture=sm_90 memory=3183-3517\n", 0), 0u) << text;
    for (const char* row :
         {"core rows f32 8192 | radices=16x32x16 threads=512 transforms-per-group=1 | a card\n",
          "core columns f32 512 | radices=32x16 threads=", "core r2c-rows f64 2048 | radices=16x8x16 ",
          "passes c2c f32 1048576 | passes=512x2048 when=large-batch | a card\n",
          "cluster c2c f32 65536 | passes=256x256 groups-per-cluster=8 when=large-batch | a card\n"})
        EXPECT_NE(text.find(row), std::string::npos) << row << text;
    EXPECT_NE(wisdom.table(card, "H100 today").text().find(" | H100 today\n"), std::string::npos);
    EXPECT_FALSE(Wisdom().table(card));
    DeviceLimits limits = card.limits;
    limits.tables = {table};
    EXPECT_TRUE(has(inspect(parse_problem("300x8192 f32"), limits), "radices=16x32x16 threads=512 "));
    EXPECT_TRUE(has(inspect(parse_problem("1048576 f32 batch=64"), limits), "n=2048 "));
    EXPECT_NE(inspect(parse_problem("1048576 f32 batch=64"), card.limits).recipe.find("1024"), std::string::npos);
}

}  // namespace
