// The transform of an odd prime of points as a loop over its results.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "ir/builder.hpp"

namespace seiche::kernels {

/// What a thread has of a complex number: both parts, or one of them.
using Parts = std::vector<ir::Value>;

/// Whether a turn's pairs are twice as many (prime_in_loop).
bool doubles_pairs(std::uint32_t n);

/// Of x.size() points, an odd prime of them from 5 on: `take` has even and odd for each k of a pair k, n - k (u32),
/// whose results are even + i odd and even - i odd, `each` pairs in a turn of a loop, of n = 1 mod 4 twice as many;
/// some are taken twice where these are no multiple of them. `take_first`, ahead of the loop, has result 0. All of x is
/// read ahead of what is taken.
void prime_in_loop(ir::Builder& builder, const std::vector<Parts>& x, std::uint32_t each,
                   const std::function<void(ir::Value k, const Parts& even, const Parts& odd)>& take,
                   const std::function<void(const Parts& sum)>& take_first);

}  // namespace seiche::kernels
