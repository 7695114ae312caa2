// Reproducible random numbers by index: the same on every machine, and cheap enough to fill gigabytes.
#pragma once

#include <cstdint>

namespace seiche::cli {

/// Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (2014).
inline std::uint64_t splitmix(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/// A sequence of random numbers.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(splitmix(seed)) {}
    std::uint64_t next() { return splitmix(state_++); }
    /// As so many calls of next().
    void skip(std::uint64_t count) { state_ += count; }
    /// In [0, n), n > 0.
    std::uint64_t below(std::uint64_t n) { return next() % n; }
    /// In [-1, 1), never 0, in steps that float and double hold exactly.
    template <class T>
    T value() {
        constexpr int bits = sizeof(T) == 4 ? 23 : 52;
        const auto odd = static_cast<std::int64_t>((next() >> (63 - bits)) | 1u);
        return static_cast<T>(odd - (std::int64_t{1} << bits)) / static_cast<T>(std::int64_t{1} << bits);
    }
    /// True in one of n cases.
    bool one_in(std::uint64_t n) { return below(n) == 0; }

private:
    std::uint64_t state_;
};

}  // namespace seiche::cli
