// The operating system's side: shared libraries, environment, memory, places for files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace seiche::runtime {

/// The names under which a driver's library is looked for, system by system.
struct LibraryNames {
    std::vector<std::string> so;     ///< Linux and its like.
    std::vector<std::string> dll;    ///< Windows.
    std::vector<std::string> dylib;  ///< macOS.
};

/// Those of this system.
std::vector<std::string> names_here(const LibraryNames& names);

/// A shared library loaded at run time. It stays loaded until the process ends: drivers have threads and exit handlers
/// of their own.
class Library {
public:
    Library() = default;
    /// The first of `names` (file names or paths) that loads. If none does, the library is empty and `error()` says
    /// why. On Windows a name without a path is looked for beside the program, in the system's folder and in those of
    /// PATH, never in the folder that the process stands in.
    static Library open(const std::vector<std::string>& names);

    explicit operator bool() const { return handle_ != nullptr; }
    /// Null if it has no such symbol.
    void* symbol(const char* name) const;
    const std::string& name() const { return name_; }
    const std::string& error() const { return error_; }

private:
    void* handle_ = nullptr;
    std::string name_, error_;
};

/// A path as UTF-8 gives it: a plain std::string is taken for Latin-1 on Windows.
inline std::filesystem::path path_of(std::string_view utf8) { return std::u8string(utf8.begin(), utf8.end()); }

/// The value of an environment variable, UTF-8; empty if it is not set. Empty, too, in a program with more rights than
/// whoever started it (setuid, setgid, file capabilities): the variables are the caller's, and such a program must not
/// load, read or write what they name. All variables are read here.
std::string environment(const char* name);

/// The folder for what a user's programs may lose: $XDG_CACHE_HOME, else ~/.cache; on Windows %LOCALAPPDATA%. Empty if
/// none of them is set.
std::filesystem::path user_cache_folder();

/// Bytes of memory that this process may have: the host's, or what a control group (a container) or a resource limit
/// leaves of it; 0 where the system does not say.
std::uint64_t memory_limit();

/// Writes a text for people to look at to a new file that only this user may read, under a name that nobody can guess,
/// in the folder for temporary files; returns its path, or why there is none.
std::string dump_text(std::string_view stem, std::string_view extension, std::string_view text);

/// The line of a compiler's log that says what is wrong, without line ends.
std::string first_error_line(const std::string& log);

/// A name in `folder` that no other process and no other thread will use, and that nobody can guess.
std::filesystem::path unique_name(const std::filesystem::path& folder, std::string_view stem);

}  // namespace seiche::runtime
