// The files a command was told to write, by what their names end in.
#pragma once

#include <string>
#include <vector>

#include "cli/io/file_kind.hpp"

namespace seiche::cli {

/// Names of the files of each kind, at least one in all.
struct Outputs {
    std::vector<std::string> all, png, csv, npy;
};

/// "-" is a picture, "csv:-" and "npy:-" are the others. Throws UsageError for a name that ends in none of .png, .csv,
/// .npy.
Outputs sort_outputs(const std::vector<std::string>& names);

/// What the name of a command's output ends in: of a sound .wav, of a picture one of those that can be written, of an
/// array .npy, which `or_array` allows for the others too. "-" stands for .wav, .png and .npy. Throws UsageError for
/// another.
std::string output_kind(const std::string& name, io::FileKind kind, bool or_array = false);

}  // namespace seiche::cli
