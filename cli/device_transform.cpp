// A transform on a device with its figures: what the commands that work on files share.
#include "cli/device_transform.hpp"

#include <algorithm>

#include "cli/report.hpp"

namespace seiche::cli {

void require_precision(const Device& device, Precision precision) {
    if (precision != Precision::f32 && !device.limits().fp64)
        throw Failure("expected a device with double precision, got " + device_text(device) +
                      ": use --precision f32 or another --device");
}

template <class T>
DeviceTransform<T>::DeviceTransform(const Device& device, const Problem& problem, Direction direction)
    : direction_(direction) {
    PlanOptions options;
    options.directions = direction == Direction::forward ? Directions::forward : Directions::inverse;
    const double start = now_seconds();
    plan_ = Plan(device, problem, options);
    const double made = now_seconds();
    plan_ = Plan(device, problem, options);
    figures_.plan_cold_ms = 1e3 * (made - start);
    figures_.plan_warm_ms = 1e3 * (now_seconds() - made);
    queue_ = device.create_queue();
    // A stage may do without the input.
    input_ = device.allocate(std::max<std::uint64_t>(1, plan_.input_bytes()));
    output_ = device.allocate(plan_.output_bytes());
    if (plan_.workspace_bytes() != 0) workspace_ = device.allocate(plan_.workspace_bytes());
    plan_.warm_up();
}

template <class T>
void DeviceTransform<T>::execute(const void* in, std::uint64_t batch) {
    if (plan_.input_bytes(batch) != 0) queue_.upload(input_, in, plan_.input_bytes(batch));
    queue_.wait();
    Execution execution;
    execution.direction = direction_;
    execution.input = input_;
    execution.output = output_;
    if (workspace_) execution.workspace = workspace_;
    execution.batch = batch;
    execution.stage_buffers = stages_.buffers;
    execution.stage_scalars = stages_.scalars;
    const Event before = queue_.record();
    plan_.execute(queue_, execution);
    const Event after = queue_.record();
    figures_.device_milliseconds += queue_.milliseconds(before, after);
}

template class DeviceTransform<float>;
template class DeviceTransform<double>;

}  // namespace seiche::cli
