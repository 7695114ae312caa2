// Addresses of a pass's points in shared memory, at the places that its spec says.
#pragma once

#include <optional>
#include <vector>

#include "kernels/group/bank_conflicts.hpp"
#include "kernels/group/threads.hpp"

namespace seiche::kernels {

class SharedLayout {
public:
    SharedLayout(const KernelSpec& spec, const Threads& threads);

    // Places, before swizzling.
    std::uint32_t pitch() const {
        return places_.own.pitch;
    }  ///< From one sequence's points, or their chunk, to the next one's.
    std::uint32_t chunk_points() const { return spec_.n / shape_.exchange.chunks; }
    /// Of a sequence's point 0 and the thread's butterfly.
    ir::Value points_of(const CoreStage& stage, const ThreadButterfly& where) const;
    /// Of the butterfly's result 0, where blocks of results have such padding.
    ir::Value results_of(const CoreStage& stage, const ThreadButterfly& where, std::uint32_t padding) const;
    /// Elements behind each block of the stage's results, for the next one.
    std::uint32_t padding_behind(std::size_t stage) const { return places_.behind_blocks[stage]; }
    /// What the blocks ahead of the slot's points have been left.
    ir::Value padding_ahead(const CoreStage& stage, std::uint32_t u, const ThreadButterfly& where,
                            std::uint32_t padding) const;
    /// Of what a prime has beside its points.
    ir::Value beside(ir::Value sequence_in_group) const;

    // Addresses: swizzled places.
    ir::Value at(ir::Value place) const { return at(place, 0, false); }
    /// Of place + constant, a leg: with a power of two of points they have no bit in common.
    ir::Value at_leg(ir::Value place, std::uint32_t constant) const { return at(place, constant, power_of_two_); }
    ir::Value at(ir::Value place, std::uint32_t constant, bool is_disjoint) const {
        return swizzled(places_.own.swizzle, place, constant, is_disjoint);
    }
    bool is_power_of_two() const { return power_of_two_; }

    /// Between the pass's own places and those of what is transposed to it, or of its plane's bins, if they are others.
    void swap_transposed() { swap(places_.transposed); }
    void swap_bins() { swap(places_.bins); }

private:
    void swap(std::optional<SharedPlaces>& with) {
        if (with) std::swap(places_.own, *with);
    }

    const KernelSpec& spec_;
    const GroupShape& shape_;
    const Threads& threads_;
    bool power_of_two_;
    PassPlaces places_;
};

}  // namespace seiche::kernels
