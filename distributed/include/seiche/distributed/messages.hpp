// Ranks that send each other messages: what a communicator needs of MPI, or of anything else that moves bytes between
// processes.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "seiche/distributed/communicator.hpp"
#include "seiche/visibility.h"

SEICHE_EXPORT_BEGIN
namespace seiche::distributed {

/// Calls part(offset, bytes) for the parts of a message of which each has so many bytes at most: both ends of it do so
/// alike, since libraries count in fewer bits than a message may have bytes.
template <class Part>
void for_parts(std::uint64_t bytes, std::uint64_t most, const Part& part) {
    for (std::uint64_t offset = 0; offset < bytes; offset += most) part(offset, std::min(bytes - offset, most));
}

/// Messages between processes, none of which waits. Of two messages with one tag from one rank to another, the first
/// is received first. Failures are thrown as BackendError.
class Messages {
public:
    /// One message on its way. What it reads or writes must live until `is_done` has been true.
    class Request {
    public:
        Request() = default;
        Request(const Request&) = delete;
        Request& operator=(const Request&) = delete;
        virtual ~Request() = default;
        /// Lets messages go on, and says whether this one has gone or come. Not called again after that.
        virtual bool is_done() = 0;
    };

    Messages() = default;
    Messages(const Messages&) = delete;
    Messages& operator=(const Messages&) = delete;
    virtual ~Messages() = default;

    virtual int rank() const = 0;
    virtual int size() const = 0;
    virtual std::unique_ptr<Request> send(const void* data, std::uint64_t bytes, int to, int tag) = 0;
    virtual std::unique_ptr<Request> receive(void* data, std::uint64_t bytes, int from, int tag) = 0;
    /// Called once where a rank was missed: no message will be waited for any more, and what belongs to the process
    /// group must not be released in a call that waits for that rank.
    virtual void abandon() noexcept {}
};

struct MessageOptions {
    /// How long the others of a call may take to come, and bytes to arrive.
    std::chrono::milliseconds time_limit = std::chrono::seconds(60);
    /// The messages read and write device memory of CUDA and HIP by its address, as GPU-aware MPI does. Nothing finds
    /// out whether that is so: with an MPI that cannot, the process ends in a fault. Without it, bytes go through the
    /// host's memory.
    bool reads_device_memory = false;
};

/// Ranks over messages, all of which have the tag 0. After an AbsentRank the buffers that were under way stay
/// allocated.
std::shared_ptr<Communicator> communicator(std::shared_ptr<Messages> messages, const MessageOptions& options = {});

}  // namespace seiche::distributed
SEICHE_EXPORT_END
