// What each operating system does in its own way: system_posix.cpp and system_windows.cpp, one of which is compiled.
// Texts are UTF-8 on every system.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <utility>

namespace seiche::runtime {

/// The library's handle; null, with the reason in `why`, where it cannot be loaded.
void* load_library(const std::string& name, std::string& why);

/// Null if the library has no such symbol.
void* find_symbol(void* library, const char* name);

/// This process among those that run.
unsigned long process_number();

/// Where temporary files go; empty if there is no such folder.
std::filesystem::path temporary_folder();

/// Whether this process may make files in the folder.
bool takes_files(const std::filesystem::path& folder);

/// Why somebody else may change what is in the folder, in a few words with the remedy; empty if only this user and the
/// system's administrator may. Each folder on the way to it counts, since whoever may rename one of them chooses what
/// lies below; what is not there yet does not. On Windows always empty: see docs/explanation/trust.md.
std::string why_untrusted(const std::filesystem::path& folder);

/// Makes the folder, and those above it that are missing, for this user alone. True if it is there.
bool make_private_folder(const std::filesystem::path& folder);

/// Writes a new file that only this user may read; false, with nothing left behind, if it cannot or if there is
/// anything of that name.
bool write_private_file(const std::filesystem::path& path, std::initializer_list<std::span<const std::byte>> contents);

/// A regular file that is open for reading: the file that was checked is the one that is read.
class InputFile {
public:
    /// `only_mine`: of this user or the administrator, and writable by nobody else; a link is not followed.
    enum class Whose { anybodys, only_mine };

    InputFile() = default;
    /// Without waiting for anybody, whatever it is. If it cannot be opened or is not what is wanted, the file is empty,
    /// and `why` says in a few words ("is a link") what is wrong: nothing where there is no such file.
    InputFile(const std::filesystem::path& path, Whose whose, std::string& why);
    InputFile(InputFile&& other) noexcept : handle_(std::exchange(other.handle_, none)), bytes_(other.bytes_) {}
    ~InputFile();
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;

    explicit operator bool() const { return handle_ != none; }
    /// When it was opened.
    std::uint64_t bytes() const { return bytes_; }
    /// All of these bytes, or false.
    bool read(std::uint64_t offset, void* to, std::size_t count) const;
    /// Notes that it was used now; without effect where that is not allowed.
    void touch() const;

private:
    static constexpr std::intptr_t none = -1;
    std::intptr_t handle_ = none;
    std::uint64_t bytes_ = 0;
};

/// Processors that this process may use, at least 1: those of its affinity, and no more than the time that its control
/// group (a container) may have counts for.
unsigned allowed_processors();

/// Adds the line to a file that this user owns, made if need be; false if it cannot, or if a link is there.
bool append_line(const std::filesystem::path& path, const std::string& line);

/// Whole pages of memory, which are zero at first. Given back when the object goes.
class Pages {
public:
    Pages() = default;
    /// Empty if the system does not give so many bytes. `are_large`: at a multiple of 2 MiB, and in pages of that size
    /// where the system has them.
    explicit Pages(std::uint64_t bytes, bool are_large = false);
    Pages(Pages&& other) noexcept : data_(std::exchange(other.data_, nullptr)), bytes_(other.bytes_) {}
    Pages& operator=(Pages&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(bytes_, other.bytes_);
        return *this;
    }
    ~Pages();
    Pages(const Pages&) = delete;
    Pages& operator=(const Pages&) = delete;

    explicit operator bool() const { return data_ != nullptr; }
    std::byte* data() const { return data_; }
    std::uint64_t bytes() const { return bytes_; }  ///< Rounded up to pages.
    /// From now on they may be read and run, and no longer written. False, with the reason in `why`, if the system does
    /// not allow it.
    bool make_executable(std::string& why);

private:
    std::byte* data_ = nullptr;
    std::uint64_t bytes_ = 0;
};

/// While it lives, this thread and those that it starts take no signals but those of faults and of profilers: a program
/// handles its signals in threads of its own. Does nothing on Windows.
class QuietThread {
public:
    QuietThread();
    ~QuietThread();
    QuietThread(const QuietThread&) = delete;
    QuietThread& operator=(const QuietThread&) = delete;

private:
    struct Mask;
    std::unique_ptr<Mask> mask_;
};

/// What this process does at the signals that end a process, put back when it goes out of scope: compilers inside
/// drivers set handlers of their own, so that a process that ignores SIGHUP (nohup) would end at one. Does nothing on
/// Windows.
class KeptSignals {
public:
    KeptSignals();
    ~KeptSignals();
    KeptSignals(const KeptSignals&) = delete;
    KeptSignals& operator=(const KeptSignals&) = delete;

private:
    struct Actions;
    std::unique_ptr<Actions> actions_;
};

}  // namespace seiche::runtime
