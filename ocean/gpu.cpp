// Vulkan, loaded at run time, and a device of it that draws and computes.
#include "ocean/gpu.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <type_traits>

#include "cli/system/environment.hpp"
#include "cli/text/failure.hpp"
#include "cli/text/text.hpp"
#include "seiche/interop/vulkan.hpp"

namespace seiche::ocean {

namespace {

using cli::Failure;
using cli::UsageError;

const char* const remedy = "install a Vulkan driver; on Debian and Ubuntu mesa-vulkan-drivers runs on any processor";

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return text;
}

/// What follows "vulkan:"; nothing where any device will do.
std::string wanted_part(const std::string& name) {
    if (name.empty() || name == "vulkan") return {};
    constexpr std::string_view backend = "vulkan:";
    if (name.compare(0, backend.size(), backend) != 0)
        throw UsageError("the ocean is drawn with Vulkan: expected a device vulkan:..., got '" + name + "'");
    return name.substr(backend.size());
}

/// The first family for graphics and computing.
std::optional<std::uint32_t> drawing_family(const Functions& vk, VkPhysicalDevice device, std::uint32_t& bits) {
    std::uint32_t count = 0;
    vk.GetPhysicalDeviceQueueFamilyProperties(device, &count, nullptr);
    std::vector<VkQueueFamilyProperties> families(count);
    vk.GetPhysicalDeviceQueueFamilyProperties(device, &count, families.data());
    constexpr VkQueueFlags both = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
    for (std::uint32_t index = 0; index < count; ++index) {
        bits = families[index].timestampValidBits;
        if ((families[index].queueFlags & both) == both) return index;
    }
    return std::nullopt;
}

bool has_swapchain(const Functions& vk, VkPhysicalDevice device) {
    std::uint32_t count = 0;
    vk.EnumerateDeviceExtensionProperties(device, nullptr, &count, nullptr);
    std::vector<VkExtensionProperties> all(count);
    vk.EnumerateDeviceExtensionProperties(device, nullptr, &count, all.data());
    return std::any_of(all.begin(), all.end(), [](const VkExtensionProperties& extension) {
        return std::string_view(extension.extensionName) == VK_KHR_SWAPCHAIN_EXTENSION_NAME;
    });
}

}  // namespace

void check(VkResult result, const char* call) {
    if (result != VK_SUCCESS)
        throw Failure(std::string("vulkan: vk") + call + " failed with code " + std::to_string(result));
}

// The destructor of a delegating constructor runs even where its body throws.
Gpu::Gpu(const std::string& name, const Showing* showing) : Gpu() {
    const std::string part = wanted_part(name);
    load();
    make_instance(showing);
    choose(part, showing);
    make_device(showing);
    adopt_transforms();
}

Gpu::~Gpu() {
    transforms_ = {};
    if (pool_ != VK_NULL_HANDLE) vk_.DestroyCommandPool(device_, pool_, nullptr);
    if (device_ != nullptr && vk_.DestroyDevice != nullptr) vk_.DestroyDevice(device_, nullptr);
    if (instance_ != nullptr && vk_.DestroyInstance != nullptr) vk_.DestroyInstance(instance_, nullptr);
}

void Gpu::load() {
    const std::string named = cli::environment("SEICHE_VULKAN_LIBRARY");
    void* library = nullptr;
    for (const char* file : {"libvulkan.so.1", "libvulkan.so", "libvulkan.1.dylib", "libMoltenVK.dylib"})
        if (library == nullptr) library = dlopen(named.empty() ? file : named.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) throw Failure(std::string("the Vulkan loader was not found (") + remedy + ")");
    vk_.GetInstanceProcAddr = reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(library, "vkGetInstanceProcAddr"));
    if (vk_.GetInstanceProcAddr == nullptr) throw Failure("the Vulkan loader has no vkGetInstanceProcAddr");
    vk_.CreateInstance = reinterpret_cast<PFN_vkCreateInstance>(vk_.GetInstanceProcAddr(nullptr, "vkCreateInstance"));
}

