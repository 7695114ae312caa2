// Roots of unity: the angle is reduced in integers to [0, pi/4], where sine and cosine lose nothing.
#include "support/twiddle.hpp"

#include <cmath>
#include <utility>

#include "support/primes.hpp"

namespace seiche::support {

namespace {

constexpr long double pi = 3.14159265358979323846264338327950288419716939937510L;

}  // namespace

ComplexExtended twiddle_extended(std::uint64_t k, std::uint64_t n) {
    // k / n of a turn is (octant + rest / n) eighths of a turn, 0 <= rest < n.
    const u128 eighths = static_cast<u128>(k % n) * 8;
    const auto octant = static_cast<unsigned>(eighths / n);
    std::uint64_t rest = static_cast<std::uint64_t>(eighths % n);
    // In odd octants measure the angle back from the octant's end.
    const bool odd = (octant & 1) != 0;
    if (odd) rest = n - rest;
    const long double angle = pi / 4 * (static_cast<long double>(rest) / static_cast<long double>(n));
    long double c = std::cos(angle), s = std::sin(angle);
    if (rest == n) c = s = std::sqrt(0.5L);  // cos and sin of pi/4 round apart
    // The octants of cos and sin of the whole angle, counted anticlockwise from 0.
    switch (octant) {
        case 0: break;
        case 1:
        case 2:
            std::swap(c, s);
            if (octant == 2) c = -c;
            break;
        case 3:
        case 4:
            c = -c;
            if (octant == 4) s = -s;
            break;
        case 5:
        case 6:
            std::swap(c, s);
            s = -s;
            if (octant == 5) c = -c;
            break;
        default: s = -s; break;
    }
    return {c + 0.0L, 0.0L - s};  // the sums turn -0 into +0
}

ComplexValue twiddle(std::uint64_t k, std::uint64_t n) { return to_double(twiddle_extended(k, n)); }
ComplexFloat twiddle_float(std::uint64_t k, std::uint64_t n) { return to_float(twiddle_extended(k, n)); }

ComplexExtended chirp_extended(std::uint64_t k, std::uint64_t n) {
    return twiddle_extended(multiply_mod(k, k, 2 * n), 2 * n);
}
ComplexValue chirp(std::uint64_t k, std::uint64_t n) { return to_double(chirp_extended(k, n)); }
ComplexFloat chirp_float(std::uint64_t k, std::uint64_t n) { return to_float(chirp_extended(k, n)); }

}  // namespace seiche::support
