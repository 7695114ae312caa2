// Windows for short-time transforms, periodic as scipy.signal.get_window makes them.
#include "cli/signal/window.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <string_view>

#include "cli/text/text.hpp"

namespace seiche::cli::signal {
namespace {

using std::numbers::pi;

struct Known {
    WindowShape shape;
    std::string_view name, parameter;
    /// The cosine series a0 - a1 cos(x) + a2 cos(2x) - ... (F. J. Harris, "On the use of windows for harmonic analysis
    /// with the discrete Fourier transform", 1978; A. H. Nuttall, "Some windows with very good sidelobe behavior",
    /// 1981; G. D'Antona and A. Ferrero, "Digital signal processing for measurement systems", 2006); all 0: it is none.
    std::array<double, 5> series;
};

constexpr std::array<Known, 12> windows{{
    {WindowShape::hann, "hann", "", {0.5, 0.5}},
    {WindowShape::hamming, "hamming", "", {0.54, 0.46}},
    {WindowShape::blackman, "blackman", "", {0.42, 0.5, 0.08}},
    {WindowShape::blackman_harris, "blackman-harris", "", {0.35875, 0.48829, 0.14128, 0.01168}},
    {WindowShape::nuttall, "nuttall", "", {0.3635819, 0.4891775, 0.1365995, 0.0106411}},
    {WindowShape::flat_top, "flat-top", "", {0.21557895, 0.41663158, 0.277263158, 0.083578947, 0.006947368}},
    {WindowShape::bartlett, "bartlett", "", {}},
    {WindowShape::cosine, "cosine", "", {}},
    {WindowShape::rect, "rect", "", {1}},
    {WindowShape::kaiser, "kaiser", "BETA", {}},
    {WindowShape::gauss, "gauss", "SIGMA", {}},
    {WindowShape::tukey, "tukey", "ALPHA", {}},
}};

const Known& known(WindowShape shape) { return windows[static_cast<std::size_t>(shape)]; }

bool is_sound(WindowShape shape, double parameter) {
    switch (shape) {
        case WindowShape::kaiser: return parameter >= 0 && parameter <= 700;  // beyond, I0 overflows
        case WindowShape::gauss: return parameter > 0 && std::isfinite(parameter);
        case WindowShape::tukey: return parameter >= 0 && parameter <= 1;
        default: return false;
    }
}

/// Of a window of n + 1 points that is symmetric, point j.
double point(const Window& window, double j, double n) {
    const double x = (j - n / 2) / (n / 2);  // -1 to 1
    switch (window.shape) {
        case WindowShape::bartlett: return 1 - std::abs(x);
        case WindowShape::cosine: return std::sin(pi * (j + 0.5) / (n + 1));
        case WindowShape::kaiser:
            return std::cyl_bessel_i(0, window.parameter * std::sqrt(std::fmax(0, 1 - x * x))) /
                   std::cyl_bessel_i(0, window.parameter);
        case WindowShape::gauss: return std::exp(-0.5 * std::pow((j - n / 2) / window.parameter, 2));
        case WindowShape::tukey: {
            const double side = std::fmin(j, n - j), width = window.parameter * n / 2;
            return side >= width ? 1 : 0.5 * (1 - std::cos(pi * side / width));
        }
        default: break;
    }
    double value = 0, sign = 1;
    const std::array<double, 5>& series = known(window.shape).series;
    for (std::size_t k = 0; k < series.size(); ++k, sign = -sign)
        value += sign * series[k] * std::cos(2 * pi * static_cast<double>(k) * j / n);
    return value;
}

}  // namespace

std::string to_string(const Window& window) {
    const Known& its = known(window.shape);
    return std::string(its.name) + (its.parameter.empty() ? "" : ":" + shortest(window.parameter));
}

std::optional<Window> parse_window(const std::string& text) {
    const std::size_t colon = text.find(':');
    for (const Known& its : windows) {
        if (text.substr(0, colon) != its.name || its.parameter.empty() != (colon == std::string::npos)) continue;
        Window window{its.shape, 0};
        if (its.parameter.empty()) return window;
        const char* const end = text.data() + text.size();
        const auto result = std::from_chars(text.data() + colon + 1, end, window.parameter);
        if (result.ec == std::errc{} && result.ptr == end && is_sound(its.shape, window.parameter)) return window;
    }
    return std::nullopt;
}

std::string window_names() {
    std::string names;
    for (const Known& its : windows) {
        const bool is_last = &its == &windows.back();
        names += (names.empty() ? "" : is_last ? " or " : ", ") + std::string(its.name);
        if (!its.parameter.empty()) names += ":" + std::string(its.parameter);
    }
    return names;
}

std::vector<double> make_window(const Window& window, std::uint64_t n) {
    std::vector<double> values(n, 1.0);
    if (n == 1) return values;
    for (std::uint64_t j = 0; j < n; ++j) values[j] = point(window, static_cast<double>(j), static_cast<double>(n));
    return values;
}

}  // namespace seiche::cli::signal
