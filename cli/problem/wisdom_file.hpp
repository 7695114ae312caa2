// Wisdom in files.
#pragma once

#include <string>

#include "seiche/wisdom.hpp"

namespace seiche::cli {

/// Throws Failure that names the file, or InvalidProblem that names the line.
Wisdom read_wisdom(const std::string& path);
void write_wisdom(const std::string& path, const Wisdom& wisdom);

/// The device with what the wisdom has for it as a table (Wisdom::table), for problems that hold what was tuned.
Device with_table_of(const Wisdom& wisdom, const Device& device);

/// What it has for the problem on this device; else all is left to the cost model.
Tuning tuning_of(const Wisdom& wisdom, const DeviceInfo& device, const Problem& problem);

}  // namespace seiche::cli
