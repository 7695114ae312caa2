// Memory of the host, aligned for any processor's vectors; FFTW's own allocation functions give the same.
#pragma once

#include <cstddef>
#include <memory>

#include "precision.hpp"

namespace seiche_fftw {

/// At least one byte, aligned to 64. Null where there is not so much. Given back by std::free.
void* allocate(std::size_t bytes);

/// Room for reals; ends the process with a line where there is not so much memory, as an execution cannot fail.
class HostReals {
public:
    HostReals() = default;
    explicit HostReals(std::size_t count);
    Real* get() const { return memory_.get(); }

private:
    struct Free {
        void operator()(Real* memory) const;
    };
    std::unique_ptr<Real, Free> memory_;
};

/// An execution of FFTW's interface cannot say that it failed, and results that are none must not look like some.
[[noreturn]] void fail_execution(const char* why);

}  // namespace seiche_fftw
