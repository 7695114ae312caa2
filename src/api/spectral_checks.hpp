// What plans of spectral operators, convolutions among them, check before they execute.
#pragma once

#include <memory>
#include <optional>

#include "api/memory_range.hpp"
#include "exec/spectral.hpp"

namespace seiche::api {

using SpectralPointer = std::shared_ptr<const exec::SpectralExecutable>;

/// Throws InvalidProblem for a plan that was never made.
const exec::SpectralExecutable& present(const SpectralPointer& impl);
/// To be executed or saved: in a child that fork made, only where no driver is needed.
const exec::SpectralExecutable& usable(const SpectralPointer& impl);
const Device& opened(const Device& device);
void check_queue(const Queue& queue);

/// What the problem says for none. Throws InvalidProblem for one that arrays, launches or stages do not allow.
std::uint64_t checked_batch(const exec::SpectralExecutable& executable, std::optional<std::uint64_t> batch);

/// A buffer, checked.
struct SpectralArgument {
    runtime::BufferArgument argument;
    MemoryRange range;
    Need need;
};
SpectralArgument checked_argument(const BufferView& view, const Need& need);
void refuse_overlap(const SpectralArgument& a, const SpectralArgument& b);

/// An array on the host of so many bytes.
void check_array(const char* which, const HostArray& array, HostElement expected, std::uint64_t bytes,
                 std::uint64_t element_bytes);
Buffer allocated(const Device& device, std::uint64_t bytes);

}  // namespace seiche::api
