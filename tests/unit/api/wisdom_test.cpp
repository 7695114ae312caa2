// Wisdom: what is written can be read again, what is found, and which tunings are worth measuring.
#include "seiche/wisdom.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "seiche/error.hpp"
#include "seiche/inspect.hpp"
#include "seiche/version.hpp"

namespace {

using namespace seiche;

WisdomEntry entry(const std::string& problem, const Tuning& tuning, const std::string& device = "a card") {
    return {device, version(), to_string(parse_problem(problem)), tuning, 0.25, 0.5};
}

DeviceInfo card(const std::string& description = "a card") {
    DeviceInfo info;
    info.description = description;
    return info;
}

Tuning everything() {
    Tuning tuning;
    tuning.radices = {16, 8, 4};
    tuning.passes = {256, 512};
    tuning.algorithm = Algorithm::bluestein;
    tuning.padded_length = 4096;
    tuning.threads_per_transform = 64;
    tuning.transforms_per_group = 4;
    tuning.groups_per_cluster = 8;
    tuning.separate_passes = true;
    tuning.trailing_passes = true;
    tuning.vector_lanes = 2;
    tuning.buffer_bytes = 1 << 20;
    tuning.recipe = "split-radix";
    tuning.twiddles = TwiddleMethod::on_the_fly;
    return tuning;
}

std::string refusal(const std::string& text) {
    try {
        Wisdom::parse(text);
    } catch (const InvalidProblem& error) {
        return error.what();
    }
    return "taken";
}

TEST(Wisdom, tunings_are_words) {
    EXPECT_EQ(to_string(Tuning()), "");
    EXPECT_EQ(to_string(everything()),
              "radices=16x8x4 passes=256x512 algorithm=bluestein padded-length=4096 threads=64 transforms-per-group=4 "
              "groups-per-cluster=8 separate-passes=yes trailing-passes=yes vector-lanes=2 buffer-bytes=1048576 "
              "recipe=split-radix twiddles=on-the-fly");
    EXPECT_EQ(parse_tuning(to_string(everything())), everything());
    EXPECT_EQ(parse_tuning(""), Tuning());
    for (const char* text :
         {"radices", "radices=", "radices=16x", "passes=1.5", "threads=-1", "algorithm=best", "speed=9",
          "twiddles=none", "separate-passes=no", "trailing-passes=1", "threads=2147483648",
          "transforms-per-group=65537", "groups-per-cluster=65", "passes=0x64", "radices=65536x65536x65536x65536"})
        EXPECT_THROW(parse_tuning(text), InvalidProblem) << text;
}

TEST(Wisdom, what_is_written_can_be_read_again) {
    Wisdom wisdom;
    wisdom.set(entry("1024 f32 batch=7", everything()));
    wisdom.set(entry("1024 f32 batch=7", Tuning(), "another | card, untuned"));
    wisdom.set(entry("64x64 r2c f64", Tuning()));
    const Wisdom again = Wisdom::parse(wisdom.text());
    ASSERT_EQ(again.entries().size(), 3u);
    for (const WisdomEntry& one : wisdom.entries())
        EXPECT_NE(std::find(again.entries().begin(), again.entries().end(), one), again.entries().end()) << one.problem;
    EXPECT_EQ(again.text(), wisdom.text());
    wisdom.set(entry("64x64 r2c f64", everything()));
    EXPECT_EQ(wisdom.entries().size(), 3u);
    EXPECT_EQ(wisdom.find(card(), parse_problem("64x64 r2c f64"))->tuning, everything());
}

TEST(Wisdom, is_found_for_the_device_the_version_and_the_nearest_batch) {
    Wisdom wisdom;
    Tuning few, many;
    few.transforms_per_group = 1;
    many.transforms_per_group = 8;
    wisdom.set(entry("256 batch=10", few));
    wisdom.set(entry("256 batch=1000", many));
    const auto found = [&](const char* problem, const DeviceInfo& device) {
        const WisdomEntry* one = wisdom.find(device, parse_problem(problem));
        return one ? to_string(one->tuning) : "none";
    };
    EXPECT_EQ(found("256 batch=10", card()), to_string(few));
    EXPECT_EQ(found("256 batch=50", card()), to_string(few));
    EXPECT_EQ(found("256 batch=2000", card()), to_string(many));
    EXPECT_EQ(found("256 f64 batch=10", card()), "none");
    EXPECT_EQ(found("256 batch=10", card("another")), "none");
    EXPECT_EQ(wisdom.find_exactly(card(), parse_problem("256 batch=50")), nullptr);
    WisdomEntry older = entry("512", few);
    older.version = "0.0.1";
    wisdom.set(older);
    EXPECT_EQ(found("512", card()), "none");
}

TEST(Wisdom, names_the_line_that_is_wrong) {
    const std::string head = "Seiche wisdom 1\ndevice a card\nversion 1\n";
    EXPECT_EQ(refusal(head + "# 8 | x\n\n8 | untuned | 1 ms, untuned 1 ms\n"), "taken");
    EXPECT_NE(refusal("").find("got nothing"), std::string::npos);
    EXPECT_NE(refusal("something else\n").find("line 1"), std::string::npos);
    EXPECT_NE(refusal("Seiche wisdom 1\n8 | untuned | 1 ms, untuned 1 ms\n").find("line 2: expected a device"),
              std::string::npos);
    for (const char* line :
         {"8", "8 | untuned", "8 | untuned | soon", "8 | untuned | 1 ms", "8 | speed=1 | 1 ms, untuned 1 ms",
          "8q | untuned | 1 ms, untuned 1 ms", "8 | threads=2147483649 transforms-per-group=2 | 1 ms, untuned 1 ms",
          "8 | untuned | nan ms, untuned 1 ms"})
        EXPECT_NE(refusal(head + line + "\n").find("line 4"), std::string::npos)
            << line << ": " << refusal(head + line);
}

/// Half of a spectrum needs 3 n / 2 points, a whole one 2 n - 1: pruned, the shorter ones cannot be had.
TEST(Wisdom, candidates_have_the_padded_lengths_of_their_kind) {
    DeviceLimits limits;
    limits.architecture = "sm_100";
    limits.shared_bytes = 227 * 1024;
    const auto least = [&](const std::string& text) {
        std::uint64_t found = 0;
        for (const Tuning& tuning : candidate_tunings(parse_problem(text), limits))
            if (tuning.padded_length != 0)
                found = found == 0 ? tuning.padded_length : std::min(found, tuning.padded_length);
        return found;
    };
    EXPECT_EQ(least("1487 dct2 batch=99"), 2240u);
    EXPECT_EQ(least("1487 batch=99"), 3000u);
    EXPECT_EQ(least("1487 dct2 signal-zeros=0:1000-1487 batch=99"), 3000u);
}

TEST(Wisdom, candidates_can_be_had_and_differ) {
    DeviceLimits limits;
    limits.architecture = "sm_100";
    limits.shared_bytes = 227 * 1024;
    limits.shared_bytes_per_unit = 228 * 1024;
    limits.compute_units = 132;
    limits.max_cluster_size = 16;
    const auto count = [&](const char* text) {
        const Problem problem = parse_problem(text);
        std::set<std::string> kernels;
        const std::vector<Tuning> all = candidate_tunings(problem, limits);
        EXPECT_EQ(all.front(), Tuning()) << text;
        for (const Tuning& tuning : all) {
            std::string specs;
            for (const KernelReport& kernel : inspect(problem, limits, tuning).kernels) specs += kernel.spec;
            EXPECT_TRUE(kernels.insert(specs).second) << text << ": " << to_string(tuning);
        }
        return all.size();
    };
    EXPECT_GT(count("1024 batch=100"), 10u);
    const auto has = [&](const char* text, const Tuning& tuning) {
        const std::vector<Tuning> all = candidate_tunings(parse_problem(text), limits);
        return std::find(all.begin(), all.end(), tuning) != all.end();
    };
    Tuning order;  // of radices, with threads, in groups of several transforms
    order.threads_per_transform = 96;
    order.radices = {16, 6, 16};
    for (const std::uint32_t transforms : {0u, 2u}) {  // 1 is what it has by itself
        order.transforms_per_group = transforms;
        EXPECT_TRUE(has("1536 f64 batch=100", order)) << to_string(order);
    }
    Tuning whole;  // planes that a group has, and how many
    whole.groups_per_cluster = 1;
    whole.transforms_per_group = 12;
    for (const char* text : {"8x8 batch=100", "9x9 r2c batch=100", "8x8 dct2 batch=100"})
        EXPECT_TRUE(has(text, whole)) << text;
    limits.waits_for_groups = true;
    limits.cache_bytes = std::uint64_t{50} << 20;
    Tuning split;  // two passes in a launch each and in one, and three
    split.passes = {1024, 4096};
    split.transforms_per_group = 2;
    split.separate_passes = true;
    EXPECT_TRUE(has("4194304 batch=16", split));
    split.transforms_per_group = 0;
    split.separate_passes = false;
    split.passes = {256, 128, 128};
    split.trailing_passes = true;
    EXPECT_TRUE(has("4194304 batch=16", split));
    split.passes.clear();
    EXPECT_TRUE(has("100x100x100 batch=67", split));
    const auto has_short_convolution = [&](const char* text) {
        const std::vector<Tuning> all = candidate_tunings(parse_problem(text), limits);
        return std::any_of(all.begin(), all.end(), [](const Tuning& tuning) {
            return tuning.padded_length != 0 && tuning.padded_length < 2 * 157 - 1;
        });
    };
    EXPECT_TRUE(has_short_convolution("157 r2c batch=99")) << "of 157 points and 79 results";
    EXPECT_FALSE(has_short_convolution("157 batch=99"));
    EXPECT_GT(count("157 c2r batch=10"), 2u);
    EXPECT_GT(count("65536 batch=10"), 10u);
    EXPECT_GT(count("64x64 batch=10"), 1u);
    EXPECT_GT(count("1009 batch=10"), 2u);
    EXPECT_GT(count("30 r2c f64 batch=10"), 2u);
    limits.vectors = Vectors::explicit_simd;
    limits.shared_bytes = 1 << 20;
    limits.max_cluster_size = 1;
    EXPECT_GT(count("1000 batch=64"), 2u);
}

}  // namespace
