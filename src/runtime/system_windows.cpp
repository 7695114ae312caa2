// Windows. With system_posix.cpp the only file that talks to the operating system beyond the standard library.
#include "runtime/system.hpp"

#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <thread>

#include "runtime/library.hpp"
#include "runtime/process.hpp"

namespace seiche::runtime {

std::atomic<unsigned> forks_so_far{0};  // there is no fork

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

std::uint64_t memory_limit() {
    MEMORYSTATUSEX status{};
    status.dwLength = sizeof status;
    return GlobalMemoryStatusEx(&status) != 0 ? status.ullTotalPhys : 0;
}

void keep_loaded() {
    HMODULE here = nullptr;
    GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_PIN,
                       reinterpret_cast<const wchar_t*>(&keep_loaded), &here);
}

fs::path temporary_folder() {
    std::error_code failed;
    fs::path folder = fs::temp_directory_path(failed);
    return failed ? fs::path() : folder;
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

// Lists of rights come from the folder above, of which %LOCALAPPDATA% is the user's alone.
std::string why_untrusted(const fs::path&) { return {}; }

bool make_private_folder(const fs::path& folder) {
    std::error_code failed;
    fs::create_directories(folder, failed);
    return fs::is_directory(folder, failed);
}

bool write_private_file(const fs::path& path, std::initializer_list<std::span<const std::byte>> contents) {
    const HANDLE file =
        CreateFileW(path.c_str(), GENERIC_WRITE, 0, nullptr, CREATE_NEW, FILE_ATTRIBUTE_NORMAL, nullptr);
    if (file == INVALID_HANDLE_VALUE) return false;
    bool is_written = true;
    for (std::span<const std::byte> part : contents) {
        while (is_written && !part.empty()) {
            const auto most = static_cast<DWORD>(std::min<std::size_t>(part.size(), 1u << 30));
            DWORD written = 0;
            is_written = WriteFile(file, part.data(), most, &written, nullptr) != 0 && written != 0;
            part = part.subspan(written);
        }
    }
    is_written = CloseHandle(file) != 0 && is_written;
    if (!is_written) DeleteFileW(path.c_str());
    return is_written;
}

InputFile::InputFile(const fs::path& path, Whose whose, std::string& why) {
    const bool is_private = whose == Whose::only_mine;
    const DWORD flags = FILE_FLAG_BACKUP_SEMANTICS | (is_private ? FILE_FLAG_OPEN_REPARSE_POINT : 0);
    const DWORD sharing = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
    const auto open = [&](DWORD rights) {
        return CreateFileW(path.c_str(), rights, sharing, nullptr, OPEN_EXISTING, flags, nullptr);
    };
    HANDLE file = is_private ? open(GENERIC_READ | FILE_WRITE_ATTRIBUTES) : INVALID_HANDLE_VALUE;
    if (file == INVALID_HANDLE_VALUE) file = open(GENERIC_READ);
    why.clear();
    if (file == INVALID_HANDLE_VALUE) {
        const DWORD code = GetLastError();
        if (code != ERROR_FILE_NOT_FOUND && code != ERROR_PATH_NOT_FOUND) why = "cannot be opened: " + message_of(code);
        return;
    }
    BY_HANDLE_FILE_INFORMATION facts{};
    constexpr DWORD strange = FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_DEVICE | FILE_ATTRIBUTE_REPARSE_POINT;
    if (GetFileType(file) != FILE_TYPE_DISK || GetFileInformationByHandle(file, &facts) == 0 ||
        (facts.dwFileAttributes & strange) != 0) {
        why = "is no regular file";
        CloseHandle(file);
        return;
    }
    handle_ = reinterpret_cast<std::intptr_t>(file);
    bytes_ = std::uint64_t{facts.nFileSizeHigh} << 32 | facts.nFileSizeLow;
}

InputFile::~InputFile() {
    if (handle_ != none) CloseHandle(reinterpret_cast<HANDLE>(handle_));
}

bool InputFile::read(std::uint64_t offset, void* to, std::size_t count) const {
    auto* bytes = static_cast<std::byte*>(to);
    while (count != 0) {
        OVERLAPPED place{};
        place.Offset = static_cast<DWORD>(offset);
        place.OffsetHigh = static_cast<DWORD>(offset >> 32);
        const auto most = static_cast<DWORD>(std::min<std::size_t>(count, 1u << 30));
        DWORD got = 0;
        if (ReadFile(reinterpret_cast<HANDLE>(handle_), bytes, most, &got, &place) == 0 || got == 0) return false;
        bytes += got;
        offset += got;
        count -= got;
    }
    return true;
}

void InputFile::touch() const {
    FILETIME now{};
    GetSystemTimeAsFileTime(&now);
    SetFileTime(reinterpret_cast<HANDLE>(handle_), nullptr, &now, &now);
}

struct KeptSignals::Actions {};
KeptSignals::KeptSignals() = default;
KeptSignals::~KeptSignals() = default;

unsigned allowed_processors() { return std::max(std::thread::hardware_concurrency(), 1u); }

bool append_line(const fs::path& path, const std::string& line) {
    const HANDLE file = CreateFileW(path.c_str(), FILE_APPEND_DATA, FILE_SHARE_READ | FILE_SHARE_WRITE, nullptr,
                                    OPEN_ALWAYS, FILE_ATTRIBUTE_NORMAL | FILE_FLAG_OPEN_REPARSE_POINT, nullptr);
    if (file == INVALID_HANDLE_VALUE) return false;
    const std::string text = line + "\n";
    DWORD written = 0;
    const bool is_written =
        WriteFile(file, text.data(), static_cast<DWORD>(text.size()), &written, nullptr) != 0 && written == text.size();
    return CloseHandle(file) != 0 && is_written;
}

// Large pages are a privilege there, which an ordinary user has not.
Pages::Pages(std::uint64_t bytes, bool) {
    constexpr std::uint64_t page = 4096, most = std::uint64_t{1} << 60;
    if (bytes == 0 || bytes > most) return;
    const std::uint64_t rounded = (bytes + page - 1) / page * page;
    data_ = static_cast<std::byte*>(VirtualAlloc(nullptr, rounded, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE));
    if (data_ != nullptr) bytes_ = rounded;
}

Pages::~Pages() {
    if (data_ != nullptr) VirtualFree(data_, 0, MEM_RELEASE);
}

bool Pages::make_executable(std::string& why) {
    DWORD former = 0;
    if (data_ != nullptr && VirtualProtect(data_, bytes_, PAGE_EXECUTE_READ, &former) != 0) {
        FlushInstructionCache(GetCurrentProcess(), data_, bytes_);
        return true;
    }
    why = data_ == nullptr ? "there is no memory" : message_of(GetLastError());
    return false;
}

struct QuietThread::Mask {};
QuietThread::QuietThread() = default;
QuietThread::~QuietThread() = default;

}  // namespace seiche::runtime
