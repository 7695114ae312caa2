// Three properties that define a Fourier transform (Ergün, Testing multivariate linear functions, 1995, as in FFTW),
// and two promises of the library about neighbours in a batch. They need no judge.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "seiche/device.hpp"
#include "seiche/plan.hpp"

namespace seiche::accuracy {

struct PropertyCase {
    std::uint64_t length = 1;
    Precision precision = Precision::f32;
    Direction direction = Direction::forward;
    std::uint64_t seed = 1;
};

// Each returns one line for each violation.
std::vector<std::string> check_impulse(const Device& device, const PropertyCase& c);
std::vector<std::string> check_linearity(const Device& device, const PropertyCase& c);
std::vector<std::string> check_time_shift(const Device& device, const PropertyCase& c);
/// A NaN and an infinity in two transforms of a batch leave every bit of the others as it was.
std::vector<std::string> check_isolation(const Device& device, const PropertyCase& c);
/// The same data gives the same bits in every place of every batch.
std::vector<std::string> check_batch_independence(const Device& device, const PropertyCase& c);

}  // namespace seiche::accuracy
