// The same work on many items, on several threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <thread>
#include <vector>

namespace seiche::cli {

/// Calls work(0) ... work(count - 1) on up to `workers` threads (0: one per processor), then passes on one of the
/// exceptions, if any; a thread that meets one takes no further item.
template <class Work>
void in_parallel(std::size_t count, std::size_t workers, const Work& work) {
    if (workers == 0) workers = std::max(1u, std::thread::hardware_concurrency());
    workers = std::min(workers, count);
    std::atomic<std::size_t> next{0};
    std::vector<std::exception_ptr> failures(workers);
    const auto take = [&](std::size_t worker) {
        try {
            for (std::size_t i = next++; i < count; i = next++) work(i);
        } catch (...) {
            failures[worker] = std::current_exception();
        }
    };
    std::vector<std::thread> threads;
    for (std::size_t worker = 1; worker < workers; ++worker) threads.emplace_back(take, worker);
    if (workers > 0) take(0);
    for (std::thread& thread : threads) thread.join();
    for (const auto& failure : failures) {
        if (failure) std::rethrow_exception(failure);
    }
}

}  // namespace seiche::cli
