// Moves loads from tables, and what makes their indices, ahead of barriers.
#include "emit/table_loads.hpp"

#include <algorithm>
#include <map>

#include "ir/liveness.hpp"

namespace seiche::emit {

using ir::Instruction;
using ir::Kernel;
using ir::Op;
using ir::OpKind;
using ir::ValueId;

namespace {

/// What a unit has, and threads that hide each other's waits where a kernel does not say how many groups it needs.
constexpr std::uint32_t registers_of_unit = 65536, fewest_threads = 512, warp = 32;
/// Registers of a thread that hold no numbers: addresses.
constexpr std::uint32_t addresses = 8;

bool is_table_load(const Kernel& kernel, const Instruction& i) {
    if (i.op != Op::global_load || ir::names_part(i)) return false;
    const ir::BufferParameter& buffer = kernel.buffers[i.symbol];
    return buffer.table && buffer.access == ir::Access::read && !buffer.may_alias;
}

bool is_group_barrier(Op op) { return op == Op::group_barrier || op == Op::cluster_barrier; }
bool reads_shared(Op op) { return op == Op::shared_load || op == Op::cluster_load; }
bool writes_shared(Op op) { return op == Op::shared_store || op == Op::cluster_store; }

/// What nothing is moved across, and across whose like no load that stands in its place goes: other brackets and what
/// tells of global memory.
bool is_border(Op op) {
    const OpKind kind = ir::op_kind(op);
    return kind == OpKind::control || kind == OpKind::atomic || op == Op::fence;
}

std::uint32_t threads_of(const ir::LaunchAttributes& launch) { return (launch.group_size() + warp - 1) / warp * warp; }

/// How many groups are to be resident.
std::uint32_t groups_of_unit(const ir::LaunchAttributes& launch) {
    if (launch.min_groups_per_unit != 0) return launch.min_groups_per_unit;
    return std::max(fewest_threads / threads_of(launch), 1u);
}

/// Registers that a thread may have for numbers then.
std::uint32_t registers_of_thread(const ir::LaunchAttributes& launch) {
    return registers_of_unit / (threads_of(launch) * groups_of_unit(launch)) - addresses;
}

/// For each instruction the one that it now comes before; its own number where it stays.
using Order = std::vector<ValueId>;

class Placing {
public:
    explicit Placing(const Kernel& kernel) : kernel_(kernel), before_(kernel.code.size()), placed_(kernel.code.size()) {
        for (ValueId id = 0; id < before_.size(); ++id) before_[id] = id;
    }

    PlacedLoads run() {
        const std::uint32_t most = registers_of_thread(kernel_.launch);
        if (ir::numbers_live(kernel_) > most) return {kernel_, std::vector<bool>(kernel_.code.size())};
        find_stages();
        bool moves_any = false;
        for (const auto& [barrier, loads] : stages_) moves_any = move_stage(barrier, loads, most) || moves_any;
        PlacedLoads made = reordered();
        if (moves_any) made.kernel.launch.min_groups_per_unit = groups_of_unit(kernel_.launch);
        return made;
    }

private:
    /// Whether any of a stage's loads come ahead of its barrier.
    bool move_stage(ValueId barrier, const std::vector<ValueId>& loads, std::uint32_t most_registers) {
        const Order before = before_;
        std::vector<ValueId> moved;
        for (const ValueId load : loads)
            if (move(load, barrier)) moved.push_back(load);
        if (ir::numbers_live(reordered().kernel) > most_registers) {
            before_ = before;
            return false;
        }
        for (const ValueId load : moved) placed_[load] = true;
        return !moved.empty();
    }

    /// Loads that come behind the loads of points behind a barrier are that barrier's; those between stores of points
    /// and the next barrier stand where they should.
    void find_stages() {
        ValueId barrier = ir::no_value;
        bool has_read = false, has_written = false;
        std::vector<ValueId> waiting;
        for (ValueId id = 0; id < kernel_.code.size(); ++id) {
            const Instruction& i = kernel_.code[id];
            if (is_group_barrier(i.op) || is_border(i.op)) {
                if (is_group_barrier(i.op))
                    for (const ValueId load : waiting) placed_[load] = true;
                waiting.clear();
                barrier = is_border(i.op) ? ir::no_value : id;
                has_read = has_written = false;
            } else if (is_table_load(kernel_, i)) {
                if (has_read && barrier != ir::no_value)
                    stages_[barrier].push_back(id);
                else if (has_written)
                    waiting.push_back(id);
            }
            has_read = has_read || reads_shared(i.op);
            has_written = has_written || writes_shared(i.op);
        }
    }

    /// Whether the value may be had ahead of the barrier, and then it is, with all that it needs.
    bool move(ValueId id, ValueId barrier) {
        if (before_[id] <= barrier) return true;
        const Instruction& i = kernel_.code[id];
        if (!ir::op_is_pure(i.op) && !is_table_load(kernel_, i)) return false;
        for (const ValueId needed : i.operands)
            if (needed != ir::no_value && !move(needed, barrier)) return false;
        before_[id] = barrier;
        return true;
    }

    PlacedLoads reordered() const {
        std::vector<ValueId> order(before_.size()), numbers(before_.size());
        for (ValueId id = 0; id < order.size(); ++id) order[id] = id;
        // A barrier stays, and comes behind what moves ahead of it.
        std::stable_sort(order.begin(), order.end(), [&](ValueId a, ValueId b) {
            return before_[a] != before_[b] ? before_[a] < before_[b] : (before_[a] != a) > (before_[b] != b);
        });
        PlacedLoads made{kernel_, std::vector<bool>(order.size())};
        for (ValueId at = 0; at < order.size(); ++at) numbers[order[at]] = at;
        for (ValueId at = 0; at < order.size(); ++at) {
            Instruction i = kernel_.code[order[at]];
            for (ValueId& operand : i.operands)
                if (operand != ir::no_value) operand = numbers[operand];
            made.kernel.code[at] = i;
            made.is_placed[at] = placed_[order[at]];
        }
        return made;
    }

    const Kernel& kernel_;
    Order before_;
    std::vector<bool> placed_;
    std::map<ValueId, std::vector<ValueId>> stages_;  // by their barriers
};

}  // namespace

PlacedLoads place_table_loads(const Kernel& kernel) { return Placing(kernel).run(); }

}  // namespace seiche::emit
