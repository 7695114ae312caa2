// Strides, gaps, split arrays, repetitions and copies: each against a dense transform of what was gathered by hand.
#include <array>
#include <thread>

#include "fftw_api.hpp"

namespace {

template <class Real>
class FftwLayouts : public ::testing::Test {};
TYPED_TEST_SUITE(FftwLayouts, Precisions);

TYPED_TEST(FftwLayouts, GapsBetweenElementsStayAsTheyAre) {
    using R = TypeParam;
    const int n = 9, howmany = 3;
    auto in = random_complexes<R>(3 * 40);
    const std::complex<R> mark(77, -77);
    Complexes<R> out(3 * 50, mark);
    const Planned<R> plan(Fftw<R>::plan_many_dft(1, &n, howmany, raw(in.data()), nullptr, 3, 40, raw(out.data()),
                                                 nullptr, 5, 50, FFTW_FORWARD, FFTW_ESTIMATE));
    plan.execute();
    for (std::size_t m = 0; m < 3; ++m) {
        Complexes<R> line, got;
        for (std::size_t j = 0; j < 9; ++j) line.push_back(in[m * 40 + 3 * j]);
        for (std::size_t j = 0; j < 50; ++j) {
            if (j % 5 == 0 && j < 45)
                got.push_back(out[m * 50 + j]);
            else
                EXPECT_EQ(out[m * 50 + j], mark) << m << " " << j;
        }
        expect_near(got, defined_dft(line, {n}, -1));
    }
}

TYPED_TEST(FftwLayouts, EmbeddedPlanesOfRealNumbers) {
    using R = TypeParam;
    const std::array<int, 2> n = {4, 6}, in_embed = {5, 9}, out_embed = {6, 7};
    auto in = random_reals<R>(2 * 45 * 2);
    Complexes<R> out(2 * 42 * 2);
    const Planned<R> plan(Fftw<R>::plan_many_dft_r2c(2, n.data(), 2, in.data(), in_embed.data(), 2, 1, raw(out.data()),
                                                     out_embed.data(), 1, 42, FFTW_ESTIMATE));
    plan.execute();
    for (std::size_t m = 0; m < 2; ++m) {
        Complexes<R> plane, got, expected;
        for (std::size_t i = 0; i < 24; ++i) plane.push_back(in[m + 2 * (i / 6 * 9 + i % 6)]);
        const auto whole = defined_dft(plane, {4, 6}, -1);
        for (std::size_t i = 0; i < 24; ++i) {
            if (i % 6 > 3) continue;
            got.push_back(out[m * 42 + i / 6 * 7 + i % 6]);
            expected.push_back(whole[i]);
        }
        expect_near(got, expected);
    }
}

TYPED_TEST(FftwLayouts, NegativeStridesOfTransformsAndRepetitions) {
    using R = TypeParam;
    using Dim = typename Fftw<R>::Dim;
    const auto data = random_complexes<R>(24);
    for (const bool turns_transform : {false, true})
        for (const bool in_place : {false, true}) {
            auto in = data;
            Complexes<R> apart(24);
            Complexes<R>& out = in_place ? in : apart;
            const Dim transform{8, turns_transform ? -1 : 1, turns_transform && in_place ? -1 : 1};
            const Dim repeat{3, -8, in_place || turns_transform ? -8 : 8};
            const std::ptrdiff_t in_start = 16 + (turns_transform ? 7 : 0);
            const std::ptrdiff_t out_start = (repeat.os < 0 ? 16 : 0) + (transform.os < 0 ? 7 : 0);
            const Planned<R> plan(Fftw<R>::plan_guru64_dft(1, &transform, 1, &repeat, raw(in.data() + in_start),
                                                           raw(out.data() + out_start), FFTW_FORWARD, FFTW_ESTIMATE));
            // On memory of the host arrays are transformed as they lie.
            char* const text = Fftw<R>::sprint_plan(plan.get());
            const std::string way = text;
            std::free(text);
            const bool is_on_host =
                way.find("seiche") != std::string::npos && way.find("reference") == std::string::npos;
            EXPECT_TRUE(!is_on_host || way.find(" direct ") != std::string::npos) << way;
            plan.execute();
            for (std::ptrdiff_t m = 0; m < 3; ++m) {
                Complexes<R> line, got;
                for (std::ptrdiff_t j = 0; j < 8; ++j) {
                    line.push_back(data[static_cast<std::size_t>(in_start + m * repeat.is + j * transform.is)]);
                    got.push_back(out[static_cast<std::size_t>(out_start + m * repeat.os + j * transform.os)]);
                }
                expect_near(got, defined_dft(line, {8}, -1));
            }
        }
}

TYPED_TEST(FftwLayouts, SeveralRepetitionsInAnyOrder) {
    using R = TypeParam;
    using Dim = typename Fftw<R>::Dim;
    auto in = random_complexes<R>(2 * 5 * 3 * 4);
    Complexes<R> out(in.size());
    // Input [2][5][3][4], output [4][3][5][2]; the axis of 5 is transformed.
    const Dim transform{5, 12, 2};
    const std::array<Dim, 3> many = {Dim{3, 4, 10}, Dim{2, 60, 1}, Dim{4, 1, 30}};
    const Planned<R> plan(Fftw<R>::plan_guru64_dft(1, &transform, 3, many.data(), raw(in.data()), raw(out.data()),
                                                   FFTW_BACKWARD, FFTW_ESTIMATE));
    plan.execute();
    for (std::size_t a = 0; a < 2; ++a)
        for (std::size_t b = 0; b < 3; ++b)
            for (std::size_t c = 0; c < 4; ++c) {
                Complexes<R> line, got;
                for (std::size_t j = 0; j < 5; ++j) {
                    line.push_back(in[a * 60 + j * 12 + b * 4 + c]);
                    got.push_back(out[c * 30 + b * 10 + j * 2 + a]);
                }
                expect_near(got, defined_dft(line, {5}, 1));
            }
}

TYPED_TEST(FftwLayouts, InPlaceWithTwoLayouts) {
    using R = TypeParam;
    using Dim = typename Fftw<R>::Dim;
    auto data = random_complexes<R>(6 * 4);
    const auto kept = data;
    // Columns of a 6 x 4 array become rows of a 4 x 6 one.
    const Dim transform{6, 4, 1}, repeat{4, 1, 6};
    const Planned<R> plan(Fftw<R>::plan_guru64_dft(1, &transform, 1, &repeat, raw(data.data()), raw(data.data()),
                                                   FFTW_FORWARD, FFTW_ESTIMATE));
    plan.execute();
    for (std::size_t m = 0; m < 4; ++m) {
        Complexes<R> line;
        for (std::size_t j = 0; j < 6; ++j) line.push_back(kept[j * 4 + m]);
        const auto got =
            Complexes<R>(data.begin() + static_cast<long>(6 * m), data.begin() + static_cast<long>(6 * m + 6));
        expect_near(got, defined_dft(line, {6}, -1));
    }
}

TYPED_TEST(FftwLayouts, SplitArraysApartInterleavedAndSwapped) {
    using R = TypeParam;
    using Dim = typename Fftw<R>::Dim;
    const auto data = random_complexes<R>(10);
    const auto forward = defined_dft(data, {10}, -1), backward = defined_dft(data, {10}, 1);
    std::vector<R> re, im, out_re(10), out_im(10);
    for (const auto& value : data) re.push_back(value.real()), im.push_back(value.imag());
    const auto together = [&] {
        Complexes<R> made;
        for (std::size_t i = 0; i < 10; ++i) made.push_back({out_re[i], out_im[i]});
        return made;
    };
    const Dim dense{10, 1, 1}, pairs{10, 2, 2}, mixed{10, 1, 2};
    const Planned<R> apart(Fftw<R>::plan_guru64_split_dft(1, &dense, 0, nullptr, re.data(), im.data(), out_re.data(),
                                                          out_im.data(), FFTW_ESTIMATE));
    apart.execute();
    expect_near(together(), forward, "apart");
    // Real and imaginary parts in each other's place: the other sign.
    const Planned<R> swapped(Fftw<R>::plan_guru64_split_dft(1, &dense, 0, nullptr, im.data(), re.data(), out_im.data(),
                                                            out_re.data(), FFTW_ESTIMATE));
    swapped.execute();
    expect_near(together(), backward, "swapped");

    auto in = data;
    Complexes<R> out(10);
    R* const from = reinterpret_cast<R*>(in.data());
    R* const to = reinterpret_cast<R*>(out.data());
    const Planned<R> interleaved(
        Fftw<R>::plan_guru64_split_dft(1, &pairs, 0, nullptr, from, from + 1, to, to + 1, FFTW_ESTIMATE));
    interleaved.execute();
    expect_near(out, forward, "interleaved");
    const Planned<R> swapped_pairs(
        Fftw<R>::plan_guru64_split_dft(1, &pairs, 0, nullptr, from + 1, from, to + 1, to, FFTW_ESTIMATE));
    swapped_pairs.execute();
    expect_near(out, backward, "swapped pairs");
    const Planned<R> one_sided(
        Fftw<R>::plan_guru64_split_dft(1, &mixed, 0, nullptr, re.data(), im.data(), to, to + 1, FFTW_ESTIMATE));
    one_sided.execute();
    expect_near(out, forward, "split to pairs");
    const Planned<R> in_place(Fftw<R>::plan_guru64_split_dft(1, &dense, 0, nullptr, re.data(), im.data(), re.data(),
                                                             im.data(), FFTW_ESTIMATE));
    in_place.execute();
    out_re = re;
    out_im = im;
    expect_near(together(), forward, "in place");
}

// The library takes no planar array that shares memory with a real one: by way of dense arrays, whatever the effort.
TYPED_TEST(FftwLayouts, SplitSpectraThatShareMemoryWithRealNumbers) {
    using R = TypeParam;
    using Dim = typename Fftw<R>::Dim;
    for (const unsigned effort : {FFTW_ESTIMATE, FFTW_MEASURE, FFTW_PATIENT}) {
        const auto in = random_reals<R>(12);
        const auto whole = defined_dft(Complexes<R>(in.begin(), in.end()), {12}, -1);
        std::vector<R> shared(14), scaled = in;
        for (R& value : scaled) value *= 12;
        const Dim dense{12, 1, 1};
        const Planned<R> there(Fftw<R>::plan_guru64_split_dft_r2c(1, &dense, 0, nullptr, shared.data(), shared.data(),
                                                                  shared.data() + 7, effort));
        const Planned<R> home(Fftw<R>::plan_guru64_split_dft_c2r(1, &dense, 0, nullptr, shared.data(),
                                                                 shared.data() + 7, shared.data(), effort));
        std::copy(in.begin(), in.end(), shared.begin());
        there.execute();
        Complexes<R> got, expected(whole.begin(), whole.begin() + 7);
        for (std::size_t i = 0; i < 7; ++i) got.push_back({shared[i], shared[7 + i]});
        expect_near(got, expected);
        home.execute();
        expect_near(std::vector<R>(shared.begin(), shared.begin() + 12), scaled);
    }
}

TYPED_TEST(FftwLayouts, SplitSpectraOfRealNumbers) {
    using R = TypeParam;
    using Dim = typename Fftw<R>::Dim;
    auto in = random_reals<R>(12);
    const auto whole = defined_dft(Complexes<R>(in.begin(), in.end()), {12}, -1);
    std::vector<R> re(7), im(7), back(12), scaled = in;
    for (R& value : scaled) value *= 12;
    const Dim dense{12, 1, 1};
    const Planned<R> there(
        Fftw<R>::plan_guru64_split_dft_r2c(1, &dense, 0, nullptr, in.data(), re.data(), im.data(), FFTW_ESTIMATE));
    const Planned<R> home(
        Fftw<R>::plan_guru64_split_dft_c2r(1, &dense, 0, nullptr, re.data(), im.data(), back.data(), FFTW_ESTIMATE));
    there.execute();
    Complexes<R> got, expected(whole.begin(), whole.begin() + 7);
    for (std::size_t i = 0; i < 7; ++i) got.push_back({re[i], im[i]});
    expect_near(got, expected);
    home.execute();
    expect_near(back, scaled);
}

TYPED_TEST(FftwLayouts, RankZeroCopiesAndTransposes) {
    using R = TypeParam;
    using Dim = typename Fftw<R>::Dim;
    const auto data = random_complexes<R>(70 * 45);
    const std::array<Dim, 2> transpose = {Dim{70, 45, 1}, Dim{45, 1, 70}};
    Complexes<R> expected(data.size());
    for (std::size_t i = 0; i < 70; ++i)
        for (std::size_t j = 0; j < 45; ++j) expected[j * 70 + i] = data[i * 45 + j];
    auto in = data;
    Complexes<R> out(data.size());
    const Planned<R> apart(Fftw<R>::plan_guru64_dft(0, nullptr, 2, transpose.data(), raw(in.data()), raw(out.data()),
                                                    FFTW_FORWARD, FFTW_ESTIMATE));
    apart.execute();
    EXPECT_EQ(out, expected);
    EXPECT_EQ(in, data);
    const Planned<R> in_place(Fftw<R>::plan_guru64_dft(0, nullptr, 2, transpose.data(), raw(in.data()), raw(in.data()),
                                                       FFTW_FORWARD, FFTW_ESTIMATE));
    in_place.execute();
    EXPECT_EQ(in, expected);
    std::vector<R> reals = random_reals<R>(6), turned(6);
    const std::array<Dim, 2> small = {Dim{2, 3, 1}, Dim{3, 1, 2}};
    const Planned<R> of_reals(
        Fftw<R>::plan_guru64_r2r(0, nullptr, 2, small.data(), reals.data(), turned.data(), nullptr, FFTW_ESTIMATE));
    of_reals.execute();
    EXPECT_EQ(turned, (std::vector<R>{reals[0], reals[3], reals[1], reals[4], reals[2], reals[5]}));
}

TYPED_TEST(FftwLayouts, OtherArraysThatAreAlignedToOneRealAlone) {
    using R = TypeParam;
    const int n = 64;
    Complexes<R> in(64), out(64);
    const Planned<R> plan(
        Fftw<R>::plan_dft(1, &n, raw(in.data()), raw(out.data()), FFTW_FORWARD, FFTW_ESTIMATE | FFTW_UNALIGNED));
    auto parts = random_reals<R>(129);
    std::vector<R> results(129);
    Fftw<R>::execute_dft(plan.get(), reinterpret_cast<typename Fftw<R>::C*>(parts.data() + 1),
                         reinterpret_cast<typename Fftw<R>::C*>(results.data() + 1));
    Complexes<R> data, got;
    for (std::size_t i = 0; i < 64; ++i) {
        data.push_back({parts[1 + 2 * i], parts[2 + 2 * i]});
        got.push_back({results[1 + 2 * i], results[2 + 2 * i]});
    }
    expect_near(got, defined_dft(data, {n}, -1));
}

TYPED_TEST(FftwLayouts, ManyThreadsExecuteOnePlan) {
    using R = TypeParam;
    const int n = 240;
    Complexes<R> in(240), out(240);
    const Planned<R> plan(Fftw<R>::plan_dft(1, &n, raw(in.data()), raw(out.data()), FFTW_FORWARD, FFTW_ESTIMATE));
    std::vector<Complexes<R>> results(4);
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            auto own = random_complexes<R>(240, t);
            results[t].resize(240);
            for (int i = 0; i < 20; ++i) Fftw<R>::execute_dft(plan.get(), raw(own.data()), raw(results[t].data()));
        });
    for (std::thread& thread : threads) thread.join();
    for (unsigned t = 0; t < 4; ++t) expect_near(results[t], defined_dft(random_complexes<R>(240, t), {n}, -1));
}

}  // namespace
