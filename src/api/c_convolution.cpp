// The C interface of convolutions: each function calls its C++ counterpart.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "api/c_plan_face.hpp"
#include "seiche/convolution.hpp"

namespace seiche::api {

namespace {

/// What seiche_convolution_release gives up.
struct OwnedConvolution : seiche_convolution {
    std::vector<std::uint64_t> own_signal, own_kernel;

    explicit OwnedConvolution(const Convolution& convolution)
        : seiche_convolution(default_struct<seiche_convolution>()),
          own_signal(convolution.signal),
          own_kernel(convolution.kernel) {
        signal = own_signal.data();
        kernel = own_kernel.empty() ? nullptr : own_kernel.data();
        rank = own_signal.size();
        mode = static_cast<seiche_convolution_mode>(convolution.mode);
        domain = static_cast<seiche_kernel_domain>(convolution.domain);
        product = static_cast<seiche_convolution_product>(convolution.product);
        is_complex = convolution.complex;
        inputs = convolution.inputs;
        outputs = convolution.outputs;
        channels = static_cast<seiche_channel_matrix>(convolution.channels);
        precision = static_cast<seiche_precision>(convolution.precision);
        storage = static_cast<seiche_storage>(convolution.storage);
        batch = convolution.batch;
        block = convolution.block;
    }
    ~OwnedConvolution() = default;
    OwnedConvolution(const OwnedConvolution&) = delete;
    OwnedConvolution& operator=(const OwnedConvolution&) = delete;
};

}  // namespace

Convolution convolution_of(const seiche_convolution* given) {
    const seiche_convolution convolution = read_struct(given, "convolution");
    Convolution result;
    require(convolution.signal, "convolution.signal");
    result.signal = vector_of(convolution.signal, convolution.rank, most_axes, "convolution.signal");
    result.domain = checked_enum<KernelDomain>(convolution.domain, SEICHE_KERNEL_FREQUENCY, "convolution.domain");
    if (result.domain == KernelDomain::time) require(convolution.kernel, "convolution.kernel");
    if (convolution.kernel != nullptr) result.kernel.assign(convolution.kernel, convolution.kernel + convolution.rank);
    result.mode = checked_enum<ConvolutionMode>(convolution.mode, SEICHE_CONVOLUTION_CAUSAL, "convolution.mode");
    result.product =
        checked_enum<ConvolutionProduct>(convolution.product, SEICHE_CORRELATE_PHASE, "convolution.product");
    result.complex = convolution.is_complex != 0;
    result.inputs = convolution.inputs;
    result.outputs = convolution.outputs;
    result.channels =
        checked_enum<ChannelMatrix>(convolution.channels, SEICHE_CHANNELS_DIAGONAL, "convolution.channels");
    result.batch = convolution.batch;
    result.precision = checked_enum<Precision>(convolution.precision, SEICHE_F16, "convolution.precision");
    result.storage = checked_enum<Storage>(convolution.storage, SEICHE_STORAGE_F64, "convolution.storage");
    result.block = convolution.block;
    return result;
}

seiche_convolution* convolution_in_c(const Convolution& convolution) { return new OwnedConvolution(convolution); }

ConvolutionExecution execution_of(const seiche_convolution_execution* given) {
    const seiche_convolution_execution execution = read_struct(given, "execution");
    ConvolutionExecution result;
    result.input = view_of(execution.input, execution.input_offset);
    result.spectrum = view_of(execution.spectrum, execution.spectrum_offset);
    result.output = view_of(execution.output, execution.output_offset);
    result.workspace = view_of(execution.workspace, execution.workspace_offset);
    result.batch = batch_of(execution.batch);
    return result;
}

}  // namespace seiche::api

namespace {

using seiche::api::answer;
using seiche::api::checked_array;
using seiche::api::guard;
using seiche::api::host_element;
using seiche::api::require;
using seiche::api::require_array;
using seiche::api::view_of;
using seiche::api::with_report;

template <class T>
seiche_status convolve(const seiche_convolution_plan* plan, const T* in, std::size_t count, const T* kernels,
                       std::size_t kernel_count, T* out, std::size_t capacity) {
    return guard([&] {
        require(plan, "plan");
        require_array(in, count, SIZE_MAX, "in");
        require_array(kernels, kernel_count, SIZE_MAX, "kernels");
        require_array(out, capacity, SIZE_MAX, "out");
        const seiche::Convolution& convolution = plan->value.convolution();
        const bool is_real = !convolution.complex;
        const bool is_spectrum = convolution.domain == seiche::KernelDomain::frequency;
        // Of the plan's elements; `run` refuses others before it writes.
        const std::uint64_t element_bytes =
            (is_real ? 1 : 2) * seiche::stored_bytes(convolution.precision, convolution.storage);
        const std::uint64_t needed = plan->value.output_bytes() / element_bytes;
        seiche::api::require_elements(capacity, needed);
        plan->value.run({in, count, host_element(T{}, is_real, convolution.storage)},
                        {kernels, kernel_count, host_element(T{}, is_real && !is_spectrum, convolution.storage)}, out);
    });
}

}  // namespace

