// Sines and cosines for dialects that have none that is accurate enough: the numbers of an exact reduction to an eighth
// of a turn, and of the Taylor series, which there needs few terms.
#pragma once

#include <vector>

namespace seiche::emit {

/// pi / 2 in parts so short that their products with a count of quarter turns are exact: an fma may be two roundings.
std::vector<double> quarter_turn_parts(bool is_double);

/// The coefficients of x^(2k) in sin(x) / x or cos(x), as many as matter at pi / 4.
std::vector<double> taylor_coefficients(bool sine, bool is_double);

}  // namespace seiche::emit
