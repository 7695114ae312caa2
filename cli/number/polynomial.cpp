// Products of polynomials: exact ones of integers, and ones in double precision.
#include "cli/number/polynomial.hpp"

#include <algorithm>
#include <cmath>

#include "cli/command/report.hpp"
#include "cli/number/digits.hpp"
#include "cli/text/failure.hpp"

namespace seiche::cli::number {
namespace {

using Complex = std::complex<double>;
using Coefficients = std::vector<std::int64_t>;

/// How many balanced digits the longest of the coefficients has, at least one: the greatest's or the least's.
std::size_t most_digits(const Coefficients& coefficients, unsigned bits) {
    const auto [least, greatest] = std::minmax_element(coefficients.begin(), coefficients.end());
    return std::max({std::size_t{1}, balanced_digits(*least, bits).size(), balanced_digits(*greatest, bits).size()});
}

/// Each coefficient's digits, at most `most`, `spacing` behind those of the one before.
std::vector<std::int32_t> lay(const Coefficients& coefficients, unsigned bits, std::size_t most, std::size_t spacing) {
    std::vector<std::int32_t> laid((coefficients.size() - 1) * spacing + most);
    for (std::size_t i = 0; i < coefficients.size(); ++i) {
        const std::vector<std::int32_t> digits = balanced_digits(coefficients[i], bits);
        std::copy(digits.begin(), digits.end(), laid.begin() + static_cast<std::ptrdiff_t>(i * spacing));
    }
    return laid;
}

/// The integer with these digits in base 2^bits, which may be large and of any sign; Failure beyond int64.
std::int64_t assemble(const std::int64_t* digits, std::size_t count, unsigned bits, std::size_t place) {
    __extension__ using Wide = __int128;
    // A digit is below 2^53: what has grown to 2^90 with more to come cannot return to 2^63.
    constexpr Wide hopeless = Wide{1} << 90;
    Wide value = 0;
    for (std::size_t i = count; i-- > 0;) {
        value = (value << bits) + digits[i];
        if (value > hopeless || value < -hopeless) break;
    }
    if (value < INT64_MIN || value > INT64_MAX)
        throw Failure("expected a product with coefficients from -2^63 to 2^63 - 1, got a larger one at position " +
                      std::to_string(place));
    return static_cast<std::int64_t>(value);
}

/// The polynomial's value at a fixed point, modulo 2^61 - 1.
std::uint64_t residue_at_point(const Coefficients& coefficients) {
    constexpr std::uint64_t point = 0x123456789ABCDEF, prime = (std::uint64_t{1} << 61) - 1;
    std::uint64_t value = 0;
    for (const std::int64_t c : coefficients) {
        const std::int64_t rest = c % static_cast<std::int64_t>(prime);
        const std::uint64_t positive =
            rest < 0 ? prime - static_cast<std::uint64_t>(-rest) : static_cast<std::uint64_t>(rest);
        value = (product_of_residues(value, point) + positive) % prime;
    }
    return value;
}

/// The power of two next above the largest part.
int exponent_of(const std::vector<Complex>& values) {
    double largest = 0;
    for (const Complex& value : values) largest = std::max({largest, std::abs(value.real()), std::abs(value.imag())});
    int exponent = 0;
    std::frexp(largest, &exponent);
    return exponent;
}

Complex scaled(Complex value, int exponent) {
    return {std::ldexp(value.real(), exponent), std::ldexp(value.imag(), exponent)};
}

}  // namespace

IntegerPolynomial multiply(const Device& device, const Coefficients& a, const Coefficients& b) {
    constexpr unsigned most_bits = 24, fewest_bits = 2;
    for (unsigned bits = most_bits; bits >= fewest_bits; --bits) {
        const std::size_t most_a = most_digits(a, bits), most_b = most_digits(b, bits), spacing = most_a + most_b - 1;
        const std::vector<std::int32_t> x = lay(a, bits, most_a, spacing), y = lay(b, bits, most_b, spacing);
        const Proof proof = prove(x, y);
        if (!proof.holds()) continue;
        const Convolution convolution = convolve(device, x, y, proof);
        IntegerPolynomial product{{}, bits, convolution.evidence};
        for (std::size_t i = 0; i < a.size() + b.size() - 1; ++i)
            product.values.push_back(assemble(&convolution.values[i * spacing], spacing, bits, i));
        if (residue_at_point(product.values) != product_of_residues(residue_at_point(a), residue_at_point(b)))
            throw Failure("expected a product that agrees with its factors modulo 2^61 - 1, got another: " +
                          device_text(device) + " computes wrongly");
        return product;
    }
    throw Failure("expected factors whose product can be proven exact, got " + std::to_string(a.size()) + " and " +
                  std::to_string(b.size()) + " coefficients: too many for double precision");
}

namespace {

/// Term by term, as numpy.polymul has it: exact where sums and products of doubles are.
std::vector<Complex> product_by_terms(const std::vector<Complex>& a, const std::vector<Complex>& b) {
    std::vector<Complex> product(a.size() + b.size() - 1);
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = 0; j < b.size(); ++j)  // without the rules for infinity of the type's own product
            product[i + j] += Complex{a[i].real() * b[j].real() - a[i].imag() * b[j].imag(),
                                      a[i].real() * b[j].imag() + a[i].imag() * b[j].real()};
    return product;
}

}  // namespace

ComplexPolynomial multiply(const Device& device, const std::vector<Complex>& a, const std::vector<Complex>& b) {
    constexpr std::size_t most_terms = 1 << 18;  // below, this takes less time than a transform's launch
    if (a.size() <= most_terms / b.size()) return {product_by_terms(a, b), {}};
    const std::size_t count = a.size() + b.size() - 1;
    Problem problem;
    problem.lengths = {next_fast_length(count)};
    problem.batch = 2;
    problem.precision = Precision::f64;
    const std::size_t n = problem.lengths[0];
    // Scaled to about 1, so that no intermediate overflows where the product does not.
    const int exponent_a = exponent_of(a), exponent_b = exponent_of(b);
    std::vector<Complex> z(2 * n), spectra;
    for (std::size_t i = 0; i < a.size(); ++i) z[i] = scaled(a[i], -exponent_a);
    for (std::size_t i = 0; i < b.size(); ++i) z[n + i] = scaled(b[i], -exponent_b);
    DeviceTransform<double> transform(device, problem, Direction::forward);
    transform.run(z, spectra, 2);
    // Forward once more, with the parts exchanged before and after: the inverse.
    for (std::size_t k = 0; k < n; ++k) {
        const Complex x = spectra[k], y = spectra[n + k];
        z[k] = {x.real() * y.imag() + x.imag() * y.real(), x.real() * y.real() - x.imag() * y.imag()};
    }
    transform.run(z, spectra, 1);
    ComplexPolynomial product;
    for (std::size_t i = 0; i < count; ++i) {
        const Complex value = Complex{spectra[i].imag(), spectra[i].real()} / static_cast<double>(n);
        product.values.push_back(scaled(value, exponent_a + exponent_b));
    }
    product.figures = transform.figures();
    return product;
}

}  // namespace seiche::cli::number
