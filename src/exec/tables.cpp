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

template <class Real, class Put>
void put_spectrum(const kernels::SpectrumTable& t, const Put& put) {
    Points<Real> b(t.padded);
    const Roots<Real> roots(2 * t.length);
    const std::uint64_t ahead = t.results ? t.results : t.length;  // lags from a point to a result behind it
    support::parallel_parts(t.length, [&](std::uint64_t begin, std::uint64_t end) {
        ChirpIndices indices(begin, t.length);
        for (std::uint64_t j = begin; j < end; ++j) {
            const Point<Real> w = divided(roots(indices.next()), t.padded), entry{w.re, negative(w.im)};
            if (j < ahead) b[j] = entry;
            if (j != 0 && t.padded - j >= ahead) b[t.padded - j] = entry;
        }
    });
    if (t.padded - t.length + 1 > ahead)
        std::fill(b.data() + ahead, b.data() + (t.padded - t.length + 1), Point<Real>());
    HostTransform<Real>(t.padded).run(std::move(b), put);
}

/// What place p of the second core, a forward one too, wants of place j of the first: the cosine, and sine, of g^(j+p).
template <class Real, class Put>
void put_parity_spectra(const kernels::RaderSpectrumTable& t, const Put& put) {
    const std::uint64_t generator = support::primitive_root(t.prime), count = t.prime - 2;
    Points<Real> even(t.padded), odd(t.padded);
    for (Points<Real>* part : {&even, &odd}) std::fill(part->data(), part->data() + t.padded, Point<Real>());
    const Roots<Real> roots(t.prime);
    std::uint64_t power = 1;
    for (std::uint64_t k = 0; k < count; ++k) {
        const Point<Real> w = divided(roots(power), t.padded);
        const std::uint64_t at = (t.padded - k) % t.padded;
        even[at] = {w.re, Real()};
        odd[at] = {Real(), w.im};
        power = support::multiply_mod(power, generator, t.prime);
    }
    const HostTransform<Real> transform(t.padded);
    transform.run(std::move(even), put);
    transform.run(std::move(odd), [&](std::uint64_t k, const auto& value) { put(t.padded + k, value); });
}

