// Variables that choose a program, a library or a device.
#pragma once

#include <string>

namespace seiche::cli {

/// The value of an environment variable, UTF-8; empty if it is not set, and in a program with more rights than whoever
/// started it (setuid, setgid, file capabilities), for which the caller's variables must choose nothing. All variables
/// are read here.
std::string environment(const char* name);

}  // namespace seiche::cli
