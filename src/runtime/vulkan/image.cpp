// Images of the device's own.
#include <algorithm>

#include "runtime/vulkan/queue.hpp"
#include "seiche/error.hpp"

namespace seiche::runtime::vulkan {

namespace {

Uint native_format(ImageFormat format) {
    switch (format) {
        case ImageFormat::r32f: return format_r32f;
        case ImageFormat::rg32f: return format_rg32f;
        case ImageFormat::rgba16f: return format_rgba16f;
        default: return format_rgba32f;
    }
}

void check_fits(const Session& session, const Image& image) {
    const Uint most = session.properties.limits.maxImageDimension[1];  // of two dimensions
    if (image.width() > most || image.height() > most)
        throw Unsupported("vulkan: an image of " + std::to_string(image.width()) + " by " +
                          std::to_string(image.height()) + " texels, expected at most " + std::to_string(most) +
                          " either way on this device");
    if (image.format() == ImageFormat::rg32f && !session.has_extended_formats)
        throw Unsupported("vulkan: an image of rg32f wants a device made with shaderStorageImageExtendedFormats");
}

}  // namespace

VulkanImage::VulkanImage(std::shared_ptr<Session> session, ImageFormat format, std::uint32_t width,
                         std::uint32_t height)
    : Image(format, width, height), session_(std::move(session)) {
    check_fits(*session_, *this);
    try {
        make();
        bring_into_layout();
    } catch (...) {
        destroy();
        throw;
    }
}

VulkanImage::~VulkanImage() {
    if (own_ == nullptr) return;
    session_->settle();
    destroy();
}

void VulkanImage::make() {
    const Api& api = *session_->api;
    const std::string what = std::to_string(width()) + " by " + std::to_string(height()) + " texels";
    ImageCreateInfo info;
    info.format = native_format(format());
    info.extent[0] = width();
    info.extent[1] = height();
    info.usage = image_usage_storage;
    check(api.vkCreateImage(session_->device, &info, nullptr, &own_), "vkCreateImage", what);
    MemoryRequirements needs{};
    api.vkGetImageMemoryRequirements(session_->device, own_, &needs);
    MemoryAllocateInfo memory;
    memory.allocationSize = needs.size;
    memory.memoryTypeIndex = memory_type(*session_, needs.memoryTypeBits, memory_device_local);
    check(api.vkAllocateMemory(session_->device, &memory, nullptr, &memory_), "vkAllocateMemory", what);
    check(api.vkBindImageMemory(session_->device, own_, memory_, 0), "vkBindImageMemory", what);
    ImageViewCreateInfo view;
    view.image = own_;
    view.format = info.format;
    check(api.vkCreateImageView(session_->device, &view, nullptr, &view_), "vkCreateImageView", what);
}

void VulkanImage::bring_into_layout() const {
    const Api& api = *session_->api;
    CommandPoolCreateInfo info;
    info.queueFamilyIndex = session_->queue_family;
    CommandPool pool = nullptr;
    check(api.vkCreateCommandPool(session_->device, &info, nullptr, &pool), "vkCreateCommandPool");
    const auto end = [&](CommandPool* made) { api.vkDestroyCommandPool(session_->device, *made, nullptr); };
    const std::unique_ptr<CommandPool, decltype(end)> ended(&pool, end);
    CommandBufferAllocateInfo wanted;
    wanted.commandPool = pool;
    CommandBuffer commands = nullptr;
    check(api.vkAllocateCommandBuffers(session_->device, &wanted, &commands), "vkAllocateCommandBuffers");
    CommandBufferBeginInfo begin;
    begin.flags = begin_one_time;
    check(api.vkBeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer");
    ImageBarrier barrier;
    barrier.dstAccessMask = access_shader;
    barrier.newLayout = layout_general;
    barrier.image = own_;
    api.vkCmdPipelineBarrier(commands, pipeline_stage_top, pipeline_stage_compute, 0, 0, nullptr, 0, nullptr, 1,
                             &barrier);
    check(api.vkEndCommandBuffer(commands), "vkEndCommandBuffer");
    SubmitInfo submit;
    submit.pCommandBuffers = &commands;
    {
        const std::lock_guard lock(session_->submitting);
        check(api.vkQueueSubmit(session_->queue, 1, &submit, nullptr), "vkQueueSubmit");
    }
    check(session_->settle(), "vkQueueWaitIdle");
}

void VulkanImage::destroy() {
    session_->api->vkDestroyImageView(session_->device, view_, nullptr);
    session_->api->vkDestroyImage(session_->device, own_, nullptr);
    session_->api->vkFreeMemory(session_->device, memory_, nullptr);
}

}  // namespace seiche::runtime::vulkan
