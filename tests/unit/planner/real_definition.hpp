// The definitions of real kinds, and of the complex transforms beside them, summed up in long double.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <functional>
#include <vector>

#include "seiche/problem.hpp"

namespace seiche {

using Extended = std::complex<long double>;
using Values = std::vector<Extended>;

inline const long double pi = acosl(-1.0L);

/// cos and sin of 2 pi t / (8 n), from a table: every angle of the definitions is such a multiple.
class Circle {
public:
    explicit Circle(std::uint64_t n) : cos_(8 * n) {
        for (std::uint64_t t = 0; t < 8 * n; ++t)
            cos_[t] = cosl(2 * pi * static_cast<long double>(t) / static_cast<long double>(8 * n));
    }
    long double cos(std::uint64_t t) const { return cos_[t % cos_.size()]; }
    long double sin(std::uint64_t t) const { return cos_[(t + cos_.size() - cos_.size() / 4) % cos_.size()]; }

private:
    std::vector<long double> cos_;
};

/// The steps per turn, divided by 8, of a kind's angles.
inline std::uint64_t steps(Kind kind, std::uint64_t n) {
    return kind == Kind::dct1 ? std::max<std::uint64_t>(1, n - 1) : kind == Kind::dst1 ? n + 1 : n;
}

/// The matrix element of a real-to-real kind, orthonormal edges included. `c` has the kind's steps.
inline long double element(Kind kind, const Circle& c, const std::array<std::uint64_t, 3>& njk, bool orthonormal) {
    const auto [n, j, k] = njk;
    const bool first_in = j == 0, last_in = j + 1 == n, first_out = k == 0, last_out = k + 1 == n;
    const long double root = sqrtl(2.0L);
    switch (kind) {
        case Kind::dct1: {
            const long double weight = first_in || last_in ? (orthonormal ? root : 1) : 2;
            return weight * c.cos(4 * j * k) * (orthonormal && (first_out || last_out) ? 1 / root : 1);
        }
        case Kind::dct2: return 2 * c.cos(2 * (2 * j + 1) * k) * (orthonormal && first_out ? 1 / root : 1);
        case Kind::dct3: return (first_in ? (orthonormal ? root : 1) : 2) * c.cos(2 * j * (2 * k + 1));
        case Kind::dct4: return 2 * c.cos((2 * j + 1) * (2 * k + 1));
        case Kind::dst1: return 2 * c.sin(4 * (j + 1) * (k + 1));
        case Kind::dst2: return 2 * c.sin(2 * (2 * j + 1) * (k + 1)) * (orthonormal && last_out ? 1 / root : 1);
        case Kind::dst3: return (last_in ? (orthonormal ? root : 1) : 2) * c.sin(2 * (j + 1) * (2 * k + 1));
        case Kind::dst4: return 2 * c.sin((2 * j + 1) * (2 * k + 1));
        case Kind::dht: return c.cos(8 * j * k) + c.sin(8 * j * k);
        case Kind::r2hc: return 2 * k <= n ? c.cos(8 * j * k) : -c.sin(8 * j * (n - k));
        case Kind::hc2r: {
            if (first_in) return 1;
            if (2 * j < n) return 2 * c.cos(8 * j * k);
            if (2 * j == n) return c.cos(8 * j * k);
            return -2 * c.sin(8 * (n - j) * k);
        }
        default: return 0;
    }
}

/// One axis of an array transformed; `in` and `out` are its counts before and after.
inline Values along(const Values& x, const std::vector<std::uint64_t>& counts, std::size_t axis, std::uint64_t out,
                    const std::function<Extended(std::uint64_t k, const Values& line)>& value) {
    std::uint64_t inner = 1, outer = 1;
    for (std::size_t i = axis + 1; i < counts.size(); ++i) inner *= counts[i];
    for (std::size_t i = 0; i < axis; ++i) outer *= counts[i];
    const std::uint64_t in = counts[axis];
    Values y(outer * out * inner), line(in);
    for (std::uint64_t o = 0; o < outer; ++o) {
        for (std::uint64_t i = 0; i < inner; ++i) {
            for (std::uint64_t j = 0; j < in; ++j) line[j] = x[(o * in + j) * inner + i];
            for (std::uint64_t k = 0; k < out; ++k) y[(o * out + k) * inner + i] = value(k, line);
        }
    }
    return y;
}

inline Extended wave(const Circle& c, std::uint64_t j, std::uint64_t k, int sign) {
    return {c.cos(8 * j * k), static_cast<long double>(sign) * c.sin(8 * j * k)};
}

class Definition {
public:
    Definition(const Problem& p, Direction direction) : problem_(p), forward_(direction == Direction::forward) {}

