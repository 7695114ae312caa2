// Accesses under one predicate, gathered under one `if`: compilers do not reliably merge many short branches again, and
// loads that stand in separate branches wait for one another.
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

unsigned predicate_of(Op op) { return op == Op::global_load ? 1 : 2; }

bool uses_any(const Instruction& instruction, const std::set<ValueId>& values) {
    return std::any_of(instruction.operands.begin(), instruction.operands.end(),
                       [&](ValueId v) { return v != ir::no_value && values.count(v) != 0; });
}

struct Run {
    std::vector<ValueId> accesses;
    std::vector<ValueId> before;  ///< Pure values among them that need none of their results.
    std::vector<ValueId> after;   ///< Those that do.
    ValueId last = 0;
};

// From `first` on, over pure instructions only, all accesses of the same kind under the same predicate.
Run find_run(const ir::Kernel& kernel, ValueId first) {
    const Instruction& opening = kernel.code[first];
    const unsigned k = predicate_of(opening.op);
    Run run;
    std::set<ValueId> dependent;
    std::vector<ValueId> independent_since, dependent_since;  // since the last access
    for (ValueId id = first; id < kernel.code.size(); ++id) {
        const Instruction& i = kernel.code[id];
        const bool needs_result = uses_any(i, dependent);
        if (i.op == opening.op && i.operands[k] == opening.operands[k]) {
            if (needs_result) break;
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

}  // namespace

bool Writer::opens_run(ValueId id) const {
    const Instruction& i = kernel_.code[id];
    return (i.op == Op::global_load || i.op == Op::global_store) && i.operands[predicate_of(i.op)] != ir::no_value;
}

ValueId Writer::write_run(ValueId first) {
    const Run run = find_run(kernel_, first);
    if (run.accesses.size() == 1) {
        write(first);
        return first;
    }
    for (const ValueId id : run.before) write(id);
    const Op op = kernel_.code[first].op;
    const std::string& predicate = operand(kernel_.code[first], predicate_of(op));
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
