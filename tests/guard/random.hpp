// The guard's numbers: SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014). Its
// own, because any change here is another corpus; no distribution of the standard library, which each library has
// otherwise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>

namespace seiche::guard {

class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    std::uint64_t bits() {
        state_ += 0x9e3779b97f4a7c15ull;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        return z ^ (z >> 31);
    }
    /// From 0 to n - 1; n >= 1.
    std::uint64_t below(std::uint64_t n) { return bits() % n; }
    /// From least to most, both included.
    std::uint64_t within(std::uint64_t least, std::uint64_t most) { return least + below(most - least + 1); }
    /// True in so many of 100 cases.
    bool percent(std::uint64_t chance) { return below(100) < chance; }
    std::string of(std::initializer_list<const char*> list) { return list.begin()[below(list.size())]; }
    std::uint64_t of(std::initializer_list<std::uint64_t> list) { return list.begin()[below(list.size())]; }

private:
    std::uint64_t state_;
};

}  // namespace seiche::guard
