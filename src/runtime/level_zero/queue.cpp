// Level Zero command lists, memory and events.
#include "runtime/level_zero/queue.hpp"

#include <algorithm>
#include <cstring>

#include "runtime/level_zero/module.hpp"
#include "seiche/error.hpp"

namespace seiche::runtime::level_zero {

namespace {

constexpr std::size_t alignment = 128, most_staged = std::size_t{8} << 20;

char* address_of(const Session& session, Buffer& buffer, std::uint64_t offset) {
    auto* own = dynamic_cast<LevelZeroBuffer*>(&buffer);
    if (own == nullptr)
        throw InvalidProblem("level_zero: the buffer belongs to another backend, expected one of this device");
    if (own->session().context() != session.context())
        throw InvalidProblem("level_zero: the buffer belongs to another context, expected one of the queue's");
    return static_cast<char*>(own->address()) + offset;
}

/// A kernel of the pool with its arguments, for one launch.
class BoundKernel {
public:
    explicit BoundKernel(const LevelZeroModule& module) : module_(module), kernel_(module.take()) {}
    ~BoundKernel() { module_.put_back(kernel_); }
    BoundKernel(const BoundKernel&) = delete;
    BoundKernel& operator=(const BoundKernel&) = delete;

    void argument(std::size_t size, const void* value) {
        check(api().zeKernelSetArgumentValue(kernel_, next_++, size, value), "zeKernelSetArgumentValue",
              module_.kernel().name);
    }
    KernelHandle handle() const { return kernel_; }

private:
    const LevelZeroModule& module_;
    KernelHandle kernel_;
    Uint next_ = 0;
};

void bind(const Session& session, BoundKernel& bound, const ir::Kernel& kernel, const Launch& launch) {
    for (std::size_t b = 0; b < launch.buffer_count; ++b) {
        const void* const start = address_of(session, *launch.buffers[b].buffer, 0);
        const std::uint64_t offset = launch.buffers[b].byte_offset / ir::type_bytes(kernel.buffers[b].element);
        bound.argument(sizeof start, &start);
        bound.argument(sizeof offset, &offset);
    }
    for (std::size_t s = 0; s < launch.scalar_count; ++s)  // little-endian: the low bytes come first
        bound.argument(ir::type_bytes(kernel.scalars[s].type), &launch.scalars[s]);
}

const LevelZeroModule& own_module(const Session& session, const Launch& launch) {
    const auto* module = dynamic_cast<const LevelZeroModule*>(launch.module);
    if (module == nullptr || module->session().context() != session.context())
        throw InvalidProblem("level_zero: the plan is one of another device, expected one of the queue's");
    const ir::Kernel& kernel = module->kernel();
    if (launch.buffer_count != kernel.buffers.size() || launch.scalar_count != kernel.scalars.size())
        throw InternalError("level_zero: kernel " + kernel.name + " takes " + std::to_string(kernel.buffers.size()) +
                            " buffers and " + std::to_string(kernel.scalars.size()) + " scalars, got " +
                            std::to_string(launch.buffer_count) + " and " + std::to_string(launch.scalar_count));
    for (unsigned d = 0; d < 3; ++d)
        if (launch.groups[d] > session.most_groups()[d])
            throw Unsupported("level_zero: kernel " + kernel.name + ": expected at most " +
                              std::to_string(session.most_groups()[d]) + " groups in a launch, got " +
                              std::to_string(launch.groups[d]) + ": use a smaller batch");
    return *module;
}

}  // namespace

std::shared_ptr<Buffer> allocate_buffer(const std::shared_ptr<Session>& session, std::uint64_t bytes) {
    const DeviceMemoryDesc description;
    void* address = nullptr;
    check(api().zeMemAllocDevice(session->context(), &description, std::max<std::size_t>(bytes, 1), alignment,
                                 session->device(), &address),
          "zeMemAllocDevice", std::to_string(bytes) + " bytes");
    return make_owned<LevelZeroBuffer>(session, address, bytes, true);
}

std::shared_ptr<Queue> make_queue(const std::shared_ptr<Session>& session) {
    QueueDesc description;
    description.ordinal = session->compute_group();
    description.mode = queue_asynchronous;
    CommandList list = nullptr;
    check(api().zeCommandListCreateImmediate(session->context(), session->device(), &description, &list),
          "zeCommandListCreateImmediate");
    return make_owned<LevelZeroQueue>(session, list, true);
}

LevelZeroBuffer::~LevelZeroBuffer() {
    if (!owned_) return;
    session_->settle();
    api().zeMemFree(session_->context(), address_);
}

LevelZeroEvent::LevelZeroEvent(std::shared_ptr<Session> session, Uint flags) : session_(std::move(session)) {
    EventPoolDesc pool;
    pool.flags = flags;
    DeviceHandle device = session_->device();
    check(api().zeEventPoolCreate(session_->context(), &pool, 1, &device, &pool_), "zeEventPoolCreate");
    EventDesc description;
    description.signal = description.wait = scope_host;
    const Result code = api().zeEventCreate(pool_, &description, &event_);
    if (code != success) api().zeEventPoolDestroy(pool_);
    check(code, "zeEventCreate");
}

LevelZeroEvent::~LevelZeroEvent() {
    session_->settle();  // the device may have yet to signal it
    api().zeEventDestroy(event_);
    api().zeEventPoolDestroy(pool_);
}

void append_barrier(CommandList list, EventHandle signal) {
    check(api().zeCommandListAppendBarrier(list, signal, 0, nullptr), "zeCommandListAppendBarrier");
}

void append_launch(const Session& session, CommandList list, const Launch& launch) {
    if (launch.groups[0] == 0 || launch.groups[1] == 0 || launch.groups[2] == 0) return;
    const LevelZeroModule& module = own_module(session, launch);
    BoundKernel bound(module);
    bind(session, bound, module.kernel(), launch);
    append_barrier(list);
    const GroupCount groups{launch.groups[0], launch.groups[1], launch.groups[2]};
    check(api().zeCommandListAppendLaunchKernel(list, bound.handle(), &groups, nullptr, 0, nullptr),
          "zeCommandListAppendLaunchKernel", module.kernel().name);
}

HostMemory::HostMemory(std::shared_ptr<Session> session, std::size_t bytes)
    : session_(std::move(session)), bytes_(bytes) {
    const HostMemoryDesc description;
    check(api().zeMemAllocHost(session_->context(), &description, bytes, alignment, &address_), "zeMemAllocHost",
          std::to_string(bytes) + " bytes");
}

// ---- LevelZeroQueue

LevelZeroQueue::LevelZeroQueue(std::shared_ptr<Session> session, CommandList list, bool owned)
    : session_(std::move(session)), list_(list), owned_(owned) {
    try {
        done_ = std::make_unique<LevelZeroEvent>(session_, pool_host_visible);
    } catch (...) {
        if (owned_) api().zeCommandListDestroy(list_);
        throw;
    }
    session_->add(this);
}

LevelZeroQueue::~LevelZeroQueue() {
    settle();
    session_->remove(this);
    if (owned_) api().zeCommandListDestroy(list_);
}

// With the lock held.
void LevelZeroQueue::finish() {
    if (!pending_) return;
    check(api().zeEventHostReset(done_->handle()), "zeEventHostReset");
    append_barrier(list_, done_->handle());
    check(api().zeEventHostSynchronize(done_->handle(), for_ever), "zeEventHostSynchronize");
    pending_ = false;
}

void LevelZeroQueue::settle() noexcept {
    try {
        const std::lock_guard lock(mutex_);
        finish();
    } catch (...) {
        pending_ = false;  // a device that is lost finishes nothing, and whoever gives something up cannot be told
    }
}

// With the lock held; how many bytes to move at once.
std::size_t LevelZeroQueue::stage(std::uint64_t bytes) {
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(bytes, most_staged));
    if (staging_ == nullptr || staging_->bytes() < wanted) staging_ = std::make_unique<HostMemory>(session_, wanted);
    return wanted;
}

