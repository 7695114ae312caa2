// The workspace of one call on the processor, kept by its thread for the next one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

namespace seichefft {

/// Where the processor's kernels expect the start of an allocation.
inline constexpr std::size_t workspace_alignment = 64;

struct FreeAligned {
    void operator()(std::byte* memory) const { ::operator delete (memory, std::align_val_t{workspace_alignment}); }
};
using AlignedBytes = std::unique_ptr<std::byte, FreeAligned>;

inline AlignedBytes allocate_aligned(std::uint64_t bytes) {
    return AlignedBytes(static_cast<std::byte*>(::operator new (bytes, std::align_val_t{workspace_alignment})));
}

/// One call's; a thread has one of them at a time.
class Workspace {
public:
    explicit Workspace(std::uint64_t bytes) {
        if (bytes == 0) return;
        if (bytes > most_kept_bytes) {
            own_ = allocate_aligned(bytes);
            data_ = own_.get();
            return;
        }
        thread_local AlignedBytes kept;
        thread_local std::uint64_t kept_bytes = 0;
        if (bytes > kept_bytes) {
            kept_bytes = 0;
            kept = allocate_aligned(bytes);
            kept_bytes = bytes;
        }
        data_ = kept.get();
    }
    void* data() const { return data_; }

private:
    /// A thread keeps a workspace of up to so many bytes for its next call.
    static constexpr std::uint64_t most_kept_bytes = std::uint64_t{32} << 20;

    AlignedBytes own_;
    void* data_ = nullptr;
};

}  // namespace seichefft
