// The exact product of two integer sequences, by transforms in double precision whose rounding is bounded by proof.
#include "cli/number/convolve.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "cli/command/report.hpp"
#include "cli/number/rounding_bound.hpp"
#include "cli/text/failure.hpp"

namespace seiche::cli::number {
namespace {

using Complex = std::complex<double>;

Complex square(Complex z) {
    return {z.real() * z.real() - z.imag() * z.imag(), z.real() * z.imag() + z.imag() * z.real()};
}

/// From the transform Z of x + i y to that of the product of x and y, X Y = (Z[k]^2 - conj(Z[n-k])^2) / 4i, with real
/// and imaginary part exchanged: a forward transform of that is the inverse, exchanged.
std::vector<Complex> swapped_product(const std::vector<Complex>& z) {
    std::vector<Complex> product(z.size());
    for (std::size_t k = 0; k < z.size(); ++k) {
        const Complex a = square(z[k]), b = std::conj(square(z[k == 0 ? 0 : z.size() - k]));
        product[k] = {-(a.real() - b.real()) / 4, (a.imag() - b.imag()) / 4};
    }
    return product;
}

}  // namespace

void require_double(const Device& device) {
    if (!device.limits().fp64)
        throw Failure("expected a device with double precision, got " + device_text(device) + ": use another --device");
}

Proof prove(const std::vector<std::int32_t>& x, const std::vector<std::int32_t>& y) {
    Proof proof;
    proof.log2_n = std::max(1u, static_cast<unsigned>(std::bit_width(x.size() + y.size() - 2)));
    proof.bound = convolution_error_bound(energy(x), energy(y), proof.log2_n);
    return proof;
}

Convolution convolve(const Device& device, const std::vector<std::int32_t>& x, const std::vector<std::int32_t>& y,
                     const Proof& proof) {
    const std::uint64_t n = std::uint64_t{1} << proof.log2_n;
    const int shift = balance(energy(x), energy(y));
    std::vector<Complex> z(n);
    for (std::size_t j = 0; j < x.size(); ++j) z[j].real(x[j]);
    for (std::size_t j = 0; j < y.size(); ++j) z[j].imag(std::ldexp(y[j], shift));
    Problem problem;
    problem.lengths = {n};
    problem.precision = Precision::f64;
    DeviceTransform<double> transform(device, problem, Direction::forward);
    std::vector<Complex> spectrum;
    transform.run(z, spectrum, 1);
    transform.run(swapped_product(spectrum), z, 1);
    for (Complex& value : z) value = {value.imag(), value.real()};
    const double scale = std::ldexp(1.0, -shift - static_cast<int>(proof.log2_n));
    Rounded rounded = round_within(proof.bound, z, scale, x.size() + y.size() - 1);
    return {std::move(rounded.values), {proof, rounded.distance, transform.figures()}};
}

}  // namespace seiche::cli::number
