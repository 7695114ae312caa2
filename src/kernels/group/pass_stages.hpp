// What is known of a pass's core without a kernel: its stages, and how many threads have them.
#pragma once

#include <vector>

#include "kernels/contract/distribution.hpp"

namespace seiche::kernels {

/// Whether a real map's numbers or bins pass through shared memory on this side.
bool passes_numbers(const KernelSpec& spec, Side side);
inline bool has_real_map(const KernelSpec& spec) { return spec.in.map() || spec.out.map(); }
/// Whether both parts of a point go in one access to shared memory.
bool moves_whole_points(const KernelSpec& spec);

class PassStages {
public:
    explicit PassStages(const KernelSpec& spec)
        : spec_(spec), shape_(std::get<GroupShape>(spec.shape)), stages_(core_stages(spec)) {}

    std::uint32_t count() const { return shape_.group_threads(); }
    const std::vector<CoreStage>& stages() const { return stages_; }
    const CoreStage& first() const { return stages_.front(); }
    const CoreStage& last() const { return stages_.back(); }
    bool is_convolution() const { return !spec_.convolution.stages.empty(); }
    /// Of a convolution: the last stage of its first core.
    std::size_t turn() const {
        std::size_t i = 0;
        while (!stages_[i + 1].keeps) ++i;
        return i;
    }
    /// A prime's points of memory, which lie in shared memory by their logarithms.
    bool takes_logarithms(const CoreStage& stage) const { return stage.redistributes && spec_.convolution.prime != 0; }
    /// Points of a sequence, from the first on, that a stage leaves in shared memory. Those behind them are 0, and
    /// nobody has written them.
    std::uint32_t points_written(const CoreStage& stage) const {
        return stage.redistributes && !takes_logarithms(stage) ? stage.butterflies : spec_.n;
    }

protected:
    const KernelSpec& spec_;
    const GroupShape& shape_;
    std::vector<CoreStage> stages_;
};

}  // namespace seiche::kernels
