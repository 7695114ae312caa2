// The tool's own errors. Each is one line: what was expected, what came.
#pragma once

#include <stdexcept>
#include <string>

namespace seiche::cli {

/// The command cannot do its work: exit status 1.
struct Failure : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The command line itself makes no sense: exit status 2.
struct UsageError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace seiche::cli
