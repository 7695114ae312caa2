// Plans over several cards, which are here one device several times, whose memory is the host's.
#include <gtest/gtest.h>

#include <complex>
#include <cstring>
#include <vector>

#include "arrays.hpp"
#include "fft_library.hpp"

using namespace fft_test;

namespace {

constexpr int natural = 2, shuffled = 3;
constexpr int host_to_device = 0, device_to_host = 1, device_to_device = 2;

std::vector<int> numbers(int count) {
    std::vector<int> cards;
    for (int card = 0; card < count; ++card) cards.push_back(card);
    return cards;
}

/// A plan over so many cards, and an array.
struct Several {
    Handle plan = no_handle;
    std::vector<Size> work;
    std::vector<Descriptor*> arrays;

    Several(const Case& what, int cards) : work(static_cast<Size>(cards), 99) {
        std::vector<int> list = numbers(cards), n = what.n;
        const int type = what.type + (what.number == Number::f64 ? 0x40 : 0);
        EXPECT_EQ(fft().Create(&plan), success);
        EXPECT_EQ(fft().XtSetGPUs(plan, cards, list.data()), success);
        EXPECT_EQ(fft().MakePlanMany(plan, static_cast<int>(n.size()), n.data(), nullptr, 1, 1, nullptr, 1, 1, type,
                                     what.batch, work.data()),
                  success);
    }
    ~Several() {
        for (Descriptor* array : arrays) EXPECT_EQ(fft().XtFree(array), success);
        fft().Destroy(plan);
    }
    Several(const Several&) = delete;
    Several& operator=(const Several&) = delete;

    Descriptor* array(int format) {
        Descriptor* made = nullptr;
        EXPECT_EQ(fft().XtMalloc(plan, &made, format), success);
        arrays.push_back(made);
        return made;
    }
    std::vector<unsigned char> download(Descriptor* array, std::size_t bytes) const {
        std::vector<unsigned char> host(bytes, 0x5a);
        EXPECT_EQ(fft().XtMemcpy(plan, host.data(), array, device_to_host), success);
        return host;
    }
};

/// Where an array begins and how much it has.
struct Arrays {
    Places input, output;
    std::size_t bytes = 0;

    explicit Arrays(const Case& what) : input(places_of(what, true, true)), output(places_of(what, false, true)) {
        bytes = std::max(bytes_of(input, what.number, what.batch), bytes_of(output, what.number, what.batch));
    }
};

std::vector<Values> right(const Case& what, const std::vector<Values>& input, int direction) {
    std::vector<Values> results;
    for (const Values& values : input) results.push_back(plain_transform(what, values, direction));
    return results;
}

/// Up, a transform, down.
void expect_transformed(const Case& what, int cards, int direction, int from) {
    SCOPED_TRACE(std::to_string(what.n.size()) + " axes, type " + std::to_string(what.type) + ", " +
                 std::to_string(cards) + " cards, batch " + std::to_string(what.batch));
    Several several(what, cards);
    const Arrays arrays(what);
    const std::vector<Values> input = random_input(what);
    const std::vector<unsigned char> host = stored(arrays.input, what.number, input, arrays.bytes, 0);
    Descriptor* const array = several.array(from);
    ASSERT_EQ(array->memory->cards, cards);
    ASSERT_EQ(fft().XtMemcpy(several.plan, array, const_cast<unsigned char*>(host.data()), host_to_device), success);
    EXPECT_EQ(several.download(array, arrays.bytes), host) << "what went up comes down";
    ASSERT_EQ(fft().XtExecDescriptor(several.plan, array, array, direction), success);
    const auto got = loaded(arrays.output, what.number, several.download(array, arrays.bytes), what.batch);
    EXPECT_LT(error(got, right(what, input, direction)), allowed_error(what.number));
    if (what.batch == 1 && what.n.size() > 1) {
        EXPECT_EQ(array->format, from == natural ? shuffled : natural);
    }
}

}  // namespace

