// The middle and the width of a set of measurements.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "cli/text/failure.hpp"

namespace seiche::cli {

/// Milliseconds, or whatever was measured.
struct Spread {
    double median = 0, lower_quartile = 0, upper_quartile = 0, least = 0;
};

/// Quantiles between two measurements are interpolated, as numpy does. Throws Failure for no measurement.
inline Spread spread_of(std::vector<double> values) {
    if (values.empty()) throw Failure("nothing was measured");
    std::sort(values.begin(), values.end());
    const auto quantile = [&values](double where) {
        const double at = where * static_cast<double>(values.size() - 1);
        const auto below = static_cast<std::size_t>(at);
        const std::size_t above = std::min(below + 1, values.size() - 1);
        return std::lerp(values[below], values[above], at - static_cast<double>(below));
    };
    return {quantile(0.5), quantile(0.25), quantile(0.75), values.front()};
}

}  // namespace seiche::cli
