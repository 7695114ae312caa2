// A library with some of the Vulkan loader's names, in front of the real one: it shows its devices as the loader of
// macOS shows MoltenVK, which is not all of Vulkan. They are listed only for a program that asks for such devices, and
// work only for one that says it knows. Extensions whose names stand in SEICHE_FAKE_VULKAN_HIDES, behind one another,
// are not listed, and a program that enables one of them gets no device. Those in SEICHE_FAKE_VULKAN_SHOWS are listed
// beside, and what they count of a chip is answered; SEICHE_FAKE_VULKAN_CARD, a vendor's number and a name, makes each
// device that card. The call that SEICHE_FAKE_VULKAN_FAILS names fails with the code behind it, with a word more only
// where it would write what it lists ("vkEnumeratePhysicalDevices -3 writing"); SEICHE_FAKE_VULKAN_WITHOUT_COMPUTE
// takes the bit of compute work off every queue of the device of that index. A queue that was lost once stays lost.
// With SEICHE_FAKE_VULKAN_WITHOUT_BARRIERS nothing waits for what was recorded before, which a validation layer has to
// find. Instances and devices that were made are counted. All else is the real loader's, which this library is linked
// with.
#include <dlfcn.h>
#include <vulkan/vulkan.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <mutex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

constexpr const char* subset_extension = "VK_KHR_portability_subset";
bool asked = false;

bool is_hidden(const char* extension) {
    const char* const hidden = std::getenv("SEICHE_FAKE_VULKAN_HIDES");
    return hidden != nullptr && std::strstr(hidden, extension) != nullptr;
}

template <class Function>
Function* real(const char* name, Function*) {
    static void* const library = dlopen("libvulkan.so.1", RTLD_NOW);
    return reinterpret_cast<Function*>(dlsym(library, name));
}

constexpr const char* counting_extensions[] = {"VK_NV_shader_sm_builtins", "VK_AMD_shader_core_properties",
                                               "VK_AMD_shader_core_properties2", "VK_ARM_shader_core_builtins"};

/// As a whole word: one's name may begin another's.
bool is_shown(const char* extension) {
    const char* const shown = std::getenv("SEICHE_FAKE_VULKAN_SHOWS");
    return shown != nullptr &&
           (" " + std::string(shown) + " ").find(" " + std::string(extension) + " ") != std::string::npos;
}

void disguise(VkPhysicalDeviceProperties& properties) {
    const char* const card = std::getenv("SEICHE_FAKE_VULKAN_CARD");
    if (card == nullptr) return;
    char* name = nullptr;
    properties.vendorID = static_cast<std::uint32_t>(std::strtoul(card, &name, 0));
    properties.deviceType = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
    std::strncpy(properties.deviceName, name + 1, sizeof properties.deviceName - 1);
}

/// What follows the two words that every structure of Vulkan begins with.
void count_units(VkBaseOutStructure* part) {
    const auto fill = [&](const char* extension, std::initializer_list<std::uint32_t> words) {
        if (is_shown(extension)) std::copy(words.begin(), words.end(), reinterpret_cast<std::uint32_t*>(part + 1));
    };
    switch (static_cast<std::uint32_t>(part->sType)) {
        case 1000154001: return fill(counting_extensions[0], {132, 64});
        case 1000185000: return fill(counting_extensions[1], {4, 2, 10});
        case 1000227000: return fill(counting_extensions[2], {0, 72});
        case 1000497001: return fill(counting_extensions[3], {0x3ff, 0, 10, 64});
        default: return;
    }
}

/// What the call shall give in place of what it does; VK_SUCCESS: nothing.
VkResult fault(const char* call, bool is_writing) {
    const char* const said = std::getenv("SEICHE_FAKE_VULKAN_FAILS");
    if (said == nullptr) return VK_SUCCESS;
    std::istringstream words(said);
    std::string name, when;
    int code = 0;
    words >> name >> code >> when;
    return name == call && (when != "writing" || is_writing) ? static_cast<VkResult>(code) : VK_SUCCESS;
}

std::atomic<std::int64_t> instances{0}, logical_devices{0};
std::mutex losing;
std::set<VkQueue> lost;                // whose device stays so
std::vector<VkPhysicalDevice> listed;  // as the last who asked got them

bool is_without_compute(VkPhysicalDevice device) {
    const char* const index = std::getenv("SEICHE_FAKE_VULKAN_WITHOUT_COMPUTE");
    if (index == nullptr) return false;
    const std::size_t place = std::strtoul(index, nullptr, 10);
    return place < listed.size() && listed[place] == device;
}

#define REAL(name) real(#name, static_cast<decltype(name)*>(nullptr))

bool names_one(const char* const* names, std::uint32_t count, const char* wanted) {
    return std::any_of(names, names + count, [&](const char* name) { return std::strcmp(name, wanted) == 0; });
}

}  // namespace

