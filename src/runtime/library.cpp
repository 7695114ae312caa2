// The only file that talks to the operating system beyond the standard library.
#include "runtime/library.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <fstream>

namespace seiche::runtime {

namespace fs = std::filesystem;

Library Library::open(const std::vector<std::string>& names) {
    Library library;
    for (const std::string& name : names) {
        library.handle_ = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (library.handle_ != nullptr) {
            library.name_ = name;
            library.error_.clear();
            return library;
        }
        const char* why = dlerror();
        // The first reason is the telling one: later names are older or unlikely.
        if (library.error_.empty()) library.error_ = why != nullptr ? why : "cannot load " + name;
    }
    return library;
}

void* Library::symbol(const char* name) const { return handle_ == nullptr ? nullptr : dlsym(handle_, name); }

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr ? value : "";
}

std::uint64_t physical_memory() {
    const long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
    return pages > 0 && bytes > 0 ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(bytes) : 0;
}

fs::path unique_name(const fs::path& folder, std::string_view stem) {
    static std::atomic<unsigned> counter{0};
    return folder / (std::string(stem) + "." + std::to_string(getpid()) + "." + std::to_string(counter++));
}

std::string dump_text(std::string_view stem, std::string_view extension, std::string_view text) {
    std::error_code failed;
    const fs::path folder = fs::temp_directory_path(failed);
    if (failed) return "nowhere: there is no folder for temporary files";
    fs::path path = unique_name(folder, "seiche-" + std::string(stem));
    path += extension;
    std::ofstream file(path, std::ios::binary);
    file << text;
    file.close();
    return file ? path.string() : "nowhere: cannot write " + path.string();
}

std::string first_error_line(const std::string& log) {
    std::size_t at = log.find("error");
    if (at == std::string::npos) at = log.find_first_not_of(" \n\r\t");
    if (at == std::string::npos) return "the compiler gave no reason";
    const std::size_t start = log.rfind('\n', at) == std::string::npos ? 0 : log.rfind('\n', at) + 1;
    std::string line = log.substr(start, log.find_first_of(std::string_view("\n\0", 2), at) - start);
    return line;
}

bool usable_folder(const fs::path& folder) {
    std::error_code failed;
    fs::create_directories(folder, failed);
    return fs::is_directory(folder, failed) && access(folder.c_str(), W_OK | X_OK) == 0;
}

bool could_write(const fs::path& folder) {
    if (folder.empty()) return false;
    std::error_code failed;
    fs::path existing = fs::absolute(folder, failed);
    while (!existing.empty() && existing != existing.root_path() && !fs::exists(existing, failed))
        existing = existing.parent_path();
    return fs::is_directory(existing, failed) && access(existing.c_str(), W_OK | X_OK) == 0;
}

}  // namespace seiche::runtime
