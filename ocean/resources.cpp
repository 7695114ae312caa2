// Buffers, images and pipelines, all of which go together.
#include "ocean/resources.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "seiche/interop/vulkan.hpp"

namespace seiche::ocean {

namespace {

constexpr VkImageSubresourceRange all_of(const Image& image) {
    return {VK_IMAGE_ASPECT_COLOR_BIT, 0, image.levels, 0, image.layers};
}

std::vector<VkMemoryPropertyFlags> wishes(Memory memory) {
    constexpr VkMemoryPropertyFlags seen = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    if (memory == Memory::device) return {VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0};
    if (memory == Memory::upload) return {seen};
    return {seen | VK_MEMORY_PROPERTY_HOST_CACHED_BIT, seen};
}

void write_set(const Gpu& gpu, VkDescriptorSet set, const std::vector<Binding>& bindings) {
    for (std::uint32_t slot = 0; slot < bindings.size(); ++slot) {
        const Binding& binding = bindings[slot];
        const bool is_written = binding.type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
        const VkDescriptorBufferInfo buffer{binding.buffer, 0, VK_WHOLE_SIZE};
        const VkDescriptorImageInfo image{
            binding.sampler, binding.view,
            is_written ? VK_IMAGE_LAYOUT_GENERAL : VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
        auto write = typed<VkWriteDescriptorSet>(VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET);
        write.dstSet = set;
        write.dstBinding = slot;
        write.descriptorCount = 1;
        write.descriptorType = binding.type;
        write.pBufferInfo = &buffer;
        write.pImageInfo = &image;
        gpu.vk().UpdateDescriptorSets(gpu.device(), 1, &write, 0, nullptr);
    }
}

/// Colour, which is copied from afterwards, and depth, which nobody needs then; both begin empty.
std::array<VkAttachmentDescription, 2> attachments_of_pictures() {
    std::array<VkAttachmentDescription, 2> both{};
    both[0].format = VK_FORMAT_R8G8B8A8_UNORM;
    both[1].format = VK_FORMAT_D32_SFLOAT;
    for (VkAttachmentDescription& attachment : both) {
        attachment.samples = VK_SAMPLE_COUNT_1_BIT;
        attachment.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
        attachment.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
        attachment.stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
        attachment.stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
    }
    both[0].finalLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
    both[1].storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
    both[1].finalLayout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL;
    return both;
}

/// The frame before may still be copied from, and its depth be written; this one is copied from afterwards.
std::array<VkSubpassDependency, 2> dependencies_of_pictures() {
    constexpr VkPipelineStageFlags tests =
        VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT;
    constexpr VkPipelineStageFlags drawing = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT | tests;
    constexpr VkAccessFlags writing =
        VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT | VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;
    return {VkSubpassDependency{VK_SUBPASS_EXTERNAL, 0, VK_PIPELINE_STAGE_TRANSFER_BIT | drawing, drawing, writing,
                                writing | VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_READ_BIT, 0},
            VkSubpassDependency{0, VK_SUBPASS_EXTERNAL, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                                VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                                VK_ACCESS_TRANSFER_READ_BIT, 0}};
}

/// Everything of a pipeline that draws triangles and is not its shaders. The structures point to each other.
struct Drawing {
    VkPipelineVertexInputStateCreateInfo vertices =
        typed<VkPipelineVertexInputStateCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO);
    VkPipelineInputAssemblyStateCreateInfo assembly =
        typed<VkPipelineInputAssemblyStateCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO);
    VkPipelineViewportStateCreateInfo area =
        typed<VkPipelineViewportStateCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO);
    VkPipelineRasterizationStateCreateInfo raster =
        typed<VkPipelineRasterizationStateCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO);
    VkPipelineMultisampleStateCreateInfo samples =
        typed<VkPipelineMultisampleStateCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO);
    VkPipelineDepthStencilStateCreateInfo depth =
        typed<VkPipelineDepthStencilStateCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO);
    VkPipelineColorBlendStateCreateInfo blend =
        typed<VkPipelineColorBlendStateCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO);
    VkPipelineColorBlendAttachmentState attachment{};
    VkViewport viewport;
    VkRect2D scissor;

    explicit Drawing(const Picture& picture)
        : viewport{0, 0, static_cast<float>(picture.width), static_cast<float>(picture.height), 0, 1},
          scissor{{0, 0}, {picture.width, picture.height}} {
        assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
        area.viewportCount = area.scissorCount = 1;
        area.pViewports = &viewport;
        area.pScissors = &scissor;
        raster.lineWidth = 1;
        samples.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT;
        depth.depthTestEnable = depth.depthWriteEnable = VK_TRUE;
        depth.depthCompareOp = VK_COMPARE_OP_GREATER_OR_EQUAL;
        attachment.colorWriteMask =
            VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_G_BIT | VK_COLOR_COMPONENT_B_BIT | VK_COLOR_COMPONENT_A_BIT;
        blend.attachmentCount = 1;
        blend.pAttachments = &attachment;
    }
    Drawing(const Drawing&) = delete;
    Drawing& operator=(const Drawing&) = delete;

    void describe(VkGraphicsPipelineCreateInfo& info) const {
        info.pVertexInputState = &vertices;
        info.pInputAssemblyState = &assembly;
        info.pViewportState = &area;
        info.pRasterizationState = &raster;
        info.pMultisampleState = &samples;
        info.pDepthStencilState = &depth;
        info.pColorBlendState = &blend;
    }
};

}  // namespace

