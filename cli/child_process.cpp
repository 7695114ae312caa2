// Another program that is asked and answers line by line.
#include "cli/child_process.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "cli/failure.hpp"

extern char** environ;

namespace seiche::cli {
namespace {

std::vector<std::string> merged_environment(const std::vector<std::pair<std::string, std::string>>& added) {
    std::vector<std::string> merged;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string text = *entry;
        bool replaced = false;
        for (const auto& [name, value] : added)
            replaced = replaced || text.compare(0, name.size() + 1, name + "=") == 0;
        if (!replaced) merged.push_back(text);
    }
    for (const auto& [name, value] : added) merged.push_back(name + "=" + value);
    return merged;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> result;
    for (std::string& text : texts) result.push_back(text.data());
    result.push_back(nullptr);
    return result;
}

}  // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& command,
                           const std::vector<std::pair<std::string, std::string>>& environment)
    : name_(command.at(0)) {
    // A socket, not two pipes: writing to a program that has ended is an error then, and not a signal.
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        throw Failure(std::string("cannot make a socket: ") + std::strerror(errno));
    }
    std::vector<std::string> arguments = command, variables = merged_environment(environment);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    const int code =
        posix_spawn(&pid_, name_.c_str(), &actions, nullptr, pointers(arguments).data(), pointers(variables).data());
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    socket_ = ends[0];
    if (code != 0) {
        close(socket_);
        throw Failure("cannot start " + name_ + ": " + std::strerror(code));
    }
}

ChildProcess::~ChildProcess() {
    close(socket_);
    while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
}

void ChildProcess::send(const std::string& line) {
    const std::string text = line + "\n";
    for (std::size_t sent = 0; sent < text.size();) {
        const ssize_t count = ::send(socket_, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) throw Failure(name_ + " ended before it was asked: " + line);
        sent += static_cast<std::size_t>(count);
    }
}

std::string ChildProcess::receive() {
    for (;;) {
        const std::size_t end = received_.find('\n');
        if (end != std::string::npos) {
            const std::string line = received_.substr(0, end);
            received_.erase(0, end + 1);
            return line;
        }
        char buffer[4096];
        const ssize_t count = read(socket_, buffer, sizeof buffer);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) throw Failure(name_ + " ended without an answer");
        received_.append(buffer, static_cast<std::size_t>(count));
    }
}

std::string own_path() {
    std::error_code error;
    const auto path = std::filesystem::read_symlink("/proc/self/exe", error);
    if (error) throw Failure("cannot find this program's own path: " + error.message());
    return path.string();
}

}  // namespace seiche::cli
