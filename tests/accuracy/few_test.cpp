// A few problems of every algorithm, storage and kind on one backend, the one that SEICHE_TEST_DEVICE names: for
// drivers whose compilers take seconds for a kernel.
#include <gtest/gtest.h>

#include "tests/accuracy/suite.hpp"

namespace seiche::accuracy {
namespace {

class Few : public Suite {};

struct Case {
    const char* text;
    std::vector<std::uint64_t> passes = {};
    std::uint64_t buffer_bytes = 0;
};

TEST_P(Few, of_everything) {
    const std::vector<Case> single = {{"64 batch=5"},
                                      {"60 f16"},
                                      {"48 planar f16"},
                                      {"21 bf16 batch=3"},
                                      {"37 batch=2"},
                                      {"74 in-place"},
                                      {"256 batch=3", {16, 16}},
                                      {"128 batch=96 in-place", {}, 1u << 16},
                                      {"6x10 r2c batch=3"},
                                      {"9 dct2 batch=4"},
                                      {"16 dst4"},
                                      {"12 dct2 orthogonalize batch=2"},
                                      {"24 in-place odist=26 batch=3"},
                                      {"6x10 r2c in-place istrides=10,1 ostrides=6,1 batch=2"},
                                      {"24 istrides=2 idist=50 odist=31 batch=3 forward-scale=0.5"},
                                      {"24 istrides=-1 idist=24 ioffset=184 ostrides=2 odist=-48 ooffset=384 batch=2"},
                                      {"6x10 r2c istrides=-10,-1 ioffset=236 ostrides=6,-1 ooffset=40"},
                                      {"9 dct2 in-place istrides=-1 ioffset=32"}};
    const std::vector<Case> wide = {{"48 batch=5"}, {"37"}, {"60 storage=f32"}, {"6x8 c2r batch=2"}};
    std::mt19937_64 random(sample_seed());
    for (const Case& one : GetParam() == Precision::f32 ? single : wide) {
        Problem problem = parse_problem(one.text);
        problem.precision = GetParam();
        Tuning tuning;
        tuning.passes = one.passes;
        tuning.buffer_bytes = one.buffer_bytes;
        expect_accurate(problem, random(), tuning);
    }
}

INSTANTIATE_TEST_SUITE_P(Precisions, Few, testing::Values(Precision::f32, Precision::f64), precision_name);

}  // namespace
}  // namespace seiche::accuracy
