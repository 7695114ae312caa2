// What each operating system does in its own way: system_posix.cpp and system_windows.cpp, one of which is compiled.
// Texts are UTF-8 on every system.
#pragma once

#include <filesystem>
#include <string>

namespace seiche::runtime {

/// The library's handle; null, with the reason in `why`, where it cannot be loaded.
void* load_library(const std::string& name, std::string& why);

/// Null if the library has no such symbol.
void* find_symbol(void* library, const char* name);

/// This process among those that run.
unsigned long process_number();

/// Whether this process may make files in the folder.
bool takes_files(const std::filesystem::path& folder);

}  // namespace seiche::runtime
