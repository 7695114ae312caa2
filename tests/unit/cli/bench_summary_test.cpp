// What `seiche bench` says of many results together.
#include <gtest/gtest.h>

#include <cmath>

#include "cli/measure/bench_summary.hpp"
#include "cli/measure/bench_table.hpp"
#include "cli/text/failure.hpp"
#include "seiche/problem.hpp"

namespace {

using namespace seiche;
using namespace seiche::cli;

BenchResult result(const std::string& problem, double of_copy, std::vector<std::pair<std::string, double>> peers) {
    BenchResult result;
    result.problem = problem;
    BenchRow own;
    own.name = "seiche";
    own.of_best_copy = of_copy;
    own.speed_of_seiche = 1;
    BenchRow movement = own, copy = own, kernel = own;
    movement.name = "movement";
    movement.speed_of_seiche = 0.5;
    copy.name = "copy";
    copy.speed_of_seiche = 0.25;
    kernel.name = "copy-kernel";
    kernel.speed_of_seiche = 0.125;
    result.rows = {own, movement, copy, kernel};
    for (const auto& [name, speed] : peers) {
        BenchRow row;
        row.name = name;
        row.speed_of_seiche = speed;
        row.of_best_copy = of_copy / speed;
        result.rows.push_back(row);
    }
    return result;
}

TEST(BenchSummary, means_and_worst_cases_of_peers_alone) {
    const std::vector<BenchResult> results = {result("1024 batch=4", 0.9, {{"cufft", 2.0}, {"vkfft", 1.0}}),
                                              result("2048 batch=2", 0.8, {{"cufft", 0.5}, {"vkfft", 4.0}}),
                                              result("37 batch=9", 0.7, {{"vkfft", 2.0}}), result("41", 0.6, {})};
    const std::vector<Standing> all = standings(results);
    ASSERT_EQ(all.size(), 3u);
    EXPECT_EQ(all[0].peer, "cufft");
    EXPECT_EQ(all[0].problems, 2u);
    EXPECT_EQ(all[0].faster, 1u);
    EXPECT_NEAR(all[0].geometric_mean, 1.0, 1e-12);
    EXPECT_EQ(all[0].worst_problem, "2048 batch=2");
    EXPECT_NEAR(all[1].geometric_mean, 2.0, 1e-12);
    EXPECT_EQ(all[2].peer, "best");
    EXPECT_EQ(all[2].problems, 3u);
    EXPECT_NEAR(all[2].geometric_mean, 1.0, 1e-12);  // of 1, 0.5 and 2
    EXPECT_NEAR(all[2].worst, 0.5, 1e-12);
}

TEST(BenchSummary, names_what_is_below_its_mark) {
    std::vector<BenchResult> results = {result("1024 batch=4", 0.951, {}), result("2048 batch=2", 0.8, {})};
    for (BenchResult& one : results) one.rows.erase(one.rows.begin() + 1);  // of the movement the summary says more
    EXPECT_EQ(summary_text(results), "");
    results[0].mark = results[1].mark = 0.95;
    EXPECT_EQ(summary_text(results), "marks reached: 1 of 2\n  0.800, mark 0.95: 2048 batch=2\n");
}

TEST(BenchSummary, compares_with_the_movement) {
    const BenchResult far = result("1024 batch=4", 0.9, {});  // 0.5 of its movement
    BenchResult near = result("2048 batch=2", 0.9, {}), without = result("37", 0.9, {});
    near.rows[1].speed_of_seiche = 0.98;
    without.rows.erase(without.rows.begin() + 1);
    EXPECT_FALSE(movement_share({without}));
    const std::optional<MovementShare> share = movement_share({near, far, without});
    ASSERT_TRUE(share);
    EXPECT_EQ(share->standing.problems, 2u);
    EXPECT_NEAR(share->standing.geometric_mean, 0.7, 1e-12);
    EXPECT_NEAR(share->standing.worst, 0.5, 1e-12);
    ASSERT_EQ(share->behind.size(), 1u);
    EXPECT_EQ(share->behind[0].problem, "1024 batch=4");
    EXPECT_EQ(summary_text({near, far, without}),
              "of the movement alone: geometric mean 0.700, worst 0.500 (1024 batch=4), below 0.93 in 1 of 2\n"
              "  0.500: 1024 batch=4\n");
}

TEST(BenchTable, takes_the_nearest_batch_of_what_it_can_name) {
    std::vector<TableEntry> table;
    const auto add = [&](const char* library, const char* kind, unsigned bits, std::uint64_t batch) {
        TableEntry entry;
        entry.library = library;
        entry.kind = kind;
        entry.shape = "16x8";
        entry.precision_bits = bits;
        entry.batch = batch;
        entry.of_copy = 0.5;
        table.push_back(entry);
    };
    for (const std::uint64_t batch : {1, 100, 5000}) add("a", "c2c", 32, batch);
    add("b", "c2c", 16, 1);
    add("b", "r2c", 64, 1);
    const auto rows = [&](const char* problem) {
        return table_rows(table, result(to_string(parse_problem(problem)), 0.75, {}));
    };
    ASSERT_EQ(rows("16x8 batch=80").size(), 1u);
    EXPECT_EQ(rows("16x8 batch=80")[0].name, "a, table");
    EXPECT_EQ(rows("16x8 batch=80")[0].description, "batch=100, by fraction of copy");
    EXPECT_NEAR(rows("16x8").at(0).speed_of_seiche, 1.5, 1e-12);
    EXPECT_EQ(rows("16x8 f16").at(0).name, "b, table");
    EXPECT_EQ(rows("16x8 r2c f64").at(0).name, "b, table");
    for (const char* other : {"16x8 in-place", "16x8 axes=0", "16x8 forward-scale=1/n", "16x8 bf16", "16x8 r2c", "8x16",
                              "16x8 f64x2", "16x8 planar", "16x8 f16-arithmetic"})
        EXPECT_EQ(rows(other).size(), 0u) << other;
}

TEST(BenchSummary, draws_neighbouring_powers_of_two) {
    const std::string path = testing::TempDir() + "bench_summary.png";
    const std::vector<BenchResult> few = {result("1024 f32", 0.9, {}), result("4096 f32", 0.9, {}),
                                          result("2048 f64", 0.9, {}), result("512x2 f32", 0.9, {})};
    EXPECT_THROW(write_chart(path, "a card", few), Failure);
    std::vector<BenchResult> many = few;
    many.push_back(result("2048 f32", 0.8, {{"cufft", 1.1}}));
    many.push_back(result("8192 c2c f32", 0.7, {}));
    write_chart(path, "a card", many);
    std::FILE* file = std::fopen(path.c_str(), "rb");
    ASSERT_NE(file, nullptr);
    std::fseek(file, 0, SEEK_END);
    EXPECT_GT(std::ftell(file), 5000);
    std::fclose(file);
    std::remove(path.c_str());
}

}  // namespace
