// Which 64-bit integers of a kernel need their low half only: from the last instruction to the first, who asks for
// more.
#include "emit/narrow_addresses.hpp"

#include <utility>

namespace seiche::emit {

using ir::Instruction;
using ir::Op;
using ir::OpKind;
using ir::Scalar;
using ir::Type;
using ir::ValueId;

namespace {

constexpr std::uint64_t half_bits = 32;

bool is_address(const Instruction& i, unsigned k) {
    switch (i.op) {
        case Op::global_load:
        case Op::global_store: return k == 0;
        case Op::async_copy: return k == 1;
        default: return ir::op_kind(i.op) == OpKind::atomic && k == 0;
    }
}

// Whether the low half of the result depends on the low half of operand k alone.
bool passes_low_half(const ir::Kernel& kernel, const Instruction& i, unsigned k) {
    switch (i.op) {
        case Op::add:
        case Op::sub:
        case Op::mul:
        case Op::mad:
        case Op::neg:
        case Op::bit_and:
        case Op::bit_or:
        case Op::bit_xor:
        case Op::bit_not: return true;
        case Op::select: return k > 0;
        case Op::shift_left: {
            const Instruction& count = kernel.code[i.operands[1]];
            return count.op == Op::constant && count.immediate < half_bits;
        }
        default: return false;
    }
}

bool can_be_narrow(const ir::Kernel& kernel, const Instruction& i) {
    if (i.type != Type(Scalar::u64)) return false;
    switch (i.op) {
        case Op::constant:
        case Op::parameter: return true;
        case Op::convert: return kernel.code[i.operands[0]].type.is_integer();
        case Op::select: return true;
        default: return passes_low_half(kernel, i, 0);
    }
}

}  // namespace

std::vector<bool> narrow_addresses(const ir::Kernel& kernel) {
    std::vector<bool> whole(kernel.code.size(), false), narrow(kernel.code.size(), false);
    for (std::size_t n = kernel.code.size(); n-- > 0;) {
        const Instruction& i = kernel.code[n];
        narrow[n] = !whole[n] && can_be_narrow(kernel, i);
        for (unsigned k = 0; k < 4; ++k) {
            const ValueId v = i.operands[k];
            if (v == ir::no_value) continue;
            const bool truncates = i.op == Op::convert && (i.type.is_integer() || ir::is_narrow(i.type.scalar)) &&
                                   (i.type.scalar != Scalar::u64 || narrow[n]);
            const bool low_half = is_address(i, k) || truncates || (narrow[n] && passes_low_half(kernel, i, k));
            if (!low_half) whole[v] = true;
        }
    }
    return narrow;
}

namespace {

class Narrower {
public:
    explicit Narrower(const ir::Kernel& kernel) : old_(kernel), narrow_(narrow_addresses(kernel)), new_(kernel) {
        new_.code.clear();
        places_.reserve(kernel.code.size());
    }

    ir::Kernel run() {
        for (ValueId id = 0; id < old_.code.size(); ++id) places_.push_back(rewritten(id));
        return std::move(new_);
    }

private:
    ValueId append(const Instruction& i) {
        new_.code.push_back(i);
        return static_cast<ValueId>(new_.code.size() - 1);
    }

    ValueId low_half(ValueId value) {
        if (new_.code[value].type != Type(Scalar::u64)) return value;
        Instruction i{.op = Op::convert, .type = Scalar::u32};
        i.operands[0] = value;
        return append(i);
    }

    ValueId rewritten(ValueId id) {
        Instruction i = old_.code[id];
        for (unsigned k = 0; k < 4; ++k) {
            if (i.operands[k] == ir::no_value) continue;
            i.operands[k] = places_[i.operands[k]];
            const bool wants_half = is_address(i, k) || (narrow_[id] && i.op != Op::convert);
            if (wants_half) i.operands[k] = low_half(i.operands[k]);
        }
        if (!narrow_[id]) return append(i);
        if (i.op == Op::parameter) return low_half(append(i));
        i.type = Scalar::u32;
        if (i.op == Op::constant) i.immediate &= 0xffffffffu;
        if (i.op == Op::convert && new_.code[i.operands[0]].type == i.type) return i.operands[0];
        return append(i);
    }

    const ir::Kernel& old_;
    const std::vector<bool> narrow_;
    ir::Kernel new_;
    std::vector<ValueId> places_;  // of each old value
};

}  // namespace

ir::Kernel with_narrow_addresses(const ir::Kernel& kernel) { return Narrower(kernel).run(); }

}  // namespace seiche::emit
