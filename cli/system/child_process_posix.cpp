// Another program that is asked and answers line by line, on Linux, macOS and their like.
#include "cli/system/child_process.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "cli/text/failure.hpp"

extern char** environ;

namespace seiche::cli {

struct ChildProcess::Native {
    int process = -1, socket = -1;
};

namespace {

/// This program's environment before any driver was loaded. Drivers change it: PoCL 5 sets OCL_ICD_FILENAMES to itself,
/// and a program started after finds no other OpenCL device.
const std::vector<std::string> environment_at_start = [] {
    std::vector<std::string> found;
    for (char** entry = environ; *entry != nullptr; ++entry) found.emplace_back(*entry);
    return found;
}();

std::vector<std::string> merged_environment(const std::vector<std::pair<std::string, std::string>>& added) {
    std::vector<std::string> merged;
    for (const std::string& text : environment_at_start) {
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

int run_program(const std::vector<std::string>& command,
                const std::vector<std::pair<std::string, std::string>>& environment) {
    std::vector<std::string> texts = command;
    for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
    execvp(command.at(0).c_str(), pointers(texts).data());
    throw Failure("cannot start " + command.front() + ": " + std::strerror(errno));
}

ChildProcess::ChildProcess(const std::vector<std::string>& command,
                           const std::vector<std::pair<std::string, std::string>>& environment)
    : name_(command.at(0)), native_(std::make_unique<Native>()) {
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
    const int code = posix_spawn(&native_->process, name_.c_str(), &actions, nullptr, pointers(arguments).data(),
                                 pointers(variables).data());
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    native_->socket = ends[0];
    if (code != 0) {
        close(native_->socket);
        throw Failure("cannot start " + name_ + ": " + std::strerror(code));
    }
}

ChildProcess::~ChildProcess() {
    close(native_->socket);
    while (waitpid(native_->process, nullptr, 0) < 0 && errno == EINTR) {
    }
}

void ChildProcess::send(const std::string& line) {
    const std::string text = line + "\n";
    for (std::size_t sent = 0; sent < text.size();) {
        const ssize_t count = ::send(native_->socket, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) throw Failure(name_ + " ended before it was asked: " + line);
        sent += static_cast<std::size_t>(count);
    }
}

std::size_t ChildProcess::read(char* to, std::size_t most) {
    for (;;) {
        const ssize_t count = ::read(native_->socket, to, most);
        if (count >= 0) return static_cast<std::size_t>(count);
        if (errno != EINTR) return 0;
    }
}

}  // namespace seiche::cli
