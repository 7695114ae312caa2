// Arithmetic in half on one backend, the one that SEICHE_TEST_DEVICE names: every kind at short lengths and some long
// ones, and problems of any rank and layout, within the contract's bounds for u = 2^-11.
#include <gtest/gtest.h>

#include "tests/accuracy/suite.hpp"

namespace seiche::accuracy {
namespace {

class Halves : public Suite {
protected:
    void SetUp() override {
        Suite::SetUp();
        if (device_ && !device_->limits().fp16_arithmetic) GTEST_SKIP() << "SKIPPED: no device with arithmetic in half";
    }
};

TEST_P(Halves, Lengths) {
    std::mt19937_64 random(sample_seed() + 16);
    expect_all_accurate(length_sample(sample_limits(), GetParam(), random), random);
}

TEST_P(Halves, RealKinds) {
    std::mt19937_64 random(sample_seed() + 17);
    std::vector<Kind> kinds{Kind::r2c, Kind::c2r, Kind::dht, Kind::r2hc, Kind::hc2r};
    for (const Kind kind : trigonometric_kinds()) kinds.push_back(kind);
    expect_all_accurate(kind_length_sample(kinds, sample_limits(), GetParam(), random), random);
}

TEST_P(Halves, Layouts) {
    std::mt19937_64 random(sample_seed() + 18);
    expect_all_accurate(layout_sample(full_sweep() ? 400 : 60, GetParam(), random), random);
    expect_all_accurate(halved_layout_sample(full_sweep() ? 400 : 60, GetParam(), random), random);
    expect_all_accurate(real_layout_sample(full_sweep() ? 400 : 60, GetParam(), random), random);
}

INSTANTIATE_TEST_SUITE_P(Precisions, Halves, testing::Values(Precision::f16), precision_name);

}  // namespace
}  // namespace seiche::accuracy
