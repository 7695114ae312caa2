// Specs as text, their counts and tables, and the contradictions that are refused.
#include "kernels/contract/spec.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "kernels/contract/generate.hpp"
#include "kernels/tables.hpp"
#include "seiche/error.hpp"

namespace seiche::test {
namespace {

using namespace kernels;

KernelSpec group_spec(std::uint32_t n, const std::vector<std::uint32_t>& radices) {
    KernelSpec spec;
    spec.n = n;
    spec.radices = radices;
    spec.loops = {{0, n, n}};
    GroupShape shape;
    shape.threads = n / *std::max_element(radices.begin(), radices.end());
    shape.sequences = 4;
    spec.shape = shape;
    return spec;
}

KernelSpec simd_spec(std::uint32_t n, const std::vector<std::uint32_t>& radices, const SimdShape& shape) {
    KernelSpec spec = group_spec(n, radices);
    spec.shape = shape;
    return spec;
}

TEST(SpecText, SaysWhatTheKernelDoes) {
    KernelSpec spec = group_spec(64, {8, 8});
    EXPECT_EQ(to_string(spec), "c2c f32 n=64 radices=8x8 threads=8 sequences=4 exchange=full strides=1,1");
    spec.precision = Precision::f64;
    spec.in.stride = 128;
    spec.in.stages = {SwapParts{}, FourStepTwiddle{8192, 0}};
    spec.out.stages = {Multiply{0.5}, Chirp{31}, ChirpSpectrum{31, 64}};
    spec.movement_only = true;
    EXPECT_EQ(to_string(spec),
              "c2c f64 n=64 radices=8x8 threads=8 sequences=4 exchange=full strides=128,1 load=swap+twiddle(8192) "
              "store=scale(0.5)+chirp(31)+spectrum(31,64) movement-only");
    EXPECT_EQ(to_string(simd_spec(64, {8, 8}, {8, false, 2})),
              "c2c f32 n=64 radices=8x8 lanes=8 along butterflies units=2 strides=1,1");
    EXPECT_EQ(to_string(simd_spec(64, {8, 8}, {16, true, 1})),
              "c2c f32 n=64 radices=8x8 lanes=16 across sequences units=1 strides=1,1");
}

TEST(SpecCounts, GroupsCoverEverySequence) {
    KernelSpec spec = group_spec(64, {8, 8});
    spec.loops = {{3, 1, 1}, {5, 192, 192}, {0, 960, 960}};
    EXPECT_EQ(sequences_per_batch(spec), 15u);
    EXPECT_EQ(groups(spec, 1), 4u);   // 15 by fours
    EXPECT_EQ(groups(spec, 4), 15u);  // 60 by fours
    spec.shape = SimdShape{8, true, 2};
    EXPECT_EQ(sequences_per_group(spec), 16u);
    EXPECT_EQ(groups(spec, 1), 1u);
    EXPECT_EQ(groups(spec, 2), 2u);
    spec.shape = SimdShape{8, false, 2};
    EXPECT_EQ(sequences_per_group(spec), 2u);
}

TEST(Tables, OfStagesLieOneAfterTheOther) {
    const std::vector<TableSection> sections = tables(group_spec(128, {4, 4, 8}));
    ASSERT_EQ(sections.size(), 2u);  // the first stage needs none
    EXPECT_EQ(sections[0], (TableSection{MergedTwiddles{4, 4}, 8, 0, 1}));
    EXPECT_EQ(sections[1], (TableSection{MergedTwiddles{8, 16}, 64, 8, 1}));
    EXPECT_EQ(table_entries(sections), 72u);
    EXPECT_EQ(&find_section(sections, MergedTwiddles{8, 16}), &sections[1]);
    EXPECT_EQ(tables(group_spec(35, {5, 7}))[0], (TableSection{StageTwiddles{7, 5, 1}, 30, 0, 1}));
    EXPECT_EQ(table_entries({}), 0u);
}

TEST(Tables, OfLanesAreSplitAndAtLeastOneRegisterLong) {
    const std::vector<TableSection> sections = tables(simd_spec(64, {4, 16}, {8, false, 1}));
    ASSERT_EQ(sections.size(), 1u);
    EXPECT_EQ(sections[0], (TableSection{StageTwiddles{16, 4, 8}, 15 * 8, 0, 8}));
    EXPECT_EQ(tables(simd_spec(64, {4, 16}, {8, true, 1}))[0], (TableSection{StageTwiddles{16, 4, 1}, 60, 0, 1}));
}

TEST(Tables, OfStagesAreSharedByLoadAndStore) {
    KernelSpec spec = group_spec(16, {16});
    spec.in.stages = {Chirp{5}};
    spec.out.stages = {ChirpSpectrum{5, 16}, Chirp{5}};
    const std::vector<TableSection> sections = tables(spec);
    ASSERT_EQ(sections.size(), 2u);
    EXPECT_EQ(sections[0], (TableSection{ChirpTable{5}, 5, 0, 1}));
    EXPECT_EQ(sections[1], (TableSection{SpectrumTable{5, 16}, 16, 5, 1}));
}

TEST(Tables, OfLongTwiddlesCoverEveryExponent) {
    for (const std::uint64_t length :
         {2ull, 3ull, 1000ull, 1024ull, 1025ull, 1ull << 20, (1ull << 20) - 1, 1ull << 33}) {
        const std::uint64_t step = power_table_step(length);
        EXPECT_LE((length - 1) / step, (length + step - 1) / step - 1) << length;
        EXPECT_LE(step * step, 4 * length) << length;
    }
    KernelSpec spec = group_spec(16, {16});
    spec.loops = {{8192, 1, 1}, {0, 131072, 131072}};
    spec.in.stages = {FourStepTwiddle{131072, 0}};
    const std::vector<TableSection> sections = tables(spec);
    const std::uint64_t rows = 16 * (128 + 64);  // of columns in a run, and of runs
    ASSERT_EQ(sections.size(), 4u);
    EXPECT_EQ(sections[2], (TableSection{PowerTable{131072, 1, 512}, 512, rows, 1}));
    EXPECT_EQ(sections[3], (TableSection{PowerTable{131072, 512, 256}, 256, rows + 512, 1}));
}

TEST(Tables, OfShorterTwiddlesHaveARowForEachOfAThreadsElements) {
    KernelSpec spec = group_spec(64, {8, 8});  // 8 threads: elements lane, lane + 8, ...
    spec.loops = {{32, 1, 1}, {0, 2048, 2048}};
    spec.in.stages = {FourStepTwiddle{2048, 0}};
    EXPECT_EQ(twiddle_rows(spec, {2048, 0}, spec.in.stages), (std::vector{BlockTwiddles{256, 8, 32, 1}}));
    EXPECT_NO_THROW(find_section(tables(spec), BlockTwiddles{256, 8, 32, 1}));
    std::get<GroupShape>(spec.shape).threads = 5;  // some threads have fewer elements
    EXPECT_TRUE(twiddle_rows(spec, {2048, 0}, spec.in.stages).empty());
    EXPECT_THROW(find_section(tables(spec), BlockTwiddles{256, 8, 32, 1}), InternalError);
}

TEST(Tables, OfSecondPassesOnChipHaveWhatRowsShareInTheOrderOfThreads) {
    KernelSpec spec = group_spec(64, {8, 8});
    spec.loops = {{32, 1, 1}, {0, 2048, 2048}};
    spec.in.stages = {FourStepTwiddle{2048, 0}};
    EXPECT_FALSE(common_twiddles(spec, {2048, 0}, spec.in.stages));
    spec.follows = kernels::Follows::points;
    const auto common = [&] { return common_twiddles(spec, {2048, 0}, spec.in.stages); };
    ASSERT_TRUE(common());
    EXPECT_EQ(common()->tables, (std::vector{BlockTwiddles{2048, 32, 8, 1}}));
    EXPECT_TRUE(common()->is_along);
    EXPECT_NO_THROW(find_section(tables(spec), BlockTwiddles{2048, 32, 8, 1}));
    auto& shape = std::get<GroupShape>(spec.shape);
    shape.load_order = ThreadOrder::sequence_fastest;
    ASSERT_TRUE(common());
    EXPECT_EQ(common()->tables, (std::vector{BlockTwiddles{2048, 8, 32, 1}}));
    EXPECT_FALSE(common()->is_along);
    shape.threads = 5;  // the points are dealt otherwise
    EXPECT_FALSE(common());
    shape.threads = 8;
    spec.loops[0].count = 96;
    EXPECT_FALSE(common_twiddles(spec, {6144, 0}, spec.in.stages));
    spec.loops[0].count = 1 << 13;  // large
    EXPECT_FALSE(common_twiddles(spec, {64 << 13, 0}, spec.in.stages));
    spec.loops[0].count = 32;
    spec.follows = kernels::Follows::conjugate_pairs;
    EXPECT_TRUE(common());
    spec.precision = Precision::f64;  // few registers beside bins
    EXPECT_FALSE(common());
}

TEST(Tables, OfPassesThatTrailHaveWhatRowsShareInRunsOfSequences) {
    KernelSpec spec = group_spec(64, {8, 8});
    auto& shape = std::get<GroupShape>(spec.shape);
    shape.load_order = ThreadOrder::sequence_fastest;
    spec.loops = {{512, 1, 1}, {0, 32768, 32768}};
    spec.in.stages = {FourStepTwiddle{32768, 0}};
    spec.slices.sequences = 512;
    const auto common = [&](std::uint64_t length) { return common_twiddles(spec, {length, 0}, spec.in.stages); };
    ASSERT_TRUE(common(32768));
    EXPECT_EQ(common(32768)->tables, (std::vector{BlockTwiddles{32768, 8, 512, 1}}));
    spec.loops[0].count = spec.slices.sequences = 8192;
    ASSERT_TRUE(common(524288));
    EXPECT_EQ(common(524288)->tables,
              (std::vector{BlockTwiddles{524288, 8, 128, 1}, BlockTwiddles{524288, 8, 64, 128}}));
    shape.load_order = ThreadOrder::element_fastest;
    EXPECT_FALSE(common(524288));
}

TEST(Tables, OfRowsAreProductsWhereLoadsCostMoreAndRegistersSuffice) {
    KernelSpec spec = group_spec(64, {8, 8});
    auto& shape = std::get<GroupShape>(spec.shape);
    EXPECT_EQ(row_step(spec, {2048, 0}, 16), 16u);  // other groups share the unit
    shape.sequences = 65536 / 4 / 64;
    EXPECT_EQ(row_step(spec, {2048, 0}, 16), 4u);
    shape.sequences = 1;
    spec.slices.sequences = 32;
    EXPECT_EQ(row_step(spec, {2048, 0}, 16), 4u);
    spec.slices.sequences = 0;
    spec.follows = kernels::Follows::points;
    EXPECT_EQ(row_step(spec, {2048, 0}, 16), 4u);
    EXPECT_EQ(row_step(spec, {6000, 0}, 10), 3u);
    EXPECT_EQ(row_step(spec, {2048, 0}, 32), 32u);
    spec.precision = Precision::f64;
    EXPECT_EQ(row_step(spec, {2048, 0}, 16), 4u);
    EXPECT_EQ(row_step(spec, {6561, 0}, 9), 9u);
}

TEST(Tables, OfTwiddlesOfManyColumnsHaveTwoRows) {
    KernelSpec spec = group_spec(64, {8, 8});
    constexpr std::uint64_t count = 3 << 17;
    spec.loops = {{count, 1, 1}, {0, 64 * count, 64 * count}};
    spec.in.stages = {FourStepTwiddle{64 * count, 0}};
    const std::vector<BlockTwiddles> rows = twiddle_rows(spec, {64 * count, 0}, spec.in.stages);
    EXPECT_EQ(rows, (std::vector{BlockTwiddles{8 * count, 8, 1024, 1}, BlockTwiddles{8 * count, 8, 384, 1024}}));
    for (const BlockTwiddles& table : rows) EXPECT_NO_THROW(find_section(tables(spec), table));
}

TEST(Tables, OfTwiddlesBeforeTheStoreFollowTheLastStage) {
    KernelSpec spec = group_spec(64, {8, 8});
    spec.loops = {{32, 1, 1}, {0, 2048, 2048}};
    spec.out.stages = {FourStepTwiddle{2048, 0}};
    std::get<GroupShape>(spec.shape).load_order = ThreadOrder::flat;  // no matter of the store's
    EXPECT_EQ(twiddle_rows(spec, {2048, 0}, spec.out.stages), (std::vector{BlockTwiddles{256, 8, 32, 1}}));
    EXPECT_NO_THROW(find_section(tables(spec), BlockTwiddles{256, 8, 32, 1}));
    std::get<GroupShape>(spec.shape).store_order = ThreadOrder::flat;
    EXPECT_TRUE(twiddle_rows(spec, {2048, 0}, spec.out.stages).empty());
}

TEST(Tables, OfSharedLaneFactorsStayWithinTheCaches) {
    KernelSpec spec = simd_spec(64, {8, 8}, {16, true, 1});
    for (const std::uint64_t count : {std::uint64_t{1} << 16, std::uint64_t{1} << 17}) {
        const FourStepTwiddle twiddle{64 * count, 0};
        const auto distance = static_cast<std::int64_t>(64 * count);
        spec.loops = {{count, 1, 1}, {0, distance, distance}};
        spec.in.stages = {twiddle};
        const auto blocks = block_twiddles(spec, twiddle);
        EXPECT_EQ(blocks.has_value(), count == 1 << 16);
        EXPECT_EQ(blocks.value_or(BlockTwiddles{64 * count, 64, 4096, 16}), (BlockTwiddles{64 * count, 64, 4096, 16}));
        EXPECT_NO_THROW(find_section(tables(spec), LaneTwiddles{64 * count, 64, 16}));
        EXPECT_LE(table_entries(tables(spec)), 1u << 19);
    }
}

TEST(Tables, OfMovementAreEmpty) {
    KernelSpec spec = group_spec(64, {8, 8});
    spec.movement_only = true;
    EXPECT_TRUE(tables(spec).empty());
}

void expect_refused(KernelSpec spec, const std::function<void(KernelSpec&)>& change, const std::string& word) {
    EXPECT_NO_THROW(generate(complete(spec)));
    change(spec);
    try {
        generate(complete(spec));
        FAIL() << "accepted: " << to_string(spec);
    } catch (const InternalError& error) {
        EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
    }
}

TEST(Generate, RefusesContradictions) {
    const KernelSpec good = group_spec(64, {8, 8});
    expect_refused(
        good,
        [](KernelSpec& s) {
            s.radices = {8, 4};
        },
        "radices");
    expect_refused(
        good, [](KernelSpec& s) { s.radices.clear(); }, "radices");
    expect_refused(
        good, [](KernelSpec& s) { s.loops.clear(); }, "loop");
    expect_refused(
        good,
        [](KernelSpec& s) {
            s.in.stages = {FourStepTwiddle{128, 1}};
        },
        "loop 1");
    KernelSpec column = good;
    column.loops = {{8, 1, 1}, {0, 512, 512}};
    column.in.stages = {FourStepTwiddle{512, 0}};
    expect_refused(
        column,
        [](KernelSpec& s) {
            s.in.stages = {FourStepTwiddle{256, 0}};
        },
        "twiddle");
    expect_refused(
        good,
        [](KernelSpec& s) {
            s.in.stages = {Chirp{31, 1, 2}};
        },
        "loop 2");
    expect_refused(
        good,
        [](KernelSpec& s) {
            s.out.stages = {ChirpSpectrum{31, 64, 1, -2}};
        },
        "loop -2");
    expect_refused(
        good,
        [](KernelSpec& s) {
            s.out.stages = {ChirpSpectrum{31, 64, 2, -1}};
        },
        "as long as the points");
    expect_refused(
        good, [](KernelSpec& s) { std::get<GroupShape>(s.shape).threads = 0; }, "threads");
    expect_refused(
        good, [](KernelSpec& s) { std::get<GroupShape>(s.shape).exchange.components = 3; }, "components");
    expect_refused(
        good,
        [](KernelSpec& s) {
            s.convolution.stages = {ChirpSpectrum{31, 64, 1, -1}};
            std::get<GroupShape>(s.shape).mirrors = Mirrors::in_thread;
        },
        "mirrored points in a thread");
    const KernelSpec one_stage = group_spec(16, {16});
    expect_refused(
        one_stage, [](KernelSpec& s) { std::get<GroupShape>(s.shape).load_order = ThreadOrder::sequence_fastest; },
        "different orders");
    const KernelSpec simd = simd_spec(64, {8, 8}, {8, false, 1});
    expect_refused(
        simd,
        [](KernelSpec& s) {
            s.radices = {32, 2};
        },
        "lanes");
    expect_refused(
        simd,
        [](KernelSpec& s) {
            s.shape = SimdShape{6, true, 1};
        },
        "lanes");
    expect_refused(
        simd,
        [](KernelSpec& s) {
            s.shape = SimdShape{32, true, 1};
        },
        "lanes");
    expect_refused(
        simd,
        [](KernelSpec& s) {
            s.shape = SimdShape{8, false, 0};
        },
        "units");
}

}  // namespace
}  // namespace seiche::test
