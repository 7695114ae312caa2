// Another program that is asked and answers line by line; child_process_posix.cpp and child_process_windows.cpp start
// it.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace seiche::cli {

/// Runs `command` (path or, on POSIX, a name that is looked for in PATH, then arguments) with this program's input,
/// output and environment with `environment` added, in its place where the system can, and gives its exit status.
/// Throws Failure if it cannot be started.
int run_program(const std::vector<std::string>& command,
                const std::vector<std::pair<std::string, std::string>>& environment = {});

class ChildProcess {
public:
    /// Starts `command` (path, then arguments) with `environment` added to what this process was started with, whatever
    /// drivers have made of that since; its standard error goes nowhere. Throws Failure if it cannot be started.
    explicit ChildProcess(const std::vector<std::string>& command,
                          const std::vector<std::pair<std::string, std::string>>& environment = {});
    /// Closes its input and waits for its end.
    ~ChildProcess();
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    /// Sends a line. Throws Failure if the program has ended.
    void send(const std::string& line);
    /// The next line of its output; throws Failure if it ends first.
    std::string receive();

private:
    /// Waits for bytes of its output, at most `most`; 0 where it has ended.
    std::size_t read(char* to, std::size_t most);

    struct Native;
    std::string name_, received_;
    std::unique_ptr<Native> native_;
};

}  // namespace seiche::cli
