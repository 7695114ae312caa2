// Real kinds and halves by way of SPIR-V on a CPU: the flavour of OpenCL and Level Zero is within the contract of
// accuracy, both ways, for the kernels of an Intel Arc and of a Max.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "spirv_device.hpp"
#include "tests/accuracy/checker.hpp"

namespace seiche::test {
namespace {

struct Shape {
    PlannedFor planned_for;
    const char* text;
};

class SpirvAccuracy : public testing::TestWithParam<Shape> {};

TEST_P(SpirvAccuracy, is_that_of_the_contract_both_ways) {
    std::string reason;
    const auto opened = open_spirv_device(GetParam().planned_for, reason);
    if (!opened) GTEST_SKIP() << reason;
    const accuracy::Outcome outcome = accuracy::check(Plan(Device(opened), parse_problem(GetParam().text)));
    EXPECT_TRUE(outcome.passed()) << GetParam().text << ": " << outcome.text();
}

std::vector<Shape> shapes(PlannedFor planned_for, std::initializer_list<const char*> texts) {
    std::vector<Shape> all;
    for (const char* text : texts) all.push_back({planned_for, text});
    return all;
}

// In one kernel and in several, of a length's own factors, Rader's and Bluestein's, along one axis and two.
INSTANTIATE_TEST_SUITE_P(arc, SpirvAccuracy,
                         testing::ValuesIn(shapes(PlannedFor::arc,
                                                  {"512 r2c batch=5", "37 r2c batch=3", "1000 c2r batch=2", "65536 r2c",
                                                   "6x10 r2c batch=3", "12x9 c2r f64", "2027 r2c", "33 dct1 batch=3",
                                                   "100 dct2 batch=3", "60 dct3 f64", "48 dct4", "31 dst1 batch=2",
                                                   "64 dst2", "10x12 dst3", "27 dst4 batch=4"})));
INSTANTIATE_TEST_SUITE_P(arc_halves, SpirvAccuracy,
                         testing::ValuesIn(shapes(PlannedFor::arc,
                                                  {"512 f16 batch=5", "60 bf16 batch=3", "64 planar f16", "16384 f16",
                                                   "59 bf16 batch=2", "256 r2c f16 batch=3", "90 c2r bf16",
                                                   "100 dct2 f16 batch=2"})));
INSTANTIATE_TEST_SUITE_P(max, SpirvAccuracy,
                         testing::ValuesIn(shapes(PlannedFor::max, {"512 batch=3", "4096 f64", "250 r2c batch=3",
                                                                    "60 dct2 batch=3", "512 f16 batch=3"})));

}  // namespace
}  // namespace seiche::test
