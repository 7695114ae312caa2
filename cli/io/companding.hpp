// The 8-bit codes of telephony for samples of some 14 bits: mu-law and A-law (ITU-T G.711, 1988).
#pragma once

#include <cstdint>

namespace seiche::cli::io {

enum class Law { mu, a };

/// The value of a code, within (-1, 1).
double expand(std::uint8_t code, Law law) noexcept;

/// The largest value of any code.
double largest(Law law) noexcept;

/// A code and whether the value was beyond what any code stands for.
struct Compressed {
    std::uint8_t code = 0;
    bool clipped = false;
};
/// The code whose value is nearest; of what `expand` gives, the code it came from. `value` must not be NaN.
Compressed compress(double value, Law law) noexcept;

}  // namespace seiche::cli::io
