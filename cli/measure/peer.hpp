// Another FFT library, run by seiche-peers in a process of its own and in step with our runs.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "cli/system/child_process.hpp"
#include "cli/text/failure.hpp"
#include "seiche/device.hpp"
#include "seiche/problem.hpp"

namespace seiche::cli {

/// The library cannot do this, however often it is asked; any other Failure is of the program that runs it.
struct PeerRefusal : Failure {
    using Failure::Failure;
};

/// A process for each library, which goes on from problem to problem, so that its driver and the library start once.
/// One that has ended is started anew for the next.
class PeerPrograms {
public:
    /// The answer to a request. Throws Failure if the process cannot be started, or ends.
    std::string ask(const std::string& library, const std::string& request);

private:
    std::map<std::string, std::unique_ptr<ChildProcess>> processes_;
};

/// One prepared transform of one library. `programs` must outlive it and has one of each library at a time.
class Peer {
public:
    /// Starts the library and plans the problem on the same device. Throws PeerRefusal with the reason when it cannot.
    Peer(PeerPrograms& programs, const std::string& name, const Problem& problem, const DeviceInfo& device,
         bool cached_input = false, bool in_graph = false);
    /// Its memory is free again.
    ~Peer();
    Peer(const Peer&) = delete;
    Peer& operator=(const Peer&) = delete;
    /// Transforms random data once; throws PeerRefusal when the answer is wrong. Nothing is run before.
    void verify();
    /// Milliseconds of one of `count` transforms, after one that is not timed.
    double run(unsigned count);
    /// "fftw-3.3.10, measured, 2 threads"
    const std::string& description() const { return description_; }
    double plan_milliseconds() const { return plan_milliseconds_; }

private:
    std::string ask(const std::string& request, const std::string& expected);

    PeerPrograms& programs_;
    std::string name_, description_;
    double plan_milliseconds_ = 0;
};

}  // namespace seiche::cli
