// Round numbers along an axis.
#pragma once

#include <string>
#include <vector>

namespace seiche::cli::draw {

struct Axis {
    std::string label;
    double low = 0, high = 1;
};

struct Tick {
    double at = 0;
    std::string text;
};

/// Multiples of 1, 2 or 5 times a power of ten within the axis, about `about` of them, with as many decimals as they
/// need.
std::vector<Tick> ticks(const Axis& axis, int about);

}  // namespace seiche::cli::draw
