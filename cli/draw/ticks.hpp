// Axes, and round numbers along them.
#pragma once

#include <string>
#include <vector>

namespace seiche::cli::draw {

enum class Scale {
    linear,
    log,  ///< low and high above 0
    mel   ///< Of frequencies: S. S. Stevens, J. Volkmann and E. B. Newman 1937, as 2595 log10(1 + f / 700 Hz).
};

/// From `low` at the left or the bottom to `high`, which may be less.
struct Axis {
    std::string label;
    double low = 0, high = 1;
    Scale scale = Scale::linear;
    double per_hertz = 1;  ///< Of the mel scale: how many of the axis' unit are one hertz.
};

/// How far along the axis a value lies: 0 at `low`, 1 at `high`.
double fraction_of(const Axis& axis, double value);
/// The value there.
double value_at(const Axis& axis, double fraction);

struct Tick {
    double at = 0;
    std::string text;
};

/// Multiples of 1, 2 or 5 times a power of ten within the axis, about `about` of them, with as many decimals as they
/// need. Of an axis that is not linear 1, 2 and 5 times powers of ten, where there is room.
std::vector<Tick> ticks(const Axis& axis, int about);

}  // namespace seiche::cli::draw
