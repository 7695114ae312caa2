// Room between the blocks that a stage of the GPU core leaves its results in. Butterfly b = q s + p of radix r writes
// q (r s + room) + k s + p: where r s + room is s more than a multiple of the banks, neighbouring butterflies meet in
// none. The next stage's butterfly b reads b + j n / r', whose blocks are those of b, a constant number further on: so
// that each place is a base and a constant, and the only division is the one that its twiddles need too.
#include <algorithm>
#include <utility>

#include "kernels/group/group.hpp"

namespace seiche::kernels {

using ir::Value;

/// Where points pass through shared memory for nothing else. Sequences of a prime lie as far apart as its logarithms
/// are told to: what its stages would have meets as often with them.
bool GroupKernel::may_have_rooms() const {
    const bool is_fused = spec_.is_second() || !spec_.on_chip.next.empty() || shape_.tile;
    return shape_.exchange.padding != 0 && !is_fused && may_have_blocks() && !is_of_plane(spec_.in.bins()) &&
           !is_of_plane(spec_.out.bins());
}

/// The same of passes whose crossing and whose bins have layouts of their own.
bool GroupKernel::may_have_blocks() const {
    return shape_.exchange.chunks == 1 && shape_.exchange.neighbours == 1 && shape_.pairs_in_turn() == 0 &&
           !shape_.is_scalarised && !(spec_.convolution.prime && shape_.sequences > 1) &&
           !passes_numbers(Side::input) && !passes_numbers(Side::output);
}

/// Whether the results of this stage lie in blocks for the next one.
bool GroupKernel::has_blocks(std::size_t stage) const {
    const StageDeal &from = stages_[stage], &to = stages_[stage + 1];
    return !from.is_deal && !to.is_deal && to.s == from.radix * from.s;
}

/// Of a few of the group's subgroups at their first leg, which the others are shifted copies of. Of one block where
/// there are none.
BlockedExchange GroupKernel::blocked_exchange(std::size_t stage) const {
    constexpr std::uint32_t subgroup = 32, most_counted = 16;
    BlockedExchange exchange{has_blocks(stage) ? stages_[stage + 1].s : spec_.n, shape_.sequences > 1, {}};
    for (const bool writes : {true, false}) {
        const StageDeal& side = stages_[writes ? stage : stage + 1];
        const std::uint32_t of_slot = (group_size_ + subgroup - 1) / subgroup, all = side.slots * of_slot;
        const std::uint32_t counted = std::min(all, most_counted);
        for (std::uint64_t i = 0; i < counted; ++i) {
            const auto which = static_cast<std::uint32_t>(i * all / counted);
            const std::uint32_t u = which / of_slot, first = which % of_slot * subgroup;
            BlockedAccess access{
                {}, {}, ((i + 1) * all / counted - which) * side.radix, writes && side.s == 1 ? side.radix : 1};
            for (std::uint32_t t = first; t < std::min(group_size_, first + subgroup); ++t) {
                const auto at = host_place(side, u, t, 0, writes);
                if (!at) continue;
                access.places.push_back(at->place);
                access.sequences.push_back(at->sequence);
            }
            exchange.accesses.push_back(std::move(access));
        }
    }
    return exchange;
}

/// Instead of a swizzle and of room between sequences alone, where fewer accesses meet.
void GroupKernel::choose_blocks(std::uint32_t most) {
    const unsigned bytes = bytes_exchanged();
    if (bytes < sizeof(float)) return;  // two numbers of a word do not meet
    std::vector<BlockedExchange> exchanges;
    std::vector<std::size_t> stages;
    ExchangeCost present;
    for (std::size_t i = 0; i + 1 < stages_.size(); ++i) {
        if (keeps_points(i + 1) || takes_logarithms(stages_[i]) || takes_logarithms(stages_[i + 1])) continue;
        exchanges.push_back(blocked_exchange(i));
        stages.push_back(i);
        const ExchangeCost now = exchange_cost(exchanges.back(), {0, pitch_}, swizzle_, bytes);
        present.wavefronts += now.wavefronts;
        present.instructions += now.instructions;
    }
    if (exchanges.empty()) return;
    const Rooms rooms = choose_rooms(exchanges, spec_.n, shape_.sequences, most, bytes);
    if (rooms.cost >= present) return;
    swizzle_ = {Swizzle::Rule::none, 0, 0, swizzle_.mask};
    pitch_ = rooms.pitch;
    widest_ = rooms.extent;
    for (std::size_t i = 0; i < stages.size(); ++i) {
        stages_[stages[i]].room_of_results = rooms.behind_blocks[i];
        stages_[stages[i] + 1].room_of_points = rooms.behind_blocks[i];
    }
}

/// Of a slot's butterfly: what the blocks ahead of its points have been left.
Value GroupKernel::room_ahead(const StageDeal& stage, std::uint32_t u, const Slot& where) {
    const std::uint64_t room = stage.room_of_points, s = stage.s;
    const bool is_whole = where.lane && stride() % s == 0;
    if (!is_whole) return where.butterfly / s * room;
    return where.lane / s * room + std::uint64_t{u / shape_.exchange.neighbours} * (stride() / s) * room;
}

}  // namespace seiche::kernels
