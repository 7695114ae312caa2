// Cases, and every peer that runs on this machine: right answers, and a wrong answer is seen.
#include <gtest/gtest.h>

#include <complex>
#include <cstring>

#include "bench/case.hpp"

namespace seiche::bench {
namespace {

TEST(Case, ReadsItsText) {
    const Case what = parse_case("f64 32x60 7 in 2 Some Device Name");
    EXPECT_TRUE(what.fp64);
    EXPECT_TRUE(what.in_place);
    EXPECT_EQ(what.lengths, (std::vector<std::uint64_t>{32, 60}));
    EXPECT_EQ(what.batch, 7u);
    EXPECT_EQ(what.device_index, 2);
    EXPECT_EQ(what.device_name, "Some Device Name");
    EXPECT_EQ(what.bytes(), 32u * 60 * 7 * 16);
    for (const char* bad : {"f16 8 1 out 0", "f32 0 1 out 0", "f32 8 -1 out", "f32 8 1 aside", ""}) {
        EXPECT_THROW(parse_case(bad), PeerError) << bad;
    }
}

TEST(Case, SeesAWrongAnswer) {
    const Case what = parse_case("f32 16 2 out 0");
    const auto input = random_input(what);
    EXPECT_GT(error_of(what, input, input), 0.1);  // the identity is no transform
    auto poisoned = input;
    std::memset(poisoned.data() + poisoned.size() - 4, 0xff, 4);
    EXPECT_FALSE(error_of(what, input, poisoned) >= 0);  // NaN
}

TEST(Peers, AnswerRightlyWhereTheyRun) {
    std::size_t ran = 0;
    for (const Peer& peer : peers()) {
        for (const char* text : {"f32 1024 4 out 0", "f64 12x60 3 out 0", "f32 64 5 in 0"}) {
            const Case what = parse_case(text);
            std::unique_ptr<Transform> transform;
            try {
                transform = peer.prepare(what);
            } catch (const PeerError& error) {
                GTEST_LOG_(INFO) << peer.name << ": " << error.what();
                break;
            }
            const auto input = random_input(what);
            std::vector<unsigned char> output(what.bytes());
            transform->load(input.data());
            EXPECT_GT(transform->run(1), 0) << peer.name;
            transform->read(output.data());
            EXPECT_LT(error_of(what, input, output), what.fp64 ? 2e-15 : 1e-6) << peer.name << ", " << text;
            EXPECT_FALSE(transform->description().empty());
            ++ran;
        }
    }
    if (ran == 0) GTEST_SKIP() << "no peer runs on this machine";
}

}  // namespace
}  // namespace seiche::bench
