// Factors of lengths and arithmetic modulo them, exact for every 64-bit number.
#pragma once

#include <cstdint>
#include <vector>

namespace seiche::support {

__extension__ typedef unsigned __int128 u128;

struct PrimePower {
    std::uint64_t prime = 2;
    std::uint32_t exponent = 1;
    bool operator==(const PrimePower&) const = default;
};

/// The prime powers of n, primes ascending; empty for 0 and 1.
std::vector<PrimePower> factorise(std::uint64_t n);
/// The prime factors of n, ascending, as often as they divide it.
std::vector<std::uint64_t> prime_factors(std::uint64_t n);
bool is_prime(std::uint64_t n);

/// True if n >= 1 has no prime factor beyond `largest`.
bool is_smooth(std::uint64_t n, std::uint64_t largest = 13);
/// The smallest m >= n whose prime factors are all <= 13. Needs 1 <= n <= 2^62.
std::uint64_t next_smooth(std::uint64_t n);
/// The smallest power of two >= n. Needs 1 <= n <= 2^63.
std::uint64_t next_power_of_two(std::uint64_t n);

/// a b mod m, a^e mod m; m >= 1.
std::uint64_t multiply_mod(std::uint64_t a, std::uint64_t b, std::uint64_t m);
std::uint64_t power_mod(std::uint64_t a, std::uint64_t e, std::uint64_t m);
/// The x in [0, m) with a x = 1 mod m; throws InternalError if a and m have a common factor.
std::uint64_t inverse_mod(std::uint64_t a, std::uint64_t m);
/// The smallest generator of the multiplicative group modulo the prime p.
std::uint64_t primitive_root(std::uint64_t p);

/// a b, or a + b, into `result`; false when it does not fit in 64 bits.
inline bool checked_multiply(std::uint64_t a, std::uint64_t b, std::uint64_t& result) {
    return !__builtin_mul_overflow(a, b, &result);
}
inline bool checked_add(std::uint64_t a, std::uint64_t b, std::uint64_t& result) {
    return !__builtin_add_overflow(a, b, &result);
}

}  // namespace seiche::support
