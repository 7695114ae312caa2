// Single outputs of a Fourier transform from its definition: how a long result is checked without transforming it
// again.
#include "cli/dft_bins.hpp"

#include <cmath>
#include <numbers>

namespace seiche::cli {
namespace {

// j k mod n without overflow, for n < 2^63.
std::uint64_t product_modulo(std::uint64_t j, std::uint64_t k, std::uint64_t n) {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>(static_cast<Wide>(j) * k % n);
}

}  // namespace

std::complex<long double> root_of_unity(std::uint64_t k, std::uint64_t n) {
    const auto a = static_cast<std::int64_t>(k % n), length = static_cast<std::int64_t>(n);
    // The nearest quarter turn, and what is left: at most an eighth of a turn to either side.
    const std::int64_t quarter = (4 * a + length / 2) / length;
    const std::int64_t rest = 4 * a - quarter * length;
    const long double angle =
        std::numbers::pi_v<long double> * (static_cast<long double>(rest) / (2 * static_cast<long double>(length)));
    const long double c = std::cos(angle), s = std::sin(angle);
    switch (quarter & 3) {
        case 0: return {c, -s};
        case 1: return {-s, -c};
        case 2: return {-c, s};
        default: return {s, c};
    }
}

BinRoots::BinRoots(std::uint64_t n, std::uint64_t k, bool inverse) : n_(n) {
    for (std::uint64_t j = 0; j < std::min(block, n); ++j) fine_.push_back(root_of_unity(product_modulo(j, k, n), n));
    for (std::uint64_t j = 0; j < n; j += block) coarse_.push_back(root_of_unity(product_modulo(j, k, n), n));
    if (!inverse) return;
    for (auto* table : {&fine_, &coarse_}) {
        for (auto& w : *table) w = std::conj(w);
    }
}

}  // namespace seiche::cli
