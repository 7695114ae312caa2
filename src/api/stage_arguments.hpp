// What an execution gives the names of stages.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "api/memory_range.hpp"
#include "exec/executable.hpp"
#include "seiche/plan.hpp"

namespace seiche::api {

struct StageValues {
    const std::vector<StageBufferArgument>& buffers;
    const std::vector<StageScalarArgument>& scalars;
};

/// Throws InvalidProblem unless each name is there once, and one of these programs (null: none) declares it.
void check_names(const StageValues& given, std::span<const expression::Program* const> programs);

/// What a buffer must have.
Need need_of(const StageBuffer& declared);
/// The view of that name; an empty one where there is none.
const BufferView& view_of(const StageValues& given, const StageBuffer& declared);

/// The bits of the scalar of that name. Throws InvalidProblem where there is none, or its type does not hold it.
std::uint64_t bits_of(const StageValues& given, const StageScalar& declared);

}  // namespace seiche::api
