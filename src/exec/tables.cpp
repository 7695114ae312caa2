// Twiddles, chirps, the spectra of Bluestein's and Rader's convolutions and Rader's order, on the host.
#include "exec/tables.hpp"

#include <algorithm>
#include <complex>
#include <cstring>

#include "support/primes.hpp"
#include "support/twiddle.hpp"

namespace seiche::exec {

namespace {

using support::ComplexExtended;

/// A plain mixed-radix transform (Cooley & Tukey 1965), used once per plan, in more than the plan's precision.
template <class Real>
class HostTransform {
public:
    explicit HostTransform(std::uint64_t n) : n_(n), roots_(n), factors_(support::prime_factors(n)) {
        for (std::uint64_t k = 0; k < n; ++k) {
            const ComplexExtended w = support::twiddle_extended(k, n);
            roots_[k] = {static_cast<Real>(w.re), static_cast<Real>(w.im)};
        }
    }

    std::vector<std::complex<Real>> run(const std::vector<std::complex<Real>>& x) const {
        std::vector<std::complex<Real>> y(n_);
        step(x.data(), 1, y.data(), 0);
        return y;
    }

private:
    using Complex = std::complex<Real>;

    /// y = transform of n_/stride points of x, `stride` apart; `level` counts the factors split off so far.
    void step(const Complex* x, std::uint64_t stride, Complex* y, std::size_t level) const {
        const std::uint64_t n = n_ / stride;
        if (n == 1) {
            *y = *x;
            return;
        }
        const std::uint64_t r = factors_[level], m = n / r;
        for (std::uint64_t j = 0; j < r; ++j) step(x + j * stride, stride * r, y + j * m, level + 1);
        std::vector<Complex> leg(r);
        for (std::uint64_t k = 0; k < m; ++k) {
            for (std::uint64_t j = 0; j < r; ++j) leg[j] = product(y[j * m + k], roots_[j * k * stride]);
            for (std::uint64_t q = 0; q < r; ++q) {
                Complex sum = leg[0];
                for (std::uint64_t j = 1; j < r; ++j) sum += product(leg[j], roots_[j * q % r * (n_ / r)]);
                y[q * m + k] = sum;
            }
        }
    }

    static Complex product(Complex a, Complex b) {
        return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
    }

    std::uint64_t n_;
    std::vector<Complex> roots_;
    std::vector<std::uint64_t> factors_;
};

/// The values, divided by their number: an inverse transform needs no factor after them.
template <class Real>
std::vector<ComplexExtended> divided(const std::vector<std::complex<Real>>& spectrum) {
    std::vector<ComplexExtended> values;
    values.reserve(spectrum.size());
    const auto scale = static_cast<Real>(spectrum.size());
    for (const std::complex<Real>& value : spectrum) values.push_back({value.real() / scale, value.imag() / scale});
    return values;
}

template <class Real>
std::vector<ComplexExtended> spectrum(const kernels::SpectrumTable& t) {
    std::vector<std::complex<Real>> b(t.padded);
    for (std::uint64_t j = 0; j < t.length; ++j) {
        const ComplexExtended w = support::chirp_extended(j, t.length);
        b[j] = {static_cast<Real>(w.re), static_cast<Real>(-w.im)};
        b[(t.padded - j) % t.padded] = b[j];
    }
    return divided(HostTransform<Real>(t.padded).run(b));
}

template <class Real>
std::vector<ComplexExtended> rader_spectrum(std::uint64_t prime) {
    const std::uint64_t n = prime - 1, back = support::inverse_mod(support::primitive_root(prime), prime);
    std::vector<std::complex<Real>> b(n);
    std::uint64_t power = 1;
    for (std::complex<Real>& value : b) {
        const ComplexExtended w = support::twiddle_extended(power, prime);
        value = {static_cast<Real>(w.re), static_cast<Real>(w.im)};
        power = support::multiply_mod(power, back, prime);
    }
    return divided(HostTransform<Real>(n).run(b));
}

/// Every entry of a section, in order.
struct Values {
    Precision precision;

