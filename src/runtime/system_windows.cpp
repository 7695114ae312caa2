// Windows. With system_posix.cpp the only file that talks to the operating system beyond the standard library.
#include "runtime/system.hpp"

#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>

#include <cstdint>
#include <sstream>

#include "runtime/library.hpp"

namespace seiche::runtime {

namespace fs = std::filesystem;

namespace {

std::wstring wide(const std::string& text) { return path_of(text).wstring(); }

std::string narrow(const std::wstring& text) { return fs::path(text).string(); }

/// What the system says of an error, without its line end.
std::string message_of(DWORD code) {
    wchar_t text[512];
    DWORD length = FormatMessageW(FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS, nullptr, code, 0, text,
                                  static_cast<DWORD>(std::size(text)), nullptr);
    while (length > 0 && (text[length - 1] == L'\n' || text[length - 1] == L'\r' || text[length - 1] == L'.')) --length;
    return length > 0 ? narrow(std::wstring(text, length)) : "error " + std::to_string(code);
}

/// By its full path, after which the libraries that it wants are sought beside it.
HMODULE load_from(const fs::path& path) { return LoadLibraryExW(path.c_str(), nullptr, LOAD_WITH_ALTERED_SEARCH_PATH); }

/// In the folders of PATH. The folder that the process happens to stand in is never asked: whoever may write there
/// would choose what runs.
HMODULE load_from_search_path(const std::wstring& name) {
    std::istringstream folders(environment("PATH"));
    for (std::string folder; std::getline(folders, folder, ';');) {
        const fs::path path = path_of(folder) / name;
        std::error_code failed;
        if (!path.is_absolute() || !fs::is_regular_file(path, failed)) continue;
        if (const HMODULE found = load_from(path)) return found;
    }
    return nullptr;
}

}  // namespace

void* load_library(const std::string& name, std::string& why) {
    // No window may ask a person about a library that is damaged.
    DWORD former = 0;
    SetThreadErrorMode(SEM_FAILCRITICALERRORS, &former);
    const fs::path path = wide(name);
    HMODULE handle =
        path.is_absolute() ? load_from(path) : LoadLibraryExW(path.c_str(), nullptr, LOAD_LIBRARY_SEARCH_DEFAULT_DIRS);
    if (handle == nullptr) why = name + ": " + message_of(GetLastError());
    if (handle == nullptr && !path.has_parent_path()) handle = load_from_search_path(path.wstring());
    SetThreadErrorMode(former, nullptr);
    return handle;
}

void* find_symbol(void* library, const char* name) {
    return reinterpret_cast<void*>(GetProcAddress(static_cast<HMODULE>(library), name));
}

std::vector<std::string> names_here(const LibraryNames& names) { return names.dll; }

std::string environment(const char* name) {
    std::wstring value(64, L'\0');
    for (;;) {
        const DWORD length =
            GetEnvironmentVariableW(wide(name).c_str(), value.data(), static_cast<DWORD>(value.size()));
        const bool fits = length < value.size();
        value.resize(length);
        if (fits) return narrow(value);
    }
}

std::uint64_t physical_memory() {
    MEMORYSTATUSEX status{};
    status.dwLength = sizeof status;
    return GlobalMemoryStatusEx(&status) != 0 ? status.ullTotalPhys : 0;
}

fs::path user_cache_folder() { return path_of(environment("LOCALAPPDATA")); }

unsigned long process_number() { return GetCurrentProcessId(); }

bool takes_files(const fs::path& folder) {
    // Who may do what is decided by lists of rights, which only an attempt answers.
    const fs::path path = unique_name(folder, ".seiche");
    const HANDLE file = CreateFileW(path.c_str(), GENERIC_WRITE, 0, nullptr, CREATE_NEW,
                                    FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE, nullptr);
    if (file == INVALID_HANDLE_VALUE) return false;
    CloseHandle(file);
    return true;
}

}  // namespace seiche::runtime