TEST(FftSeveralCards, arrays_of_two_and_three_axes) {
    for (const int cards : {2, 3}) {
        expect_transformed({.n = {6, 5, 4}}, cards, forward, natural);
        expect_transformed({.n = {6, 5, 4}, .number = Number::f64}, cards, inverse, shuffled);
        // The other way round, which is planned when it is asked for.
        expect_transformed({.n = {7, 9}}, cards, forward, shuffled);
        expect_transformed({.n = {7, 9}, .number = Number::f64}, cards, inverse, natural);
        expect_transformed({.n = {5, 4, 6}, .type = r2c}, cards, forward, natural);
        expect_transformed({.n = {5, 4, 7}, .type = c2r, .number = Number::f64}, cards, inverse, shuffled);
        expect_transformed({.n = {6, 8}, .type = r2c, .number = Number::f64}, cards, forward, natural);
        expect_transformed({.n = {6, 9}, .type = c2r}, cards, inverse, shuffled);
    }
    expect_transformed({.n = {2, 3, 4}}, 4, forward, natural);  // one card has nothing
}

TEST(FftSeveralCards, batches_and_lines) {
    expect_transformed({.n = {12}, .batch = 5}, 2, forward, natural);
    expect_transformed({.n = {9}, .type = r2c, .number = Number::f64, .batch = 4}, 3, forward, natural);
    expect_transformed({.n = {4, 6}, .type = c2r, .batch = 2}, 2, inverse, natural);
    expect_transformed({.n = {3, 4, 5}, .batch = 2}, 3, inverse, natural);
    expect_transformed({.n = {64}}, 2, forward, natural);
    expect_transformed({.n = {60}, .number = Number::f64}, 2, inverse, 4);
}

TEST(FftSeveralCards, formats_are_slabs_along_the_first_and_the_second_axis) {
    const Case what{.n = {4, 6, 3}};
    Several several(what, 2);
    std::vector<std::complex<float>> host(72), card(36), moved(72);
    for (std::size_t i = 0; i < host.size(); ++i) host[i] = {static_cast<float>(i), 0.5F};
    Descriptor *const first = several.array(natural), *const second = several.array(shuffled);
    ASSERT_EQ(fft().XtMemcpy(several.plan, first, host.data(), host_to_device), success);
    EXPECT_EQ(std::memcmp(first->memory->data[1], host.data() + 36, 36 * 8), 0);
    ASSERT_EQ(fft().XtMemcpy(several.plan, second, first, device_to_device), success);
    for (std::size_t x = 0; x < 4; ++x)
        for (std::size_t yz = 0; yz < 9; ++yz) card[x * 9 + yz] = host[x * 18 + 9 + yz];
    EXPECT_EQ(std::memcmp(second->memory->data[1], card.data(), 36 * 8), 0);
    Descriptor* const third = several.array(shuffled);
    ASSERT_EQ(fft().XtMemcpy(several.plan, third, second, device_to_device), success);
    ASSERT_EQ(fft().XtMemcpy(several.plan, moved.data(), third, device_to_host), success);
    EXPECT_EQ(moved, host);
    EXPECT_EQ(fft().XtMemcpy(several.plan, third, third, device_to_device), invalid_value);
}

