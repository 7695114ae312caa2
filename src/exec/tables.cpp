// Twiddles, chirps, the spectra of Bluestein's and Rader's convolutions and Rader's order, on the host.
#include "exec/tables.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "exec/host_transform.hpp"
#include "seiche/error.hpp"
#include "seiche/half.hpp"
#include "support/parallel.hpp"
#include "support/primes.hpp"

namespace seiche::exec {

namespace {

/// The values, divided by their number: an inverse transform needs no factor after them.
template <class Real>
std::vector<Point<Real>> divided(std::vector<Point<Real>> spectrum) {
    for (Point<Real>& value : spectrum)
        value = {quotient(value.re, spectrum.size()), quotient(value.im, spectrum.size())};
    return spectrum;
}

template <class Real>
std::vector<Point<Real>> spectrum(const kernels::SpectrumTable& t) {
    std::vector<Point<Real>> b(t.padded);
    const Roots<Real> roots(2 * t.length);
    support::parallel_parts(t.length, [&](std::uint64_t begin, std::uint64_t end) {
        for (std::uint64_t j = begin; j < end; ++j) {
            const Point<Real> w = chirp(j, roots);
            b[j] = {w.re, negative(w.im)};
            b[(t.padded - j) % t.padded] = b[j];
        }
    });
    return divided(HostTransform<Real>(t.padded).run(b));
}

template <class Real>
std::vector<Point<Real>> rader_spectrum(std::uint64_t prime) {
    const std::uint64_t n = prime - 1, back = support::inverse_mod(support::primitive_root(prime), prime);
    std::vector<Point<Real>> b(n);
    const Roots<Real> roots(prime);
    std::uint64_t power = 1;
    for (Point<Real>& value : b) {
        value = roots(power);
        power = support::multiply_mod(power, back, prime);
    }
    return divided(HostTransform<Real>(n).run(b));
}

/// Of every point of a prime length: j with g^j the point, the prime less 1 for point 0.
std::vector<std::uint64_t> rader_places(std::uint64_t prime) {
    const std::uint64_t generator = support::primitive_root(prime);
    std::vector<std::uint64_t> places(prime, prime - 1);
    std::uint64_t power = 1;
    for (std::uint64_t j = 0; j + 1 < prime; ++j) {
        places[power] = j;
        power = support::multiply_mod(power, generator, prime);
    }
    return places;
}

template <class To, class From>
std::vector<Point<To>> converted(const std::vector<Point<From>>& from) {
    std::vector<Point<To>> to;
    to.reserve(from.size());
    for (const Point<From>& value : from) to.push_back({static_cast<To>(value.re), static_cast<To>(value.im)});
    return to;
}

/// Every entry of a section, in order. `Spectrum`: what the spectra of convolutions are computed in.
template <class Real, class Spectrum>
struct Values {
    using Entries = std::vector<Point<Real>>;

