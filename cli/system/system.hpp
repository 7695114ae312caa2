// What each operating system does in its own way: system_posix.cpp and system_windows.cpp, one of which is compiled.
// File names and arguments are UTF-8 on every system.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace seiche::cli {

/// Called first: the arguments of the program, its name apart. Standard input and output are bytes from then on.
std::vector<std::string> start_process(int argc, char** argv);

/// A path as UTF-8 gives it: a plain std::string is taken for Latin-1 on Windows. Its `string()` is UTF-8 again.
inline std::filesystem::path path_of(const std::string& utf8) { return std::u8string(utf8.begin(), utf8.end()); }

/// As fopen.
std::FILE* open_file(const std::string& path, const char* mode);
/// A file to write that must not be there yet; null, with errno, where it cannot be made. It can be removed while it is
/// open.
std::FILE* create_file(const std::string& path);
/// A file without a name, to write and to read, that is gone when it is closed; null, with errno, where it cannot be
/// made.
std::FILE* unnamed_file();
/// Standard input as a stream of its own; null, with errno, where there is none.
std::FILE* standard_input();
/// Standard output as a stream of its own, for a file; what is printed from then on, as reports are, goes to standard
/// error. Null, with errno, where there is none.
std::FILE* take_standard_output();
/// The bytes of a regular file that is read from its beginning; none for pipes and devices, and for a file of which a
/// part was read.
std::optional<std::uint64_t> bytes_of_whole(std::FILE* file);
/// As fseek from the beginning, for files of any size; false where it fails.
bool go_to(std::FILE* file, std::uint64_t position);
/// Gives the file `from` the name `to`, whatever had it before. Throws Failure if it cannot.
void replace_file(const std::string& from, const std::string& to);
/// Removes a file if it is there. Does the simplest things only, so that a signal's handler may call it.
void remove_file(const char* path) noexcept;

/// Signals by which a person or the system ends a program.
std::vector<int> ending_signals();

/// Whether a person reads standard error.
bool is_terminal_stderr();
/// Whether a person's keyboard is standard input, or a person's screen standard output.
bool is_terminal_stdin();
bool is_terminal_stdout();

/// While one lives, what libraries print on standard error is lost: they have no other way to be silent.
class SilentErrors {
public:
    SilentErrors() noexcept;
    ~SilentErrors();
    SilentErrors(const SilentErrors&) = delete;
    SilentErrors& operator=(const SilentErrors&) = delete;

private:
    int kept_ = -1;
};

/// This process among those that run.
unsigned long process_number();

/// The path of this program. Throws Failure where the system does not tell.
std::string own_path();

/// Makes a new folder for temporary files, whose name begins with `stem`. Throws Failure if it cannot.
std::string make_temporary_folder(const std::string& stem);

}  // namespace seiche::cli
