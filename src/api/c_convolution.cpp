// The C interface of convolutions: each function calls its C++ counterpart.
#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "api/c_handles.hpp"
#include "seiche/convolution.hpp"

struct seiche_convolution_plan {
    seiche::ConvolutionPlan value;
    std::string report;
};

namespace {

using seiche::api::checked_enum;
using seiche::api::guard;
using seiche::api::host_element;
using seiche::api::require;
using seiche::api::view_of;

seiche::Convolution convolution_of(const seiche_convolution& convolution) {
    seiche::Convolution result;
    require(convolution.signal, "convolution.signal");
    result.signal.assign(convolution.signal, convolution.signal + convolution.rank);
    result.domain =
        checked_enum<seiche::KernelDomain>(convolution.domain, SEICHE_KERNEL_FREQUENCY, "convolution.domain");
    if (result.domain == seiche::KernelDomain::time) require(convolution.kernel, "convolution.kernel");
    if (convolution.kernel != nullptr) result.kernel.assign(convolution.kernel, convolution.kernel + convolution.rank);
    result.mode =
        checked_enum<seiche::ConvolutionMode>(convolution.mode, SEICHE_CONVOLUTION_CIRCULAR, "convolution.mode");
    result.product =
        checked_enum<seiche::ConvolutionProduct>(convolution.product, SEICHE_CORRELATE_PHASE, "convolution.product");
    result.complex = convolution.is_complex != 0;
    result.inputs = convolution.inputs;
    result.outputs = convolution.outputs;
    result.channels =
        checked_enum<seiche::ChannelMatrix>(convolution.channels, SEICHE_CHANNELS_DIAGONAL, "convolution.channels");
    result.batch = convolution.batch;
    result.precision = checked_enum<seiche::Precision>(convolution.precision, SEICHE_F64X2, "convolution.precision");
    result.storage = checked_enum<seiche::Storage>(convolution.storage, SEICHE_STORAGE_F64, "convolution.storage");
    result.block = convolution.block;
    return result;
}

seiche_convolution_plan* handle_of(seiche::ConvolutionPlan made) {
    std::string report = made.report().text();
    return new seiche_convolution_plan{std::move(made), std::move(report)};
}

/// Bytes of a plan by one of its questions, which takes what `of` holds: a batch or nothing.
template <class... Of>
seiche_status answer(const seiche_convolution_plan* plan, std::uint64_t* bytes,
                     std::uint64_t (seiche::ConvolutionPlan::*question)(Of...) const, Of... of) {
    return guard([&] {
        require(plan, "plan");
        require(bytes, "bytes");
        *bytes = (plan->value.*question)(of...);
    });
}

template <class T>
seiche_status convolve(const seiche_convolution_plan* plan, const T* in, std::size_t count, const T* kernels,
                       std::size_t kernel_count, T* out, std::size_t capacity) {
    return guard([&] {
        require(plan, "plan");
        require(in, "in");
        require(kernels, "kernels");
        require(out, "out");
        const seiche::Convolution& convolution = plan->value.convolution();
        const bool is_real = !convolution.complex;
        const bool is_spectrum = convolution.domain == seiche::KernelDomain::frequency;
        // Of the plan's elements; `run` refuses others before it writes.
        const std::uint64_t element_bytes =
            (is_real ? 1 : 2) * seiche::stored_bytes(convolution.precision, convolution.storage);
        const std::uint64_t needed = plan->value.output_bytes() / element_bytes;
        if (capacity < needed)
            throw seiche::InvalidProblem("capacity: expected at least " + std::to_string(needed) + " elements, got " +
                                         std::to_string(capacity));
        plan->value.run({in, count, host_element(T{}, is_real, convolution.storage)},
                        {kernels, kernel_count, host_element(T{}, is_real && !is_spectrum, convolution.storage)}, out);
    });
}

}  // namespace

