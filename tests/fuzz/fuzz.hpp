// Fuzzing: seeded inputs for a bounded time, of which each ends well or in a documented error within its time.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

#include "seiche/device.hpp"

namespace seiche::fuzz {

/// SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014): the same numbers
/// everywhere.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    std::uint64_t bits();
    /// From 0 to n - 1; n >= 1.
    std::uint64_t below(std::uint64_t n) { return bits() % n; }
    /// Once in n times.
    bool once_in(std::uint64_t n) { return below(n) == 0; }
    template <class T>
    const T& of(const std::vector<T>& list) {
        return list[static_cast<std::size_t>(below(list.size()))];
    }
    std::string of(std::initializer_list<const char*> list) { return list.begin()[below(list.size())]; }
    /// Of all sizes alike: 1 to `most_bits` bits, with powers of two, their neighbours and primes more often than
    /// others.
    std::uint64_t number(unsigned most_bits);

private:
    std::uint64_t state_;
};

/// One input: what it is, for the message if it fails, and its own seed.
class Case {
public:
    /// Call it before the input is tried: a crash prints the last one.
    void is(const std::string& what);
    /// A finding that is no error thrown: a wrong value.
    void fail(const std::string& message);

    Random random{0};
    bool failed = false;
    std::string what, message;
};

/// How much of a target is tried.
struct Budget {
    std::uint64_t cases = 0;       ///< At most, by default; SEICHE_FUZZ_SECONDS stretches it.
    double seconds_of_case = 1.0;  ///< Of the processor, that one may take in a release build.
};

/// Runs `one` on fresh cases until the budget is spent: SEICHE_FUZZ_SECONDS (default 3) or the count of cases. A case
/// may throw InvalidProblem, Unsupported and the tool's Failure and UsageError, with a message of one line; anything
/// else, and too long a time, fails the test and prints the seed. SEICHE_FUZZ_SEED is the first case's: with it that
/// case comes first again. A signal prints the case, too.
void run(const char* target, const Budget& budget, const std::function<void(Case&)>& one);

/// Some of: bytes replaced by telling ones, bits flipped, a piece cut out, doubled or moved, the end cut off.
std::string mutated(std::string bytes, Random& random);
/// The same of a text: words and numbers in it are exchanged for others too, at most `longest` characters.
std::string mutated_text(std::string text, Random& random, const std::vector<std::string>& words, std::size_t longest);

/// Every device that can be planned for here: the built-in profiles and the files in profiles/.
struct NamedLimits {
    std::string name;
    DeviceLimits limits;
};
const std::vector<NamedLimits>& all_limits();

/// A text in the grammar of problems (convolution: of these), of at most 200 characters; nearly all make sense by
/// themselves, not all together.
std::string problem_text(Random& random, unsigned most_bits);
std::string convolution_text(Random& random, unsigned most_bits);
/// Words of a tuning.
std::string tuning_text(Random& random);

}  // namespace seiche::fuzz
