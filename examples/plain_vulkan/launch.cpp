// A device, buffers, and a command buffer of compute launches, in plain Vulkan 1.1.
#include "launch.hpp"

#include <algorithm>

namespace engine {

namespace {

template <class T>
T typed(VkStructureType type) {
    T value{};
    value.sType = type;
    return value;
}

void check(VkResult result, const char* call) {
    if (result != VK_SUCCESS) throw std::runtime_error(std::string(call) + ": error " + std::to_string(result));
}

/// The structures of features, chained.
struct Features {
    VkPhysicalDeviceFeatures2 plain = typed<VkPhysicalDeviceFeatures2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
    VkPhysicalDevice16BitStorageFeatures storage_16 =
        typed<VkPhysicalDevice16BitStorageFeatures>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES);

    Features() { plain.pNext = &storage_16; }
    Features(const Features&) = delete;
    Features& operator=(const Features&) = delete;

    VkBool32& named(const std::string& name) {
        if (name == "shaderFloat64") return plain.features.shaderFloat64;
        if (name == "shaderInt64") return plain.features.shaderInt64;
        if (name == "storageBuffer16BitAccess") return storage_16.storageBuffer16BitAccess;
        throw NoDevice("feature " + name + ": this program does not know where Vulkan has it");
    }
};

}  // namespace

// The destructor of a delegating constructor runs even where its body throws.
Device::Device(const std::vector<std::string>& features) : Device() {
    make_instance();
    std::uint32_t count = 0;
    check(vkEnumeratePhysicalDevices(instance_, &count, nullptr), "vkEnumeratePhysicalDevices");
    std::vector<VkPhysicalDevice> all(count);
    check(vkEnumeratePhysicalDevices(instance_, &count, all.data()), "vkEnumeratePhysicalDevices");
    const auto found = std::find_if(all.begin(), all.end(), [&](auto physical) { return choose(physical, features); });
    if (found == all.end()) throw NoDevice("no Vulkan device with a compute queue and the features of these shaders");
    physical_ = *found;
    vkGetPhysicalDeviceProperties(physical_, &properties_);
    make_device(features);
}

Device::~Device() {
    for (const auto& pipeline : pipelines_) {
        vkDestroyDescriptorPool(device_, pipeline->pool, nullptr);
        vkDestroyPipeline(device_, pipeline->handle, nullptr);
        vkDestroyPipelineLayout(device_, pipeline->layout, nullptr);
        vkDestroyDescriptorSetLayout(device_, pipeline->set_layout, nullptr);
        vkDestroyShaderModule(device_, pipeline->module, nullptr);
    }
    for (const Buffer& buffer : buffers_) {
        vkDestroyBuffer(device_, buffer.handle, nullptr);
        vkFreeMemory(device_, buffer.memory, nullptr);
    }
    if (device_ != nullptr) vkDestroyCommandPool(device_, pool_, nullptr);
    vkDestroyDevice(device_, nullptr);
    vkDestroyInstance(instance_, nullptr);
}

void Device::make_instance() {
    auto application = typed<VkApplicationInfo>(VK_STRUCTURE_TYPE_APPLICATION_INFO);
    application.apiVersion = VK_API_VERSION_1_1;  // SPIR-V 1.3
    auto info = typed<VkInstanceCreateInfo>(VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO);
    info.pApplicationInfo = &application;
    if (vkCreateInstance(&info, nullptr, &instance_) != VK_SUCCESS) throw NoDevice("no Vulkan driver");
}

bool Device::choose(VkPhysicalDevice physical, const std::vector<std::string>& features) {
    VkPhysicalDeviceProperties properties{};
    vkGetPhysicalDeviceProperties(physical, &properties);
    if (properties.apiVersion < VK_API_VERSION_1_1) return false;
    Features had;
    vkGetPhysicalDeviceFeatures2(physical, &had.plain);
    for (const std::string& name : features)
        if (had.named(name) == VK_FALSE) return false;
    std::uint32_t count = 0;
    vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, nullptr);
    std::vector<VkQueueFamilyProperties> families(count);
    vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, families.data());
    for (family_ = 0; family_ < count; ++family_)
        if ((families[family_].queueFlags & VK_QUEUE_COMPUTE_BIT) != 0) return true;
    return false;
}

