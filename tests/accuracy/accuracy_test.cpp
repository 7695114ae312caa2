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
