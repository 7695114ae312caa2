// The verifier accepts right plans, and sees wrong ones: it is what every other figure stands on.
#include "cli/check/verify.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <span>

#include "cli/check/image_memory.hpp"
#include "cli/check/large_memory.hpp"
#include "cli/check/stored_form.hpp"
#include "cli/measure/spread.hpp"
#include "cli/text/failure.hpp"
#include "seiche/error.hpp"

namespace seiche::cli {
namespace {

Accuracy verify_text(const std::string& text, std::uint64_t seed) {
    VerifyOptions options;
    options.seed = seed;
    options.points = 4096;
    return verify(Device::open("reference"), parse_problem(text), options);
}

TEST(Verify, AcceptsRightAnswers) {
    for (const char* text : {"64 f32", "12x5 f64 in-place batch=3 inverse-scale=1/n", "17 f64",
                             "6x8 f32 axes=0 istrides=11,1 idist=70 ostrides=1,6 forward-scale=1.5 ooffset=16"}) {
        for (const std::uint64_t seed : {1u, 2u}) {
            const Accuracy accuracy = verify_text(text, seed);
            EXPECT_TRUE(accuracy.good()) << text << ": " << accuracy.units << " " << accuracy.fault;
            EXPECT_GT(accuracy.units, 0.05) << text << ": too good to have been compared";
            EXPECT_GE(accuracy.transforms, 40u);
        }
    }
}

TEST(Verify, ReadsEveryStorageAndPlanes) {
    for (const char* text :
         {"64 f16", "64 bf16 ioffset=8", "64 f64 storage=f32", "60 planar batch=3",
          "12x5 in-place planar f16 ioffset=6", "30 oplanar ostrides=2 odist=1 ooffset=12 batch=2"}) {
        for (const std::uint64_t seed : {1u, 2u}) {
            const Accuracy accuracy = verify_text(text, seed);
            EXPECT_TRUE(accuracy.good()) << text << ": " << accuracy.units << " " << accuracy.fault;
            EXPECT_GT(accuracy.units, 0.05) << text << ": too good to have been compared";
        }
    }
}

TEST(Verify, AllowsForTheScatterOfRoundingsToStorage) {
    // 1504 values whose roundings cost 0.4503 u: 2.5 times the scatter more than the mean.
    VerifyOptions options;
    options.seed = 1889;
    options.directions = Directions::inverse;
    const Problem problem = parse_problem(
        "32x47 dst2 f64 storage=f32 axes=-2 inverse-scale=1/sqrt(n) istrides=3,96 idist=4512 oparts=4096");
    const Accuracy accuracy = verify(Device::open("reference"), problem, options);
    EXPECT_TRUE(accuracy.good()) << accuracy.units << " of " << accuracy.bound << " " << accuracy.fault;
}

TEST(Verify, AllowsNoMoreForStorageThanItsScatter) {
    const double unit = 0x1p-24;
    const Problem problem = parse_problem("1000 f64 storage=f32");
    EXPECT_NEAR(storage_error(problem, 1, 1) / unit, 0.45 * (1 + 2.73 / std::sqrt(1000)), 1e-9);
    EXPECT_NEAR(storage_error(problem, 1, 1000000) / unit, 0.45, 1e-4);
    EXPECT_LT(storage_error(parse_problem("64 f64 storage=f32"), 1, 1) / unit, 0.61);
    EXPECT_NEAR(storage_error(problem, 4, 1000000) / unit, 0.9, 1e-4);
    // Of a long transform 32 bins are compared, whatever its length, of the longest ones eight.
    const Problem longer = parse_problem("8388608 storage=f16"), longest = parse_problem("67108864 storage=f16");
    EXPECT_EQ(storage_error(longer, 1, 1) / 0x1p-11, 1.0);
    EXPECT_NEAR(storage_error(longer, 1, 2) / 0x1p-11, 0.45 * (1 + 2.73 / 8), 1e-9);
    EXPECT_EQ(storage_error(longest, 1, 7) / 0x1p-11, 1.0);
    EXPECT_NEAR(storage_error(longest, 1, 8) / 0x1p-11, 0.45 * (1 + 2.73 / 8), 1e-9);
}

TEST(Verify, JudgesArithmeticInHalf) {
    for (const char* text : {"64 f16-arithmetic", "12x5 f16-arithmetic in-place batch=3 inverse-scale=1/n",
                             "60 planar f16-arithmetic batch=3", "12 dct2 f16-arithmetic orthonormal",
                             "16 r2c f16-arithmetic", "24 c2r f16-arithmetic ioffset=8"}) {
        for (const std::uint64_t seed : {1u, 2u}) {
            const Accuracy accuracy = verify_text(text, seed);
            EXPECT_TRUE(accuracy.good()) << text << ": " << accuracy.units << " " << accuracy.fault;
            EXPECT_GT(accuracy.units, 0.05) << text << ": too good to have been compared";
        }
    }
}

TEST(Verify, JudgesDoubleDoublesInQuad) {
    for (const char* text :
         {"64 f64x2", "12x5 f64x2 in-place batch=3 inverse-scale=1/n", "17 f64x2", "60 planar f64x2 batch=3",
          "12 dct2 f64x2 orthonormal", "16 r2c f64x2", "64 f64x2 storage=f64"}) {
        for (const std::uint64_t seed : {1u, 2u}) {
            const Accuracy accuracy = verify_text(text, seed);
            EXPECT_TRUE(accuracy.good()) << text << ": " << accuracy.units << " " << accuracy.fault;
            EXPECT_GT(accuracy.units, 0.02) << text << ": too good to have been compared";
            if (parse_problem(text).storage == Storage::same) {
                EXPECT_LT(accuracy.units, 0.6) << text << ": judged by less than quad precision?";
            }
        }
    }
}

TEST(Verify, PrunedProblems) {
    for (const char* text :
         {"64 signal-zeros=0:32-64", "64 batch=9 spectrum-zeros=0:5-9,0:20-64 in-place",
          "12x16 signal-zeros=1:3-16,0:0-4", "15x14x6 f64 signal-zeros=0:8-15,1:7-14,2:3-6 spectrum-zeros=2:1-2",
          "17 batch=3 signal-zeros=0:9-17", "4096 f64 signal-zeros=0:1000-4096 spectrum-zeros=0:100-3000",
          "74 batch=5 signal-zeros=0:1-2,0:40-74", "24x10 r2c signal-zeros=0:12-24,1:5-10",
          "24x10 c2r signal-zeros=1:4-10 spectrum-zeros=1:5-6,0:6-18",
          "9x20 dct2,dst3 signal-zeros=0:3-6 spectrum-zeros=1:0-1,1:19-20 batch=4",
          "6x32 istrides=1,7 ostrides=40,1 axes=1 signal-zeros=1:16-32", "20011 signal-zeros=0:3000-20011",
          "20011 f64 spectrum-zeros=0:9000-20000 planar"}) {
        const Accuracy accuracy = verify_text(text, 3);
        EXPECT_TRUE(accuracy.good()) << text << ": " << accuracy.units << " " << accuracy.fault;
        EXPECT_GT(accuracy.units, 0.03) << text << ": too good to have been compared";
    }
}

TEST(Verify, ImagesAndTheirWorkspace) {
    for (const char* text : {"12x10 image=rg32f batch=2", "64 iimage=rg32f iwidth=16",
                             "9x8 r2c iimage=r32f oimage=rg32f", "6x8 dct2 image=r32f inverse-scale=1/n"}) {
        const Accuracy accuracy = verify_text(text, 3);
        EXPECT_TRUE(accuracy.good()) << text << ": " << accuracy.units << " " << accuracy.fault;
        EXPECT_GT(accuracy.units, 0.03) << text << ": too good to have been compared";
    }
    VerifyOptions by_recipe;
    by_recipe.points = 4096;
    by_recipe.tuning.recipe = "stockham-radix-4";
    const Accuracy accuracy = verify(Device::open("reference"), parse_problem("8x16 image=rg32f"), by_recipe);
    EXPECT_TRUE(accuracy.good()) << accuracy.units << " " << accuracy.fault;
    EXPECT_GT(accuracy.units, 0.03);
    EXPECT_THROW(verify_text("12x10 image=rgba32f", 3), Unsupported);
    EXPECT_THROW(verify_text("64 image=rg32f iwidth=48", 3), Unsupported);
}

TEST(Verify, SeesTexelsBesideAnArrayThatWereWritten) {
    const Device device = Device::open("reference");
    Queue queue = device.create_queue();
    const ImageMemory memory(device, ImageFormat::rg32f, {4, 3});
    std::vector<float> numbers(24, 1.5f), read(24);
    constexpr std::size_t bytes = 24 * sizeof(float);
    memory.upload(queue, numbers.data(), bytes);
    EXPECT_TRUE(memory.download(queue, read.data(), bytes));
    EXPECT_EQ(read, numbers);
    // A transform of five columns, where the array has four.
    const Plan plan(device, parse_problem("3x5 oimage=rg32f"));
    Execution execution;
    execution.input = device.allocate(plan.input_bytes());
    execution.output_image = memory.image();
    if (plan.workspace_bytes() != 0) execution.workspace = device.allocate(plan.workspace_bytes());
    plan.execute(queue, execution);
    EXPECT_FALSE(memory.download(queue, read.data(), bytes));
}

TEST(Verify, ReadsSpectraAsThePlanSaysAndInputsThatAreScratch) {
    const Device device = Device::open("reference");
    VerifyOptions how;
    how.points = 4096;
    PlanOptions options;
    options.tuning.passes = {8, 4, 16};
    for (const char* text : {"512 f32 spectrum-order=pass", "3x512 axes=1 f64 in-place spectrum-order=pass",
                             "512 overwrite-input istrides=2 spectrum-order=pass", "512 overwrite-input batch=2",
                             "1024 c2r overwrite-input", "512 overwrite-input planar istrides=2"}) {
        const Plan plan(device, parse_problem(text), options);
        for (const Direction direction : {Direction::forward, Direction::inverse}) {
            if (plan.problem().kind == Kind::c2r && direction == Direction::forward) continue;
            const Accuracy accuracy = Verifier(device, plan, {.byte_offset = 16}).run(direction, how);
            EXPECT_TRUE(accuracy.good()) << text << ": " << accuracy.units << " " << accuracy.fault;
            EXPECT_GT(accuracy.units, 0.05) << text << ": too good to have been compared";
        }
    }
}

TEST(Verify, HasItsArraysWhereAnotherHadThem) {
    const Device device = Device::open("reference");
    const auto host = std::make_shared<HostArrays>(device);
    VerifyOptions how;
    how.points = 4096;
    for (const char* text : {"16 f32", "4096 f64 batch=2", "8 f64x2", "60 r2c in-place batch=3", "60 f16 batch=9",
                             "30 c2r", "12x5 istrides=11,1 ostrides=1,12", "1024 f16 batch=3", "64 f32 batch=5"}) {
        const Plan plan(device, parse_problem(text));
        const Direction direction = plan.problem().kind == Kind::c2r ? Direction::inverse : Direction::forward;
        Verifier verifier(device, plan, {.host = host});
        const Accuracy accuracy = verifier.run(direction, how);
        EXPECT_TRUE(accuracy.good()) << text << ": " << accuracy.units << " " << accuracy.fault;
        EXPECT_EQ(accuracy.units, Verifier(device, plan).run(direction, how).units) << text;
    }
}

TEST(Verify, RefusesInputsThatCannotRepeatThemselves) {
    const Device device = Device::open("reference");
    constexpr std::uint64_t period = 4 << 20;
    const auto refusal = [&](const char* text) {
        try {
            Verifier(device, Plan(device, parse_problem(text)), {.input_period = period});
        } catch (const Failure& failure) {
            return std::string(failure.what());
        } catch (const InvalidProblem& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    for (const char* text :
         {"64 in-place", "64 overwrite-input", "64 planar", "64 istrides=2 batch=3", "64 idist=70 batch=3"})
        EXPECT_NE(refusal(text).find("expected one that is dense"), std::string::npos) << text << ": " << refusal(text);
    EXPECT_NE(refusal("1024x1024").find("expected arrays of at most 4194304 bytes, got 8388608 of 1024x1024"),
              std::string::npos)
        << refusal("1024x1024");
    EXPECT_NE(refusal("1024x512 batch=3").find("of the CUDA backend"), std::string::npos)
        << "its arrays are short enough";
}

TEST(LargeMemory, GrowsAndStaysWhereItIs) {
    std::size_t asked = 0;
    const auto special = std::make_shared<unsigned char[]>(64);
    LargeMemory memory([&](std::size_t bytes) { return (asked = bytes) > 64 ? nullptr : special; });
    EXPECT_EQ(memory.reserve(60), special.get());
    asked = 0;
    EXPECT_EQ(memory.reserve(60), special.get());
    EXPECT_EQ(asked, 0u);
    const std::span<double> numbers = memory.array<double>(100000);  // more than there is of the special kind
    EXPECT_EQ(asked, 800000u);
    ASSERT_EQ(numbers.size(), 100000u);
    EXPECT_NE(static_cast<void*>(numbers.data()), special.get());
    numbers.back() = 1.5;
    EXPECT_EQ(memory.array<double>(100000).back(), 1.5);
}

TEST(Verify, SeesAnswersThatAreNone) {
    const Device device = Device::open("reference");
    PlanOptions options;
    options.tuning.movement_only = true;
    const Plan plan(device, parse_problem("64 f32"), options);
    const Accuracy accuracy = Verifier(device, plan).run(Direction::forward, {});
    EXPECT_FALSE(accuracy.good());
    EXPECT_GT(accuracy.units, 1e5);
}

template <class T>
bool is_all_poison(const T& number) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(&number);
    return std::all_of(bytes, bytes + sizeof number, [](unsigned char byte) { return byte == 0xff; });
}

/// Enough numbers for several threads; every seventh is poison, the guard behind them too.
template <class T>
void expect_round_trip(const std::string& text, T (*stored)(double)) {
    SCOPED_TRACE(text);
    constexpr std::uint64_t elements = 30000, guard = 9;
    const Problem problem = parse_problem(text);
    const StoredForm form(problem, false, elements);
    const std::uint64_t count = form.numbers() + guard, before = problem.input.byte_offset / form.element_bytes();
    std::vector<T> values(count), got(count);
    const auto is_poison = [&](std::uint64_t i) {  // ahead of a planar array there are no imaginary parts
        return i % 7 == 0 || i >= form.numbers() || (form.is_planar() && i % 2 == 1 && i / 2 < before);
    };
    for (std::uint64_t i = 0; i < count; ++i) {
        values[i] = T(1.0 + static_cast<double>(i) / 100003.0);
        if (is_poison(i)) std::memset(static_cast<void*>(&values[i]), 0xff, sizeof(T));
    }
    std::vector<unsigned char> memory(form.bytes(guard), 0x11);
    form.encode(values.data(), count, memory.data());
    form.decode(memory.data(), got.data(), count);
    for (std::uint64_t i = 0; i < count; ++i) {
        ASSERT_EQ(is_all_poison(got[i]), is_poison(i)) << i;
        if (!is_poison(i)) {
            ASSERT_EQ(got[i], stored(1.0 + static_cast<double>(i) / 100003.0)) << i;
        }
    }
    EXPECT_TRUE(all_bytes(memory.data() + form.bytes(), 0xff, guard * form.real_bytes()));
}

TEST(StoredForm, RoundsNumbersAndKeepsPoison) {
    const auto half = [](double x) { return from_f16(to_f16(static_cast<float>(x))); };
    expect_round_trip<float>("30000 f16", half);
    expect_round_trip<float>("30000 planar f16 ioffset=6", half);
    expect_round_trip<float>("30000 bf16", [](double x) { return from_bf16(to_bf16(static_cast<float>(x))); });
    expect_round_trip<float>("30000 planar ioffset=12", [](double x) { return static_cast<float>(x); });
    expect_round_trip<double>("30000 f64 storage=f32",
                              [](double x) { return static_cast<double>(static_cast<float>(x)); });
    expect_round_trip<DoubleDouble>("30000 f64x2 storage=f64", [](double x) { return DoubleDouble(x); });
    expect_round_trip<DoubleDouble>("30000 f64x2 planar", [](double x) { return DoubleDouble(x); });
}

TEST(Verify, BoundsAreTheContracts) {
    EXPECT_EQ(accuracy_bound(parse_problem("1024"), Direction::forward), 1.0);
    EXPECT_EQ(accuracy_bound(parse_problem("34 f64x2"), Direction::forward), 4.0);
    EXPECT_EQ(accuracy_bound(parse_problem("1001 f64"), Direction::forward), 1.0);  // 7 x 11 x 13
    EXPECT_EQ(accuracy_bound(parse_problem("1009"), Direction::forward), 2.0);      // 1008 = 2^4 x 3^2 x 7
    EXPECT_EQ(accuracy_bound(parse_problem("1031"), Direction::forward), 2.5);      // 1030 = 2 x 5 x 103
    EXPECT_EQ(accuracy_bound(parse_problem("34"), Direction::forward), 2.5);
    EXPECT_EQ(accuracy_bound(parse_problem("34x8 axes=1"), Direction::forward), 1.0);
    EXPECT_EQ(accuracy_bound(parse_problem("8 inverse-scale=1/n"), Direction::inverse), 1.5);
    EXPECT_EQ(accuracy_bound(parse_problem("8 inverse-scale=1/n"), Direction::forward), 1.0);
    EXPECT_EQ(accuracy_bound(parse_problem("8 r2c"), Direction::forward), 1.0);
    EXPECT_EQ(accuracy_bound(parse_problem("8 dct2"), Direction::forward), 1.5);
    EXPECT_EQ(accuracy_bound(parse_problem("8 dct2 orthonormal"), Direction::inverse), 2.0);
    EXPECT_EQ(accuracy_bound(parse_problem("17 dct1"), Direction::forward), 1.5);         // 16 points inside
    EXPECT_EQ(accuracy_bound(parse_problem("16 dst1"), Direction::forward), 2.5);         // 17, by Rader
    EXPECT_EQ(accuracy_bound(parse_problem("8x18 dct2,dct1"), Direction::forward), 3.0);  // two maps, 17 inside
}

TEST(Spread, IsTheQuartiles) {
    const Spread odd = spread_of({5, 1, 2, 4, 3});
    EXPECT_EQ(odd.median, 3);
    EXPECT_EQ(odd.lower_quartile, 2);
    EXPECT_EQ(odd.upper_quartile, 4);
    EXPECT_EQ(odd.least, 1);
    const Spread even = spread_of({1, 2, 3, 4});
    EXPECT_EQ(even.median, 2.5);
    EXPECT_EQ(even.lower_quartile, 1.75);
    EXPECT_THROW(spread_of({}), Failure);
}

}  // namespace
}  // namespace seiche::cli
