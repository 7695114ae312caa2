// Single outputs of a Fourier transform from its definition: how a long result is checked without transforming it
// again.
#include "cli/reference/dft_bins.hpp"

#include <cmath>
#include <numbers>

#include "cli/reference/quad.hpp"

namespace seiche::cli {
namespace {

// j k mod n without overflow, for n < 2^63.
std::uint64_t product_modulo(std::uint64_t j, std::uint64_t k, std::uint64_t n) {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>(static_cast<Wide>(j) * k % n);
}

template <class Real>
struct CosineAndSine {
    Real cosine, sine;
};

/// Of rest / (2 length) half turns, at most an eighth of a turn.
CosineAndSine<long double> on_circle(std::int64_t rest, std::int64_t length, long double) {
    const long double angle =
        std::numbers::pi_v<long double> * (static_cast<long double>(rest) / (2 * static_cast<long double>(length)));
    return {std::cos(angle), std::sin(angle)};
}

#ifdef __SIZEOF_FLOAT128__
/// By Taylor's series, from the smallest term on.
CosineAndSine<Quad> on_circle(std::int64_t rest, std::int64_t length, Quad) {
    const Quad pi = static_cast<Quad>(0x1.921fb54442d18p+1) + static_cast<Quad>(0x1.1a62633145c07p-53) +
                    static_cast<Quad>(-0x1.f1976b7ed8fbcp-109);
    const Quad angle = pi * (static_cast<Quad>(rest) / (2 * static_cast<Quad>(length)));
    const Quad square = angle * angle;
    constexpr int last = 30;  // (pi/4)^31 / 31! < 2^-115
    Quad cosine = 1, sine = 1;
    for (int k = last; k > 0; k -= 2) {
        cosine = 1 - square * cosine / (k * (k - 1));
        sine = 1 - square * sine / (k * (k + 1));
    }
    return {cosine, angle * sine};
}
#endif

}  // namespace

template <class Real>
std::complex<Real> root_of_unity(std::uint64_t k, std::uint64_t n) {
    const auto a = static_cast<std::int64_t>(k % n), length = static_cast<std::int64_t>(n);
    // The nearest quarter turn, and what is left: at most an eighth of a turn to either side.
    const std::int64_t quarter = (4 * a + length / 2) / length;
    const std::int64_t rest = 4 * a - quarter * length;
    const auto [c, s] = on_circle(rest, length, Real{});
    switch (quarter & 3) {
        case 0: return {c, -s};
        case 1: return {-s, -c};
        case 2: return {-c, s};
        default: return {s, c};
    }
}

template <class Real>
BinRoots<Real>::BinRoots(std::uint64_t n, std::uint64_t k, bool inverse) : n_(n) {
    for (std::uint64_t j = 0; j < std::min(block, n); ++j)
        fine_.push_back(root_of_unity<Real>(product_modulo(j, k, n), n));
    for (std::uint64_t j = 0; j < n; j += block) coarse_.push_back(root_of_unity<Real>(product_modulo(j, k, n), n));
    if (!inverse) return;
    for (auto* table : {&fine_, &coarse_}) {
        for (auto& w : *table) w = std::conj(w);
    }
}

template std::complex<long double> root_of_unity<long double>(std::uint64_t, std::uint64_t);
template class BinRoots<long double>;
#ifdef __SIZEOF_FLOAT128__
template std::complex<Quad> root_of_unity<Quad>(std::uint64_t, std::uint64_t);
template class BinRoots<Quad>;
#endif

}  // namespace seiche::cli
