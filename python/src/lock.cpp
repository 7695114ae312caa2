#include "lock.hpp"

#include <atomic>
#include <chrono>
#include <thread>

namespace seichefft {
namespace {

/// Whether the interpreter ends, and the thread that ends it, which goes on to the last.
std::atomic<bool> is_ending{false};
std::thread::id ending_thread;
/// Threads that wait for the lock, having seen that the interpreter does not end.
std::atomic<int> waiting{0};

/// What the interpreter calls after it has waited for all threads that it waits for.
void begin_the_end() {
    ending_thread = std::this_thread::get_id();
    is_ending = true;
    // Those that were on their way get the lock while there is still one to get.
    PyThreadState* const state = PyEval_SaveThread();
    for (int tries = 0; waiting != 0 && tries < 1000; ++tries)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    PyEval_RestoreThread(state);
}

}  // namespace

WithoutLock::~WithoutLock() {
    ++waiting;
    if (is_ending && std::this_thread::get_id() != ending_thread) {
        --waiting;
        for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
    }
    PyEval_RestoreThread(state_);
    --waiting;
}

void watch_the_end() { nanobind::module_::import_("atexit").attr("register")(nanobind::cpp_function(&begin_the_end)); }

}  // namespace seichefft
