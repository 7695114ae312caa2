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

/// Of signals whose spectra are divided by their length: an inverse transform needs no factor after them.
template <class Real>
Point<Real> divided(Point<Real> z, std::uint64_t length) {
    return {quotient(z.re, length), quotient(z.im, length)};
}

template <class Real>
Points<Real> spectrum(const kernels::SpectrumTable& t) {
    Points<Real> b(t.padded);
    const Roots<Real> roots(2 * t.length);
    support::parallel_parts(t.length, [&](std::uint64_t begin, std::uint64_t end) {
        ChirpIndices indices(begin, t.length);
        for (std::uint64_t j = begin; j < end; ++j) {
            const Point<Real> w = divided(roots(indices.next()), t.padded);
            b[j] = {w.re, negative(w.im)};
            b[(t.padded - j) % t.padded] = b[j];
        }
    });
    std::fill(b.data() + t.length, b.data() + (t.padded - t.length + 1), Point<Real>());
    return HostTransform<Real>(t.padded).run(std::move(b));
}

template <class Real>
Points<Real> rader_spectrum(std::uint64_t prime) {
    const std::uint64_t n = prime - 1, back = support::inverse_mod(support::primitive_root(prime), prime);
    Points<Real> b(n);
    const Roots<Real> roots(prime);
    std::uint64_t power = 1;
    for (std::uint64_t k = 0; k < n; ++k) {
        b[k] = divided(roots(power), n);
        power = support::multiply_mod(power, back, prime);
    }
    return HostTransform<Real>(n).run(std::move(b));
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

/// Calls set(k) for every k below count, on all processors where they are many: a root takes a sine and a cosine.
template <class Set>
void for_each_entry(std::uint64_t count, const Set& set) {
    constexpr std::uint64_t few_roots = 1 << 12;
    support::parallel_parts(count, few_roots, [&](std::uint64_t begin, std::uint64_t end) {
        for (std::uint64_t k = begin; k < end; ++k) set(k);
    });
}

/// Every entry of a section, in order.
template <class Real>
struct Values {
    using Entries = Points<Real>;

    Entries operator()(const kernels::StageTwiddles& t) const {
        const std::uint64_t row = std::max(t.s, t.lanes);
        Entries values((t.radix - 1) * row);
        for_each_entry(values.size(), [&](std::uint64_t k) {
            values[k] = root<Real>((k / row + 1) * (k % row % t.s), std::uint64_t{t.radix} * t.s);
        });
        return values;
    }
    Entries operator()(const kernels::MergedTwiddles& t) const {
        Entries values(t.radix / 2 * std::uint64_t{t.s});
        std::uint64_t first = 0;
        for (std::uint64_t n = 2; n <= t.radix; n *= 2) {
            const std::uint64_t count = std::max<std::uint64_t>(n / 4, 1) * t.s;
            for_each_entry(count, [&](std::uint64_t k) { values[first + k] = root<Real>(k, n * t.s); });
            first += count;
        }
        return values;
    }
    Entries operator()(const kernels::PowerTable& t) const {
        Entries values(t.count);
        for_each_entry(t.count, [&](std::uint64_t k) { values[k] = root<Real>(k * t.step, t.length); });
        return values;
    }
    Entries operator()(const kernels::BlockTwiddles& t) const {
        Entries values(std::uint64_t{t.rows} * t.blocks);
        for_each_entry(values.size(), [&](std::uint64_t k) {
            values[k] = root<Real>(k / t.blocks * (k % t.blocks) * t.block, t.length);
        });
        return values;
    }
    Entries operator()(const kernels::LaneTwiddles& t) const {
        Entries values(std::uint64_t{t.rows} * t.lanes);
        for_each_entry(values.size(),
                       [&](std::uint64_t k) { values[k] = root<Real>(k / t.lanes * (k % t.lanes), t.length); });
        return values;
    }
    Entries operator()(const kernels::ChirpTable& t) const {
        Entries values(t.length);
        const Roots<Real> roots(2 * t.length);
        support::parallel_parts(t.length, [&](std::uint64_t begin, std::uint64_t end) {
            ChirpIndices indices(begin, t.length);
            for (std::uint64_t j = begin; j < end; ++j) values[j] = roots(indices.next());
        });
        return values;
    }
    Entries operator()(const kernels::RootTable& t) const {
        Entries values(t.count);
        for_each_entry(t.count, [&](std::uint64_t k) { values[k] = root<Real>(k * t.step + t.offset, t.length); });
        if (t.prime == 0) return values;
        const std::vector<std::uint64_t> places = rader_places(t.prime);
        Entries ordered(t.count);
        for (std::uint64_t k = 0; k < t.count; ++k) ordered[places[k]] = values[k];
        return ordered;
    }
    Entries operator()(const kernels::SpectrumTable&) const { return Entries(0); }       // not one by one
    Entries operator()(const kernels::RaderSpectrumTable&) const { return Entries(0); }  // nor this
    Entries operator()(const kernels::RaderPlaces& t) const {
        Entries values(t.prime);
        const std::vector<std::uint64_t> places = rader_places(t.prime);
        for (std::uint64_t e = 0; e < t.prime; ++e) values[e] = {Real(static_cast<double>(places[e])), Real()};
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
void write(std::vector<std::byte>& bytes, const kernels::TableSection& section, const Points<Real>& values) {
    const std::uint64_t start = 2 * section.offset, split = section.split;
    support::parallel_parts(values.size(), [&](std::uint64_t begin, std::uint64_t end) {
        for (std::uint64_t i = begin; i < end; ++i) {
            const Stored parts[2] = {static_cast<Stored>(values[i].re), static_cast<Stored>(values[i].im)};
            const std::uint64_t at = start + i / split * 2 * split + i % split;
            std::memcpy(bytes.data() + at * sizeof(Stored), &parts[0], sizeof(Stored));
            std::memcpy(bytes.data() + (at + split) * sizeof(Stored), &parts[1], sizeof(Stored));
        }
    });
}

/// `Spectrum`: what the spectra of convolutions are computed in.
template <class Stored, class Real, class Spectrum>
void write_all(std::vector<std::byte>& bytes, const std::vector<kernels::TableSection>& sections) {
    for (const kernels::TableSection& section : sections) {
        if (const auto* chirp = std::get_if<kernels::SpectrumTable>(&section.content))
            write<Stored>(bytes, section, spectrum<Spectrum>(*chirp));
        else if (const auto* rader = std::get_if<kernels::RaderSpectrumTable>(&section.content))
            write<Stored>(bytes, section, rader_spectrum<Spectrum>(rader->prime));
        else
            write<Stored>(bytes, section, std::visit(Values<Real>{}, section.content));
    }
}

/// A spectrum is computed from its signal, other entries one by one; then they wait to be rounded.
std::uint64_t working_bytes(const kernels::TableSection& section, std::uint64_t entry, std::uint64_t computed) {
    const bool is_spectrum = std::holds_alternative<kernels::SpectrumTable>(section.content) ||
                             std::holds_alternative<kernels::RaderSpectrumTable>(section.content);
    return section.entries * (is_spectrum ? 2 * computed : entry);
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
    switch (precision) {
        case Precision::f32: write_all<float, long double, double>(bytes, sections); break;
        case Precision::f16: write_all<Half, long double, double>(bytes, sections); break;
        case Precision::f64: write_all<double, long double, long double>(bytes, sections); break;
        case Precision::f64x2: write_all<DoubleDouble, DoubleDouble, DoubleDouble>(bytes, sections); break;
    }
    return bytes;
}

}  // namespace seiche::exec
