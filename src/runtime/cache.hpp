// The cache of compiled kernels on disk: one file per entry, checked whenever it is read.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "emit/source.hpp"

namespace seiche::runtime {

/// SEICHE_CACHE_DIR, else seiche in the user's folder for such things. Empty if there is neither.
std::filesystem::path cache_folder();

/// 32 hexadecimal digits that stand for everything that decides the binary.
std::string cache_key(const emit::Source& source, const std::string& compiler_version);

/// The entry's bytes; nothing if there is none, or if it is damaged or belongs to another key.
std::optional<std::vector<std::byte>> read_entry(const std::filesystem::path& folder, const std::string& key);

/// Writes to another name and renames, so that no reader ever sees half an entry. False if it could not be written,
/// which costs only time.
bool write_entry(const std::filesystem::path& folder, const std::string& key, const std::vector<std::byte>& bytes);

}  // namespace seiche::runtime
