// Your own Vulkan: Seiche's transform is recorded into your command buffer, between your commands.
#include <vulkan/vulkan.h>

#include <cmath>
#include <cstdio>
#include <seiche/interop/vulkan.hpp>
#include <seiche/seiche.hpp>

namespace {

template <class T>
T typed(VkStructureType type) {
    T value{};
    value.sType = type;
    return value;
}

/// True if the transform of a constant is all in element 0.
bool transforms(const seiche::vulkan::NativeDevice& native, VkCommandBuffer commands) {
    const seiche::Device device = seiche::vulkan::device(native);
    const seiche::Plan plan(device, seiche::parse_problem("512 in-place"));
    seiche::Execution execution;
    execution.input = device.allocate(512 * 8);  // or seiche::vulkan::buffer of your own, with an offset
    const seiche::vulkan::Bindings bindings(plan, execution);

    const auto data = reinterpret_cast<VkBuffer>(seiche::vulkan::buffer_handle(execution.input.buffer));
    const auto begin = typed<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
    vkBeginCommandBuffer(commands, &begin);
    vkCmdFillBuffer(commands, data, 0, VK_WHOLE_SIZE, 0x3f800000);  // all numbers are 1 + i
    bindings.record(commands);
    vkEndCommandBuffer(commands);
    auto submit = typed<VkSubmitInfo>(VK_STRUCTURE_TYPE_SUBMIT_INFO);
    submit.commandBufferCount = 1;
    submit.pCommandBuffers = &commands;
    vkQueueSubmit(static_cast<VkQueue>(native.queue), 1, &submit, VK_NULL_HANDLE);
    vkQueueWaitIdle(static_cast<VkQueue>(native.queue));

    std::vector<std::complex<float>> spectrum(512);  // of a constant: all of it in element 0
    device.create_queue().download(spectrum.data(), execution.input, 512 * 8);
    std::printf("on %s: X[0] = %.1f + %.1fi, |X[1]| = %.1f\n", device.info().description.c_str(),
                static_cast<double>(spectrum[0].real()), static_cast<double>(spectrum[0].imag()),
                static_cast<double>(std::abs(spectrum[1])));
    return std::abs(spectrum[0] - std::complex<float>(512, 512)) < 1e-3f && std::abs(spectrum[1]) < 1e-3f;
}

}  // namespace

int main() {
    auto application = typed<VkApplicationInfo>(VK_STRUCTURE_TYPE_APPLICATION_INFO);
    application.apiVersion = VK_API_VERSION_1_1;
    auto instance_info = typed<VkInstanceCreateInfo>(VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO);
    instance_info.pApplicationInfo = &application;
    VkInstance instance = nullptr;
    VkPhysicalDevice physical = nullptr;
    std::uint32_t count = 1;
    if (vkCreateInstance(&instance_info, nullptr, &instance) != VK_SUCCESS ||
        vkEnumeratePhysicalDevices(instance, &count, &physical) < 0 || count == 0)
        return std::puts("no Vulkan device: skipped"), 77;
    const float priority = 1;
    auto queue_info = typed<VkDeviceQueueCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO);
    queue_info.queueCount = 1;
    queue_info.pQueuePriorities = &priority;
    auto device_info = typed<VkDeviceCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO);
    device_info.queueCreateInfoCount = 1;
    device_info.pQueueCreateInfos = &queue_info;
    VkDevice vk = nullptr;
    VkQueue queue = nullptr;
    vkCreateDevice(physical, &device_info, nullptr, &vk);
    vkGetDeviceQueue(vk, 0, 0, &queue);
    auto pool_info = typed<VkCommandPoolCreateInfo>(VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO);
    VkCommandPool pool = VK_NULL_HANDLE;
    vkCreateCommandPool(vk, &pool_info, nullptr, &pool);
    auto commands_info = typed<VkCommandBufferAllocateInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO);
    commands_info.commandPool = pool;
    commands_info.commandBufferCount = 1;
    VkCommandBuffer commands = nullptr;
    vkAllocateCommandBuffers(vk, &commands_info, &commands);
    bool right = false;
    try {
        seiche::vulkan::NativeDevice native;
        native.instance = instance, native.physical_device = physical, native.device = vk, native.queue = queue;
        right = transforms(native, commands);
    } catch (const seiche::Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
    }
    vkDestroyCommandPool(vk, pool, nullptr);
    vkDestroyDevice(vk, nullptr);
    vkDestroyInstance(instance, nullptr);
    return right ? 0 : 1;
}