void Device::make_device(const std::vector<std::string>& features) {
    Features wanted;
    for (const std::string& name : features) wanted.named(name) = VK_TRUE;
    const float priority = 1;
    auto queue_info = typed<VkDeviceQueueCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO);
    queue_info.queueFamilyIndex = family_;
    queue_info.queueCount = 1;
    queue_info.pQueuePriorities = &priority;
    auto info = typed<VkDeviceCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO);
    info.pNext = &wanted.plain;
    info.queueCreateInfoCount = 1;
    info.pQueueCreateInfos = &queue_info;
    check(vkCreateDevice(physical_, &info, nullptr, &device_), "vkCreateDevice");
    vkGetDeviceQueue(device_, family_, 0, &queue_);
    auto pool_info = typed<VkCommandPoolCreateInfo>(VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO);
    pool_info.queueFamilyIndex = family_;
    check(vkCreateCommandPool(device_, &pool_info, nullptr, &pool_), "vkCreateCommandPool");
    auto commands_info = typed<VkCommandBufferAllocateInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO);
    commands_info.commandPool = pool_;
    commands_info.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
    commands_info.commandBufferCount = 1;
    check(vkAllocateCommandBuffers(device_, &commands_info, &commands_), "vkAllocateCommandBuffers");
}

std::uint32_t Device::host_memory(std::uint32_t allowed) const {
    constexpr VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    VkPhysicalDeviceMemoryProperties memory{};
    vkGetPhysicalDeviceMemoryProperties(physical_, &memory);
    for (std::uint32_t type = 0; type < memory.memoryTypeCount; ++type)
        if ((allowed >> type & 1u) != 0 && (memory.memoryTypes[type].propertyFlags & wanted) == wanted) return type;
    throw std::runtime_error("no memory that host and device see");  // Vulkan promises one
}

Buffer Device::make_buffer(VkDeviceSize bytes) {
    Buffer& buffer = buffers_.emplace_back();
    auto info = typed<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
    info.size = bytes;
    info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    check(vkCreateBuffer(device_, &info, nullptr, &buffer.handle), "vkCreateBuffer");
    VkMemoryRequirements needs{};
    vkGetBufferMemoryRequirements(device_, buffer.handle, &needs);
    auto memory_info = typed<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
    memory_info.allocationSize = needs.size;
    memory_info.memoryTypeIndex = host_memory(needs.memoryTypeBits);
    check(vkAllocateMemory(device_, &memory_info, nullptr, &buffer.memory), "vkAllocateMemory");
    check(vkBindBufferMemory(device_, buffer.handle, buffer.memory, 0), "vkBindBufferMemory");
    void* mapped = nullptr;
    check(vkMapMemory(device_, buffer.memory, 0, VK_WHOLE_SIZE, 0, &mapped), "vkMapMemory");
    buffer.bytes = static_cast<std::byte*>(mapped);
    return buffer;
}

void Device::check_limits(const Launch& launch) const {
    const VkPhysicalDeviceLimits& limits = properties_.limits;
    const auto most = [&](const std::string& what, std::uint64_t wanted, std::uint64_t limit) {
        if (wanted > limit)
            throw NoDevice(launch.entry + ": expected a device with " + what + " of at least " +
                           std::to_string(wanted) + ", got " + std::to_string(limit));
    };
    most("maxComputeWorkGroupInvocations", launch.group_size, limits.maxComputeWorkGroupInvocations);
    most("maxComputeWorkGroupSize", launch.group_size, limits.maxComputeWorkGroupSize[0]);
    most("maxComputeSharedMemorySize", launch.shared_bytes, limits.maxComputeSharedMemorySize);
    most("maxPerStageDescriptorStorageBuffers", launch.bindings.size(), limits.maxPerStageDescriptorStorageBuffers);
    most("maxPushConstantsSize", 4 * launch.push_constants.size(), limits.maxPushConstantsSize);
    for (const Binding& binding : launch.bindings)
        most("maxStorageBufferRange", binding.size, limits.maxStorageBufferRange);
}

void Device::make_layout(const Launch& launch, Pipeline& pipeline) {
    std::vector<VkDescriptorSetLayoutBinding> bindings(launch.bindings.size());
    for (std::size_t b = 0; b < bindings.size(); ++b)
        bindings[b] = {static_cast<std::uint32_t>(b), VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT,
                       nullptr};
    auto set_info = typed<VkDescriptorSetLayoutCreateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO);
    set_info.bindingCount = static_cast<std::uint32_t>(bindings.size());
    set_info.pBindings = bindings.data();
    check(vkCreateDescriptorSetLayout(device_, &set_info, nullptr, &pipeline.set_layout),
          "vkCreateDescriptorSetLayout");
    const VkPushConstantRange range{VK_SHADER_STAGE_COMPUTE_BIT, 0,
                                    static_cast<std::uint32_t>(4 * launch.push_constants.size())};
    auto info = typed<VkPipelineLayoutCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO);
    info.setLayoutCount = 1;
    info.pSetLayouts = &pipeline.set_layout;
    info.pushConstantRangeCount = launch.push_constants.empty() ? 0 : 1;
    info.pPushConstantRanges = &range;
    check(vkCreatePipelineLayout(device_, &info, nullptr, &pipeline.layout), "vkCreatePipelineLayout");
}

