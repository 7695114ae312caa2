// The accuracy contract of the real kinds on one backend, the one that SEICHE_TEST_DEVICE names: every kind at every
// short length and some long ones, and random problems of any rank, layout and mixture.
#include <gtest/gtest.h>

#include "tests/accuracy/suite.hpp"

namespace seiche::accuracy {
namespace {

class Kinds : public Suite {};

TEST_P(Kinds, HalvedLengths) {
    std::mt19937_64 random(sample_seed() + 10);
    expect_all_accurate(kind_length_sample({Kind::r2c, Kind::c2r}, sample_limits(), GetParam(), random), random);
}

TEST_P(Kinds, TrigonometricLengths) {
    std::mt19937_64 random(sample_seed() + 11);
    expect_all_accurate(kind_length_sample(trigonometric_kinds(), sample_limits(), GetParam(), random), random);
}

TEST_P(Kinds, HartleyLengths) {
    std::mt19937_64 random(sample_seed() + 12);
    expect_all_accurate(kind_length_sample({Kind::dht, Kind::r2hc, Kind::hc2r}, sample_limits(), GetParam(), random),
                        random);
}

TEST_P(Kinds, HalvedLayouts) {
    std::mt19937_64 random(sample_seed() + 13);
    expect_all_accurate(halved_layout_sample(full_sweep() ? 400 : 60, GetParam(), random), random);
}

TEST_P(Kinds, RealToRealLayouts) {
    std::mt19937_64 random(sample_seed() + 14);
    expect_all_accurate(real_layout_sample(full_sweep() ? 400 : 60, GetParam(), random), random);
}

INSTANTIATE_TEST_SUITE_P(Precisions, Kinds, testing::Values(Precision::f32, Precision::f64), precision_name);

}  // namespace
}  // namespace seiche::accuracy
