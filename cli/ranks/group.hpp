// Ranks of the tool: threads of this process with a device each, or the processes that mpiexec started.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli/ranks/group_options.hpp"
#include "seiche/device.hpp"
#include "seiche/distributed/communicator.hpp"

namespace seiche::cli {

struct RankGroup {
    int ranks = 2;                          ///< Threads.
    std::vector<std::string> devices = {};  ///< A device for each rank, in turn; none: the default one.
    bool mpi = false;                       ///< The ranks are processes, and the two before this one of them.
    std::string mpi_library = {};           ///< With MPI's standard ABI; empty: libmpi_abi.so.1.
    std::string transport = "automatic";    ///< Or host, peer, nccl, ipc.
    std::string nccl_library = {};          ///< Empty: libnccl.so.2.
    double time_limit = 60;                 ///< Seconds that ranks wait for each other.
    bool packed = false;                    ///< Peer copies of whole messages, not of rows.
};

/// Of a command's options; `device` is that of --device.
RankGroup group_of(const GroupOptions& options, const std::string& device);

using RankWork = std::function<void(const std::shared_ptr<distributed::Communicator>&, const Device&)>;

/// Calls `work` on each rank. What a rank throws is said on stderr, with `program` and its number before it. Whether
/// none of this process has thrown.
bool on_each_rank(const RankGroup& group, const std::string& program, const RankWork& work);

}  // namespace seiche::cli