Binding storage(const Buffer& buffer) { return {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, buffer.handle, {}, {}}; }
Binding uniform(const Buffer& buffer) { return {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, buffer.handle, {}, {}}; }
Binding storage(const Image& image) { return {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, {}, image.base, {}}; }
Binding sampled(const Image& image, VkSampler sampler) {
    return {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, {}, image.view, sampler};
}

Resources::~Resources() {
    gpu_.vk().DeviceWaitIdle(gpu_.device());
    for (auto undo = undo_.rbegin(); undo != undo_.rend(); ++undo) (*undo)();
}

// Every object goes with its own destroying function, by way of this.
#define SEICHE_OCEAN_MAKE(Kind, info, handle)                                                  \
    check(gpu_.vk().Create##Kind(gpu_.device(), &(info), nullptr, &(handle)), "Create" #Kind); \
    undo_.emplace_back([this, made = (handle)] { gpu_.vk().Destroy##Kind(gpu_.device(), made, nullptr); })

VkDeviceMemory Resources::allocate(const VkMemoryRequirements& needs, Memory memory) {
    auto info = typed<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
    info.allocationSize = needs.size;
    info.memoryTypeIndex = gpu_.memory_type(needs.memoryTypeBits, wishes(memory));
    VkDeviceMemory made = VK_NULL_HANDLE;
    check(gpu_.vk().AllocateMemory(gpu_.device(), &info, nullptr, &made), "AllocateMemory");
    undo_.emplace_back([this, made] { gpu_.vk().FreeMemory(gpu_.device(), made, nullptr); });
    return made;
}

Buffer Resources::buffer(VkDeviceSize bytes, VkBufferUsageFlags usage, Memory memory) {
    Buffer buffer;
    buffer.bytes = bytes;
    auto info = typed<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
    info.size = bytes;
    info.usage = usage;
    SEICHE_OCEAN_MAKE(Buffer, info, buffer.handle);
    VkMemoryRequirements needs{};
    gpu_.vk().GetBufferMemoryRequirements(gpu_.device(), buffer.handle, &needs);
    const VkDeviceMemory lies = allocate(needs, memory);
    check(gpu_.vk().BindBufferMemory(gpu_.device(), buffer.handle, lies, 0), "BindBufferMemory");
    if (memory != Memory::device)
        check(gpu_.vk().MapMemory(gpu_.device(), lies, 0, VK_WHOLE_SIZE, 0, &buffer.mapped), "MapMemory");
    return buffer;
}

Buffer Resources::filled(const void* data, VkDeviceSize bytes, VkBufferUsageFlags usage) {
    const Buffer made =
        buffer(bytes, usage | VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT, Memory::device);
    const seiche::Buffer view = vulkan::buffer(gpu_.transforms(), reinterpret_cast<std::uintptr_t>(made.handle), bytes);
    gpu_.transforms().create_queue().upload(view, data, bytes);
    return made;
}

VkImageView Resources::view(const Image& image, const ImageShape& shape, std::uint32_t levels) {
    const bool is_depth = shape.format == VK_FORMAT_D32_SFLOAT;
    auto info = typed<VkImageViewCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO);
    info.image = image.handle;
    info.viewType = shape.layers == 0 ? VK_IMAGE_VIEW_TYPE_2D : VK_IMAGE_VIEW_TYPE_2D_ARRAY;
    info.format = shape.format;
    info.subresourceRange = all_of(image);
    info.subresourceRange.levelCount = levels;
    if (is_depth) info.subresourceRange.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT;
    VkImageView made = VK_NULL_HANDLE;
    SEICHE_OCEAN_MAKE(ImageView, info, made);
    return made;
}

Image Resources::image(const ImageShape& shape) {
    Image image;
    image.width = shape.width, image.height = shape.height, image.layers = std::max(shape.layers, 1u);
    if (shape.has_levels)
        image.levels = static_cast<std::uint32_t>(std::bit_width(std::max(shape.width, shape.height)));
    auto info = typed<VkImageCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO);
    info.imageType = VK_IMAGE_TYPE_2D;
    info.format = shape.format;
    info.extent = {shape.width, shape.height, 1};
    info.mipLevels = image.levels;
    info.arrayLayers = image.layers;
    info.samples = VK_SAMPLE_COUNT_1_BIT;
    info.usage = shape.usage;
    SEICHE_OCEAN_MAKE(Image, info, image.handle);
    VkMemoryRequirements needs{};
    gpu_.vk().GetImageMemoryRequirements(gpu_.device(), image.handle, &needs);
    check(gpu_.vk().BindImageMemory(gpu_.device(), image.handle, allocate(needs, Memory::device), 0),
          "BindImageMemory");
    image.view = view(image, shape, image.levels);
    image.base = image.levels == 1 ? image.view : view(image, shape, 1);
    return image;
}

VkSampler Resources::sampler(VkSamplerAddressMode along, VkSamplerAddressMode down) {
    auto info = typed<VkSamplerCreateInfo>(VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO);
    info.magFilter = info.minFilter = VK_FILTER_LINEAR;
    info.mipmapMode = VK_SAMPLER_MIPMAP_MODE_LINEAR;
    info.addressModeU = along;
    info.addressModeV = info.addressModeW = down;
    info.maxLod = VK_LOD_CLAMP_NONE;
    VkSampler made = VK_NULL_HANDLE;
    SEICHE_OCEAN_MAKE(Sampler, info, made);
    return made;
}

BoundSet Resources::bind(VkShaderStageFlags stages, const std::vector<Binding>& bindings) {
    std::vector<VkDescriptorSetLayoutBinding> slots;
    std::vector<VkDescriptorPoolSize> sizes;
    for (const Binding& binding : bindings) {
        slots.push_back({static_cast<std::uint32_t>(slots.size()), binding.type, 1, stages, nullptr});
        sizes.push_back({binding.type, 1});
    }
    auto slots_info = typed<VkDescriptorSetLayoutCreateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO);
    slots_info.bindingCount = static_cast<std::uint32_t>(slots.size());
    slots_info.pBindings = slots.data();
    VkDescriptorSetLayout set_layout = VK_NULL_HANDLE;
    SEICHE_OCEAN_MAKE(DescriptorSetLayout, slots_info, set_layout);
    auto pool_info = typed<VkDescriptorPoolCreateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO);
    pool_info.maxSets = 1;
    pool_info.poolSizeCount = static_cast<std::uint32_t>(sizes.size());
    pool_info.pPoolSizes = sizes.data();
    VkDescriptorPool pool = VK_NULL_HANDLE;
    SEICHE_OCEAN_MAKE(DescriptorPool, pool_info, pool);
    BoundSet bound;
    auto set_info = typed<VkDescriptorSetAllocateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO);
    set_info.descriptorPool = pool;
    set_info.descriptorSetCount = 1;
    set_info.pSetLayouts = &set_layout;
    check(gpu_.vk().AllocateDescriptorSets(gpu_.device(), &set_info, &bound.set), "AllocateDescriptorSets");
    write_set(gpu_, bound.set, bindings);
    auto info = typed<VkPipelineLayoutCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO);
    info.setLayoutCount = 1;
    info.pSetLayouts = &set_layout;
    SEICHE_OCEAN_MAKE(PipelineLayout, info, bound.layout);
    return bound;
}

