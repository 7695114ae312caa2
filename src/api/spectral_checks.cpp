#include "api/spectral_checks.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "api/host_element.hpp"
#include "seiche/error.hpp"

namespace seiche::api {

using exec::SpectralExecutable;

const SpectralExecutable& present(const SpectralPointer& impl) {
    if (!impl) throw InvalidProblem("the plan is empty: expected one made from a device and a convolution or operator");
    return *impl;
}

const SpectralExecutable& usable(const SpectralPointer& impl) {
    const SpectralExecutable& executable = present(impl);
    executable.device().impl()->expect_own_process("the plan");
    return executable;
}

const Device& opened(const Device& device) {
    if (!device) throw InvalidProblem("the device is empty: expected one that was opened");
    device.impl()->expect_own_process("the device");
    return device;
}

void check_queue(const Queue& queue) {
    if (!queue.impl()) throw InvalidProblem("the queue is empty: expected one made by the plan's device");
    queue.impl()->expect_own_process("the queue");
}

std::uint64_t checked_batch(const SpectralExecutable& executable, std::optional<std::uint64_t> batch) {
    const problem::CanonicalSpectral& canonical = executable.canonical();
    const std::uint64_t count = batch.value_or(canonical.default_batch);
    constexpr std::uint64_t most = std::uint64_t{1} << 32;
    const std::uint64_t each = std::max({canonical.input_bytes(1), canonical.output_bytes(1), canonical.weight_bytes(1),
                                         executable.workspace_bytes(1)});
    if (count > most || count > std::numeric_limits<std::uint64_t>::max() / 2 / each)
        throw InvalidProblem("execution.batch: expected arrays below 2^63 bytes and at most 2^32 of them, got " +
                             std::to_string(count));
    if (count > canonical.batch_limit)
        throw InvalidProblem("execution.batch: expected at most " + std::to_string(canonical.batch_limit) +
                             ", as the stages' buffers have elements for, got " + std::to_string(count));
    return count;
}

SpectralArgument checked_argument(const BufferView& view, const Need& need) {
    if (need.bytes == 0) return {{}, {}, need};
    return {{view.buffer.impl().get(), view.byte_offset}, checked(view, need), need};
}

void refuse_overlap(const SpectralArgument& a, const SpectralArgument& b) {
    refuse_overlap(a.range, a.need, b.range, b.need);
}

void check_array(const char* which, const HostArray& array, HostElement expected, std::uint64_t bytes,
                 std::uint64_t element_bytes) {
    check_element(which, expected, array.element);
    if (array.count != bytes / element_bytes)
        throw InvalidProblem(std::string(which) + ": expected " + std::to_string(bytes / element_bytes) +
                             " elements, got " + std::to_string(array.count));
}

Buffer allocated(const Device& device, std::uint64_t bytes) { return bytes == 0 ? Buffer() : device.allocate(bytes); }

}  // namespace seiche::api
