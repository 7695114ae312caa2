// What a point goes through between memory and registers: pruning, the side's stages, a four-step twiddle's rows.
#pragma once

#include "kernels/group/threads.hpp"
#include "kernels/pointwise.hpp"

namespace seiche::kernels {

enum class Keeps : std::uint8_t { none, some, all };

class Passage {
public:
    Passage(Frame& frame, const KernelSpec& spec, const Threads& threads)
        : frame_(frame), spec_(spec), threads_(threads) {}

    /// Which of the points from `leg` on, one for each butterfly, are kept in memory.
    Keeps keeps(const CoreStage& stage, std::uint64_t leg, Side side) const;
    /// Whether pruning or a chirp leaves out all of them.
    bool is_empty(const CoreStage& stage, std::uint64_t leg, Side side) const;
    /// Whether a chirp and pruning leave the point `place`, one of these. Empty: they leave all of these.
    ir::Value inside(const CoreStage& stage, std::uint64_t leg, Side side, const Place& place) const;
    /// A point of the butterfly through the stages of the side. It is element lane + butterfly_stride() row of its
    /// sequence.
    ir::Complex pass(Side side, ir::Complex x, const ThreadButterfly& where, const Place& place,
                     std::uint32_t row) const;
    /// All points that are loaded.
    void pass_loaded(std::vector<ir::Complex>& points) const;
    /// Makes the twiddles of loaded points ahead of them: what they take to come is hidden by the wait for the points,
    /// whose registers are free. The builder numbers them, so that pass() finds them made (measured: docs/lab,
    /// LAB-0010).
    void fetch_row_factors() const;

private:
    /// How the index along the axis is found, as in Kept and Chirp.
    struct AxisIndex {
        std::uint64_t element_stride = 1;
        std::int32_t loop = -1;
        std::uint64_t loop_step = 1;
    };
    Keeps lie_in(const std::vector<Range>& ranges, const AxisIndex& index, const CoreStage& stage,
                 std::uint64_t leg) const;
    Keeps lets_through(const CoreStage& stage, std::uint64_t leg, Side side) const;
    std::vector<ir::Complex> row_factors(const FourStepTwiddle& twiddle, Side side, const ThreadButterfly& where,
                                         const Place& place, std::uint32_t row) const;

    Frame& frame_;
    const KernelSpec& spec_;
    const Threads& threads_;
};

}  // namespace seiche::kernels
