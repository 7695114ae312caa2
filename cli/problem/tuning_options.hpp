// The options that force what the cost model would choose.
#pragma once

#include "cli/command/command_line.hpp"
#include "seiche/tuning.hpp"

namespace seiche::cli {

/// --recipe and --twiddles.
void add_recipe_options(Command& command, Tuning& tuning);
/// Those and what else forces a plan.
void add_tuning_options(Command& command, Tuning& tuning);

}  // namespace seiche::cli
