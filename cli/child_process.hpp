// Another program that is asked and answers line by line.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace seiche::cli {

class ChildProcess {
public:
    /// Starts `command` (path, then arguments) with `environment` added to this process's own; its standard error goes
    /// nowhere. Throws Failure if it cannot be started.
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
    std::string name_, received_;
    int pid_ = -1, socket_ = -1;
};

/// The path of this program.
std::string own_path();

}  // namespace seiche::cli
