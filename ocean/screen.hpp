// Pictures of a device shown on a surface, which is a window's: the swapchain.
#pragma once

#include <memory>

#include "ocean/resources.hpp"

namespace seiche::ocean {

class Screen {
public:
    /// What has become of a picture.
    struct Shown {
        bool is_drawn = false;  ///< Its commands have run.
        bool fits = false;      ///< Else the screen is to be fitted again.
    };

    /// The surface is the screen's from here on. Throws cli::Failure where the device shows nothing on it.
    Screen(const Gpu& gpu, VkSurfaceKHR surface);
    ~Screen();
    Screen(const Screen&) = delete;
    Screen& operator=(const Screen&) = delete;

    /// Makes the screen as large as its window now, for pictures of this image, which go to all of it. Throws
    /// cli::Failure.
    void fit(const Image& picture);
    VkExtent2D extent() const { return extent_; }
    /// Runs `frame`, which leaves the picture to be copied from, shows it and waits until the device has done so.
    Shown show(VkCommandBuffer frame);

private:
    void make_swapchain(const Image& picture);
    void record_copy(VkCommandBuffer commands, VkImage target, const Image& picture) const;
    void submit(VkCommandBuffer frame, std::uint32_t index) const;
    VkSurfaceFormatKHR format() const;

    const Gpu& gpu_;
    VkSurfaceKHR surface_;
    VkSwapchainKHR swapchain_ = VK_NULL_HANDLE;
    VkExtent2D extent_{};
    std::unique_ptr<Resources> resources_;
    VkSemaphore acquired_ = VK_NULL_HANDLE;
    VkFence done_ = VK_NULL_HANDLE;
    // Of each image of the swapchain:
    std::vector<VkSemaphore> drawn_;
    std::vector<VkCommandBuffer> copies_;
};

}  // namespace seiche::ocean
