// Axes, and round numbers along them.
#include "cli/draw/ticks.hpp"

#include <algorithm>
#include <cmath>

#include "cli/text/text.hpp"

namespace seiche::cli::draw {
namespace {

/// The largest of 1, 2, 5, 10 times a power of ten that makes at least `about` steps of `span`, or nearly.
double round_step(double span, int about) {
    const double raw = span / std::max(about, 1);
    const double power = std::pow(10.0, std::floor(std::log10(raw)));
    const double lead = raw / power;
    return power * (lead < 1.5 ? 1.0 : lead < 3.5 ? 2.0 : lead < 7.5 ? 5.0 : 10.0);
}

/// Where a value lies on a line that is even.
double place_of(const Axis& axis, double value) {
    switch (axis.scale) {
        case Scale::log: return std::log(value);
        case Scale::mel: return std::log1p(value / axis.per_hertz / 700);
        case Scale::linear: break;
    }
    return value;
}

double value_of(const Axis& axis, double place) {
    switch (axis.scale) {
        case Scale::log: return std::exp(place);
        case Scale::mel: return std::expm1(place) * 700 * axis.per_hertz;
        case Scale::linear: break;
    }
    return place;
}

std::string with_minus(std::string text) {
    if (text[0] == '-') text.replace(0, 1, "\u2212");  // a minus sign is as wide as a digit
    return text;
}

/// 0, and 1, 2 and 5 times powers of ten; of those that lie too close the rounder one stays.
std::vector<Tick> uneven_ticks(const Axis& axis, int about) {
    constexpr double slack = 1e-9;
    const double least_gap = 0.6 / about, lowest = std::min(axis.low, axis.high),
                 highest = std::max(axis.low, axis.high);
    std::vector<Tick> chosen;
    const auto offer = [&](double value, int decimals) {
        if (value < lowest * (1 - slack) || value > highest * (1 + slack)) return;
        for (const Tick& other : chosen)
            if (std::abs(fraction_of(axis, value) - fraction_of(axis, other.at)) < least_gap) return;
        chosen.push_back({value, fixed(value, decimals)});
    };
    if (axis.scale == Scale::mel) offer(0, 0);
    const int top = static_cast<int>(std::ceil(std::log10(highest)));
    const int bottom = lowest > 0 ? static_cast<int>(std::floor(std::log10(lowest))) : top - 4;
    for (const double lead : {1.0, 2.0, 5.0})
        for (int power = top; power >= bottom; --power) offer(lead * std::pow(10, power), std::max(0, -power));
    std::sort(chosen.begin(), chosen.end(), [](const Tick& a, const Tick& b) { return a.at < b.at; });
    return chosen;
}

}  // namespace

double fraction_of(const Axis& axis, double value) {
    const double low = place_of(axis, axis.low);
    return (place_of(axis, value) - low) / (place_of(axis, axis.high) - low);
}

double value_at(const Axis& axis, double fraction) {
    const double low = place_of(axis, axis.low);
    return value_of(axis, low + fraction * (place_of(axis, axis.high) - low));
}

std::vector<Tick> ticks(const Axis& given, int about) {
    const Axis axis{given.label, std::min(given.low, given.high), std::max(given.low, given.high)};
    if (given.scale != Scale::linear) {
        // Less than a few powers of two: even numbers serve.
        std::vector<Tick> list = uneven_ticks(given, about);
        if (list.size() >= 3) return list;
    }
    const double span = axis.high - axis.low;
    if (!(span > 0) || !std::isfinite(span)) return {};
    const double step = round_step(span, about);
    const int decimals = std::clamp(static_cast<int>(-std::floor(std::log10(step) + 1e-9)), 0, 12);
    constexpr double slack = 0.01;  // of a step: neither rounding nor half a cell must lose the last tick
    const double first = std::ceil(axis.low / step - slack), last = std::floor(axis.high / step + slack);
    std::vector<Tick> list;
    const bool is_log = given.scale == Scale::log;
    for (int i = 0; i <= static_cast<int>(last - first); ++i) {
        const double k = first + i;
        if (is_log && !(k * step > 0)) continue;  // which a logarithm does not reach
        list.push_back({k * step, with_minus(fixed(k * step, decimals))});
    }
    return list;
}

}  // namespace seiche::cli::draw
