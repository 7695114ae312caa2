// Threads that sleep until there is work. What they share is a few counters; nothing is locked and nothing is allocated
// once they run.
#include "runtime/cpu/threads.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <system_error>
#include <thread>

#include "runtime/library.hpp"
#include "runtime/process.hpp"
#include "runtime/system.hpp"
#include "seiche/error.hpp"
#include "support/text.hpp"

namespace seiche::runtime::cpu {

namespace {

/// Waking a sleeping thread takes longer than this, and most programs launch again within it.
constexpr std::chrono::microseconds spinning_time{20};
/// A cache line, and the one that processors fetch along with it.
constexpr std::size_t apart = 128;

void rest() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#else
    std::this_thread::yield();
#endif
}

/// Looks again and again for spinning_time; whether `is_there()` came true.
template <class Condition>
bool spin_until(const Condition& is_there) {
    constexpr int looks_at_clock = 32;
    const auto end = std::chrono::steady_clock::now() + spinning_time;
    do {
        for (int i = 0; i < looks_at_clock; ++i) {
            if (is_there()) return true;
            rest();
        }
    } while (std::chrono::steady_clock::now() < end);
    return is_there();
}

/// One launch at a time has the helpers. It opens the gate; a helper that comes through the open gate is counted and
/// works until no piece is left; then the launch shuts the gate and waits until those counted have gone. A helper that
/// comes too late finds it shut and touches nothing else, so that what a launch borrows for its call is safe.
thread_local bool of_pool = false;

class Pool {
public:
    Pool() : forks_(fork_count()), processors_(allowed_processors()) {}

    unsigned forks() const { return forks_; }

    /// False, with nothing done, where another thread's work is under way or there is no helper.
    bool run(std::size_t pieces, const Work& work, unsigned threads) {
        if (is_busy_.exchange(true, std::memory_order_acquire)) return false;
        start(threads - 1);
        helpers_ = static_cast<std::uint32_t>(std::min<std::size_t>({threads - 1, started_, pieces - 1}));
        const bool has_helpers = helpers_ != 0;
        if (has_helpers) {
            work_ = &work;
            pieces_ = pieces;
            next_.store(0, std::memory_order_relaxed);
            spins_.store(processors_ > 1 && threads <= processors_, std::memory_order_relaxed);
            gate_.fetch_or(open, std::memory_order_release);
            wake();
            take_pieces();
            shut();
        }
        is_busy_.store(false, std::memory_order_release);
        return has_helpers;
    }

private:
    static constexpr std::uint32_t open = 1u << 31;

    /// Where the system gives no more, there are fewer.
    void start(unsigned wanted) {
        if (started_ >= wanted) return;
        try {
            keep_loaded();
            const QuietThread quiet;
            for (; started_ < wanted; ++started_) std::thread([this, seen = ticket_.load()] { serve(seen); }).detach();
        } catch (const std::system_error&) {
        } catch (const std::bad_alloc&) {
        }
    }

    void wake() {
        ticket_.fetch_add(1, std::memory_order_release);
        if (helpers_ == started_) return ticket_.notify_all();
        for (std::uint32_t i = 0; i < helpers_; ++i) ticket_.notify_one();
    }

    [[noreturn]] void serve(std::uint32_t seen) {
        of_pool = true;
        for (;;) {
            const auto is_called = [&] { return ticket_.load(std::memory_order_acquire) != seen; };
            if (!spins_.load(std::memory_order_relaxed) || !spin_until(is_called))
                ticket_.wait(seen, std::memory_order_acquire);
            seen = ticket_.load(std::memory_order_acquire);
            help();
        }
    }

    void help() {
        const std::uint32_t before = gate_.fetch_add(1, std::memory_order_acq_rel);
        // There may be more of them than this launch wants.
        if ((before & open) != 0 && (before & ~open) < helpers_) take_pieces();
        if (gate_.fetch_sub(1, std::memory_order_acq_rel) == 1) gate_.notify_all();
    }

    void take_pieces() {
        for (;;) {
            const std::size_t piece = next_.fetch_add(1, std::memory_order_relaxed);
            if (piece >= pieces_) return;
            (*work_)(piece);
        }
    }

    void shut() {
        gate_.fetch_and(~open, std::memory_order_acq_rel);
        const auto are_gone = [&] { return gate_.load(std::memory_order_acquire) == 0; };
        if (are_gone() || (spins_.load(std::memory_order_relaxed) && spin_until(are_gone))) return;
        for (std::uint32_t left = gate_.load(std::memory_order_acquire); left != 0;
             left = gate_.load(std::memory_order_acquire))
            gate_.wait(left, std::memory_order_acquire);
    }

