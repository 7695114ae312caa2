// A file that appears only when it is complete: written under a temporary name in the same folder, then renamed.
#include "cli/io/output_file.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>

#include "cli/system/system.hpp"
#include "cli/text/failure.hpp"
#include "cli/text/text.hpp"

namespace seiche::cli::io {
namespace {

/// Names of the temporary files that are open, for the signal handler: it may only do the simplest things.
constexpr std::size_t most_open = 16;
std::array<std::atomic<const char*>, most_open> open_files{};
static_assert(std::atomic<const char*>::is_always_lock_free);

extern "C" void remove_open_files(int signal_number) {
    for (auto& name : open_files)
        if (const char* path = name.load()) remove_file(path);
    std::signal(signal_number, SIG_DFL);
    std::raise(signal_number);
}

void remember(const char* path) {
    static const bool installed = [] {
        for (const int signal_number : ending_signals())
            if (std::signal(signal_number, remove_open_files) == SIG_IGN) std::signal(signal_number, SIG_IGN);
        return true;
    }();
    static_cast<void>(installed);
    for (auto& name : open_files) {
        const char* none = nullptr;
        if (name.compare_exchange_strong(none, path)) return;
    }
}

void forget(const char* path) {
    for (auto& name : open_files) {
        const char* expected = path;
        if (name.compare_exchange_strong(expected, nullptr)) return;
    }
}

std::atomic<bool> standard_output_taken{false};
constexpr std::string_view stream_name = "-";

}  // namespace

bool is_standard_output(const std::string& name) {
    if (name == stream_name || name == "/dev/stdout" || name == "/dev/fd/1" || name == "/proc/self/fd/1") return true;
    const std::size_t colon = name.find(':');
    if (colon == 0 || colon == std::string::npos || name.substr(colon + 1) != stream_name) return false;
    return std::all_of(name.begin(), name.begin() + static_cast<std::ptrdiff_t>(colon),
                       [](unsigned char c) { return std::isalnum(c) != 0; });
}

std::string output_extension(const std::string& name, const std::string& of_stream) {
    if (!is_standard_output(name)) return extension(name);
    const std::size_t colon = name.find(':');
    return colon == std::string::npos ? of_stream : extension("x." + name.substr(0, colon));
}

OutputFile::OutputFile(const std::string& name) : path_(name) {
    namespace fs = std::filesystem;
    if (is_standard_output(name)) {
        path_ = "standard output";
        const std::string kind = output_extension(name, "");
        if (kind != ".csv" && kind != ".txt" && is_terminal_stdout())
            throw Failure("cannot write to standard output: expected a file or a pipe, got a terminal");
        if (standard_output_taken.exchange(true)) throw Failure("expected one output to standard output, got several");
        file_ = take_standard_output();
        if (file_ == nullptr) fail("cannot open");
        return;
    }
    const fs::path path = path_of(name);
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) throw Failure("cannot write '" + name + "': it is a folder");
    if (fs::exists(path, ignored) && !fs::is_regular_file(path, ignored)) {
        file_ = open_file(name, "wb");
        if (file_ == nullptr) fail("cannot open");
        return;
    }
    // A link keeps pointing where it points: the file behind it is replaced.
    if (fs::is_symlink(path, ignored)) path_ = fs::weakly_canonical(path).string();
    const fs::path folder = path_of(path_).parent_path(), file = path_of(path_).filename();
    if (file.empty()) throw Failure("cannot write '" + name + "': it names no file");
    temporary_ = (folder / path_of("." + file.string() + "." + std::to_string(process_number()) + ".part")).string();
    remember(temporary_.c_str());  // before it is there, so that no signal comes between
    file_ = create_file(temporary_);
    if (file_ == nullptr) {
        forget(temporary_.c_str());
        temporary_.clear();
        fail("cannot write");
    }
}

OutputFile::~OutputFile() {
    if (file_ != nullptr) std::fclose(file_);
    discard();
}

void OutputFile::discard() noexcept {
    if (temporary_.empty()) return;
    remove_file(temporary_.c_str());
    forget(temporary_.c_str());
    temporary_.clear();
}

void OutputFile::write(const void* data, std::size_t bytes) {
    if (bytes != 0 && std::fwrite(data, 1, bytes, file_) != bytes) fail("cannot write");
}

void OutputFile::commit() {
    const int flushed = std::fclose(file_);
    file_ = nullptr;
    if (flushed != 0) fail("cannot write");
    if (temporary_.empty()) return;
    replace_file(temporary_, path_);
    forget(temporary_.c_str());
    temporary_.clear();
}

void OutputFile::fail(const std::string& what) const {
    throw Failure(what + " '" + path_ + "': " + std::strerror(errno));
}

}  // namespace seiche::cli::io
