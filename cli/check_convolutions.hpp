// Convolutions that `seiche check` compares with sums of products in long double.
#pragma once

#include <cstdint>
#include <string>

#include "cli/verify.hpp"
#include "seiche/convolution.hpp"

namespace seiche::cli {

/// A text of signal, star and kernel.
bool is_convolution(const std::string& text);

struct ConvolutionDraw {
    std::uint64_t points = 1u << 14;  ///< Most elements of a signal, its channels and the batch apart.
    bool fp64 = true;
};
/// The convolution of number `index` in the sequence that `seed` starts: any mode, product, matrix of channels and
/// length of blocks, but phase correlation, whose bins may be small.
Convolution draw_convolution(std::uint64_t seed, std::uint64_t index, const ConvolutionDraw& limits);

/// "1-D real", "n-D complex" and so on.
std::string class_of(const Convolution& convolution);

/// Runs a plan on random data: buffers are filled with NaN first, and what lies behind the output must stay as it was.
/// Of very many results some are compared. Throws InvalidProblem for one that is not of f32 or f64 as they are, has its
/// kernels in frequency or is a phase correlation.
Accuracy verify(const Device& device, const Convolution& convolution, std::uint64_t seed);

}  // namespace seiche::cli
