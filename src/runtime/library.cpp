// What is the same on every system: looking a library up under several names, texts for people to look at.
#include "runtime/library.hpp"

#include <atomic>
#include <fstream>

#include "runtime/system.hpp"

namespace seiche::runtime {

namespace fs = std::filesystem;

Library Library::open(const std::vector<std::string>& names) {
    Library library;
    if (names.empty()) library.error_ = "there is none for this system";
    for (const std::string& name : names) {
        std::string why;
        library.handle_ = load_library(name, why);
        if (library.handle_ != nullptr) {
            library.name_ = name;
            library.error_.clear();
            return library;
        }
        // The first reason is the telling one: later names are older or unlikely.
        if (library.error_.empty()) library.error_ = why;
    }
    return library;
}

void* Library::symbol(const char* name) const { return handle_ == nullptr ? nullptr : find_symbol(handle_, name); }

fs::path unique_name(const fs::path& folder, std::string_view stem) {
    static std::atomic<unsigned> counter{0};
    return folder /
           path_of(std::string(stem) + "." + std::to_string(process_number()) + "." + std::to_string(counter++));
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
    return fs::is_directory(folder, failed) && takes_files(folder);
}

bool could_write(const fs::path& folder) {
    if (folder.empty()) return false;
    std::error_code failed;
    fs::path existing = fs::absolute(folder, failed);
    while (!existing.empty() && existing != existing.root_path() && !fs::exists(existing, failed))
        existing = existing.parent_path();
    return fs::is_directory(existing, failed) && takes_files(existing);
}

}  // namespace seiche::runtime
