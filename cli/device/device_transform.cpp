// A transform on a device with its figures: what the commands that work on files share.
#include "cli/device/device_transform.hpp"

#include <algorithm>

#include "cli/command/report.hpp"
#include "seiche/half.hpp"

namespace seiche::cli {

void require_precision(const Device& device, Precision precision) {
    if (precision == Precision::f16) {
        if (!device.limits().fp16_arithmetic)
            throw Failure("expected a device with half-precision arithmetic, got " + device_text(device) +
                          ": use --precision f32 or another --device");
        return;
    }
    if (precision != Precision::f32 && !device.limits().fp64)
        throw Failure("expected a device with double precision, got " + device_text(device) +
                      ": use --precision f32 or another --device");
}

template <class T>
DeviceTransform<T>::DeviceTransform(const Device& device, const Problem& problem, Direction direction)
    : direction_(direction) {
    PlanOptions options;
    options.directions = direction == Direction::forward ? Directions::forward : Directions::inverse;
    const Progress compiling("compiling kernels");
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

/// Halves are what the device has of the host's numbers.
template <class T>
void DeviceTransform<T>::upload(const void* in, std::uint64_t bytes) {
    if (!is_half()) return queue_.upload(input_, in, bytes);
    std::vector<std::uint16_t> halves(bytes / sizeof(std::uint16_t));
    const T* numbers = static_cast<const T*>(in);
    for (std::size_t i = 0; i < halves.size(); ++i) halves[i] = to_f16(static_cast<float>(numbers[i]));
    queue_.upload(input_, halves.data(), bytes);
}

template <class T>
void DeviceTransform<T>::download(void* out, std::uint64_t bytes) {
    if (!is_half()) return queue_.download(out, output_, bytes);
    std::vector<std::uint16_t> halves(bytes / sizeof(std::uint16_t));
    queue_.download(halves.data(), output_, bytes);
    T* numbers = static_cast<T*>(out);
    for (std::size_t i = 0; i < halves.size(); ++i) numbers[i] = from_f16(halves[i]);
}

template <class T>
void DeviceTransform<T>::execute(const void* in, std::uint64_t batch) {
    const Progress transforming("transforming");
    if (plan_.input_bytes(batch) != 0) upload(in, plan_.input_bytes(batch));
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