void Gpu::make_instance(const Showing* showing) {
    auto application = typed<VkApplicationInfo>(VK_STRUCTURE_TYPE_APPLICATION_INFO);
    application.pApplicationName = "seiche-ocean";
    application.apiVersion = VK_API_VERSION_1_1;
    auto info = typed<VkInstanceCreateInfo>(VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO);
    info.pApplicationInfo = &application;
    if (showing != nullptr) {
        info.enabledExtensionCount = static_cast<std::uint32_t>(showing->extensions.size());
        info.ppEnabledExtensionNames = showing->extensions.data();
    }
    const VkResult result = vk_.CreateInstance(&info, nullptr, &instance_);
    if (result != VK_SUCCESS)
        throw Failure("no Vulkan driver: vkCreateInstance failed with code " + std::to_string(result) + " (" + remedy +
                      ")");
    const auto take = [&](auto& function, const char* name) {
        function =
            reinterpret_cast<std::remove_reference_t<decltype(function)>>(vk_.GetInstanceProcAddr(instance_, name));
        if (function == nullptr)
            throw Failure(std::string("the Vulkan loader has no ") + name + ", expected Vulkan 1.1");
    };
#define SEICHE_OCEAN_INSTANCE(name) take(vk_.name, "vk" #name);
#define SEICHE_OCEAN_DEVICE(name)
#define SEICHE_OCEAN_WINDOW_INSTANCE(name) \
    if (showing != nullptr) take(vk_.name, "vk" #name);
#define SEICHE_OCEAN_WINDOW_DEVICE(name)
#include "ocean/functions.def"
}

// Indices are those of `seiche devices`.
void Gpu::choose(const std::string& part, const Showing* showing) {
    std::uint32_t count = 0;
    check(vk_.EnumeratePhysicalDevices(instance_, &count, nullptr), "EnumeratePhysicalDevices");
    std::vector<VkPhysicalDevice> all(count);
    check(vk_.EnumeratePhysicalDevices(instance_, &count, all.data()), "EnumeratePhysicalDevices");
    std::string found;
    bool is_card = false;
    for (std::uint32_t index = 0; index < count; ++index) {
        VkPhysicalDeviceProperties properties{};
        vk_.GetPhysicalDeviceProperties(all[index], &properties);
        const std::string name = properties.deviceName;
        found += (found.empty() ? "" : ", ") + name;
        const bool matches =
            part.empty() || part == std::to_string(index) || lower(name).find(lower(part)) != std::string::npos;
        std::uint32_t bits = 0;
        const auto family = drawing_family(vk_, all[index], bits);
        if (!matches || !family || properties.apiVersion < VK_API_VERSION_1_1) continue;
        if (showing != nullptr &&
            (!showing->can_show(instance_, all[index], *family) || !has_swapchain(vk_, all[index])))
            continue;
        const bool card = properties.deviceType != VK_PHYSICAL_DEVICE_TYPE_CPU;
        if (physical_ != nullptr && (is_card || !card)) continue;
        physical_ = all[index], properties_ = properties, is_card = card;
        family_ = *family, timestamp_bits_ = bits;
        name_ = "vulkan:" + std::to_string(index);
    }
    if (physical_ == nullptr)
        throw Failure("no Vulkan device that " +
                      std::string(showing == nullptr ? "draws and computes" : "shows pictures on this display") +
                      (part.empty() ? "" : " and is '" + part + "'") +
                      "; found: " + (found.empty() ? std::string("none (") + remedy + ")" : found));
}

void Gpu::make_device(const Showing* showing) {
    auto had = typed<VkPhysicalDeviceFeatures2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
    vk_.GetPhysicalDeviceFeatures2(physical_, &had);
    has_int64_ = had.features.shaderInt64 != VK_FALSE;
    VkPhysicalDeviceFeatures wanted{};
    wanted.shaderInt64 = had.features.shaderInt64;
    has_image_formats_ = had.features.shaderStorageImageExtendedFormats != VK_FALSE;
    wanted.shaderStorageImageExtendedFormats = had.features.shaderStorageImageExtendedFormats;
    const float priority = 1;
    auto queue_info = typed<VkDeviceQueueCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO);
    queue_info.queueFamilyIndex = family_;
    queue_info.queueCount = 1;
    queue_info.pQueuePriorities = &priority;
    auto info = typed<VkDeviceCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO);
    info.queueCreateInfoCount = 1;
    info.pQueueCreateInfos = &queue_info;
    info.pEnabledFeatures = &wanted;
    const char* const swapchain = VK_KHR_SWAPCHAIN_EXTENSION_NAME;
    if (showing != nullptr) {
        info.enabledExtensionCount = 1;
        info.ppEnabledExtensionNames = &swapchain;
    }
    check(vk_.CreateDevice(physical_, &info, nullptr, &device_), "CreateDevice");
    const auto take = [&](auto& function, const char* name) {
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(vk_.GetDeviceProcAddr(device_, name));
        if (function == nullptr) throw Failure(name_ + " has no " + name + ", expected Vulkan 1.1");
    };
