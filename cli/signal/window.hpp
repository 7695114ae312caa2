// Windows for short-time transforms, periodic as scipy.signal.get_window makes them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace seiche::cli::signal {

enum class WindowShape {
    hann,
    hamming,
    blackman,
    blackman_harris,
    nuttall,
    flat_top,
    bartlett,
    cosine,
    rect,
    kaiser,  ///< Its parameter: beta.
    gauss,   ///< The standard deviation in samples.
    tukey    ///< The part of the window that is not flat, 0 to 1.
};

struct Window {
    WindowShape shape = WindowShape::hann;
    double parameter = 0;  ///< Of the last three.
};

/// "hann", "kaiser:8.6".
std::string to_string(const Window& window);
/// From such a text; none where it is none.
std::optional<Window> parse_window(const std::string& text);
/// "hann, hamming, ... or kaiser:BETA, gauss:SIGMA, tukey:ALPHA".
std::string window_names();

/// `n` samples of the window, at j = 0 ... n-1 of a period n.
std::vector<double> make_window(const Window& window, std::uint64_t n);

}  // namespace seiche::cli::signal