template <class Real, class Put>
void put_spectrum(const kernels::RaderSpectrumTable& t, const Put& put) {
    if (t.padded != 0) return put_parity_spectra<Real>(t, put);
    const std::uint64_t n = t.prime - 1, back = support::inverse_mod(support::primitive_root(t.prime), t.prime);
    Points<Real> b(n);
    const Roots<Real> roots(t.prime);
    std::uint64_t power = 1;
    for (std::uint64_t k = 0; k < n; ++k) {
        b[k] = divided(roots(power), n);
        power = support::multiply_mod(power, back, t.prime);
    }
    HostTransform<Real>(n).run(std::move(b), put);
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

/// Calls put(k, exp(-2 pi i index(k) / n)) for every k below count. Where they are many, roots are products of two
/// entries of short tables: a tenth of the time, which is most of what a plan of 2^20 points takes on the processor.
template <class Real, class Index, class Put>
void put_roots(std::uint64_t count, std::uint64_t n, const Index& index, const Put& put) {
    constexpr std::uint64_t many = 1 << 12, per_entry_of_tables = 8;
    const bool are_many = count >= many && count / per_entry_of_tables >= std::uint64_t{1} << (std::bit_width(n) / 2);
    if (!are_many) return for_each_entry(count, [&](std::uint64_t k) { put(k, root<Real>(index(k), n)); });
    const Roots<Real> roots(n);
    for_each_entry(count, [&](std::uint64_t k) { put(k, roots(index(k) % n)); });
}

/// Calls put(k, entry k) for every entry of a section, on several threads where they are many.
template <class Real, class Spectrum, class Put>
struct Entries {
    const Put& put;

    void operator()(const kernels::StageTwiddles& t) const {
        const std::uint64_t row = std::max(t.s, t.lanes);
        put_roots<Real>((t.radix - 1) * row, std::uint64_t{t.radix} * t.s,
                        [&](std::uint64_t k) { return (k / row + 1) * (k % row % t.s); }, put);
    }
    void operator()(const kernels::MergedTwiddles& t) const {
        std::uint64_t first = 0;
        for (std::uint64_t n = 2; n <= t.radix; n *= 2) {
            const std::uint64_t count = std::max<std::uint64_t>(n / 4, 1) * t.s;
            for_each_entry(count, [&](std::uint64_t k) { put(first + k, root<Real>(k, n * t.s)); });
            first += count;
        }
    }
    void operator()(const kernels::PowerTable& t) const {
        put_roots<Real>(
            t.count, t.length, [&](std::uint64_t k) { return k * t.step; }, put);
    }
    void operator()(const kernels::BlockTwiddles& t) const {
        put_roots<Real>(
            std::uint64_t{t.rows} * t.blocks, t.length,
            [&](std::uint64_t k) { return k / t.blocks * (k % t.blocks) * t.block; }, put);
    }
    void operator()(const kernels::LaneTwiddles& t) const {
        put_roots<Real>(
            std::uint64_t{t.rows} * t.lanes, t.length, [&](std::uint64_t k) { return k / t.lanes * (k % t.lanes); },
            put);
    }
    void operator()(const kernels::ChirpTable& t) const {
        const Roots<Real> roots(2 * t.length);
        support::parallel_parts(t.length, [&](std::uint64_t begin, std::uint64_t end) {
            ChirpIndices indices(begin, t.length);
            for (std::uint64_t j = begin; j < end; ++j) put(j, roots(indices.next()));
        });
    }
    void operator()(const kernels::RootTable& t) const {
        const std::vector<std::uint64_t> places = t.prime ? rader_places(t.prime) : std::vector<std::uint64_t>();
        for_each_entry(t.count, [&](std::uint64_t k) {
            put(t.prime ? places[k] : k, root<Real>(k * t.step + t.offset, t.length));
        });
    }
    void operator()(const kernels::RaderPlaces& t) const {
        const std::vector<std::uint64_t> places = rader_places(t.prime);
        for (std::uint64_t e = 0; e < t.prime; ++e) put(e, Point<Real>{Real(static_cast<double>(places[e])), Real()});
    }
    void operator()(const kernels::WindowTable& t) const {
        const std::size_t length = t.window.size();
        std::vector<double> sums(std::min<std::size_t>(t.hop, length));
        for (std::size_t k = 0; k < length; ++k) sums[k % t.hop] += t.window[k] * t.window[k];
        // Where no window reaches, nobody asks for a sample.
        const auto sum = [&](std::size_t k) { return sums[k % t.hop] > 0 ? sums[k % t.hop] : 1.0; };
        const auto dual = [&](std::size_t k) { return Real(t.window[k] * t.scale / sum(k)); };
        for (std::size_t k = 0; k < (t.entry == kernels::WindowTable::Entry::pair ? length / 2 : length); ++k)
            switch (t.entry) {
                case kernels::WindowTable::Entry::pair: put(k, Point<Real>{dual(2 * k), dual(2 * k + 1)}); break;
                case kernels::WindowTable::Entry::number: put(k, Point<Real>{dual(k), Real()}); break;
                case kernels::WindowTable::Entry::squares:
                    put(k, Point<Real>{Real(t.window[k] * t.window[k]), Real(sum(k))});
                    break;
            }
    }
    void operator()(const kernels::SpectrumTable& t) const { put_spectrum<Spectrum>(t, put); }
    void operator()(const kernels::RaderSpectrumTable& t) const { put_spectrum<Spectrum>(t, put); }
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

/// Entries rounded once, to `Stored`, at their section's place. `Spectrum`: what the spectra of convolutions are
/// computed in.
template <class Stored, class Real, class Spectrum>
void write_all(const std::vector<kernels::TableSection>& sections, std::byte* bytes) {
    for (const kernels::TableSection& section : sections) {
        const std::uint64_t start = 2 * section.offset, split = section.split;
        const auto put = [&](std::uint64_t i, const auto& value) {
            const Stored parts[2] = {static_cast<Stored>(value.re), static_cast<Stored>(value.im)};
            const std::uint64_t at = start + i / split * 2 * split + i % split;
            std::memcpy(bytes + at * sizeof(Stored), &parts[0], sizeof(Stored));
            std::memcpy(bytes + (at + split) * sizeof(Stored), &parts[1], sizeof(Stored));
        };
        std::visit(Entries<Real, Spectrum, decltype(put)>{put}, section.content);
    }
}

/// A spectrum is computed from its signal, in numbers of so many bytes, other entries one by one.
std::uint64_t working_bytes(const kernels::TableSection& section, std::uint64_t computed) {
    const bool is_spectrum = std::holds_alternative<kernels::SpectrumTable>(section.content) ||
                             std::holds_alternative<kernels::RaderSpectrumTable>(section.content);
    return is_spectrum ? section.entries * computed : 0;
}

}  // namespace

void expect_room(const std::vector<kernels::TableSection>& sections, Precision precision, std::uint64_t physical) {
    const bool is_double_double = precision == Precision::f64x2, is_wide = precision == Precision::f64;
    const std::uint64_t computed = is_double_double ? sizeof(Point<DoubleDouble>)
                                   : is_wide        ? sizeof(Point<long double>)
                                                    : sizeof(Point<double>);
    std::uint64_t most = 0;
    for (const kernels::TableSection& section : sections) most = std::max(most, working_bytes(section, computed));
    const std::uint64_t needed = most + table_size(sections, precision);
    if (physical == 0 || needed <= physical) return;
    throw BackendError("the host has not enough memory for the constant tables of such a length: they take " +
                       std::to_string(needed) + " bytes to compute, it has " + std::to_string(physical));
}

std::uint64_t table_size(const std::vector<kernels::TableSection>& sections, Precision precision) {
    return kernels::table_entries(sections) * 2 * stored_bytes(precision, Storage::same);
}

void write_table(const std::vector<kernels::TableSection>& sections, Precision precision, std::byte* bytes) {
    switch (precision) {
        case Precision::f32: write_all<float, long double, double>(sections, bytes); break;
        case Precision::f16: write_all<Half, long double, double>(sections, bytes); break;
        case Precision::f64: write_all<double, long double, long double>(sections, bytes); break;
        case Precision::f64x2: write_all<DoubleDouble, DoubleDouble, DoubleDouble>(sections, bytes); break;
    }
}

std::vector<std::byte> table_bytes(const std::vector<kernels::TableSection>& sections, Precision precision) {
    std::vector<std::byte> bytes(table_size(sections, precision));
    write_table(sections, precision, bytes.data());
    return bytes;
}

}  // namespace seiche::exec
