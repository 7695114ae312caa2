// Cases as text, their random input, and whether a peer's answer is right.
#pragma once

#include <string>
#include <vector>

#include "bench/transform.hpp"

namespace seiche::bench {

/// Reads `f32|f64 KIND[,KIND...] 1024x1024 BATCH in|out DEVICE_INDEX DEVICE NAME`; throws PeerError with the word at
/// fault.
Case parse_case(const std::string& text);

/// Uniform random numbers in [-1, 1), as the bytes of the case's input; of c2r the spectra of real signals.
std::vector<unsigned char> random_input(const Case& what);

/// The relative error of some outputs of the first and the last array against the definition; NaN if one of all
/// outputs is not finite.
double error_of(const Case& what, const std::vector<unsigned char>& input, const std::vector<unsigned char>& output);

}  // namespace seiche::bench
