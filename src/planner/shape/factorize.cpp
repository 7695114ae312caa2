// Factorisations of a length, found by exhaustive search over its few divisors.
#include "planner/shape/factorize.hpp"
#include "planner/model/cores.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "support/primes.hpp"

namespace seiche::planner {

namespace {

using Radices = std::vector<std::uint32_t>;

std::vector<std::uint32_t> divisors_up_to(std::uint64_t n, std::uint64_t limit) {
    std::vector<std::uint32_t> found;
    for (std::uint64_t d = 2; d <= std::min(n, limit); ++d) {
        if (n % d == 0) found.push_back(static_cast<std::uint32_t>(d));
    }
    return found;
}

bool is_radix(std::uint32_t r, std::uint32_t largest) {
    return r <= largest || (r <= largest_prime_radix && support::is_prime(r));
}

/// Falling sequences of divisors whose product is n; keeps the shortest, then the one with the smallest largest radix
/// and the largest smallest one.
struct RadixSearch {
    std::uint32_t largest = 16;
    Radices best;
    Radices present;

    bool is_better() const {
        if (best.empty() || present.size() != best.size()) return best.empty() || present.size() < best.size();
        if (present.front() != best.front()) return present.front() < best.front();
        return present.back() > best.back();
    }
    void search(std::uint32_t n, std::uint32_t last) {
        if (n == 1) {
            if (is_better()) best = present;
            return;
        }
        if (!best.empty() && present.size() + 1 > best.size()) return;
        for (std::uint32_t r = std::min(n, last); r >= 2; --r) {
            if (n % r != 0 || !is_radix(r, largest)) continue;
            present.push_back(r);
            search(n / r, r);
            present.pop_back();
        }
    }
};

bool stage_fills(std::uint32_t n, std::uint32_t r, std::uint32_t s, std::uint32_t lanes) {
    return n / r % lanes == 0 && (s % lanes == 0 || lanes % s == 0);
}

struct LaneSearch {
    std::uint32_t n;
    LaneQuestion question;
    Radices best, present;
    std::set<std::uint32_t> hopeless;

    bool fits(std::uint32_t r, std::uint32_t s, std::uint32_t behind) const {
        return is_radix(r, question.largest) && stage_fills(n, r, s, question.lanes) &&
               (!question.both_ways || stage_fills(n, r, behind, question.lanes));
    }

    /// False where no radices make up the rest, however the others were: s is n / rest.
    bool search(std::uint32_t rest, std::uint32_t s) {
        if (rest == 1) {
            const bool is_better = best.empty() || present.size() < best.size() ||
                                   (present.size() == best.size() && *std::max_element(present.begin(), present.end()) <
                                                                         *std::max_element(best.begin(), best.end()));
            if (is_better) best = present;
            return true;
        }
        if (!best.empty() && present.size() + 1 > best.size()) return true;
        if (hopeless.count(rest) != 0) return false;
        bool is_possible = false;
        for (std::uint32_t r = std::min(rest, std::max(question.largest, largest_prime_radix)); r >= 2; --r) {
            if (rest % r != 0 || !fits(r, s, rest / r)) continue;
            present.push_back(r);
            if (search(rest / r, s * r)) is_possible = true;
            present.pop_back();
        }
        if (!is_possible) hopeless.insert(rest);
        return is_possible;
    }
};

}  // namespace

Radices factor_into_radices(std::uint32_t n, std::uint32_t largest) {
    if (n == 1) return {1};
    RadixSearch search{largest, {}, {}};
    search.search(n, std::max(largest, largest_prime_radix));
    return search.best;
}

std::vector<Radices> factorizations(std::uint32_t n, std::uint32_t largest, std::size_t count) {
    std::vector<Radices> found;
    Radices present;
    const auto search = [&](const auto& again, std::uint32_t rest, std::uint32_t least) -> void {
        if (present.size() + 1 == count) {
            if (rest < least || rest > largest || (rest > cores::largest_tried_prime && support::is_prime(rest)))
                return;
            found.push_back(present);
            found.back().push_back(rest);
            return;
        }
        for (std::uint32_t r = least; r <= largest && r <= rest; ++r) {
            if (rest % r != 0 || (r > cores::largest_tried_prime && support::is_prime(r))) continue;
            present.push_back(r);
            again(again, rest / r, r);
            present.pop_back();
        }
    };
    search(search, n, 2);
    return found;
}

bool fills_lanes(std::uint32_t n, const Radices& radices, std::uint32_t lanes) {
    std::uint32_t s = 1;
    for (const std::uint32_t r : radices) {
        if (!stage_fills(n, r, s, lanes)) return false;
        s *= r;
    }
    return true;
}

Radices factor_for_lanes(std::uint32_t n, const LaneQuestion& question) {
    LaneSearch search{n, question, {}, {}, {}};
    search.search(n, 1);
    return search.best;
}

namespace {

/// At most `most` passes, the fewest; `divisors` rise, and those of n up to `limit` are among them.
std::vector<std::uint32_t> split(std::uint64_t n, std::uint32_t limit, int most,
                                 const std::vector<std::uint32_t>& divisors) {
    if (n <= limit) return {static_cast<std::uint32_t>(n)};
    for (int count = 2; count <= most; ++count) {
        const double even = std::pow(static_cast<double>(n), 1.0 / count);
        if (limit + 0.5 < even) continue;
        for (const std::uint32_t d : divisors) {
            if (d > limit) break;
            if (d + 0.5 < even || n % d != 0) continue;  // the longest pass is at least the even share
            std::vector<std::uint32_t> rest = split(n / d, d, count - 1, divisors);
            if (rest.empty()) continue;
            rest.insert(rest.begin(), d);
            return rest;  // divisors ascend: the first is the most even
        }
    }
    return {};
}

}  // namespace

std::vector<std::uint32_t> split_into_passes(std::uint64_t n, std::uint32_t limit) {
    constexpr int most_passes = 8;
    if (n <= limit) return {static_cast<std::uint32_t>(n)};
    if (!support::is_smooth(n, limit)) return {};
    return split(n, limit, most_passes, divisors_up_to(n, limit));
}

}  // namespace seiche::planner
