// Chooses where a pass's points lie in shared memory: a swizzle, or padding between sequences and between blocks of
// results, whichever has the fewest bank conflicts. Bank conflicts are counted over what subgroups touch.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "kernels/group/bank_conflicts.hpp"
#include "kernels/group/pass_stages.hpp"

namespace seiche::kernels {

class PlacesChoice {
public:
    explicit PlacesChoice(const KernelSpec& spec);

    const KernelSpec& spec() const { return spec_; }
    const GroupShape& shape() const { return shape_; }
    const PassStages& stages() const { return stages_; }
    std::uint32_t pitch() const { return places_.own.pitch; }
    /// Elements that the pass needs.
    std::uint32_t extent() const;
    const PassPlaces& places() const { return places_; }

    bool exchanges() const { return stages_.stages().size() > 1 || has_real_map(spec_); }
    /// For what the pass exchanges by itself.
    void choose();

    // Of passes in one kernel.

    /// Of what a stage touches: a few legs of two subgroups, or all of some subgroups.
    enum class Counted : std::uint8_t { few, most };
    void add_patterns(const CoreStage& stage, bool writes, Counted counted, std::vector<AccessPattern>& all) const;
    std::vector<AccessPattern> patterns() const;
    using Patterns = std::function<std::vector<AccessPattern>()>;
    void choose_swizzle(const std::vector<AccessPattern>& patterns, const PlacesChoice* other_than = nullptr);
    /// Padding between sequences, instead of within them, where that leaves as few wavefronts.
    void choose_pitch(std::uint32_t most, const Patterns& patterns);
    /// Elements between and within the sequences of a pass that shares its group with another, at most; 0: none.
    std::uint32_t most_padding_in_group(bool have_own_threads) const;
    /// For what the pass exchanges by itself, and for its bins, each as suits it: the extent (measured: docs/lab,
    /// LAB-0010).
    std::uint32_t choose_apart(std::uint32_t most);
    /// Sequences lie so far from each other, as they are.
    void choose_rows(std::uint32_t pitch) { places_.own.pitch = pitch; }
    /// The present places are those of what is transposed to this pass; others may be chosen for the rest.
    void keep_for_transpose() { places_.transposed = places_.own; }

private:
    bool is_fused() const { return spec_.is_second() || !spec_.on_chip.next.empty(); }
    bool changes_hands(std::size_t stage) const;
    unsigned bytes_moved() const;
    std::uint32_t chunk_points() const { return spec_.n / shape_.exchange.chunks; }
    std::uint32_t places_of_sequence() const;
    std::uint32_t most_padding() const;
    bool may_have_pitch() const;
    bool may_have_blocks() const;
    void choose_blocks(std::uint32_t most);
    BlockedExchange blocked_exchange(std::size_t stage) const;
    AccessPattern pattern_of(const CoreStage& stage, std::uint32_t where, std::uint32_t leg, std::uint32_t first,
                             bool writes) const;
    void add_few(const CoreStage& stage, bool writes, bool all_legs, std::vector<AccessPattern>& all) const;
    void add_most(const CoreStage& stage, bool writes, std::vector<AccessPattern>& all) const;
    void add_side(const CoreStage& stage, bool writes, Counted counted, std::vector<AccessPattern>& all) const;
    void add_exchange_patterns(Counted counted, std::vector<AccessPattern>& all) const;
    void add_bins_patterns(Counted counted, std::vector<AccessPattern>& all) const;

    const KernelSpec& spec_;
    const GroupShape& shape_;
    PassStages stages_;
    bool power_of_two_;
    PassPlaces places_;
};

}  // namespace seiche::kernels
