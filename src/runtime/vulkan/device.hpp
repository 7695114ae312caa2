// Vulkan devices: the list of them, and one that is open.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "runtime/backend.hpp"
#include "runtime/vulkan/api.hpp"

namespace seiche::runtime::vulkan {

/// A logical device and its queue, kept alive by everything that was made from them.
struct Session {
    Session(PhysicalDevice p, LogicalDevice d, Uint family);
    ~Session() { api().vkDestroyDevice(device, nullptr); }
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    /// Waits for all that was submitted: what work may still use is destroyed behind this.
    void settle();

    PhysicalDevice physical;
    LogicalDevice device;
    Uint queue_family;
    QueueHandle queue = nullptr;
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
    std::shared_ptr<Buffer> allocate(std::uint64_t bytes) override;
    std::shared_ptr<Queue> create_queue() override;

private:
    std::shared_ptr<Session> session_;
    DeviceInfo info_;
};

/// Every device of every driver, or one absent entry.
std::vector<DeviceInfo> list();
std::shared_ptr<Device> open(const DeviceInfo& info);

}  // namespace seiche::runtime::vulkan
