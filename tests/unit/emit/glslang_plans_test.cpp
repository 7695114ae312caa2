// Transforms by way of glslang: what the reference compiler makes of the emitted GLSL gives right answers, beside what
// a driver's own compiler makes of it, within the contract of accuracy.
#include <gtest/gtest.h>

#include <optional>

#include "glslang_device.hpp"
#include "seiche/error.hpp"
#include "tests/accuracy/checker.hpp"

namespace seiche::test {
namespace {

using accuracy::Outcome;

struct Case {
    const char* text;
    Algorithm algorithm = Algorithm::any;
    std::vector<std::uint64_t> passes = {};
};

Outcome outcome_on(const Device& device, const Case& one) {
    PlanOptions options;
    options.tuning.algorithm = one.algorithm;
    options.tuning.passes = one.passes;
    return accuracy::check(Plan(device, parse_problem(one.text), options));
}

class GlslangPlans : public testing::TestWithParam<Case> {
protected:
    static void SetUpTestSuite() {
        if (const auto opened = open_glslang_device(reason_)) device_.emplace(opened);
    }
    static void TearDownTestSuite() { device_.reset(); }

    inline static std::string reason_;
    inline static std::optional<Device> device_;
};

TEST_P(GlslangPlans, are_accurate_both_ways) {
    if (!device_) GTEST_SKIP() << reason_;
    const Outcome outcome = outcome_on(*device_, GetParam());
    EXPECT_TRUE(outcome.passed()) << GetParam().text << ": " << outcome.text();
}

INSTANTIATE_TEST_SUITE_P(shapes, GlslangPlans,
                         testing::Values(Case{"64 batch=5"}, Case{"100 batch=3"}, Case{"1000"}, Case{"64 f16 batch=3"},
                                         Case{"60 bf16"}, Case{"96 f64"}, Case{"60 f64 storage=f32"},
                                         Case{"48 planar in-place"}, Case{"6x10 r2c batch=3"}, Case{"12x9 c2r f64"},
                                         Case{"9 dct2 batch=4"}, Case{"1009"}, Case{"37 batch=2", Algorithm::bluestein},
                                         Case{"59 f64", Algorithm::bluestein}, Case{"4096", Algorithm::any, {64, 64}},
                                         Case{"400 r2c", Algorithm::any, {5, 5, 8}}, Case{"24x20 axes=0 batch=2"},
                                         Case{"64 image=rg32f"},
                                         Case{"21 istrides=2 idist=50 odist=31 batch=3 forward-scale=0.5"}));

// That a right answer means something.
TEST(GlslangDevice, computes_what_the_text_says) {
    std::string reason;
    const auto opened = open_glslang_device(reason, [](std::string text) {
        const std::size_t place = text.find(".x - ");
        return place == std::string::npos ? text : text.replace(place, 5, ".x + ");
    });
    if (!opened) GTEST_SKIP() << reason;
    const Outcome outcome = outcome_on(Device(opened), {"64 batch=5"});
    EXPECT_FALSE(outcome.passed());
    EXPECT_GT(outcome.error, 1000.0) << outcome.text();
}

TEST(GlslangDevice, tells_what_the_compiler_does_not_take) {
    std::string reason;
    const auto opened = open_glslang_device(reason, [](const std::string& text) { return text + "no such word\n"; });
    if (!opened) GTEST_SKIP() << reason;
    EXPECT_THROW(outcome_on(Device(opened), {"64"}), BackendError);
}

}  // namespace
}  // namespace seiche::test
