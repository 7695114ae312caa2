// The study's tables of outcomes, and what it counts of plans.
#include "study/tables.hpp"

#include <gtest/gtest.h>

#include "seiche/error.hpp"

namespace seiche::study {
namespace {

Outcome took(double milliseconds, Look look = Look::plain) {
    Outcome outcome;
    outcome.milliseconds = outcome.mean_ms = milliseconds;
    outcome.error = 1.25e-7;
    outcome.look = look;
    return outcome;
}

Outcome refused(const std::string& why, Look look = Look::missing) {
    Outcome outcome;
    outcome.look = look;
    outcome.words = why;
    return outcome;
}

Grid grid_of_two() {
    Grid grid;
    grid.rows = {{"64", 64, parse_problem("64 f32")}, {"128", 128, parse_problem("128 f32")}};
    grid.trials = {recipe("dit"), recipe("dif"), automatic()};
    grid.outcomes = {{took(3), took(2), took(0.5, Look::automatic)},
                     {refused("too long"), refused("error 9 units", Look::wrong), took(1, Look::automatic)}};
    return grid;
}

const View view{"Times", "size", "milliseconds", milliseconds_of};

TEST(StudyTables, LastColumnComparesWithTheFastest) {
    const Table table = value_table(grid_of_two(), view);
    EXPECT_EQ(table.columns, (std::vector<std::string>{"size", "dit", "dif", "Seiche", "Seiche is"}));
    EXPECT_EQ(table.rows[0][4].text, "4.00\u00d7");
    EXPECT_EQ(table.rows[0][3].look, Look::automatic);
    EXPECT_EQ(table.rows[1][4].look, Look::missing);
}

TEST(StudyTables, MissingAndWrongAnswersHaveNoFigure) {
    const Table table = value_table(grid_of_two(), view);
    EXPECT_FALSE(table.rows[1][1].value);
    EXPECT_FALSE(table.rows[1][2].value);
    EXPECT_EQ(table.rows[1][2].text, "wrong");
    EXPECT_EQ(table.rows[1][2].look, Look::wrong);
    ASSERT_EQ(table.notes.size(), 3u);
    EXPECT_NE(table.notes[1].find("dit"), std::string::npos);
    EXPECT_NE(table.notes[1].find("too long"), std::string::npos);
    EXPECT_NE(table.notes[2].find("error 9 units"), std::string::npos);
}

TEST(StudyTables, ChartLeavesOutWhatIsNotThere) {
    const Chart chart = chart_of(grid_of_two(), view);
    ASSERT_EQ(chart.series.size(), 3u);
    EXPECT_EQ(chart.series[0].points.size(), 1u);
    EXPECT_EQ(chart.series[2].points.back(), (std::pair<double, double>{128, 1}));
}

TEST(StudyTables, ErrorsAreTheirs) {
    const Table table = error_table(grid_of_two(), view);
    EXPECT_EQ(table.rows[0][1].text, "1.2e-07");
    EXPECT_FALSE(table.rows[1][1].value);
}

TEST(StudyTables, NumbersAreShort) {
    EXPECT_EQ(short_text(1234.5), "1234");
    EXPECT_EQ(short_text(12.345), "12.3");
    EXPECT_EQ(short_text(0.0123456), "0.0123");
    EXPECT_EQ(short_text(0.1), "0.100");
    EXPECT_EQ(short_text(1.5e-7), "1.5e-07");
}

/// docs/explanation/textbook-recipes.md: launches of 2^L points. The interpreter counts what a person can count by
/// hand.
TEST(StudyTables, AnatomyIsThatOfTheRecipe) {
    const Laboratory laboratory(Device::open("reference"), {});
    const Anatomy stages = laboratory.anatomy(parse_problem("256 f32"), recipe("cooley-tukey-per-stage"));
    EXPECT_EQ(stages.launches, 8u);
    EXPECT_EQ(stages.barriers, 0u);
    EXPECT_EQ(stages.moved_bytes, 8u * 2 * 8 * 256);
    EXPECT_GT(stages.sectors, 1.0);  // its first launch reads in bit-reversed order
    const Anatomy one = laboratory.anatomy(parse_problem("256 f32"), recipe("cooley-tukey-one-pass"));
    EXPECT_EQ(one.launches, 1u);
    EXPECT_GE(one.barriers, 8u);
    EXPECT_EQ(one.group_size, 128u);
    EXPECT_GT(one.flops_per_byte, 4 * stages.flops_per_byte);
    const Anatomy sixteen = laboratory.anatomy(parse_problem("4096 f32"), recipe("multistage-16"));
    EXPECT_EQ(sixteen.launches, 3u);
    EXPECT_GT(sixteen.registers, laboratory.anatomy(parse_problem("4096 f32"), recipe("multistage-4")).registers);
}

TEST(StudyLaboratory, MeasuresVerifiesAndSaysWhyNot) {
    Protocol protocol;
    protocol.lengths = {16};
    Laboratory laboratory(Device::open("reference"), protocol);
    EXPECT_EQ(laboratory.lengths({1024}, {64}), (std::vector<std::uint64_t>{16}));
    const Grid grid = laboratory.measure_all({{"16", 16, parse_problem("16 f32 inverse-scale=1/n")}},
                                             {recipe("stockham-radix-2"), automatic()}, true);
    for (const Outcome& outcome : grid.outcomes[0]) {
        EXPECT_GT(outcome.milliseconds, 0);
        EXPECT_GT(outcome.inverse_ms, 0);
        EXPECT_GT(outcome.error, 1e-9);
        EXPECT_LT(outcome.error, 1e-6);
    }
    EXPECT_EQ(laboratory.leads().size(), 1u);
    const Outcome none = laboratory.measure(parse_problem("15 f32"), recipe("stockham-radix-2"));
    EXPECT_FALSE(none.is_good());
    EXPECT_NE(none.words.find("powers of two"), std::string::npos);
    EXPECT_TRUE(laboratory.wrong().empty());
}

}  // namespace
}  // namespace seiche::study
