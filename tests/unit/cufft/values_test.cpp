// What plans of every function compute, in every layout, judged by plain sums.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "arrays.hpp"

namespace fft_test {
namespace {

constexpr unsigned char filler = 0xa5;

/// The types of XtMakePlanMany: real and complex.
struct DataTypes {
    int real, complex;
};
DataTypes data_types(Number number) {
    switch (number) {
        case Number::f32: return {0, 4};
        case Number::f64: return {1, 5};
        case Number::f16: return {2, 6};
        default: return {14, 15};
    }
}

int plain_type(const Case& what) { return what.number == Number::f64 ? what.type + 0x40 : what.type; }

std::vector<Long> as_long(const std::vector<int>& values) { return {values.begin(), values.end()}; }

/// By XtMakePlanMany, which has every type.
Handle made(const Case& what, Size* size) {
    Handle plan = no_handle;
    EXPECT_EQ(fft().Create(&plan), success);
    std::vector<Long> n = as_long(what.n), in = as_long(what.inembed), out = as_long(what.onembed);
    const DataTypes types = data_types(what.number);
    const int code = fft().XtMakePlanMany(
        plan, static_cast<int>(n.size()), n.data(), in.empty() ? nullptr : in.data(), what.istride, what.idist,
        what.type == r2c ? types.real : types.complex, out.empty() ? nullptr : out.data(), what.ostride, what.odist,
        what.type == c2r ? types.real : types.complex, what.batch, size, types.complex);
    EXPECT_EQ(code, success);
    return plan;
}

int execute(Handle plan, const Case& what, void* input, void* output, int direction) {
    switch (plain_type(what)) {
        case c2c: return fft().ExecC2C(plan, input, output, direction);
        case r2c: return fft().ExecR2C(plan, input, output);
        case c2r: return fft().ExecC2R(plan, input, output);
        case z2z: return fft().ExecZ2Z(plan, input, output, direction);
        case d2z: return fft().ExecD2Z(plan, input, output);
        default: return fft().ExecZ2D(plan, input, output);
    }
}

std::string text(const Case& what, int direction, bool in_place) {
    std::string words = "type " + std::to_string(what.type) + " number " +
                        std::to_string(static_cast<int>(what.number)) + " direction " + std::to_string(direction) +
                        (in_place ? " in place" : "") + " batch " + std::to_string(what.batch) + " of";
    for (const int n : what.n) words += " " + std::to_string(n);
    return words;
}

/// Executes an own copy of the input once, and compares results and gaps.
void expect_right(Handle plan, const Case& what, int direction, bool in_place) {
    SCOPED_TRACE(text(what, direction, in_place));
    const Places in = places_of(what, true, in_place), out = places_of(what, false, in_place);
    const std::size_t in_bytes = bytes_of(in, what.number, what.batch),
                      out_bytes = bytes_of(out, what.number, what.batch);
    const std::vector<Values> input = random_input(what);
    std::vector<unsigned char> from =
        stored(in, what.number, input, in_place ? std::max(in_bytes, out_bytes) : in_bytes, filler);
    std::vector<unsigned char> to(out_bytes, filler);
    const bool is_half = what.number == Number::f16 || what.number == Number::bf16;
    void* const target = in_place ? from.data() : to.data();
    const std::vector<Values> in_memory =
        loaded(in, what.number, from, what.batch);  // rounded, rows that are one alike
    ASSERT_EQ(is_half ? fft().XtExec(plan, from.data(), target, what.type == c2r ? inverse : direction)
                      : execute(plan, what, from.data(), target, direction),
              success);
    if (!in_place && (what.type != c2r || what.n.size() == 1)) {
        EXPECT_EQ(from, stored(in, what.number, input, in_bytes, filler)) << "the input was changed";
    }
    std::vector<Values> right;
    for (const Values& values : in_memory) right.push_back(plain_transform(what, values, direction));
    EXPECT_LT(error(loaded(out, what.number, in_place ? from : to, what.batch), right), allowed_error(what.number));
    if (!in_place) {
        EXPECT_TRUE(gaps_are(out, what.number, to, what.batch, filler)) << "a gap was written to";
    }
}

void check(const Case& what, bool out_of_place = true, bool in_place = true) {
    Size size = 0;
    const Handle plan = made(what, &size);
    for (const int direction : {forward, inverse}) {
        if (out_of_place) expect_right(plan, what, direction, false);
        if (in_place) expect_right(plan, what, direction, true);
        if (what.type != c2c) break;
    }
    EXPECT_EQ(fft().Destroy(plan), success);
}

TEST(FftValues, has_every_type_and_rank_in_the_basic_layout) {
    for (const Number number : {Number::f32, Number::f64})
        for (const int type : {c2c, r2c, c2r})
            for (const std::vector<int>& n : {std::vector<int>{12}, {7}, {1}, {6, 5}, {3, 4, 6}})
                check({n, type, number, n.size() == 3 ? 1 : 3});
}

TEST(FftValues, has_halves) {
    for (const Number number : {Number::f16, Number::bf16})
        for (const int type : {c2c, r2c, c2r}) check({{16}, type, number, 2});
    check({{4, 6}, c2c, Number::f16, 1});
}

TEST(FftValues, has_strides_embeds_and_distances_with_gaps) {
    check({{6}, c2c, Number::f32, 3, {6}, 2, 13, {6}, 2, 13});
    check({{4, 5}, c2c, Number::f64, 2, {9, 7}, 1, 40, {9, 7}, 1, 40});
    check({{4, 5}, c2c, Number::f32, 2, {4, 7}, 2, 60, {4, 6}, 1, 30});  // in place with two layouts
    check({{2, 3, 4}, c2c, Number::f32, 2, {2, 4, 5}, 1, 45, {2, 4, 5}, 1, 45});
    check({{4, 6}, r2c, Number::f32, 2, {4, 8}, 1, 32, {4, 4}, 1, 16});  // padded rows
    check({{4, 6}, c2r, Number::f64, 2, {4, 4}, 1, 16, {4, 8}, 1, 32});
    check({{6}, r2c, Number::f32, 3, {6}, 2, 14, {4}, 3, 13}, true, false);
    check({{6}, c2r, Number::f32, 3, {4}, 3, 13, {6}, 2, 14}, true, false);
}

TEST(FftValues, takes_interleaved_transforms) {
    check({{8}, c2c, Number::f32, 4, {8}, 4, 1, {8}, 4, 1});
    check({{8}, r2c, Number::f32, 4, {8}, 4, 1, {5}, 4, 1}, true, false);
}

/// Of several axes it may be, as cuFFT's is; programs copy it there and only there.
TEST(FftValues, a_spectrum_of_one_axis_is_never_changed) {
    constexpr int n = 1 << 18;
    Handle plan = no_handle;
    ASSERT_EQ(fft().Plan1d(&plan, n, c2r, 1), success);
    std::vector<std::complex<float>> spectrum(n / 2 + 1, {1, 0});
    const std::vector<std::complex<float>> kept = spectrum;
    std::vector<float> signal(n);
    ASSERT_EQ(fft().ExecC2R(plan, spectrum.data(), signal.data()), success);
    EXPECT_TRUE(spectrum == kept);
    EXPECT_EQ(signal[0], static_cast<float>(n));
    EXPECT_EQ(fft().Destroy(plan), success);
}

/// An embed of 0: each row is the first one.
TEST(FftValues, takes_an_input_whose_rows_are_one) {
    check({{3, 4}, c2c, Number::f32, 1, {3, 0}, 1, 4, {3, 4}, 1, 12}, true, false);
}

/// Real numbers that begin in the middle of a pair, as a slice of an array does; beside them nothing is written.
TEST(FftValues, takes_arrays_that_are_aligned_to_one_number) {
    constexpr int n = 16, half = n / 2 + 1;
    Handle plan = no_handle;
    ASSERT_EQ(fft().Plan1d(&plan, n, r2c, 1), success);
    alignas(64) std::array<float, n + 4> signal{};
    alignas(64) std::array<float, 2 * half + 4> spectrum{};
    for (int i = 0; i < 2; ++i) {
        signal.fill(7);
        spectrum.fill(7);
        std::fill_n(signal.begin() + 1, n, 0.0F);
        signal[1] = 1;
        ASSERT_EQ(fft().ExecR2C(plan, &signal[1], &spectrum[1]), success);
        for (int k = 0; k < half; ++k) {
            EXPECT_EQ(spectrum[static_cast<std::size_t>(1 + 2 * k)], 1) << k;
            EXPECT_EQ(spectrum[static_cast<std::size_t>(2 + 2 * k)], 0) << k;
        }
        EXPECT_EQ(spectrum[0], 7);
        EXPECT_EQ(spectrum[1 + 2 * half], 7);
        ASSERT_EQ(fft().ExecR2C(plan, &signal[2], &spectrum[2]), success) << "aligned again";
        EXPECT_EQ(spectrum[2], 7) << "the sum of 15 zeros and a 7";
    }
    std::array<float, 2 * half + 2> both{};
    both[1] = 1;
    ASSERT_EQ(fft().ExecR2C(plan, &both[1], &both[1]), success);
    EXPECT_EQ(both[2 * half - 1], 1);
    EXPECT_EQ(fft().Destroy(plan), success);
}

TEST(FftValues, refuses_what_would_overwrite_what_is_not_read_yet) {
    const Case what{{6}, r2c, Number::f32, 3, {6}, 1, 6, {4}, 1, 4};
    Size size = 0;
    const Handle plan = made(what, &size);
    std::vector<float> memory(64);
    EXPECT_EQ(fft().ExecR2C(plan, memory.data(), memory.data()), invalid_value);
    EXPECT_EQ(fft().Destroy(plan), success);
}

/// The functions that make plans, each for one problem.
TEST(FftValues, has_every_function_that_makes_plans) {
    int n[] = {4, 6}, embed[] = {4, 6};
    Long long_n[] = {4, 6}, long_embed[] = {4, 6};
    Size size = 0;
    const Case one{{24}, c2c, Number::f32, 2}, two{{4, 6}}, three{{2, 3, 4}}, many{{4, 6}, c2c, Number::f32, 2};
    const auto created = [] {
        Handle plan = no_handle;
        EXPECT_EQ(fft().Create(&plan), success);
        return plan;
    };
    const auto expect = [](Handle plan, int code, const Case& what) {
        ASSERT_EQ(code, success);
        expect_right(plan, what, forward, false);
        expect_right(plan, what, inverse, true);
        EXPECT_EQ(fft().Destroy(plan), success);
    };
    Handle plan = no_handle;
    int code = fft().Plan1d(&plan, 24, c2c, 2);
    expect(plan, code, one);
    code = fft().Plan2d(&plan, 4, 6, c2c);
    expect(plan, code, two);
    code = fft().Plan3d(&plan, 2, 3, 4, c2c);
    expect(plan, code, three);
    code = fft().PlanMany(&plan, 2, n, embed, 1, 24, embed, 1, 24, c2c, 2);
    expect(plan, code, many);
    plan = created();
    expect(plan, fft().MakePlan1d(plan, 24, c2c, 2, &size), one);
    plan = created();
    expect(plan, fft().MakePlan2d(plan, 4, 6, c2c, &size), two);
    plan = created();
    expect(plan, fft().MakePlan3d(plan, 2, 3, 4, c2c, &size), three);
    plan = created();
    expect(plan, fft().MakePlanMany(plan, 2, n, nullptr, 1, 24, nullptr, 1, 24, c2c, 2, &size), many);
    plan = created();
    expect(plan, fft().MakePlanMany64(plan, 2, long_n, long_embed, 1, 24, long_embed, 1, 24, c2c, 2, &size), many);
}

#ifdef TEST_HIPFFT
TEST(FftValues, has_a_scale) {
    auto* const set_scale = fft().find<int(Handle, double)>("ExtPlanScaleFactor");
    Handle plan = no_handle;
    Size size = 0;
    ASSERT_EQ(fft().Create(&plan), success);
    ASSERT_EQ(set_scale(plan, 0.25), success);
    ASSERT_EQ(fft().MakePlan1d(plan, 4, c2c, 1, &size), success);
    std::vector<std::complex<float>> data{{1, 0}, {1, 0}, {1, 0}, {1, 0}};
    ASSERT_EQ(fft().ExecC2C(plan, data.data(), data.data(), forward), success);
    EXPECT_EQ(data[0], std::complex<float>(1, 0));
    EXPECT_EQ(set_scale(plan, 1), invalid_plan);
    EXPECT_EQ(fft().Destroy(plan), success);
}
#endif

}  // namespace
}  // namespace fft_test
