// Tables of measurements: their text, the cards that they are for, and the rows that the library carries.
#include <gtest/gtest.h>

#include <functional>
#include <numeric>
#include <set>
#include <string>

#include "planner/measured/built_in.hpp"
#include "planner/shape/shape.hpp"
#include "seiche/error.hpp"

namespace {

using namespace seiche;
using namespace seiche::planner::measured;

const std::string head = "Seiche table 1\ncard architecture=sm_90\n";

Table parsed(const std::string& text) { return Table::parse(text, "some.txt"); }

std::string refusal(const std::string& text) {
    try {
        parsed(text);
    } catch (const InvalidProblem& error) {
        return error.reason();
    }
    return "accepted";
}

TEST(MeasuredTables, SayWhatTheyHave) {
    const std::string text =
        "Seiche table 1\n# a comment\ncard architecture=sm_90,gfx9* memory=4000-\r\n\n"
        "pair c2c f32 729x729 | pipelined=no | H200 2026-11-28\n"
        "core rows f32 64 | radices=8x8 threads=8 transforms-per-group=4 | H200 2026-11-28 LAB-1\n"
        "passes c2c f64 65536 | passes=256x256 when=large-batch | somebody's\n";
    const Table table = parsed(text);
    ASSERT_EQ(table.rows().size(), 3u);
    const Row* core = table.find({Topic::core, Form::rows, Number::f32, 64});
    ASSERT_TRUE(core);
    EXPECT_EQ(core->all_lengths(), (std::vector<std::uint32_t>{8, 8}));
    EXPECT_EQ(core->threads, 8u);
    EXPECT_EQ(core->transforms, 4u);
    EXPECT_EQ(core->source, "H200 2026-11-28 LAB-1");
    const Row* passes = table.find({Topic::passes, Form::c2c, Number::f64, 65536});
    ASSERT_TRUE(passes);
    EXPECT_EQ(passes->when, When::large_batch);
    const Row* pair = table.find({Topic::pair, Form::c2c, Number::f32, 729, 729});
    ASSERT_TRUE(pair);
    EXPECT_TRUE(pair->has(is_apart) && !pair->has(is_pipelined));
    EXPECT_FALSE(table.find({Topic::core, Form::rows, Number::f64, 64}));
    EXPECT_FALSE(table.find({Topic::core, Form::columns, Number::f32, 64}));
    EXPECT_FALSE(table.find({Topic::core, Form::rows, Number::f32, 128}));
}

TEST(MeasuredTables, RefuseInOneLine) {
    const struct {
        std::string text, said;
    } cases[] = {
        {"", "some.txt: expected 'Seiche table 1', got nothing"},
        {"Seiche table 2\n", "some.txt, line 1: expected 'Seiche table 1', got 'Seiche table 2'"},
        {"Seiche wisdom 1\n", "some.txt, line 1: expected 'Seiche table 1', got 'Seiche wisdom 1'"},
        {"Seiche table 1\n",
         "some.txt, line 1: expected a line 'card architecture=NAMES ...' before all others, got ''"},
        {"Seiche table 1\ncard memory=4000-\n", "line 2: expected architecture=NAMES"},
        {"Seiche table 1\ncard architecture=a memory=20-10\n", "got 'memory=20-10'"},
        {"Seiche table 1\ncard architecture=a memory=-\n", "got 'memory=-'"},
        {"Seiche table 1\ncard architecture=a,,b\n", "got 'architecture=a,,b'"},
        {"Seiche table 1\ncard architecture=a name=b\n", "got 'name=b'"},
        {head + "core rows f32 64 | radices=8x8 threads=8\n", "line 3: expected 'KEY | HOW | SOURCE'"},
        {head + "core rows f32 64 | radices=8x8 threads=8 | \n", "line 3: expected 'KEY | HOW | SOURCE'"},
        {head + "kernel rows f32 64 | a=b | c\n",
         "expected one of core, passes, pair, cluster, plane, rule, got 'kernel'"},
        {head + "core row f32 64 | a=b | c\n", "got 'row'"},
        {head + "core rows f16x 64 | a=b | c\n", "expected one of f32, f64, f16, got 'f16x'"},
        {head + "core rows f32 64x2 | a=b | c\n", "expected a length, got '64x2'"},
        {head + "core rows f32 0 | a=b | c\n", "expected a length, got '0'"},
        {head + "core rows f32 9999999999999 | a=b | c\n", "expected a length"},
        {head + "pair c2c f32 64 | pipelined=yes | c\n", "expected two lengths such as 256x128, got '64'"},
        {head + "core rows f32 64 8 | a=b | c\n", "expected a key of four words such as 'core rows f32 8192'"},
        {head + "pair rows f32 64x64 | a=b | c\n", "expected another kind than 'rows' of pair"},
        {head + "core rows f32 64 | radices=8x4 threads=8 | c\n",
         "expected radices= with at most 8 lengths whose product is 64, got '8x4'"},
        {head + "core rows f32 64 | radices=8x8x1 threads=8 | c\n", "whose product is 64, got '8x8x1'"},
        {head + "core rows f32 512 | radices=2x2x2x2x2x2x2x2x2 threads=8 | c\n", "at most 8 lengths"},
        {head + "core rows f32 4294967298 | radices=2x2147483649 threads=8 | c\n", "expected radices up to 64"},
        {head + "core rows f32 64 | radices=8x8 | c\n", "expected radices, threads, got 'radices=8x8'"},
        {head + "core rows f32 64 | radices=8x8 threads=-8 | c\n",
         "expected threads= with a whole number up to 65536, got '-8'"},
        {head + "core rows f32 64 | radices=8x8 threads=0 | c\n", "as many threads as points at most"},
        {head + "core rows f32 64 | radices=8x8 threads=65 | c\n", "as many threads as points at most"},
        {head + "core rows f32 128 | radices=128 threads=1 | c\n", "expected radices up to 64"},
        {head + "core rows f32 64 | radices=8x8 threads=8 threads=8 | c\n", "each once, got 'threads=8'"},
        {head + "core rows f32 64 | radices=8x8 threads=8 loop=yes | c\n", "got 'loop=yes'"},
        {head + "core rows f32 64 | radices=8x8 threads=8 speed=9 | c\n", "got 'speed=9'"},
        {head + "core padded f32 64 | radices=8x8 threads=8 nanoseconds=0 | c\n", "nanoseconds= with a time, got '0'"},
        {head + "core padded f32 64 | radices=8x8 threads=8 nanoseconds=nan | c\n", "got 'nan'"},
        {head + "passes c2c f32 64 | passes=8x8 when=never | c\n",
         "one of always, large-batch, cached, pipelined, got 'never'"},
        {head + "pair c2c f32 8x8 | pipelined=maybe | c\n", "pipelined=yes or =no, got 'maybe'"},
        {head + "pair c2c f32 8x8 |  | c\n", "expected one of transforms-per-group, pipelined, behind-another, got ''"},
        {head + "rule of-thumb | holds=yes | c\n", "expected one of pipelined-passes, "},
        {head + "rule pipelined-passes 8 | holds=yes | c\n",
         "expected a key of two words such as 'rule pipelined-passes', got 'rule pipelined-passes 8'"},
        {head + "rule pipelined-passes | threads=8 | c\n", "expected one of holds, each once, got 'threads=8'"},
        {head + "rule pipelined-passes |  | c\n", "expected holds, got ''"},
        {head + "core rows f32 64 | radices=8x8 threads=8 | c\n\ncore rows f32 4 | radices=4 threads=1 | c\n"
                "core rows f32 64 | radices=4x16 threads=4 | c\n",
         "some.txt, line 6: expected each key once, got 'core rows f32 64 | radices=4x16 threads=4 | c'"},
    };
    for (const auto& [text, said] : cases)
        EXPECT_NE(refusal(text).find(said), std::string::npos) << text << "\n" << refusal(text);
}

TEST(MeasuredTables, AreForTheirCards) {
    const auto card = [](const std::string& line) { return Table::parse_card("Seiche table 1\ncard " + line, "t"); };
    DeviceLimits limits;
    limits.architecture = "sm_90";
    limits.memory_bytes_per_second = 4'800'000'000'000;
    limits.shared_bytes = 227 * 1024;
    limits.compute_units = 132;
    for (const char* line : {"architecture=sm_90", "architecture=sm_80,sm_90", "architecture=sm_9*", "architecture=*",
                             "architecture=sm_90 memory=4000-", "architecture=sm_90 memory=4800 shared=-227 units=132",
                             "architecture=sm_90 shared=160-227 units=100-200"})
        EXPECT_TRUE(card(line).matches(limits)) << line;
    for (const char* line : {"architecture=sm_80", "architecture=sm_9", "architecture=sm_900", "architecture=gfx9*",
                             "architecture=sm_90 memory=-4000", "architecture=sm_90 memory=4801-",
                             "architecture=sm_90 shared=228-", "architecture=sm_90 units=-131"})
        EXPECT_FALSE(card(line).matches(limits)) << line;
    limits.architecture = "Some GPU, 2nd";
    EXPECT_TRUE(card("architecture=\"Some GPU*\"").matches(limits));
    EXPECT_FALSE(card("architecture=\"Some GPU\"").matches(limits));
    for (const char* line : {"card architecture=sm_90,sm_1* memory=4000- shared=-64 units=10-20",
                             "card architecture=\"Some GPU*\" memory=100-200", "card architecture=* units=7"})
        EXPECT_EQ(to_string(card(line + 5)), line);
}

std::string whole(const EmbeddedText& text) {
    std::string joined;
    for (const std::string_view part : text.parts) joined += part;
    return joined;
}

/// Every line of the library's tables comes back as it stands there, and has a card, a date and a note.
TEST(MeasuredTables, OfTheLibraryAreReadAndWritten) {
    std::size_t rows = 0;
    for (const EmbeddedText& text : embedded_texts()) {
        const std::string all = whole(text);
        const Table table = Table::parse(all, std::string(text.name));
        EXPECT_FALSE(table.rows().empty()) << text.name;
        EXPECT_NE(all.find("\n" + to_string(table.card()) + "\n"), std::string::npos) << to_string(table.card());
        for (const Row& row : table.rows()) {
            ++rows;
            EXPECT_NE(all.find("\n" + to_string(row) + "\n"), std::string::npos) << to_string(row);
            EXPECT_TRUE(row.source.starts_with("H100 2026-") || row.source.starts_with("H200 2026-")) << to_string(row);
            EXPECT_NE(row.source.find(" LAB-0"), std::string::npos) << to_string(row);
        }
        const Table again = Table::parse(table_text(table.card(), table.rows()), "again");
        EXPECT_EQ(again.rows().size(), table.rows().size());
    }
    EXPECT_GE(rows, 880u);
}

/// A card that they are for can have each core: a block of it holds the threads, and shared memory the points.
TEST(MeasuredTables, OfTheLibraryFitTheirCards) {
    DeviceLimits card;
    card.shared_bytes = 227 * 1024;
    for (const EmbeddedText& text : embedded_texts()) {
        const std::string all = whole(text);
        const Table table = Table::parse(all, std::string(text.name));
        for (const Row& row : table.rows()) {
            const auto lengths = row.all_lengths();
            const std::uint64_t product =
                std::accumulate(lengths.begin(), lengths.end(), std::uint64_t{1}, std::multiplies<>());
            EXPECT_TRUE(lengths.empty() || product == row.key.n) << to_string(row);
            if (row.key.topic != Topic::core) continue;
            EXPECT_LE(row.threads * std::max(1u, row.transforms), card.max_group_size) << to_string(row);
            const std::uint64_t bytes = row.key.n * (row.key.number == Number::f64 ? 8 : 4);
            EXPECT_LE(bytes * std::max(1u, row.transforms), card.shared_bytes) << to_string(row);
        }
    }
}

/// A rule holds where the first table of the device that has it says so.
TEST(MeasuredTables, SayWhichRulesHold) {
    using planner::holds;
    using planner::Rule;
    DeviceLimits limits;
    limits.architecture = "sm_90";
    limits.shared_bytes = 227 * 1024;
    EXPECT_TRUE(holds(Rule::pipelined_passes, limits));
    EXPECT_TRUE(holds(Rule::large_radices_of_doubles, limits));
    EXPECT_FALSE(holds(Rule::large_slices_of_doubles, limits)) << "memory is not so fast";
    limits.memory_bytes_per_second = 4'800'000'000'000;
    EXPECT_TRUE(holds(Rule::large_slices_of_doubles, limits));
    limits.shared_bytes = 48 * 1024;
    EXPECT_TRUE(holds(Rule::pipelined_passes, limits)) << "by any interface";
    EXPECT_FALSE(holds(Rule::large_radices_of_doubles, limits));
    for (const char* other : {"generic", "gfx942", "cpu", "sm_75", "sm_89"}) {
        limits.architecture = other;
        for (int rule = 0; rule <= static_cast<int>(Rule::convolutions_beside_passes); ++rule)
            EXPECT_FALSE(holds(static_cast<Rule>(rule), limits)) << other << " " << rule;
    }
    limits.architecture = "gfx942";
    limits.tables = {MeasuredTable::parse("Seiche table 1\ncard architecture=gfx942\n"
                                          "rule pipelined-passes | holds=no | MI300X\n"
                                          "rule lone-groups-of-units | holds=yes | MI300X\n"),
                     MeasuredTable::parse("Seiche table 1\ncard architecture=gfx*\n"
                                          "rule pipelined-passes | holds=yes | MI250\n")};
    EXPECT_FALSE(holds(Rule::pipelined_passes, limits));
    EXPECT_TRUE(holds(Rule::lone_groups_of_units, limits));
    EXPECT_FALSE(holds(Rule::wide_threads_of_doubles, limits));
}

/// What was measured on one card is found on those that its table names, the more special table first.
TEST(MeasuredTables, OfADevice) {
    DeviceLimits limits;
    limits.architecture = "sm_90";
    limits.shared_bytes = 227 * 1024;
    const Key key{Topic::core, Form::rows, Number::f32, 7776};
    const Row* usual = find(limits, key);
    ASSERT_TRUE(usual);
    limits.memory_bytes_per_second = 4'800'000'000'000;
    const Row* fast = find(limits, key);
    ASSERT_TRUE(fast);
    EXPECT_NE(usual->all_lengths(), fast->all_lengths());
    EXPECT_EQ(find(limits, key, [](const Row& row) { return row.lengths[0] == 27; }), usual) << "the next table's";
    std::set<std::uint64_t> lengths;
    for (const Row* row : all_of(limits, Topic::core, Form::padded, Number::f32))
        EXPECT_TRUE(lengths.insert(row->key.n).second) << row->key.n << ": each once";
    EXPECT_EQ(lengths.size(), 26u);
    for (const char* other : {"generic", "gfx942", "cpu", "sm_75", "sm_80"}) {
        limits.architecture = other;
        EXPECT_FALSE(find(limits, key)) << other;
    }
}

}  // namespace
