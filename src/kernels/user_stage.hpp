// A user's stage inside a kernel: its parameters, and its application to a point.
#pragma once

#include "kernels/pointwise.hpp"

namespace seiche::kernels {

/// Passes a point through the stage. Of lanes each has its own: the stage is scalar. A point of padding becomes 0; a
/// stage without a result leaves the point as it is (`generate` drops its way to the output).
ir::Complex apply_user(Frame& frame, const UserProgram& user, ir::Complex x, const Place& place);

/// The user's stage of one side; null: none.
const UserProgram* user_stage(const std::vector<Stage>& stages);

}  // namespace seiche::kernels
