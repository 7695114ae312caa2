// Selection of conversions and bit casts. Those that no short sequence of instructions makes are functions of the host.
#include <bit>

#include "emit/machine/selection.hpp"

namespace seiche::emit::machine {

using ir::Scalar;

std::uint64_t Selection::lane_bits(Scalar scalar, std::uint64_t immediate, bool in_vector) {
    const double value = std::bit_cast<double>(immediate);
    switch (scalar) {
        case Scalar::f32: return std::bit_cast<std::uint32_t>(static_cast<float>(value));
        case Scalar::boolean: return in_vector ? (immediate != 0 ? 0xffffffffu : 0) : (immediate != 0 ? 1 : 0);
        case Scalar::i32:
        case Scalar::u32: return immediate & 0xffffffffu;
        default: return immediate;
    }
}

/// Between integers and booleans in general registers.
void Selection::convert_general(Id id) {
    const ir::Instruction& i = kernel_.code[id];
    const Scalar to = i.type.scalar, from = type_of(i, 0).scalar;
    const Reg a = operand(i, 0)[0];
    Reg found = a;
    if (to == Scalar::boolean) {
        found = from == Scalar::boolean ? a : set_by(is_not_zero(a, 8));
    } else if (to == Scalar::u64 && (from == Scalar::i32 || from == Scalar::i8 || from == Scalar::i16)) {
        found = sign_extended(a);
    } else if (from == Scalar::u64 && to != Scalar::u64) {
        found = move_general(a, 4);
    }
    if (ir::is_narrow(to))  // stored by its low bytes
        found = narrowed(found, ir::scalar_bytes(to), to == Scalar::i8 || to == Scalar::i16);
    result(id, found);
}

void Selection::select_convert(Id id) {
    const ir::Instruction& i = kernel_.code[id];
    if (i.type.scalar == type_of(i, 0).scalar) {
        parts_[id] = operand(i, 0);
        return;
    }
    if (is_general(i.type) && is_general(type_of(i, 0))) return convert_general(id);
    if (!convert_float(id)) call(id);
}

void Selection::select_bitcast(Id id) {
    const ir::Instruction& i = kernel_.code[id];
    const ir::Type from = type_of(i, 0);
    const unsigned bytes = ir::scalar_bytes(i.type.scalar);
    parts_[id] = shape(i.type);
    if (is_general(i.type) == is_general(from))
        parts_[id] = operand(i, 0);
    else if (is_general(i.type))
        parts_[id].regs[0] = to_general(operand(i, 0)[0], bytes);
    else
        parts_[id].regs[0] = to_vector(operand(i, 0)[0], bytes);
}

}  // namespace seiche::emit::machine
