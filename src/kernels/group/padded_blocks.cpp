// Padding between the blocks that a stage of the GPU core leaves its results in. Butterfly b = q s + p of radix r
// writes q (r s + padding) + k s + p: where r s + padding is s more than a multiple of the banks, neighbouring
// butterflies meet in none. The next stage's butterfly b reads b + j n / r', whose blocks are those of b, a constant
// number further on: so that each place is a base and a constant, and the only division is the one that its twiddles
// need too.
#include <algorithm>
#include <utility>

#include "kernels/group/places_choice.hpp"

namespace seiche::kernels {

/// Where points pass through shared memory for nothing else. Sequences of a prime lie as far apart as its logarithms
/// are told to: what its stages would have meets as often with them.
bool PlacesChoice::may_have_blocks() const {
    return shape_.exchange.chunks == 1 && shape_.exchange.neighbours == 1 && shape_.pairs_in_turn() == 0 &&
           !shape_.is_scalarised && !(spec_.convolution.prime && shape_.sequences > 1) &&
           !passes_numbers(spec_, Side::input) && !passes_numbers(spec_, Side::output);
}

/// Of a few of the group's subgroups at their first leg, which the others are shifted copies of. Of one block where the
/// results do not lie in blocks for the next stage.
BlockedExchange PlacesChoice::blocked_exchange(std::size_t stage) const {
    constexpr std::uint32_t subgroup = 32, most_counted = 16;
    const CoreStage &from = stages_.stages()[stage], &to = stages_.stages()[stage + 1];
    const bool has_blocks = !from.redistributes && !to.redistributes && to.s == from.radix * from.s;
    BlockedExchange exchange{has_blocks ? to.s : spec_.n, shape_.sequences > 1, {}};
    for (const bool writes : {true, false}) {
        const CoreStage& side = writes ? from : to;
        const std::uint32_t of_round = (stages_.count() + subgroup - 1) / subgroup, all = side.per_thread * of_round;
        const std::uint32_t counted = std::min(all, most_counted);
        for (std::uint64_t i = 0; i < counted; ++i) {
            const auto which = static_cast<std::uint32_t>(i * all / counted);
            const std::uint32_t u = which / of_round, first = which % of_round * subgroup;
            BlockedAccess access{
                {}, {}, ((i + 1) * all / counted - which) * side.radix, writes && side.s == 1 ? side.radix : 1};
            for (std::uint32_t t = first; t < std::min(stages_.count(), first + subgroup); ++t) {
                const HostPlace at = place(shape_, side, u, t, 0, writes, true);
                if (!at.exists) continue;
                access.places.push_back(at.place);
                access.sequences.push_back(at.sequence);
            }
            exchange.accesses.push_back(std::move(access));
        }
    }
    return exchange;
}

/// Instead of a swizzle and of padding between sequences alone, where fewer accesses meet.
void PlacesChoice::choose_blocks(std::uint32_t most) {
    const unsigned bytes = bytes_moved();
    if (bytes < sizeof(float)) return;  // two numbers of a word do not meet
    std::vector<BlockedExchange> exchanges;
    std::vector<std::size_t> stages;
    ExchangeCost present;
    for (std::size_t i = 0; i + 1 < stages_.stages().size(); ++i) {
        if (!changes_hands(i)) continue;
        exchanges.push_back(blocked_exchange(i));
        stages.push_back(i);
        const ExchangeCost now = exchange_cost(exchanges.back(), {0, places_.own.pitch}, places_.own.swizzle, bytes);
        present.wavefronts += now.wavefronts;
        present.instructions += now.instructions;
    }
    if (exchanges.empty()) return;
    const Paddings paddings = choose_paddings(exchanges, spec_.n, shape_.sequences, most, bytes);
    if (paddings.cost >= present) return;
    places_.own.swizzle = {Swizzle::Rule::none, 0, 0, places_.own.swizzle.mask};
    places_.own.pitch = paddings.pitch;
    places_.padded_sequence = paddings.extent;
    for (std::size_t i = 0; i < stages.size(); ++i) places_.behind_blocks[stages[i]] = paddings.behind_blocks[i];
}

}  // namespace seiche::kernels
