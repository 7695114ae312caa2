// Plans over several processes (MpAttachComm), each with one part of the array.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "seiche/distributed/box.hpp"
#include "seiche/distributed/communicator.hpp"
#include "several_cards.hpp"

namespace seiche::compat {

/// How bytes go between the processes, and what that asks of memory.
struct Exchanges {
    std::shared_ptr<distributed::Communicator> ranks;
    /// What is sent has to be memory that this library allocated (peer_memory.hpp): others open it.
    bool opens_memory = false;
};
/// CUDA's IPC where all processes are on one machine, else NCCL, else MPI's messages, or what the setting EXCHANGE
/// says: ipc, nccl or mpi. All processes call this.
Exchanges exchanges_between(const std::shared_ptr<distributed::Communicator>& ranks, const Device& device);

/// This process's boxes before and after a forward transform (XtSetDistribution).
struct Distribution {
    distributed::Box input, output;
};
/// Of the arguments of a call: `rank` numbers each, in elements. Throws Refused where they are no box.
distributed::Box box_of(int rank, const long long* lower, const long long* upper, const long long* strides,
                        const char* name);
/// The boxes of all processes, by rank; strides only of the own one.
std::vector<distributed::Box> gathered(distributed::Communicator& ranks, const distributed::Box& own);
/// Elements from a box's first to behind its last in this process's memory.
std::uint64_t span_of(const distributed::Box& box);

/// What a plan is told before it is made.
struct ProcessSettings {
    std::shared_ptr<distributed::Communicator> ranks;
    std::optional<Distribution> distribution = {};
    /// The formats that executions without descriptors start from, forward and inverse.
    std::optional<std::pair<int, int>> formats = {};
};

/// Makes the plans; all processes call it. The array is in the formats 2 and 3, slabs along the first and the second
/// axis, or with a distribution in the formats 5 and 6, its two sides.
std::unique_ptr<SeveralCards> plan_of_processes(const ProcessSettings& settings, const PlanRequest& request,
                                                std::optional<double> scale, bool allocates, void* stream);

}  // namespace seiche::compat
