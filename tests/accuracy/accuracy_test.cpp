// The accuracy contract of complex transforms on one backend, the one that SEICHE_TEST_DEVICE names. Prints its seed
// and its worst cases.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/accuracy/properties.hpp"
#include "tests/accuracy/suite.hpp"

namespace seiche::accuracy {
namespace {

class Accuracy : public Suite {};

TEST_P(Accuracy, Lengths) {
    std::mt19937_64 random(sample_seed());
    expect_all_accurate(length_sample(sample_limits(), GetParam(), random), random);
}

TEST_P(Accuracy, Layouts) {
    std::mt19937_64 random(sample_seed() + 1);
    expect_all_accurate(layout_sample(full_sweep() ? 400 : 60, GetParam(), random), random);
}

TEST_P(Accuracy, Memories) {
    std::mt19937_64 random(sample_seed() + 3);
    expect_all_accurate(memory_sample(full_sweep() ? 400 : 60, GetParam(), random), random);
}

/// Forced passes, so that a thousand points take several.
struct ForcedPasses {
    const char* text;
    std::vector<std::uint64_t> passes;
};

/// Spectra in pass order and inputs that may be overwritten: read as the plan says, and nothing beside them written.
TEST_P(Accuracy, OrdersAndOverwrittenInputs) {
    std::vector<ForcedPasses> cases = {
        {"1024 batch=5 spectrum-order=pass", {16, 8, 8}},
        {"1024 batch=64 in-place spectrum-order=pass", {32, 32}},
        {"4096 in-place spectrum-order=pass inverse-scale=1/n", {8, 4, 16, 8}},
        {"6x1024x3 axes=1 spectrum-order=pass", {16, 64}},
        {"3x1024 axes=-1 spectrum-order=pass overwrite-input istrides=1,3 ostrides=1100,1", {8, 16, 8}},
        {"1616 batch=3 spectrum-order=pass", {101, 16}},
        {"1616 batch=3 spectrum-order=pass in-place planar", {16, 101}},
        {"1616 batch=3", {16, 101}},
        {"1024 batch=3 overwrite-input", {16, 8, 8}},
        {"2048 istrides=3 idist=6200 batch=2 overwrite-input oplanar", {16, 16, 8}},
        {"2x2048 axes=1 c2r overwrite-input batch=2", {16, 8, 8}},
        {"2048 c2r overwrite-input batch=3 istrides=2 idist=2053", {32, 32}},
        {"2048 c2r overwrite-input batch=3 iplanar odist=2049", {32, 32}},
        {"2048 r2c overwrite-input batch=3", {16, 8, 8}},
        {"2048 r2c overwrite-input batch=3", {32, 32}},
        {"1024 dct2 overwrite-input batch=3", {16, 32}},
    };
    std::mt19937_64 random(sample_seed() + 4);
    std::shuffle(cases.begin(), cases.end(), random);
    least_ = 6;  // a compiler for CPUs takes seconds for each
    for (const ForcedPasses& forced : cases) {
        if (!goes_on(cases.size())) return;
        Problem problem = parse_problem(forced.text);
        problem.precision = GetParam();
        Tuning tuning;
        tuning.passes = forced.passes;
        expect_accurate(problem, random(), tuning);
    }
}

TEST_P(Accuracy, Properties) {
    std::mt19937_64 random(sample_seed() + 2);
    std::vector<PropertyCase> cases;
    for (const std::uint64_t length :
         {1u, 2u, 3u, 4u, 13u, 17u, 60u, 64u, 97u, 121u, 512u, 1000u, 1021u, 8192u, 10007u, 1u << 18})
        for (const Direction direction : {Direction::forward, Direction::inverse})
            cases.push_back({length, GetParam(), direction, random()});
    std::shuffle(cases.begin(), cases.end(), random);
    for (const PropertyCase& c : cases) {
        if (!goes_on(cases.size())) return;
        for (const auto property :
             {check_impulse, check_linearity, check_time_shift, check_isolation, check_batch_independence})
            for (const std::string& line : property(*device_, c)) ADD_FAILURE() << line;
    }
}

INSTANTIATE_TEST_SUITE_P(Precisions, Accuracy, testing::Values(Precision::f32, Precision::f64), precision_name);

}  // namespace
}  // namespace seiche::accuracy
