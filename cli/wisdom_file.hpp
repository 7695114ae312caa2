// Wisdom in files.
#pragma once

#include <string>

#include "seiche/wisdom.hpp"

namespace seiche::cli {

/// Throws Failure that names the file, or InvalidProblem that names the line.
Wisdom read_wisdom(const std::string& path);
void write_wisdom(const std::string& path, const Wisdom& wisdom);

}  // namespace seiche::cli
