// Where a pass's points lie in shared memory while they change hands. The layout is chosen before any of them moves: a
// swizzle, or padding between sequences and between blocks of results, whichever meets in the fewest banks.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "kernels/group/bank_conflicts.hpp"
#include "kernels/group/threads.hpp"

namespace seiche::kernels {

/// Whether a real map's numbers or bins pass through shared memory on this side.
bool passes_numbers(const KernelSpec& spec, Side side);
inline bool has_real_map(const KernelSpec& spec) { return spec.in.map() || spec.out.map(); }

class SharedLayout {
public:
    SharedLayout(Frame& frame, const KernelSpec& spec, const Threads& threads);

    // Places, before swizzling.
    std::uint32_t pitch() const { return pitch_; }  ///< From one sequence's points, or their chunk, to the next one's.
    std::uint32_t chunk_points() const { return spec_.n / shape_.exchange.chunks; }
    /// Of a sequence's point 0 and the thread's butterfly.
    ir::Value points_of(const CoreStage& stage, const ThreadButterfly& where) const;
    /// Of the butterfly's result 0, where blocks of results have such padding.
    ir::Value results_of(const CoreStage& stage, const ThreadButterfly& where, std::uint32_t padding) const;
    /// Elements behind each block of the stage's results, for the next one.
    std::uint32_t padding_behind(std::size_t stage) const { return paddings_[stage]; }
    /// What the blocks ahead of the butterfly's points have been left.
    ir::Value padding_ahead(const CoreStage& stage, std::uint32_t u, const ThreadButterfly& where,
                            std::uint32_t padding) const;
    /// Of what a prime has beside its points.
    ir::Value beside(ir::Value sequence_in_group) const;

    // Addresses: swizzled places.
    ir::Value at(ir::Value place) const { return swizzle_.apply(place, 0, false); }
    /// Of place + constant, a leg: with a power of two of points they have no bit in common.
    ir::Value at_leg(ir::Value place, std::uint32_t constant) const { return at(place, constant, power_of_two_); }
    ir::Value at(ir::Value place, std::uint32_t constant, bool is_disjoint) const {
        return swizzle_.apply(place, constant, is_disjoint);
    }
    bool is_power_of_two() const { return power_of_two_; }
    /// Elements of a plane.
    std::uint32_t extent() const;

    bool exchanges() const { return threads_.stages().size() > 1 || has_real_map(spec_); }
    bool moves_whole_points() const;

    /// Of what the pass exchanges by itself.
    void choose();

    // Of passes in one kernel.

    /// Of what a stage touches: a few legs of two subgroups, or all of some subgroups.
    enum class Counted : std::uint8_t { few, most };
    void add_patterns(const CoreStage& stage, bool writes, Counted counted, std::vector<AccessPattern>& all) const;
    std::vector<AccessPattern> patterns() const;
    using Patterns = std::function<std::vector<AccessPattern>()>;
    void choose_swizzle(const std::vector<AccessPattern>& patterns, const SharedLayout* other_than = nullptr);
    /// Padding between sequences, instead of within them, where that leaves as few wavefronts.
    void choose_pitch(std::uint32_t most, const Patterns& patterns);
    /// Elements between and within the sequences of a pass that shares its group with another, at most; 0: none.
    std::uint32_t most_padding_in_group(bool have_own_threads) const;
    /// Of what the pass exchanges by itself, and of its bins, each as suits it: the extent (measured: docs/lab,
    /// LAB-0010).
    std::uint32_t choose_apart(std::uint32_t most);
    /// Sequences lie so far from each other, as they are.
    void choose_rows(std::uint32_t pitch);
    /// The present layout is that of what is transposed to this pass; another one may be chosen for the rest.
    void keep_for_transpose() { transposed_ = Places{swizzle_, pitch_}; }
    /// Between the pass's own layout and that of what is transposed to it, or of its plane's bins, if it is another.
    void swap_transposed() { swap(transposed_); }
    void swap_bins() { swap(bins_); }

private:
    struct Places {
        Swizzle swizzle;
        std::uint32_t pitch = 0;
    };
    void swap(std::optional<Places>& with);
    bool is_fused() const { return spec_.is_second() || !spec_.on_chip.next.empty(); }
    bool changes_hands(std::size_t stage) const;
    unsigned bytes_moved() const;
    std::uint32_t places_of_sequence() const;
    std::uint32_t most_padding() const;
    bool may_have_pitch() const;
    bool may_have_blocks() const;
    void choose_blocks(std::uint32_t most);
    BlockedExchange blocked_exchange(std::size_t stage) const;
    AccessPattern pattern_of(const CoreStage& stage, std::uint32_t u, std::uint32_t leg, std::uint32_t first,
                             bool writes) const;
    void add_few(const CoreStage& stage, bool writes, bool all_legs, std::vector<AccessPattern>& all) const;
    void add_most(const CoreStage& stage, bool writes, std::vector<AccessPattern>& all) const;
    void add_side(const CoreStage& stage, bool writes, Counted counted, std::vector<AccessPattern>& all) const;
    void add_exchange_patterns(Counted counted, std::vector<AccessPattern>& all) const;
    void add_bins_patterns(Counted counted, std::vector<AccessPattern>& all) const;

    Frame& frame_;
    const KernelSpec& spec_;
    const GroupShape& shape_;
    const Threads& threads_;
    bool power_of_two_;
    Swizzle swizzle_;
    std::uint32_t pitch_;
    std::uint32_t widest_ = 0;             // elements of a sequence whose blocks have padding between them
    std::vector<std::uint32_t> paddings_;  // behind each stage's blocks of results
    std::optional<Places> transposed_, bins_;
};

}  // namespace seiche::kernels
