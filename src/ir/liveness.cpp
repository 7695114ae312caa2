// Liveness of values: flat code with brackets needs no data flow iteration, only the loop that a use is in.
#include "ir/liveness.hpp"

#include <algorithm>

namespace seiche::ir {

namespace {

struct LoopRange {
    ValueId begin = 0;
    ValueId end = 0;
};

/// The loop_end of every loop_begin.
std::vector<ValueId> loop_ends(const Kernel& kernel) {
    std::vector<ValueId> ends(kernel.code.size(), no_value);
    std::vector<ValueId> open;
    for (ValueId i = 0; i < kernel.code.size(); ++i) {
        if (kernel.code[i].op == Op::loop_begin) {
            open.push_back(i);
        } else if (kernel.code[i].op == Op::loop_end && !open.empty()) {
            ends[open.back()] = i;
            open.pop_back();
        }
    }
    return ends;
}

std::uint32_t registers_of(const Instruction& i) {
    if (i.op == Op::constant || i.op == Op::parameter || i.op == Op::group_count) return 0;
    return (type_bytes(i.type) + 3) / 4;
}

/// Of values that `counts`.
template <typename Counts>
std::uint32_t most_live(const Kernel& kernel, const std::vector<ValueId>& last, const Counts& counts) {
    std::vector<std::int64_t> change(kernel.code.size() + 2, 0);
    for (ValueId i = 0; i < kernel.code.size(); ++i) {
        if (!makes_value(kernel.code[i]) || last[i] == i || !counts(kernel.code[i])) continue;
        const std::int64_t registers = registers_of(kernel.code[i]);
        change[i] += registers;
        change[last[i]] -= registers;  // a result may take the register of an operand that dies with it
    }
    std::int64_t live = 0, most = 0;
    for (const std::int64_t c : change) most = std::max(most, live += c);
    return static_cast<std::uint32_t>(most);
}

}  // namespace

std::vector<ValueId> last_uses(const Kernel& kernel) {
    const std::vector<ValueId> ends = loop_ends(kernel);
    std::vector<ValueId> last(kernel.code.size());
    std::vector<LoopRange> open;
    for (ValueId i = 0; i < kernel.code.size(); ++i) {
        const Instruction& instruction = kernel.code[i];
        last[i] = i;
        for (const ValueId v : instruction.operands) {
            if (v == no_value) continue;
            // The outermost loop around the use that does not enclose the definition.
            const auto loop = std::find_if(open.begin(), open.end(), [v](const LoopRange& r) { return r.begin > v; });
            last[v] = std::max(last[v], loop == open.end() ? i : loop->end);
        }
        if (instruction.op == Op::loop_begin) open.push_back({i, ends[i]});
        if (instruction.op == Op::loop_end && !open.empty()) open.pop_back();
    }
    return last;
}

std::uint32_t registers_live(const Kernel& kernel) {
    return most_live(kernel, last_uses(kernel), [](const Instruction&) { return true; });
}

std::uint32_t numbers_live(const Kernel& kernel) {
    std::vector<ValueId> last = last_uses(kernel);
    for (ValueId i = static_cast<ValueId>(kernel.code.size()); i-- > 0;) {
        if (op_kind(kernel.code[i].op) != OpKind::lanes) continue;
        for (const ValueId v : kernel.code[i].operands)
            if (v != no_value) last[v] = std::max(last[v], last[i]);
    }
    return most_live(kernel, last,
                     [](const Instruction& i) { return i.type.is_float() && op_kind(i.op) != OpKind::lanes; });
}

}  // namespace seiche::ir
