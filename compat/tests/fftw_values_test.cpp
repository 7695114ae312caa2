// What each planner's transforms give, against their definitions.
#include <algorithm>
#include <array>
#include <cmath>

#include "fftw_api.hpp"

namespace {

template <class Real>
class FftwValues : public ::testing::Test {};
TYPED_TEST_SUITE(FftwValues, Precisions);

TYPED_TEST(FftwValues, ComplexOfBothSignsOutOfPlaceAndInPlace) {
    using R = TypeParam;
    for (const std::vector<int>& n : {std::vector<int>{16}, {15}, {1}, {17}, {4, 6}, {3, 1, 5}, {2, 3, 4, 5}})
        for (const int sign : {FFTW_FORWARD, FFTW_BACKWARD}) {
            std::size_t count = 1;
            for (const int length : n) count *= static_cast<std::size_t>(length);
            auto in = random_complexes<R>(count);
            const auto kept = in, expected = defined_dft(in, n, sign);
            Complexes<R> out(count);
            const Planned<R> apart(Fftw<R>::plan_dft(static_cast<int>(n.size()), n.data(), raw(in.data()),
                                                     raw(out.data()), sign, FFTW_ESTIMATE));
            apart.execute();
            expect_near(out, expected);
            EXPECT_EQ(in, kept);
            const Planned<R> in_place(Fftw<R>::plan_dft(static_cast<int>(n.size()), n.data(), raw(in.data()),
                                                        raw(in.data()), sign, FFTW_ESTIMATE));
            in_place.execute();
            expect_near(in, expected);
        }
}

template <class R>
Complexes<R> half_of(const Complexes<R>& whole, int rows, int n) {
    Complexes<R> made;
    for (int row = 0; row < rows; ++row)
        for (int k = 0; k <= n / 2; ++k) made.push_back(whole[static_cast<std::size_t>(row * n + k)]);
    return made;
}

TYPED_TEST(FftwValues, RealForwardAndBackwardApartAndInPlace) {
    using R = TypeParam;
    for (const int n : {12, 9, 2, 1})
        for (const int rows : {1, 4}) {
            const std::array<int, 2> lengths = {rows, n};
            const int half = n / 2 + 1;
            const auto size = static_cast<std::size_t>(rows * n), padded = static_cast<std::size_t>(rows * 2 * half);
            auto in = random_reals<R>(size);
            const auto kept = in;
            const auto expected = half_of(defined_dft(Complexes<R>(in.begin(), in.end()), {rows, n}, -1), rows, n);
            Complexes<R> out(expected.size());
            const Planned<R> forward(
                Fftw<R>::plan_dft_r2c(2, lengths.data(), in.data(), raw(out.data()), FFTW_ESTIMATE));
            forward.execute();
            expect_near(out, expected, "r2c");
            EXPECT_EQ(in, kept);

            std::vector<R> back(size), scaled = in;
            for (R& value : scaled) value *= static_cast<R>(rows * n);
            const Planned<R> backward(
                Fftw<R>::plan_dft_c2r(2, lengths.data(), raw(out.data()), back.data(), FFTW_ESTIMATE));
            backward.execute();
            expect_near(back, scaled, "c2r");

            std::vector<R> both(padded);
            for (int row = 0; row < rows; ++row) std::copy_n(in.begin() + row * n, n, both.begin() + row * 2 * half);
            auto* const spectrum = reinterpret_cast<std::complex<R>*>(both.data());
            const Planned<R> there(Fftw<R>::plan_dft_r2c(2, lengths.data(), both.data(), raw(spectrum), FFTW_ESTIMATE));
            const Planned<R> home(Fftw<R>::plan_dft_c2r(2, lengths.data(), raw(spectrum), both.data(), FFTW_ESTIMATE));
            there.execute();
            expect_near(Complexes<R>(spectrum, spectrum + expected.size()), expected, "r2c in place");
            home.execute();
            std::vector<R> rows_of;
            for (int row = 0; row < rows; ++row)
                rows_of.insert(rows_of.end(), both.begin() + row * 2 * half, both.begin() + row * 2 * half + n);
            expect_near(rows_of, scaled, "c2r in place");
        }
}

TYPED_TEST(FftwValues, BackwardRealLeavesOutImaginaryPartsThatHaveNoMeaning) {
    using R = TypeParam;
    const int n = 8;
    auto in = random_complexes<R>(5);
    auto clean = in;
    clean[0].imag(0);
    clean[4].imag(0);
    std::vector<R> out(8), expected(8);
    const Planned<R> one(Fftw<R>::plan_dft_c2r(1, &n, raw(in.data()), out.data(), FFTW_ESTIMATE | FFTW_PRESERVE_INPUT));
    const Planned<R> other(Fftw<R>::plan_dft_c2r(1, &n, raw(clean.data()), expected.data(), FFTW_ESTIMATE));
    const auto kept = in;
    one.execute();
    other.execute();
    expect_near(out, expected);
    EXPECT_EQ(in, kept);
}

/// FFTW's definitions, "What FFTW Really Computes".
long double defined_r2r(fftw_r2r_kind kind, const std::vector<long double>& x, std::size_t k_index) {
    const auto n = static_cast<long double>(x.size());
    const auto k = static_cast<long double>(k_index);
    const long double pi = std::acos(-1.0L);
    long double sum = 0;
    for (std::size_t index = 0; index < x.size(); ++index) {
        const auto j = static_cast<long double>(index);
        const bool is_edge = index == 0 || index + 1 == x.size();
        long double factor = 0;
        switch (kind) {
            case FFTW_R2HC:
                factor = 2 * k_index <= x.size() ? std::cos(2 * pi * j * k / n) : -std::sin(2 * pi * j * (n - k) / n);
                break;
            case FFTW_HC2R: {
                const bool is_real = 2 * index <= x.size();
                const bool is_single = index == 0 || 2 * index == x.size();
                factor = (is_single ? 1 : 2) *
                         (is_real ? std::cos(2 * pi * j * k / n) : -std::sin(2 * pi * (n - j) * k / n));
                break;
            }
            case FFTW_DHT: factor = std::cos(2 * pi * j * k / n) + std::sin(2 * pi * j * k / n); break;
            case FFTW_REDFT00: factor = (is_edge ? 1 : 2) * std::cos(pi * j * k / (n - 1)); break;
            case FFTW_REDFT10: factor = 2 * std::cos(pi * (j + 0.5L) * k / n); break;
            case FFTW_REDFT01: factor = index == 0 ? 1 : 2 * std::cos(pi * j * (k + 0.5L) / n); break;
            case FFTW_REDFT11: factor = 2 * std::cos(pi * (j + 0.5L) * (k + 0.5L) / n); break;
            case FFTW_RODFT00: factor = 2 * std::sin(pi * (j + 1) * (k + 1) / (n + 1)); break;
            case FFTW_RODFT10: factor = 2 * std::sin(pi * (j + 0.5L) * (k + 1) / n); break;
            case FFTW_RODFT01:
                factor =
                    index + 1 == x.size() ? (k_index % 2 == 0 ? 1 : -1) : 2 * std::sin(pi * (j + 1) * (k + 0.5L) / n);
                break;
            case FFTW_RODFT11: factor = 2 * std::sin(pi * (j + 0.5L) * (k + 0.5L) / n); break;
        }
        sum += factor * x[index];
    }
    return sum;
}

TYPED_TEST(FftwValues, EveryRealToRealKindApartAndInPlace) {
    using R = TypeParam;
    for (int kind_number = FFTW_R2HC; kind_number <= FFTW_RODFT11; ++kind_number)
        for (const int n : {2, 7, 12}) {
            const auto kind = static_cast<fftw_r2r_kind>(kind_number);
            auto in = random_reals<R>(static_cast<std::size_t>(n));
            const std::vector<long double> wide(in.begin(), in.end());
            std::vector<R> expected, out(in.size());
            for (std::size_t k = 0; k < in.size(); ++k) expected.push_back(static_cast<R>(defined_r2r(kind, wide, k)));
            const std::string what = "kind " + std::to_string(kind_number) + " of " + std::to_string(n);
            const Planned<R> apart(Fftw<R>::plan_r2r(1, &n, in.data(), out.data(), &kind, FFTW_ESTIMATE));
            apart.execute();
            expect_near(out, expected, what);
            const Planned<R> in_place(Fftw<R>::plan_r2r(1, &n, in.data(), in.data(), &kind, FFTW_ESTIMATE));
            in_place.execute();
            expect_near(in, expected, what + " in place");
        }
}

TYPED_TEST(FftwValues, KindsOfTwoAxes) {
    using R = TypeParam;
    const std::array<int, 2> n = {5, 6};
    const std::array<fftw_r2r_kind, 2> kinds = {FFTW_RODFT10, FFTW_REDFT01};
    auto in = random_reals<R>(30);
    std::vector<R> out(30), expected(30);
    std::vector<long double> rows;
    for (std::size_t i = 0; i < 30; ++i) {
        const std::size_t row = i / 6 * 6;
        const std::vector<long double> line(in.begin() + static_cast<long>(row),
                                            in.begin() + static_cast<long>(row) + 6);
        rows.push_back(defined_r2r(kinds[1], line, i % 6));
    }
    for (std::size_t i = 0; i < 30; ++i) {
        std::vector<long double> column;
        for (std::size_t j = 0; j < 5; ++j) column.push_back(rows[j * 6 + i % 6]);
        expected[i] = static_cast<R>(defined_r2r(kinds[0], column, i / 6));
    }
    const Planned<R> plan(Fftw<R>::plan_r2r(2, n.data(), in.data(), out.data(), kinds.data(), FFTW_ESTIMATE));
    plan.execute();
    expect_near(out, expected);
}

}  // namespace
