// Windows.
#include "cli/system/system.hpp"

#include <fcntl.h>
#include <io.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <iterator>

#include "cli/system/environment.hpp"
#include "cli/system/windows.hpp"
#include "cli/text/failure.hpp"

namespace seiche::cli {

std::wstring wide(const std::string& text) {
    const int bytes = static_cast<int>(text.size());
    const int length = MultiByteToWideChar(CP_UTF8, 0, text.data(), bytes, nullptr, 0);
    std::wstring result(static_cast<std::size_t>(length), L'\0');
    MultiByteToWideChar(CP_UTF8, 0, text.data(), bytes, result.data(), length);
    return result;
}

std::string narrow(const std::wstring& text) {
    const int units = static_cast<int>(text.size());
    const int length = WideCharToMultiByte(CP_UTF8, 0, text.data(), units, nullptr, 0, nullptr, nullptr);
    std::string result(static_cast<std::size_t>(length), '\0');
    WideCharToMultiByte(CP_UTF8, 0, text.data(), units, result.data(), length, nullptr, nullptr);
    return result;
}

std::string message_of(DWORD code) {
    std::array<wchar_t, 512> text{};
    DWORD length = FormatMessageW(FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS, nullptr, code, 0,
                                  text.data(), static_cast<DWORD>(text.size()), nullptr);
    while (length > 0 && (text[length - 1] == L'\n' || text[length - 1] == L'\r')) --length;
    return length > 0 ? narrow(std::wstring(text.data(), length)) : "error " + std::to_string(code);
}

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

std::vector<std::string> start_process(int argc, char** argv) {
    // Else a line's end becomes two bytes and a byte of 26 ends the input.
    _setmode(_fileno(stdin), _O_BINARY);
    _setmode(_fileno(stdout), _O_BINARY);
    SetConsoleOutputCP(CP_UTF8);
    int count = 0;
    wchar_t** const words = CommandLineToArgvW(GetCommandLineW(), &count);
    if (words == nullptr) return {argv + (argc > 0 ? 1 : 0), argv + argc};
    std::vector<std::string> arguments;
    for (int i = 1; i < count; ++i) arguments.push_back(narrow(words[i]));
    LocalFree(static_cast<void*>(words));
    return arguments;
}

namespace {

/// Null, with errno, where there is no handle. The handle is the stream's from here on.
std::FILE* stream_of(HANDLE handle, int flags, const char* mode) {
    if (handle == INVALID_HANDLE_VALUE) {
        switch (GetLastError()) {
            case ERROR_FILE_EXISTS: errno = EEXIST; break;
            case ERROR_FILE_NOT_FOUND:
            case ERROR_PATH_NOT_FOUND: errno = ENOENT; break;
            case ERROR_ACCESS_DENIED:
            case ERROR_SHARING_VIOLATION: errno = EACCES; break;
            case ERROR_DISK_FULL: errno = ENOSPC; break;
            default: errno = EIO;
        }
        return nullptr;
    }
    const int descriptor = _open_osfhandle(reinterpret_cast<std::intptr_t>(handle), flags);
    std::FILE* const file = descriptor >= 0 ? _fdopen(descriptor, mode) : nullptr;
    if (file != nullptr) return file;
    if (descriptor >= 0)
        _close(descriptor);
    else
        CloseHandle(handle);
    errno = EMFILE;
    return nullptr;
}

}  // namespace

std::FILE* open_file(const std::string& path, const char* mode) {
    if (std::strcmp(mode, "rb") != 0) return _wfopen(wide(path).c_str(), wide(mode).c_str());
    // Who is reading a file must not keep others from replacing it.
    const HANDLE handle =
        CreateFileW(wide(path).c_str(), GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr,
                    OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
    return stream_of(handle, _O_RDONLY | _O_BINARY, mode);
}

std::FILE* create_file(const std::string& path) {
    const HANDLE handle = CreateFileW(wide(path).c_str(), GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_DELETE, nullptr,
                                      CREATE_NEW, FILE_ATTRIBUTE_NORMAL, nullptr);
    std::FILE* const file = stream_of(handle, _O_BINARY, "wb");
    if (file == nullptr && handle != INVALID_HANDLE_VALUE) remove_file(path.c_str());
    return file;
}

std::FILE* unnamed_file() {
    namespace fs = std::filesystem;
    std::error_code error;
    const fs::path folder = fs::temp_directory_path(error);
    if (error) {
        errno = EIO;
        return nullptr;
    }
    const std::string name = "seiche-" + std::to_string(process_number()) + "-" + std::to_string(GetTickCount64());
    const HANDLE handle =
        CreateFileW((folder / path_of(name)).c_str(), GENERIC_READ | GENERIC_WRITE, FILE_SHARE_DELETE, nullptr,
                    CREATE_NEW, FILE_FLAG_DELETE_ON_CLOSE | FILE_ATTRIBUTE_TEMPORARY, nullptr);
    return stream_of(handle, _O_RDWR | _O_BINARY, "w+b");
}

std::FILE* standard_input() {
    const int descriptor = _dup(_fileno(stdin));
    if (descriptor < 0) return nullptr;
    _setmode(descriptor, _O_BINARY);
    std::FILE* const file = _fdopen(descriptor, "rb");
    if (file == nullptr) _close(descriptor);
    return file;
}

std::FILE* take_standard_output() {
    std::fflush(stdout);
    const int descriptor = _dup(_fileno(stdout));
    if (descriptor < 0) return nullptr;
    _setmode(descriptor, _O_BINARY);
    std::FILE* const file = _fdopen(descriptor, "wb");
    if (file == nullptr)
        _close(descriptor);
    else
        _dup2(_fileno(stderr), _fileno(stdout));
    return file;
}

std::optional<std::uint64_t> bytes_of_whole(std::FILE* file) {
    struct _stat64 status {};
    const int descriptor = _fileno(file);
    if (_fstat64(descriptor, &status) != 0 || (status.st_mode & _S_IFMT) != _S_IFREG || _telli64(descriptor) != 0)
        return std::nullopt;
    return static_cast<std::uint64_t>(status.st_size);
}

bool go_to(std::FILE* file, std::uint64_t position) {
    return _fseeki64(file, static_cast<std::int64_t>(position), SEEK_SET) == 0;
}

void replace_file(const std::string& from, const std::string& to) {
    const std::wstring source = wide(from), target = wide(to);
    if (MoveFileExW(source.c_str(), target.c_str(), MOVEFILE_REPLACE_EXISTING) != 0) return;
    const DWORD code = GetLastError();
    // A file that is still being read keeps its name from others, but may be given another one itself.
    const std::wstring aside = source + L".old";
    if (MoveFileExW(target.c_str(), aside.c_str(), 0) != 0) {
        if (MoveFileExW(source.c_str(), target.c_str(), 0) != 0) {
            DeleteFileW(aside.c_str());  // it goes when it is closed
            return;
        }
        MoveFileExW(aside.c_str(), target.c_str(), 0);
    }
    throw Failure("cannot rename to '" + to + "': " + message_of(code));
}

void remove_file(const char* path) noexcept {
    std::array<wchar_t, 4096> name;  // nothing is allocated: a signal's handler may be running
    const int length = MultiByteToWideChar(CP_UTF8, 0, path, -1, name.data(), static_cast<int>(name.size()));
    if (length > 0) DeleteFileW(name.data());
}

std::vector<int> ending_signals() { return {SIGINT, SIGTERM, SIGBREAK}; }

bool is_terminal_stderr() {
    // Without this mode a console shows the codes that clear a line instead of obeying them.
    const HANDLE console = GetStdHandle(STD_ERROR_HANDLE);
    DWORD mode = 0;
    return GetConsoleMode(console, &mode) != 0 &&
           SetConsoleMode(console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING) != 0;
}

bool is_terminal_stdin() { return _isatty(_fileno(stdin)) != 0; }
bool is_terminal_stdout() { return _isatty(_fileno(stdout)) != 0; }

SilentErrors::SilentErrors() noexcept {
    std::fflush(stderr);
    const int nowhere = _open("NUL", _O_WRONLY);
    if (nowhere < 0) return;
    kept_ = _dup(_fileno(stderr));
    if (kept_ >= 0) _dup2(nowhere, _fileno(stderr));
    _close(nowhere);
}

SilentErrors::~SilentErrors() {
    std::fflush(stderr);
    if (kept_ < 0) return;
    _dup2(kept_, _fileno(stderr));
    _close(kept_);
}

unsigned long process_number() { return GetCurrentProcessId(); }

std::string own_path() {
    std::wstring path(256, L'\0');
    for (;;) {
        const DWORD length = GetModuleFileNameW(nullptr, path.data(), static_cast<DWORD>(path.size()));
        if (length == 0) throw Failure("cannot find this program's own path: " + message_of(GetLastError()));
        if (length < path.size()) return narrow(path.substr(0, length));
        path.resize(2 * path.size());
    }
}

std::string make_temporary_folder(const std::string& stem) {
    namespace fs = std::filesystem;
    constexpr int most_attempts = 100;
    std::error_code error;
    for (int i = 0; i < most_attempts; ++i) {
        const std::string name = stem + "-" + std::to_string(process_number()) + "-" +
                                 std::to_string(GetTickCount64()) + "-" + std::to_string(i);
        const fs::path path = fs::temp_directory_path() / path_of(name);
        if (fs::create_directory(path, error)) return path.string();
    }
    throw Failure("cannot make a folder for temporary files: " + error.message());
}

}  // namespace seiche::cli
