// The exact product of two integer sequences, by transforms in double precision whose rounding is bounded by proof.
#pragma once

#include <cstdint>
#include <vector>

#include "cli/device/device_transform.hpp"
#include "seiche/device.hpp"

namespace seiche::cli::number {

/// Throws Failure if the device has no double precision.
void require_double(const Device& device);

/// A product that has a proof: the transform's length and the bound of its rounding, which is below 1/2.
struct Proof {
    unsigned log2_n = 0;
    double bound = 0;
    bool holds() const { return bound < 0.5; }
};

/// The proof for these sequences, neither of them empty.
Proof prove(const std::vector<std::int32_t>& x, const std::vector<std::int32_t>& y);

/// What was proven of a product, and what came.
struct Evidence {
    Proof proof;
    double distance = 0;  ///< The largest distance of a computed value from the integer it became.
    TransformFigures figures;
};

struct Convolution {
    std::vector<std::int64_t> values;  ///< sum over i + j = k of x[i] y[j], for all k
    Evidence evidence;
};

/// `proof` must be that of x and y, and hold. Throws Failure if a value is farther from an integer than was proven:
/// then the device computes wrongly.
Convolution convolve(const Device& device, const std::vector<std::int32_t>& x, const std::vector<std::int32_t>& y,
                     const Proof& proof);

}  // namespace seiche::cli::number