void LevelZeroQueue::upload(Buffer& to, std::uint64_t offset, const void* from, std::size_t bytes) {
    if (bytes == 0) return;
    char* const target = address_of(*session_, to, offset);
    const std::lock_guard lock(mutex_);
    finish();
    const std::size_t most = stage(bytes);
    for (std::size_t first = 0; first < bytes; first += most) {
        const std::size_t count = std::min(most, bytes - first);
        std::memcpy(staging_->address(), static_cast<const char*>(from) + first, count);
        check(
            api().zeCommandListAppendMemoryCopy(list_, target + first, staging_->address(), count, nullptr, 0, nullptr),
            "zeCommandListAppendMemoryCopy");
        pending_ = true;
        finish();
    }
}

void LevelZeroQueue::download(void* to, Buffer& from, std::uint64_t offset, std::size_t bytes) {
    if (bytes == 0) return;
    const char* const source = address_of(*session_, from, offset);
    const std::lock_guard lock(mutex_);
    finish();
    const std::size_t most = stage(bytes);
    for (std::size_t first = 0; first < bytes; first += most) {
        const std::size_t count = std::min(most, bytes - first);
        check(
            api().zeCommandListAppendMemoryCopy(list_, staging_->address(), source + first, count, nullptr, 0, nullptr),
            "zeCommandListAppendMemoryCopy");
        pending_ = true;
        finish();
        std::memcpy(static_cast<char*>(to) + first, staging_->address(), count);
    }
}

