// Cases, and every peer that runs on this machine: right answers, and a wrong answer is seen.
#include <gtest/gtest.h>

#include <complex>
#include <cstring>

#include "bench/case.hpp"

namespace seiche::bench {
namespace {

TEST(Case, ReadsItsText) {
    const Case what = parse_case("f64 c2c 32x60 7 in 2 Some Device Name");
    EXPECT_TRUE(what.fp64);
    EXPECT_TRUE(what.in_place);
    EXPECT_EQ(what.lengths, (std::vector<std::uint64_t>{32, 60}));
    EXPECT_EQ(what.batch, 7u);
    EXPECT_EQ(what.device_index, 2);
    EXPECT_EQ(what.device_name, "Some Device Name");
    EXPECT_EQ(what.bytes(), 32u * 60 * 7 * 16);
    for (const char* bad : {"f16 c2c 8 1 out 0", "f32 c2c 0 1 out 0", "f32 c2c 8 -1 out", "f32 c2c 8 1 aside",
                            "f32 c2q 8 1 out 0", "f32 dct2,dct2 8 1 out 0", ""}) {
        EXPECT_THROW(parse_case(bad), PeerError) << bad;
    }
}

TEST(Case, KnowsTheSizesOfRealArrays) {
    const Case out = parse_case("f32 r2c 4x5 2 out 0"), in = parse_case("f64 c2r 4x6 2 in 0");
    EXPECT_EQ(out.kinds, (std::vector<Kind>{Kind::c2c, Kind::r2c}));
    EXPECT_EQ(out.input_bytes(), 2u * 4 * 5 * 4);
    EXPECT_EQ(out.output_bytes(), 2u * 4 * 3 * 8);
    EXPECT_EQ(in.input_bytes(), 2u * 4 * 4 * 16);
    EXPECT_EQ(in.output_bytes(), 2u * 4 * 8 * 8);  // rows of 6 padded to 8
    EXPECT_EQ(parse_case("f32 dct2,dst1 4x5 1 out 0").bytes(), 4u * 5 * 4);
}

TEST(Case, SeesAWrongAnswer) {
    const Case what = parse_case("f32 c2c 16 2 out 0");
    const auto input = random_input(what);
    EXPECT_GT(error_of(what, input, input), 0.1);  // the identity is no transform
    auto poisoned = input;
    std::memset(poisoned.data() + poisoned.size() - 4, 0xff, 4);
    EXPECT_FALSE(error_of(what, input, poisoned) >= 0);  // NaN
}

TEST(Peers, AnswerRightlyWhereTheyRun) {
    std::size_t ran = 0;
    for (const Peer& peer : peers()) {
        for (const char* text :
             {"f32 c2c 1024 4 out 0", "f64 c2c 12x60 3 out 0", "f32 c2c 64 5 in 0", "f32 r2c 1000 4 out 0",
              "f64 r2c 6x7x9 3 in 0", "f64 c2r 6x7x10 3 out 0", "f32 c2r 8x9 3 in 0", "f64 dct2 100 3 out 0",
              "f32 dct1,dst4,dht 6x7x10 3 in 0", "f64 dst1,hc2r 11x12 2 out 0"}) {
            const Case what = parse_case(text);
            std::unique_ptr<Transform> transform;
            try {
                transform = peer.prepare(what);
            } catch (const PeerError& error) {
                GTEST_LOG_(INFO) << peer.name << ", " << text << ": " << error.what();
                continue;
            }
            const auto input = random_input(what);
            std::vector<unsigned char> output(what.output_bytes());
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
