// Processes that verify problems for `seiche check`: drivers that compile one kernel at a time in a process then use
// all processors, and one that crashes fails one problem only.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "cli/check/check_tasks.hpp"
#include "cli/system/child_process.hpp"

namespace seiche::cli {

/// The parent's side: this program again, as many times as there are tasks at once.
class CheckWorkers {
public:
    explicit CheckWorkers(std::string device) : device_(std::move(device)) {}
    /// Has an idle worker, or a new one, verify the task. Throws Failure with what it says.
    Accuracy verify(const CheckTask& task);

private:
    std::unique_ptr<ChildProcess> take();

    std::string device_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<ChildProcess>> idle_;
};

/// The worker's side: answers each line of standard input, a task, by one line, until there are no more.
void serve_checks(const std::string& device);

}  // namespace seiche::cli