extern "C" {

VKAPI_ATTR VkResult VKAPI_CALL vkCreateInstance(const VkInstanceCreateInfo* info, const VkAllocationCallbacks* memory,
                                                VkInstance* instance) {
    if (const VkResult code = fault("vkCreateInstance", true); code != VK_SUCCESS) return code;
    asked = (info->flags & VK_INSTANCE_CREATE_ENUMERATE_PORTABILITY_BIT_KHR) != 0;
    // The flag without the extension is a fault of the program.
    if (asked != names_one(info->ppEnabledExtensionNames, info->enabledExtensionCount,
                           VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME))
        return VK_ERROR_INITIALIZATION_FAILED;
    const VkResult made = REAL(vkCreateInstance)(info, memory, instance);
    if (made == VK_SUCCESS) ++instances;
    return made;
}

VKAPI_ATTR VkResult VKAPI_CALL vkEnumerateInstanceVersion(std::uint32_t* version) {
    const VkResult code = fault("vkEnumerateInstanceVersion", true);
    return code != VK_SUCCESS ? code : REAL(vkEnumerateInstanceVersion)(version);
}

VKAPI_ATTR VkResult VKAPI_CALL vkEnumerateInstanceExtensionProperties(const char* layer, std::uint32_t* count,
                                                                      VkExtensionProperties* properties) {
    const VkResult code = fault("vkEnumerateInstanceExtensionProperties", properties != nullptr);
    return code != VK_SUCCESS ? code : REAL(vkEnumerateInstanceExtensionProperties)(layer, count, properties);
}

VKAPI_ATTR VkResult VKAPI_CALL vkEnumeratePhysicalDevices(VkInstance instance, std::uint32_t* count,
                                                          VkPhysicalDevice* devices) {
    if (const VkResult code = fault("vkEnumeratePhysicalDevices", devices != nullptr); code != VK_SUCCESS) return code;
    if (!asked) *count = 0;
    if (!asked) return VK_SUCCESS;
    const VkResult code = REAL(vkEnumeratePhysicalDevices)(instance, count, devices);
    if (code == VK_SUCCESS && devices != nullptr) listed.assign(devices, devices + *count);
    return code;
}

VKAPI_ATTR void VKAPI_CALL vkGetPhysicalDeviceQueueFamilyProperties(VkPhysicalDevice device, std::uint32_t* count,
                                                                    VkQueueFamilyProperties* families) {
    REAL(vkGetPhysicalDeviceQueueFamilyProperties)(device, count, families);
    if (families == nullptr || !is_without_compute(device)) return;
    for (std::uint32_t i = 0; i < *count; ++i) families[i].queueFlags &= ~VkQueueFlags{VK_QUEUE_COMPUTE_BIT};
}

VKAPI_ATTR VkResult VKAPI_CALL vkEnumerateDeviceExtensionProperties(VkPhysicalDevice device, const char* layer,
                                                                    std::uint32_t* count,
                                                                    VkExtensionProperties* properties) {
    VkResult code = fault("vkEnumerateDeviceExtensionProperties", properties != nullptr);
    if (code != VK_SUCCESS) return code;
    const auto list = REAL(vkEnumerateDeviceExtensionProperties);
    std::uint32_t all = 0;
    code = list(device, layer, &all, nullptr);
    std::vector<VkExtensionProperties> shown(all);
    if (code == VK_SUCCESS) code = list(device, layer, &all, shown.data());
    if (code != VK_SUCCESS) return code;
    shown.erase(std::remove_if(shown.begin(), shown.end(),
                               [](const VkExtensionProperties& one) { return is_hidden(one.extensionName); }),
                shown.end());
    const auto show = [&](const char* name) {
        shown.emplace_back();
        std::strcpy(shown.back().extensionName, name);
    };
    show(subset_extension);
    for (const char* name : counting_extensions)
        if (is_shown(name)) show(name);
    const auto size = static_cast<std::uint32_t>(shown.size());
    if (properties != nullptr) std::copy_n(shown.begin(), std::min(*count, size), properties);
    *count = properties == nullptr ? size : std::min(*count, size);
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL vkGetPhysicalDeviceProperties(VkPhysicalDevice device,
                                                         VkPhysicalDeviceProperties* properties) {
    REAL(vkGetPhysicalDeviceProperties)(device, properties);
    disguise(*properties);
}

VKAPI_ATTR void VKAPI_CALL vkGetPhysicalDeviceProperties2(VkPhysicalDevice device,
                                                          VkPhysicalDeviceProperties2* properties) {
    REAL(vkGetPhysicalDeviceProperties2)(device, properties);
    disguise(properties->properties);
    for (auto* part = static_cast<VkBaseOutStructure*>(properties->pNext); part != nullptr; part = part->pNext)
        count_units(part);
}

VKAPI_ATTR VkResult VKAPI_CALL vkCreateDevice(VkPhysicalDevice physical, const VkDeviceCreateInfo* info,
                                              const VkAllocationCallbacks* memory, VkDevice* device) {
    if (const VkResult code = fault("vkCreateDevice", true); code != VK_SUCCESS) return code;
    if (!names_one(info->ppEnabledExtensionNames, info->enabledExtensionCount, subset_extension))
        return VK_ERROR_INITIALIZATION_FAILED;
    for (std::uint32_t i = 0; i < info->enabledExtensionCount; ++i)
        if (is_hidden(info->ppEnabledExtensionNames[i])) return VK_ERROR_EXTENSION_NOT_PRESENT;
    // The real device has no such extension.
    std::vector<const char*> others;
    for (std::uint32_t i = 0; i < info->enabledExtensionCount; ++i)
        if (std::strcmp(info->ppEnabledExtensionNames[i], subset_extension) != 0)
            others.push_back(info->ppEnabledExtensionNames[i]);
    VkDeviceCreateInfo changed = *info;
    changed.enabledExtensionCount = static_cast<std::uint32_t>(others.size());
    changed.ppEnabledExtensionNames = others.data();
    const VkResult made = REAL(vkCreateDevice)(physical, &changed, memory, device);
    if (made == VK_SUCCESS) ++logical_devices;
    return made;
}

VKAPI_ATTR void VKAPI_CALL vkDestroyDevice(VkDevice device, const VkAllocationCallbacks* memory) {
    if (device != nullptr) --logical_devices;
    REAL(vkDestroyDevice)(device, memory);
}

VKAPI_ATTR VkResult VKAPI_CALL vkGetPipelineCacheData(VkDevice device, VkPipelineCache cache, std::size_t* bytes,
                                                      void* data) {
    const VkResult code = fault("vkGetPipelineCacheData", data != nullptr);
    return code != VK_SUCCESS ? code : REAL(vkGetPipelineCacheData)(device, cache, bytes, data);
}

VKAPI_ATTR VkResult VKAPI_CALL vkQueueSubmit(VkQueue queue, std::uint32_t count, const VkSubmitInfo* submits,
                                             VkFence fence) {
    const std::lock_guard lock(losing);
    if (lost.count(queue) != 0) return VK_ERROR_DEVICE_LOST;
    const VkResult code = fault("vkQueueSubmit", true);
    if (code == VK_ERROR_DEVICE_LOST) lost.insert(queue);
    return code != VK_SUCCESS ? code : REAL(vkQueueSubmit)(queue, count, submits, fence);
}

/// That of a new device may lie where a lost one lay.
VKAPI_ATTR void VKAPI_CALL vkGetDeviceQueue(VkDevice device, std::uint32_t family, std::uint32_t index,
                                            VkQueue* queue) {
    REAL(vkGetDeviceQueue)(device, family, index, queue);
    const std::lock_guard lock(losing);
    lost.erase(*queue);
}

/// It does wait: what is destroyed behind it is used no more.
VKAPI_ATTR VkResult VKAPI_CALL vkQueueWaitIdle(VkQueue queue) {
    const VkResult waited = REAL(vkQueueWaitIdle)(queue), code = fault("vkQueueWaitIdle", true);
    return code != VK_SUCCESS ? code : waited;
}

VKAPI_ATTR void VKAPI_CALL vkCmdPipelineBarrier(VkCommandBuffer commands, VkPipelineStageFlags source,
                                                VkPipelineStageFlags target, VkDependencyFlags flags,
                                                std::uint32_t memory_count, const VkMemoryBarrier* memory,
                                                std::uint32_t buffer_count, const VkBufferMemoryBarrier* buffers,
                                                std::uint32_t image_count, const VkImageMemoryBarrier* images) {
    if (std::getenv("SEICHE_FAKE_VULKAN_WITHOUT_BARRIERS") != nullptr) return;
    REAL(vkCmdPipelineBarrier)
    (commands, source, target, flags, memory_count, memory, buffer_count, buffers, image_count, images);
}

std::int64_t fake_vulkan_instances() { return instances; }

/// How many logical devices were made and not destroyed.
std::int64_t fake_vulkan_logical_devices() { return logical_devices; }

/// How many devices the real loader lists for an instance that asks for none like these.
std::uint32_t fake_vulkan_devices() {
    VkApplicationInfo application{};
    application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
    application.apiVersion = VK_API_VERSION_1_1;
    VkInstanceCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
    info.pApplicationInfo = &application;
    VkInstance instance = nullptr;
    std::uint32_t count = 0;
    if (REAL(vkCreateInstance)(&info, nullptr, &instance) != VK_SUCCESS) return 0;
    REAL(vkEnumeratePhysicalDevices)(instance, &count, nullptr);
    REAL(vkDestroyInstance)(instance, nullptr);
    return count;
}
}
