// CUDA streams and memory. A launch calls only what a stream capture allows.
#include "runtime/cuda/queue.hpp"

#include <algorithm>
#include <array>

#include "runtime/cuda/module.hpp"
#include "seiche/error.hpp"

namespace seiche::runtime::cuda {

namespace {

constexpr std::size_t most_arguments = 64;

Address address_of(Buffer& buffer) {
    auto* own = dynamic_cast<CudaBuffer*>(&buffer);
    if (own == nullptr)
        throw InvalidProblem("cuda: the buffer belongs to another backend, expected one of this device");
    return own->address();
}

/// What a launch's argument list points to; fixed in size, so that launching allocates nothing.
struct Arguments {
    std::array<Address, most_arguments> addresses;
    std::array<void*, most_arguments> pointers;
};

void collect(Arguments& arguments, const ir::Kernel& kernel, const Launch& launch) {
    if (launch.buffer_count != kernel.buffers.size() || launch.scalar_count != kernel.scalars.size() ||
        launch.buffer_count + launch.scalar_count > most_arguments)
        throw InternalError("cuda: kernel " + kernel.name + " takes " + std::to_string(kernel.buffers.size()) +
                            " buffers and " + std::to_string(kernel.scalars.size()) + " scalars, at most " +
                            std::to_string(most_arguments) + " in all; got " + std::to_string(launch.buffer_count) +
                            " and " + std::to_string(launch.scalar_count));
    for (std::size_t b = 0; b < launch.buffer_count; ++b) {
        arguments.addresses[b] = address_of(*launch.buffers[b].buffer) + launch.buffers[b].byte_offset;
        arguments.pointers[b] = &arguments.addresses[b];
    }
    // The driver takes as many bytes of each word as the parameter has; little-endian, so the low ones.
    for (std::size_t s = 0; s < launch.scalar_count; ++s)
        arguments.pointers[launch.buffer_count + s] = const_cast<std::uint64_t*>(&launch.scalars[s]);
}

Result launch_extended(const CudaModule& module, const Launch& launch, Stream stream, void** arguments) {
    const ir::LaunchAttributes& attributes = module.kernel().launch;
    std::array<LaunchAttribute, 2> list{};
    LaunchConfig config;
    std::copy(launch.groups.begin(), launch.groups.end(), config.grid);
    std::copy(attributes.group.begin(), attributes.group.end(), config.block);
    config.shared_bytes = module.dynamic_shared_bytes();
    config.stream = stream;
    config.attributes = list.data();
    if (attributes.cluster[0] * attributes.cluster[1] * attributes.cluster[2] > 1) {
        LaunchAttribute& cluster = list[config.attribute_count++];
        cluster.id = launch_cluster;
        std::copy(attributes.cluster.begin(), attributes.cluster.end(), cluster.value.cluster);
    }
    if (attributes.cooperative) {
        LaunchAttribute& cooperative = list[config.attribute_count++];
        cooperative.id = launch_cooperative;
        cooperative.value.cooperative = 1;
    }
    return api().cuLaunchKernelEx(&config, module.function(), arguments, nullptr);
}

}  // namespace

std::shared_ptr<Buffer> allocate_buffer(const std::shared_ptr<Session>& session, std::uint64_t bytes) {
    const Current current(*session);
    Address address = 0;
    check(api().cuMemAlloc(&address, std::max<std::size_t>(bytes, 1)), "cuMemAlloc", std::to_string(bytes) + " bytes");
    return std::make_shared<CudaBuffer>(session, address, bytes, true);
}

std::shared_ptr<Queue> make_queue(const std::shared_ptr<Session>& session) {
    const Current current(*session);
    Stream stream = nullptr;
    check(api().cuStreamCreate(&stream, stream_non_blocking), "cuStreamCreate");
    return std::make_shared<CudaQueue>(session, stream, true);
}

CudaBuffer::~CudaBuffer() {
    Context popped = nullptr;
    if (!owned_ || api().cuCtxPushCurrent(session_->context) != success) return;
    api().cuMemFree(address_);
    api().cuCtxPopCurrent(&popped);
}

CudaQueue::~CudaQueue() {
    if (owned_) api().cuStreamDestroy(stream_);
}

void CudaQueue::upload(Buffer& to, std::uint64_t offset, const void* from, std::size_t bytes) {
    if (bytes == 0) return;
    const Current current(*session_);
    check(api().cuMemcpyHtoDAsync(address_of(to) + offset, from, bytes, stream_), "cuMemcpyHtoDAsync");
    check(api().cuStreamSynchronize(stream_), "cuStreamSynchronize");
}

void CudaQueue::download(void* to, Buffer& from, std::uint64_t offset, std::size_t bytes) {
    if (bytes == 0) return;
    const Current current(*session_);
    check(api().cuMemcpyDtoHAsync(to, address_of(from) + offset, bytes, stream_), "cuMemcpyDtoHAsync");
    check(api().cuStreamSynchronize(stream_), "cuStreamSynchronize");
}

void CudaQueue::copy(Buffer& to, std::uint64_t to_offset, Buffer& from, std::uint64_t from_offset,
                     std::uint64_t bytes) {
    if (bytes == 0) return;
    const Current current(*session_);
    check(api().cuMemcpyDtoDAsync(address_of(to) + to_offset, address_of(from) + from_offset, bytes, stream_),
          "cuMemcpyDtoDAsync");
}

void CudaQueue::launch(const Launch& launch) {
    const auto& module = dynamic_cast<const CudaModule&>(*launch.module);
    const ir::LaunchAttributes& attributes = module.kernel().launch;
    if (launch.groups[0] == 0 || launch.groups[1] == 0 || launch.groups[2] == 0) return;
    Arguments arguments;
    collect(arguments, module.kernel(), launch);
    const Current current(*session_);
    const bool extended = attributes.cooperative || attributes.cluster != std::array<std::uint32_t, 3>{1, 1, 1};
    const auto& group = attributes.group;
    const Result code =
        extended ? launch_extended(module, launch, stream_, arguments.pointers.data())
                 : api().cuLaunchKernel(module.function(), launch.groups[0], launch.groups[1], launch.groups[2],
                                        group[0], group[1], group[2], module.dynamic_shared_bytes(), stream_,
                                        arguments.pointers.data(), nullptr);
    check(code, extended ? "cuLaunchKernelEx" : "cuLaunchKernel", module.kernel().name);
}

void CudaQueue::wait() {
    const Current current(*session_);
    check(api().cuStreamSynchronize(stream_), "cuStreamSynchronize");
}

std::shared_ptr<Event> CudaQueue::record() {
    const Current current(*session_);
    EventHandle handle = nullptr;
    check(api().cuEventCreate(&handle, 0), "cuEventCreate");
    auto event = std::make_shared<CudaEvent>(session_, handle);
    check(api().cuEventRecord(handle, stream_), "cuEventRecord");
    return event;
}

double CudaQueue::milliseconds(const Event& from, const Event& to) {
    const EventHandle first = dynamic_cast<const CudaEvent&>(from).handle(),
                      last = dynamic_cast<const CudaEvent&>(to).handle();
    const Current current(*session_);
    check(api().cuEventSynchronize(last), "cuEventSynchronize");
    float elapsed = 0;
    check(api().cuEventElapsedTime(&elapsed, first, last), "cuEventElapsedTime");
    return elapsed;
}

}  // namespace seiche::runtime::cuda
