// Linux, macOS and their like. With system_windows.cpp the only file that talks to the operating system beyond the
// standard library.
#include "runtime/system.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>

#include "runtime/library.hpp"

namespace seiche::runtime {

void* load_library(const std::string& name, std::string& why) {
    void* const handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle != nullptr) return handle;
    const char* reason = dlerror();
    why = reason != nullptr ? reason : "cannot load " + name;
    return nullptr;
}

void* find_symbol(void* library, const char* name) { return dlsym(library, name); }

std::vector<std::string> names_here(const LibraryNames& names) {
#ifdef __APPLE__
    return names.dylib;
#else
    return names.so;
#endif
}

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr ? value : "";
}

std::uint64_t physical_memory() {
    const long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
    return pages > 0 && bytes > 0 ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(bytes) : 0;
}

std::filesystem::path user_cache_folder() {
    if (const std::string xdg = environment("XDG_CACHE_HOME"); !xdg.empty()) return xdg;
    if (const std::string home = environment("HOME"); !home.empty()) return std::filesystem::path(home) / ".cache";
    return {};
}

unsigned long process_number() { return static_cast<unsigned long>(getpid()); }

bool takes_files(const std::filesystem::path& folder) { return access(folder.c_str(), W_OK | X_OK) == 0; }

}  // namespace seiche::runtime
