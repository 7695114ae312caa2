// Linux, macOS and their like. With system_windows.cpp the only file that talks to the operating system beyond the
// standard library.
#include "runtime/system.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __linux__
#include <sched.h>
#include <sys/auxv.h>
#endif

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fstream>
#include <thread>
#include <vector>

#include "runtime/library.hpp"
#include "runtime/memory_limit.hpp"
#include "runtime/process.hpp"

namespace seiche::runtime {

namespace fs = std::filesystem;

std::atomic<unsigned> forks_so_far{0};

namespace {

void count_fork() { forks_so_far.fetch_add(1, std::memory_order_relaxed); }
[[maybe_unused]] const int counts_forks = pthread_atfork(nullptr, nullptr, count_fork);

/// Whether this program has rights that whoever started it has not.
bool has_others_rights() {
#ifdef __linux__
    static const bool answer = getauxval(AT_SECURE) != 0;
#else
    static const bool answer = issetugid() != 0;
#endif
    return answer;
}

/// Why others than this user and the administrator may change what `status` is of; empty if they may not.
std::string why_not_mine(const struct stat& status) {
    if (status.st_uid != geteuid() && status.st_uid != 0)
        return "belongs to user " + std::to_string(status.st_uid) + ", not to " + std::to_string(geteuid());
    if (S_ISLNK(status.st_mode) || (status.st_mode & (S_IWGRP | S_IWOTH)) == 0) return {};
    const bool is_for_all = S_ISDIR(status.st_mode) && (status.st_mode & S_ISVTX) != 0;
    return is_for_all ? "is a folder for everybody: name one below it" : "is writable by others: chmod go-w";
}

/// In a folder with the sticky bit nobody but its owner may rename what is another's.
std::string why_not_mine_above(struct stat status) {
    if ((status.st_mode & S_ISVTX) != 0) status.st_mode &= ~static_cast<mode_t>(S_IWGRP | S_IWOTH);
    return why_not_mine(status);
}

/// Walks from the root to a folder, links included, as the system does when it looks a path up.
class Walk {
public:
    explicit Walk(const fs::path& path) { take(path); }

    std::string why_untrusted() {
        while (problem_.empty() && !left_.empty()) step();
        return problem_;
    }

private:
    /// Of a link's text or the path itself: its parts come next.
    void take(const fs::path& path) {
        std::deque<fs::path> parts;
        if (path.is_absolute()) parts.emplace_back("/");
        for (const fs::path& part : path.relative_path())
            if (!part.empty() && part != ".") parts.push_back(part);
        left_.insert(left_.begin(), parts.begin(), parts.end());
    }

    void step() {
        const fs::path part = left_.front();
        left_.pop_front();
        const fs::path next = part == ".." ? at_.parent_path() : at_ / part;
        struct stat status {};
        if (lstat(next.c_str(), &status) != 0) {
            if (errno == ENOENT)
                left_.clear();  // what is not there yet will be this user's
            else
                problem_ = next.string() + ": " + std::strerror(errno);
            return;
        }
        if (S_ISLNK(status.st_mode)) return follow(next, status);
        const std::string fault = left_.empty() ? why_not_mine(status) : why_not_mine_above(status);
        if (!fault.empty()) problem_ = next.string() + " " + fault;
        at_ = next;
    }

    void follow(const fs::path& link, const struct stat& status) {
        constexpr int most_links = 40;  // as Linux allows
        std::error_code failed;
        const fs::path target = fs::read_symlink(link, failed);
        problem_ = why_not_mine(status);
        if (failed || ++links_ > most_links) problem_ = "leads nowhere";
        if (!problem_.empty()) problem_ = link.string() + " " + problem_;
        take(target);
    }

