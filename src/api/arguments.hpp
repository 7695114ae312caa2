// The arguments of an execution, checked once.
#pragma once

#include <optional>

#include "exec/executable.hpp"

namespace seiche::api {

/// The problem's batch for none; 0 where arrays have no elements. Throws InvalidProblem for one that the problem does
/// not allow.
std::uint64_t batch_or_default(const exec::Executable& executable, std::optional<std::uint64_t> batch);

/// The direction of the planned kinds: for none the plan's only one, or forward. Throws InvalidProblem for one that the
/// plan does not have.
Direction planned_direction(const exec::Executable& executable, std::optional<Direction> direction);

/// With a batch of 0 nothing else is looked at but the direction. Throws InvalidProblem that names the argument, the
/// rule and the value. Allocates nothing where all is well.
exec::Arguments checked_arguments(const exec::Executable& executable, const Execution& execution);

/// What the executable's stages want, allocated and filled with nothing: for executions that only warm up.
void add_blank_stage_arguments(const exec::Executable& executable, Execution& execution);

}  // namespace seiche::api
