// Cases as text, their random input, and whether a peer's answer is right.
#pragma once

#include <complex>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/transform.hpp"

namespace seiche::bench {

/// Reads `f32|f64|f16|bf16 KIND[,KIND...] 1024x1024 BATCH in|out|cached[,graph] DEVICE_INDEX DEVICE NAME`; throws
/// PeerError with the word at fault.
Case parse_case(const std::string& text);

/// Uniform random numbers in [-1, 1), as the input_bytes() of the case; of c2r the spectra of real signals, where the
/// input repeats itself of even ones along one axis. As halves they may be 1, and nothing made of them overflows: the
/// parts of 2^26 points' outputs have a standard deviation of sqrt(2^26 / 3) = 4730, a fourteenth of the largest f16,
/// and what the stages have between is of fewer points.
void make_random_input(const Case& what, unsigned char* input);

/// What an output should be; outputs are counted over all arrays without their padding.
struct ExpectedOutput {
    std::uint64_t output = 0;
    std::complex<long double> value;
};
/// Some of the first and the last array, by the definition.
std::vector<ExpectedOutput> some_outputs(const Case& what, const unsigned char* input);

/// The relative error of these; NaN if one of all outputs is not finite.
double error_of(const Case& what, const std::vector<ExpectedOutput>& expected, const unsigned char* output);

/// The largest error of a right answer; wrong ones are wrong by 1. Libraries may take fast sines, and the error is
/// reported anyway. A transform whose twiddles, products and sums are all rounded to halves of unit u (f16 2^-11, bf16
/// 2^-8) has an error of 0.65 u sqrt(log2 n) in the root of the mean square, of single outputs up to 3: roundings add
/// up as random ones do (N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2002, section 24.1). So 4 of
/// these are allowed, for 2^26 points 0.01 in f16 and 0.08 in bf16.
double tolerance_of(const Case& what);

}  // namespace seiche::bench
