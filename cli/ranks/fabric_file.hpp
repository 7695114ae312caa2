// Fabrics in files.
#pragma once

#include <string>

#include "seiche/distributed/fabric.hpp"

namespace seiche::cli {

/// Throws Failure, which names the file.
distributed::Fabric read_fabric(const std::string& path);
void write_fabric(const std::string& path, const distributed::Fabric& fabric);

}  // namespace seiche::cli
