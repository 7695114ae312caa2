// The arguments of an execution, checked once.
#pragma once

#include "exec/executable.hpp"

namespace seiche::api {

/// The problem's batch for 0. Throws InvalidProblem for one that the problem does not allow.
std::uint64_t batch_or_default(const exec::Executable& executable, std::uint64_t batch);

/// Throws InvalidProblem that names the argument, the rule and the value. Allocates nothing where all is well.
exec::Arguments checked_arguments(const exec::Executable& executable, const Execution& execution);

/// What the executable's stages want, allocated and filled with nothing: for executions that only warm up.
void add_blank_stage_arguments(const exec::Executable& executable, Execution& execution);

}  // namespace seiche::api
