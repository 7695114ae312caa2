// Devices, queues and buffers of the public interface: thin values over the backend's objects.
#include "seiche/device.hpp"

#include "api/guard.hpp"
#include "api/host_element.hpp"
#include "api/plan_cache.hpp"
#include "runtime/backend.hpp"
#include "seiche/error.hpp"
#include "support/enumerators.hpp"

namespace seiche {

namespace {

template <class T>
T& present(const std::shared_ptr<T>& impl, const char* what) {
    if (!impl) throw InvalidProblem(std::string(what) + " is empty: expected one made by a device");
    if constexpr (std::is_base_of_v<runtime::OfProcess, T>) impl->expect_own_process(what);
    return *impl;
}

runtime::Buffer& checked(const BufferView& view, std::uint64_t bytes, const char* what) {
    runtime::Buffer& buffer = present(view.buffer.impl(), what);
    if (view.byte_offset > buffer.bytes() || bytes > buffer.bytes() - view.byte_offset)
        throw InvalidProblem(std::string(what) + " is too small: expected at least " +
                             std::to_string(view.byte_offset) + " + " + std::to_string(bytes) + " bytes, got " +
                             std::to_string(buffer.bytes()));
    return buffer;
}

}  // namespace

const char* to_string(Backend backend) noexcept {
    switch (backend) {
        case Backend::reference: return "reference";
        case Backend::cuda: return "cuda";
        case Backend::hip: return "hip";
        case Backend::level_zero: return "level_zero";
        case Backend::vulkan: return "vulkan";
        case Backend::opencl: return "opencl";
        case Backend::opengl: return "opengl";
        case Backend::cpu: return "cpu";
    }
    return "unknown";
}

std::vector<DeviceInfo> devices() {
    return api::guarded("listing devices", [] { return runtime::list_devices(); });
}

std::uint64_t Buffer::bytes() const { return impl_ ? impl_->bytes() : 0; }

void* HostMemory::data() const { return impl_ ? impl_->data() : nullptr; }

std::uint64_t HostMemory::bytes() const { return impl_ ? impl_->bytes() : 0; }

void Queue::upload(const BufferView& to, const void* from, std::size_t bytes) {
    runtime::Queue& queue = present(impl_, "the queue");
    api::check_host_memory("the data to upload", from, bytes);
    queue.upload(checked(to, bytes, "the buffer to upload to"), to.byte_offset, from, bytes);
}

void Queue::download(void* to, const BufferView& from, std::size_t bytes) {
    runtime::Queue& queue = present(impl_, "the queue");
    api::check_host_memory("the memory to download to", to, bytes);
    queue.download(to, checked(from, bytes, "the buffer to download from"), from.byte_offset, bytes);
}

void Queue::enqueue_upload(const BufferView& to, const void* from, std::size_t bytes) {
    runtime::Queue& queue = present(impl_, "the queue");
    api::check_host_memory("the data to upload", from, bytes);
    queue.enqueue_upload(checked(to, bytes, "the buffer to upload to"), to.byte_offset, from, bytes);
}

void Queue::enqueue_download(void* to, const BufferView& from, std::size_t bytes) {
    runtime::Queue& queue = present(impl_, "the queue");
    api::check_host_memory("the memory to download to", to, bytes);
    queue.enqueue_download(to, checked(from, bytes, "the buffer to download from"), from.byte_offset, bytes);
}

void Queue::copy(const BufferView& to, const BufferView& from, std::uint64_t bytes) {
    runtime::Queue& queue = present(impl_, "the queue");
    runtime::Buffer& target = checked(to, bytes, "the buffer to copy to");
    queue.copy(target, to.byte_offset, checked(from, bytes, "the buffer to copy from"), from.byte_offset, bytes);
}

void Queue::batch(const std::function<void()>& work) { runtime::in_one_batch(present(impl_, "the queue"), work); }

void Queue::wait() { present(impl_, "the queue").wait(); }

Event Queue::record() { return Event(present(impl_, "the queue").record()); }

double Queue::milliseconds(const Event& from, const Event& to) {
    return present(impl_, "the queue")
        .milliseconds(present(from.impl(), "the first event"), present(to.impl(), "the last event"));
}

Device Device::open(const std::string& name, std::string* note) {
    return api::guarded("opening a device", [&] {
        if (note != nullptr) note->clear();
        std::shared_ptr<runtime::Device> opened = runtime::open_device(name, note);
        if (api::drop_if_lost(opened)) {
            opened.reset();
            opened = runtime::open_device(name, note);
        }
        const std::vector<MeasuredTable> tables = environment_tables();
        return tables.empty() ? Device(std::move(opened)) : Device(std::move(opened)).with_tables(tables);
    });
}

const DeviceInfo& Device::info() const {
    if (!impl_) throw InvalidProblem("the device is empty: expected one that was opened");
    return info_ ? *info_ : impl_->info();
}

Device Device::with_tables(const std::vector<MeasuredTable>& tables) const {
    DeviceInfo own = info();
    own.limits.tables.insert(own.limits.tables.begin(), tables.begin(), tables.end());
    Device device(impl_);
    device.info_ = std::make_shared<const DeviceInfo>(std::move(own));
    return device;
}

Buffer Device::allocate(std::uint64_t bytes) const {
    return api::guarded("allocating a buffer", [&] { return Buffer(present(impl_, "the device").allocate(bytes)); });
}

Image Device::allocate_image(ImageFormat format, std::uint32_t width, std::uint32_t height) const {
    support::check_enumerator("allocate_image: the format", format);
    if (format == ImageFormat::none || width == 0 || height == 0)
        throw InvalidProblem("allocate_image: expected an image with a format and texels, got " +
                             std::to_string(width) + " by " + std::to_string(height) + " of " + to_string(format));
    return api::guarded("allocating an image",
                        [&] { return Image(present(impl_, "the device").allocate_image(format, width, height)); });
}

HostMemory Device::allocate_host(std::uint64_t bytes) const {
    return HostMemory(present(impl_, "the device").allocate_host(bytes));
}

Queue Device::create_queue() const {
    return api::guarded("making a queue", [&] { return Queue(present(impl_, "the device").create_queue()); });
}

}  // namespace seiche
