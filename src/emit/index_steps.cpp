// Pointers have 64 bits, and those to shared memory too, as NVRTC has it: a sum of 32 bits has to be made and then
// widened for each access, because it might carry. Of one that cannot, the value is added to the pointer, and the
// constant to that: accesses share an address, and each has the constant in its instruction.
#include "emit/index_steps.hpp"

#include "emit/c_like.hpp"
#include "ir/bounds.hpp"

namespace seiche::emit {

using ir::Instruction;
using ir::Op;
using ir::ValueId;

namespace {

bool widens(const Instruction& i) { return i.op == Op::convert && i.type == ir::Type(ir::Scalar::u64); }

/// The operand that may be taken apart: an index into shared memory, or what is widened; none: past all.
std::size_t index_operand(const Instruction& i) {
    if (i.op == Op::shared_load || i.op == Op::shared_store || widens(i)) return 0;
    return i.op == Op::cluster_load || i.op == Op::cluster_store ? 1 : i.operands.size();
}

}  // namespace

IndexSteps find_index_steps(const ir::Kernel& kernel) {
    const std::vector<ir::Bounds> bounds = ir::bounds(kernel);
    IndexSteps steps{std::vector<bool>(kernel.code.size()), std::vector<bool>(kernel.code.size())};
    for (ValueId id = 0; id < kernel.code.size(); ++id) {
        const Instruction& i = kernel.code[id];
        if (i.op != Op::add || i.type != ir::Type(ir::Scalar::u32)) continue;
        const Instruction& constant = kernel.code[i.operands[1]];
        if (constant.op != Op::constant) continue;
        const bool may_carry = bounds[i.operands[0]].greatest > ir::greatest_of(i.type.scalar) - constant.immediate;
        steps.is_step[id] = steps.is_idle[id] = !may_carry;
    }
    for (const Instruction& i : kernel.code) {
        for (std::size_t k = 0; k < i.operands.size(); ++k)
            if (i.operands[k] != ir::no_value && k != index_operand(i)) steps.is_idle[i.operands[k]] = false;
    }
    return steps;
}

MemoryAccess Writer::shared_access(const Instruction& instruction, unsigned index) const {
    const ValueId at = instruction.operands[index];
    const bool is_step = dialect_.steps_indices && steps_.is_step[at];
    MemoryAccess access{dialect_.shared_space, shared_[instruction.symbol], kernel_.shared[instruction.symbol].element,
                        is_step ? operand(kernel_.code[at], 0) : operand(instruction, index), instruction.type};
    if (is_step) access.step = operand(kernel_.code[at], 1);
    return access;
}

bool Writer::widens_step(const Instruction& convert) const {
    return dialect_.steps_indices && widens(convert) && steps_.is_step[convert.operands[0]];
}

std::string Writer::widened_step(const Instruction& convert) const {
    const Instruction& sum = kernel_.code[convert.operands[0]];
    return "(" + dialect_.type_name(convert.type) + ")" + operand(sum, 0) + " + " +
           literal(convert.type, kernel_.code[sum.operands[1]].immediate);
}

}  // namespace seiche::emit
