// The GPU core's generator: see group.cpp for the transform. Ways between memory and registers are methods of their
// own, so that other ways can stand beside them.
#pragma once

#include <vector>

#include "kernels/exchange.hpp"
#include "kernels/frame.hpp"
#include "kernels/pointwise.hpp"

namespace seiche::kernels {

class GroupKernel {
public:
    explicit GroupKernel(const KernelSpec& spec);
    ir::Kernel build();

private:
    struct StageDeal {
        std::uint32_t radix = 1;
        std::uint32_t s = 1;            // product of the radices before
        std::uint32_t butterflies = 1;  // per sequence
        std::uint32_t slots = 1;        // butterflies per thread
        ThreadOrder order = ThreadOrder::element_fastest;
    };

    /// One butterfly of one thread: which sequence of the group, which butterfly, and whether it exists.
    struct Slot {
        ir::Value sequence_in_group;
        ir::Value butterfly;
        ir::Value exists;  // empty: always
        ir::Value lane;    // the butterfly of the thread's first slot
    };

    void deal_stages();
    void choose_exchange();
    Slot slot(const StageDeal& stage, std::uint32_t u);
    void load();
    ir::Complex load_stages(ir::Complex x, const Slot& where, const Place& place, std::uint32_t row);
    void compute(std::size_t i);
    void exchange(std::size_t from, std::size_t to);
    void write_plane(const StageDeal& stage, bool imaginary);
    void read_plane(const StageDeal& stage, bool imaginary);
    void store();
    /// The butterfly's place p within its run of s; the same value in every slot where the threads come in whole runs.
    ir::Value place_in_run(const StageDeal& stage, const Slot& where) {
        const bool is_whole = where.lane && shape_.threads % stage.s == 0;
        return (is_whole ? where.lane : where.butterfly) % std::uint64_t{stage.s};
    }
    ir::Value sequence(const Slot& slot) {
        return frame_.builder.group_id() * std::uint64_t{shape_.sequences} + slot.sequence_in_group;
    }
    ir::Value exists(const Slot& slot) { return both(frame_.builder.less(sequence(slot), frame_.total), slot.exists); }
    ir::Value both(ir::Value a, ir::Value b) { return !a ? b : !b ? a : a & b; }
    std::uint32_t host_index(const StageDeal& stage, std::uint32_t thread, std::uint32_t leg, bool writes) const;
    std::vector<AccessPattern> patterns() const;

    Frame frame_;
    const KernelSpec& spec_;
    const GroupShape& shape_;
    std::uint32_t group_size_ = 1;
    std::vector<StageDeal> stages_;
    std::vector<ir::Complex> points_;  // [slot][leg] of the present stage
    Swizzle swizzle_;
    bool power_of_two_ = false;
    bool exchanged_ = false;
    std::uint32_t plane_[2] = {0, 0};
};

}  // namespace seiche::kernels
