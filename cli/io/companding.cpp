// The 8-bit codes of telephony for samples of some 14 bits: mu-law and A-law (ITU-T G.711, 1988).
#include "cli/io/companding.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace seiche::cli::io {
namespace {

constexpr double full_scale = 32768;
constexpr unsigned sign_bit = 0x80;

/// In units of a 16-bit sample. Both laws: three bits of exponent, four of mantissa, a hidden one and half a step.
int magnitude(unsigned exponent, unsigned mantissa, Law law) {
    constexpr int mu_bias = 132;
    if (law == Law::mu) return ((static_cast<int>(mantissa) * 8 + mu_bias) << exponent) - mu_bias;
    const int steps = static_cast<int>(mantissa) * 16 + 8;
    return exponent == 0 ? steps : (steps + 256) << (exponent - 1);
}

struct Level {
    double value = 0;
    std::uint8_t code = 0;
};

/// The codes of one sign by rising magnitude, and half of the step beyond the last.
struct Table {
    std::array<Level, 128> levels;
    double margin = 0;
};

Table make_table(Law law) {
    Table table;
    for (unsigned i = 0; i < table.levels.size(); ++i) {
        const auto code = static_cast<std::uint8_t>(law == Law::mu ? ~i & 0xFF : (i | sign_bit) ^ 0x55);
        table.levels[i] = {expand(code, law), code};
    }
    table.margin = (table.levels[127].value - table.levels[126].value) / 2;
    return table;
}

}  // namespace

double expand(std::uint8_t code, Law law) noexcept {
    const unsigned bits = law == Law::mu ? ~code & 0xFFu : code ^ 0x55u;
    const bool negative = ((bits & sign_bit) != 0) == (law == Law::mu);
    const double value = magnitude(bits >> 4 & 7, bits & 15, law) / full_scale;
    return negative ? -value : value;
}

double largest(Law law) noexcept { return magnitude(7, 15, law) / full_scale; }

Compressed compress(double value, Law law) noexcept {
    static const Table mu = make_table(Law::mu), a = make_table(Law::a);
    const Table& table = law == Law::mu ? mu : a;
    const double size = std::fabs(value);
    const auto above = std::lower_bound(table.levels.begin(), table.levels.end(), size,
                                        [](const Level& level, double wanted) { return level.value < wanted; });
    auto nearest = above == table.levels.end() ? std::prev(above) : above;
    if (nearest != table.levels.begin() && size - std::prev(nearest)->value < nearest->value - size) --nearest;
    const unsigned code = std::signbit(value) ? nearest->code ^ sign_bit : nearest->code;
    return {static_cast<std::uint8_t>(code), size > table.levels.back().value + table.margin};
}

}  // namespace seiche::cli::io
