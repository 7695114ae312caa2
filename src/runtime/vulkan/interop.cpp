// The caller's Vulkan objects as Seiche's, and executions recorded into the caller's command buffers.
#include "seiche/interop/vulkan.hpp"

#include <array>
#include <string>
#include <vector>

#include "runtime/vulkan/module.hpp"
#include "runtime/vulkan/queue.hpp"
#include "runtime/vulkan/record.hpp"
#include "seiche/error.hpp"

namespace seiche::vulkan {

namespace {

using runtime::vulkan::BoundLaunch;
using runtime::vulkan::check;
using runtime::vulkan::Session;
using runtime::vulkan::Uint;
using runtime::vulkan::VulkanBuffer;
using runtime::vulkan::VulkanDevice;
using runtime::vulkan::VulkanQueue;

template <class Own, class Value>
Own& own(const Value& value, const char* what) {
    auto* native = dynamic_cast<Own*>(value.impl().get());
    if (native == nullptr)
        throw InvalidProblem(std::string("vulkan interop: expected a ") + what + " of the Vulkan backend");
    if constexpr (std::is_base_of_v<runtime::OfProcess, Own>) native->expect_own_process(what);
    return *native;
}

runtime::vulkan::Semaphore semaphore_of(std::uint64_t handle) {
    return reinterpret_cast<runtime::vulkan::Semaphore>(static_cast<std::uintptr_t>(handle));
}

/// Takes down the launches of one execution instead of running them.
class Notes final : public runtime::Queue {
public:
    struct Note {
        runtime::Launch launch;
        std::vector<runtime::BufferArgument> buffers;
        std::vector<std::uint64_t> scalars;
        std::vector<runtime::Image*> images;
    };

    void upload(runtime::Buffer&, std::uint64_t, const void*, std::size_t) override { refuse(); }
    void download(void*, runtime::Buffer&, std::uint64_t, std::size_t) override { refuse(); }
    void copy(runtime::Buffer&, std::uint64_t, runtime::Buffer&, std::uint64_t, std::uint64_t) override { refuse(); }
    void launch(const runtime::Launch& launch) override {
        if (launch.groups[0] == 0 || launch.groups[1] == 0 || launch.groups[2] == 0) return;
        notes_.push_back({launch,
                          {launch.buffers, launch.buffers + launch.buffer_count},
                          {launch.scalars, launch.scalars + launch.scalar_count},
                          {launch.images, launch.images + launch.image_count}});
        Note& note = notes_.back();
        note.launch.buffers = note.buffers.data();
        note.launch.scalars = note.scalars.data();
        note.launch.images = note.images.data();
    }
    void wait() override { refuse(); }
    std::shared_ptr<runtime::Event> record() override { refuse(); }
    double milliseconds(const runtime::Event&, const runtime::Event&) override { refuse(); }

    const std::vector<Note>& notes() const { return notes_; }

private:
    [[noreturn]] static void refuse() { throw InternalError("vulkan interop: an execution does more than launch"); }

