// CUDA streams and memory. A launch calls only what a stream capture allows.
#include "runtime/cuda/queue.hpp"

#include <algorithm>
#include <array>

#include "runtime/cuda/module.hpp"
#include "seiche/error.hpp"

namespace seiche::runtime::cuda {

namespace {

constexpr std::size_t most_arguments = 64;

/// A card cannot reach another's memory or code; a context of the same card not either.
void expect_same(const Session& of, const Session& queue, const char* what) {
    if (of.context == queue.context) return;
    const auto name = [&](const Session& session) {
        return (of.ordinal == queue.ordinal ? "a context of card " : "card ") + std::to_string(session.ordinal);
    };
    throw InvalidProblem("cuda: the " + std::string(what) + " belongs to " + name(of) + ", expected one of " +
                         (of.ordinal == queue.ordinal ? "the queue's context" : name(queue)));
}

const CudaBuffer& own(Buffer& buffer) {
    const auto* own = dynamic_cast<const CudaBuffer*>(&buffer);
    if (own == nullptr)
        throw InvalidProblem("cuda: the buffer belongs to another backend, expected one of this device");
    return *own;
}

Address address_of(Buffer& buffer, const Session& queue) {
    const CudaBuffer& native = own(buffer);
    expect_same(native.session(), queue, "buffer");
    return native.address();
}

const CudaModule& module_of(const Launch& launch, const Session& queue) {
    const auto* own = dynamic_cast<const CudaModule*>(launch.module);
    if (own == nullptr) throw InvalidProblem("cuda: the plan belongs to another backend, expected one of this device");
    expect_same(own->session(), queue, "plan");
    return *own;
}

/// What a launch's argument list points to; fixed in size, so that launching allocates nothing.
struct Arguments {
    std::array<Address, most_arguments> addresses;
    std::array<void*, most_arguments> pointers;
};

void collect(Arguments& arguments, const ir::Kernel& kernel, const Launch& launch, const Session& queue) {
    if (launch.buffer_count != kernel.buffers.size() || launch.scalar_count != kernel.scalars.size() ||
        launch.buffer_count + launch.scalar_count > most_arguments)
        throw InternalError("cuda: kernel " + kernel.name + " takes " + std::to_string(kernel.buffers.size()) +
                            " buffers and " + std::to_string(kernel.scalars.size()) + " scalars, at most " +
                            std::to_string(most_arguments) + " in all; got " + std::to_string(launch.buffer_count) +
                            " and " + std::to_string(launch.scalar_count));
    for (std::size_t b = 0; b < launch.buffer_count; ++b) {
        arguments.addresses[b] = address_of(*launch.buffers[b].buffer, queue) + launch.buffers[b].byte_offset;
        arguments.pointers[b] = &arguments.addresses[b];
    }
    // The driver takes as many bytes of each word as the parameter has; little-endian, so the low ones.
    for (std::size_t s = 0; s < launch.scalar_count; ++s)
        arguments.pointers[launch.buffer_count + s] = const_cast<std::uint64_t*>(&launch.scalars[s]);
}

/// Not the legacy default stream, which waits for other streams as well as for what is ahead in it.
bool is_own_order(Stream stream) { return reinterpret_cast<std::uintptr_t>(stream) > legacy_default_stream; }

Result launch_with(const CudaModule& module, const Launch& launch, Stream stream, void** arguments) {
    const ir::LaunchAttributes& attributes = module.kernel().launch;
    std::array<LaunchAttribute, 3> list;
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
    if (module.waits_for_previous() && is_own_order(stream)) {
        LaunchAttribute& early = list[config.attribute_count++];
        early.id = launch_programmatic_stream_serialization;
        early.value.programmatic_stream_serialization = 1;
    }
    return api().cuLaunchKernelEx(&config, module.function(), arguments, nullptr);
}

}  // namespace

std::shared_ptr<Buffer> allocate_buffer(const std::shared_ptr<Session>& session, std::uint64_t bytes) {
    const Current current(*session);
    Address address = 0;
    check(api().cuMemAlloc(&address, std::max<std::size_t>(bytes, 1)), "cuMemAlloc", std::to_string(bytes) + " bytes");
    return make_owned<CudaBuffer>(session, address, bytes, true);
}

std::shared_ptr<HostMemory> allocate_host_memory(const std::shared_ptr<Session>& session, std::uint64_t bytes) {
    const Current current(*session);
    void* data = nullptr;
    check(api().cuMemHostAlloc(&data, std::max<std::size_t>(bytes, 1), host_memory_portable), "cuMemHostAlloc",
          std::to_string(bytes) + " bytes of the host's memory");
    return make_owned<CudaHostMemory>(session, data, bytes);
}

std::shared_ptr<Queue> make_queue(const std::shared_ptr<Session>& session) {
    const Current current(*session);
    Stream stream = nullptr;
    check(api().cuStreamCreate(&stream, stream_non_blocking), "cuStreamCreate");
    return make_owned<CudaQueue>(session, stream, true);
}

// A context that cannot be made current is gone, and with it what was made in it; where only that one call failed, the
// memory stays with the context until it ends.
CudaBuffer::~CudaBuffer() {
    Context popped = nullptr;
    if (!owned_ || api().cuCtxPushCurrent(session_->context) != success) return;
    api().cuMemFree(address_);
    api().cuCtxPopCurrent(&popped);
}

CudaHostMemory::~CudaHostMemory() {
    Context popped = nullptr;
    if (api().cuCtxPushCurrent(session_->context) != success) return;
    api().cuMemFreeHost(data_);
    api().cuCtxPopCurrent(&popped);
}

CudaQueue::~CudaQueue() {
    if (owned_) api().cuStreamDestroy(stream_);
}

void CudaQueue::enqueue_upload(Buffer& to, std::uint64_t offset, const void* from, std::size_t bytes) {
    if (bytes == 0) return;
    const Current current(*session_);
    check(api().cuMemcpyHtoDAsync(address_of(to, *session_) + offset, from, bytes, stream_), "cuMemcpyHtoDAsync");
}

void CudaQueue::enqueue_download(void* to, Buffer& from, std::uint64_t offset, std::size_t bytes) {
    if (bytes == 0) return;
    const Current current(*session_);
    check(api().cuMemcpyDtoHAsync(to, address_of(from, *session_) + offset, bytes, stream_), "cuMemcpyDtoHAsync");
}

void CudaQueue::upload(Buffer& to, std::uint64_t offset, const void* from, std::size_t bytes) {
    enqueue_upload(to, offset, from, bytes);
    if (bytes != 0) wait();
}

void CudaQueue::download(void* to, Buffer& from, std::uint64_t offset, std::size_t bytes) {
    enqueue_download(to, from, offset, bytes);
    if (bytes != 0) wait();
}

// Between two cards the driver goes the way that there is, directly or by way of the host.
void CudaQueue::copy(Buffer& to, std::uint64_t to_offset, Buffer& from, std::uint64_t from_offset,
                     std::uint64_t bytes) {
    if (bytes == 0) return;
    const CudaBuffer &target = own(to), &source = own(from);
    const Address to_address = target.address() + to_offset, from_address = source.address() + from_offset;
    const Context here = session_->context;
    const Current current(*session_);
    if (target.session().context == here && source.session().context == here)
        check(api().cuMemcpyDtoDAsync(to_address, from_address, bytes, stream_), "cuMemcpyDtoDAsync");
    else
        check(api().cuMemcpyPeerAsync(to_address, target.session().context, from_address, source.session().context,
                                      bytes, stream_),
              "cuMemcpyPeerAsync");
}

void CudaQueue::launch(const Launch& launch) {
    const CudaModule& module = module_of(launch, *session_);
    if (launch.groups[0] == 0 || launch.groups[1] == 0 || launch.groups[2] == 0) return;
    Arguments arguments;
    collect(arguments, module.kernel(), launch, *session_);
    const Current current(*session_);
    check(launch_with(module, launch, stream_, arguments.pointers.data()), "cuLaunchKernelEx", module.kernel().name);
}

void CudaQueue::begin_batch() {
    if (batches_ == 0) current_.emplace(*session_);
    ++batches_;
}

void CudaQueue::end_batch() {
    if (--batches_ == 0) current_.reset();
}

void CudaQueue::wait() {
    const Current current(*session_);
    check(api().cuStreamSynchronize(stream_), "cuStreamSynchronize");
}

std::shared_ptr<Event> CudaQueue::record() {
    const Current current(*session_);
    EventHandle handle = nullptr;
    check(api().cuEventCreate(&handle, 0), "cuEventCreate");
    auto event = make_owned<CudaEvent>(session_, handle);
    record(handle);
    return event;
}

void CudaQueue::record(EventHandle event) {
    const Current current(*session_);
    check(api().cuEventRecord(event, stream_), "cuEventRecord");
}

void CudaQueue::wait_for(EventHandle event) {
    const Current current(*session_);
    check(api().cuStreamWaitEvent(stream_, event, 0), "cuStreamWaitEvent");
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
