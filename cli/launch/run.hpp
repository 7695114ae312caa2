// `seiche run`: another program, with Seiche's libraries in place of those that it was written for.
#pragma once

#include <string>
#include <vector>

#include "cli/command/command_line.hpp"

namespace seiche::cli {

/// Of `run --cufft PROGRAM ARGUMENTS...` the program and its arguments, which are no words of ours, taken out of
/// `arguments`. None of any other command.
std::vector<std::string> take_program_of_run(std::vector<std::string>& arguments);

/// `status` gets the program's exit status where it was not started in place of this one.
void add_run(Command& app, const std::vector<std::string>& program, int& status);

}  // namespace seiche::cli
