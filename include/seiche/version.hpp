// The version of these headers, and of the library that was linked.
#pragma once

#define SEICHE_VERSION_MAJOR 0
#define SEICHE_VERSION_MINOR 1
#define SEICHE_VERSION_PATCH 0

namespace seiche {

/// "0.1.0": of the library that runs, which may be newer than the headers.
const char* version() noexcept;

}  // namespace seiche
