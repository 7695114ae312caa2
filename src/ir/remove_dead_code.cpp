// Dead code elimination: drops pure instructions and loads that nothing with an effect needs, and renumbers.
#include <utility>
#include <vector>

#include "ir/optimise.hpp"

namespace seiche::ir {

namespace {

bool is_load(Op op) {
    return op == Op::global_load || op == Op::shared_load || op == Op::private_load || op == Op::call_load;
}

constexpr std::uint32_t no_buffer = 0xffffffffu;

Kernel remove(Kernel kernel, std::uint32_t unwanted) {
    const std::size_t count = kernel.code.size();
    std::vector<bool> needed(count, false);
    for (std::size_t at = count; at-- > 0;) {
        const Instruction& i = kernel.code[at];
        const bool is_unwanted = i.op == Op::global_store && i.symbol == unwanted;
        if (!op_is_pure(i.op) && !is_load(i.op) && !is_unwanted) needed[at] = true;
        if (!needed[at]) continue;
        for (const ValueId operand : i.operands) {
            if (operand != no_value) needed[operand] = true;
        }
    }
    std::vector<ValueId> renumbered(count, no_value);
    std::vector<Instruction> code;
    code.reserve(count);
    for (std::size_t at = 0; at < count; ++at) {
        if (!needed[at]) continue;
        Instruction i = kernel.code[at];
        for (ValueId& operand : i.operands) {
            if (operand != no_value) operand = renumbered[operand];
        }
        renumbered[at] = static_cast<ValueId>(code.size());
        code.push_back(i);
    }
    kernel.code = std::move(code);
    return kernel;
}

}  // namespace

Kernel remove_dead_code(Kernel kernel) { return remove(std::move(kernel), no_buffer); }

Kernel remove_stores(Kernel kernel, std::uint32_t buffer) { return remove(std::move(kernel), buffer); }

}  // namespace seiche::ir
