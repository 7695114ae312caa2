// The printer: a kernel as text for people and golden tests.
#pragma once

#include <string>

#include "ir/kernel.hpp"

namespace seiche::ir {

std::string print(const Kernel& kernel);
std::string to_string(Type type);

}  // namespace seiche::ir
