// Launches: arguments become addresses, groups are divided among threads.
#include "runtime/cpu/queue.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <string>
#include <vector>

#include "runtime/cpu/module.hpp"
#include "runtime/cpu/threads.hpp"
#include "runtime/library.hpp"
#include "seiche/error.hpp"
#include "support/of_thread.hpp"

namespace seiche::runtime::cpu {

namespace {

/// From here on a buffer has pages of its own, which the system zeroes where they are first touched.
constexpr std::uint64_t least_large = std::uint64_t{4} << 20;
/// Bytes that a thread copies before it takes more. Fewer are copied sooner than another thread wakes.
constexpr std::uint64_t copied_at_once = std::uint64_t{1} << 20;
/// From here on results go around the caches: with the input they are more than one program has of most last caches. A
/// virtual machine may say that it has the host's whole cache, so that the size it states is not asked. What the next
/// launch reads is worth keeping longer.
constexpr std::uint64_t least_streamed = std::uint64_t{16} << 20, least_streamed_and_read = std::uint64_t{64} << 20;

const CpuBuffer& own(const Buffer& buffer) {
    const auto* own = dynamic_cast<const CpuBuffer*>(&buffer);
    if (own == nullptr) throw InvalidProblem("cpu: the buffer belongs to another backend, expected one of this device");
    return *own;
}

std::byte* data_of(const Buffer& buffer, std::uint64_t offset, std::uint64_t bytes) {
    const CpuBuffer& mine = own(buffer);
    if (offset > mine.bytes() || bytes > mine.bytes() - offset)
        throw InvalidProblem("cpu: bytes " + std::to_string(offset) + " to " + std::to_string(offset + bytes) +
                             " are outside the buffer, which has " + std::to_string(mine.bytes()));
    return mine.data() + offset;
}

bool overlap(const std::byte* a, const std::byte* b, std::uint64_t bytes) {
    const auto from = reinterpret_cast<std::uintptr_t>(a), to = reinterpret_cast<std::uintptr_t>(b);
    return from < to ? to - from < bytes : from - to < bytes;
}

void copy_bytes(void* to, const void* from, std::uint64_t bytes) {
    if (bytes == 0) return;
    auto* const target = static_cast<std::byte*>(to);
    const auto* const source = static_cast<const std::byte*>(from);
    if (bytes < 2 * copied_at_once || overlap(source, target, bytes)) {
        std::memmove(target, source, bytes);
        return;
    }
    const auto copy = [&](std::size_t piece) {
        const std::uint64_t at = piece * copied_at_once;
        std::memcpy(target + at, source + at, std::min(copied_at_once, bytes - at));
    };
    run_pieces(static_cast<std::size_t>((bytes + copied_at_once - 1) / copied_at_once), Work(copy));
}

/// Asked for more than there can be, an allocator may end the process (a sanitizer's does).
bool is_beyond_host(std::uint64_t bytes) {
    const std::uint64_t all = bytes < least_large ? 0 : memory_limit();
    return all != 0 && bytes > all;
}

struct Scratch {
    AlignedBytes bytes;
    std::uint64_t has = 0;
    Scratch* next = nullptr;
};

/// Of a thread of the pool, which never ends: in a list of all, where a leak checker finds it.
Scratch* pool_scratch() {
    static std::atomic<Scratch*> all{nullptr};
    auto* const scratch = new (std::nothrow) Scratch;
    if (scratch == nullptr) return nullptr;
    scratch->next = all.load(std::memory_order_relaxed);
    while (!all.compare_exchange_weak(scratch->next, scratch, std::memory_order_release, std::memory_order_relaxed)) {
    }
    return scratch;
}

Scratch* scratch_object() {
    if (is_of_pool()) {
        thread_local Scratch* kept = nullptr;
        if (kept == nullptr) kept = pool_scratch();
        return kept;
    }
    return &support::of_thread<Scratch, struct ScratchOfThread>();
}

/// A thread's own for the kernels that it runs, kept for the next; null if there is no memory for it.
std::byte* scratch_of_thread(std::uint64_t bytes) {
    Scratch* const scratch = scratch_object();
    if (scratch == nullptr || bytes <= scratch->has) return scratch == nullptr ? nullptr : scratch->bytes.get();
    if (is_beyond_host(bytes)) return nullptr;
    scratch->bytes.reset();
    scratch->has = 0;
    scratch->bytes.reset(static_cast<std::byte*>(::operator new(bytes, alignment, std::nothrow)));
    if (scratch->bytes) scratch->has = bytes;
    return scratch->bytes.get();
}

/// The words that a kernel is called with.
class Arguments {
public:
    explicit Arguments(const Launch& launch) {
        const std::size_t count = launch.buffer_count + launch.scalar_count;
        if (count > few_.size()) many_.resize(count);
        words_ = count > few_.size() ? many_.data() : few_.data();
        for (std::size_t b = 0; b < launch.buffer_count; ++b) {
            const BufferArgument& argument = launch.buffers[b];
            words_[b] = reinterpret_cast<std::uintptr_t>(data_of(*argument.buffer, argument.byte_offset, 0));
            bytes_ += argument.buffer->bytes() - argument.byte_offset;
        }
        std::copy_n(launch.scalars, launch.scalar_count, words_ + launch.buffer_count);
    }
    const std::uint64_t* words() const { return words_; }
    std::uint64_t bytes() const { return bytes_; }  ///< That the kernel can touch at most.
    /// In place a line that is stored is in the cache already.
    bool are_in_place(std::size_t buffers) const {
        for (std::size_t b = 1; b < buffers; ++b)
            if (std::find(words_, words_ + b, words_[b]) != words_ + b) return true;
        return false;
    }

private:
    std::array<std::uint64_t, 48> few_;  ///< As many as nearly every kernel has: nothing is allocated.
    std::vector<std::uint64_t> many_;
    std::uint64_t* words_;
    std::uint64_t bytes_ = 0;
};

std::uint64_t count_groups(const Launch& launch) {
    const std::uint64_t plane = std::uint64_t{launch.groups[0]} * launch.groups[1];
    const std::uint64_t count = plane * launch.groups[2];
    if (launch.groups[2] != 0 && count / launch.groups[2] != plane)
        throw Unsupported("cpu: a launch of " + std::to_string(launch.groups[0]) + " x " +
                          std::to_string(launch.groups[1]) + " x " + std::to_string(launch.groups[2]) +
                          " groups, expected fewer than 2^64");
    return count;
}

[[noreturn]] void refuse_scratch(std::uint64_t bytes) {
    throw BackendError("cpu: the host has not enough memory for the " + std::to_string(bytes) +
                       " bytes that each thread of a kernel works in");
}

void run_alone(const CpuModule& module, emit::machine::Call& call) {
    call.shared = scratch_of_thread(module.shared_bytes());
    if (call.shared == nullptr && module.shared_bytes() != 0) refuse_scratch(module.shared_bytes());
    module.run(call);
}

/// Groups of one piece after the other, each with the scratch of the thread that runs it.
void run_divided(const CpuModule& module, const emit::machine::Call& whole, const Division& division) {
    std::atomic<bool> lacks_scratch{false};
    const auto run = [&](std::size_t piece) {
        emit::machine::Call call = whole;
        call.first = piece * division.groups_of_piece;
        call.last = std::min(call.first + division.groups_of_piece, whole.last);
        call.shared = scratch_of_thread(module.shared_bytes());
        if (call.shared == nullptr && module.shared_bytes() != 0)
            lacks_scratch.store(true, std::memory_order_relaxed);
        else
            module.run(call);
    };
    run_pieces(division.pieces, Work(run));
    if (lacks_scratch.load()) refuse_scratch(module.shared_bytes());
}

}  // namespace

CpuBuffer::CpuBuffer(std::uint64_t bytes) : bytes_(bytes) {
    const auto refuse = [&] {
        throw BackendError("cpu: the host has not enough memory for a buffer of " + std::to_string(bytes) + " bytes");
    };
    if (is_beyond_host(bytes)) refuse();
    if (bytes >= least_large) {
        large_ = Pages(bytes, true);
        data_ = large_.data();
        if (data_ == nullptr) refuse();
        return;
    }
    const std::uint64_t own = std::max<std::uint64_t>(bytes, 1);
    small_.reset(static_cast<std::byte*>(::operator new(own, alignment, std::nothrow)));
    data_ = small_.get();
    if (data_ == nullptr) refuse();
    std::memset(data_, 0, own);
}

void CpuQueue::upload(Buffer& to, std::uint64_t offset, const void* from, std::size_t bytes) {
    copy_bytes(data_of(to, offset, bytes), from, bytes);
}

void CpuQueue::download(void* to, Buffer& from, std::uint64_t offset, std::size_t bytes) {
    copy_bytes(to, data_of(from, offset, bytes), bytes);
}

void CpuQueue::copy(Buffer& to, std::uint64_t to_offset, Buffer& from, std::uint64_t from_offset, std::uint64_t bytes) {
    std::byte* const target = data_of(to, to_offset, bytes);
    copy_bytes(target, data_of(from, from_offset, bytes), bytes);
}

void CpuQueue::launch(const Launch& launch) {
    const auto* const module = dynamic_cast<const CpuModule*>(launch.module);
    if (module == nullptr)
        throw InvalidProblem("cpu: the plan belongs to another backend, expected one of this device");
    if (launch.image_count != 0) throw Unsupported("cpu: kernels of the processor take no images");
    const Arguments arguments(launch);
    emit::machine::Call call{};
    call.arguments = arguments.words();
    std::copy_n(launch.groups.begin(), 3, call.groups);
    call.last = count_groups(launch);
    call.functions = module->functions();
    if (call.last == 0) return;
    const bool is_large = launch.bytes_written >= (launch.is_read_next ? least_streamed_and_read : least_streamed);
    call.streams = is_large && !arguments.are_in_place(launch.buffer_count) ? 1 : 0;
    const Division division = divide(call.last, arguments.bytes(), call.last > 1 ? threads_now() : 1);
    if (division.pieces == 1) return run_alone(*module, call);
    run_divided(*module, call, division);
}

double CpuQueue::milliseconds(const Event& from, const Event& to) {
    const auto* const first = dynamic_cast<const CpuEvent*>(&from);
    const auto* const last = dynamic_cast<const CpuEvent*>(&to);
    if (first == nullptr || last == nullptr)
        throw InvalidProblem("cpu: the event belongs to another backend, expected one of this device");
    return std::chrono::duration<double, std::milli>(last->when - first->when).count();
}

}  // namespace seiche::runtime::cpu
