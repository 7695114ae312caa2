// The numbers behind sines and cosines.
#include "emit/circular.hpp"

#include <cmath>
#include <numbers>

namespace seiche::emit {

namespace {

// pi / 2 is this double and what it lacks.
constexpr double quarter_turn = std::numbers::pi / 2, quarter_turn_rest = 6.123233995736766e-17;

double leading_bits(double value, int bits) {
    int exponent = 0;
    const double fraction = std::frexp(value, &exponent);
    return std::ldexp(std::trunc(std::ldexp(fraction, bits)), exponent - bits);
}

}  // namespace

std::vector<double> quarter_turn_parts(bool is_double) {
    const double first = leading_bits(quarter_turn, is_double ? 33 : 16);
    if (is_double) return {first, quarter_turn - first, quarter_turn_rest};
    const double second = leading_bits(quarter_turn - first, 16);
    return {first, second, quarter_turn - first - second};
}

std::vector<double> taylor_coefficients(bool sine, bool is_double) {
    const unsigned terms = is_double ? 9 : 6;
    std::vector<double> coefficients;
    double factor = 1;
    for (unsigned k = 0; k < terms; ++k) {
        coefficients.push_back(factor);
        const double next = 2.0 * k + (sine ? 2 : 1);
        factor /= -(next * (next + 1));
    }
    return coefficients;
}

}  // namespace seiche::emit
