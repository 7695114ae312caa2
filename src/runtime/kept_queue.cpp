// The queue that a device keeps for what making plans moves.
#include "runtime/backend.hpp"

namespace seiche::runtime {

void Device::use_queue(const std::function<void(Queue&)>& work) {
    if (needs_callers_context() || belongs_to_caller()) {
        const std::shared_ptr<Queue> queue = create_queue();
        work(*queue);
        return queue->wait();
    }
    const std::lock_guard lock(using_queue_);
    if (!queue_) queue_ = create_queue();
    try {
        work(*queue_);
        queue_->wait();
    } catch (...) {
        queue_.reset();  // nobody knows what it can still do
        throw;
    }
}

}  // namespace seiche::runtime