    Values apply(Values x, std::vector<std::uint64_t> counts) const {
        const bool to_real = problem_.kind == Kind::c2r;
        for (int pass = 0; pass < 2; ++pass) {
            for (std::size_t axis = 0, listed = 0; axis < counts.size(); ++axis) {
                if (!is_transformed(axis)) continue;
                const Kind kind = kind_of(axis, listed++);
                const bool is_last = kind == Kind::c2r;
                if (is_last != (pass == 1) && to_real) continue;
                if (!to_real && pass == 1) continue;
                const std::uint64_t n = problem_.lengths[axis], out = kind == Kind::r2c ? n / 2 + 1 : n;
                if (kind == Kind::r2c) continue;
                const Circle circle(steps(kind, n));
                x = along(x, counts, axis, out,
                          [&](std::uint64_t k, const Values& line) { return value(kind, circle, k, line, n); });
                counts[axis] = out;
            }
        }
        for (std::size_t axis = 0; problem_.kind == Kind::r2c && axis < counts.size(); ++axis) {
            if (!is_transformed(axis) || kind_of(axis, axis) != Kind::r2c) continue;
            const std::uint64_t n = problem_.lengths[axis];
            const Circle circle(n);
            x = along(x, counts, axis, n / 2 + 1,
                      [&](std::uint64_t k, const Values& line) { return value(Kind::c2c, circle, k, line, n); });
            counts[axis] = n / 2 + 1;
        }
        return x;
    }

    Kind kind_of(std::size_t axis, std::size_t listed) const {
        const int rank = static_cast<int>(problem_.lengths.size());
        if (problem_.kind == Kind::r2c || problem_.kind == Kind::c2r) {
            int halved = problem_.halved_axis    ? *problem_.halved_axis
                         : problem_.axes.empty() ? -1
                                                 : problem_.axes.back();
            if (halved < 0) halved += rank;
            return static_cast<int>(axis) == halved ? problem_.kind : Kind::c2c;
        }
        const Kind kind = problem_.axis_kinds.empty() ? problem_.kind : problem_.axis_kinds[listed];
        return forward_ ? kind : inverse_of(kind);
    }

private:
    bool is_transformed(std::size_t axis) const {
        return problem_.axes.empty() ||
               std::find(problem_.axes.begin(), problem_.axes.end(), static_cast<int>(axis)) != problem_.axes.end();
    }

    Extended value(Kind kind, const Circle& c, std::uint64_t k, const Values& line, std::uint64_t n) const {
        Extended sum = 0;
        if (kind == Kind::c2c) {
            for (std::uint64_t j = 0; j < n; ++j) sum += line[j] * wave(c, j, k, forward_ ? -1 : 1);
        } else if (kind == Kind::c2r) {
            sum = line[0].real();
            for (std::uint64_t j = 1; 2 * j < n; ++j) sum += 2 * (line[j] * wave(c, j, k, 1)).real();
            if (n % 2 == 0) sum += line[n / 2].real() * (k % 2 ? -1 : 1);
        } else {
            for (std::uint64_t j = 0; j < n; ++j)
                sum += line[j].real() * element(kind, c, {n, j, k}, problem_.orthonormal || problem_.orthogonalize);
        }
        return sum;
    }

    const Problem& problem_;
    bool forward_;
};

}  // namespace seiche
