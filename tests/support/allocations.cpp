// The operators that count. The forms for arrays, and those that do not throw, call these.
#include "allocations.hpp"

#include <cstdlib>
#include <new>

namespace seiche::test {

namespace {

thread_local bool counts = false;
thread_local std::size_t counted = 0;

void* take_note(void* memory) {
    if (memory == nullptr) throw std::bad_alloc();
    if (counts) ++counted;
    return memory;
}

}  // namespace

Counting::Counting(bool is_on) : before_(counts) { counts = is_on; }
Counting::~Counting() { counts = before_; }

std::size_t counted_allocations() { return counted; }

}  // namespace seiche::test

using seiche::test::take_note;

void* operator new(std::size_t bytes) { return take_note(std::malloc(bytes != 0 ? bytes : 1)); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
    const auto step = static_cast<std::size_t>(alignment);
    return take_note(std::aligned_alloc(step, (bytes + step - 1) / step * step));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
