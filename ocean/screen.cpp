// Pictures of a device shown on a surface, which is a window's: the swapchain.
#include "ocean/screen.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "cli/text/failure.hpp"

namespace seiche::ocean {

namespace {

constexpr std::uint64_t forever = std::numeric_limits<std::uint64_t>::max();

VkImageMemoryBarrier transition(VkImage image, VkImageLayout from, VkImageLayout to) {
    auto barrier = typed<VkImageMemoryBarrier>(VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER);
    barrier.oldLayout = from;
    barrier.newLayout = to;
    barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    barrier.image = image;
    barrier.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    return barrier;
}

}  // namespace

Screen::Screen(const Gpu& gpu, VkSurfaceKHR surface) : gpu_(gpu), surface_(surface) {}

Screen::~Screen() {
    resources_.reset();  // waits until nothing runs
    if (swapchain_ != VK_NULL_HANDLE) gpu_.vk().DestroySwapchainKHR(gpu_.device(), swapchain_, nullptr);
    gpu_.vk().DestroySurfaceKHR(gpu_.instance(), surface_, nullptr);
}

/// Pictures are numbers for a screen already, so that no format may encode them once more.
VkSurfaceFormatKHR Screen::format() const {
    std::uint32_t count = 0;
    check(gpu_.vk().GetPhysicalDeviceSurfaceFormatsKHR(gpu_.physical(), surface_, &count, nullptr),
          "GetPhysicalDeviceSurfaceFormatsKHR");
    std::vector<VkSurfaceFormatKHR> all(count);
    check(gpu_.vk().GetPhysicalDeviceSurfaceFormatsKHR(gpu_.physical(), surface_, &count, all.data()),
          "GetPhysicalDeviceSurfaceFormatsKHR");
    for (const VkFormat wanted : {VK_FORMAT_B8G8R8A8_UNORM, VK_FORMAT_R8G8B8A8_UNORM})
        for (const VkSurfaceFormatKHR& one : all)
            if (one.format == wanted && one.colorSpace == VK_COLOR_SPACE_SRGB_NONLINEAR_KHR) return one;
    throw cli::Failure("--window: expected a display of 8 bits a colour, B8G8R8A8 or R8G8B8A8, on " + gpu_.name() +
                       ", got " + std::to_string(count) + " other formats");
}

void Screen::fit(const Image& picture) {
    resources_.reset();
    resources_ = std::make_unique<Resources>(gpu_);
    drawn_.clear();
    copies_.clear();
    make_swapchain(picture);
    acquired_ = resources_->semaphore();
    done_ = resources_->fence();
    std::uint32_t count = 0;
    check(gpu_.vk().GetSwapchainImagesKHR(gpu_.device(), swapchain_, &count, nullptr), "GetSwapchainImagesKHR");
    std::vector<VkImage> images(count);
    check(gpu_.vk().GetSwapchainImagesKHR(gpu_.device(), swapchain_, &count, images.data()), "GetSwapchainImagesKHR");
    for (const VkImage image : images) {
        drawn_.push_back(resources_->semaphore());
        copies_.push_back(
            resources_->commands([&](VkCommandBuffer commands) { record_copy(commands, image, picture); }));
    }
}

void Screen::make_swapchain(const Image& picture) {
    VkSurfaceCapabilitiesKHR can{};
    check(gpu_.vk().GetPhysicalDeviceSurfaceCapabilitiesKHR(gpu_.physical(), surface_, &can),
          "GetPhysicalDeviceSurfaceCapabilitiesKHR");
    VkBool32 shows = VK_FALSE;
    check(gpu_.vk().GetPhysicalDeviceSurfaceSupportKHR(gpu_.physical(), gpu_.family(), surface_, &shows),
          "GetPhysicalDeviceSurfaceSupportKHR");
    if (shows == VK_FALSE || (can.supportedUsageFlags & VK_IMAGE_USAGE_TRANSFER_DST_BIT) == 0)
        throw cli::Failure("--window: expected a device that copies pictures to this window, got " + gpu_.name());
    extent_ = can.currentExtent;
    if (extent_.width == std::numeric_limits<std::uint32_t>::max())  // the window becomes as large as its pictures
        extent_ = {std::clamp(picture.width, can.minImageExtent.width, can.maxImageExtent.width),
                   std::clamp(picture.height, can.minImageExtent.height, can.maxImageExtent.height)};
    const VkSurfaceFormatKHR used = format();
    auto info = typed<VkSwapchainCreateInfoKHR>(VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR);
    info.surface = surface_;
    info.minImageCount = can.minImageCount + 1;
    if (can.maxImageCount != 0) info.minImageCount = std::min(info.minImageCount, can.maxImageCount);
    info.imageFormat = used.format;
    info.imageColorSpace = used.colorSpace;
    info.imageExtent = extent_;
    info.imageArrayLayers = 1;
    info.imageUsage = VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    info.preTransform = can.currentTransform;
    const VkCompositeAlphaFlagsKHR alpha = can.supportedCompositeAlpha;
    info.compositeAlpha = (alpha & VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR) != 0 ? VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR
                                                                           : VK_COMPOSITE_ALPHA_INHERIT_BIT_KHR;
    info.presentMode = VK_PRESENT_MODE_FIFO_KHR;  // every device has it
    info.clipped = VK_TRUE;
    info.oldSwapchain = swapchain_;
    VkSwapchainKHR made = VK_NULL_HANDLE;
    const VkResult result = gpu_.vk().CreateSwapchainKHR(gpu_.device(), &info, nullptr, &made);
    if (swapchain_ != VK_NULL_HANDLE) gpu_.vk().DestroySwapchainKHR(gpu_.device(), swapchain_, nullptr);
    swapchain_ = made;
    check(result, "CreateSwapchainKHR");
}

/// The whole picture to the whole window, which may have another size for the moment.
void Screen::record_copy(VkCommandBuffer commands, VkImage target, const Image& picture) const {
    const Functions& vk = gpu_.vk();
    constexpr VkPipelineStageFlags transfer = VK_PIPELINE_STAGE_TRANSFER_BIT;
    VkImageMemoryBarrier barrier = transition(target, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    barrier.dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
    vk.CmdPipelineBarrier(commands, transfer, transfer, 0, 0, nullptr, 0, nullptr, 1, &barrier);
    VkImageBlit blit{};
    blit.srcSubresource = blit.dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    blit.srcOffsets[1] = {static_cast<std::int32_t>(picture.width), static_cast<std::int32_t>(picture.height), 1};
    blit.dstOffsets[1] = {static_cast<std::int32_t>(extent_.width), static_cast<std::int32_t>(extent_.height), 1};
    const bool is_same = picture.width == extent_.width && picture.height == extent_.height;
    vk.CmdBlitImage(commands, picture.handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, target,
                    VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &blit, is_same ? VK_FILTER_NEAREST : VK_FILTER_LINEAR);
    barrier = transition(target, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_PRESENT_SRC_KHR);
    barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
    vk.CmdPipelineBarrier(commands, transfer, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, 0, 0, nullptr, 0, nullptr, 1,
                          &barrier);
}

/// The frame waits for nothing; only the copy waits until the display has given its image back.
void Screen::submit(VkCommandBuffer frame, std::uint32_t index) const {
    std::array<VkSubmitInfo, 2> steps{};
    for (VkSubmitInfo& step : steps) {
        step.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
        step.commandBufferCount = 1;
    }
    steps[0].pCommandBuffers = &frame;
    const VkPipelineStageFlags copies = VK_PIPELINE_STAGE_TRANSFER_BIT;
    steps[1].pCommandBuffers = &copies_[index];
    steps[1].waitSemaphoreCount = steps[1].signalSemaphoreCount = 1;
    steps[1].pWaitSemaphores = &acquired_;
    steps[1].pWaitDstStageMask = &copies;
    steps[1].pSignalSemaphores = &drawn_[index];
    check(gpu_.vk().QueueSubmit(gpu_.queue(), steps.size(), steps.data(), done_), "QueueSubmit");
}

Screen::Shown Screen::show(VkCommandBuffer frame) {
    const Functions& vk = gpu_.vk();
    std::uint32_t index = 0;
    const VkResult acquired =
        vk.AcquireNextImageKHR(gpu_.device(), swapchain_, forever, acquired_, VK_NULL_HANDLE, &index);
    if (acquired == VK_ERROR_OUT_OF_DATE_KHR) return {false, false};
    if (acquired != VK_SUBOPTIMAL_KHR) check(acquired, "AcquireNextImageKHR");
    submit(frame, index);
    auto info = typed<VkPresentInfoKHR>(VK_STRUCTURE_TYPE_PRESENT_INFO_KHR);
    info.waitSemaphoreCount = info.swapchainCount = 1;
    info.pWaitSemaphores = &drawn_[index];
    info.pSwapchains = &swapchain_;
    info.pImageIndices = &index;
    const VkResult presented = vk.QueuePresentKHR(gpu_.queue(), &info);
    const bool fits = acquired == VK_SUCCESS && presented == VK_SUCCESS;
    if (presented != VK_ERROR_OUT_OF_DATE_KHR && presented != VK_SUBOPTIMAL_KHR) check(presented, "QueuePresentKHR");
    // The next frame writes the scene, which this one reads, and takes the same semaphore.
    check(vk.WaitForFences(gpu_.device(), 1, &done_, VK_TRUE, forever), "WaitForFences");
    check(vk.ResetFences(gpu_.device(), 1, &done_), "ResetFences");
    return {true, fits};
}

}  // namespace seiche::ocean
