// What a program has that uses Vulkan itself, watched by the validation layer and its search for races, if so wanted.
#pragma once

#include <gtest/gtest.h>
#include <vulkan/vulkan.h>

#include <algorithm>
#include <complex>
#include <cstring>
#include <string>
#include <vector>

#include "seiche/interop/vulkan.hpp"

namespace seiche::test {

using Point = std::complex<float>;

inline constexpr const char* validation = "VK_LAYER_KHRONOS_validation";

/// What a device is made with, beside the few features that all of these have: nothing, what Seiche uses of extensions,
/// or the same as parts of Vulkan 1.3 where they are.
enum class Made { plain, with_extensions, of_newer_version };

inline const char* name_of(Made made) {
    return made == Made::plain ? "plain" : made == Made::with_extensions ? "with_extensions" : "of_newer_version";
}

inline bool has_layer(const char* name) {
    std::uint32_t count = 0;
    vkEnumerateInstanceLayerProperties(&count, nullptr);
    std::vector<VkLayerProperties> layers(count);
    vkEnumerateInstanceLayerProperties(&count, layers.data());
    for (const VkLayerProperties& layer : layers)
        if (std::strcmp(layer.layerName, name) == 0) return true;
    return false;
}

inline VKAPI_ATTR VkBool32 VKAPI_CALL listen(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                                             const VkDebugUtilsMessengerCallbackDataEXT* data, void* messages) {
    static_cast<std::vector<std::string>*>(messages)->push_back(data->pMessage);
    return VK_FALSE;
}

/// What a program has that uses Vulkan itself: instance, device, queue, a command buffer, and memory that it can see.
class Program {
public:
    bool open(Made how = Made::plain, bool is_watched = true) {
        made = how;
        VkApplicationInfo application{};
        application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
        application.apiVersion = made == Made::of_newer_version ? VK_API_VERSION_1_3 : VK_API_VERSION_1_1;
        const VkValidationFeatureEnableEXT races = VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT;
        VkValidationFeaturesEXT features{};
        features.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT;
        features.enabledValidationFeatureCount = 1;
        features.pEnabledValidationFeatures = &races;
        VkDebugUtilsMessengerCreateInfoEXT messenger{};
        messenger.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT;
        messenger.pNext = &features;
        messenger.messageSeverity =
            VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
        messenger.messageType =
            VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT;
        messenger.pfnUserCallback = listen;
        messenger.pUserData = &messages;
        const char* extension = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
        VkInstanceCreateInfo info{};
        info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
        info.pApplicationInfo = &application;
        is_validated = is_watched && has_layer(validation);
        if (is_validated) {
            info.pNext = &messenger;
            info.enabledLayerCount = info.enabledExtensionCount = 1;
            info.ppEnabledLayerNames = &validation;
            info.ppEnabledExtensionNames = &extension;
        }
        if (vkCreateInstance(&info, nullptr, &instance) != VK_SUCCESS) return false;
        std::uint32_t count = 1;
        vkEnumeratePhysicalDevices(instance, &count, &physical);
        if (count == 0) return false;
        if (is_validated) {
            const auto create = reinterpret_cast<PFN_vkCreateDebugUtilsMessengerEXT>(
                vkGetInstanceProcAddr(instance, "vkCreateDebugUtilsMessengerEXT"));
            messenger.pNext = nullptr;
            create(instance, &messenger, nullptr, &listener);
        }
        return make_device();
    }

    ~Program() {
        if (device != nullptr) {
            for (const VkBuffer buffer : buffers) vkDestroyBuffer(device, buffer, nullptr);
            for (const VkImageView view : views) vkDestroyImageView(device, view, nullptr);
            for (const VkImage image : images) vkDestroyImage(device, image, nullptr);
            for (const VkDeviceMemory memory : memories) vkFreeMemory(device, memory, nullptr);
            for (const VkSemaphore semaphore : semaphores) vkDestroySemaphore(device, semaphore, nullptr);
            vkDestroyCommandPool(device, pool, nullptr);
            vkDestroyDevice(device, nullptr);  // which tells what was left
        }
        if (instance == nullptr) return;
        for (const std::string& message : messages) ADD_FAILURE() << message;
        if (is_validated)
            reinterpret_cast<PFN_vkDestroyDebugUtilsMessengerEXT>(
                vkGetInstanceProcAddr(instance, "vkDestroyDebugUtilsMessengerEXT"))(instance, listener, nullptr);
        vkDestroyInstance(instance, nullptr);
    }

