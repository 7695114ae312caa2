// Random transforms over several ranks, and whether each rank has the part of the result that one device computes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "seiche/distributed/communicator.hpp"
#include "seiche/distributed/plan.hpp"
#include "seiche/problem.hpp"

namespace seiche::distributed::test {

/// SplitMix64: the same numbers in every process.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    std::uint64_t bits();
    std::uint64_t below(std::uint64_t n) { return bits() % n; }
    bool once_in(std::uint64_t n) { return below(n) == 0; }
    /// From -1 to 1.
    double number() { return static_cast<double>(bits() >> 11) * 0x1p-52 - 1; }

private:
    std::uint64_t state_;
};

struct Case {
    Problem problem;
    Boxes boxes;
    DistributedOptions options;
    std::optional<Direction> direction;
    std::uint64_t seed = 0;
    bool is_against_double = false;  ///< Compared with the transform in f64.

    std::string text() const;
};

/// The case of this seed, the same on all ranks.
Case random_case(std::uint64_t seed, int ranks);

/// A case of which the longest axis is two axes (Decomposition::four_step), or may be.
Case random_line(std::uint64_t seed, int ranks);

/// Any boxes: cut again and again at random places, some of them empty.
std::vector<Box> random_boxes(Random& random, const std::vector<std::uint64_t>& lengths, int ranks);

/// What is wrong on this rank after the case has run on all ranks; empty if nothing is.
std::string fault(const Device& device, const Case& one, const std::shared_ptr<Communicator>& communicator);

}  // namespace seiche::distributed::test