extern "C" {

seiche_convolution seiche_convolution_default(size_t rank, const uint64_t* signal, const uint64_t* kernel) {
    seiche_convolution convolution;
    std::memset(&convolution, 0, sizeof convolution);
    convolution.rank = rank;
    convolution.signal = signal;
    convolution.kernel = kernel;
    convolution.inputs = convolution.outputs = 1;
    convolution.batch = 1;
    return convolution;
}

seiche_status seiche_convolution_result_lengths(const seiche_convolution* convolution, uint64_t* lengths) {
    return guard([&] {
        require(convolution, "convolution");
        require(lengths, "lengths");
        const std::vector<std::uint64_t> result = seiche::result_lengths(convolution_of(*convolution));
        std::copy(result.begin(), result.end(), lengths);
    });
}

seiche_status seiche_convolution_plan_create(const seiche_device* device, const seiche_convolution* convolution,
                                             seiche_convolution_plan** plan) {
    return guard([&] {
        require(plan, "plan");
        *plan = nullptr;
        require(device, "device");
        require(convolution, "convolution");
        *plan = handle_of(seiche::ConvolutionPlan(device->value, convolution_of(*convolution)));
    });
}

seiche_status seiche_convolution_plan_save(const seiche_convolution_plan* plan, unsigned char** bytes, size_t* count) {
    return guard([&] {
        require(bytes, "bytes");
        *bytes = nullptr;
        require(count, "count");
        *count = 0;
        require(plan, "plan");
        const std::vector<std::byte> saved = plan->value.save();
        *bytes = seiche::api::copy_of(saved);
        *count = saved.size();
    });
}

seiche_status seiche_convolution_plan_load(const seiche_device* device, const void* bytes, size_t count,
                                           seiche_convolution_plan** plan) {
    return guard([&] {
        require(plan, "plan");
        *plan = nullptr;
        require(device, "device");
        require(bytes, "bytes");
        *plan = handle_of(seiche::ConvolutionPlan::load(device->value, bytes, count));
    });
}

void seiche_convolution_plan_release(seiche_convolution_plan* plan) { delete plan; }

seiche_status seiche_convolution_plan_input_bytes(const seiche_convolution_plan* plan, uint64_t batch,
                                                  uint64_t* bytes) {
    return answer(plan, bytes, &seiche::ConvolutionPlan::input_bytes, batch);
}

seiche_status seiche_convolution_plan_output_bytes(const seiche_convolution_plan* plan, uint64_t batch,
                                                   uint64_t* bytes) {
    return answer(plan, bytes, &seiche::ConvolutionPlan::output_bytes, batch);
}

seiche_status seiche_convolution_plan_workspace_bytes(const seiche_convolution_plan* plan, uint64_t batch,
                                                      uint64_t* bytes) {
    return answer(plan, bytes, &seiche::ConvolutionPlan::workspace_bytes, batch);
}

seiche_status seiche_convolution_plan_kernel_bytes(const seiche_convolution_plan* plan, uint64_t* bytes) {
    return answer(plan, bytes, &seiche::ConvolutionPlan::kernel_bytes);
}

seiche_status seiche_convolution_plan_spectrum_bytes(const seiche_convolution_plan* plan, uint64_t* bytes) {
    return answer(plan, bytes, &seiche::ConvolutionPlan::spectrum_bytes);
}

seiche_status seiche_convolution_plan_preparation_bytes(const seiche_convolution_plan* plan, uint64_t* bytes) {
    return answer(plan, bytes, &seiche::ConvolutionPlan::preparation_bytes);
}

const char* seiche_convolution_plan_report(const seiche_convolution_plan* plan) {
    return plan == nullptr ? "" : plan->report.c_str();
}

seiche_status seiche_convolution_prepare(const seiche_convolution_plan* plan, seiche_queue* queue,
                                         const seiche_convolution_preparation* preparation) {
    return guard([&] {
        require(plan, "plan");
        require(queue, "queue");
        require(preparation, "preparation");
        plan->value.prepare(queue->value, {view_of(preparation->kernels, preparation->kernels_offset),
                                           view_of(preparation->spectrum, preparation->spectrum_offset),
                                           view_of(preparation->workspace, preparation->workspace_offset)});
    });
}

seiche_status seiche_convolution_execute(const seiche_convolution_plan* plan, seiche_queue* queue,
                                         const seiche_convolution_execution* execution) {
    return guard([&] {
        require(plan, "plan");
        require(queue, "queue");
        require(execution, "execution");
        seiche::ConvolutionExecution arguments;
        arguments.input = view_of(execution->input, execution->input_offset);
        arguments.spectrum = view_of(execution->spectrum, execution->spectrum_offset);
        arguments.output = view_of(execution->output, execution->output_offset);
        arguments.workspace = view_of(execution->workspace, execution->workspace_offset);
        arguments.batch = execution->batch;
        plan->value.execute(queue->value, arguments);
    });
}

seiche_status seiche_convolve_f32(const seiche_convolution_plan* plan, const float* in, size_t count,
                                  const float* kernels, size_t kernel_count, float* out, size_t capacity) {
    return convolve(plan, in, count, kernels, kernel_count, out, capacity);
}

seiche_status seiche_convolve_f64(const seiche_convolution_plan* plan, const double* in, size_t count,
                                  const double* kernels, size_t kernel_count, double* out, size_t capacity) {
    return convolve(plan, in, count, kernels, kernel_count, out, capacity);
}

seiche_status seiche_convolve_f64x2(const seiche_convolution_plan* plan, const seiche_f64x2* in, size_t count,
                                    const seiche_f64x2* kernels, size_t kernel_count, seiche_f64x2* out,
                                    size_t capacity) {
    return convolve(plan, in, count, kernels, kernel_count, out, capacity);
}

seiche_status seiche_convolve_half(const seiche_convolution_plan* plan, const uint16_t* in, size_t count,
                                   const uint16_t* kernels, size_t kernel_count, uint16_t* out, size_t capacity) {
    return convolve(plan, in, count, kernels, kernel_count, out, capacity);
}

}  // extern "C"
