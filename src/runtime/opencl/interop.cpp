// The caller's OpenCL objects as Seiche's, and the other way round. Declared, with the vendor's types, in
// seiche/interop/opencl.hpp.
#include <string>
#include <vector>

#include "runtime/opencl/device.hpp"
#include "runtime/opencl/queue.hpp"
#include "seiche/device.hpp"
#include "seiche/error.hpp"
#include "seiche/interop/untyped.hpp"

namespace seiche::opencl::untyped {

namespace {

using runtime::opencl::api;
using runtime::opencl::check;
using runtime::opencl::OpenclBuffer;
using runtime::opencl::OpenclDevice;
using runtime::opencl::OpenclQueue;

template <class Own, class Value>
Own& own(const Value& value, const char* what) {
    auto* native = dynamic_cast<Own*>(value.impl().get());
    if (native == nullptr)
        throw InvalidProblem(std::string("opencl interop: expected a ") + what + " of the OpenCL backend");
    if constexpr (std::is_base_of_v<runtime::OfProcess, Own>) native->expect_own_process(what);
    return *native;
}

void expect_same(const void* got, const void* expected, const char* what) {
    if (got != expected)
        throw InvalidProblem(std::string("opencl interop: the ") + what +
                             " than the Seiche device: expected both to share it");
}

}  // namespace

Device device(void* context, void* device) {
    if (context == nullptr || device == nullptr)
        throw InvalidProblem("opencl interop: the context or the device is null");
    if (!api().problem.empty()) throw Unsupported("opencl: " + api().problem + " (" + api().remedy + ")");
    const auto native_context = static_cast<runtime::opencl::Context>(context);
    const auto native_device = static_cast<runtime::opencl::DeviceId>(device);
    DeviceInfo info = runtime::opencl::describe(native_device);
    if (!info.available) throw Unsupported(info.name + ": " + info.problem + " (" + info.remedy + ")");
    check(api().clRetainContext(native_context), "clRetainContext");
    runtime::note_driver_in_use(Backend::opencl);
    auto session = runtime::make_owned<runtime::opencl::Session>(native_context, native_device);
    return Device(runtime::make_owned<OpenclDevice>(std::move(session), std::move(info)));
}

Queue queue(const Device& device, void* queue) {
    const auto& session = own<OpenclDevice>(device, "device").session();
    const auto native = static_cast<runtime::opencl::CommandQueue>(queue);
    runtime::opencl::Context context = nullptr;
    runtime::opencl::DeviceId id = nullptr;
    runtime::opencl::Bitfield properties = 0;
    const auto ask = [&](runtime::opencl::Uint what, auto& answer) {
        check(api().clGetCommandQueueInfo(native, what, sizeof answer, &answer, nullptr), "clGetCommandQueueInfo");
    };
    ask(runtime::opencl::queue_context, context);
    ask(runtime::opencl::queue_device, id);
    ask(runtime::opencl::queue_properties, properties);
    expect_same(context, session->context, "queue belongs to another context");
    expect_same(id, session->device, "queue belongs to another device");
    if ((properties & runtime::opencl::queue_out_of_order) != 0)
        throw Unsupported("opencl interop: the queue is out of order, expected one that is in order");
    check(api().clRetainCommandQueue(native), "clRetainCommandQueue");
    return Queue(runtime::make_owned<OpenclQueue>(session, native));
}

Buffer buffer(const Device& device, void* memory) {
    const auto& session = own<OpenclDevice>(device, "device").session();
    const auto native = static_cast<runtime::opencl::Memory>(memory);
    runtime::opencl::Context context = nullptr;
    std::size_t bytes = 0;
    check(api().clGetMemObjectInfo(native, runtime::opencl::mem_context, sizeof context, &context, nullptr),
          "clGetMemObjectInfo");
    check(api().clGetMemObjectInfo(native, runtime::opencl::mem_size, sizeof bytes, &bytes, nullptr),
          "clGetMemObjectInfo");
    expect_same(context, session->context, "buffer belongs to another context");
    check(api().clRetainMemObject(native), "clRetainMemObject");
    return Buffer(runtime::make_owned<OpenclBuffer>(session, native, bytes));
}

Buffer svm_buffer(const Device& device, void* pointer, std::uint64_t bytes) {
    return Buffer(runtime::opencl::wrap_svm(own<OpenclDevice>(device, "device"), pointer, bytes));
}

Buffer usm_buffer(const Device& device, void* pointer, std::uint64_t bytes) {
    return Buffer(runtime::opencl::wrap_usm(own<OpenclDevice>(device, "device"), pointer, bytes));
}

void wait_for(Queue& queue, const void* const* events, std::size_t count) {
    auto& native = own<OpenclQueue>(queue, "queue");
    std::vector<runtime::opencl::EventHandle> list(count);
    for (std::size_t i = 0; i < count; ++i) {
        list[i] = static_cast<runtime::opencl::EventHandle>(const_cast<void*>(events[i]));
        if (list[i] == nullptr) throw InvalidProblem("opencl interop: event " + std::to_string(i) + " is null");
        runtime::opencl::Context context = nullptr;
        check(api().clGetEventInfo(list[i], runtime::opencl::event_context, sizeof context, &context, nullptr),
              "clGetEventInfo");
        expect_same(context, native.session()->context, "event belongs to another context");
    }
    native.wait_for(static_cast<runtime::opencl::Uint>(count), list.data());
}

void* record(Queue& queue) {
    auto& native = own<OpenclQueue>(queue, "queue");
    const runtime::opencl::EventHandle event = native.mark();
    if (const runtime::opencl::Int code = api().clFlush(native.handle()); code != runtime::opencl::success) {
        api().clReleaseEvent(event);
        check(code, "clFlush");
    }
    return event;
}

void* context(const Device& device) { return own<OpenclDevice>(device, "device").session()->context; }
void* device_id(const Device& device) { return own<OpenclDevice>(device, "device").session()->device; }
void* command_queue(const Queue& queue) { return own<OpenclQueue>(queue, "queue").handle(); }
void* memory(const Buffer& buffer) {
    void* const memory = own<OpenclBuffer>(buffer, "buffer").memory();
    if (memory == nullptr) throw InvalidProblem("opencl interop: expected a buffer of a cl_mem, got one of a pointer");
    return memory;
}
void* pointer(const Buffer& buffer) {
    void* const address = own<OpenclBuffer>(buffer, "buffer").address();
    if (address == nullptr) throw InvalidProblem("opencl interop: expected a buffer of a pointer, got one of a cl_mem");
    return address;
}

}  // namespace seiche::opencl::untyped
