// The interpreter's lock, let go of while the library works.
#pragma once

#include <nanobind/nanobind.h>

namespace seichefft {

/// Lets go of the lock as long as it lives. When the interpreter ends, a thread that no one waits for (a daemon) does
/// not get the lock back, but sleeps until the process is gone: CPython before 3.14 would unwind its stack, which is an
/// abort in C++.
class WithoutLock {
public:
    WithoutLock() noexcept : state_(PyEval_SaveThread()) {}
    ~WithoutLock();
    WithoutLock(const WithoutLock&) = delete;
    WithoutLock& operator=(const WithoutLock&) = delete;

private:
    PyThreadState* state_;
};

/// Has the interpreter say when it ends. Called once, as the module is made.
void watch_the_end();

}  // namespace seichefft
