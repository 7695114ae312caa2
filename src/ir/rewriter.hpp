// What passes share that make a kernel anew, instruction by instruction.
#pragma once

#include <array>
#include <utility>
#include <vector>

#include "ir/builder.hpp"

namespace seiche::ir {

inline bool is_global_access(Op op) { return op == Op::global_load || op == Op::global_store; }

/// A kernel made anew from another, instruction by instruction.
class Rewriter {
protected:
    explicit Rewriter(const Kernel& kernel) : old_(kernel), build_(kernel.name), values_(kernel.code.size()) {
        build_.kernel() = kernel;
        build_.kernel().code.clear();
    }
    ~Rewriter() = default;

    /// The same instruction where buffers have other numbers.
    static Instruction with_buffers(const Instruction& i, const std::vector<std::uint32_t>& numbers) {
        Instruction same = i;
        if (i.op == Op::async_copy || i.op == Op::async_bulk_copy)
            same.immediate = numbers[static_cast<std::size_t>(i.immediate)];
        else if (op_kind(i.op) == OpKind::atomic || op_kind(i.op) == OpKind::call || is_global_access(i.op))
            same.symbol = numbers[i.symbol];
        return same;
    }

    Value operand(const Instruction& i, int slot) const {
        const ValueId v = slot < 0 ? no_value : i.operands[static_cast<std::size_t>(slot)];
        return v == no_value ? Value{} : values_[v];
    }

    /// Brackets are the builder's business: what was numbered inside is not known outside.
    Value copy(const Instruction& i) {
        switch (i.op) {
            case Op::loop_begin: return build_.begin_loop(operand(i, 0), operand(i, 1), operand(i, 2));
            case Op::loop_end: build_.end_loop(); return {};
            case Op::if_begin: build_.begin_if(operand(i, 0)); return {};
            case Op::if_else: build_.begin_else(); return {};
            case Op::if_end: build_.end_if(); return {};
            default: break;
        }
        Instruction same = i;
        for (int k = 0; k < 4; ++k) same.operands[static_cast<std::size_t>(k)] = operand(i, k).id();
        return build_.effect(same);
    }

    /// A global access like another, elsewhere; `value` is what is stored, or empty.
    Value access(const Instruction& like, Type type, const std::array<Value, 4>& operands) {
        Instruction i = like;
        i.type = type;
        for (std::size_t k = 0; k < operands.size(); ++k) i.operands[k] = operands[k].id();
        return build_.effect(i);
    }

    Value slice(Value whole, unsigned first, unsigned count) {
        if (count == whole.type().lanes) return whole;
        if (count == 1) return build_.extract(whole, first);
        std::vector<unsigned> lanes(count);
        for (unsigned k = 0; k < count; ++k) lanes[k] = first + k;
        return build_.shuffle(whole, {}, lanes);
    }

    /// Powers of two, end to end.
    Value joined(std::vector<Value> pieces) {
        while (pieces.size() > 1) {
            for (std::size_t k = 0; k < pieces.size() / 2; ++k)
                pieces[k] = build_.compose({pieces[2 * k], pieces[2 * k + 1]});
            pieces.resize(pieces.size() / 2);
        }
        return pieces.front();
    }

    const Kernel& old_;
    Builder build_;
    std::vector<Value> values_;  // of each old one
};

}  // namespace seiche::ir
