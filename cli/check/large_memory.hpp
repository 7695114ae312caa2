// Much memory at once, on all processors: hundreds of megabytes are filled and compared for every problem that is
// timed.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <utility>

#include "cli/system/in_parallel.hpp"

namespace seiche::cli {

/// Calls work(first, count) for pieces of `size` bytes, of a few megabytes each.
template <class Work>
void for_each_piece(std::size_t size, const Work& work) {
    constexpr std::size_t piece = std::size_t{4} << 20;
    in_parallel((size + piece - 1) / piece, 0,
                [&](std::size_t i) { work(i * piece, std::min(piece, size - i * piece)); });
}

/// Memory for one array after another. Its pages stay: to fetch those of half a gigabyte takes longer than anything
/// that is done with them, above all where one thread (a driver's copy) meets them for the first time.
class LargeMemory {
public:
    /// Gives memory of another kind than the ordinary one, or null where there is none.
    using Allocate = std::function<std::shared_ptr<unsigned char[]>(std::size_t bytes)>;

    LargeMemory() = default;
    explicit LargeMemory(Allocate allocate) : allocate_(std::move(allocate)) {}

    /// Room for so many bytes. What it holds is lost where it has to grow, and has no meaning then.
    unsigned char* reserve(std::size_t bytes) {
        if (bytes <= capacity_) return bytes_.get();
        capacity_ = 0;
        bytes_.reset();  // so that there is never more than one of them
        if (allocate_) bytes_ = allocate_(bytes);
        if (!bytes_) bytes_ = std::make_unique_for_overwrite<unsigned char[]>(bytes);
        capacity_ = bytes;
        fetch_pages();
        return bytes_.get();
    }
    template <class T>
    std::span<T> array(std::size_t size) {
        return {reinterpret_cast<T*>(reserve(size * sizeof(T))), size};
    }

private:
    void fetch_pages() {
        constexpr std::size_t page = 4096;
        unsigned char* const bytes = bytes_.get();
        for_each_piece(capacity_, [&](std::size_t first, std::size_t count) {
            for (std::size_t i = first; i < first + count; i += page) bytes[i] = 0;
        });
    }

    Allocate allocate_;
    std::shared_ptr<unsigned char[]> bytes_;
    std::size_t capacity_ = 0;
};

inline void fill_bytes(void* memory, unsigned char byte, std::size_t size) {
    for_each_piece(size, [&](std::size_t first, std::size_t count) {
        std::memset(static_cast<unsigned char*>(memory) + first, byte, count);
    });
}

inline bool same_bytes(const void* a, const void* b, std::size_t size) {
    std::atomic<bool> same{true};
    for_each_piece(size, [&](std::size_t first, std::size_t count) {
        const auto* left = static_cast<const unsigned char*>(a) + first;
        if (std::memcmp(left, static_cast<const unsigned char*>(b) + first, count) != 0) same = false;
    });
    return same;
}

inline bool all_bytes(const void* memory, unsigned char byte, std::size_t size) {
    std::atomic<bool> all{true};
    for_each_piece(size, [&](std::size_t first, std::size_t count) {
        const auto* bytes =
            static_cast<const unsigned char*>(memory) + first;  // equal to the first, each to the one before
        if (bytes[0] != byte || std::memcmp(bytes, bytes + 1, count - 1) != 0) all = false;
    });
    return all;
}

}  // namespace seiche::cli
