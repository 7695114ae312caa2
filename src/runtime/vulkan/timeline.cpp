// Submissions to a queue.
#include "runtime/vulkan/timeline.hpp"

#include <mutex>

#include "seiche/error.hpp"

namespace seiche::runtime::vulkan {

Timeline::Timeline(std::shared_ptr<Session> session) : session_(std::move(session)) {
    if (!session_->extensions.has_timeline) return;
    SemaphoreTypeCreateInfo type;
    SemaphoreCreateInfo info;
    info.header.pNext = &type;
    check(session_->api->vkCreateSemaphore(session_->device, &info, nullptr, &semaphore_), "vkCreateSemaphore");
    signals_.add(semaphore_, 0);
}

Timeline::~Timeline() { session_->api->vkDestroySemaphore(session_->device, semaphore_, nullptr); }

void Timeline::expect_timeline() const {
    if (!is_there())
        throw Unsupported(session_->owns ? "vulkan: this device has no timeline semaphores"
                                         : "vulkan interop: a timeline semaphore wants a device made with "
                                           "timelineSemaphore; if yours is, say so in NativeDevice");
}

void Timeline::wait_with_next(Semaphore semaphore, Size value) {
    expect_timeline();
    waits_.add(semaphore, value);
    stages_.push_back(pipeline_stage_compute | pipeline_stage_transfer);
}

void Timeline::signal_with_next(Semaphore semaphore, Size value) {
    expect_timeline();
    signals_.add(semaphore, value);
}

void Timeline::submit(CommandBuffer commands, Ticket& ticket) {
    SubmitInfo info;
    info.commandBufferCount = commands != nullptr ? 1 : 0;
    info.pCommandBuffers = &commands;
    const auto send = [&](Fence fence) {
        const std::lock_guard lock(session_->submitting);
        check(session_->api->vkQueueSubmit(session_->queue, 1, &info, fence), "vkQueueSubmit");
    };
    if (!is_there()) return send(ticket.fence);
    const Size own = submitted_ + 1;
    signals_.values[0] = own;
    TimelineSubmitInfo values;
    values.waitSemaphoreValueCount = info.waitSemaphoreCount = static_cast<Uint>(waits_.values.size());
    values.pWaitSemaphoreValues = waits_.values.data();
    info.pWaitSemaphores = waits_.semaphores.data();
    info.pWaitDstStageMask = stages_.data();
    values.signalSemaphoreValueCount = info.signalSemaphoreCount = static_cast<Uint>(signals_.values.size());
    values.pSignalSemaphoreValues = signals_.values.data();
    info.pSignalSemaphores = signals_.semaphores.data();
    info.header.pNext = &values;
    send(nullptr);
    ticket.value = submitted_ = own;
    waits_.keep(0);
    stages_.clear();
    signals_.keep(1);
}

void Timeline::wait_for(const Ticket& ticket) {
    if (!is_there()) {
        check(session_->api->vkWaitForFences(session_->device, 1, &ticket.fence, 1, for_ever), "vkWaitForFences");
        return check(session_->api->vkResetFences(session_->device, 1, &ticket.fence), "vkResetFences");
    }
    if (ticket.value <= reached_) return;
    SemaphoreWaitInfo info;
    info.pSemaphores = &semaphore_;
    info.pValues = &ticket.value;
    check(session_->extensions.vkWaitSemaphores(session_->device, &info, for_ever), "vkWaitSemaphores");
    reached_ = ticket.value;
}

}  // namespace seiche::runtime::vulkan
