// Counts what a thread allocates with `new`. A program that links allocations.cpp has the operators that count.
#pragma once

#include <cstddef>

namespace seiche::test {

/// Switches counting in this thread on or off for as long as it lives.
class Counting {
public:
    explicit Counting(bool is_on);
    ~Counting();
    Counting(const Counting&) = delete;
    Counting& operator=(const Counting&) = delete;

private:
    bool before_;
};

/// What this thread has counted since it began.
std::size_t counted_allocations();

template <class Body>
std::size_t allocations_of(const Body& body) {
    const std::size_t before = counted_allocations();
    {
        const Counting counting(true);
        body();
    }
    return counted_allocations() - before;
}

}  // namespace seiche::test