VkShaderModule Resources::module(const Shader& shader) {
    auto info = typed<VkShaderModuleCreateInfo>(VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
    info.codeSize = 4 * shader.count;
    info.pCode = shader.words;
    VkShaderModule made = VK_NULL_HANDLE;
    SEICHE_OCEAN_MAKE(ShaderModule, info, made);
    return made;
}

VkPipeline Resources::compute(const Shader& shader, const BoundSet& set) {
    auto info = typed<VkComputePipelineCreateInfo>(VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO);
    info.stage = typed<VkPipelineShaderStageCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO);
    info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    info.stage.module = module(shader);
    info.stage.pName = "main";
    info.layout = set.layout;
    VkPipeline made = VK_NULL_HANDLE;
    check(gpu_.vk().CreateComputePipelines(gpu_.device(), VK_NULL_HANDLE, 1, &info, nullptr, &made),
          "CreateComputePipelines");
    undo_.emplace_back([this, made] { gpu_.vk().DestroyPipeline(gpu_.device(), made, nullptr); });
    return made;
}

Picture Resources::picture(const Image& colour, const Image& depth) {
    Picture picture;
    picture.width = colour.width, picture.height = colour.height;
    const auto attachments = attachments_of_pictures();
    const auto dependencies = dependencies_of_pictures();
    const VkAttachmentReference to_colour{0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
    const VkAttachmentReference to_depth{1, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL};
    VkSubpassDescription subpass{};
    subpass.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS;
    subpass.colorAttachmentCount = 1;
    subpass.pColorAttachments = &to_colour;
    subpass.pDepthStencilAttachment = &to_depth;
    auto info = typed<VkRenderPassCreateInfo>(VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO);
    info.attachmentCount = attachments.size();
    info.pAttachments = attachments.data();
    info.subpassCount = 1;
    info.pSubpasses = &subpass;
    info.dependencyCount = dependencies.size();
    info.pDependencies = dependencies.data();
    SEICHE_OCEAN_MAKE(RenderPass, info, picture.pass);
    const std::array<VkImageView, 2> views{colour.view, depth.view};
    auto frame = typed<VkFramebufferCreateInfo>(VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO);
    frame.renderPass = picture.pass;
    frame.attachmentCount = views.size();
    frame.pAttachments = views.data();
    frame.width = colour.width;
    frame.height = colour.height;
    frame.layers = 1;
    SEICHE_OCEAN_MAKE(Framebuffer, frame, picture.frame);
    return picture;
}

VkPipeline Resources::draw(const Shader& vertex, const Shader& fragment, const BoundSet& set, const Picture& picture) {
    std::array<VkPipelineShaderStageCreateInfo, 2> stages;
    stages.fill(typed<VkPipelineShaderStageCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO));
    stages[0].stage = VK_SHADER_STAGE_VERTEX_BIT, stages[1].stage = VK_SHADER_STAGE_FRAGMENT_BIT;
    stages[0].module = module(vertex), stages[1].module = module(fragment);
    stages[0].pName = stages[1].pName = "main";
    const Drawing drawing(picture);
    auto info = typed<VkGraphicsPipelineCreateInfo>(VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO);
    info.stageCount = stages.size();
    info.pStages = stages.data();
    drawing.describe(info);
    info.layout = set.layout;
    info.renderPass = picture.pass;
    VkPipeline made = VK_NULL_HANDLE;
    check(gpu_.vk().CreateGraphicsPipelines(gpu_.device(), VK_NULL_HANDLE, 1, &info, nullptr, &made),
          "CreateGraphicsPipelines");
    undo_.emplace_back([this, made] { gpu_.vk().DestroyPipeline(gpu_.device(), made, nullptr); });
    return made;
}

