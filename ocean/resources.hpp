// Buffers, images and pipelines, all of which go together.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "ocean/gpu.hpp"

namespace seiche::ocean {

/// SPIR-V as the build makes it.
struct Shader {
    const std::uint32_t* words = nullptr;
    std::size_t count = 0;
};

struct Buffer {
    VkBuffer handle = VK_NULL_HANDLE;
    VkDeviceSize bytes = 0;
    void* mapped = nullptr;  ///< Null: the device's own memory.
};

enum class Memory { device, upload, download };

/// An image with all its levels and layers; `view` sees all of them, `base` the first level alone.
struct Image {
    VkImage handle = VK_NULL_HANDLE;
    VkImageView view = VK_NULL_HANDLE, base = VK_NULL_HANDLE;
    std::uint32_t width = 0, height = 0, layers = 1, levels = 1;
};

struct ImageShape {
    VkFormat format = VK_FORMAT_R16G16B16A16_SFLOAT;
    std::uint32_t width = 1, height = 1;
    std::uint32_t layers = 0;  ///< 0: no array of layers.
    bool has_levels = false;
    VkImageUsageFlags usage = 0;
};

/// What a shader sees as one of its bindings, numbered in order: a buffer, an image of its own, or one with a sampler.
struct Binding {
    VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    VkBuffer buffer = VK_NULL_HANDLE;
    VkImageView view = VK_NULL_HANDLE;
    VkSampler sampler = VK_NULL_HANDLE;
};
Binding storage(const Buffer& buffer);
Binding uniform(const Buffer& buffer);
Binding storage(const Image& image);  ///< Its first level.
Binding sampled(const Image& image, VkSampler sampler);

/// Bindings as descriptor set 0 of a pipeline layout.
struct BoundSet {
    VkDescriptorSet set = VK_NULL_HANDLE;
    VkPipelineLayout layout = VK_NULL_HANDLE;
};

struct Picture {  // of a render pass: one colour image and a depth image
    VkRenderPass pass = VK_NULL_HANDLE;
    VkFramebuffer frame = VK_NULL_HANDLE;
    std::uint32_t width = 0, height = 0;
};

/// Makes Vulkan objects and destroys them in reverse order. Throws cli::Failure where a call fails.
class Resources {
public:
    explicit Resources(const Gpu& gpu) : gpu_(gpu) {}
    ~Resources();
    Resources(const Resources&) = delete;
    Resources& operator=(const Resources&) = delete;

    Buffer buffer(VkDeviceSize bytes, VkBufferUsageFlags usage, Memory memory);
    /// In the device's own memory, filled from the host.
    Buffer filled(const void* data, VkDeviceSize bytes, VkBufferUsageFlags usage);
    Image image(const ImageShape& shape);
    VkSampler sampler(VkSamplerAddressMode along, VkSamplerAddressMode down);
    BoundSet bind(VkShaderStageFlags stages, const std::vector<Binding>& bindings);
    VkPipeline compute(const Shader& shader, const BoundSet& set);
    Picture picture(const Image& colour, const Image& depth);
    /// Triangles without vertex buffers, nearer where depth is larger.
    VkPipeline draw(const Shader& vertex, const Shader& fragment, const BoundSet& set, const Picture& picture);
    VkQueryPool timestamps(std::uint32_t count);
    VkSemaphore semaphore();
    VkFence fence();
    VkCommandBuffer commands(const std::function<void(VkCommandBuffer)>& record);

private:
    VkDeviceMemory allocate(const VkMemoryRequirements& needs, Memory memory);
    VkShaderModule module(const Shader& shader);
    VkImageView view(const Image& image, const ImageShape& shape, std::uint32_t levels);

    const Gpu& gpu_;
    std::vector<std::function<void()>> undo_;
};

/// Makes all levels below the first from it, by halving; brings every level from GENERAL to SHADER_READ_ONLY.
void record_levels(const Gpu& gpu, VkCommandBuffer commands, const Image& image);

struct Transition {
    VkImageLayout from = VK_IMAGE_LAYOUT_UNDEFINED, to = VK_IMAGE_LAYOUT_GENERAL;
    VkPipelineStageFlags after = VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, before = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
    VkAccessFlags written = 0, used = VK_ACCESS_SHADER_WRITE_BIT;
};
void record_transition(const Gpu& gpu, VkCommandBuffer commands, const Image& image, const Transition& transition);

/// What shaders and transfers wrote becomes visible to shaders, transfers and the host.
void record_barrier(const Gpu& gpu, VkCommandBuffer commands);

}  // namespace seiche::ocean
