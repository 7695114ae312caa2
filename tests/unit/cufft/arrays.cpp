#include "arrays.hpp"

#include <cmath>
#include <cstring>
#include <numbers>
#include <random>

#include "seiche/half.hpp"

namespace fft_test {

namespace {

std::size_t number_bytes(Number number) { return number == Number::f64 ? 8 : number == Number::f32 ? 4 : 2; }

void put(unsigned char* to, Number number, double value) {
    const auto write = [to](auto stored) { std::memcpy(to, &stored, sizeof stored); };
    switch (number) {
        case Number::f32: return write(static_cast<float>(value));
        case Number::f64: return write(value);
        case Number::f16: return write(seiche::to_f16(static_cast<float>(value)));
        case Number::bf16: return write(seiche::to_bf16(static_cast<float>(value)));
    }
}

double take(const unsigned char* from, Number number) {
    const auto read = [from](auto stored) {
        std::memcpy(&stored, from, sizeof stored);
        return stored;
    };
    switch (number) {
        case Number::f32: return static_cast<double>(read(0.0F));
        case Number::f64: return read(0.0);
        case Number::f16: return static_cast<double>(seiche::from_f16(read(std::uint16_t{})));
        default: return static_cast<double>(seiche::from_bf16(read(std::uint16_t{})));
    }
}

std::size_t element_bytes(const Places& places, Number number) {
    return number_bytes(number) * (places.is_real ? 1 : 2);
}

/// Calls with the byte offset of each element of each array.
template <class Visit>
void for_each(const Places& places, Number number, int batch, const Visit& visit) {
    const std::size_t unit = element_bytes(places, number);
    for (int b = 0; b < batch; ++b)
        for (std::int64_t e = 0; e < places.count(); ++e)
            visit(b, e, static_cast<std::size_t>(b * places.distance + places.place(e)) * unit);
}

std::vector<std::int64_t> lengths_of(const Case& what) { return {what.n.begin(), what.n.end()}; }

}  // namespace

std::int64_t Places::count() const {
    std::int64_t product = 1;
    for (const std::int64_t count : counts) product *= count;
    return product;
}

std::int64_t Places::place(std::int64_t element) const {
    std::int64_t at = 0;
    for (std::size_t axis = counts.size(); axis-- > 0; element /= counts[axis])
        at += element % counts[axis] * strides[axis];
    return at;
}

std::int64_t Places::elements(std::int64_t batch) const { return (batch - 1) * distance + place(count() - 1) + 1; }

Places places_of(const Case& what, bool input, bool in_place) {
    Places places;
    places.is_real = what.type == (input ? r2c : c2r);
    places.counts = lengths_of(what);
    const std::int64_t half = places.counts.back() / 2 + 1;
    if (what.type != c2c && !places.is_real) places.counts.back() = half;
    const std::vector<int>& embed = input ? what.inembed : what.onembed;
    std::vector<std::int64_t> rows = places.counts;
    if (embed.empty() && in_place && places.is_real) rows.back() = 2 * half;
    if (!embed.empty()) rows.assign(embed.begin(), embed.end());
    std::int64_t stride = embed.empty() ? 1 : input ? what.istride : what.ostride;
    places.strides.resize(rows.size());
    for (std::size_t axis = rows.size(); axis-- > 0; stride *= rows[axis]) places.strides[axis] = stride;
    places.distance = embed.empty() ? stride : input ? what.idist : what.odist;
    return places;
}

std::vector<unsigned char> stored(const Places& places, Number number, const std::vector<Values>& values,
                                  std::size_t bytes, unsigned char filler) {
    std::vector<unsigned char> memory(bytes, filler);
    for_each(places, number, static_cast<int>(values.size()), [&](int b, std::int64_t e, std::size_t at) {
        const std::complex<double> value = values[static_cast<std::size_t>(b)][static_cast<std::size_t>(e)];
        put(&memory[at], number, value.real());
        if (!places.is_real) put(&memory[at + number_bytes(number)], number, value.imag());
    });
    return memory;
}

std::vector<Values> loaded(const Places& places, Number number, const std::vector<unsigned char>& bytes, int batch) {
    std::vector<Values> values(static_cast<std::size_t>(batch), Values(static_cast<std::size_t>(places.count())));
    for_each(places, number, batch, [&](int b, std::int64_t e, std::size_t at) {
        const double imaginary = places.is_real ? 0 : take(&bytes[at + number_bytes(number)], number);
        values[static_cast<std::size_t>(b)][static_cast<std::size_t>(e)] = {take(&bytes[at], number), imaginary};
    });
    return values;
}

std::size_t bytes_of(const Places& places, Number number, int batch) {
    return static_cast<std::size_t>(places.elements(batch)) * element_bytes(places, number);
}

bool gaps_are(const Places& places, Number number, const std::vector<unsigned char>& bytes, int batch,
              unsigned char filler) {
    std::vector<bool> taken(bytes.size());
    const std::size_t unit = element_bytes(places, number);
    for_each(places, number, batch, [&](int, std::int64_t, std::size_t at) {
        for (std::size_t i = 0; i < unit; ++i) taken[at + i] = true;
    });
    for (std::size_t i = 0; i < bytes.size(); ++i)
        if (!taken[i] && bytes[i] != filler) return false;
    return true;
}

std::vector<Values> random_input(const Case& what) {
    std::mt19937 engine(7);
    std::uniform_real_distribution<double> any(-1, 1);
    const Places places = places_of(what, true, false);
    std::vector<Values> arrays;
    for (int b = 0; b < what.batch; ++b) {
        Values values(static_cast<std::size_t>(places.count()));
        if (what.type != c2r) {
            for (auto& value : values) value = {any(engine), what.type == r2c ? 0 : any(engine)};
        } else {
            Case forward_case = what;
            forward_case.type = r2c;
            forward_case.inembed = forward_case.onembed = {};
            Values signal(static_cast<std::size_t>(places_of(what, false, false).count()));
            for (auto& value : signal) value = any(engine);
            values = plain_transform(forward_case, signal, forward);
            for (auto& value : values) value /= std::sqrt(static_cast<double>(signal.size()));
        }
        arrays.push_back(values);
    }
    return arrays;
}

Values plain_transform(const Case& what, const Values& input, int direction) {
    const std::vector<std::int64_t> n = lengths_of(what);
    const Places in = places_of(what, true, false), out = places_of(what, false, false);
    const int sign = what.type == c2c ? direction : what.type == r2c ? forward : inverse;
    const auto element_of = [](const Places& places, std::int64_t element, std::vector<std::int64_t>& index) {
        index.resize(places.counts.size());
        for (std::size_t axis = index.size(); axis-- > 0; element /= places.counts[axis])
            index[axis] = element % places.counts[axis];
    };
    Values result(static_cast<std::size_t>(out.count()));
    std::vector<std::int64_t> j, k;
    for (std::int64_t o = 0; o < out.count(); ++o) {
        element_of(out, o, k);
        std::complex<double> sum = 0;
        for (std::int64_t i = 0; i < in.count(); ++i) {
            element_of(in, i, j);
            double turns = 0;
            for (std::size_t axis = 0; axis < n.size(); ++axis)
                turns += static_cast<double>(j[axis] * k[axis] % n[axis]) / static_cast<double>(n[axis]);
            const std::complex<double> term =
                input[static_cast<std::size_t>(i)] * std::polar(1.0, sign * 2 * std::numbers::pi * turns);
            // Of a spectrum with symmetry the half that is not there counts as well.
            const std::int64_t last = j.back(), length = n.back();
            const bool is_twice = what.type == c2r && last != 0 && 2 * last != length;
            sum += what.type == c2r ? std::complex<double>((is_twice ? 2 : 1) * term.real()) : term;
        }
        result[static_cast<std::size_t>(o)] = sum;
    }
    return result;
}

double error(const std::vector<Values>& got, const std::vector<Values>& right) {
    double difference = 0, size = 0;
    for (std::size_t b = 0; b < right.size(); ++b)
        for (std::size_t e = 0; e < right[b].size(); ++e) {
            difference += std::norm(got[b][e] - right[b][e]);
            size += std::norm(right[b][e]);
        }
    return std::sqrt(difference / size);
}

double allowed_error(Number number) {
    switch (number) {
        case Number::f32: return 1e-6;
        case Number::f64: return 1e-14;
        case Number::f16: return 2e-3;
        default: return 1e-2;
    }
}

}  // namespace fft_test
