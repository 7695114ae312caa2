// A small suite for the sanitizers: every stage of the pipeline on the interpreter, against the judge.
#include <gtest/gtest.h>

#include "tests/accuracy/checker.hpp"
#include "tests/accuracy/properties.hpp"

namespace seiche::accuracy {
namespace {

TEST(Small, EveryKindOfProblemOnTheInterpreter) {
    const Device device = Device::open("reference");
    for (const char* text :
         {"1", "2 batch=3", "13 f64 batch=5 inverse-scale=1/n", "64 in-place", "360 batch=2", "17 batch=2", "101 f64",
          "8192 f64 in-place", "16384", "6x10x14 f64", "12x9 axes=0 batch=2", "5x7 axes=0 istrides=16,2 ostrides=1,5",
          "64 f16 batch=8", "60 bf16 planar batch=9", "128 f64 storage=f32 in-place", "30 oplanar ooffset=12 batch=4",
          "8 batch=6 ostrides=7 odist=1 ioffset=24", "4x6 in-place istrides=1,5 idist=40 batch=2"}) {
        CheckOptions options;
        options.view_offset_elements = 3;
        const Outcome outcome = check(Plan(device, parse_problem(text)), options);
        EXPECT_TRUE(outcome.passed()) << text << ": " << outcome.text();
    }
}

TEST(Small, PropertiesOnTheInterpreter) {
    const Device device = Device::open("reference");
    for (const std::uint64_t length : {1u, 12u, 31u, 64u})
        for (const Precision precision : {Precision::f32, Precision::f64}) {
            const PropertyCase c{length, precision, Direction::inverse, 3};
            for (const auto property :
                 {check_impulse, check_linearity, check_time_shift, check_isolation, check_batch_independence})
                for (const std::string& line : property(device, c)) ADD_FAILURE() << line;
        }
}

}  // namespace
}  // namespace seiche::accuracy
