// What is the same on every system: looking a library up under several names, texts for people to look at.
#include "runtime/library.hpp"

#include <atomic>
#include <random>
#include <span>

#include "runtime/process.hpp"
#include "runtime/system.hpp"
#include "seiche/error.hpp"

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

void OfProcess::refuse(const char* what) {
    throw BackendError(std::string(what) +
                       " was made before fork made this process, where its driver does not work: expected one that "
                       "this process made, got its parent's");
}

fs::path unique_name(const fs::path& folder, std::string_view stem) {
    static std::atomic<unsigned> counter{0};
    std::random_device random;
    std::string digits;
    for (int i = 0; i < 2; ++i)
        for (std::uint32_t bits = random(), k = 0; k < 8; ++k, bits >>= 4) digits += "0123456789abcdef"[bits & 15];
    return folder / path_of(std::string(stem) + "." + std::to_string(process_number()) + "." +
                            std::to_string(counter++) + "." + digits);
}

std::string dump_text(std::string_view stem, std::string_view extension, std::string_view text) {
    const fs::path folder = temporary_folder();
    if (folder.empty()) return "nowhere: there is no folder for temporary files";
    fs::path path = unique_name(folder, "seiche-" + std::string(stem));
    path += extension;
    const bool is_written = write_private_file(path, {std::as_bytes(std::span(text))});
    return is_written ? path.string() : "nowhere: cannot write " + path.string();
}

std::string first_error_line(const std::string& log) {
    std::size_t at = log.find("error");
    if (at == std::string::npos) at = log.find_first_not_of(" \n\r\t");
    if (at == std::string::npos) return "the compiler gave no reason";
    const std::size_t start = log.rfind('\n', at) == std::string::npos ? 0 : log.rfind('\n', at) + 1;
    std::string line = log.substr(start, log.find_first_of(std::string_view("\n\0", 2), at) - start);
    return line;
}

}  // namespace seiche::runtime
