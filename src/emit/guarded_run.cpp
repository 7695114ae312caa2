// Accesses under one predicate, gathered under one `if`: compilers do not reliably merge many short branches again, and
// loads that stand in separate branches wait for one another.
#include "emit/guarded_run.hpp"

#include <algorithm>
#include <set>

#include "emit/c_like.hpp"

namespace seiche::emit {

using ir::Instruction;
using ir::Op;
using ir::ValueId;

namespace {

// More than this between two accesses is work, not addresses: moving it would keep values alive for longer than the
// kernel meant.
constexpr std::size_t most_between = 12;

/// Words that a run's loads may leave in a thread's registers: three quarters of those that a unit of 65536 has for it.
/// Doubles of type IV, whose points' roots were loaded with them, spilled 784 bytes a thread (columns of 2160).
std::size_t most_words_of_run(const ir::LaunchAttributes& launch) {
    constexpr std::uint32_t registers_of_unit = 65536, most_registers = 255;
    const std::uint32_t threads = launch.group_size() * std::max(1u, launch.min_groups_per_unit);
    return std::min(most_registers, registers_of_unit / threads) * std::size_t{3} / 4;
}

bool uses_any(const Instruction& instruction, const std::set<ValueId>& values) {
    return std::any_of(instruction.operands.begin(), instruction.operands.end(),
                       [&](ValueId v) { return v != ir::no_value && values.count(v) != 0; });
}

}  // namespace

unsigned predicate_operand(Op op) { return op == Op::global_load || op == Op::shared_load ? 1 : 2; }

bool opens_guarded_run(const ir::Kernel& kernel, ValueId id) {
    const Instruction& i = kernel.code[id];
    return (i.op == Op::global_load || i.op == Op::global_store) && i.operands[predicate_operand(i.op)] != ir::no_value;
}

bool opens_guarded_shared_run(const ir::Kernel& kernel, ValueId id) {
    const Instruction& i = kernel.code[id];
    return (i.op == Op::shared_load || i.op == Op::shared_store) && i.operands[predicate_operand(i.op)] != ir::no_value;
}

GuardedRun find_guarded_run(const ir::Kernel& kernel, ValueId first) {
    const Instruction& opening = kernel.code[first];
    const unsigned k = predicate_operand(opening.op);
    GuardedRun run;
    std::set<ValueId> dependent;
    std::vector<ValueId> independent_since, dependent_since;  // since the last access
    std::size_t loaded = 0;
    const std::size_t most = most_words_of_run(kernel.launch);
    for (ValueId id = first; id < kernel.code.size(); ++id) {
        const Instruction& i = kernel.code[id];
        const bool needs_result = uses_any(i, dependent);
        if (i.op == opening.op && i.operands[k] == opening.operands[k]) {
            if (opening.op == Op::global_load) loaded += (ir::type_bytes(i.type) + 3) / 4;
            if (needs_result || (loaded > most && id != first)) break;
            run.before.insert(run.before.end(), independent_since.begin(), independent_since.end());
            run.after.insert(run.after.end(), dependent_since.begin(), dependent_since.end());
            independent_since.clear();
            dependent_since.clear();
            run.accesses.push_back(id);
            run.last = id;
            dependent.insert(id);
        } else if (ir::op_is_pure(i.op) && independent_since.size() + dependent_since.size() < most_between) {
            (needs_result ? dependent_since : independent_since).push_back(id);
            if (needs_result) dependent.insert(id);
        } else {
            break;
        }
    }
    return run;
}

ValueId Writer::write_run(ValueId first) {
    const GuardedRun run = find_guarded_run(kernel_, first);
    if (run.accesses.size() == 1) {
        write(first);
        return first;
    }
    for (const ValueId id : run.before) write(id);
    const Op op = kernel_.code[first].op;
    const std::string& predicate = operand(kernel_.code[first], predicate_operand(op));
    if (op == Op::global_load)
        for (const ValueId id : run.accesses) declare(id, zero(kernel_.code[id].type));
    line("if (" + predicate + ") {");
    ++depth_;
    for (const ValueId id : run.accesses) {
        const ir::Instruction& i = kernel_.code[id];
        const MemoryAccess access = global_access(i, 0);
        line(op == Op::global_load ? values_[id] + " = " + dialect_.load(*this, access) + ";"
                                   : dialect_.store(*this, access, operand(i, 1)));
    }
    --depth_;
    line("}");
    for (const ValueId id : run.after) write(id);
    return run.last;
}

}  // namespace seiche::emit