extern "C" {

const char* seiche_convolution_mode_name(seiche_convolution_mode mode) {
    return seiche::api::name_of<seiche::ConvolutionMode>(mode, SEICHE_CONVOLUTION_CAUSAL);
}

seiche_status seiche_convolution_parse(const char* text, seiche_convolution** convolution) {
    return guard([&] {
        require(convolution, "convolution");
        *convolution = nullptr;
        require(text, "text");
        *convolution = seiche::api::convolution_in_c(seiche::parse_convolution(text));
    });
}

void seiche_convolution_release(seiche_convolution* convolution) {
    delete static_cast<seiche::api::OwnedConvolution*>(convolution);
}

seiche_status seiche_convolution_text(const seiche_convolution* convolution, char** text) {
    return seiche::api::get_text([&] { return seiche::api::convolution_of(convolution); }, text);
}

seiche_status seiche_convolution_kernel_count(const seiche_convolution* convolution, uint64_t* count) {
    return guard([&] {
        require(count, "count");
        *count = seiche::kernel_count(seiche::api::convolution_of(convolution));
    });
}

seiche_status seiche_convolution_result_lengths(const seiche_convolution* convolution, uint64_t* lengths) {
    return guard([&] {
        require(lengths, "lengths");
        const std::vector<std::uint64_t> result = seiche::result_lengths(seiche::api::convolution_of(convolution));
        std::copy(result.begin(), result.end(), lengths);
    });
}

seiche_status seiche_convolution_plan_create(const seiche_device* device, const seiche_convolution* convolution,
                                             seiche_convolution_plan** plan) {
    return seiche_convolution_plan_create_tuned(device, convolution, nullptr, plan);
}

seiche_status seiche_convolution_plan_create_tuned(const seiche_device* device, const seiche_convolution* convolution,
                                                   const char* tuning, seiche_convolution_plan** plan) {
    return guard([&] {
        seiche::api::start(device, plan);
        const seiche::Convolution asked = seiche::api::convolution_of(convolution);
        *plan = with_report<seiche_convolution_plan>({device->value, asked, seiche::api::tuning_of(tuning)});
    });
}

seiche_status seiche_convolution_plan_save(const seiche_convolution_plan* plan, unsigned char** bytes, size_t* count) {
    return seiche::api::save(plan, bytes, count);
}

seiche_status seiche_convolution_plan_load(const seiche_device* device, const void* bytes, size_t count,
                                           seiche_convolution_plan** plan) {
    return seiche::api::load(device, bytes, count, plan);
}

void seiche_convolution_plan_release(seiche_convolution_plan* plan) { delete plan; }

seiche_status seiche_convolution_plan_input_bytes(const seiche_convolution_plan* plan, uint64_t batch,
                                                  uint64_t* bytes) {
    return answer(plan, bytes, &seiche::ConvolutionPlan::input_bytes, seiche::api::batch_of(batch));
}

seiche_status seiche_convolution_plan_output_bytes(const seiche_convolution_plan* plan, uint64_t batch,
                                                   uint64_t* bytes) {
    return answer(plan, bytes, &seiche::ConvolutionPlan::output_bytes, seiche::api::batch_of(batch));
}

seiche_status seiche_convolution_plan_workspace_bytes(const seiche_convolution_plan* plan, uint64_t batch,
                                                      uint64_t* bytes) {
    return answer(plan, bytes, &seiche::ConvolutionPlan::workspace_bytes, seiche::api::batch_of(batch));
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

seiche_status seiche_convolution_plan_get_report(const seiche_convolution_plan* plan, seiche_report** report) {
    return seiche::api::get_report(plan, report);
}

seiche_status seiche_convolution_plan_get_convolution(const seiche_convolution_plan* plan,
                                                      seiche_convolution** convolution) {
    return guard([&] {
        require(convolution, "convolution");
        *convolution = nullptr;
        require(plan, "plan");
        *convolution = seiche::api::convolution_in_c(plan->value.convolution());
    });
}

seiche_status seiche_convolution_plan_get_device(const seiche_convolution_plan* plan, seiche_device** device) {
    return seiche::api::get_device(plan, device);
}

seiche_status seiche_convolution_plan_padded_lengths(const seiche_convolution_plan* plan, uint64_t* lengths,
                                                     size_t capacity, size_t* count) {
    return guard([&] {
        require(plan, "plan");
        seiche::api::write_numbers(plan->value.padded_lengths(), lengths, capacity, count);
    });
}

seiche_status seiche_convolution_prepare(const seiche_convolution_plan* plan, seiche_queue* queue,
                                         const seiche_convolution_preparation* preparation) {
    return guard([&] {
        require(plan, "plan");
        require(queue, "queue");
        const seiche_convolution_preparation given = seiche::api::read_struct(preparation, "preparation");
        plan->value.prepare(
            queue->value, {view_of(given.kernels, given.kernels_offset), view_of(given.spectrum, given.spectrum_offset),
                           view_of(given.workspace, given.workspace_offset)});
    });
}

seiche_status seiche_convolution_execute(const seiche_convolution_plan* plan, seiche_queue* queue,
                                         const seiche_convolution_execution* execution) {
    return guard([&] {
        require(plan, "plan");
        require(queue, "queue");
        plan->value.execute(queue->value, seiche::api::execution_of(execution));
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

seiche_status seiche_convolve(const seiche_convolution_plan* plan, seiche_host_element in_element, const void* in,
                              size_t count, seiche_host_element kernel_element, const void* kernels,
                              size_t kernel_count, void* out, size_t out_bytes) {
    return guard([&] {
        require(plan, "plan");
        const seiche::HostArray from = checked_array(in_element, in, count, "in", "in_element");
        const seiche::HostArray of = checked_array(kernel_element, kernels, kernel_count, "kernels", "kernel_element");
        seiche::api::require_output(plan, out, out_bytes);
        plan->value.run(from, of, out);
    });
}

}  // extern "C"
