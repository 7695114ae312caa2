// The GPU core's generator: Stockham's autosort transform with the points in registers and shared memory for exchange
// only (Stockham, "High-speed convolution and correlation", 1966; Govindaraju et al., "High performance discrete
// Fourier transforms on graphics processors", 2008).
//
// A convolution runs the core twice (Bluestein, "A linear filtering approach to the computation of discrete Fourier
// transform", 1970; Rader, "Discrete Fourier transforms when the number of data samples is prime", 1968). The second
// run begins with the radix that ended the first, so that a thread goes on with the points that it has.
#pragma once

#include "kernels/contract/generate.hpp"
#include "kernels/group/pass.hpp"

namespace seiche::kernels {

/// One pass: the parts that it is made of, and the registers of a thread. Passes in one kernel share the builder.
class GroupKernel {
public:
    explicit GroupKernel(const KernelSpec& spec) : GroupKernel(spec, Frame(spec, 2)) {}
    /// Of a pass that shares the kernel of `first`.
    GroupKernel(const KernelSpec& spec, const GroupKernel& first) : GroupKernel(spec, Frame(spec, first.frame_)) {}
    GroupKernel(const GroupKernel&) = delete;
    GroupKernel& operator=(const GroupKernel&) = delete;

    const Pass& pass() const { return pass_; }
    Registers& registers() { return registers_; }

    void load();
    /// The core, from the points of its first stage to the results of its last.
    void run();
    void store();
    void run_once();
    /// What the kernel has from `begin` on: its loads from the pass's input, or all stores, get the side's hint.
    void hint_loads(std::size_t begin = 0);
    void hint_stores(std::size_t begin = 0);
    /// The kernel of a pass by itself. It is empty afterwards.
    ir::Kernel build();
    Core build_core(Direction direction);

private:
    GroupKernel(const KernelSpec& spec, Frame frame);

    Frame frame_;
    Sequences sequences_;
    Threads threads_;
    Passage passage_;
    SharedLayout layout_;
    Exchange exchange_;
    Pass pass_;
    Registers registers_;
};

/// Of passes that follow each other on chip.
ir::Kernel build_fused(const KernelSpec& spec);
/// Of pipelined passes.
ir::Kernel build_pipelined(const KernelSpec& spec);

}  // namespace seiche::kernels