#ifndef TEST_HIPFFT
TEST(FftSeveralCards, work_areas_may_be_the_programs) {
    const Case what{.n = {12, 10, 8}};
    auto* const set_areas = fft().find<int(Handle, void**)>("XtSetWorkArea");
    Handle plan = no_handle;
    int cards[] = {0, 1};
    Size sizes[2] = {}, asked[2] = {};
    ASSERT_EQ(fft().Create(&plan), success);
    ASSERT_EQ(fft().XtSetGPUs(plan, 2, cards), success);
    ASSERT_EQ(fft().SetAutoAllocation(plan, 0), success);
    ASSERT_EQ(fft().GetSize3d(plan, 12, 10, 8, c2c, asked), success);
    ASSERT_EQ(fft().MakePlan3d(plan, 12, 10, 8, c2c, sizes), success);
    EXPECT_EQ(sizes[0], asked[0]);
    EXPECT_EQ(sizes[1], asked[1]);
    ASSERT_GT(sizes[0], 0U);
    ASSERT_EQ(fft().GetSize(plan, asked), success);
    EXPECT_EQ(sizes[1], asked[1]);
    Descriptor* array = nullptr;
    ASSERT_EQ(fft().XtMalloc(plan, &array, natural), success);
    const Arrays arrays(what);
    const std::vector<Values> input = random_input(what);
    std::vector<unsigned char> host = stored(arrays.input, what.number, input, arrays.bytes, 0);
    ASSERT_EQ(fft().XtMemcpy(plan, array, host.data(), host_to_device), success);
    EXPECT_EQ(fft().XtExecDescriptorC2C(plan, array, array, forward), no_workspace);
    std::vector<std::complex<double>> one(sizes[0] / 16 + 1), two(sizes[1] / 16 + 1);
    void* areas[] = {one.data(), two.data()};
    ASSERT_EQ(set_areas(plan, areas), success);
    ASSERT_EQ(fft().XtExecDescriptorC2C(plan, array, array, forward), success);
    ASSERT_EQ(fft().XtMemcpy(plan, host.data(), array, device_to_host), success);
    EXPECT_LT(error(loaded(arrays.output, what.number, host, 1), right(what, input, forward)),
              allowed_error(what.number));
    EXPECT_EQ(fft().XtFree(array), success);
    EXPECT_EQ(fft().Destroy(plan), success);
}
#endif

TEST(FftSeveralCards, refusals) {
    const Case what{.n = {4, 4}, .type = r2c};
    Several several(what, 2), other(what, 3);
    Descriptor *const array = several.array(natural), *const second = several.array(natural);
    EXPECT_EQ(fft().XtExecDescriptor(several.plan, array, second, forward), not_implemented) << "out of place";
    EXPECT_EQ(fft().XtExecDescriptor(several.plan, array, array, inverse), invalid_value);
    EXPECT_EQ(fft().XtExecDescriptor(other.plan, array, array, forward), invalid_value) << "two cards for three";
    EXPECT_EQ(fft().ExecR2C(several.plan, array->memory->data[0], array->memory->data[0]), invalid_plan);
    EXPECT_EQ(fft().SetStream(several.plan, array), not_supported);
    array->format = shuffled;
    EXPECT_EQ(fft().XtExecDescriptor(several.plan, array, array, forward), invalid_value) << "a spectrum for reals";
    array->format = natural;
    array->memory->size[1] -= 1;
    EXPECT_EQ(fft().XtExecDescriptor(several.plan, array, array, forward), invalid_value) << "too small";
    Descriptor* none = nullptr;
    EXPECT_EQ(fft().XtMalloc(several.plan, &none, 0), not_implemented);
    EXPECT_EQ(fft().XtMalloc(several.plan, &none, 4), not_implemented) << "of lines alone";
    EXPECT_EQ(fft().XtMemcpy(several.plan, array, nullptr, host_to_device), invalid_value);
    EXPECT_EQ(fft().XtMemcpy(several.plan, array, array, 9), invalid_value);

    Handle plan = no_handle;
    Size sizes[2] = {};
    std::vector<int> cards = numbers(65), n{8}, embed{8};
    ASSERT_EQ(fft().Create(&plan), success);
    EXPECT_EQ(fft().XtSetGPUs(plan, 65, cards.data()), invalid_value);
    ASSERT_EQ(fft().XtSetGPUs(plan, 2, cards.data()), success);
    EXPECT_EQ(fft().MakePlan1d(plan, 8, r2c, 1, sizes), not_implemented) << "one real line";
    EXPECT_EQ(fft().MakePlanMany(plan, 1, n.data(), embed.data(), 1, 8, embed.data(), 1, 8, c2c, 2, sizes),
              not_implemented)
        << "the advanced layout";
    EXPECT_EQ(fft().MakePlan1d(plan, 8, c2c, 2, sizes), success);
    EXPECT_EQ(fft().Destroy(plan), success);
}
