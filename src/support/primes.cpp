// Primality by Miller and Rabin (bases proved sufficient for 64 bits by Sorenson and Webster, 2015), factors by trial
// division and Pollard's rho method (A Monte Carlo method for factorization, 1975).
#include "support/primes.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <numeric>
#include <string>
#include <utility>

#include "seiche/error.hpp"

namespace seiche::support {

namespace {

constexpr std::uint64_t witnesses[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
constexpr std::uint64_t trial_limit = 1024;

bool passes_miller_rabin(std::uint64_t n, std::uint64_t base) {
    const int twos = __builtin_ctzll(n - 1);
    std::uint64_t x = power_mod(base, (n - 1) >> twos, n);
    if (x == 1 || x == n - 1) return true;
    for (int i = 1; i < twos; ++i) {
        x = multiply_mod(x, x, n);
        if (x == n - 1) return true;
    }
    return false;
}

/// A proper factor of an odd composite n.
std::uint64_t pollard_rho(std::uint64_t n) {
    for (std::uint64_t c = 1;; ++c) {
        const auto step = [n, c](std::uint64_t x) {
            return static_cast<std::uint64_t>((static_cast<u128>(x) * x + c) % n);
        };
        std::uint64_t slow = 2, fast = 2, divisor = 1;
        while (divisor == 1) {
            slow = step(slow);
            fast = step(step(fast));
            divisor = std::gcd(slow > fast ? slow - fast : fast - slow, n);
        }
        if (divisor != n) return divisor;
    }
}

void append_large_factors(std::uint64_t n, std::vector<std::uint64_t>& factors) {
    if (n == 1) return;
    if (is_prime(n)) {
        factors.push_back(n);
        return;
    }
    const std::uint64_t divisor = pollard_rho(n);
    append_large_factors(divisor, factors);
    append_large_factors(n / divisor, factors);
}

}  // namespace

std::uint64_t multiply_mod(std::uint64_t a, std::uint64_t b, std::uint64_t m) {
    return static_cast<std::uint64_t>(static_cast<u128>(a) * b % m);
}

std::uint64_t power_mod(std::uint64_t a, std::uint64_t e, std::uint64_t m) {
    std::uint64_t result = 1 % m;
    for (a %= m; e != 0; e >>= 1) {
        if (e & 1) result = multiply_mod(result, a, m);
        a = multiply_mod(a, a, m);
    }
    return result;
}

std::uint64_t inverse_mod(std::uint64_t a, std::uint64_t m) {
    // Euclid, keeping the cofactor of a modulo m.
    std::uint64_t r0 = m, r1 = a % m, x0 = 0, x1 = 1 % m;
    while (r1 != 0) {
        const std::uint64_t q = r0 / r1;
        const std::uint64_t product = multiply_mod(q, x1, m);
        const std::uint64_t x2 = x0 >= product ? x0 - product : x0 + (m - product);
        r0 = std::exchange(r1, r0 - q * r1);
        x0 = std::exchange(x1, x2);
    }
    if (r0 != 1)
        throw InternalError("inverse_mod: expected coprime numbers, got " + std::to_string(a) + " modulo " +
                            std::to_string(m));
    return x0 % m;
}

bool is_prime(std::uint64_t n) {
    if (n < 2) return false;
    for (const std::uint64_t p : witnesses)
        if (n % p == 0) return n == p;
    return std::all_of(std::begin(witnesses), std::end(witnesses),
                       [n](std::uint64_t base) { return passes_miller_rabin(n, base); });
}

std::vector<std::uint64_t> prime_factors(std::uint64_t n) {
    std::vector<std::uint64_t> factors;
    if (n == 0) return factors;
    for (std::uint64_t p = 2; p < trial_limit && p * p <= n; p += p == 2 ? 1 : 2)
        for (; n % p == 0; n /= p) factors.push_back(p);
    append_large_factors(n, factors);
    std::sort(factors.begin(), factors.end());
    return factors;
}

std::vector<PrimePower> factorise(std::uint64_t n) {
    std::vector<PrimePower> powers;
    for (const std::uint64_t p : prime_factors(n)) {
        if (powers.empty() || powers.back().prime != p)
            powers.push_back({p, 1});
        else
            ++powers.back().exponent;
    }
    return powers;
}

bool is_smooth(std::uint64_t n, std::uint64_t largest) {
    if (n == 0) return false;
    for (std::uint64_t p = 2; p <= largest && n > 1; p += p == 2 ? 1 : 2)
        while (n % p == 0) n /= p;
    return n == 1;
}

namespace {

constexpr std::uint64_t odd_primes[] = {13, 11, 7, 5, 3};

/// Tries every product of odd primes below `best`, completed by the power of two that it needs to reach n.
void search_smooth(std::uint64_t n, std::uint64_t product, std::size_t prime, std::uint64_t& best) {
    if (prime == std::size(odd_primes)) {
        const std::uint64_t need = (n - 1) / product + 1;
        const u128 candidate = static_cast<u128>(product) * next_power_of_two(need);
        if (candidate < best) best = static_cast<std::uint64_t>(candidate);
        return;
    }
    for (u128 p = product; p < best; p *= odd_primes[prime])
        search_smooth(n, static_cast<std::uint64_t>(p), prime + 1, best);
}

}  // namespace

std::uint64_t next_smooth(std::uint64_t n) {
    if (is_smooth(n)) return n;
    std::uint64_t best = next_power_of_two(n);
    search_smooth(n, 1, 0, best);
    return best;
}

std::uint64_t next_power_of_two(std::uint64_t n) { return std::bit_ceil(n); }

std::uint64_t primitive_root(std::uint64_t p) {
    if (p == 2) return 1;
    if (!is_prime(p)) throw InternalError("primitive_root: expected a prime, got " + std::to_string(p));
    const std::vector<PrimePower> powers = factorise(p - 1);
    for (std::uint64_t g = 2;; ++g) {
        const bool generates = std::all_of(powers.begin(), powers.end(), [g, p](const PrimePower& q) {
            return power_mod(g, (p - 1) / q.prime, p) != 1;
        });
        if (generates) return g;
    }
}

}  // namespace seiche::support