void LevelZeroQueue::copy(Buffer& to, std::uint64_t to_offset, Buffer& from, std::uint64_t from_offset,
                          std::uint64_t bytes) {
    if (bytes == 0) return;
    char* const target = address_of(*session_, to, to_offset);
    const char* const source = address_of(*session_, from, from_offset);
    const std::lock_guard lock(mutex_);
    append_barrier(list_);
    pending_ = true;
    check(api().zeCommandListAppendMemoryCopy(list_, target, source, bytes, nullptr, 0, nullptr),
          "zeCommandListAppendMemoryCopy");
}

void LevelZeroQueue::launch(const Launch& launch) {
    const std::lock_guard lock(mutex_);
    pending_ = true;
    append_launch(*session_, list_, launch);
}

void LevelZeroQueue::wait() {
    const std::lock_guard lock(mutex_);
    finish();
}

std::shared_ptr<Event> LevelZeroQueue::record() {
    auto event = make_owned<LevelZeroEvent>(session_, pool_host_visible | pool_timestamps);
    const std::lock_guard lock(mutex_);
    pending_ = true;
    append_barrier(list_, event->handle());
    return event;
}

double LevelZeroQueue::milliseconds(const Event& from, const Event& to) {
    std::uint64_t ends[2] = {};
    const EventHandle events[2] = {dynamic_cast<const LevelZeroEvent&>(from).handle(),
                                   dynamic_cast<const LevelZeroEvent&>(to).handle()};
    for (unsigned i = 0; i < 2; ++i) {
        check(api().zeEventHostSynchronize(events[i], for_ever), "zeEventHostSynchronize");
        KernelTimestamp times;
        check(api().zeEventQueryKernelTimestamp(events[i], &times), "zeEventQueryKernelTimestamp");
        ends[i] = times.global.kernelEnd;
    }
    const std::uint64_t ticks = (ends[1] - ends[0]) & session_->timestamp_mask();  // the counter wraps
    return static_cast<double>(ticks) * session_->nanoseconds_per_tick() * 1e-6;
}

}  // namespace seiche::runtime::level_zero
