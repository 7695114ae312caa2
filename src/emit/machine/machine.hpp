// A kernel as machine instructions with virtual registers: made by selection, read by allocation.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

namespace seiche::emit::machine {

/// A virtual register.
using Reg = std::uint32_t;
inline constexpr Reg no_reg = 0xffffffffu;

enum class Bank : std::uint8_t { general, vector };

/// What is known of a virtual register.
struct RegInfo {
    Bank bank = Bank::general;
    std::uint8_t bytes = 8;           ///< That must survive in memory: 8 of a general one; 16, 32 or 64.
    std::uint32_t constant = no_reg;  ///< Of a vector: where its value lies among the constants; it is never saved.
    std::uint32_t argument = no_reg;  ///< Of a general one: the word of Call::arguments that it holds.
    bool is_immediate = false;        ///< Of a general one: it is the number `immediate`.
    std::uint64_t immediate = 0;
    bool can_be_made_again() const { return constant != no_reg || argument != no_reg || is_immediate; }
};

enum class OperandKind : std::uint8_t {
    none,
    reg,    ///< A virtual register, as wide as `bytes`.
    fixed,  ///< A machine register that is never allocated, by the target's number.
    immediate,
    memory,    ///< [reg + index << shift + immediate]
    frame,     ///< The same with the frame as its base: private arrays, scratch.
    constant,  ///< The constants at byte `immediate`.
    label,
};

struct Operand {
    OperandKind kind = OperandKind::none;
    std::uint8_t bytes = 0;  ///< Of the register's part or of the access; 0: the instruction tells.
    Reg reg = no_reg, index = no_reg;
    std::uint8_t shift = 0;
    std::uint8_t fixed = 0;
    std::int64_t immediate = 0;
};

inline Operand in_register(Reg reg, unsigned bytes) {
    Operand o;
    o.kind = OperandKind::reg;
    o.reg = reg;
    o.bytes = static_cast<std::uint8_t>(bytes);
    return o;
}
inline Operand immediate(std::int64_t value) {
    Operand o;
    o.kind = OperandKind::immediate;
    o.immediate = value;
    return o;
}
inline Operand at_constant(std::uint64_t offset, unsigned bytes) {
    Operand o;
    o.kind = OperandKind::constant;
    o.immediate = static_cast<std::int64_t>(offset);
    o.bytes = static_cast<std::uint8_t>(bytes);
    return o;
}
inline Operand at_frame(std::uint64_t offset, unsigned bytes) {
    Operand o;
    o.kind = OperandKind::frame;
    o.immediate = static_cast<std::int64_t>(offset);
    o.bytes = static_cast<std::uint8_t>(bytes);
    return o;
}
inline Operand at_label(std::uint32_t label) {
    Operand o;
    o.kind = OperandKind::label;
    o.immediate = label;
    return o;
}

/// The number of a machine instruction in the target's list; 0 where the form says what is done.
using InstructionId = std::uint16_t;

/// How an instruction treats its operands.
enum class Form : std::uint8_t {
    effect,         ///< Reads all of them.
    store_if,       ///< operands: place, value, then two for each of `tests`. Stores where all of them hold.
    plain,          ///< Writes the first and reads the others.
    masked,         ///< The same under the target's mask.
    tied,           ///< Writes the first, which on the machine is the second too; reads the others.
    tied_commutes,  ///< The same; the second and the third may change places.
    set,            ///< operands: result, a, b. 1 where the first of `tests` holds, else 0.
    load_if,        ///< operands: result, place, then two for each of `tests`. 0 where one of them does not hold.
    fused,          ///< first = second * third + fourth; `id` overwrites the second, see Encoder::over_sum.
    loop_begin,     ///< operands: counter, begin, end. The counter is the first's register until loop_end.
    loop_end,       ///< operands: counter, step
    if_begin,       ///< operand: condition, a general register; not 0: it holds
    if_else,
    if_end,
    call,  ///< Of a function of the host: its number, where in the frame the result and then the operands
           ///< lie, call_room_bytes each, and how many lanes.
};

/// Of the result and of each operand of a call: 16 lanes of 8 bytes.
inline constexpr unsigned call_room_bytes = 128;

/// What is asked of two general registers, or of one and a number.
enum class Relation : std::uint8_t { none, equal, not_equal, below, below_equal, less, less_equal };

struct Instruction {
    InstructionId id = 0;
    Form form = Form::plain;
    std::uint8_t count = 0;
    bool reads_memory_last = false;  ///< The last operand may be memory instead of a register.
    bool may_stream = false;         ///< A store that with its neighbour, if it has one, fills whole cache lines.
    std::array<Relation, 2> tests{};
    std::array<Operand, 6> operands;
    bool writes() const { return form >= Form::plain && form <= Form::fused; }
};

/// The words at the frame's beginning: Call::arguments, then the rest of the call.
enum class HeaderWord : std::uint8_t { groups_x, groups_y, groups_z, first, last, shared, functions, count };
/// Where in the frame a word of them lies.
constexpr std::uint64_t header_place(std::uint32_t word) { return std::uint64_t{8} * word; }

/// The whole of it. Loops and ifs are bracketed as in the IR; what is made inside is not used outside.
struct Machine {
    std::vector<Instruction> code;
    std::vector<RegInfo> regs;
    std::vector<std::byte> constants;  ///< Aligned to 64 bytes.
    std::uint32_t argument_words = 0;  ///< Of Call::arguments; they and the rest of the call begin the frame.
    std::uint32_t header_words = 0;
    std::uint32_t word_of(HeaderWord word) const { return argument_words + static_cast<std::uint32_t>(word); }
    std::uint64_t frame_bytes = 0;  ///< Of those words, private arrays and scratch.
    /// Words of Call::arguments: the buffers that stores stream to, which must be aligned to cache lines then.
    std::set<std::uint32_t> streamed;
};

}  // namespace seiche::emit::machine
