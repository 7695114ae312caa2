// The files a command was told to write, by what their names end in.
#pragma once

#include <string>
#include <vector>

namespace seiche::cli {

/// Names of the files of each kind, at least one in all.
struct Outputs {
    std::vector<std::string> all, png, csv, npy;
};

/// Throws UsageError for a name that ends in none of .png, .csv, .npy.
Outputs sort_outputs(const std::vector<std::string>& names);

}  // namespace seiche::cli
