// Every living plan is found again; the last few small ones are kept alive, but never longer than their device has
// other owners.
#include "api/plan_cache.hpp"

#include <algorithm>
#include <deque>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/backend.hpp"
#include "support/hash.hpp"

namespace seiche::api {

namespace {

using Shared = std::shared_ptr<const exec::Executable>;

constexpr std::size_t most_kept = 16;
constexpr std::uint64_t most_kept_table_bytes = 1u << 20;

std::uint64_t table_bytes(const exec::Executable& executable) {
    std::uint64_t bytes = 0;
    for (const KernelReport& kernel : executable.report().kernels) bytes += kernel.table_bytes;
    return bytes;
}

class PlanCache {
public:
    Shared find(std::uint64_t key, const exec::BuildRequest& request) {
        const std::lock_guard lock(mutex_);
        return find_locked(key, request);
    }

    /// Returns the plan that another thread inserted meanwhile, if there is one.
    Shared insert(std::uint64_t key, const exec::BuildRequest& request, const Shared& built) {
        std::deque<Shared> dropped;  // destroyed after the lock is
        const std::lock_guard lock(mutex_);
        if (Shared earlier = find_locked(key, request)) return earlier;
        std::erase_if(living_, [](const auto& entry) { return entry.second.expired(); });
        living_.emplace(key, built);
        drop_abandoned(dropped);
        const runtime::Device& device = *built->device().impl();
        const bool may_stay = !device.needs_callers_context() && !device.belongs_to_caller();
        if (may_stay && table_bytes(*built) <= most_kept_table_bytes) kept_.push_front(built);
        if (kept_.size() > most_kept) {
            dropped.push_back(std::move(kept_.back()));
            kept_.pop_back();
        }
        return built;
    }

private:
    Shared find_locked(std::uint64_t key, const exec::BuildRequest& request) {
        const auto [first, last] = living_.equal_range(key);
        for (auto entry = first; entry != last; ++entry) {
            Shared plan = entry->second.lock();
            if (plan && plan->device().impl() == request.device.impl() && plan->canonical() == request.canonical &&
                plan->options().directions == request.options.directions &&
                plan->options().tuning == request.options.tuning &&
                plan->report().problem == to_string(request.problem))
                return plan;
        }
        return nullptr;
    }

    /// A device that nobody but unused kept plans holds is one that its owner has let go of.
    bool abandoned(const Shared& plan) const {
        const auto& device = plan->device().impl();
        const auto unused = std::count_if(kept_.begin(), kept_.end(), [&device](const Shared& other) {
            return other.use_count() == 1 && other->device().impl() == device;
        });
        return plan.use_count() == 1 && device.use_count() <= unused;
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
    std::deque<Shared> kept_;  // latest first
};

PlanCache& plan_cache() {
    // Never destroyed: at the end of the process drivers may be gone before static objects are.
    static auto* const cache = new PlanCache;
    return *cache;
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

}  // namespace seiche::api
