// Round numbers along an axis.
#include "cli/draw/ticks.hpp"

#include <algorithm>
#include <cmath>

#include "cli/text.hpp"

namespace seiche::cli::draw {
namespace {

/// The largest of 1, 2, 5, 10 times a power of ten that makes at least `about` steps of `span`, or nearly.
double round_step(double span, int about) {
    const double raw = span / std::max(about, 1);
    const double power = std::pow(10.0, std::floor(std::log10(raw)));
    const double lead = raw / power;
    return power * (lead < 1.5 ? 1.0 : lead < 3.5 ? 2.0 : lead < 7.5 ? 5.0 : 10.0);
}

}  // namespace

std::vector<Tick> ticks(const Axis& axis, int about) {
    const double span = axis.high - axis.low;
    if (!(span > 0) || !std::isfinite(span)) return {};
    const double step = round_step(span, about);
    const int decimals = std::clamp(static_cast<int>(-std::floor(std::log10(step) + 1e-9)), 0, 12);
    constexpr double slack = 0.01;  // of a step: neither rounding nor half a cell must lose the last tick
    const double first = std::ceil(axis.low / step - slack), last = std::floor(axis.high / step + slack);
    std::vector<Tick> list;
    for (int i = 0; i <= static_cast<int>(last - first); ++i) {
        const double k = first + i;
        std::string text = fixed(k * step, decimals);
        if (text[0] == '-') text.replace(0, 1, "\u2212");  // a minus sign is as wide as a digit
        list.push_back({k * step, text});
    }
    return list;
}

}  // namespace seiche::cli::draw
