// A convolution on a device with its figures: what the commands that convolve files share.
#pragma once

#include <complex>
#include <type_traits>
#include <vector>

#include "cli/device/array.hpp"
#include "seiche/convolution.hpp"

namespace seiche::cli {

struct ConvolutionFigures {
    double plan_ms = 0;              ///< Making the plan, wall time, with what a driver compiles at the first run.
    double device_milliseconds = 0;  ///< Of the transform of the kernels and the convolution, copies apart.
    Shape padded;                    ///< Points that each axis is padded to; of blocks those of one.
};

/// Each channel of a signal is convolved for itself: all with one kernel, or each with its own, by the number of those.
void set_channels(Convolution& convolution, std::uint64_t channels, std::uint64_t kernels);

/// The precision and `complex` of arrays of Element: float, double or complex ones.
template <class Element>
void set_element(Convolution& convolution) {
    convolution.complex = !std::is_floating_point_v<Element>;
    convolution.precision = sizeof(Element) == (convolution.complex ? 8 : 4) ? Precision::f32 : Precision::f64;
}

/// Convolves arrays in host memory as `convolution` says; its precision and `complex` are those of Element: float,
/// double or complex ones.
template <class Element>
std::vector<Element> run_convolution(const Device& device, Convolution convolution, const std::vector<Element>& input,
                                     const std::vector<Element>& kernels, ConvolutionFigures& figures);

/// The highest value of a correlation.
struct Peak {
    std::vector<std::int64_t> shift;  ///< How far the kernel's first element is moved into the signal, by axis.
    double height = 0;                ///< Of complex numbers the magnitude.
    std::uint64_t channel = 0;        ///< Which array of the batch or the channels it is in.
};

/// Of a result of `run_convolution`. Cyclic lags beyond half of an axis count as negative.
template <class Element>
Peak find_peak(const Convolution& convolution, const std::vector<Element>& result);

}  // namespace seiche::cli
