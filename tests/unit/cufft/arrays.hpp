// Arrays in these interfaces' layouts, and the plain sums that a transform's results are judged by.
#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <vector>

#include "fft_library.hpp"

namespace fft_test {

enum class Number { f32, f64, f16, bf16 };

/// A plan's arguments: of embeds that are empty the layout is basic.
struct Case {
    std::vector<int> n;
    int type = c2c;  // of f32, whatever the numbers are
    Number number = Number::f32;
    int batch = 1;
    std::vector<int> inembed = {};
    int istride = 1, idist = 1;
    std::vector<int> onembed = {};
    int ostride = 1, odist = 1;
};

/// Where the elements of one array are, in its own elements.
struct Places {
    std::vector<std::int64_t> counts, strides;
    std::int64_t distance = 0;
    bool is_real = false;
    std::int64_t count() const;
    std::int64_t place(std::int64_t element) const;
    std::int64_t elements(std::int64_t batch) const;  // from the first to behind the last
};
Places places_of(const Case& what, bool input, bool in_place);

using Values = std::vector<std::complex<double>>;

/// Bytes of an array with these values, and everywhere else `filler`.
std::vector<unsigned char> stored(const Places& places, Number number, const std::vector<Values>& values,
                                  std::size_t bytes, unsigned char filler);
std::vector<Values> loaded(const Places& places, Number number, const std::vector<unsigned char>& bytes, int batch);
std::size_t bytes_of(const Places& places, Number number, int batch);
/// Whether every byte that belongs to no element is still `filler`.
bool gaps_are(const Places& places, Number number, const std::vector<unsigned char>& bytes, int batch,
              unsigned char filler);

/// Random input of a case, of c2r with the symmetry of a real signal's spectrum.
std::vector<Values> random_input(const Case& what);
/// The transform by its definition.
Values plain_transform(const Case& what, const Values& input, int direction);
/// Root mean square of the difference over that of `right`.
double error(const std::vector<Values>& got, const std::vector<Values>& right);
double allowed_error(Number number);

}  // namespace fft_test
