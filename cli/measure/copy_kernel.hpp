// A copy by a kernel of ours, from the same IR on every backend, beside the one that the backend's interface has.
#pragma once

#include <cstdint>

#include "seiche/plan.hpp"

namespace seiche::cli {

/// Transforms of one point, whose kernel reads and writes each element once: 16 bytes a thread, 8 where the device has
/// no fp64.
class CopyKernel {
public:
    CopyKernel() = default;
    /// For copies of so many bytes, less what is no whole element. There is none of fewer bytes than an element has,
    /// none on `reference`, whose kernels are interpreted, and none where the device refuses the kernel.
    CopyKernel(const Device& device, std::uint64_t bytes);
    explicit operator bool() const { return bytes_ != 0; }
    std::uint64_t bytes() const { return bytes_; }
    void execute(Queue& queue, const BufferView& to, const BufferView& from) const;

private:
    Plan plan_;
    std::uint64_t bytes_ = 0;
};

}  // namespace seiche::cli
