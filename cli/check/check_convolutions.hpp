// Convolutions that `seiche check` compares with sums of products in long double.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/check/verify.hpp"
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

struct ConvolutionSweep {
    std::uint64_t low = 1, high = 1, seed = 1;
    bool fp64 = true;
};
/// Circular convolutions of every length, real and complex, of each precision. Drawn for each: the kernel's length, the
/// product (phase correlation too), the storage, the batch, and axes beside the one of that length, which is mostly the
/// last.
std::vector<Convolution> sweep_convolutions(const ConvolutionSweep& limits);

/// "1-D real full", "n-D complex circular phase stored" and so on.
std::string class_of(const Convolution& convolution);

/// Runs a plan on random data: buffers are filled with NaN first, and what lies behind the output must stay as it was.
/// Of very many results some are compared. Throws InvalidProblem for one that is not of f32 or f64, has its kernels in
/// frequency, or is a phase correlation of several inputs.
Accuracy verify(const Device& device, const Convolution& convolution, std::uint64_t seed);

}  // namespace seiche::cli
