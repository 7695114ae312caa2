// The cache of compiled kernels on disk: one file per entry, checked whenever it is read. Entries are machine code, so
// nothing is read that another user could have written, and nothing is written where one could:
// docs/explanation/trust.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "emit/source.hpp"

namespace seiche::runtime {

/// SEICHE_CACHE_DIR, else seiche in the user's folder for such things. Empty if there is neither.
std::filesystem::path cache_folder();

/// Bytes that all entries may have together: SEICHE_CACHE_MAX, else 1 GiB. Throws InvalidProblem for a text that is no
/// number of bytes.
std::uint64_t cache_limit();

/// "500M", "2G", "0": a whole number of bytes, or of K, M or G, which are powers of 1024. Nothing for other texts.
std::optional<std::uint64_t> parse_bytes(std::string_view text);

/// Why the cache in this folder is not used, in a few words; empty if it is. Makes nothing.
std::string why_unusable(const std::filesystem::path& folder);

/// 32 hexadecimal digits that stand for everything that decides the binary.
std::string cache_key(const emit::Source& source, const std::string& compiler_version);

/// The entry's bytes, after noting that it was used now; nothing if there is none, if it is damaged or belongs to
/// another key, or if somebody else could have written it.
std::optional<std::vector<std::byte>> read_entry(const std::filesystem::path& folder, const std::string& key);

/// Writes to another name and renames, so that no reader ever sees half an entry; then makes room. False if it could
/// not be written, or is larger than all entries may be together, which costs only time.
bool write_entry(const std::filesystem::path& folder, const std::string& key, const std::vector<std::byte>& bytes);

/// A file of the cache.
struct CacheFile {
    std::filesystem::path path;
    std::uint64_t bytes = 0;
    std::filesystem::file_time_type used{};
    bool is_entry = false;  ///< Else what a process that was killed left half written, or one is writing.
};

/// Those in the folder, by their names alone: what else is there is not the cache's.
std::vector<CacheFile> cache_files(const std::filesystem::path& folder);

/// Removes the entries that were used longest ago, until those that stay have at most nine tenths of `limit` bytes, if
/// they have more than `limit`; and what was left half written an hour ago. Any number of processes may do so at a
/// time. Returns the bytes that stay.
std::uint64_t make_room(const std::filesystem::path& folder, std::uint64_t limit);

}  // namespace seiche::runtime
