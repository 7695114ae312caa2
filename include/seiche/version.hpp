// The version of these headers, and of the library that was linked.
#pragma once

#include "seiche/version.h"
#include "seiche/visibility.h"

SEICHE_EXPORT_BEGIN
namespace seiche {

/// "0.2.0": of the library that runs, which may be newer than the headers.
const char* version() noexcept;

}  // namespace seiche
SEICHE_EXPORT_END
