// Pieces of buffers that an execution touches, and what is asked of them.
#pragma once

#include <algorithm>
#include <array>
#include <string>

#include "problem/problem.hpp"
#include "runtime/backend.hpp"
#include "seiche/error.hpp"

namespace seiche::api {

/// Bytes [first, last) of a buffer; of an argument that is not needed: none.
struct MemoryRange {
    const runtime::Buffer* buffer;
    std::uint64_t first, last;
    bool overlaps(const MemoryRange& other) const {
        return buffer != nullptr && buffer == other.buffer && last > other.first && other.last > first;
    }
};

/// The memory of one array: one range, or several where it lies in parts; none where it is not needed. Every execution
/// makes and copies a few of these, so only the ranges that are there are written.
class MemoryRanges {
public:
    MemoryRanges() : count_(0) {}
    MemoryRanges(const MemoryRanges& other) : count_(other.count_) {
        std::copy(other.begin(), other.end(), list_.begin());
    }
    MemoryRanges& operator=(const MemoryRanges& other) {
        count_ = other.count_;
        std::copy(other.begin(), other.end(), list_.begin());
        return *this;
    }
    ~MemoryRanges() = default;

    void add(const MemoryRange& range) { list_[count_++] = range; }
    std::size_t count() const { return count_; }
    const MemoryRange& operator[](std::size_t i) const { return list_[i]; }
    const MemoryRange* begin() const { return list_.data(); }
    const MemoryRange* end() const { return list_.data() + count_; }

private:
    std::size_t count_;
    std::array<MemoryRange, 2 * problem::most_parts> list_;  // a workspace is two arrays
};

/// What an argument must have.
struct Need {
    const char* name;         ///< "input"
    std::string_view which;   ///< Which one of several, e.g. of stage_buffers; may be empty.
    std::uint64_t bytes = 0;  ///< From where the view begins.
    std::uint64_t alignment = 1;
    static constexpr std::size_t no_part = ~std::size_t{0};
    std::size_t part = no_part;  ///< Which of the array's buffers.
    std::string full_name() const {
        return std::string("execution.") + name + (which.empty() ? "" : " '" + std::string(which) + "'") +
               (part == no_part ? "" : "[" + std::to_string(part) + "]");
    }
};

[[noreturn]] void refuse(const Need& need, const std::string& part, const std::string& rule, const std::string& got);
/// Throws InvalidProblem for a view that is empty, misaligned or too small.
MemoryRange checked(const BufferView& view, const Need& need);
void refuse_overlap(const MemoryRange& a, const Need& a_need, const MemoryRange& b, const Need& b_need);
void refuse_overlap(const MemoryRanges& a, const Need& a_need, const MemoryRanges& b, const Need& b_need);
/// The parts of one array may not share memory.
void refuse_overlap_within(const MemoryRanges& parts, const Need& need);

}  // namespace seiche::api
