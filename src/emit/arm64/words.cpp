// Shapes of instructions, as fields of a word: "Arm Architecture Reference Manual for A-profile architecture", chapter
// C4.
#include "emit/arm64/words.hpp"

#include <bit>

namespace seiche::emit::arm64 {

namespace {

using machine::nowhere;

constexpr std::uint32_t sp = 31;

// ---- The shapes: where an instruction has its operands

std::uint32_t reg(const PlacedOperand& o) { return o.reg; }
std::uint32_t number(const PlacedOperand& o) { return static_cast<std::uint32_t>(o.immediate); }
/// Of a general register of 8 bytes.
std::uint32_t size_bit(const PlacedOperand& o) { return o.bytes == 8 ? 1u << 31 : 0; }

std::uint32_t one(const Operands& o) { return reg(o[0]); }
std::uint32_t two(const Operands& o) { return reg(o[0]) | reg(o[1]) << 5; }
std::uint32_t three(const Operands& o) { return two(o) | reg(o[2]) << 16; }
std::uint32_t four(const Operands& o) { return three(o) | reg(o[3]) << 10; }
std::uint32_t moved(const Operands& o) { return two(o) | reg(o[1]) << 16; }
std::uint32_t compared(const Operands& o) { return reg(o[0]) << 5 | reg(o[1]) << 16; }
std::uint32_t chosen(const Operands& o) { return three(o) | number(o[3]) << 12; }
std::uint32_t general_two(const Operands& o) { return size_bit(o[0]) | two(o); }
std::uint32_t general_three(const Operands& o) { return size_bit(o[0]) | three(o); }
std::uint32_t general_four(const Operands& o) { return size_bit(o[0]) | four(o); }
std::uint32_t general_second(const Operands& o) { return size_bit(o[0]) | reg(o[0]) | reg(o[1]) << 16; }
std::uint32_t general_compared(const Operands& o) { return size_bit(o[0]) | compared(o); }
std::uint32_t general_chosen(const Operands& o) { return size_bit(o[0]) | chosen(o); }
std::uint32_t general_chosen_one(const Operands& o) { return size_bit(o[0]) | two(o) | number(o[2]) << 12; }
std::uint32_t added_shifted(const Operands& o) { return three(o) | number(o[3]) << 10; }
/// Twelve bits, or twelve with as many zeros behind them.
std::uint32_t immediate_field(std::uint32_t value) {
    return value <= most_immediate ? value << 10 : 1u << 22 | value >> 12 << 10;
}
std::uint32_t general_immediate(const Operands& o) { return size_bit(o[0]) | two(o) | immediate_field(number(o[2])); }
std::uint32_t general_compared_immediate(const Operands& o) {
    return size_bit(o[0]) | reg(o[0]) << 5 | immediate_field(number(o[1]));
}
/// Bits `first` and up to `last` of a bit field move.
std::uint32_t bit_field(const Operands& o, std::uint32_t first, std::uint32_t last) {
    const std::uint32_t is_wide = o[0].bytes == 8 ? 1 : 0;
    return is_wide << 31 | is_wide << 22 | first << 16 | last << 10 | two(o);
}
std::uint32_t bits_of(const Operands& o) { return 8u * o[0].bytes; }
std::uint32_t shifted_left(const Operands& o) {
    return bit_field(o, (bits_of(o) - number(o[2])) % bits_of(o), bits_of(o) - 1 - number(o[2]));
}
std::uint32_t shifted_right(const Operands& o) { return bit_field(o, number(o[2]), bits_of(o) - 1); }
std::uint32_t low_bits(const Operands& o) { return bit_field(o, 0, number(o[2]) - 1); }

/// A lane, and how many bytes it has.
std::uint32_t lane_field(unsigned bytes, std::uint32_t lane) { return (lane << 1 | 1u) << std::countr_zero(bytes); }
template <unsigned bytes>
std::uint32_t lane_of(const Operands& o) {
    return two(o) | lane_field(bytes, number(o[2])) << 16;
}
template <unsigned bytes>
std::uint32_t inserted(const Operands& o) {
    return two(o) | lane_field(bytes, number(o[2])) << 16 | number(o[3]) << std::countr_zero(bytes) << 11;
}
constexpr auto &lane_2 = lane_of<2>, &lane_4 = lane_of<4>, &lane_8 = lane_of<8>;
constexpr auto &inserted_2 = inserted<2>, &inserted_4 = inserted<4>, &inserted_8 = inserted<8>;
std::uint32_t aligned(const Operands& o) { return three(o) | number(o[3]) << 11; }

constexpr std::uint32_t is_scaled = 1u << 24;  ///< A displacement is counted in what is moved.

/// [register, register << 0 or the size], [register + displacement]: scaled if it can be.
template <unsigned bytes>
std::uint32_t memory(const Operands& o) {
    const PlacedOperand& place = o[1];
    const std::uint32_t common = reg(o[0]) | (place.kind == OperandKind::frame ? sp : place.reg) << 5;
    if (place.index != nowhere) {
        constexpr std::uint32_t by_register = 1u << 21 | 2u << 10, as_it_is = 3u << 13, is_shifted = 1u << 12;
        return common | std::uint32_t{place.index} << 16 | by_register | as_it_is | (place.shift != 0 ? is_shifted : 0);
    }
    const std::int64_t at = place.immediate;
    if (at >= 0 && at % bytes == 0) return common | is_scaled | static_cast<std::uint32_t>(at / bytes) << 10;
    return common | (static_cast<std::uint32_t>(at) & 0x1ffu) << 12;
}
constexpr auto &memory_1 = memory<1>, &memory_2 = memory<2>, &memory_4 = memory<4>, &memory_8 = memory<8>,
               &memory_16 = memory<16>;

// ---- The list

struct Row {
    std::uint32_t bits;
    std::uint32_t (*fields)(const Operands&);
};
constexpr Row rows[] = {
    {0, one},
#define SEICHE_ARM64(name, shape, bits, syntax) {bits, shape},
#include "emit/arm64/mnemonics.def"
#undef SEICHE_ARM64
};
const Row& row_of(Mnemonic id) { return rows[static_cast<std::size_t>(id)]; }

}  // namespace

unsigned moved_bytes(Mnemonic id) {
    const auto fields = row_of(id).fields;
    return fields == memory_16  ? 16
           : fields == memory_8 ? 8
           : fields == memory_4 ? 4
           : fields == memory_2 ? 2
           : fields == memory_1 ? 1
                                : 0;
}

bool is_reached(std::int64_t displacement, unsigned bytes) {
    if (displacement >= 0 && displacement % bytes == 0) return displacement / bytes <= std::int64_t{most_immediate};
    return displacement >= -256 && displacement < 256;
}

std::uint32_t word_of(Mnemonic id, const Operands& operands) {
    const Row& row = row_of(id);
    // Of memory the bits are those of a scaled displacement.
    const std::uint32_t bits = moved_bytes(id) != 0 ? row.bits & ~is_scaled : row.bits;
    return bits | row.fields(operands);
}

}  // namespace seiche::emit::arm64
