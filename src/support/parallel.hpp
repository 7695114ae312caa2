// Work on several threads of the host.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

namespace seiche::support {

inline std::size_t processors() { return std::max(1u, std::thread::hardware_concurrency()); }

/// Calls body(i) for every i below `count`, on at most so many threads, this one among them and fewer where the system
/// gives no more, and returns when all are done. Throws what the call of the least i threw, if any did.
template <class Body>
void parallel(std::size_t count, std::size_t threads, const Body& body) {
    std::atomic<std::size_t> next{0};
    std::vector<std::exception_ptr> failures(count);
    const auto work = [&] {
        for (std::size_t i = next++; i < count; i = next++) {
            try {
                body(i);
            } catch (...) {
                failures[i] = std::current_exception();
            }
        }
    };
    std::vector<std::thread> helpers;
    const std::size_t most = std::min(count, threads);
    if (most > 1) helpers.reserve(most - 1);
    try {
        for (std::size_t i = 1; i < most; ++i) helpers.emplace_back(work);
    } catch (const std::system_error&) {  // a limit allows no more of them: those that are there do it all
    } catch (const std::bad_alloc&) {
    }
    work();
    for (std::thread& helper : helpers) helper.join();
    for (const std::exception_ptr& failure : failures)
        if (failure) std::rethrow_exception(failure);
}

/// Calls body(begin, end) for parts of 0 .. count-1, where they are more than `few`, which take no longer than starting
/// threads does, on as many processors as have two parts each.
template <class Body>
void parallel_parts(std::uint64_t count, std::uint64_t few, const Body& body) {
    if (count <= few) {
        body(std::uint64_t{0}, count);
        return;
    }
    const std::uint64_t parts = std::min<std::uint64_t>(4 * processors(), count / (few / 4));
    const std::uint64_t threads = std::min<std::uint64_t>(processors(), (parts + 1) / 2);
    parallel(parts, threads, [&](std::uint64_t i) { body(count * i / parts, count * (i + 1) / parts); });
}
template <class Body>
void parallel_parts(std::uint64_t count, const Body& body) {
    parallel_parts(count, std::uint64_t{1} << 15, body);
}

}  // namespace seiche::support
