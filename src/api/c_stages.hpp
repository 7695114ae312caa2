// Stages and their arguments in C: from C to C++, and the other way round.
#pragma once

#include <cstddef>
#include <vector>

#include "seiche/plan.hpp"
#include "seiche/seiche.h"
#include "seiche/stage.hpp"

namespace seiche::api {

/// None for NULL. Throws InvalidProblem, naming `name`, for what makes no sense.
UserStage stage_of(const seiche_stage* given, const char* name);

/// Of an execution.
std::vector<StageBufferArgument> stage_buffers_of(const seiche_stage_memory* given, std::size_t count,
                                                  const char* name);
std::vector<StageScalarArgument> stage_scalars_of(const seiche_stage_value* given, std::size_t count, const char* name);

/// A stage in C whose texts belong to it.
struct OwnedStage {
    seiche_stage c = SEICHE_STAGE_INIT;
    UserStage stage;
    std::vector<seiche_stage_buffer> buffers;
    std::vector<seiche_stage_scalar> scalars;
    seiche_stage_function function = SEICHE_STAGE_FUNCTION_INIT;

    /// NULL for no stage.
    const seiche_stage* set(const UserStage& given);
};

}  // namespace seiche::api
