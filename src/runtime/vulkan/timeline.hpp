// Submissions to a queue, numbered by a timeline semaphore where the device has them, else told apart by fences.
#pragma once

#include <vector>

#include "runtime/vulkan/device.hpp"

namespace seiche::runtime::vulkan {

/// A submission that has been made, to be waited for.
struct Ticket {
    Size value = 0;         ///< Of the timeline.
    Fence fence = nullptr;  ///< Where there is none.
};

/// The order of one queue's submissions. With a timeline one semaphore serves them all: nothing is reset, whoever has
/// seen a later submission end need not ask for an earlier one, and semaphores of the caller may be waited for and
/// signalled. Without one each submission has a fence, which its owner gives.
class Timeline {
public:
    explicit Timeline(std::shared_ptr<Session> session);
    ~Timeline();
    Timeline(const Timeline&) = delete;
    Timeline& operator=(const Timeline&) = delete;

    bool is_there() const { return semaphore_ != nullptr; }
    /// The next submission waits for this value, or makes it when it ends. Throws Unsupported without a timeline.
    void wait_with_next(Semaphore semaphore, Size value);
    void signal_with_next(Semaphore semaphore, Size value);
    /// Submits `commands` (null: no work, but what is to be waited for and signalled) and fills in the ticket, whose
    /// fence is used without a timeline.
    void submit(CommandBuffer commands, Ticket& ticket);
    /// Returns when the submission has run; its fence may be used again.
    void wait_for(const Ticket& ticket);
    /// The last submission; there must be a timeline.
    Ticket last() const { return {submitted_, nullptr}; }

private:
    struct Points {
        std::vector<Semaphore> semaphores;
        std::vector<Size> values;
        void add(Semaphore semaphore, Size value) {
            semaphores.push_back(semaphore);
            values.push_back(value);
        }
        void keep(std::size_t count) {
            semaphores.resize(count);
            values.resize(count);
        }
    };
    void expect_timeline() const;

    std::shared_ptr<Session> session_;
    Semaphore semaphore_ = nullptr;
    Size submitted_ = 0, reached_ = 0;  ///< Values of the last submission, and of the last one seen to have ended.
    Points waits_, signals_;            ///< Of the next submission; the first signal is the queue's own.
    std::vector<Uint> stages_;          ///< Where each of the waits is done.
};

}  // namespace seiche::runtime::vulkan