    std::vector<ComplexExtended> operator()(const kernels::StageTwiddles& t) const {
        std::vector<ComplexExtended> values;
        for (std::uint64_t j = 1; j < t.radix; ++j) {
            for (std::uint64_t p = 0; p < std::max(t.s, t.lanes); ++p) {
                values.push_back(support::twiddle_extended(j * (p % t.s), std::uint64_t{t.radix} * t.s));
            }
        }
        return values;
    }
    std::vector<ComplexExtended> operator()(const kernels::PowerTable& t) const {
        std::vector<ComplexExtended> values;
        for (std::uint64_t k = 0; k < t.count; ++k) values.push_back(support::twiddle_extended(k * t.step, t.length));
        return values;
    }
    std::vector<ComplexExtended> operator()(const kernels::BlockTwiddles& t) const {
        std::vector<ComplexExtended> values;
        for (std::uint64_t j = 0; j < t.rows; ++j) {
            for (std::uint64_t b = 0; b < t.blocks; ++b)
                values.push_back(support::twiddle_extended(j * b * t.block, t.length));
        }
        return values;
    }
    std::vector<ComplexExtended> operator()(const kernels::LaneTwiddles& t) const {
        std::vector<ComplexExtended> values;
        for (std::uint64_t j = 0; j < t.rows; ++j) {
            for (std::uint64_t lane = 0; lane < t.lanes; ++lane)
                values.push_back(support::twiddle_extended(j * lane, t.length));
        }
        return values;
    }
    std::vector<ComplexExtended> operator()(const kernels::ChirpTable& t) const {
        std::vector<ComplexExtended> values;
        for (std::uint64_t j = 0; j < t.length; ++j) values.push_back(support::chirp_extended(j, t.length));
        return values;
    }
    std::vector<ComplexExtended> operator()(const kernels::RootTable& t) const {
        std::vector<ComplexExtended> values;
        for (std::uint64_t k = 0; k < t.count; ++k)
            values.push_back(support::twiddle_extended(k * t.step + t.offset, t.length));
        return values;
    }
    std::vector<ComplexExtended> operator()(const kernels::SpectrumTable& t) const {
        return precision == Precision::f32 ? spectrum<double>(t) : spectrum<long double>(t);
    }
    std::vector<ComplexExtended> operator()(const kernels::RaderSpectrumTable& t) const {
        return precision == Precision::f32 ? rader_spectrum<double>(t.prime) : rader_spectrum<long double>(t.prime);
    }
    std::vector<ComplexExtended> operator()(const kernels::RaderPlaces& t) const {
        const std::uint64_t generator = support::primitive_root(t.prime);
        std::vector<ComplexExtended> values(t.prime);
        values[0].re = static_cast<long double>(t.prime - 1);
        std::uint64_t power = 1;
        for (std::uint64_t j = 0; j + 1 < t.prime; ++j) {
            values[power].re = static_cast<long double>(j);
            power = support::multiply_mod(power, generator, t.prime);
        }
        return values;
    }
};

template <class Real>
void write(std::vector<std::byte>& bytes, const kernels::TableSection& section,
           const std::vector<ComplexExtended>& values) {
    const std::uint64_t start = 2 * section.offset, split = section.split;
    for (std::uint64_t i = 0; i < values.size(); ++i) {
        const Real parts[2] = {static_cast<Real>(values[i].re), static_cast<Real>(values[i].im)};
        const std::uint64_t at = start + i / split * 2 * split + i % split;
        std::memcpy(bytes.data() + at * sizeof(Real), &parts[0], sizeof(Real));
        std::memcpy(bytes.data() + (at + split) * sizeof(Real), &parts[1], sizeof(Real));
    }
}

}  // namespace

std::vector<std::byte> table_bytes(const std::vector<kernels::TableSection>& sections, Precision precision) {
    const std::size_t real = precision == Precision::f32 ? sizeof(float) : sizeof(double);
    std::vector<std::byte> bytes(kernels::table_entries(sections) * 2 * real);
    for (const kernels::TableSection& section : sections) {
        const std::vector<ComplexExtended> values = std::visit(Values{precision}, section.content);
        if (precision == Precision::f32) {
            write<float>(bytes, section, values);
        } else {
            write<double>(bytes, section, values);
        }
    }
    return bytes;
}

}  // namespace seiche::exec
