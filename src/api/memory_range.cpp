// Pieces of buffers that an execution touches, and what is asked of them.
#include "api/memory_range.hpp"

namespace seiche::api {

void refuse(const Need& need, const std::string& part, const std::string& rule, const std::string& got) {
    throw InvalidProblem(need.full_name() + part + ": expected " + rule + ", got " + got);
}

MemoryRange checked(const BufferView& view, const Need& need) {
    const std::uint64_t size = view.buffer.bytes();
    if (!view.buffer) refuse(need, "", "a buffer of at least " + std::to_string(need.bytes) + " bytes", "none");
    if (view.byte_offset % need.alignment != 0)
        refuse(need, ".byte_offset", "a multiple of " + std::to_string(need.alignment),
               std::to_string(view.byte_offset));
    if (view.byte_offset > size || size - view.byte_offset < need.bytes)
        refuse(
            need, "",
            "at least " + std::to_string(need.bytes) + " bytes from byte " + std::to_string(view.byte_offset) + " on",
            "a buffer of " + std::to_string(size));
    return {view.buffer.impl().get(), view.byte_offset, view.byte_offset + need.bytes};
}

void refuse_overlap(const MemoryRange& a, const Need& a_need, const MemoryRange& b, const Need& b_need) {
    if (!a.overlaps(b)) return;
    throw InvalidProblem(a_need.full_name() + ": expected memory apart from " + b_need.full_name() + ", got bytes " +
                         std::to_string(a.first) + " to " + std::to_string(a.last) + " and " + std::to_string(b.first) +
                         " to " + std::to_string(b.last) + " of one buffer");
}

void refuse_overlap(const MemoryRanges& a, const Need& a_need, const MemoryRanges& b, const Need& b_need) {
    for (const MemoryRange& one : a)
        for (const MemoryRange& other : b) refuse_overlap(one, a_need, other, b_need);
}

void refuse_overlap_within(const MemoryRanges& parts, const Need& need) {
    for (std::size_t i = 0; i < parts.count(); ++i)
        for (std::size_t k = 0; k < i; ++k) refuse_overlap(parts[i], need, parts[k], need);
}

}  // namespace seiche::api
