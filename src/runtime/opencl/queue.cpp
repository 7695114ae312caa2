// OpenCL command queues and buffers.
#include "runtime/opencl/queue.hpp"

#include <algorithm>
#include <array>

#include "runtime/opencl/module.hpp"
#include "seiche/error.hpp"

namespace seiche::runtime::opencl {

namespace {

Memory memory_of(Buffer& buffer) {
    auto* own = dynamic_cast<OpenclBuffer*>(&buffer);
    if (own == nullptr)
        throw InvalidProblem("opencl: the buffer belongs to another backend, expected one of this device");
    return own->memory();
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
    KernelHandle handle() const { return kernel_; }

private:
    const OpenclModule& module_;
    KernelHandle kernel_;
    Uint next_ = 0;
};

void bind(BoundKernel& bound, const ir::Kernel& kernel, const Launch& launch) {
    if (launch.buffer_count != kernel.buffers.size() || launch.scalar_count != kernel.scalars.size())
        throw InternalError("opencl: kernel " + kernel.name + " takes " + std::to_string(kernel.buffers.size()) +
                            " buffers and " + std::to_string(kernel.scalars.size()) + " scalars, got " +
                            std::to_string(launch.buffer_count) + " and " + std::to_string(launch.scalar_count));
    for (std::size_t b = 0; b < launch.buffer_count; ++b) {
        const Memory memory = memory_of(*launch.buffers[b].buffer);
        const Ulong offset = launch.buffers[b].byte_offset / ir::type_bytes(kernel.buffers[b].element);
        bound.argument(sizeof memory, &memory);
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
    return std::make_shared<OpenclBuffer>(session, memory, bytes);
}

std::shared_ptr<Queue> make_queue(const std::shared_ptr<Session>& session) {
    Int code = success;
    const CommandQueue queue = api().clCreateCommandQueue(session->context, session->device, queue_profiling, &code);
    check(code, "clCreateCommandQueue");
    return std::make_shared<OpenclQueue>(session, queue);
}

OpenclQueue::~OpenclQueue() {
    api().clFlush(queue_);
    api().clReleaseCommandQueue(queue_);
}

void OpenclQueue::upload(Buffer& to, std::uint64_t offset, const void* from, std::size_t bytes) {
    if (bytes == 0) return;
    check(api().clEnqueueWriteBuffer(queue_, memory_of(to), 1, offset, bytes, from, 0, nullptr, nullptr),
          "clEnqueueWriteBuffer");
}

void OpenclQueue::download(void* to, Buffer& from, std::uint64_t offset, std::size_t bytes) {
    if (bytes == 0) return;
    check(api().clEnqueueReadBuffer(queue_, memory_of(from), 1, offset, bytes, to, 0, nullptr, nullptr),
          "clEnqueueReadBuffer");
}

void OpenclQueue::copy(Buffer& to, std::uint64_t to_offset, Buffer& from, std::uint64_t from_offset,
                       std::uint64_t bytes) {
    if (bytes == 0) return;
    check(api().clEnqueueCopyBuffer(queue_, memory_of(from), memory_of(to), from_offset, to_offset, bytes, 0, nullptr,
                                    nullptr),
          "clEnqueueCopyBuffer");
}

void OpenclQueue::launch(const Launch& launch) {
    const auto& module = dynamic_cast<const OpenclModule&>(*launch.module);
    const ir::Kernel& kernel = module.kernel();
    if (launch.groups[0] == 0 || launch.groups[1] == 0 || launch.groups[2] == 0) return;
    BoundKernel bound(module);
    bind(bound, kernel, launch);
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

std::shared_ptr<Event> OpenclQueue::record() {
    EventHandle event = nullptr;
    check(api().clEnqueueMarkerWithWaitList(queue_, 0, nullptr, &event), "clEnqueueMarkerWithWaitList");
    return std::make_shared<OpenclEvent>(event);
}

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
