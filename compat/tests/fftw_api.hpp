// Both precisions of FFTW's interface for typed tests, and transforms by their definitions.
#pragma once

#include <gtest/gtest.h>

#include <complex>
#include <cstddef>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "fftw3.h"

template <class Real>
struct Fftw;

#define SEICHE_TEST_API(R, X, C_)                                                        \
    template <>                                                                          \
    struct Fftw<R> {                                                                     \
        using C = C_;                                                                    \
        using Plan = X(plan);                                                            \
        using Dim = X(iodim64);                                                          \
        static constexpr auto plan_dft = &X(plan_dft);                                   \
        static constexpr auto plan_dft_r2c = &X(plan_dft_r2c);                           \
        static constexpr auto plan_dft_c2r = &X(plan_dft_c2r);                           \
        static constexpr auto plan_r2r = &X(plan_r2r);                                   \
        static constexpr auto plan_many_dft = &X(plan_many_dft);                         \
        static constexpr auto plan_many_dft_r2c = &X(plan_many_dft_r2c);                 \
        static constexpr auto plan_guru64_dft = &X(plan_guru64_dft);                     \
        static constexpr auto plan_guru64_split_dft = &X(plan_guru64_split_dft);         \
        static constexpr auto plan_guru64_split_dft_r2c = &X(plan_guru64_split_dft_r2c); \
        static constexpr auto plan_guru64_split_dft_c2r = &X(plan_guru64_split_dft_c2r); \
        static constexpr auto plan_guru64_r2r = &X(plan_guru64_r2r);                     \
        static constexpr auto execute = &X(execute);                                     \
        static constexpr auto execute_dft = &X(execute_dft);                             \
        static constexpr auto execute_split_dft = &X(execute_split_dft);                 \
        static constexpr auto destroy_plan = &X(destroy_plan);                           \
        static constexpr auto sprint_plan = &X(sprint_plan);                             \
    }
SEICHE_TEST_API(double, SEICHE_FFTW_DOUBLE, fftw_complex);
SEICHE_TEST_API(float, SEICHE_FFTW_FLOAT, fftwf_complex);
#undef SEICHE_TEST_API

template <class Real>
using Complexes = std::vector<std::complex<Real>>;

template <class Real>
typename Fftw<Real>::C* raw(std::complex<Real>* array) {
    return reinterpret_cast<typename Fftw<Real>::C*>(array);
}

/// A plan that ends with its scope.
template <class Real>
class Planned {
public:
    explicit Planned(typename Fftw<Real>::Plan plan) : plan_(plan) { EXPECT_NE(plan, nullptr); }
    Planned(const Planned&) = delete;
    Planned& operator=(const Planned&) = delete;
    ~Planned() { Fftw<Real>::destroy_plan(plan_); }
    typename Fftw<Real>::Plan get() const { return plan_; }
    void execute() const {
        if (plan_ != nullptr) Fftw<Real>::execute(plan_);
    }

private:
    typename Fftw<Real>::Plan plan_;
};

template <class Real>
std::vector<Real> random_reals(std::size_t count, unsigned seed = 1) {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<Real> number(-1, 1);
    std::vector<Real> made(count);
    for (Real& value : made) value = number(generator);
    return made;
}

template <class Real>
Complexes<Real> random_complexes(std::size_t count, unsigned seed = 1) {
    const auto parts = random_reals<Real>(2 * count, seed);
    Complexes<Real> made(count);
    for (std::size_t i = 0; i < count; ++i) made[i] = {parts[2 * i], parts[2 * i + 1]};
    return made;
}

/// The transform along every axis of a dense row-major array, by its definition.
template <class Real>
Complexes<Real> defined_dft(const Complexes<Real>& data, const std::vector<int>& lengths, int sign) {
    using Wide = std::complex<long double>;
    std::vector<Wide> now(data.begin(), data.end());
    std::size_t inner = 1;
    for (std::size_t axis = lengths.size(); axis-- > 0; inner *= static_cast<std::size_t>(lengths[axis])) {
        const auto n = static_cast<std::size_t>(lengths[axis]);
        std::vector<Wide> next(now.size());
        for (std::size_t i = 0; i < now.size(); ++i) {
            const std::size_t k = i / inner % n, start = i - k * inner;
            for (std::size_t j = 0; j < n; ++j)
                next[i] += now[start + j * inner] *
                           std::polar(1.0L, sign * 2 * 3.14159265358979323846264338327950288L *
                                                static_cast<long double>(j * k % n) / static_cast<long double>(n));
        }
        now = next;
    }
    Complexes<Real> made;
    for (const Wide& value : now) made.push_back({static_cast<Real>(value.real()), static_cast<Real>(value.imag())});
    return made;
}

template <class T>
double magnitude(const T& value) {
    return static_cast<double>(std::abs(value));
}

/// Bounds the error of each value by the largest expected one.
template <class T>
void expect_near(const std::vector<T>& got, const std::vector<T>& expected, const std::string& what = "") {
    ASSERT_EQ(got.size(), expected.size()) << what;
    double largest = 0, error = 0;
    for (const T& value : expected) largest = std::max(largest, magnitude(value));
    for (std::size_t i = 0; i < got.size(); ++i) error = std::max(error, magnitude(got[i] - expected[i]));
    const double unit = sizeof(T) <= sizeof(double) && std::is_same_v<decltype(std::abs(T())), float> ? 6e-8 : 1.2e-16;
    EXPECT_LE(error, 40 * unit * largest) << what;
}

using Precisions = ::testing::Types<float, double>;

inline bool is_forwarded() { return std::getenv("SEICHE_FFTW_MIN_POINTS") != nullptr; }
