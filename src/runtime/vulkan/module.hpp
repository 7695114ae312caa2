// Compute pipelines, made from SPIR-V modules.
#pragma once

#include <memory>
#include <mutex>

#include "runtime/vulkan/device.hpp"

namespace seiche::runtime::vulkan {

/// A pipeline with the layout of its descriptors and push constants. Immutable, so that any number of threads launch
/// it.
class VulkanModule final : public Module {
public:
    /// `cache` keeps what the driver compiles; it belongs to the caller.
    VulkanModule(std::shared_ptr<Session> session, const emit::Source& source, PipelineCache cache);
    ~VulkanModule() override;
    VulkanModule(const VulkanModule&) = delete;
    VulkanModule& operator=(const VulkanModule&) = delete;

    const Session& session() const { return *session_; }
    const ir::Kernel& kernel() const { return *kernel_; }
    /// For launches whose buffers all begin at a descriptor; others may need another, which is made when it is first
    /// asked for.
    Pipeline pipeline() const { return pipeline_; }
    Pipeline unaligned_pipeline() const;
    PipelineLayout layout() const { return layout_; }
    const SetLayout& set_layout() const { return set_layout_; }
    /// Buffers that are not taken by address, and images.
    Uint descriptors() const {
        return static_cast<Uint>(kernel_->buffers.size() - push_constants_.addresses.size() + kernel_->images.size());
    }
    /// Whether they go into the command buffer; else a set of them is bound.
    bool pushes_descriptors() const { return descriptors() <= session_->extensions.most_push_descriptors; }
    const emit::PushConstants& push_constants() const { return push_constants_; }

private:
    void make_layout();
    Pipeline make_pipeline(const emit::Source& source, PipelineCache cache) const;
    void destroy();

    std::shared_ptr<Session> session_;
    std::shared_ptr<const ir::Kernel> kernel_;
    emit::PushConstants push_constants_;
    SetLayout set_layout_ = nullptr;
    PipelineLayout layout_ = nullptr;
    Pipeline pipeline_ = nullptr;
    emit::Source unaligned_;  // without words: its pipeline is the same
    mutable std::mutex unaligned_mutex_;
    mutable Pipeline unaligned_pipeline_ = nullptr;
};

/// What the driver keeps of a compiled pipeline, for its next time.
Binary compile_pipeline(const std::shared_ptr<Session>& session, const emit::Source& source);
/// A loaded pipeline; a driver that does not know the bytes any more compiles anew.
std::shared_ptr<Module> load_pipeline(const std::shared_ptr<Session>& session, const emit::Source& source,
                                      const Binary& binary);

}  // namespace seiche::runtime::vulkan
