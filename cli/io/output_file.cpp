// A file that appears only when it is complete: written under a temporary name in the same folder, then renamed.
#include "cli/io/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>

#include "cli/failure.hpp"

namespace seiche::cli::io {
namespace {

/// Names of the temporary files that are open, for the signal handler: it may only do the simplest things.
constexpr std::size_t most_open = 16;
std::array<std::atomic<const char*>, most_open> open_files{};
static_assert(std::atomic<const char*>::is_always_lock_free);

extern "C" void remove_open_files(int signal_number) {
    for (auto& name : open_files)
        if (const char* path = name.load()) unlink(path);
    std::signal(signal_number, SIG_DFL);
    std::raise(signal_number);
}

void remember(const char* path) {
    static const bool installed = [] {
        for (const int signal_number : {SIGINT, SIGTERM, SIGHUP})
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

}  // namespace

OutputFile::OutputFile(const std::string& path) : path_(path) {
    namespace fs = std::filesystem;
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) throw Failure("cannot write '" + path + "': it is a folder");
    if (fs::exists(path, ignored) && !fs::is_regular_file(path, ignored)) {
        file_ = std::fopen(path.c_str(), "wb");
        if (file_ == nullptr) fail("cannot open");
        return;
    }
    // A link keeps pointing where it points: the file behind it is replaced.
    if (fs::is_symlink(path, ignored)) path_ = fs::weakly_canonical(path).string();
    const fs::path folder = fs::path(path_).parent_path(), name = fs::path(path_).filename();
    if (name.empty()) throw Failure("cannot write '" + path + "': it names no file");
    temporary_ = (folder / ("." + name.string() + "." + std::to_string(getpid()) + ".part")).string();
    const int descriptor = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0) {
        temporary_.clear();
        fail("cannot write");
    }
    remember(temporary_.c_str());
    file_ = fdopen(descriptor, "wb");
    if (file_ == nullptr) {
        close(descriptor);
        discard();
        fail("cannot write");
    }
}

OutputFile::~OutputFile() {
    if (file_ != nullptr) std::fclose(file_);
    discard();
}

void OutputFile::discard() noexcept {
    if (temporary_.empty()) return;
    unlink(temporary_.c_str());
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
    if (std::rename(temporary_.c_str(), path_.c_str()) != 0) fail("cannot rename to");
    forget(temporary_.c_str());
    temporary_.clear();
}

void OutputFile::fail(const std::string& what) const {
    throw Failure(what + " '" + path_ + "': " + std::strerror(errno));
}

}  // namespace seiche::cli::io
