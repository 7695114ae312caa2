// Convolutions of arrays of any size by blocks of a few fixed sizes, so that files of many sizes share compiled kernels
// (overlap-save: T. G. Stockham, "High-speed convolution and correlation", 1966).
#pragma once

#include <optional>
#include <vector>

#include "cli/device/device_convolution.hpp"

namespace seiche::cli {

/// Lengths by axis.
struct Tiling {
    Shape kernel;  ///< To which kernels are continued with zeros.
    Shape block;   ///< Points of a block, whose last block - kernel + 1 are results.
};

/// The blocks for kernels of such lengths, whatever the signal's are. None where the convolution is better done as a
/// whole: on the interpreter, which compiles nothing, of phase correlations, of very long kernels, of more than two
/// axes, and where the blocks were asked for.
std::optional<Tiling> tiling_for(const Device& device, const Convolution& convolution);

/// The same as run_convolution, by such blocks; any with block >= kernel >= the convolution's own kernel will do.
template <class Element>
std::vector<Element> convolve_in_tiles(const Device& device, const Convolution& convolution, const Tiling& tiling,
                                       const std::vector<Element>& input, const std::vector<Element>& kernels,
                                       ConvolutionFigures& figures);

/// By blocks where `tiling_for` has some, else as a whole.
template <class Element>
std::vector<Element> convolve_any_size(const Device& device, const Convolution& convolution,
                                       const std::vector<Element>& input, const std::vector<Element>& kernels,
                                       ConvolutionFigures& figures);

}  // namespace seiche::cli
