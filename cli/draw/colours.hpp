// Perceptually uniform colour maps.
#pragma once

#include <cstdint>

namespace seiche::cli::draw {

struct Colour {
    std::uint8_t red = 0, green = 0, blue = 0;
    friend bool operator==(const Colour&, const Colour&) = default;
};

inline constexpr Colour not_a_number{128, 128, 128};

/// Dark to light for t from 0 to 1, clamped; `not_a_number` where t is none.
Colour sequential(double t);
/// The same colour at 0 and 1, for angles; t counts turns. `not_a_number` where t is not finite.
Colour cyclic(double t);

}  // namespace seiche::cli::draw
