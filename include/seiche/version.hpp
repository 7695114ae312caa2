// The version of these headers, and of the library that was linked.
#pragma once

#include "seiche/version.h"

namespace seiche {

/// "0.1.0": of the library that runs, which may be newer than the headers.
const char* version() noexcept;

}  // namespace seiche