    fs::path at_;
    std::deque<fs::path> left_;
    std::string problem_;
    int links_ = 0;
};

bool write_all(int file, std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t written = write(file, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return true;
}

/// What address space is left to this process; 0: there is no limit.
std::uint64_t address_space_left() {
    struct rlimit limit {};
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return 0;
    std::uint64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const std::uint64_t used = pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    return limit.rlim_cur > used ? limit.rlim_cur - used : 1;
}

}  // namespace

void keep_loaded() {
    static const bool done = [] {
        Dl_info here{};
        if (dladdr(reinterpret_cast<const void*>(&keep_loaded), &here) == 0 || here.dli_fname == nullptr) return false;
        // A program itself has no such name to be opened by, and needs none.
        return dlopen(here.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE) != nullptr;
    }();
    static_cast<void>(done);
}

void* load_library(const std::string& name, std::string& why) {
    void* const handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle != nullptr) return handle;
    const char* reason = dlerror();
    why = reason != nullptr ? reason : "cannot load " + name;
    return nullptr;
}

void* find_symbol(void* library, const char* name) { return dlsym(library, name); }

std::vector<std::string> names_here(const LibraryNames& names) {
#ifdef __APPLE__
    return names.dylib;
#else
    return names.so;
#endif
}

std::string environment(const char* name) {
    const char* const value = has_others_rights() ? nullptr : std::getenv(name);
    return value != nullptr ? value : "";
}

std::uint64_t memory_limit() {
    const long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
    const std::uint64_t host =
        pages > 0 && bytes > 0 ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(bytes) : 0;
    static const std::uint64_t group = control_group_limit("/proc/self/cgroup", "/sys/fs/cgroup");
    std::uint64_t least = 0;
    for (const std::uint64_t limit : {host, group, address_space_left()})
        if (limit != 0) least = least == 0 ? limit : std::min(least, limit);
    return least;
}

fs::path user_cache_folder() {
    if (const std::string xdg = environment("XDG_CACHE_HOME"); !xdg.empty()) return xdg;
    if (const std::string home = environment("HOME"); !home.empty()) return fs::path(home) / ".cache";
    return {};
}

fs::path temporary_folder() {
    std::error_code failed;
    if (const fs::path named = environment("TMPDIR"); fs::is_directory(named, failed)) return named;
    return fs::is_directory("/tmp", failed) ? "/tmp" : "";
}

unsigned long process_number() { return static_cast<unsigned long>(getpid()); }

bool takes_files(const fs::path& folder) { return access(folder.c_str(), W_OK | X_OK) == 0; }

std::string why_untrusted(const fs::path& folder) {
    std::error_code failed;
    const fs::path absolute = fs::absolute(folder, failed);
    return failed ? folder.string() + ": " + failed.message() : Walk(absolute).why_untrusted();
}

bool make_private_folder(const fs::path& folder) {
    std::error_code failed;
    if (fs::is_directory(folder, failed)) return true;
    if (folder.has_parent_path() && folder.parent_path() != folder && !make_private_folder(folder.parent_path()))
        return false;
    return mkdir(folder.c_str(), S_IRWXU) == 0 || fs::is_directory(folder, failed);
}

bool write_private_file(const fs::path& path, std::initializer_list<std::span<const std::byte>> contents) {
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (file < 0) return false;
    bool is_written = true;
    for (const auto& part : contents) is_written = is_written && write_all(file, part);
    is_written = close(file) == 0 && is_written;
    if (!is_written) unlink(path.c_str());
    return is_written;
}

InputFile::InputFile(const fs::path& path, Whose whose, std::string& why) {
    const bool is_private = whose == Whose::only_mine;
    const int file = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | (is_private ? O_NOFOLLOW : 0));
    why.clear();
    if (file < 0) {
        if (errno != ENOENT)
            why = errno == ELOOP && is_private ? "is a link" : std::string("cannot be opened: ") + std::strerror(errno);
        return;
    }
    struct stat status {};
    if (fstat(file, &status) != 0)
        why = std::string("cannot be opened: ") + std::strerror(errno);
    else if (!S_ISREG(status.st_mode))
        why = "is no regular file";
    else if (is_private)
        why = why_not_mine(status);
    if (!why.empty()) {
        close(file);
        return;
    }
    handle_ = file;
    bytes_ = static_cast<std::uint64_t>(status.st_size);
}

InputFile::~InputFile() {
    if (handle_ != none) close(static_cast<int>(handle_));
}

bool InputFile::read(std::uint64_t offset, void* to, std::size_t count) const {
    auto* bytes = static_cast<std::byte*>(to);
    while (count != 0) {
        const ssize_t got = pread(static_cast<int>(handle_), bytes, count, static_cast<off_t>(offset));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        bytes += got;
        offset += static_cast<std::uint64_t>(got);
        count -= static_cast<std::size_t>(got);
    }
    return true;
}

