// Allocation, and the end of a process that cannot go on.
#include "memory.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>

namespace seiche_fftw {

namespace {

constexpr std::size_t alignment = 64;

}  // namespace

void* allocate(std::size_t bytes) {
    if (bytes > std::numeric_limits<std::size_t>::max() - alignment) return nullptr;
    const std::size_t whole = (bytes + alignment - 1) / alignment * alignment;
    return std::aligned_alloc(alignment, whole == 0 ? alignment : whole);
}

HostReals::HostReals(std::size_t count)
    : memory_(count > SIZE_MAX / sizeof(Real) ? nullptr : static_cast<Real*>(allocate(count * sizeof(Real)))) {
    if (!memory_) fail_execution("the host has not enough memory for a copy of the array");
}

void HostReals::Free::operator()(Real* memory) const { std::free(memory); }

void fail_execution(const char* why) {
    std::fprintf(stderr, "seiche (%s): the execution of a plan failed: %s\n", library_file, why);
    std::abort();
}

}  // namespace seiche_fftw
