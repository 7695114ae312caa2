// Where arrays are: a card by way of the program's own context, or, for tests, the processor or the interpreter, whose
// "device memory" is the host's.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "seiche/device.hpp"
#include "seiche/plan.hpp"

namespace seiche::compat {

/// Memory that lives as long as its owner.
struct Allocation {
    void* pointer = nullptr;
    std::uint64_t bytes = 0;
    std::shared_ptr<void> owner;
};

class Site {
public:
    explicit Site(Device device) : device_(std::move(device)) {}
    virtual ~Site() = default;
    Site(const Site&) = delete;
    Site& operator=(const Site&) = delete;

    const Device& device() const { return device_; }
    /// Number of the card; 0 for the host.
    virtual int ordinal() const = 0;
    /// Whether the calling thread would reach this device now.
    virtual bool is_current() const = 0;
    virtual Queue queue(void* stream) const = 0;
    /// `bytes` bytes of the program's memory. Where `keeps_buffers` is false, what it holds now is copied.
    virtual Buffer buffer(void* pointer, std::uint64_t bytes) const = 0;
    /// After an execution: the results are in the program's memory, or will be in the stream's order.
    virtual void finish(Queue& queue, void* pointer, const Buffer& buffer) const = 0;
    /// A Buffer stays right when the program writes to its memory.
    virtual bool keeps_buffers() const { return true; }
    /// New device memory.
    virtual Allocation allocate(std::uint64_t bytes) const = 0;

    /// Keeps the plan alive among the last few, so that one like it takes no time to make. Seiche itself does so, but
    /// not in contexts of others.
    void keep(const Plan& plan) const;
    /// Whether a plan like it was kept, so that it takes no time to make.
    bool has_kept(const Problem& problem) const;

private:
    Device device_;
    mutable std::mutex mutex_;
    mutable std::deque<Plan> kept_;  // used last first
};

/// That of the calling thread: of its current context or card. Throws Refused where there is none that can be used.
std::shared_ptr<const Site> current_site();

/// That of a card by its number, in the context that CUDA's and HIP's runtime give it; throws as `current_site`.
std::shared_ptr<const Site> site_of_card(int ordinal);

/// "cpu" or "reference" in place of a card.
std::shared_ptr<const Site> host_site(const std::string& name);

}  // namespace seiche::compat
