// Vulkan devices: the list of them, and one that is open.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "runtime/backend.hpp"
#include "runtime/vulkan/extensions.hpp"

namespace seiche::vulkan {
struct NativeDevice;  // seiche/interop/vulkan.hpp
}

namespace seiche::runtime::vulkan {

/// A logical device and its queue, kept alive by everything that was made from them.
struct Session {
    struct Handles {
        PhysicalDevice physical = nullptr;
        LogicalDevice device = nullptr;
        Uint queue_family = 0;
        QueueHandle queue = nullptr;  ///< Null: the device is Seiche's own, with one queue. Else all is the caller's.
        Extensions extensions;
        bool has_extended_formats = false;  ///< shaderStorageImageExtendedFormats is enabled.
    };
    Session(std::shared_ptr<const Api> functions, const Handles& handles);
    ~Session() {
        if (owns) api->vkDestroyDevice(device, nullptr);
    }
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    /// Waits for all that was submitted: what work may still use is destroyed behind this, whatever the code, since
    /// who destroys can tell nobody.
    Result settle();

    std::shared_ptr<const Api> api;
    PhysicalDevice physical;
    LogicalDevice device;
    Uint queue_family;
    QueueHandle queue;
    Extensions extensions;
    bool has_extended_formats;
    bool owns;
    std::mutex submitting;  ///< Vulkan wants one thread at a time on a queue.
    Properties properties{};
    MemoryProperties memory{};
    Uint timestamp_bits = 0;
};

class VulkanDevice final : public Device {
public:
    VulkanDevice(std::shared_ptr<Session> session, DeviceInfo info);

    const DeviceInfo& info() const override { return info_; }
    emit::Target target() const override;
    std::string compiler_version() const override;
    Binary compile(const emit::Source& source) override;
    std::shared_ptr<Module> load(const emit::Source& source, const Binary& binary) override;
    std::shared_ptr<Module> build(const emit::Source& source) override;
    bool belongs_to_caller() const override { return !session_->owns; }
    std::shared_ptr<Buffer> allocate(std::uint64_t bytes) override;
    std::shared_ptr<Image> allocate_image(ImageFormat format, std::uint32_t width, std::uint32_t height) override;
    std::shared_ptr<Queue> create_queue() override;
    const std::shared_ptr<Session>& session() const { return session_; }

private:
    std::shared_ptr<Session> session_;
    DeviceInfo info_;
};

/// Every device of every driver, or one absent entry.
std::vector<DeviceInfo> list();
std::shared_ptr<Device> open(const DeviceInfo& info);
/// A device on the caller's own.
std::shared_ptr<Device> adopt(const seiche::vulkan::NativeDevice& native);

}  // namespace seiche::runtime::vulkan
