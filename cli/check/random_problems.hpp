// Problems of every kind, drawn at random, and the classes that results are grouped by.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "seiche/problem.hpp"

namespace seiche::cli {

struct DrawLimits {
    std::uint64_t points = 1u << 18;  ///< Most elements of an array times the batch, padding apart.
    bool fp64 = true;
    std::vector<Kind> kinds;  ///< Those to draw from; none: c2c.
};

/// The problem of number `index` in the sequence that `seed` starts.
Problem draw_problem(std::uint64_t seed, std::uint64_t index, const DrawLimits& limits);

/// "1-D power of two", "1-D smooth", "1-D Bluestein", "n-D", "n-D Bluestein" by the transformed lengths; of a real kind
/// with its name ("mixed" for several) before.
std::string class_of(const Problem& problem);

}  // namespace seiche::cli
