// What the generators of textbook kernels share: the points of a line, and the roots of unity.
#pragma once

#include <vector>

#include "kernels/frame.hpp"

namespace seiche::kernels {

/// Roots of so many points that come from one table; longer ones are products of two factors.
inline constexpr std::uint64_t most_listed_roots = std::uint64_t{1} << 16;

/// The sections of a textbook kernel's table.
std::vector<TableContent> textbook_tables(const Textbook& textbook);

class TextbookKernel {
public:
    explicit TextbookKernel(const KernelSpec& spec);
    ir::Kernel build();

private:
    // textbook.cpp
    void begin_items();
    void begin_group();
    void find_line(ir::Value sequence);
    std::uint32_t length() const { return static_cast<std::uint32_t>(book_.length); }
    ir::Value reversed(ir::Value place);
    ir::Complex load(ir::Value place, ir::Value when);
    void store(ir::Value place, ir::Complex x, ir::Value when);
    ir::Value both(ir::Value a, ir::Value b) { return a && b ? a & b : a ? a : b; }
    /// exp(-2 pi i exponent / root), of the inverse its conjugate; exponent (u32) below the root.
    ir::Complex twiddle(ir::Value exponent, std::uint64_t root);
    ir::Complex root_of(ir::Value exponent, std::uint64_t root);
    ir::Complex on_the_fly(ir::Value exponent, std::uint64_t root, bool is_native);
    ir::Complex recurrence(ir::Value exponent, std::uint64_t root);
    /// A butterfly of the transform's direction.
    std::vector<ir::Complex> combined(const std::vector<ir::Complex>& x);
    /// By +i where the transform is the inverse one, else by -i.
    ir::Complex turned(ir::Complex x);

    // textbook/items.cpp
    void make(const Butterflies& work);
    void make(const SplitButterflies& work);
    void make(const CoprimeButterflies& work);
    void make(const Level& work);
    /// What a level makes of output `index`, an integer of the line's, and the one half a block away.
    ir::Complex levelled(ir::Value index, std::uint64_t blocks, ir::Complex own, ir::Complex other);
    /// The sum of both where `is_second` is 0; where it is 1, their difference times the root to the power of kmax.
    ir::Complex sum_or_difference(ir::Value is_second, ir::Value kmax, ir::Complex own, ir::Complex other);
    ir::Value is_second_half(ir::Value index, std::uint64_t blocks);
    void make(const Reversal& work);
    void make(const Copying& work);
    void make(const Sums& work);
    ir::Value place(Places places, const Butterflies& work, std::uint32_t point);

    // textbook/groups.cpp
    void make(const MatrixRows& work);
    void make(const ChunkStages& work);
    void make(const Transposition& work);
    void make(const BlockLevels& work);
    ir::Complex cluster_levels(const BlockLevels& work, ir::Value index, ir::Complex own);
    ir::Complex group_levels(const BlockLevels& work, ir::Value index, ir::Complex own);
    ir::Complex from_cluster(const BlockLevels& work, std::uint64_t blocks, ir::Value index, ir::Complex own,
                             std::uint64_t room);
    void block_barrier(const BlockLevels& work, std::uint64_t block);
    void declare_shared(std::uint32_t count);
    ir::Complex take(ir::Value at);
    void put(ir::Value at, ir::Complex x, ir::Value when = {});
    void add_stage(const ChunkStages& work, std::uint32_t stage, ir::Value start);
    ir::Value padded(const ChunkStages& work, ir::Value local);

    // textbook/flags.cpp
    void make(const FlaggedLevels& work);
    void make(const Clearing& work);
    void far_level(const FlaggedLevels& work, ir::Value level, ir::Value task);
    void await_near(const FlaggedLevels& work, ir::Value task);
    void near_levels(const FlaggedLevels& work, ir::Value task, ir::Value is_near);
    void await(const FlaggedLevels& work, ir::Value part, ir::Value level);
    /// The counter of a part of this group's line.
    ir::Value counter_of(const FlaggedLevels& work, ir::Value part);

    // Sums in registers that outlive an iteration.
    ir::Complex held(std::uint32_t at);
    void hold(std::uint32_t at, ir::Complex x);
    std::uint32_t held_ = 0;

    Frame frame_;
    ir::Builder& build_;
    const KernelSpec& spec_;
    const Textbook& book_;
    ir::Value sequence_, item_, exists_, input_, output_;  // of this thread; no value: it always exists
    std::uint32_t shared_re_ = 0, shared_im_ = 0;
};

}  // namespace seiche::kernels
