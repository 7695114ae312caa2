// The cache of compiled kernels on disk.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "seiche/visibility.h"

SEICHE_EXPORT_BEGIN
namespace seiche {

struct CacheReport {
    /// SEICHE_CACHE_DIR, else $XDG_CACHE_HOME/seiche, else ~/.cache/seiche; on Windows %LOCALAPPDATA%/seiche.
    std::string folder;
    bool writable = false;  ///< If not (SEICHE_CACHE_DIR=/dev/null, say), kernels are compiled anew in each process.
    std::uint64_t entries = 0, bytes = 0;
    /// What all entries may have together, in bytes: SEICHE_CACHE_MAX (a number, or one with K, M or G), else 1 GiB.
    /// Beyond it the entries go that were used longest ago.
    std::uint64_t limit_bytes = 0;
    std::string problem;               ///< Why the folder is not used, in a few words; empty if it is.
    std::vector<std::string> refused;  ///< Of each entry that would not be used: its file name and why.
};

/// Looks at the folder and changes nothing. Throws InvalidProblem for a SEICHE_CACHE_MAX that is no number of bytes.
CacheReport cache_report();
/// Removes every entry; returns how many. Other files in the folder stay.
std::uint64_t clear_cache();

}  // namespace seiche
SEICHE_EXPORT_END