#define SEICHE_OCEAN_INSTANCE(name)
#define SEICHE_OCEAN_DEVICE(name) take(vk_.name, "vk" #name);
#define SEICHE_OCEAN_WINDOW_INSTANCE(name)
#define SEICHE_OCEAN_WINDOW_DEVICE(name) \
    if (showing != nullptr) take(vk_.name, "vk" #name);
#include "ocean/functions.def"
    vk_.GetDeviceQueue(device_, family_, 0, &queue_);
    vk_.GetPhysicalDeviceMemoryProperties(physical_, &memory_);
    auto pool_info = typed<VkCommandPoolCreateInfo>(VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO);
    pool_info.queueFamilyIndex = family_;
    check(vk_.CreateCommandPool(device_, &pool_info, nullptr, &pool_), "CreateCommandPool");
}

void Gpu::adopt_transforms() {
    vulkan::NativeDevice native;
    native.instance = instance_;
    native.physical_device = physical_;
    native.device = device_;
    native.queue = queue_;
    native.queue_family = family_;
    native.get_instance_proc_addr = reinterpret_cast<void*>(vk_.GetInstanceProcAddr);
    native.shader_int64 = has_int64_;
    native.storage_image_extended_formats = has_image_formats_;
    transforms_ = vulkan::device(native);
}

double Gpu::milliseconds(std::uint64_t from, std::uint64_t to) const {
    const std::uint64_t mask = timestamp_bits_ >= 64 ? ~0ull : (1ull << timestamp_bits_) - 1;
    return static_cast<double>((to - from) & mask) * static_cast<double>(properties_.limits.timestampPeriod) * 1e-6;
}

std::uint32_t Gpu::memory_type(std::uint32_t allowed, const std::vector<VkMemoryPropertyFlags>& wanted) const {
    for (const VkMemoryPropertyFlags flags : wanted)
        for (std::uint32_t type = 0; type < memory_.memoryTypeCount; ++type)
            if ((allowed >> type & 1u) != 0 && (memory_.memoryTypes[type].propertyFlags & flags) == flags) return type;
    throw Failure(name_ + ": no memory of the kind that is needed");
}

VkCommandBuffer Gpu::commands(const std::function<void(VkCommandBuffer)>& record) const {
    auto info = typed<VkCommandBufferAllocateInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO);
    info.commandPool = pool_;
    info.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
    info.commandBufferCount = 1;
    VkCommandBuffer commands = nullptr;
    check(vk_.AllocateCommandBuffers(device_, &info, &commands), "AllocateCommandBuffers");
    const auto begin = typed<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
    check(vk_.BeginCommandBuffer(commands, &begin), "BeginCommandBuffer");
    record(commands);
    check(vk_.EndCommandBuffer(commands), "EndCommandBuffer");
    return commands;
}

void Gpu::run(VkCommandBuffer commands) const {
    auto submit = typed<VkSubmitInfo>(VK_STRUCTURE_TYPE_SUBMIT_INFO);
    submit.commandBufferCount = 1;
    submit.pCommandBuffers = &commands;
    check(vk_.QueueSubmit(queue_, 1, &submit, VK_NULL_HANDLE), "QueueSubmit");
    check(vk_.QueueWaitIdle(queue_), "QueueWaitIdle");
}

}  // namespace seiche::ocean
