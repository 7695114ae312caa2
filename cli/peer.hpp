// Another FFT library, run by seiche-peers in a process of its own and in step with our runs.
#pragma once

#include <string>

#include "cli/child_process.hpp"
#include "seiche/device.hpp"
#include "seiche/problem.hpp"

namespace seiche::cli {

/// One prepared transform of one library.
class Peer {
public:
    /// Starts the library, plans the problem on the same device if it can, and verifies its answer. Throws Failure with
    /// the reason when it cannot.
    Peer(const std::string& name, const Problem& problem, const DeviceInfo& device);
    /// Milliseconds of one of `count` transforms, after one that is not timed.
    double run(unsigned count);
    /// "fftw-3.3.10, measured, 2 threads"
    const std::string& description() const { return description_; }
    double plan_milliseconds() const { return plan_milliseconds_; }

private:
    std::string ask(const std::string& request, const std::string& expected);

    std::string name_, description_;
    double plan_milliseconds_ = 0;
    ChildProcess process_;
};

}  // namespace seiche::cli
