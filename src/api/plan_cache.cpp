// Every living plan is found again; the last few are kept alive, as long as their tables are small beside the device's
// memory, and never longer than their device has other owners.
#include "api/plan_cache.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/backend.hpp"
#include "seiche/error.hpp"
#include "support/hash.hpp"

namespace seiche::api {

namespace {

using Shared = std::shared_ptr<const exec::Executable>;

constexpr std::size_t most_kept = 16;

/// Bytes of tables that the kept plans of a device may have together: enough for the longest usual transforms, little
/// beside its memory.
std::uint64_t most_kept_table_bytes(const exec::Executable& executable) {
    return std::min<std::uint64_t>(std::uint64_t{128} << 20, executable.device().limits().memory_bytes / 64);
}

class PlanCache {
public:
    Shared find(std::uint64_t key, const exec::BuildRequest& request) {
        const std::lock_guard lock(mutex_);
        Shared plan = find_locked(key, request);
        const auto kept = std::find(kept_.begin(), kept_.end(), plan);
        if (plan && kept != kept_.end()) std::rotate(kept_.begin(), kept, kept + 1);  // used last, it goes last
        return plan;
    }

    /// Returns the plan that another thread inserted meanwhile, if there is one.
    Shared insert(std::uint64_t key, const exec::BuildRequest& request, const Shared& built) {
        std::deque<Shared> dropped;  // destroyed after the lock is
        const std::lock_guard lock(mutex_);
        if (Shared earlier = find_locked(key, request)) return earlier;
        forget_expired();
        living_.emplace(key, built);
        drop_abandoned(dropped);
        keep(built, dropped);
        return built;
    }

    /// True if nobody but unused kept plans and the one who asks holds the device, and there are such plans.
    bool holds_alone(const std::shared_ptr<runtime::Device>& device) {
        const std::lock_guard lock(mutex_);
        const std::ptrdiff_t unused = count_unused(device);
        return unused != 0 && device.use_count() <= unused + 1;
    }

    void drop_unused(const std::shared_ptr<runtime::Device>& device) {
        std::deque<Shared> dropped;  // destroyed after the lock is
        const std::lock_guard lock(mutex_);
        std::deque<Shared> staying;
        for (Shared& plan : kept_) {
            const bool goes = plan.use_count() == 1 && plan->device().impl() == device;
            (goes ? dropped : staying).push_back(std::move(plan));
        }
        kept_ = std::move(staying);
    }

private:
    Shared find_locked(std::uint64_t key, const exec::BuildRequest& request) {
        const auto [first, last] = living_.equal_range(key);
        for (auto entry = first; entry != last; ++entry) {
            Shared plan = entry->second.lock();
            if (plan && plan->device().impl() == request.device.impl() && plan->canonical() == request.canonical &&
                plan->device().limits().tables == request.device.limits().tables &&
                plan->options().directions == request.options.directions &&
                plan->options().tuning == request.options.tuning &&
                plan->report().problem == to_string(request.problem))
                return plan;
        }
        return nullptr;
    }

    /// Looks at all only when as many were added as stayed the last time, so that each costs the same however many
    /// live.
    void forget_expired() {
        if (living_.size() < next_look_) return;
        std::erase_if(living_, [](const auto& entry) { return entry.second.expired(); });
        next_look_ = std::max<std::size_t>(2 * living_.size(), 64);
    }

    void keep(const Shared& built, std::deque<Shared>& dropped) {
        const runtime::Device& device = *built->device().impl();
        if (device.needs_callers_context() || device.belongs_to_caller()) return;
        const std::uint64_t most = most_kept_table_bytes(*built);
        if (built->table_bytes() > most) return;
        kept_.push_front(built);
        std::uint64_t bytes = 0;
        std::deque<Shared> staying;
        for (Shared& plan : kept_) {
            const bool shares = plan->device().impl() == built->device().impl();
            const std::uint64_t more = shares ? plan->table_bytes() : 0;
            const bool stays = staying.size() < most_kept && bytes + more <= most;
            if (stays) bytes += more;
            (stays ? staying : dropped).push_back(std::move(plan));
        }
        kept_ = std::move(staying);
    }

    /// A device that nobody but unused kept plans holds is one that its owner has let go of.
    bool abandoned(const Shared& plan) const {
        const auto& device = plan->device().impl();
        return plan.use_count() == 1 && device.use_count() <= count_unused(device);
    }

    std::ptrdiff_t count_unused(const std::shared_ptr<runtime::Device>& device) const {
        return std::count_if(kept_.begin(), kept_.end(), [&device](const Shared& plan) {
            return plan.use_count() == 1 && plan->device().impl() == device;
        });
    }

    void drop_abandoned(std::deque<Shared>& dropped) {
        std::vector<bool> gone;  // decided before anything moves, because copies count as owners
        for (const Shared& plan : kept_) gone.push_back(abandoned(plan));
        std::deque<Shared> staying;
        for (std::size_t i = 0; i < kept_.size(); ++i) (gone[i] ? dropped : staying).push_back(std::move(kept_[i]));
        kept_ = std::move(staying);
    }

    std::mutex mutex_;
    std::unordered_multimap<std::uint64_t, std::weak_ptr<const exec::Executable>> living_;
    std::deque<Shared> kept_;  // used last first
    std::size_t next_look_ = 64;
};

PlanCache& plan_cache() {
    // Never destroyed: at the end of the process drivers may be gone before static objects are.
    static auto* const cache = new PlanCache;
    return *cache;
}

/// The smallest work there is that goes all the way to the device.
bool answers(runtime::Device& device) {
    const std::uint32_t word = 0;
    try {
        const std::shared_ptr<runtime::Buffer> buffer = device.allocate(sizeof word);
        device.use_queue([&](runtime::Queue& queue) { queue.upload(*buffer, 0, &word, sizeof word); });
    } catch (const Error&) {
        return false;
    }
    return true;
}

std::uint64_t key_of(const exec::BuildRequest& request) {
    return support::Hasher()
        .number(problem::hash(request.canonical))
        .number(reinterpret_cast<std::uintptr_t>(request.device.impl().get()))
        .number(static_cast<std::uint64_t>(request.options.directions))
        .value();
}

}  // namespace

Shared find_or_build(const exec::BuildRequest& request) {
    const std::uint64_t key = key_of(request);
    if (Shared plan = plan_cache().find(key, request)) return plan;
    return plan_cache().insert(key, request, exec::Executable::build(request));
}

bool drop_if_lost(const std::shared_ptr<runtime::Device>& opened) {
    if (!plan_cache().holds_alone(opened) || answers(*opened)) return false;
    plan_cache().drop_unused(opened);
    return true;
}

}  // namespace seiche::api
