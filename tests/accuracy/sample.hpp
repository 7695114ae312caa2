// The seeded sample of problems that the checker runs every day, and the full sweep.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "seiche/problem.hpp"

namespace seiche::accuracy {

/// SEICHE_TEST_SEED, else a fixed number.
std::uint64_t sample_seed();
/// True where SEICHE_TEST_FULL=1.
bool full_sweep();

struct SampleLimits {
    std::uint64_t every_length_to = 128;  ///< All lengths up to here.
    std::uint64_t short_lengths = 40;     ///< Random ones from there to 4096.
    std::uint64_t long_lengths = 10;      ///< Random ones from 4097 to `longest`.
    std::uint64_t longest = 1ull << 20;
    std::uint64_t points = 1ull << 18;  ///< Most points of all transforms of one case together (or one transform).
};

/// Dense one-dimensional problems of these classes, one for each length; placement and scale at random.
std::vector<Problem> length_sample(const SampleLimits& limits, Precision precision, std::mt19937_64& random);
/// Problems of rank 1 to 4 with random axes, strides, distances, offsets, placement and scales.
std::vector<Problem> layout_sample(std::size_t count, Precision precision, std::mt19937_64& random);
/// Complex arrays that are planar, or stored in another type than the arithmetic's, or both.
std::vector<Problem> memory_sample(std::size_t count, Precision precision, std::mt19937_64& random);

/// dct1 ... dst4.
const std::vector<Kind>& trigonometric_kinds();
/// Dense one-dimensional problems of each of the kinds: a class of lengths as in `length_sample`, but only those to 64
/// are all there.
std::vector<Problem> kind_length_sample(const std::vector<Kind>& kinds, const SampleLimits& limits, Precision precision,
                                        std::mt19937_64& random);
/// r2c and c2r of rank 1 to 4 with any axis halved; dense, strided, and in place.
std::vector<Problem> halved_layout_sample(std::size_t count, Precision precision, std::mt19937_64& random);
/// Real-to-real problems of rank 1 to 4, one kind or one for each axis, some orthonormal, laid out at random.
std::vector<Problem> real_layout_sample(std::size_t count, Precision precision, std::mt19937_64& random);

}  // namespace seiche::accuracy
