// Perceptually uniform colour maps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace seiche::cli::draw {

struct Colour {
    std::uint8_t red = 0, green = 0, blue = 0;
    friend bool operator==(const Colour&, const Colour&) = default;
};

inline constexpr Colour not_a_number{128, 128, 128};

enum class ColourMap { inferno, viridis, magma, plasma, cubehelix, grey };
const char* to_string(ColourMap map) noexcept;
/// Of this name; none where there is no such map.
std::optional<ColourMap> colour_map(const std::string& name);
/// "inferno, viridis, ...".
std::string colour_map_names();

/// Dark to light for t from 0 to 1, clamped; `not_a_number` where t is none.
Colour sequential(double t, ColourMap map = ColourMap::inferno);
/// The same colour at 0 and 1, for angles; t counts turns. `not_a_number` where t is not finite.
Colour cyclic(double t);

/// Colours of so many curves on white, each unlike all others; the first seven are told apart by colour-blind readers
/// too (Masataka Okabe and Kei Ito, "Color universal design", 2008).
std::vector<Colour> curve_colours(std::size_t count);

}  // namespace seiche::cli::draw
