// The threads that kernels and large copies run on: one pool for the process, or the caller's own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace seiche::runtime::cpu {

constexpr unsigned most_threads = 1024;

/// What SEICHE_CPU_THREADS says, else the processors that this process may use; nothing where the variable is no number
/// from 1 to most_threads.
std::optional<unsigned> default_threads();

/// Those that work is divided among now, the calling thread among them, as far as the system gives them.
unsigned threads_now();

/// From the next work on. 1: the calling thread alone; 0: default_threads() again, or all
/// processors where that is nothing.
void set_threads(unsigned threads);

/// As seiche::cpu::ParallelFor.
using ParallelFor = std::function<void(std::size_t, const std::function<void(std::size_t)>&)>;
/// What work is divided by from now on; empty: the pool.
void set_parallel_for(ParallelFor parallel_for);

/// A body that takes the number of a piece, borrowed for a call. It throws nothing.
class Work {
public:
    template <class Body>
    explicit Work(const Body& body)
        : body_(&body), call_([](const void* b, std::size_t i) { (*static_cast<const Body*>(b))(i); }) {}
    void operator()(std::size_t piece) const { call_(body_, piece); }

private:
    const void* body_;
    void (*call_)(const void*, std::size_t);
};

/// Calls work(i) once for each i below `pieces` and returns when all are done. The calling thread works too, together
/// with the pool's threads, which take a piece after the other; where the pool works for another thread, or this is a
/// piece of other work, the calling thread is alone. Throws what the caller's parallel_for throws, and BackendError
/// where that did not call each piece once.
void run_pieces(std::size_t pieces, const Work& work);

/// Whether the calling thread is one of the pool's, which live as long as the process.
bool is_of_pool();

/// How so many groups are divided.
struct Division {
    std::uint64_t groups_of_piece = 1;
    std::size_t pieces = 1;
};
/// About four pieces for each thread, so that none waits long for the last. Work on few bytes is one piece: other
/// threads would come too late. `bytes`: those that it may touch.
Division divide(std::uint64_t groups, std::uint64_t bytes, unsigned threads);

}  // namespace seiche::runtime::cpu
