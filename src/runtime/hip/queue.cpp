// HIP streams and memory. A launch calls only what a stream capture allows.
#include "runtime/hip/queue.hpp"

#include <algorithm>
#include <array>

#include "runtime/hip/module.hpp"
#include "seiche/error.hpp"

namespace seiche::runtime::hip {

namespace {

constexpr std::size_t most_arguments = 64;

/// A card cannot reach another's memory or code.
void expect_card(int of, int queue, const char* what) {
    if (of != queue)
        throw InvalidProblem("hip: the " + std::string(what) + " belongs to card " + std::to_string(of) +
                             ", expected one of card " + std::to_string(queue));
}

Address address_of(Buffer& buffer, std::uint64_t offset, int queue) {
    auto* own = dynamic_cast<HipBuffer*>(&buffer);
    if (own == nullptr) throw InvalidProblem("hip: the buffer belongs to another backend, expected one of this device");
    expect_card(own->ordinal(), queue, "buffer");
    return static_cast<char*>(own->address()) + offset;
}

/// What a launch's argument list points to; fixed in size, so that launching allocates nothing.
struct Arguments {
    std::array<Address, most_arguments> addresses;
    std::array<void*, most_arguments> pointers;
};

void collect(Arguments& arguments, const ir::Kernel& kernel, const Launch& launch, int queue) {
    if (launch.buffer_count != kernel.buffers.size() || launch.scalar_count != kernel.scalars.size() ||
        launch.buffer_count + launch.scalar_count > most_arguments)
        throw InternalError("hip: kernel " + kernel.name + " takes " + std::to_string(kernel.buffers.size()) +
                            " buffers and " + std::to_string(kernel.scalars.size()) + " scalars, at most " +
                            std::to_string(most_arguments) + " in all; got " + std::to_string(launch.buffer_count) +
                            " and " + std::to_string(launch.scalar_count));
    for (std::size_t b = 0; b < launch.buffer_count; ++b) {
        arguments.addresses[b] = address_of(*launch.buffers[b].buffer, launch.buffers[b].byte_offset, queue);
        arguments.pointers[b] = &arguments.addresses[b];
    }
    // The runtime takes as many bytes of each word as the parameter has; little-endian, so the low ones.
    for (std::size_t s = 0; s < launch.scalar_count; ++s)
        arguments.pointers[launch.buffer_count + s] = const_cast<std::uint64_t*>(&launch.scalars[s]);
}

// Threads along a dimension are counted in 32 bits by the hardware's dispatch packet.
void check_grid(const ir::Kernel& kernel, const Launch& launch) {
    for (unsigned d = 0; d < 3; ++d) {
        const std::uint64_t threads = std::uint64_t{launch.groups[d]} * kernel.launch.group[d];
        if (threads > UINT32_MAX)
            throw Unsupported("hip: kernel " + kernel.name + ": expected at most " + std::to_string(UINT32_MAX) +
                              " threads in a launch, got " + std::to_string(threads) + ": use a smaller batch");
    }
}

}  // namespace

std::shared_ptr<Buffer> allocate_buffer(int ordinal, std::uint64_t bytes) {
    const Current current(ordinal);
    Address address = nullptr;
    check(api().hipMalloc(&address, std::max<std::size_t>(bytes, 1)), "hipMalloc", std::to_string(bytes) + " bytes");
    return make_owned<HipBuffer>(ordinal, address, bytes, true);
}

std::shared_ptr<HostMemory> allocate_host_memory(int ordinal, std::uint64_t bytes) {
    const Current current(ordinal);
    void* data = nullptr;
    check(api().hipHostMalloc(&data, std::max<std::size_t>(bytes, 1), host_memory_portable), "hipHostMalloc",
          std::to_string(bytes) + " bytes of the host's memory");
    return make_owned<HipHostMemory>(data, bytes);
}

std::shared_ptr<Queue> make_queue(int ordinal) {
    const Current current(ordinal);
    Stream stream = nullptr;
    check(api().hipStreamCreateWithFlags(&stream, stream_non_blocking), "hipStreamCreateWithFlags");
    return make_owned<HipQueue>(ordinal, stream, true);
}

void HipQueue::enqueue_upload(Buffer& to, std::uint64_t offset, const void* from, std::size_t bytes) {
    if (bytes == 0) return;
    const Current current(ordinal_);
    check(api().hipMemcpyHtoDAsync(address_of(to, offset, ordinal_), from, bytes, stream_), "hipMemcpyHtoDAsync");
}

void HipQueue::enqueue_download(void* to, Buffer& from, std::uint64_t offset, std::size_t bytes) {
    if (bytes == 0) return;
    const Current current(ordinal_);
    check(api().hipMemcpyDtoHAsync(to, address_of(from, offset, ordinal_), bytes, stream_), "hipMemcpyDtoHAsync");
}

void HipQueue::upload(Buffer& to, std::uint64_t offset, const void* from, std::size_t bytes) {
    enqueue_upload(to, offset, from, bytes);
    if (bytes != 0) wait();
}

void HipQueue::download(void* to, Buffer& from, std::uint64_t offset, std::size_t bytes) {
    enqueue_download(to, from, offset, bytes);
    if (bytes != 0) wait();
}

void HipQueue::copy(Buffer& to, std::uint64_t to_offset, Buffer& from, std::uint64_t from_offset, std::uint64_t bytes) {
    if (bytes == 0) return;
    const Current current(ordinal_);
    check(api().hipMemcpyDtoDAsync(address_of(to, to_offset, ordinal_), address_of(from, from_offset, ordinal_), bytes,
                                   stream_),
          "hipMemcpyDtoDAsync");
}

void HipQueue::launch(const Launch& launch) {
    const auto* const own_module = dynamic_cast<const HipModule*>(launch.module);
    if (own_module == nullptr)
        throw InvalidProblem("hip: the plan belongs to another backend, expected one of this device");
    const HipModule& module = *own_module;
    expect_card(module.ordinal(), ordinal_, "plan");
    const ir::Kernel& kernel = module.kernel();
    if (launch.groups[0] == 0 || launch.groups[1] == 0 || launch.groups[2] == 0) return;
    check_grid(kernel, launch);
    Arguments arguments;
    collect(arguments, kernel, launch, ordinal_);
    const Current current(ordinal_);
    const auto& groups = launch.groups;
    const auto& group = kernel.launch.group;
    check(api().hipModuleLaunchKernel(module.function(), groups[0], groups[1], groups[2], group[0], group[1], group[2],
                                      module.dynamic_shared_bytes(), stream_, arguments.pointers.data(), nullptr),
          "hipModuleLaunchKernel", kernel.name);
}

void HipQueue::wait() {
    const Current current(ordinal_);
    check(api().hipStreamSynchronize(stream_), "hipStreamSynchronize");
}

std::shared_ptr<Event> HipQueue::record() {
    const Current current(ordinal_);
    EventHandle handle = nullptr;
    check(api().hipEventCreate(&handle), "hipEventCreate");
    auto event = make_owned<HipEvent>(handle);
    record(handle);
    return event;
}

void HipQueue::record(EventHandle event) {
    const Current current(ordinal_);
    check(api().hipEventRecord(event, stream_), "hipEventRecord");
}

void HipQueue::wait_for(EventHandle event) {
    const Current current(ordinal_);
    check(api().hipStreamWaitEvent(stream_, event, 0), "hipStreamWaitEvent");
}

double HipQueue::milliseconds(const Event& from, const Event& to) {
    const EventHandle first = dynamic_cast<const HipEvent&>(from).handle(),
                      last = dynamic_cast<const HipEvent&>(to).handle();
    const Current current(ordinal_);
    check(api().hipEventSynchronize(last), "hipEventSynchronize");
    float elapsed = 0;
    check(api().hipEventElapsedTime(&elapsed, first, last), "hipEventElapsedTime");
    return elapsed;
}

}  // namespace seiche::runtime::hip
