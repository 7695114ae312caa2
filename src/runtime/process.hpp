// The process that a driver's objects belong to. A child that fork makes has the parent's objects, but not the threads
// and the connections that the driver has behind them.
#pragma once

#include <atomic>
#include <memory>
#include <utility>

namespace seiche::runtime {

extern std::atomic<unsigned> forks_so_far;

/// How many forks lie between the process that loaded this library and this one. Costs one load.
inline unsigned fork_count() { return forks_so_far.load(std::memory_order_relaxed); }

/// From now on the library that this code is in, or the plugin that holds it, stays loaded until the process ends, even
/// if its owner closes it: drivers have threads in it, and what the library keeps for the process would be lost.
void keep_loaded();

/// What works only in the process that made it.
class OfProcess {
public:
    OfProcess(const OfProcess&) = delete;
    OfProcess& operator=(const OfProcess&) = delete;
    /// True where there is no driver.
    virtual bool survives_fork() const { return false; }
    /// Throws BackendError in a child that fork made. `what`: "the queue".
    void expect_own_process(const char* what) const {
        if (forks_ != fork_count() && !survives_fork()) refuse(what);
    }

protected:
    OfProcess() : forks_(fork_count()) {}
    virtual ~OfProcess() = default;

private:
    [[noreturn]] static void refuse(const char* what);

    unsigned forks_;
};

/// Destroys an object in the process that made it. In a child that fork made it stays: giving it up would call the
/// driver, which may never answer there.
class OwnProcessDeleter {
public:
    template <class T>
    void operator()(T* object) const {
        if (forks_ == fork_count()) delete object;
    }

private:
    unsigned forks_ = fork_count();
};

/// As std::make_shared, for what a driver stands behind.
template <class T, class... Arguments>
std::shared_ptr<T> make_owned(Arguments&&... arguments) {
    return std::shared_ptr<T>(new T(std::forward<Arguments>(arguments)...), OwnProcessDeleter());
}

}  // namespace seiche::runtime
