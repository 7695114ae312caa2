// A user's stage inside a kernel: its parameters, and its application to a point.
#pragma once

#include "kernels/contract/parameters.hpp"
#include "kernels/pointwise.hpp"

namespace seiche::kernels {

/// Passes a point through the stage. Of lanes each has its own: the stage is scalar. A point of padding becomes 0; a
/// stage without a result leaves the point as it is (`generate` drops its way to the output).
ir::Complex apply_user(Frame& frame, const UserProgram& user, ir::Complex x, const Place& place);

/// True if anything is done to the points of the side.
bool has_point_stages(const std::vector<Stage>& stages);

/// An element of the array of a real map: u32 scalars. In a pass without a core `sequence` counts its items.
struct MappedElement {
    ir::Value index;  ///< Along the axis.
    ir::Value sequence;
    ir::Value exists;  ///< False where there is no such element, or pruning leaves it out; empty: always there.
};
/// Passes an element on its way in or out through the user's stage, if there is one. Real numbers have an empty
/// imaginary part. What does not exist is 0 on load.
ir::Complex apply_to_element(Frame& frame, const std::vector<Stage>& stages, const MappedElement& element,
                             ir::Complex x);

/// A number of register-resident rows: its index along each axis, u32, and the plane or cube.
struct RowNumber {
    std::vector<ir::Value> along;
    ir::Value sequence;
    ir::Value exists;
};
/// The same of such a number. Of a stage's indices the loops beyond the kernel's are the rows' axes.
ir::Value apply_to_number(Frame& frame, const std::vector<Stage>& stages, const RowNumber& number, ir::Value x);

}  // namespace seiche::kernels