void InputFile::touch() const { futimens(static_cast<int>(handle_), nullptr); }

namespace {

/// Those that a compiler takes to remove its temporary files at. Not those of faults: a driver may need its own there.
constexpr std::array ending_signals{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGUSR1, SIGUSR2};

}  // namespace

struct KeptSignals::Actions {
    std::array<struct sigaction, ending_signals.size()> list{};
};

KeptSignals::KeptSignals() : actions_(std::make_unique<Actions>()) {
    for (std::size_t i = 0; i < ending_signals.size(); ++i) sigaction(ending_signals[i], nullptr, &actions_->list[i]);
}

KeptSignals::~KeptSignals() {
    for (std::size_t i = 0; i < ending_signals.size(); ++i) sigaction(ending_signals[i], &actions_->list[i], nullptr);
}

namespace {

/// 0: the system does not say.
unsigned processors_of_affinity() {
#ifdef __linux__
    // The kernel's own set may be larger than cpu_set_t, and then it refuses to give a part of it.
    for (std::size_t count = CPU_SETSIZE; count <= std::size_t{1} << 20; count *= 2) {
        std::vector<cpu_set_t> set(count / CPU_SETSIZE);
        const std::size_t bytes = set.size() * sizeof(cpu_set_t);
        if (sched_getaffinity(0, bytes, set.data()) == 0) return static_cast<unsigned>(CPU_COUNT_S(bytes, set.data()));
        if (errno != EINVAL) break;
    }
#endif
    return std::thread::hardware_concurrency();
}

}  // namespace

unsigned allowed_processors() {
    const unsigned processors = std::max(processors_of_affinity(), 1u);
    const double quota = control_group_processors("/proc/self/cgroup", "/sys/fs/cgroup");
    return quota > 0 && quota < processors ? std::max(static_cast<unsigned>(std::ceil(quota)), 1u) : processors;
}

bool append_line(const fs::path& path, const std::string& line) {
    const int file =
        open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (file < 0) return false;
    struct stat status {};
    const std::string text = line + '\n';  // in one call, so that those of several threads do not mix
    const bool is_ours = fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid();
    const bool is_written = is_ours && write_all(file, std::as_bytes(std::span(text)));
    return close(file) == 0 && is_written;
}

Pages::Pages(std::uint64_t bytes, bool are_large) {
    const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    constexpr std::uint64_t large_page = std::uint64_t{2} << 20, most = std::uint64_t{1} << 60;
    if (bytes == 0 || bytes > most) return;
    const std::uint64_t rounded = (bytes + page - 1) / page * page, spare = are_large ? large_page : 0;
    void* const got = mmap(nullptr, rounded + spare, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (got == MAP_FAILED) return;
    auto* const first = static_cast<std::byte*>(got);
    const std::uint64_t before = spare == 0 ? 0 : (large_page - reinterpret_cast<std::uintptr_t>(first)) % large_page;
    if (before != 0) munmap(first, before);
    if (spare != before) munmap(first + before + rounded, spare - before);
    data_ = first + before;
    bytes_ = rounded;
#ifdef MADV_HUGEPAGE
    if (are_large) madvise(data_, bytes_, MADV_HUGEPAGE);  // a wish
#endif
}

Pages::~Pages() {
    if (data_ != nullptr) munmap(data_, bytes_);
}

bool Pages::make_executable(std::string& why) {
    if (data_ != nullptr && mprotect(data_, bytes_, PROT_READ | PROT_EXEC) == 0) return true;
    why = data_ == nullptr ? "there is no memory" : std::strerror(errno);
    return false;
}

struct QuietThread::Mask {
    sigset_t former{};
};

QuietThread::QuietThread() : mask_(std::make_unique<Mask>()) {
    sigset_t held;
    sigfillset(&held);
    for (const int of_faults : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS, SIGPROF})
        sigdelset(&held, of_faults);
    pthread_sigmask(SIG_BLOCK, &held, &mask_->former);
}

QuietThread::~QuietThread() { pthread_sigmask(SIG_SETMASK, &mask_->former, nullptr); }

}  // namespace seiche::runtime