    vulkan::NativeDevice native() const {
        vulkan::NativeDevice native;
        native.instance = instance;
        native.physical_device = physical;
        native.device = device;
        native.queue = queue;
        native.get_instance_proc_addr = reinterpret_cast<void*>(&vkGetInstanceProcAddr);
        native.shader_int64 = native.storage_image_extended_formats = true;
        native.timeline_semaphore = native.push_descriptor = made != Made::plain;
        native.subgroup_size_control = native.compute_full_subgroups = made != Made::plain;
        native.buffer_device_address = made != Made::plain;
        return native;
    }

    /// A buffer of so many points, each of which is `fill`, and where the host sees them.
    VkBuffer make_buffer(std::size_t points, Point fill, Point** seen) {
        VkBufferCreateInfo info{};
        info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
        info.size = points * sizeof(Point);
        info.usage =
            VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
        if (made != Made::plain) info.usage |= VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
        VkBuffer buffer = VK_NULL_HANDLE;
        vkCreateBuffer(device, &info, nullptr, &buffer);
        VkMemoryRequirements needs{};
        vkGetBufferMemoryRequirements(device, buffer, &needs);
        VkMemoryAllocateInfo allocate{};
        allocate.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
        allocate.allocationSize = needs.size;
        allocate.memoryTypeIndex = visible_type(needs.memoryTypeBits);
        VkMemoryAllocateFlagsInfo addressed{};
        addressed.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO;
        addressed.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
        if (made != Made::plain) allocate.pNext = &addressed;
        VkDeviceMemory memory = VK_NULL_HANDLE;
        vkAllocateMemory(device, &allocate, nullptr, &memory);
        vkBindBufferMemory(device, buffer, memory, 0);
        vkMapMemory(device, memory, 0, VK_WHOLE_SIZE, 0, reinterpret_cast<void**>(seen));
        std::fill(*seen, *seen + points, fill);
        buffers.push_back(buffer);
        memories.push_back(memory);
        return buffer;
    }

    /// A timeline semaphore at zero.
    VkSemaphore make_semaphore() {
        VkSemaphoreTypeCreateInfo type{};
        type.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO;
        type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
        VkSemaphoreCreateInfo info{};
        info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO;
        info.pNext = &type;
        semaphores.emplace_back();
        vkCreateSemaphore(device, &info, nullptr, &semaphores.back());
        return semaphores.back();
    }
    std::uint64_t value_of(VkSemaphore semaphore) const {
        std::uint64_t value = 0;
        function<PFN_vkGetSemaphoreCounterValue>("vkGetSemaphoreCounterValue")(device, semaphore, &value);
        return value;
    }
    void signal(VkSemaphore semaphore, std::uint64_t value) const {
        VkSemaphoreSignalInfo info{};
        info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO;
        info.semaphore = semaphore;
        info.value = value;
        function<PFN_vkSignalSemaphore>("vkSignalSemaphore")(device, &info);
    }
    void wait(VkSemaphore semaphore, std::uint64_t value) const {
        VkSemaphoreWaitInfo info{};
        info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO;
        info.semaphoreCount = 1;
        info.pSemaphores = &semaphore;
        info.pValues = &value;
        constexpr std::uint64_t ten_seconds = 10000000000;
        ASSERT_EQ(function<PFN_vkWaitSemaphores>("vkWaitSemaphores")(device, &info, ten_seconds), VK_SUCCESS);
    }

    /// A storage image in the layout GENERAL, and a view of it.
    struct Stored {
        VkImage image = VK_NULL_HANDLE;
        VkImageView view = VK_NULL_HANDLE;
    };
    Stored make_image(VkFormat format, std::uint32_t width, std::uint32_t height) {
        VkImageCreateInfo info{};
        info.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO;
        info.imageType = VK_IMAGE_TYPE_2D;
        info.format = format;
        info.extent = {width, height, 1};
        info.mipLevels = info.arrayLayers = 1;
        info.samples = VK_SAMPLE_COUNT_1_BIT;
        info.usage = VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
        Stored stored;
        vkCreateImage(device, &info, nullptr, &stored.image);
        images.push_back(stored.image);
        VkMemoryRequirements needs{};
        vkGetImageMemoryRequirements(device, stored.image, &needs);
        VkMemoryAllocateInfo allocate{};
        allocate.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
        allocate.allocationSize = needs.size;
        while ((needs.memoryTypeBits >> allocate.memoryTypeIndex & 1u) == 0) ++allocate.memoryTypeIndex;
        memories.emplace_back();
        vkAllocateMemory(device, &allocate, nullptr, &memories.back());
        vkBindImageMemory(device, stored.image, memories.back(), 0);
        VkImageViewCreateInfo view{};
        view.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO;
        view.image = stored.image;
        view.viewType = VK_IMAGE_VIEW_TYPE_2D;
        view.format = format;
        view.subresourceRange = whole;
        vkCreateImageView(device, &view, nullptr, &stored.view);
        views.push_back(stored.view);
        return stored;
    }
    static constexpr VkImageSubresourceRange whole{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};

