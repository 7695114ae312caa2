// A copy by a kernel of ours, from the same IR on every backend, beside the one that the backend's interface has.
#include "cli/measure/copy_kernel.hpp"

#include "seiche/error.hpp"

namespace seiche::cli {

CopyKernel::CopyKernel(const Device& device, std::uint64_t bytes) {
    constexpr std::uint64_t bytes_of_f64 = 16, bytes_of_f32 = 8;
    const bool has_f64 = device.limits().fp64;
    const std::uint64_t element = has_f64 ? bytes_of_f64 : bytes_of_f32;
    if (bytes < element || device.info().backend == Backend::reference) return;
    Problem problem;
    problem.lengths = {1};
    problem.precision = has_f64 ? Precision::f64 : Precision::f32;
    problem.batch = bytes / element;
    PlanOptions options;
    options.directions = Directions::forward;
    try {
        plan_ = Plan(device, problem, options);
    } catch (const Unsupported&) {
        return;
    } catch (const BackendError&) {
        return;
    }
    bytes_ = problem.batch * element;
}

void CopyKernel::execute(Queue& queue, const BufferView& to, const BufferView& from) const {
    Execution execution;
    execution.input = from;
    execution.output = to;
    plan_.execute(queue, execution);
}

}  // namespace seiche::cli