VkQueryPool Resources::timestamps(std::uint32_t count) {
    auto info = typed<VkQueryPoolCreateInfo>(VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO);
    info.queryType = VK_QUERY_TYPE_TIMESTAMP;
    info.queryCount = count;
    VkQueryPool made = VK_NULL_HANDLE;
    SEICHE_OCEAN_MAKE(QueryPool, info, made);
    return made;
}

VkSemaphore Resources::semaphore() {
    const auto info = typed<VkSemaphoreCreateInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO);
    VkSemaphore made = VK_NULL_HANDLE;
    SEICHE_OCEAN_MAKE(Semaphore, info, made);
    return made;
}

VkFence Resources::fence() {
    const auto info = typed<VkFenceCreateInfo>(VK_STRUCTURE_TYPE_FENCE_CREATE_INFO);
    VkFence made = VK_NULL_HANDLE;
    SEICHE_OCEAN_MAKE(Fence, info, made);
    return made;
}

VkCommandBuffer Resources::commands(const std::function<void(VkCommandBuffer)>& record) {
    VkCommandBuffer made = gpu_.commands(record);
    undo_.emplace_back([this, made] { gpu_.free(made); });
    return made;
}

#undef SEICHE_OCEAN_MAKE

// ---- Commands

namespace {

constexpr VkPipelineStageFlags shading =
    VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_VERTEX_SHADER_BIT | VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT;

struct Levels {
    std::uint32_t first = 0, count = 1;
};

void record_levels_transition(const Gpu& gpu, VkCommandBuffer commands, const Image& image, Levels levels,
                              const Transition& transition) {
    auto barrier = typed<VkImageMemoryBarrier>(VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER);
    barrier.srcAccessMask = transition.written;
    barrier.dstAccessMask = transition.used;
    barrier.oldLayout = transition.from;
    barrier.newLayout = transition.to;
    barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    barrier.image = image.handle;
    barrier.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, levels.first, levels.count, 0, image.layers};
    gpu.vk().CmdPipelineBarrier(commands, transition.after, transition.before, 0, 0, nullptr, 0, nullptr, 1, &barrier);
}

}  // namespace

