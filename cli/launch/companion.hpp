// Programs beside the tool that it runs as commands of its own, each of them kept apart for what it needs or links.
#pragma once

#include <string>
#include <vector>

#include "cli/command/command_line.hpp"

namespace seiche::cli {

/// Lists them in the help.
void add_companions(Command& app);

/// Where the first of the arguments names one, runs that program on the rest and returns true: `status` is its exit
/// status. Throws Failure, saying how to have it, where it isn't there.
bool run_companion(const std::vector<std::string>& arguments, int& status);

}  // namespace seiche::cli
