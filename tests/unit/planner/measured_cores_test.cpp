// Cores that were measured: every row is a core that a group can hold, and is planned on devices of its kind alone.
#include "planner/shape/measured_cores.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "planner/recipe.hpp"
#include "seiche/error.hpp"
#include "seiche/problem.hpp"
#include "tests/unit/planner/card_of_kind.hpp"

namespace {

using namespace seiche;

constexpr std::uint64_t longest = 1 << 15;

DeviceLimits of_kind() {
    DeviceLimits limits;
    limits.architecture = "sm_100";
    limits.shared_bytes = 227 * 1024;
    limits.waits_for_groups = false;  // no pipelined passes
    return limits;
}

kernels::KernelSpec planned(const std::string& text, const DeviceLimits& limits, const Tuning& tuning = {},
                            Direction direction = Direction::forward) {
    const problem::Canonical canonical = problem::normalise(parse_problem(text));
    const planner::Recipe recipe = planner::design(canonical, limits, tuning);
    const auto steps = planner::plan(recipe, canonical, limits, {direction, tuning}).schedule.steps;
    EXPECT_EQ(steps.size(), 1u) << text;
    return steps.front().spec;
}

struct Stored {
    Precision precision;
    bool is_16_bit;
    const char* words;
};

TEST(MeasuredCores, EveryRowIsPlanned) {
    std::size_t rows = 0;
    for (const Stored& stored :
         {Stored{Precision::f32, false, " f32"}, {Precision::f32, true, " f16"}, {Precision::f64, false, " f64"}}) {
        for (std::uint64_t n = 1; n <= longest; ++n) {
            const auto core = planner::measured_core({n, stored.precision, stored.is_16_bit}, of_kind());
            if (!core) continue;
            ++rows;
            const std::uint64_t product =
                std::accumulate(core->radices.begin(), core->radices.end(), std::uint64_t{1}, std::multiplies<>());
            ASSERT_EQ(product, n);
            const kernels::KernelSpec spec = planned(std::to_string(n) + stored.words + " batch=64", of_kind());
            const auto& shape = std::get<kernels::GroupShape>(spec.shape);
            EXPECT_EQ(shape.threads, core->threads) << n << stored.words;
            EXPECT_TRUE(core->sequences == 0 || shape.sequences == core->sequences) << n << stored.words;
            EXPECT_LE(shape.threads * shape.sequences, of_kind().max_group_size) << n;
        }
    }
    EXPECT_GT(rows, 190u);
}

TEST(MeasuredCores, EveryRowOfRealNumbersIsPlanned) {
    using planner::CorePlace;
    std::size_t rows = 0;
    for (const Stored& stored : {Stored{Precision::f32, false, " f32"}, {Precision::f64, false, " f64"}}) {
        for (const CorePlace place : {CorePlace::r2c_rows, CorePlace::c2r_rows}) {
            for (std::uint64_t n = 1; n <= longest; ++n) {
                const auto core = planner::measured_core({n, stored.precision, false, place}, of_kind());
                if (!core) continue;
                ++rows;
                const bool is_r2c = place == CorePlace::r2c_rows;
                const std::string text =
                    std::to_string(2 * n) + (is_r2c ? " r2c" : " c2r") + stored.words + " batch=64";
                const kernels::KernelSpec spec =
                    planned(text, of_kind(), {}, is_r2c ? Direction::forward : Direction::inverse);
                std::vector<std::uint32_t> radices = spec.radices;  // points may be dealt at an end
                radices.erase(std::remove(radices.begin(), radices.end(), 1u), radices.end());
                EXPECT_EQ(radices, core->radices) << text;
                const auto& shape = std::get<kernels::GroupShape>(spec.shape);
                EXPECT_EQ(shape.threads, core->threads) << text;
                EXPECT_TRUE(core->sequences == 0 || shape.sequences == core->sequences) << text;
            }
        }
    }
    EXPECT_EQ(rows, 13u);
}

/// Every length up to the longest has a core that is at least as long as it must be, with threads that divide its work.
TEST(MeasuredCores, OfPaddedConvolutions) {
    for (const Precision precision : {Precision::f32, Precision::f64}) {
        const std::uint64_t most = precision == Precision::f32 ? 20480 : 12288;
        EXPECT_FALSE(planner::fastest_padded_core(most + 1, precision, of_kind()));
        for (std::uint64_t least = 3; least <= most; least += 97) {
            const auto core = planner::fastest_padded_core(least, precision, of_kind());
            ASSERT_TRUE(core) << least;
            std::uint64_t product = 1;
            for (const std::uint32_t radix : core->core.radices) product *= radix;
            EXPECT_EQ(product, core->n);
            EXPECT_GE(core->n, least);
        }
    }
    DeviceLimits limits = of_kind();
    limits.architecture = "sm_100";
    limits.shared_bytes = 227 * 1024;
    limits.shared_bytes_per_unit = 228 * 1024;
    const kernels::KernelSpec spec = planned("10007 batch=64", limits);
    EXPECT_EQ(spec.n, 20480u);
    EXPECT_EQ(std::get<kernels::GroupShape>(spec.shape).threads, 640u);
    EXPECT_EQ(std::get<kernels::GroupShape>(spec.shape).exchange.components, 2u)
        << "nothing else has its shared memory";
    limits = of_kind();
    limits.max_group_size = 512;
    EXPECT_FALSE(planner::fastest_padded_core(20000, Precision::f32, limits));
    limits = of_kind();
    limits.architecture = "gfx942";
    EXPECT_FALSE(planner::fastest_padded_core(100, Precision::f32, limits));
}

/// Primes in loops, doubles of which two threads have the parts where a subgroup's lanes are neighbours.
TEST(PrimeTurns, OfDensePrimes) {
    DeviceLimits limits = of_kind();
    limits.fixed_subgroups = true;
    const auto shape = [&](const std::string& text) {
        return std::get<kernels::GroupShape>(planned(text, limits).shape);
    };
    for (const char* text : {"43 batch=999", "61 in-place batch=9", "67 batch=99999", "89 batch=32768",
                             "53 f16 batch=9", "37 f64 batch=9", "47 f64 in-place batch=999"}) {
        EXPECT_GT(shape(text).pairs_in_turn(), 0u) << text;
        EXPECT_FALSE(shape(text).has_parts_in_lanes()) << text;
        EXPECT_EQ(shape(text).threads, 1u) << text;
    }
    for (const char* text : {"53 f64 batch=65536", "59 f64 batch=99999", "83 f64 in-place batch=65536"}) {
        EXPECT_GT(shape(text).pairs_in_turn(), 0u) << text;
        EXPECT_TRUE(shape(text).has_parts_in_lanes()) << text;
        EXPECT_EQ(shape(text).threads, 2u) << text;
        EXPECT_EQ(shape(text).sequences % 16, 0u) << text;
    }
    // Few of those that have no butterfly without a loop; lengths that were slower so; sequences that lie apart.
    for (const char* text :
         {"67 batch=999", "53 f64 batch=999", "67 f64 batch=32768", "41 batch=99999", "97 batch=99999",
          "79 f64 batch=99999", "61 odist=62 batch=999", "67 c2r batch=99999", "44 batch=999"})
        EXPECT_EQ(shape(text).pairs_in_turn(), 0u) << text;
    limits.fixed_subgroups = false;
    EXPECT_GT(shape("47 f64 batch=999").pairs_in_turn(), 0u);
    EXPECT_EQ(shape("53 f64 batch=99999").pairs_in_turn(), 0u);
    limits.bounds_registers = false;
    EXPECT_EQ(shape("47 f64 batch=99999").pairs_in_turn(), 0u);
}

/// Every one of them has a kernel whose turns make all its pairs.
TEST(PrimeTurns, MakeAllPairs) {
    DeviceLimits limits = of_kind();
    limits.fixed_subgroups = true;
    for (const Precision precision : {Precision::f32, Precision::f64}) {
        int count = 0;
        for (std::uint64_t n = 2; n < 200; ++n) {
            const std::optional<planner::PrimeTurns> turns = planner::turns_of_prime(n, precision, limits);
            if (!turns) continue;
            ++count;
            const std::uint64_t pairs = n % 4 == 1 ? (n - 1) / 4 : (n - 1) / 2;
            EXPECT_LE(turns->pairs, pairs) << n;
            EXPECT_LT((pairs + turns->pairs - 1) / turns->pairs * turns->pairs - pairs, turns->pairs) << n;
            EXPECT_EQ(turns->threads * turns->sequences % 32, 0u) << n;
        }
        EXPECT_EQ(count, 11);
    }
    EXPECT_FALSE(planner::turns_of_prime(67, Precision::f16, limits));
}

/// A group's sequences may be others; what cannot be had is said.
TEST(PrimeTurns, ObeyTheTuning) {
    DeviceLimits limits = of_kind();
    limits.fixed_subgroups = true;
    const auto designed = [&](const std::string& text, const Tuning& tuning) {
        const problem::Canonical canonical = problem::normalise(parse_problem(text));
        return planner::plan(planner::design(canonical, limits, tuning), canonical, limits,
                             {Direction::forward, tuning})
            .schedule.steps.at(0)
            .spec;
    };
    Tuning tuning;
    tuning.transforms_per_group = 64;
    EXPECT_EQ(std::get<kernels::GroupShape>(designed("67 batch=99999", tuning).shape).sequences, 64u);
    tuning.transforms_per_group = 8;
    EXPECT_THROW(designed("67 f64 batch=99999", tuning), Unsupported);
    tuning.transforms_per_group = 512;
    EXPECT_THROW(designed("67 batch=99999", tuning), Unsupported);
    tuning.transforms_per_group = 0;
    tuning.algorithm = Algorithm::rader;
    EXPECT_EQ(designed("67 batch=99999", tuning).convolution.prime, 67u);
    tuning.algorithm = Algorithm::any;
    tuning.threads_per_transform = 6;
    EXPECT_EQ(designed("67 batch=99999", tuning).convolution.prime, 67u) << "no other threads have a loop";
}

using Radices = std::vector<std::uint32_t>;

DeviceLimits with_shared_memory() {
    DeviceLimits limits = of_kind();
    limits.architecture = "sm_100";
    limits.shared_bytes = 227 * 1024;
    limits.shared_bytes_per_unit = 228 * 1024;
    return limits;
}

kernels::GroupShape shape_of(const std::string& text, const DeviceLimits& limits) {
    return std::get<kernels::GroupShape>(planned(text, limits).shape);
}

/// The even and the odd part of primes where they are faster than Bluestein's and Rader's whole.
TEST(MeasuredCores, OfPrimesByParity) {
    DeviceLimits limits = with_shared_memory();
    const auto shape = [&](const std::string& text) { return shape_of(text, limits); };
    EXPECT_EQ(planned("4093 f64 batch=9", limits).radices, (Radices{1, 16, 16, 16, 1}));
    EXPECT_EQ(shape("4093 f64 batch=9").min_groups_per_unit, 2u);
    EXPECT_TRUE(shape("4093 f64 batch=9").exchange.holds_parity && shape("4093 f64 batch=9").exchange.whole_points);
    EXPECT_EQ(planned("11003 batch=9", limits).radices, (Radices{1, 32, 11, 32, 1}));
    EXPECT_TRUE(shape("11003 batch=9").has_core_loop() && shape("11003 batch=9").exchange.holds_parity);
    EXPECT_EQ(planned("4093 batch=9", limits).convolution.prime, 0u) << "Bluestein's is faster";
    EXPECT_EQ(planned("1009 f64 batch=9", limits).n, 1008u);
    EXPECT_EQ(planned("7193 f64 batch=9", limits).n, 8192u) << "a radix of 31 has no registers";
    EXPECT_GT(planned("523 f64 batch=9", limits).n, 521u);
    EXPECT_LE(shape("523 f64 batch=9").min_groups_per_unit * shape("523 f64 batch=9").threads *
                  shape("523 f64 batch=9").sequences * (4 * 29 + 32),
              65536u)
        << "registers of a butterfly of 29 doubles";
}

/// Rows of doubles of any length, and groups that a unit has registers for.
TEST(LongRadices, OfDoubles) {
    DeviceLimits limits = with_shared_memory();
    const auto shape = [&](const std::string& text) { return shape_of(text, limits); };
    EXPECT_EQ(planned("7350 f64 batch=9", limits).radices, (Radices{25, 14, 21}));
    EXPECT_EQ(shape("7350 f64 batch=9").threads, 350u);
    EXPECT_EQ(planned("3250 f64 batch=9", limits).radices, (Radices{25, 26, 5}));
    EXPECT_EQ(shape("3250 f64 batch=9").min_groups_per_unit, 2u);
    EXPECT_EQ(shape("5400 f64 batch=9").min_groups_per_unit, 2u) << "of a measured core too";
    // Where the usual ones share a unit and these would not, where registers would be spilled, and short ones.
    EXPECT_EQ(planned("4095 f64 batch=9", limits).radices, (Radices{13, 9, 7, 5}));
    EXPECT_EQ(planned("7168 f64 batch=9", limits).radices.size(), 4u);
    EXPECT_LE(planned("1716 f64 batch=9", limits).radices.front(), 16u);
    // r2c and c2r alone too, whose points are half as many, from 800 on; the other kinds have the usual ones.
    EXPECT_EQ(planned("8640 r2c f64 batch=9", limits).radices, (Radices{15, 12, 24}));
    EXPECT_EQ(shape("8640 r2c f64 batch=9").threads, 180u);
    EXPECT_EQ(shape("8640 c2r f64 batch=9").min_groups_per_unit, 2u);
    for (const char* text : {"1512 r2c f64 batch=9", "8640 dct2 f64 batch=9"}) {
        const Radices radices = planned(text, limits).radices;
        EXPECT_LE(*std::max_element(radices.begin(), radices.end()), 16u) << text;
    }
    limits.architecture = "sm_75";
    EXPECT_LE(planned("7350 f64 batch=9", limits).radices.front(), 16u);
}

TEST(MeasuredCores, OfTheirKindOfDevice) {
    const planner::MeasuredQuestion question{4000};
    ASSERT_TRUE(planner::measured_core(question, of_kind()));
    DeviceLimits limits = of_kind();
    limits.architecture = "gfx942";
    EXPECT_FALSE(planner::measured_core(question, limits));
    limits = of_kind();
    limits.shared_bytes = 64 * 1024;
    EXPECT_FALSE(planner::measured_core(question, limits));
    EXPECT_FALSE(planner::measured_core({4000, Precision::f16}, of_kind()));
    EXPECT_FALSE(planner::measured_core({4001}, of_kind()));
}

// Passes of a longer transform and of other axes, by where they are in it.
TEST(MeasuredCores, OfColumns) {
    using planner::CorePlace;
    const auto radices = [](const std::string& text, std::size_t step) {
        const problem::Canonical canonical = problem::normalise(parse_problem(text));
        const planner::Recipe recipe = planner::design(canonical, of_kind(), {});
        return planner::plan(recipe, canonical, of_kind(), {Direction::forward, {}})
            .schedule.steps.at(step)
            .spec.radices;
    };
    const auto measured = [](std::uint64_t n, CorePlace place) {
        return planner::measured_core({n, Precision::f32, false, place}, of_kind());
    };
    using List = std::vector<std::uint32_t>;
    EXPECT_EQ(radices("2000x2000", 0), measured(2000, CorePlace::rows)->radices);
    EXPECT_EQ(radices("2000x2000", 1), measured(2000, CorePlace::columns)->radices);
    EXPECT_EQ(radices("390625", 0), measured(625, CorePlace::first_columns)->radices);
    EXPECT_EQ(radices("390625", 1), measured(625, CorePlace::twiddled_columns)->radices);
    EXPECT_TRUE(measured(1024, CorePlace::columns));
    EXPECT_FALSE(measured(1024, CorePlace::twiddled_columns)) << "it lost there";
    EXPECT_EQ(radices("10000000", 1), (List{8, 5, 5})) << "it lost there";
    EXPECT_EQ(radices("4782969", 1), measured(2187, CorePlace::twiddled_columns)->radices);
    EXPECT_EQ(radices("625x8 axes=0", 0), (List{5, 5, 5, 5})) << "of few columns";
    EXPECT_EQ(radices("240x2000 f64", 1), (List{15, 2, 8}));
    EXPECT_EQ(radices("960x480 axes=0", 0), measured(960, CorePlace::columns)->radices);
    for (const CorePlace place : {CorePlace::columns, CorePlace::twiddled_columns, CorePlace::first_columns}) {
        for (std::uint64_t n = 1; n <= longest; ++n) {
            const auto core = measured(n, place);
            if (!core) continue;
            EXPECT_EQ(
                std::accumulate(core->radices.begin(), core->radices.end(), std::uint64_t{1}, std::multiplies<>()), n);
            EXPECT_LE(core->threads * core->sequences, of_kind().max_group_size) << n;
        }
    }
}

// What a user says goes first; strided, pruned and real ones are others.
TEST(MeasuredCores, GiveWayToTuningAndOtherLayouts) {
    const auto measured = planner::measured_core({4000}, of_kind());
    ASSERT_TRUE(measured);
    Tuning tuning;
    tuning.radices = {20, 20, 10};
    EXPECT_EQ(planned("4000 batch=64", of_kind(), tuning).radices, tuning.radices);
    tuning = {};
    tuning.threads_per_transform = 250;
    EXPECT_EQ(std::get<kernels::GroupShape>(planned("4000 batch=64", of_kind(), tuning).shape).threads, 250u);
    tuning = {};
    tuning.transforms_per_group = 2;
    EXPECT_EQ(std::get<kernels::GroupShape>(planned("4000 batch=64", of_kind(), tuning).shape).sequences, 2u);
    EXPECT_NE(planned("8000 r2c batch=64", of_kind()).radices, measured->radices);
    EXPECT_NE(planned("4000x8 axes=0", of_kind()).radices, measured->radices);
}

/// As many as were measured, or such that rows of other radices than powers of two have their registers.
TEST(MeasuredCores, GroupsOfAUnit) {
    const auto groups = [](const std::string& text) {
        return std::get<kernels::GroupShape>(planned(text, of_kind()).shape).min_groups_per_unit;
    };
    EXPECT_EQ(groups("10000 batch=999"), 2u);
    EXPECT_EQ(groups("4000 f64 batch=999"), 2u);
    EXPECT_EQ(groups("2401 batch=999"), 4u);
    EXPECT_EQ(groups("2048 batch=999"), 0u) << "the compiler has enough by itself";
    // Blocks of 66, 70, 65 and 112 threads take whole subgroups, and all points of a thread are in registers.
    EXPECT_EQ(groups("429 batch=999"), 9u);
    EXPECT_EQ(groups("980 batch=999"), 10u);
    EXPECT_EQ(groups("975 batch=999"), 8u);
    EXPECT_EQ(groups("1792 batch=999"), 6u);
    EXPECT_EQ(groups("726 batch=999"), 13u) << "12 points of a thread fit in 48 registers";
    EXPECT_EQ(groups("1000 f16 batch=999"), 0u) << "it lost";
    // Three blocks of 7 subgroups are 6 in one part of a unit; two are worth a few spills.
    EXPECT_EQ(groups("2475 f64 batch=999"), 2u);
    EXPECT_EQ(groups("2002 f64 batch=999"), 4u) << "lacks 8 registers";
    EXPECT_EQ(groups("4455 f64 batch=999"), 2u);
    // Planes: 13 subgroups; 23 points of a butterfly that idles in some threads.
    EXPECT_EQ(groups("56x56 batch=999"), 3u);
    EXPECT_EQ(groups("207x6 batch=9999"), 5u);
}

/// Bluestein's of real rows has its own threads, or those of complex rows where its own would spill.
TEST(MeasuredCores, ThreadsOfRealConvolutions) {
    const auto threads = [](const std::string& text) {
        return std::get<kernels::GroupShape>(planned(text, of_kind()).shape).threads;
    };
    EXPECT_EQ(threads("8252 r2c batch=999"), 384u) << "576 would spill";
    EXPECT_EQ(threads("9046 c2r batch=999"), 384u);
    EXPECT_EQ(threads("4126 batch=999"), 384u);
}

/// Columns have no loop over a prime's results: doubles would spill in one butterfly.
TEST(MeasuredCores, LargePrimesOfColumns) {
    const auto recipe = [](const std::string& text) {
        return planner::to_string(planner::design(problem::normalise(parse_problem(text)), card_of_kind(), {}));
    };
    EXPECT_EQ(recipe("8760 f64 batch=1915").find("(stockham 73 73)"), std::string::npos);
    EXPECT_NE(recipe("8760 f64 batch=1915").find("(rader 73"), std::string::npos);
    EXPECT_EQ(recipe("7553 f64 batch=2221").find("(stockham 83 83)"), std::string::npos);
}

/// A prime that needs a convolution is a pass by itself, where a multiple of it would make that longer for nothing.
TEST(FourStep, PrimesAreAlone) {
    const auto recipe = [](const std::string& text) {
        return planner::to_string(planner::design(problem::normalise(parse_problem(text)), card_of_kind(), {}));
    };
    EXPECT_NE(recipe("17520 f64 batch=957").find("(rader 73 (stockham 72 9 8)) (stockham 240"), std::string::npos);
    EXPECT_NE(recipe("72480 batch=462").find("(rader 151 (stockham 150 15 10)) (stockham 480"), std::string::npos);
    EXPECT_NE(recipe("31040 batch=1081").find("(bluestein 97 (stockham 196 14 14)) (stockham 320"), std::string::npos);
    EXPECT_NE(recipe("17520 batch=957").find("(bluestein 146"), std::string::npos) << "the model finds it cheaper";
}

/// Rows whose tables are larger than a unit's first cache, and convolutions.
TEST(TwiddleProducts, WhereTablesComeFromAfar) {
    const auto has_products = [](const std::string& text, const DeviceLimits& limits) {
        return std::get<kernels::GroupShape>(planned(text, limits).shape).twiddle_products;
    };
    for (const char* text :
         {"9604 batch=999", "19683 batch=999", "6561 f64 batch=999", "101 batch=999", "1009 f64 batch=999",
          "8000 f16 batch=999", "10000 r2c batch=999", "6561 batch=999", "1000 batch=999", "4096 f64 batch=999",
          "3000 f16 batch=999", "4096 r2c f64 batch=999", "7200 f64 batch=999"})
        EXPECT_TRUE(has_products(text, of_kind())) << text;
    for (const char* text :
         {"4096 batch=999", "1536 batch=999", "360 batch=999", "4093 batch=999", "1024 f64 batch=999",
          "4096 f16 batch=999", "15000 f16 batch=999", "2000 r2c batch=999", "1009x64 axes=0"})
        EXPECT_FALSE(has_products(text, of_kind())) << text;
    DeviceLimits unbounded = of_kind();
    unbounded.bounds_registers = false;
    EXPECT_FALSE(has_products("101 batch=999", unbounded));
}

TEST(WholePoints, OfRowsAndHalves) {
    const auto are_whole = [](const std::string& text, const DeviceLimits& limits) {
        return std::get<kernels::GroupShape>(planned(text, limits).shape).exchange.whole_points;
    };
    DeviceLimits card = of_kind();
    card.shared_bytes_per_unit = 228 * 1024;
    for (const char* text : {"500 batch=999", "3600 batch=999", "4096 batch=999", "8192 batch=999", "16384 batch=999",
                             "2187 batch=999", "64 f16 batch=999", "3000 f16 batch=999", "16384 f16 batch=999",
                             "12288 batch=999", "8192 r2c batch=999", "3000 c2r batch=999"})
        EXPECT_TRUE(are_whole(text, card)) << text;
    for (const char* text :
         {"192 batch=999", "4096 f64 batch=999", "8192 r2c f64 batch=999", "4096x64 axes=0", "1000 dct2 batch=999"})
        EXPECT_FALSE(are_whole(text, card)) << text;
    const problem::Canonical prime = problem::normalise(parse_problem("65537 batch=999"));
    for (const auto& step : planner::plan(planner::design(prime, card, {}), prime, card, {}).schedule.steps) {
        const auto& shape = std::get<kernels::GroupShape>(step.spec.shape);
        EXPECT_TRUE(shape.exchange.whole_points || step.spec.is_repacking()) << "columns with chirps";
    }
    DeviceLimits unbounded = card;
    unbounded.bounds_registers = false;
    EXPECT_FALSE(are_whole("4096 batch=999", unbounded));
    EXPECT_FALSE(are_whole("16384 f16 batch=999", unbounded)) << "of long radices, not timed";
    EXPECT_TRUE(are_whole("2187 batch=999", unbounded));
}

/// Room in shared memory that costs no group of a unit, nor what its first cache has beside them.
TEST(Rooms, GiveNothingUp) {
    DeviceLimits card = of_kind();
    card.shared_bytes_per_unit = 228 * 1024;
    const auto room = [](const std::string& text, const DeviceLimits& limits) {
        return std::get<kernels::GroupShape>(planned(text, limits).shape).exchange.padding;
    };
    EXPECT_EQ(room("2401 batch=999", card), 2401u / 8);
    EXPECT_EQ(room("4096 batch=999", card), 4096u / 8);
    EXPECT_EQ(room("10007 batch=999", card), 20480u / 8);
    EXPECT_LT(room("3000 f16 batch=999", card), 40u) << "eight groups of a unit, 195 of the 196 KiB beside the cache";
    EXPECT_EQ(room("1031 f64 batch=999", card), 0u) << "it spilled";
    EXPECT_EQ(room("4096x64 axes=0", card), 0u) << "columns of a power of two";
    EXPECT_GT(room("1000x64 axes=0", card), 0u);
    DeviceLimits unbounded = card;
    unbounded.bounds_registers = false;
    EXPECT_EQ(room("4096 batch=999", unbounded), 0u) << "an exclusive-or is as good";
    EXPECT_GT(room("2401 batch=999", unbounded), 0u);
    for (const std::uint32_t kibi : {16u, 20u, 32u, 48u, 64u}) {
        DeviceLimits small = card;
        small.shared_bytes = small.shared_bytes_per_unit = kibi * 1024;
        for (const char* text : {"1000 batch=999", "1024 batch=999", "2401 batch=999", "4096 batch=999"}) {
            const kernels::KernelSpec spec = planned(text, small);
            const auto& shape = std::get<kernels::GroupShape>(spec.shape);
            EXPECT_LE(std::uint64_t{spec.n + shape.exchange.padding} * shape.sequences * shape.exchange.components * 4 /
                          shape.exchange.chunks,
                      small.shared_bytes)
                << text << ", " << kibi << " KiB";
        }
    }
}

}  // namespace
