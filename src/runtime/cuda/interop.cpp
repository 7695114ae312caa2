// The caller's CUDA objects as Seiche's, and the other way round. Declared, with the vendor's types, in
// seiche/interop/cuda.hpp.
#include "runtime/cuda/device.hpp"
#include "runtime/cuda/queue.hpp"
#include "seiche/device.hpp"
#include "seiche/error.hpp"
#include "seiche/interop/untyped.hpp"

namespace seiche::cuda::untyped {

namespace {

using runtime::cuda::CudaBuffer;
using runtime::cuda::CudaDevice;
using runtime::cuda::CudaQueue;

template <class Own, class Value>
Own& own(const Value& value, const char* what) {
    auto* native = dynamic_cast<Own*>(value.impl().get());
    if (native == nullptr)
        throw InvalidProblem(std::string("cuda interop: expected a ") + what + " of the CUDA backend");
    if constexpr (std::is_base_of_v<runtime::OfProcess, Own>) native->expect_own_process(what);
    return *native;
}

}  // namespace

Device device(void* context) {
    if (context == nullptr) throw InvalidProblem("cuda interop: the context is null");
    const runtime::cuda::Api& api = runtime::cuda::api();
    if (!api.problem.empty()) throw Unsupported("cuda: " + api.problem + " (" + api.remedy + ")");
    runtime::note_driver_in_use(Backend::cuda);
    auto session = runtime::make_owned<runtime::cuda::Session>(static_cast<runtime::cuda::Context>(context), 0, false);
    {
        const runtime::cuda::Current current(*session);
        runtime::cuda::check(api.cuCtxGetDevice(&session->ordinal), "cuCtxGetDevice");
    }
    DeviceInfo info = runtime::cuda::describe(session->ordinal);
    if (!info.available) throw Unsupported(info.name + ": " + info.problem + " (" + info.remedy + ")");
    return Device(runtime::make_owned<CudaDevice>(std::move(session), std::move(info)));
}

Queue queue(const Device& device, void* stream) {
    const auto& session = own<CudaDevice>(device, "device").session();
    return Queue(runtime::make_owned<CudaQueue>(session, static_cast<runtime::cuda::Stream>(stream), false));
}

Buffer buffer(const Device& device, std::uint64_t address, std::uint64_t bytes) {
    if (address == 0 && bytes != 0) throw InvalidProblem("cuda interop: the buffer's address is null");
    return Buffer(runtime::make_owned<CudaBuffer>(own<CudaDevice>(device, "device").session(), address, bytes, false));
}

Buffer repeating_buffer(const Device& device, std::uint64_t period, std::uint64_t bytes) {
    const auto& session = own<CudaDevice>(device, "device").session();
    const std::uint64_t granularity = runtime::cuda::repetition_granularity(*session);
    if (period == 0 || period % granularity != 0)
        throw InvalidProblem("cuda interop: the period of a repeating buffer is " + std::to_string(period) +
                             " bytes, expected a multiple of " + std::to_string(granularity));
    return Buffer(CudaBuffer::repeating(session, period, bytes));
}

void wait_for(Queue& queue, void* event) {
    if (event == nullptr) throw InvalidProblem("cuda interop: the event to wait for is null");
    own<CudaQueue>(queue, "queue").wait_for(static_cast<runtime::cuda::EventHandle>(event));
}

void record(Queue& queue, void* event) {
    if (event == nullptr) throw InvalidProblem("cuda interop: the event to record is null");
    own<CudaQueue>(queue, "queue").record(static_cast<runtime::cuda::EventHandle>(event));
}

void* context(const Device& device) { return own<CudaDevice>(device, "device").session()->context; }
void* stream(const Queue& queue) { return own<CudaQueue>(queue, "queue").handle(); }
std::uint64_t address(const Buffer& buffer) { return own<CudaBuffer>(buffer, "buffer").address(); }

}  // namespace seiche::cuda::untyped
