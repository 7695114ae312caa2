// What an engine has of Vulkan anyway: a device, buffers, and a command buffer of compute launches.
#pragma once
#include <vulkan/vulkan.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace engine {

/// There is no device, or none that can what is asked.
struct NoDevice : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Memory that host and device see. (For large arrays an engine has memory of the device's own, and copies.)
struct Buffer {
    VkBuffer handle = VK_NULL_HANDLE;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    std::byte* bytes = nullptr;
};

/// What a shader sees at a binding, in bytes; `offset` is a multiple of minStorageBufferOffsetAlignment.
struct Binding {
    VkBuffer buffer = VK_NULL_HANDLE;
    VkDeviceSize offset = 0, size = 0;
};

struct Launch {
    std::vector<std::uint32_t> spirv;
    std::string entry;
    std::vector<Binding> bindings;  ///< Of descriptor set 0, in order.
    std::vector<std::uint32_t> push_constants;
    std::uint64_t groups = 0;
    std::uint32_t group_size = 0;
    std::uint64_t shared_bytes = 0;
};

class Device {
public:
    /// The first device with a queue for compute work that has these features, called as Vulkan does; throws NoDevice.
    explicit Device(const std::vector<std::string>& features);
    ~Device();
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    const VkPhysicalDeviceProperties& properties() const { return properties_; }
    Buffer make_buffer(VkDeviceSize bytes);
    /// Begins the device's command buffer; `record` appends a launch that waits for those before it.
    void begin();
    void record(const Launch& launch);
    /// Runs what was recorded and waits until the host may read it.
    void run();

private:
    struct Pipeline {
        VkShaderModule module = VK_NULL_HANDLE;
        VkDescriptorSetLayout set_layout = VK_NULL_HANDLE;
        VkPipelineLayout layout = VK_NULL_HANDLE;
        VkPipeline handle = VK_NULL_HANDLE;
        VkDescriptorPool pool = VK_NULL_HANDLE;
        VkDescriptorSet set = VK_NULL_HANDLE;
    };

    Device() = default;
    void make_instance();
    bool choose(VkPhysicalDevice physical, const std::vector<std::string>& features);
    void make_device(const std::vector<std::string>& features);
    std::uint32_t host_memory(std::uint32_t allowed) const;
    void check_limits(const Launch& launch) const;
    void make_layout(const Launch& launch, Pipeline& pipeline);
    void make_set(const Launch& launch, Pipeline& pipeline);
    void barrier(VkPipelineStageFlags stage, VkAccessFlags access);

    VkInstance instance_ = nullptr;
    VkPhysicalDevice physical_ = nullptr;
    VkPhysicalDeviceProperties properties_{};
    VkDevice device_ = nullptr;
    std::uint32_t family_ = 0;
    VkQueue queue_ = nullptr;
    VkCommandPool pool_ = VK_NULL_HANDLE;
    VkCommandBuffer commands_ = nullptr;
    std::vector<Buffer> buffers_;
    std::vector<std::unique_ptr<Pipeline>> pipelines_;
};

}  // namespace engine
