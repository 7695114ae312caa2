// The cache of compiled kernels on disk.
#pragma once

#include <cstdint>
#include <string>

#include "seiche/visibility.h"

SEICHE_EXPORT_BEGIN
namespace seiche {

struct CacheReport {
    /// SEICHE_CACHE_DIR, else $XDG_CACHE_HOME/seiche, else ~/.cache/seiche; on Windows %LOCALAPPDATA%\seiche.
    std::string folder;
    bool writable = false;  ///< If not (SEICHE_CACHE_DIR=/dev/null, say), kernels are compiled anew in each process.
    std::uint64_t entries = 0, bytes = 0;
};

CacheReport cache_report();
/// Removes every entry; returns how many.
std::uint64_t clear_cache();

}  // namespace seiche
SEICHE_EXPORT_END