    const unsigned forks_;
    const unsigned processors_;
    std::atomic<bool> is_busy_{false};
    std::atomic<bool> spins_{false};
    // Of the launch under way; changed only while the gate is shut and nobody is counted.
    const Work* work_ = nullptr;
    std::size_t pieces_ = 0;
    std::uint32_t helpers_ = 0;
    unsigned started_ = 0;
    alignas(apart) std::atomic<std::uint32_t> ticket_{0};  ///< Counts launches; helpers sleep on it.
    alignas(apart) std::atomic<std::uint32_t> gate_{0};    ///< `open`, and how many helpers are inside.
    alignas(apart) std::atomic<std::size_t> next_{0};      ///< The next piece.
};

/// This process's. A child of fork has none of its parent's threads, and begins anew. Pools are never freed: their
/// threads sleep in them until the process ends.
Pool& pool() {
    static std::atomic<Pool*> current{nullptr};
    Pool* found = current.load(std::memory_order_acquire);
    while (found == nullptr || found->forks() != fork_count()) {
        auto made = std::make_unique<Pool>();
        if (current.compare_exchange_strong(found, made.get(), std::memory_order_acq_rel)) found = made.release();
    }
    return *found;
}

/// 0: as many as default_threads() says.
std::atomic<unsigned> wanted_threads{0};

struct OwnParallelFor {
    std::mutex mutex;
    std::shared_ptr<const ParallelFor> function;
    std::atomic<bool> is_there{false};  ///< So that nobody locks where there is none.
};

OwnParallelFor& own() {
    static auto* const made = new OwnParallelFor;
    return *made;
}

std::shared_ptr<const ParallelFor> own_parallel_for() {
    if (!own().is_there.load(std::memory_order_acquire)) return nullptr;
    const std::lock_guard lock(own().mutex);
    return own().function;
}

/// In a piece that the caller's parallel_for runs: what is launched there stays in its thread.
thread_local bool is_inside = false;

void run_by(const ParallelFor& parallel_for, std::size_t pieces, const Work& work) {
    std::atomic<std::size_t> calls{0};
    parallel_for(pieces, [&](std::size_t piece) {
        if (piece >= pieces) return;
        is_inside = true;
        work(piece);
        is_inside = false;
        calls.fetch_add(1, std::memory_order_relaxed);
    });
    if (calls.load() != pieces)
        throw BackendError("cpu: the function that was given to set_parallel_for called " + std::to_string(calls) +
                           " pieces, expected each of " + std::to_string(pieces) + " once");
}

/// Of this process's affinity, which is asked for once: the answer is needed at every launch.
unsigned usual_threads() {
    static const unsigned threads = default_threads().value_or(std::min(allowed_processors(), most_threads));
    return threads;
}

}  // namespace

std::optional<unsigned> default_threads() {
    const std::string text = environment("SEICHE_CPU_THREADS");
    if (text.empty()) return std::min(allowed_processors(), most_threads);
    const auto number = support::parse_unsigned(text);
    if (!number || *number < 1 || *number > most_threads) return std::nullopt;
    return static_cast<unsigned>(*number);
}

unsigned threads_now() {
    const unsigned wanted = wanted_threads.load(std::memory_order_relaxed);
    return wanted != 0 ? wanted : usual_threads();
}

void set_threads(unsigned threads) { wanted_threads.store(std::min(threads, most_threads)); }

void set_parallel_for(ParallelFor parallel_for) {
    auto function = parallel_for ? std::make_shared<const ParallelFor>(std::move(parallel_for)) : nullptr;
    const std::lock_guard lock(own().mutex);
    own().function.swap(function);
    own().is_there.store(own().function != nullptr, std::memory_order_release);
}

void run_pieces(std::size_t pieces, const Work& work) {
    if (pieces > 1 && !is_inside) {
        if (const auto parallel_for = own_parallel_for()) return run_by(*parallel_for, pieces, work);
        const unsigned threads = threads_now();
        if (threads > 1 && pool().run(pieces, work, threads)) return;
    }
    for (std::size_t piece = 0; piece < pieces; ++piece) work(piece);
}

Division divide(std::uint64_t groups, std::uint64_t bytes, unsigned threads) {
    constexpr std::uint64_t few_bytes = std::uint64_t{64} << 10, pieces_of_thread = 4;
    if (groups <= 1 || threads <= 1 || bytes < few_bytes) return {groups, std::size_t{groups == 0 ? 0u : 1u}};
    Division division;
    division.groups_of_piece = std::max<std::uint64_t>(groups / (pieces_of_thread * threads), 1);
    division.pieces = static_cast<std::size_t>((groups - 1) / division.groups_of_piece + 1);
    return division;
}

bool is_of_pool() { return of_pool; }

}  // namespace seiche::runtime::cpu
