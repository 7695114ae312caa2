// Work that several threads ask for at the same time is done by one of them; different work goes on in parallel.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

namespace seiche::runtime {

/// Shared results by key. A result lives while somebody uses it, and the last `kept` ones longer.
template <class T>
class Once {
public:
    explicit Once(std::size_t kept) : kept_(kept) {}

    /// The result of `make()`, which runs in one of the threads that ask. If it throws, all that waited get the
    /// exception and the next to ask tries again.
    template <class Make>
    std::shared_ptr<T> get(const std::string& key, Make&& make) {
        std::promise<std::shared_ptr<T>> promise;
        {
            std::unique_lock lock(mutex_);
            if (const auto known = finished_.find(key); known != finished_.end())
                if (auto result = known->second.lock()) return result;
            if (const auto waiting = running_.find(key); waiting != running_.end()) {
                auto future = waiting->second;
                lock.unlock();
                return future.get();
            }
            running_.emplace(key, promise.get_future().share());
        }
        try {
            std::shared_ptr<T> result = make();
            finish(key, result);
            promise.set_value(result);
            return result;
        } catch (...) {
            finish(key, nullptr);
            promise.set_exception(std::current_exception());
            throw;
        }
    }

private:
    /// Looks at all only when as many were added as stayed the last time, so that each costs the same however many
    /// live.
    void forget_expired() {
        if (finished_.size() < next_look_) return;
        std::erase_if(finished_, [](const auto& entry) { return entry.second.expired(); });
        next_look_ = std::max<std::size_t>(2 * finished_.size(), 64);
    }

    void finish(const std::string& key, const std::shared_ptr<T>& result) {
        std::shared_ptr<T> dropped;  // destroyed after the lock: it may take long
        const std::lock_guard lock(mutex_);
        running_.erase(key);
        forget_expired();
        if (!result) return;
        finished_[key] = result;
        recent_.push_back(result);
        if (recent_.size() <= kept_) return;
        dropped = std::move(recent_.front());
        recent_.pop_front();
    }

    std::mutex mutex_;
    std::unordered_map<std::string, std::weak_ptr<T>> finished_;
    std::unordered_map<std::string, std::shared_future<std::shared_ptr<T>>> running_;
    std::deque<std::shared_ptr<T>> recent_;
    std::size_t kept_;
    std::size_t next_look_ = 64;
};

}  // namespace seiche::runtime