    Entries operator()(const kernels::StageTwiddles& t) const {
        Entries values;
        for (std::uint64_t j = 1; j < t.radix; ++j) {
            for (std::uint64_t p = 0; p < std::max(t.s, t.lanes); ++p) {
                values.push_back(root<Real>(j * (p % t.s), std::uint64_t{t.radix} * t.s));
            }
        }
        return values;
    }
    Entries operator()(const kernels::MergedTwiddles& t) const {
        Entries values;
        for (std::uint64_t n = 2; n <= t.radix; n *= 2) {
            for (std::uint64_t k = 0; k < std::max<std::uint64_t>(n / 4, 1); ++k) {
                for (std::uint64_t p = 0; p < t.s; ++p) values.push_back(root<Real>(p + k * t.s, n * t.s));
            }
        }
        return values;
    }
    Entries operator()(const kernels::PowerTable& t) const {
        Entries values(t.count);
        support::parallel_parts(t.count, [&](std::uint64_t begin, std::uint64_t end) {
            for (std::uint64_t k = begin; k < end; ++k) values[k] = root<Real>(k * t.step, t.length);
        });
        return values;
    }
    Entries operator()(const kernels::BlockTwiddles& t) const {
        Entries values;
        for (std::uint64_t j = 0; j < t.rows; ++j) {
            for (std::uint64_t b = 0; b < t.blocks; ++b) values.push_back(root<Real>(j * b * t.block, t.length));
        }
        return values;
    }
    Entries operator()(const kernels::LaneTwiddles& t) const {
        Entries values;
        for (std::uint64_t j = 0; j < t.rows; ++j) {
            for (std::uint64_t lane = 0; lane < t.lanes; ++lane) values.push_back(root<Real>(j * lane, t.length));
        }
        return values;
    }
    Entries operator()(const kernels::ChirpTable& t) const {
        Entries values(t.length);
        const Roots<Real> roots(2 * t.length);
        support::parallel_parts(t.length, [&](std::uint64_t begin, std::uint64_t end) {
            for (std::uint64_t j = begin; j < end; ++j) values[j] = chirp(j, roots);
        });
        return values;
    }
    Entries operator()(const kernels::RootTable& t) const {
        Entries values(t.count);
        support::parallel_parts(t.count, [&](std::uint64_t begin, std::uint64_t end) {
            for (std::uint64_t k = begin; k < end; ++k) values[k] = root<Real>(k * t.step + t.offset, t.length);
        });
        if (t.prime == 0) return values;
        const std::vector<std::uint64_t> places = rader_places(t.prime);
        Entries ordered(t.count);
        for (std::uint64_t k = 0; k < t.count; ++k) ordered[places[k]] = values[k];
        return ordered;
    }
    Entries operator()(const kernels::SpectrumTable& t) const { return converted<Real>(spectrum<Spectrum>(t)); }
    Entries operator()(const kernels::RaderSpectrumTable& t) const {
        return converted<Real>(rader_spectrum<Spectrum>(t.prime));
    }
    Entries operator()(const kernels::RaderPlaces& t) const {
        Entries values(t.prime);
        const std::vector<std::uint64_t> places = rader_places(t.prime);
        for (std::uint64_t e = 0; e < t.prime; ++e) values[e].re = static_cast<double>(places[e]);
        return values;
    }
};

/// A half in memory, rounded once: by way of a float rounded to odd, which keeps what decides.
struct Half {
    std::uint16_t bits = 0;
    explicit Half(long double x) {
        auto single = static_cast<float>(x);
        const bool is_even = std::bit_cast<std::uint32_t>(single) % 2 == 0;
        const auto back = static_cast<long double>(single);
        if (is_even && back != x) single = std::nextafter(single, back < x ? HUGE_VALF : -HUGE_VALF);
        bits = to_f16(single);
    }
};

/// The section's entries rounded once, to `Stored`.
template <class Stored, class Real>
void write(std::vector<std::byte>& bytes, const kernels::TableSection& section,
           const std::vector<Point<Real>>& values) {
    const std::uint64_t start = 2 * section.offset, split = section.split;
    for (std::uint64_t i = 0; i < values.size(); ++i) {
        const Stored parts[2] = {static_cast<Stored>(values[i].re), static_cast<Stored>(values[i].im)};
        const std::uint64_t at = start + i / split * 2 * split + i % split;
        std::memcpy(bytes.data() + at * sizeof(Stored), &parts[0], sizeof(Stored));
        std::memcpy(bytes.data() + (at + split) * sizeof(Stored), &parts[1], sizeof(Stored));
    }
}

/// A spectrum is computed from its signal and the roots of its length; then its entries wait to be rounded.
std::uint64_t working_bytes(const kernels::TableSection& section, std::uint64_t entry, std::uint64_t computed) {
    const bool is_spectrum = std::holds_alternative<kernels::SpectrumTable>(section.content) ||
                             std::holds_alternative<kernels::RaderSpectrumTable>(section.content);
    return section.entries * (is_spectrum ? std::max(3 * computed, computed + entry) : entry);
}

}  // namespace

void expect_room(const std::vector<kernels::TableSection>& sections, Precision precision, std::uint64_t physical) {
    const bool is_double_double = precision == Precision::f64x2, is_wide = precision == Precision::f64;
    const std::uint64_t entry = is_double_double ? sizeof(Point<DoubleDouble>) : sizeof(Point<long double>);
    const std::uint64_t computed = is_double_double || is_wide ? entry : sizeof(Point<double>);
    std::uint64_t most = 0;
    for (const kernels::TableSection& section : sections)
        most = std::max(most, working_bytes(section, entry, computed));
    const std::uint64_t needed = most + kernels::table_entries(sections) * 2 * stored_bytes(precision, Storage::same);
    if (physical == 0 || needed <= physical) return;
    throw BackendError("the host has not enough memory for the constant tables of such a length: they take " +
                       std::to_string(needed) + " bytes to compute, it has " + std::to_string(physical));
}

std::vector<std::byte> table_bytes(const std::vector<kernels::TableSection>& sections, Precision precision) {
    std::vector<std::byte> bytes(kernels::table_entries(sections) * 2 * stored_bytes(precision, Storage::same));
    for (const kernels::TableSection& section : sections) {
        switch (precision) {
            case Precision::f32:
                write<float>(bytes, section, std::visit(Values<long double, double>{}, section.content));
                break;
            case Precision::f16:
                write<Half>(bytes, section, std::visit(Values<long double, double>{}, section.content));
                break;
            case Precision::f64:
                write<double>(bytes, section, std::visit(Values<long double, long double>{}, section.content));
                break;
            case Precision::f64x2:
                write<DoubleDouble>(bytes, section, std::visit(Values<DoubleDouble, DoubleDouble>{}, section.content));
                break;
        }
    }
    return bytes;
}

}  // namespace seiche::exec
