// Windows for short-time transforms, periodic as scipy.signal.get_window makes them.
#include "cli/signal/window.hpp"

#include <cmath>
#include <numbers>

namespace seiche::cli::signal {
namespace {

/// The window's cosine series: a0 - a1 cos(x) + a2 cos(2x) (F. J. Harris, "On the use of windows for harmonic analysis
/// with the discrete Fourier transform", 1978).
struct Series {
    const char* name;
    double a0, a1, a2;
};

constexpr Series series(Window window) noexcept {
    switch (window) {
        case Window::hann: return {"hann", 0.5, 0.5, 0.0};
        case Window::hamming: return {"hamming", 0.54, 0.46, 0.0};
        case Window::blackman: return {"blackman", 0.42, 0.5, 0.08};
        case Window::rect: break;
    }
    return {"rect", 1.0, 0.0, 0.0};
}

}  // namespace

const char* to_string(Window window) noexcept { return series(window).name; }

std::vector<double> make_window(Window window, std::uint64_t n) {
    const Series s = series(window);
    std::vector<double> values(n, 1.0);
    if (n == 1) return values;
    for (std::uint64_t j = 0; j < n; ++j) {
        const double x = 2.0 * std::numbers::pi * static_cast<double>(j) / static_cast<double>(n);
        values[j] = s.a0 - s.a1 * std::cos(x) + s.a2 * std::cos(2.0 * x);
    }
    return values;
}

}  // namespace seiche::cli::signal