void Device::make_set(const Launch& launch, Pipeline& pipeline) {
    const auto count = static_cast<std::uint32_t>(launch.bindings.size());
    const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, count};
    auto pool_info = typed<VkDescriptorPoolCreateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO);
    pool_info.maxSets = 1;
    pool_info.poolSizeCount = 1;
    pool_info.pPoolSizes = &size;
    check(vkCreateDescriptorPool(device_, &pool_info, nullptr, &pipeline.pool), "vkCreateDescriptorPool");
    auto info = typed<VkDescriptorSetAllocateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO);
    info.descriptorPool = pipeline.pool;
    info.descriptorSetCount = 1;
    info.pSetLayouts = &pipeline.set_layout;
    check(vkAllocateDescriptorSets(device_, &info, &pipeline.set), "vkAllocateDescriptorSets");
    for (std::uint32_t b = 0; b < count; ++b) {
        const VkDescriptorBufferInfo bound{launch.bindings[b].buffer, launch.bindings[b].offset,
                                           launch.bindings[b].size};
        auto write = typed<VkWriteDescriptorSet>(VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET);
        write.dstSet = pipeline.set;
        write.dstBinding = b;
        write.descriptorCount = 1;
        write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
        write.pBufferInfo = &bound;
        vkUpdateDescriptorSets(device_, 1, &write, 0, nullptr);
    }
}

void Device::barrier(VkPipelineStageFlags stage, VkAccessFlags access) {
    auto memory = typed<VkMemoryBarrier>(VK_STRUCTURE_TYPE_MEMORY_BARRIER);
    memory.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT;
    memory.dstAccessMask = access;
    vkCmdPipelineBarrier(commands_, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, stage, 0, 1, &memory, 0, nullptr, 0, nullptr);
}

void Device::begin() {
    const auto info = typed<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
    check(vkBeginCommandBuffer(commands_, &info), "vkBeginCommandBuffer");
}

void Device::record(const Launch& launch) {
    check_limits(launch);
    Pipeline& pipeline = *pipelines_.emplace_back(std::make_unique<Pipeline>());
    auto module_info = typed<VkShaderModuleCreateInfo>(VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
    module_info.codeSize = 4 * launch.spirv.size();
    module_info.pCode = launch.spirv.data();
    check(vkCreateShaderModule(device_, &module_info, nullptr, &pipeline.module), "vkCreateShaderModule");
    make_layout(launch, pipeline);
    auto info = typed<VkComputePipelineCreateInfo>(VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO);
    info.flags = VK_PIPELINE_CREATE_DISPATCH_BASE;
    info.stage = typed<VkPipelineShaderStageCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO);
    info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    info.stage.module = pipeline.module;
    info.stage.pName = launch.entry.c_str();
    info.layout = pipeline.layout;
    check(vkCreateComputePipelines(device_, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline.handle),
          "vkCreateComputePipelines");
    make_set(launch, pipeline);

    barrier(VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
    vkCmdBindPipeline(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.handle);
    vkCmdBindDescriptorSets(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.layout, 0, 1, &pipeline.set, 0,
                            nullptr);
    if (!launch.push_constants.empty())
        vkCmdPushConstants(commands_, pipeline.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                           static_cast<std::uint32_t>(4 * launch.push_constants.size()), launch.push_constants.data());
    // A grid may be longer than a dispatch: the groups of the next begin where it ended. The first is a plain one,
    // because validation layers before April 2025 look for races there only.
    const std::uint64_t most = properties_.limits.maxComputeWorkGroupCount[0];
    vkCmdDispatch(commands_, static_cast<std::uint32_t>(std::min(most, launch.groups)), 1, 1);
    for (std::uint64_t first = most; first < launch.groups; first += most)
        vkCmdDispatchBase(commands_, static_cast<std::uint32_t>(first), 0, 0,
                          static_cast<std::uint32_t>(std::min(most, launch.groups - first)), 1, 1);
}

void Device::run() {
    barrier(VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
    check(vkEndCommandBuffer(commands_), "vkEndCommandBuffer");
    auto submit = typed<VkSubmitInfo>(VK_STRUCTURE_TYPE_SUBMIT_INFO);
    submit.commandBufferCount = 1;
    submit.pCommandBuffers = &commands_;
    check(vkQueueSubmit(queue_, 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
    check(vkQueueWaitIdle(queue_), "vkQueueWaitIdle");
}

}  // namespace engine
