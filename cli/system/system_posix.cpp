// Linux, macOS and their like.
#include "cli/system/system.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/auxv.h>
#endif

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "cli/system/environment.hpp"
#include "cli/text/failure.hpp"

namespace seiche::cli {

namespace {

/// More rights than whoever started this program: setuid, setgid, file capabilities.
bool has_others_rights() {
#ifdef __linux__
    return getauxval(AT_SECURE) != 0;
#else
    return issetugid() != 0;
#endif
}

bool is_writable(const std::string& folder) {
    std::filesystem::path existing = folder;
    std::error_code ignored;
    while (!existing.empty() && existing != existing.root_path() && !std::filesystem::exists(existing, ignored))
        existing = existing.parent_path();
    return access(existing.c_str(), W_OK | X_OK) == 0 && std::filesystem::is_directory(existing, ignored);
}

/// A folder for temporary files that is this user's alone and stays for the next run; empty where there is none.
std::string private_folder(const std::string& stem) {
    std::error_code failed;
    const std::string path =
        (std::filesystem::temp_directory_path(failed) / (stem + "-" + std::to_string(geteuid()))).string();
    if (failed) return "";
    if (mkdir(path.c_str(), S_IRWXU) == 0) return path;
    struct stat found {};
    const bool is_own = lstat(path.c_str(), &found) == 0 && S_ISDIR(found.st_mode) && found.st_uid == geteuid() &&
                        (found.st_mode & (S_IRWXG | S_IRWXO)) == 0;
    return is_own ? path : "";
}

/// PoCL keeps the kernels that it compiles below the home folder, and where that cannot be written offers no device at
/// all (a variable that is empty ends the process). It gets a folder of its own then.
void give_pocl_a_cache() {
    if (has_others_rights()) return;  // the caller's variables choose nothing
    const char *own = std::getenv("POCL_CACHE_DIR"), *xdg = std::getenv("XDG_CACHE_HOME"), *home = std::getenv("HOME");
    if (own != nullptr && *own != '\0') return;
    if (own == nullptr && xdg == nullptr && home == nullptr) return;  // it has a place of its own
    const std::string usual = xdg != nullptr ? xdg : home != nullptr ? std::string(home) + "/.cache" : "";
    if (own == nullptr && !usual.empty() && is_writable(usual)) return;
    const std::string folder = private_folder("seiche-pocl");
    if (!folder.empty()) setenv("POCL_CACHE_DIR", folder.c_str(), 1);
}

}  // namespace

std::vector<std::string> start_process(int argc, char** argv) {
    give_pocl_a_cache();
    return {argv + (argc > 0 ? 1 : 0), argv + argc};
}

std::FILE* open_file(const std::string& path, const char* mode) { return std::fopen(path.c_str(), mode); }

std::FILE* create_file(const std::string& path) {
    const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0) return nullptr;
    std::FILE* const file = fdopen(descriptor, "wb");
    if (file != nullptr) return file;
    const int reason = errno;
    close(descriptor);
    unlink(path.c_str());
    errno = reason;
    return nullptr;
}

std::FILE* unnamed_file() {
    std::error_code error;
    std::string name = (std::filesystem::temp_directory_path(error) / "seiche-XXXXXX").string();
    if (error) {
        errno = error.value();
        return nullptr;
    }
    const int descriptor = mkstemp(name.data());
    if (descriptor < 0) return nullptr;
    unlink(name.c_str());
    std::FILE* const file = fdopen(descriptor, "w+b");
    if (file == nullptr) close(descriptor);
    return file;
}

std::FILE* standard_input() {
    const int descriptor = dup(STDIN_FILENO);
    if (descriptor < 0) return nullptr;
    std::FILE* const file = fdopen(descriptor, "rb");
    if (file == nullptr) close(descriptor);
    return file;
}

std::FILE* take_standard_output() {
    std::fflush(stdout);
    const int descriptor = dup(STDOUT_FILENO);
    if (descriptor < 0) return nullptr;
    std::FILE* const file = fdopen(descriptor, "wb");
    if (file == nullptr)
        close(descriptor);
    else
        dup2(STDERR_FILENO, STDOUT_FILENO);
    return file;
}

std::optional<std::uint64_t> bytes_of_whole(std::FILE* file) {
    struct stat status {};
    const int descriptor = fileno(file);
    if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode) || lseek(descriptor, 0, SEEK_CUR) != 0)
        return std::nullopt;
    return static_cast<std::uint64_t>(status.st_size);
}

bool go_to(std::FILE* file, std::uint64_t position) {
    return fseeko(file, static_cast<off_t>(position), SEEK_SET) == 0;
}

void replace_file(const std::string& from, const std::string& to) {
    if (std::rename(from.c_str(), to.c_str()) != 0)
        throw Failure("cannot rename to '" + to + "': " + std::strerror(errno));
}

void remove_file(const char* path) noexcept { unlink(path); }

std::vector<int> ending_signals() { return {SIGINT, SIGTERM, SIGHUP}; }

std::string environment(const char* name) {
    const char* const value = has_others_rights() ? nullptr : std::getenv(name);
    return value != nullptr ? value : "";
}

bool is_terminal_stderr() { return isatty(STDERR_FILENO) == 1; }

bool is_terminal_stdin() { return isatty(STDIN_FILENO) == 1; }
bool is_terminal_stdout() { return isatty(STDOUT_FILENO) == 1; }

SilentErrors::SilentErrors() noexcept {
    std::fflush(stderr);
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere < 0) return;
    kept_ = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
    if (kept_ >= 0) dup2(nowhere, STDERR_FILENO);
    close(nowhere);
}

SilentErrors::~SilentErrors() {
    std::fflush(stderr);
    if (kept_ < 0) return;
    dup2(kept_, STDERR_FILENO);
    close(kept_);
}

unsigned long process_number() { return static_cast<unsigned long>(getpid()); }

std::string own_path() {
    std::error_code error;
    const auto path = std::filesystem::read_symlink("/proc/self/exe", error);
    if (error) throw Failure("cannot find this program's own path: " + error.message());
    return path.string();
}

std::string make_temporary_folder(const std::string& stem) {
    std::string name = (std::filesystem::temp_directory_path() / path_of(stem + "-XXXXXX")).string();
    if (mkdtemp(name.data()) == nullptr) throw Failure("cannot make the folder " + name + ": " + std::strerror(errno));
    return name;
}

}  // namespace seiche::cli
