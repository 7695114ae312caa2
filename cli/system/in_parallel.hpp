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

/// Calls work(first, end) for ranges that make up 0 ... count - 1, long enough to be worth a thread's while. They are
/// the same for any number of workers.
template <class Work>
void in_ranges(std::size_t count, std::size_t workers, const Work& work) {
    constexpr std::size_t longest = std::size_t{1} << 14;
    in_parallel((count + longest - 1) / longest, workers,
                [&](std::size_t i) { work(i * longest, std::min(count, (i + 1) * longest)); });
}

}  // namespace seiche::cli