void record_transition(const Gpu& gpu, VkCommandBuffer commands, const Image& image, const Transition& transition) {
    record_levels_transition(gpu, commands, image, {0, image.levels}, transition);
}

void record_levels(const Gpu& gpu, VkCommandBuffer commands, const Image& image) {
    constexpr VkPipelineStageFlags transfer = VK_PIPELINE_STAGE_TRANSFER_BIT;
    const auto extent = [&](std::uint32_t level) {
        return VkOffset3D{static_cast<std::int32_t>(std::max(image.width >> level, 1u)),
                          static_cast<std::int32_t>(std::max(image.height >> level, 1u)), 1};
    };
    record_levels_transition(
        gpu, commands, image, {0, 1},
        {VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, transfer,
         VK_ACCESS_SHADER_WRITE_BIT, VK_ACCESS_TRANSFER_READ_BIT});
    for (std::uint32_t level = 1; level < image.levels; ++level) {
        record_levels_transition(gpu, commands, image, {level, 1},
                                 {VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, shading | transfer,
                                  transfer, 0, VK_ACCESS_TRANSFER_WRITE_BIT});
        VkImageBlit blit{};
        blit.srcSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, level - 1, 0, image.layers};
        blit.dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, level, 0, image.layers};
        blit.srcOffsets[1] = extent(level - 1);
        blit.dstOffsets[1] = extent(level);
        gpu.vk().CmdBlitImage(commands, image.handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, image.handle,
                              VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &blit, VK_FILTER_LINEAR);
        record_levels_transition(gpu, commands, image, {level, 1},
                                 {VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, transfer,
                                  transfer, VK_ACCESS_TRANSFER_WRITE_BIT, VK_ACCESS_TRANSFER_READ_BIT});
    }
    record_transition(gpu, commands, image,
                      {VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, transfer,
                       shading, 0, VK_ACCESS_SHADER_READ_BIT});
}

void record_barrier(const Gpu& gpu, VkCommandBuffer commands) {
    constexpr VkPipelineStageFlags work = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;
    auto memory = typed<VkMemoryBarrier>(VK_STRUCTURE_TYPE_MEMORY_BARRIER);
    memory.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
    memory.dstAccessMask =
        VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_HOST_READ_BIT;
    gpu.vk().CmdPipelineBarrier(commands, work, work | VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &memory, 0, nullptr, 0,
                                nullptr);
}

}  // namespace seiche::ocean
