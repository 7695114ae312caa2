// The options that force what the cost model would choose.
#pragma once

#include "cli/commands.hpp"
#include "seiche/tuning.hpp"

namespace seiche::cli {

void add_tuning_options(CLI::App& command, Tuning& tuning);

}  // namespace seiche::cli
