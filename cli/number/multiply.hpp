// Products of integers of any size.
#pragma once

#include "cli/number/convolve.hpp"
#include "cli/number/digits.hpp"

namespace seiche::cli::number {

struct Product {
    Integer value;
    unsigned characters = 0;  ///< In a digit: its base is 10 or 16 to this power.
    Evidence evidence;
};

/// Digits as large as the proof allows, so that the transform is as short as can be. Checked modulo 2^61 - 1.
/// Throws Failure where even single characters are too many for a proof.
Product multiply(const Device& device, const Integer& a, const Integer& b, unsigned base);

}  // namespace seiche::cli::number
