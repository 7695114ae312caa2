// Much memory at once, on all processors: hundreds of megabytes are filled and compared for every problem that is
// timed.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <memory>

#include "cli/in_parallel.hpp"

namespace seiche::cli {

/// Calls work(first, count) for pieces of `size` bytes, of a few megabytes each.
template <class Work>
void for_each_piece(std::size_t size, const Work& work) {
    constexpr std::size_t piece = std::size_t{4} << 20;
    in_parallel((size + piece - 1) / piece, 0,
                [&](std::size_t i) { work(i * piece, std::min(piece, size - i * piece)); });
}

/// An array that nothing fills before it is written: whoever writes it first fetches its pages.
template <class T>
class LargeArray {
public:
    LargeArray() = default;
    /// Room for `capacity` elements, if that is more.
    explicit LargeArray(std::size_t size, std::size_t capacity = 0)
        : size_(size), capacity_(std::max(size, capacity)), elements_(std::make_unique_for_overwrite<T[]>(capacity_)) {}

    T* data() { return elements_.get(); }
    const T* data() const { return elements_.get(); }
    std::size_t size() const { return size_; }
    std::size_t bytes() const { return size_ * sizeof(T); }
    /// What it holds stays where there is room for so many, else it is lost.
    void resize(std::size_t size) {
        if (size > capacity_) *this = LargeArray(size);
        size_ = size;
    }

private:
    std::size_t size_ = 0, capacity_ = 0;
    std::unique_ptr<T[]> elements_;
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
