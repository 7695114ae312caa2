// Redistributions: the same array, held in other boxes.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "seiche/device.hpp"
#include "seiche/distributed/box.hpp"
#include "seiche/distributed/communicator.hpp"
#include "seiche/problem.hpp"
#include "seiche/visibility.h"

SEICHE_EXPORT_BEGIN
namespace seiche::distributed {

/// The elements of an array, as a problem says them.
struct Element {
    Precision precision = Precision::f32;
    Storage storage = Storage::same;
    bool is_complex = true;

    std::uint64_t bytes() const { return (is_complex ? 2 : 1) * stored_bytes(precision, storage); }
};

/// Moves an array from one distribution over the ranks to any other. Immutable; an execution uses the communicator.
class Redistribution {
public:
    Redistribution() = default;
    /// `from` and `to` have a box for each rank; all ranks give the same, but for strides. Of `batch` arrays, each
    /// begins where the one before ends, as seiche::Layout says. Throws as DistributedPlan does.
    Redistribution(const Device& device, const Element& element, const std::vector<std::uint64_t>& lengths,
                   const std::vector<Box>& from, const std::vector<Box>& to, std::shared_ptr<Communicator> communicator,
                   std::uint64_t batch = 1);

    /// All ranks call it. Input and output do not overlap; the workspace has `workspace_bytes()`.
    void execute(Queue& queue, const BufferView& input, const BufferView& output, const BufferView& workspace) const;

    std::uint64_t input_bytes() const;
    std::uint64_t output_bytes() const;
    std::uint64_t workspace_bytes() const;
    /// Bytes that this rank sends to others in an execution.
    std::uint64_t bytes_sent() const;

    explicit operator bool() const noexcept { return impl_ != nullptr; }

private:
    struct Impl;
    std::shared_ptr<const Impl> impl_;
};

}  // namespace seiche::distributed
SEICHE_EXPORT_END
