// The algorithms that design() chooses from, one file each.
#pragma once

#include <optional>

#include "planner/recipe.hpp"

namespace seiche::planner {

/// What an algorithm is asked for: one axis of a problem on a device.
struct AxisQuestion {
    std::size_t axis = 0;
    std::uint64_t n = 1;
    bool is_strided = false;  ///< Neighbouring points of a sequence are not neighbours in memory.
    Precision precision = Precision::f32;
    const DeviceLimits* limits = nullptr;
    const Tuning* tuning = nullptr;
};

/// Direct: one pass where it fits on chip, else the fewest (Bailey, "FFTs in external or hierarchical memory", 1990).
/// Nothing if n has a prime factor above 13.
std::optional<AxisRecipe> design_direct(const AxisQuestion& question);

/// Through a convolution of padded length (Bluestein, "A linear filtering approach to the computation of discrete
/// Fourier transform", 1970). Any n.
AxisRecipe design_bluestein(const AxisQuestion& question);

}  // namespace seiche::planner
