// The two halves of a convolution's launches.
#pragma once

#include "planner/lower/lowering.hpp"

namespace seiche::planner {

/// The way to the spectrum and the product; gives where that lies.
Place to_product(Lowering& l, const ConvolutionDesign& design);
/// The way from a product that lies at `start` to the result.
void from_product(Lowering& l, const ConvolutionDesign& design, const Place& start);

}  // namespace seiche::planner