    template <class Body>
    void run(const Body& body) {
        VkCommandBufferBeginInfo begin{};
        begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
        vkBeginCommandBuffer(commands, &begin);
        body();
        vkEndCommandBuffer(commands);
        submit();
    }
    void submit() {
        VkSubmitInfo info{};
        info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
        info.commandBufferCount = 1;
        info.pCommandBuffers = &commands;
        ASSERT_EQ(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE), VK_SUCCESS);
        ASSERT_EQ(vkQueueWaitIdle(queue), VK_SUCCESS);
    }

    VkInstance instance = nullptr;
    VkPhysicalDevice physical = nullptr;
    VkDevice device = nullptr;
    VkQueue queue = nullptr;
    VkCommandPool pool = VK_NULL_HANDLE;
    VkCommandBuffer commands = nullptr;
    VkDebugUtilsMessengerEXT listener = VK_NULL_HANDLE;
    std::vector<VkBuffer> buffers;
    std::vector<VkImage> images;
    std::vector<VkImageView> views;
    std::vector<VkDeviceMemory> memories;
    std::vector<VkSemaphore> semaphores;
    std::vector<std::string> messages;
    bool is_validated = false;
    Made made = Made::plain;

private:
    /// Of an extension, or of the newer version.
    template <class Pointer>
    Pointer function(std::string name) const {
        if (made != Made::of_newer_version) name += "KHR";
        return reinterpret_cast<Pointer>(vkGetDeviceProcAddr(device, name.c_str()));
    }

    // Of all features only 64-bit integers, images of more formats, and what `made` says: nothing else may be used.
    bool make_device() {
        VkPhysicalDeviceTimelineSemaphoreFeatures timeline{};
        timeline.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES;
        timeline.timelineSemaphore = VK_TRUE;
        VkPhysicalDeviceSubgroupSizeControlFeatures subgroups{};
        subgroups.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES;
        subgroups.pNext = &timeline;
        VkPhysicalDeviceBufferDeviceAddressFeatures addresses{};
        addresses.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES;
        addresses.bufferDeviceAddress = VK_TRUE;
        timeline.pNext = &addresses;
        subgroups.subgroupSizeControl = subgroups.computeFullSubgroups = VK_TRUE;
        const std::vector<const char*> all{
            VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME, VK_KHR_TIMELINE_SEMAPHORE_EXTENSION_NAME,
            VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME, VK_KHR_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME};
        const float priority = 1;
        VkDeviceQueueCreateInfo queues{};
        queues.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
        queues.queueCount = 1;
        queues.pQueuePriorities = &priority;
        VkPhysicalDeviceFeatures features{};
        features.shaderInt64 = features.shaderStorageImageExtendedFormats = VK_TRUE;
        VkDeviceCreateInfo info{};
        info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
        info.queueCreateInfoCount = 1;
        info.pQueueCreateInfos = &queues;
        info.pEnabledFeatures = &features;
        if (made != Made::plain) info.pNext = &subgroups;
        info.enabledExtensionCount = made == Made::plain ? 0 : made == Made::of_newer_version ? 1 : 4;
        info.ppEnabledExtensionNames = all.data();
        if (vkCreateDevice(physical, &info, nullptr, &device) != VK_SUCCESS) return false;
        vkGetDeviceQueue(device, 0, 0, &queue);
        VkCommandPoolCreateInfo pools{};
        pools.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
        pools.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
        vkCreateCommandPool(device, &pools, nullptr, &pool);
        VkCommandBufferAllocateInfo buffer{};
        buffer.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
        buffer.commandPool = pool;
        buffer.commandBufferCount = 1;
        return vkAllocateCommandBuffers(device, &buffer, &commands) == VK_SUCCESS;
    }
    std::uint32_t visible_type(std::uint32_t allowed) const {
        VkPhysicalDeviceMemoryProperties memory{};
        vkGetPhysicalDeviceMemoryProperties(physical, &memory);
        constexpr VkFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
        std::uint32_t type = 0;
        while ((allowed >> type & 1u) == 0 || (memory.memoryTypes[type].propertyFlags & wanted) != wanted) ++type;
        return type;
    }
};

}  // namespace seiche::test