    std::vector<Note> notes_;
};

}  // namespace

// ---- Devices and buffers

Device device(const NativeDevice& native) {
    if (native.instance == nullptr || native.physical_device == nullptr || native.device == nullptr ||
        native.queue == nullptr)
        throw InvalidProblem("vulkan interop: expected an instance, a physical device, a device and a queue, got null");
    return Device(runtime::vulkan::adopt(native));
}

Buffer buffer(const Device& device, std::uint64_t buffer, std::uint64_t bytes) {
    if (buffer == 0) throw InvalidProblem("vulkan interop: the buffer is null");
    const auto handle = reinterpret_cast<runtime::vulkan::BufferHandle>(static_cast<std::uintptr_t>(buffer));
    return Buffer(runtime::make_owned<VulkanBuffer>(own<VulkanDevice>(device, "device").session(), handle, bytes));
}

Image image(const Device& device, std::uint64_t view, ImageFormat format, std::uint32_t width, std::uint32_t height) {
    if (view == 0) throw InvalidProblem("vulkan interop: the image view is null");
    if (format == ImageFormat::none || width == 0 || height == 0)
        throw InvalidProblem("vulkan interop: expected an image with a format and texels, got " +
                             std::to_string(width) + " by " + std::to_string(height) + " of " + to_string(format));
    const auto handle = reinterpret_cast<runtime::vulkan::ImageView>(static_cast<std::uintptr_t>(view));
    return Image(runtime::make_owned<runtime::vulkan::VulkanImage>(own<VulkanDevice>(device, "device").session(),
                                                                   handle, format, width, height));
}

void* device_handle(const Device& device) { return own<VulkanDevice>(device, "device").session()->device; }
void* queue_handle(const Queue& queue) { return own<VulkanQueue>(queue, "queue").session().queue; }
std::uint64_t buffer_handle(const Buffer& buffer) {
    return reinterpret_cast<std::uintptr_t>(own<VulkanBuffer>(buffer, "buffer").handle());
}

// ---- Semaphores

void wait_for(Queue& queue, std::uint64_t semaphore, std::uint64_t value) {
    if (semaphore == 0) throw InvalidProblem("vulkan interop: the semaphore to wait for is null");
    own<VulkanQueue>(queue, "queue").wait_for(semaphore_of(semaphore), value);
}

void signal(Queue& queue, std::uint64_t semaphore, std::uint64_t value) {
    if (semaphore == 0) throw InvalidProblem("vulkan interop: the semaphore to signal is null");
    own<VulkanQueue>(queue, "queue").signal(semaphore_of(semaphore), value);
}

// ---- Recordings

class Bindings::Impl {
public:
    template <class SomePlan, class SomeExecution>
    Impl(const SomePlan& plan, const SomeExecution& execution)
        : session_(own<VulkanDevice>(plan.device(), "plan").session()),
          kept_(std::make_shared<std::pair<SomePlan, SomeExecution>>(plan, execution)) {
        const auto notes = std::make_shared<Notes>();
        Queue queue(notes);
        plan.execute(queue, execution);
        try {
            bind(notes->notes());
        } catch (...) {
            session_->api->vkDestroyDescriptorPool(session_->device, pool_, nullptr);
            throw;
        }
    }
    ~Impl() { session_->api->vkDestroyDescriptorPool(session_->device, pool_, nullptr); }
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    void record(runtime::vulkan::CommandBuffer commands) const {
        using namespace runtime::vulkan;
        constexpr Uint work = pipeline_stage_compute | pipeline_stage_transfer;
        runtime::vulkan::Barrier barrier{work, access_shader | access_transfer, pipeline_stage_compute, access_shader};
        for (const BoundLaunch& launch : launches_) {
            record_barrier(*session_, commands, barrier);
            record_launch(*session_, commands, launch);
            barrier.source_stages = pipeline_stage_compute;
            barrier.source_access = access_shader;
        }
        barrier.target_stages = work | pipeline_stage_host;
        barrier.target_access = access_shader | access_transfer | access_host_read;
        record_barrier(*session_, commands, barrier);
    }

private:
    void bind(const std::vector<Notes::Note>& notes) {
        using namespace runtime::vulkan;
        make_pool(notes);
        launches_.reserve(notes.size());
        for (const Notes::Note& note : notes)
            launches_.push_back(own_module(*session_, note.launch).pushes_descriptors()
                                    ? bound_launch(*session_, note.launch)
                                    : bound_launch(*session_, note.launch, pool_));
    }

    /// For the kernels whose descriptors do not go into the command buffer, if there are any.
    void make_pool(const std::vector<Notes::Note>& notes) {
        using namespace runtime::vulkan;
        Uint sets = 0, buffers = 0, images = 0;
        for (const Notes::Note& note : notes) {
            if (own_module(*session_, note.launch).pushes_descriptors()) continue;
            ++sets;
            buffers += static_cast<Uint>(note.buffers.size());
            images += static_cast<Uint>(note.images.size());
        }
        if (sets == 0) return;
        const std::array<DescriptorPoolSize, 2> sizes{{{descriptor_storage_buffer, std::max(buffers, Uint{1})},
                                                       {descriptor_storage_image, std::max(images, Uint{1})}}};
        DescriptorPoolCreateInfo info;
        info.maxSets = sets;
        info.poolSizeCount = sizes.size();
        info.pPoolSizes = sizes.data();
        check(session_->api->vkCreateDescriptorPool(session_->device, &info, nullptr, &pool_),
              "vkCreateDescriptorPool");
    }

    std::shared_ptr<Session> session_;
    std::shared_ptr<const void> kept_;  // plan and arguments
    runtime::vulkan::DescriptorPool pool_ = nullptr;
    std::vector<BoundLaunch> launches_;
};

Bindings::Bindings(const Plan& plan, const Execution& execution) : impl_(runtime::make_owned<Impl>(plan, execution)) {}
Bindings::Bindings(const ConvolutionPlan& plan, const ConvolutionExecution& execution)
    : impl_(runtime::make_owned<Impl>(plan, execution)) {}

void Bindings::record(void* command_buffer) const {
    if (command_buffer == nullptr) throw InvalidProblem("vulkan interop: the command buffer is null");
    impl_->record(static_cast<runtime::vulkan::CommandBuffer>(command_buffer));
}

}  // namespace seiche::vulkan
