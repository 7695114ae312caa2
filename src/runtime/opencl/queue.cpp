// OpenCL command queues and buffers.
#include "runtime/opencl/queue.hpp"

#include <algorithm>
#include <array>

#include "runtime/opencl/module.hpp"
#include "seiche/error.hpp"

namespace seiche::runtime::opencl {

namespace {

void expect_same(const Session& of, const Session& queue, const char* what) {
    if (of.context != queue.context)
        throw InvalidProblem("opencl: the " + std::string(what) + " belongs to another context, expected the queue's");
}

const OpenclBuffer& own(Buffer& buffer, const Session& queue) {
    const auto* own = dynamic_cast<const OpenclBuffer*>(&buffer);
    if (own == nullptr)
        throw InvalidProblem("opencl: the buffer belongs to another backend, expected one of this device");
    expect_same(own->session(), queue, "buffer");
    return *own;
}

const OpenclModule& module_of(const Launch& launch, const Session& queue) {
    const auto* own = dynamic_cast<const OpenclModule*>(launch.module);
    if (own == nullptr)
        throw InvalidProblem("opencl: the plan belongs to another backend, expected one of this device");
    expect_same(own->session(), queue, "plan");
    return *own;
}

/// A kernel of the pool with its arguments, for one launch.
class BoundKernel {
public:
    explicit BoundKernel(const OpenclModule& module) : module_(module), kernel_(module.take()) {}
    ~BoundKernel() { module_.put_back(kernel_); }
    BoundKernel(const BoundKernel&) = delete;
    BoundKernel& operator=(const BoundKernel&) = delete;

