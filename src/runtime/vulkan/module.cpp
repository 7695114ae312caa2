// Compute pipelines, made from SPIR-V modules, and what a driver keeps of them on disk.
#include "runtime/vulkan/module.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/library.hpp"
#include "seiche/error.hpp"

namespace seiche::runtime::vulkan {

namespace {

constexpr std::size_t most_storage_buffers = 2;  // in Limits::perStageDescriptors, behind samplers and uniform buffers

class CacheOwner {
public:
    CacheOwner(const Session& session, const Binary& binary) : session_(session) {
        PipelineCacheCreateInfo info;
        info.initialDataSize = binary.bytes.size();
        info.pInitialData = binary.bytes.data();
        check(session.api->vkCreatePipelineCache(session.device, &info, nullptr, &cache_), "vkCreatePipelineCache");
    }
    ~CacheOwner() { session_.api->vkDestroyPipelineCache(session_.device, cache_, nullptr); }
    CacheOwner(const CacheOwner&) = delete;
    CacheOwner& operator=(const CacheOwner&) = delete;
    PipelineCache handle() const { return cache_; }

private:
    const Session& session_;
    PipelineCache cache_ = nullptr;
};

class ShaderOwner {
public:
    ShaderOwner(const Session& session, const emit::Source& source) : session_(session) {
        ShaderModuleCreateInfo info;
        info.codeSize = source.words.size() * sizeof(std::uint32_t);
        info.pCode = source.words.data();
        check(session.api->vkCreateShaderModule(session.device, &info, nullptr, &module_), "vkCreateShaderModule",
              source.entry);
    }
    ~ShaderOwner() { session_.api->vkDestroyShaderModule(session_.device, module_, nullptr); }
    ShaderOwner(const ShaderOwner&) = delete;
    ShaderOwner& operator=(const ShaderOwner&) = delete;
    ShaderModule handle() const { return module_; }

private:
    const Session& session_;
    ShaderModule module_ = nullptr;
};

/// What a pipeline asks of its subgroups.
struct SubgroupRequest {
    Uint size = 0;  ///< 0: nothing.
    bool is_full = false;
};

bool uses_subgroups(const ir::Kernel& kernel) {
    return std::any_of(kernel.code.begin(), kernel.code.end(), [](const ir::Instruction& i) {
        return i.op == ir::Op::subgroup_lane || i.op == ir::Op::subgroup_barrier ||
               ir::op_kind(i.op) == ir::OpKind::subgroup;
    });
}

// The size that a kernel wants or, where the driver has a choice, the one that its plan was made for. Lanes that wait
// for one another's values must be those of neighbouring threads, which full subgroups are.
SubgroupRequest subgroup_request(const ir::Kernel& kernel, const Extensions& device) {
    const auto& group = kernel.launch.group;
    const Uint wanted = kernel.launch.required_subgroup_size;
    const Uint size = wanted != 0 ? wanted : device.subgroup_size;
    const std::uint64_t threads = std::uint64_t{group[0]} * group[1] * group[2];
    const bool may_ask = size >= device.least_subgroup && size <= device.most_subgroup &&
                         threads <= std::uint64_t{size} * device.most_subgroups_of_group;
    if (wanted != 0 && !may_ask && wanted != device.natural_subgroup_size)
        throw Unsupported("vulkan: kernel " + kernel.name + " wants subgroups of " + std::to_string(wanted) +
                          " lanes for its group of " + std::to_string(threads) + ", which this device does not give");
    SubgroupRequest asked;
    if (may_ask && (wanted != 0 || device.least_subgroup < device.most_subgroup)) asked.size = size;
    const Uint lanes = asked.size != 0 ? asked.size : device.natural_subgroup_size;
    asked.is_full = device.has_full_subgroups && uses_subgroups(kernel) && group[0] % lanes == 0;
    return asked;
}

std::string dump_module(const emit::Source& source) {
    const std::string_view bytes(reinterpret_cast<const char*>(source.words.data()),
                                 source.words.size() * sizeof(std::uint32_t));
    return dump_text(source.entry, ".spv", bytes);
}

}  // namespace

VulkanModule::VulkanModule(std::shared_ptr<Session> session, const emit::Source& source, PipelineCache cache)
    : session_(std::move(session)), kernel_(source.kernel), push_constants_(emit::push_constants(*source.kernel)) {
    if (!source.unaligned_words.empty()) {
        unaligned_ = source;
        unaligned_.words = std::exchange(unaligned_.unaligned_words, {});
    }
    try {
        make_layout();
        pipeline_ = make_pipeline(source, cache);
    } catch (...) {
        destroy();
        throw;
    }
}

VulkanModule::~VulkanModule() { destroy(); }

void VulkanModule::destroy() {
    session_->settle();
    session_->api->vkDestroyPipeline(session_->device, pipeline_, nullptr);
    session_->api->vkDestroyPipeline(session_->device, unaligned_pipeline_, nullptr);
    session_->api->vkDestroyPipelineLayout(session_->device, layout_, nullptr);
    session_->api->vkDestroyDescriptorSetLayout(session_->device, set_layout_, nullptr);
}

void VulkanModule::make_layout() {
    const Uint most = session_->properties.limits.perStageDescriptors[most_storage_buffers];
    if (kernel_->buffers.size() > most)
        throw Unsupported("vulkan: kernel " + kernel_->name + " takes " + std::to_string(kernel_->buffers.size()) +
                          " buffers, expected at most " + std::to_string(most) + " on this device");
    if (!push_constants_.addresses.empty() && !session_->extensions.has_addresses)
        throw Unsupported("vulkan: kernel " + kernel_->name +
                          " takes buffers by address, which wants a device made with bufferDeviceAddress");
    for (const ir::ImageParameter& image : kernel_->images)
        if (image.format == ImageFormat::rg32f && !session_->has_extended_formats)
            throw Unsupported("vulkan: kernel " + kernel_->name + ": image " + image.name +
                              ": one of rg32f wants a device made with shaderStorageImageExtendedFormats");
    std::vector<SetLayoutBinding> bindings;
    for (Uint b = 0; b < kernel_->buffers.size() + kernel_->images.size(); ++b) {
        const bool is_buffer = b < kernel_->buffers.size();
        if (is_buffer && kernel_->buffers[b].by_address) continue;
        SetLayoutBinding& made = bindings.emplace_back();
        made.binding = b;
        made.descriptorType = is_buffer ? descriptor_storage_buffer : descriptor_storage_image;
        made.stageFlags = stage_compute;
    }
    SetLayoutCreateInfo set_info;
    set_info.flags = pushes_descriptors() ? set_layout_push_descriptor : 0;
    set_info.bindingCount = static_cast<Uint>(bindings.size());
    set_info.pBindings = bindings.data();
    check(session_->api->vkCreateDescriptorSetLayout(session_->device, &set_info, nullptr, &set_layout_),
          "vkCreateDescriptorSetLayout", kernel_->name);
    const PushConstantRange range{stage_compute, 0, push_constants_.bytes};
    PipelineLayoutCreateInfo info;
    info.pSetLayouts = &set_layout_;
    info.pushConstantRangeCount = range.size == 0 ? 0 : 1;
    info.pPushConstantRanges = &range;
    check(session_->api->vkCreatePipelineLayout(session_->device, &info, nullptr, &layout_), "vkCreatePipelineLayout",
          kernel_->name);
}

Pipeline VulkanModule::unaligned_pipeline() const {
    if (unaligned_.words.empty()) return pipeline_;
    const std::lock_guard lock(unaligned_mutex_);
    if (unaligned_pipeline_ == nullptr) unaligned_pipeline_ = make_pipeline(unaligned_, nullptr);
    return unaligned_pipeline_;
}

Pipeline VulkanModule::make_pipeline(const emit::Source& source, PipelineCache cache) const {
    const ShaderOwner shader(*session_, source);
    ComputePipelineCreateInfo info;
    info.flags = pipeline_dispatch_base;  // a grid may need several dispatches
    info.stage.stage = stage_compute;
    info.stage.module = shader.handle();
    info.stage.pName = source.entry.c_str();
    info.layout = layout_;
    const SubgroupRequest asked = subgroup_request(*kernel_, session_->extensions);
    RequiredSubgroupSize required;
    required.requiredSubgroupSize = asked.size;
    if (asked.size != 0) info.stage.header.pNext = &required;
    if (asked.is_full) info.stage.flags |= stage_requires_full_subgroups;
    Pipeline made = nullptr;
    const Result code = session_->api->vkCreateComputePipelines(session_->device, cache, 1, &info, nullptr, &made);
    if (code != success)
        check(code, "vkCreateComputePipelines", "kernel " + source.entry + ", its module is in " + dump_module(source));
    return made;
}

Binary compile_pipeline(const std::shared_ptr<Session>& session, const emit::Source& source) {
    const CacheOwner cache(*session, {});
    const VulkanModule compiled(session, source, cache.handle());
    Binary binary;
    std::size_t size = 0;
    check(session->api->vkGetPipelineCacheData(session->device, cache.handle(), &size, nullptr),
          "vkGetPipelineCacheData", source.entry);
    binary.bytes.resize(size);
    check(session->api->vkGetPipelineCacheData(session->device, cache.handle(), &size, binary.bytes.data()),
          "vkGetPipelineCacheData", source.entry);
    binary.bytes.resize(size);
    return binary;
}

std::shared_ptr<Module> load_pipeline(const std::shared_ptr<Session>& session, const emit::Source& source,
                                      const Binary& binary) {
    const CacheOwner cache(*session, binary);
    return make_owned<VulkanModule>(session, source, cache.handle());
}

}  // namespace seiche::runtime::vulkan
