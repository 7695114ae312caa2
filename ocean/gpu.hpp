// Vulkan, loaded at run time, and a device of it that draws and computes.
#pragma once

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan_core.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "seiche/device.hpp"

namespace seiche::ocean {

struct Functions {
    PFN_vkGetInstanceProcAddr GetInstanceProcAddr = nullptr;
    PFN_vkCreateInstance CreateInstance = nullptr;
#define SEICHE_OCEAN_INSTANCE(name) PFN_vk##name name = nullptr;
#define SEICHE_OCEAN_DEVICE(name) PFN_vk##name name = nullptr;
#define SEICHE_OCEAN_WINDOW_INSTANCE(name) PFN_vk##name name = nullptr;
#define SEICHE_OCEAN_WINDOW_DEVICE(name) PFN_vk##name name = nullptr;
#include "ocean/functions.def"
};

/// A Vulkan structure with its sType.
template <class T>
T typed(VkStructureType type) {
    T value{};
    value.sType = type;
    return value;
}

/// Throws cli::Failure that names the call where it did not succeed.
void check(VkResult result, const char* call);

/// What a device needs for a window beside drawing.
struct Showing {
    std::vector<const char*> extensions;  ///< Of the instance.
    /// Whether a family of a device's queues shows pictures on the window's display.
    std::function<bool(VkInstance, VkPhysicalDevice, std::uint32_t)> can_show;
};

/// A device with a queue for graphics and computing, and Seiche on it. Used by one thread.
class Gpu {
public:
    /// `name`: vulkan, vulkan:INDEX, vulkan:PART-OF-ITS-NAME, or nothing: the first graphics card, else the first
    /// device; of those that show pictures, where `showing` is there. Throws cli::UsageError for another backend,
    /// cli::Failure where there is no such device.
    explicit Gpu(const std::string& name, const Showing* showing = nullptr);
    ~Gpu();
    Gpu(const Gpu&) = delete;
    Gpu& operator=(const Gpu&) = delete;

    const Functions& vk() const { return vk_; }
    VkInstance instance() const { return instance_; }
    VkPhysicalDevice physical() const { return physical_; }
    VkDevice device() const { return device_; }
    VkQueue queue() const { return queue_; }
    std::uint32_t family() const { return family_; }
    const seiche::Device& transforms() const { return transforms_; }
    const VkPhysicalDeviceProperties& properties() const { return properties_; }
    /// E.g. "vulkan:0".
    const std::string& name() const { return name_; }
    /// Whether its queue takes times.
    bool has_timestamps() const { return timestamp_bits_ != 0; }
    /// Milliseconds between two timestamps.
    double milliseconds(std::uint64_t from, std::uint64_t to) const;
    /// The first kind of memory that has one of these properties, the first of them first.
    std::uint32_t memory_type(std::uint32_t allowed, const std::vector<VkMemoryPropertyFlags>& wanted) const;

    /// A command buffer that `record` fills; it lives as long as the device, or until it is freed.
    VkCommandBuffer commands(const std::function<void(VkCommandBuffer)>& record) const;
    void free(VkCommandBuffer commands) const { vk_.FreeCommandBuffers(device_, pool_, 1, &commands); }
    /// Runs it and waits for its end.
    void run(VkCommandBuffer commands) const;

private:
    Gpu() = default;
    void load();
    void make_instance(const Showing* showing);
    void choose(const std::string& name, const Showing* showing);
    void make_device(const Showing* showing);
    void adopt_transforms();

    Functions vk_;
    VkInstance instance_ = nullptr;
    VkPhysicalDevice physical_ = nullptr;
    VkPhysicalDeviceProperties properties_{};
    VkPhysicalDeviceMemoryProperties memory_{};
    std::uint32_t family_ = 0, timestamp_bits_ = 0;
    bool has_int64_ = false, has_image_formats_ = false;
    VkDevice device_ = nullptr;
    VkQueue queue_ = nullptr;
    VkCommandPool pool_ = VK_NULL_HANDLE;
    std::string name_;
    seiche::Device transforms_;
};

}  // namespace seiche::ocean