    void argument(std::size_t size, const void* value) {
        check(api().clSetKernelArg(kernel_, next_++, size, value), "clSetKernelArg", module_.kernel().name);
    }
    void argument(const OpenclBuffer& buffer) {
        const Memory memory = buffer.memory();
        switch (buffer.place()) {
            case Place::object: return argument(sizeof memory, &memory);
            case Place::svm:
                return check(api().clSetKernelArgSVMPointer(kernel_, next_++, buffer.address()),
                             "clSetKernelArgSVMPointer", module_.kernel().name);
            case Place::usm:
                return check(buffer.usm().set_argument(kernel_, next_++, buffer.address()),
                             "clSetKernelArgMemPointerINTEL", module_.kernel().name);
        }
    }
    KernelHandle handle() const { return kernel_; }

private:
    const OpenclModule& module_;
    KernelHandle kernel_;
    Uint next_ = 0;
};

void bind(BoundKernel& bound, const ir::Kernel& kernel, const Launch& launch, const Session& queue) {
    if (launch.buffer_count != kernel.buffers.size() || launch.scalar_count != kernel.scalars.size())
        throw InternalError("opencl: kernel " + kernel.name + " takes " + std::to_string(kernel.buffers.size()) +
                            " buffers and " + std::to_string(kernel.scalars.size()) + " scalars, got " +
                            std::to_string(launch.buffer_count) + " and " + std::to_string(launch.scalar_count));
    for (std::size_t b = 0; b < launch.buffer_count; ++b) {
        const Ulong offset = launch.buffers[b].byte_offset / ir::type_bytes(kernel.buffers[b].element);
        bound.argument(own(*launch.buffers[b].buffer, queue));
        bound.argument(sizeof offset, &offset);
    }
    for (std::size_t s = 0; s < launch.scalar_count; ++s)  // little-endian: the low bytes come first
        bound.argument(ir::type_bytes(kernel.scalars[s].type), &launch.scalars[s]);
}

}  // namespace

std::shared_ptr<Buffer> allocate_buffer(const std::shared_ptr<Session>& session, std::uint64_t bytes) {
    Int code = success;
    const Memory memory =
        api().clCreateBuffer(session->context, mem_read_write, std::max<std::size_t>(bytes, 1), nullptr, &code);
    check(code, "clCreateBuffer", std::to_string(bytes) + " bytes");
    return make_owned<OpenclBuffer>(session, memory, bytes);
}

std::shared_ptr<HostMemory> allocate_host_memory(const std::shared_ptr<Session>& session, std::uint64_t bytes) {
    return make_owned<OpenclHostMemory>(session, bytes);
}

OpenclHostMemory::OpenclHostMemory(std::shared_ptr<Session> session, std::uint64_t bytes)
    : session_(std::move(session)), bytes_(bytes) {
    const std::size_t size = std::max<std::size_t>(bytes, 1);
    Int code = success;
    queue_ = api().clCreateCommandQueue(session_->context, session_->device, 0, &code);
    check(code, "clCreateCommandQueue");
    memory_ = api().clCreateBuffer(session_->context, mem_read_write | mem_alloc_host_ptr, size, nullptr, &code);
    if (code == success)
        data_ = api().clEnqueueMapBuffer(queue_, memory_, 1, map_read | map_write, 0, size, 0, nullptr, nullptr, &code);
    if (code == success) return;
    const char* const call = memory_ == nullptr ? "clCreateBuffer" : "clEnqueueMapBuffer";
    if (memory_ != nullptr) api().clReleaseMemObject(memory_);
    api().clReleaseCommandQueue(queue_);
    check(code, call, std::to_string(bytes) + " bytes of the host's memory");
}

OpenclHostMemory::~OpenclHostMemory() {
    api().clEnqueueUnmapMemObject(queue_, memory_, data_, 0, nullptr, nullptr);
    api().clFinish(queue_);
    api().clReleaseMemObject(memory_);
    api().clReleaseCommandQueue(queue_);
}

std::shared_ptr<Queue> make_queue(const std::shared_ptr<Session>& session) {
    Int code = success;
    const CommandQueue queue = api().clCreateCommandQueue(session->context, session->device, queue_profiling, &code);
    check(code, "clCreateCommandQueue");
    return make_owned<OpenclQueue>(session, queue);
}

OpenclQueue::~OpenclQueue() {
    api().clFlush(queue_);
    api().clReleaseCommandQueue(queue_);
}

void OpenclQueue::write(const OpenclBuffer& to, std::uint64_t offset, const void* from, std::size_t bytes, bool waits) {
    if (bytes == 0) return;
    const Uint blocking = waits ? 1 : 0;
    std::byte* const address = to.address() + (to.place() == Place::object ? 0 : offset);
    switch (to.place()) {
        case Place::object:
            check(api().clEnqueueWriteBuffer(queue_, to.memory(), blocking, offset, bytes, from, 0, nullptr, nullptr),
                  "clEnqueueWriteBuffer");
            break;
        case Place::svm:
            check(api().clEnqueueSVMMemcpy(queue_, blocking, address, from, bytes, 0, nullptr, nullptr),
                  "clEnqueueSVMMemcpy");
            break;
        case Place::usm:
            check(to.usm().copy(queue_, blocking, address, from, bytes, 0, nullptr, nullptr), "clEnqueueMemcpyINTEL");
    }
}

void OpenclQueue::read(void* to, const OpenclBuffer& from, std::uint64_t offset, std::size_t bytes, bool waits) {
    if (bytes == 0) return;
    const Uint blocking = waits ? 1 : 0;
    const std::byte* const address = from.address() + (from.place() == Place::object ? 0 : offset);
    switch (from.place()) {
        case Place::object:
            check(api().clEnqueueReadBuffer(queue_, from.memory(), blocking, offset, bytes, to, 0, nullptr, nullptr),
                  "clEnqueueReadBuffer");
            break;
        case Place::svm:
            check(api().clEnqueueSVMMemcpy(queue_, blocking, to, address, bytes, 0, nullptr, nullptr),
                  "clEnqueueSVMMemcpy");
            break;
        case Place::usm:
            check(from.usm().copy(queue_, blocking, to, address, bytes, 0, nullptr, nullptr), "clEnqueueMemcpyINTEL");
    }
}

void OpenclQueue::upload(Buffer& to, std::uint64_t offset, const void* from, std::size_t bytes) {
    write(own(to, *session_), offset, from, bytes, true);
}

void OpenclQueue::download(void* to, Buffer& from, std::uint64_t offset, std::size_t bytes) {
    read(to, own(from, *session_), offset, bytes, true);
}

// Flushed: some drivers begin no sooner, and another queue's work would wait for the host.
void OpenclQueue::enqueue_upload(Buffer& to, std::uint64_t offset, const void* from, std::size_t bytes) {
    write(own(to, *session_), offset, from, bytes, false);
    check(api().clFlush(queue_), "clFlush");
}

void OpenclQueue::enqueue_download(void* to, Buffer& from, std::uint64_t offset, std::size_t bytes) {
    read(to, own(from, *session_), offset, bytes, false);
    check(api().clFlush(queue_), "clFlush");
}

// Between an object and shared virtual memory, which counts as the host's while it is mapped.
void OpenclQueue::copy_mapped(const OpenclBuffer& to, std::uint64_t to_offset, const OpenclBuffer& from,
                              std::uint64_t from_offset, std::size_t bytes) {
    const bool writes = to.place() == Place::svm;
    std::byte* const address = writes ? to.address() + to_offset : from.address() + from_offset;
    check(api().clEnqueueSVMMap(queue_, 0, writes ? map_write : map_read, address, bytes, 0, nullptr, nullptr),
          "clEnqueueSVMMap");
    try {
        if (writes)
            read(address, from, from_offset, bytes, false);
        else
            write(to, to_offset, address, bytes, false);
    } catch (...) {  // the memory is the caller's, who does not know that it is mapped
        api().clEnqueueSVMUnmap(queue_, address, 0, nullptr, nullptr);
        throw;
    }
    check(api().clEnqueueSVMUnmap(queue_, address, 0, nullptr, nullptr), "clEnqueueSVMUnmap");
}

void OpenclQueue::copy(Buffer& to, std::uint64_t to_offset, Buffer& from, std::uint64_t from_offset,
                       std::uint64_t bytes) {
    if (bytes == 0) return;
    const OpenclBuffer &target = own(to, *session_), &source = own(from, *session_);
    if (target.place() == source.place()) {
        if (target.place() != Place::object)
            return write(target, to_offset, source.address() + from_offset, bytes, false);
        return check(api().clEnqueueCopyBuffer(queue_, source.memory(), target.memory(), from_offset, to_offset, bytes,
                                               0, nullptr, nullptr),
                     "clEnqueueCopyBuffer");
    }
    if (target.place() == Place::usm || source.place() == Place::usm)
        throw Unsupported(
            "opencl: a copy between unified shared memory and memory of another kind: expected both of one kind, or "
            "download and upload");
    copy_mapped(target, to_offset, source, from_offset, bytes);
}

void OpenclQueue::launch(const Launch& launch) {
    const OpenclModule& module = module_of(launch, *session_);
    const ir::Kernel& kernel = module.kernel();
    if (launch.groups[0] == 0 || launch.groups[1] == 0 || launch.groups[2] == 0) return;
    BoundKernel bound(module);
    bind(bound, kernel, launch, *session_);
    std::array<std::size_t, 3> global{}, local{};
    for (unsigned d = 0; d < 3; ++d) {
        local[d] = kernel.launch.group[d];
        global[d] = local[d] * launch.groups[d];
    }
    const Uint dimensions = global[2] > 1 ? 3 : global[1] > 1 ? 2 : 1;
    check(api().clEnqueueNDRangeKernel(queue_, bound.handle(), dimensions, nullptr, global.data(), local.data(), 0,
                                       nullptr, nullptr),
          "clEnqueueNDRangeKernel", kernel.name);
}

void OpenclQueue::wait() { check(api().clFinish(queue_), "clFinish"); }

void OpenclQueue::wait_for(Uint count, const EventHandle* events) {
    if (count == 0) return;  // an empty list would be every command before
    check(api().clEnqueueBarrierWithWaitList(queue_, count, events, nullptr), "clEnqueueBarrierWithWaitList");
}

EventHandle OpenclQueue::mark() {
    EventHandle event = nullptr;
    check(api().clEnqueueMarkerWithWaitList(queue_, 0, nullptr, &event), "clEnqueueMarkerWithWaitList");
    return event;
}

std::shared_ptr<Event> OpenclQueue::record() { return make_owned<OpenclEvent>(mark()); }

double OpenclQueue::milliseconds(const Event& from, const Event& to) {
    const std::array<EventHandle, 2> events{dynamic_cast<const OpenclEvent&>(from).handle(),
                                            dynamic_cast<const OpenclEvent&>(to).handle()};
    check(api().clWaitForEvents(2, events.data()), "clWaitForEvents");
    std::array<Ulong, 2> nanoseconds{};
    for (unsigned i = 0; i < 2; ++i) {
        const Int code =
            api().clGetEventProfilingInfo(events[i], profiling_command_end, sizeof(Ulong), &nanoseconds[i], nullptr);
        if (code == -7)
            throw Unsupported(
                "opencl: this queue cannot time events: expected one made with CL_QUEUE_PROFILING_ENABLE");
        check(code, "clGetEventProfilingInfo");
    }
    return static_cast<double>(nanoseconds[1] - nanoseconds[0]) * 1e-6;
}

}  // namespace seiche::runtime::opencl
