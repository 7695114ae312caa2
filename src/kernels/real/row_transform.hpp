// One axis of a real-to-real kind in the registers of a thread.
#pragma once

#include <vector>

#include "kernels/real/real_map.hpp"

namespace seiche::kernels {

/// Transforms `x`, which has map.length real numbers, in natural order on both sides. Throws InternalError where an
/// index of the map is no constant.
std::vector<ir::Value> transform_row(Frame& frame, const RealMap& map, const std::vector<ir::Value>& x);

}  // namespace seiche::kernels
