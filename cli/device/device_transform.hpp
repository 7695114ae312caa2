// A transform on a device with its figures: what the commands that work on files share.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/problem/stage_options.hpp"
#include "seiche/plan.hpp"

namespace seiche::cli {

struct TransformFigures {
    double plan_cold_ms = 0;  ///< Making the plan, wall time: with what the kernel cache had.
    double plan_warm_ms = 0;  ///< Making it a second time in the same process.
    double device_milliseconds =
        0;  ///< From enqueueing to the end of all executions, copies to and from the host apart.
};

/// Throws Failure if the device cannot compute in `precision`, offering the other one.
void require_precision(const Device& device, Precision precision);

/// The precision of T's name; "f32" or "f64" to Precision.
template <class T>
constexpr Precision precision_of() {
    return sizeof(T) == 4 ? Precision::f32 : Precision::f64;
}

/// Owns plan, queue and buffers for batches of up to the problem's. T is float or double and must be its precision;
/// float serves f16 too.
template <class T>
class DeviceTransform {
public:
    DeviceTransform(const Device& device, const Problem& problem, Direction direction);
    /// Transforms the first `batch` arrays of `in` (dense) into `out` (dense), which may be the same vector. In and Out
    /// are what the plan's arrays hold: T or std::complex<T>.
    template <class In, class Out>
    void run(const std::vector<In>& in, std::vector<Out>& out, std::uint64_t batch) {
        execute(in.data(), batch);
        const std::uint64_t bytes = plan_.output_bytes(batch), real = is_half() ? sizeof(std::uint16_t) : sizeof(T);
        out.resize(bytes / real * sizeof(T) / sizeof(Out));
        download(out.data(), bytes);
    }
    /// What the problem's stages name.
    void give(const StageArguments& stages) { stages_ = stages; }
    const TransformFigures& figures() const noexcept { return figures_; }
    const Plan& plan() const noexcept { return plan_; }

private:
    void execute(const void* in, std::uint64_t batch);
    bool is_half() const { return plan_.problem().precision == Precision::f16; }
    void upload(const void* in, std::uint64_t bytes);
    void download(void* out, std::uint64_t bytes);

    Direction direction_;
    TransformFigures figures_;
    Plan plan_;
    Queue queue_;
    Buffer input_, output_, workspace_;
    StageArguments stages_;
};

}  // namespace seiche::cli
