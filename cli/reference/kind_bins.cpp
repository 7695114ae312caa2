// Single outputs of every kind of transform from its definition: how a long result is checked, and what the judge is
// judged by.
#include "cli/reference/kind_bins.hpp"

#include "cli/reference/quad.hpp"

namespace seiche::cli {

template <class Real>
typename KindBasis<Real>::Turn KindBasis<Real>::turn_of(const KindAxis& axis, std::uint64_t k, bool inverse) {
    const std::uint64_t n = axis.length;
    switch (axis.kind) {
        case Kind::dct1: return {Part::cosine, 2 * (n - 1), k, 0};
        case Kind::dct2: return {Part::cosine, 4 * n, 2 * k, k};
        case Kind::dct3: return {Part::cosine, 4 * n, 2 * k + 1, 0};
        case Kind::dct4: return {Part::cosine, 8 * n, 4 * k + 2, 2 * k + 1};
        case Kind::dst1: return {Part::sine, 2 * (n + 1), k + 1, k + 1};
        case Kind::dst2: return {Part::sine, 4 * n, 2 * (k + 1), k + 1};
        case Kind::dst3: return {Part::sine, 4 * n, 2 * k + 1, 2 * k + 1};
        case Kind::dst4: return {Part::sine, 8 * n, 4 * k + 2, 2 * k + 1};
        case Kind::dht: return {Part::hartley, n, k, 0};
        case Kind::r2hc:
            if (2 * k <= n) return {Part::cosine, n, k, 0};
            return {Part::negative_sine, n, n - k, 0};
        case Kind::hc2r: return {Part::half_complex, n, k, 0};
        case Kind::c2r: return {Part::conjugate, n, k, 0};
        case Kind::r2c: return {Part::whole, n, k, 0};
        case Kind::c2c:
        case Kind::hfft:  // whose geometry is that of c2r and r2c
        case Kind::ihfft: break;
    }
    return {inverse ? Part::conjugate : Part::whole, n, k, 0};
}

template <class Real>
KindBasis<Real>::KindBasis(const KindAxis& axis, std::uint64_t k, bool inverse)
    : KindBasis(axis, turn_of(axis, k, inverse)) {}

template <class Real>
KindBasis<Real>::KindBasis(const KindAxis& axis, const Turn& turn)
    : axis_(axis),
      part_(turn.part),
      roots_(turn.d, turn.p, turn.part == Part::conjugate),
      first_(root_of_unity<Real>(turn.q, turn.d)) {}

template <class Real>
Real KindBasis<Real>::weight(std::uint64_t j) const {
    const std::uint64_t n = axis_.length;
    switch (axis_.kind) {
        case Kind::dct1: return j == 0 || j == n - 1 ? 1 : 2;
        case Kind::dct3: return j == 0 ? 1 : 2;
        case Kind::dst3: return j == n - 1 ? 1 : 2;
        case Kind::c2r:
        case Kind::hc2r: return j == 0 || 2 * j == n ? 1 : 2;
        case Kind::dct2:
        case Kind::dct4:
        case Kind::dst1:
        case Kind::dst2:
        case Kind::dst4: return 2;
        default: return 1;
    }
}

template <class Real>
std::complex<Real> KindBasis<Real>::part_of(const std::complex<Real>& sum, std::uint64_t j) const {
    const Real cosine = sum.real(), sine = -sum.imag();
    switch (part_) {
        case Part::cosine: return cosine;
        case Part::sine: return sine;
        case Part::negative_sine: return -sine;
        case Part::hartley: return cosine + sine;
        case Part::half_complex: return 2 * j <= axis_.length ? cosine : sine;
        case Part::conjugate:
        case Part::whole: break;
    }
    return sum;
}

template class KindBasis<long double>;
#ifdef __SIZEOF_FLOAT128__
template class KindBasis<Quad>;
#endif

}  // namespace seiche::cli
