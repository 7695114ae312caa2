// Communicators: the ranks that work on one array, and how bytes go from one to another.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "seiche/device.hpp"
#include "seiche/error.hpp"
#include "seiche/visibility.h"

SEICHE_EXPORT_BEGIN
namespace seiche::distributed {

class Marks;

/// A rank that did not take part within the time limit, or that ended. The communicator is of no use any more: all
/// further calls throw the same.
struct AbsentRank : BackendError {
    AbsentRank(int absent, const std::string& message) : BackendError(message), rank(absent) {}
    int rank = 0;  ///< The first of those that are missing.
};

/// Bytes that lie in rows, as a box of an array does: `slices` times `rows` times `bytes`. Offsets and steps in bytes.
struct Rows {
    std::uint64_t bytes = 0, rows = 1, slices = 1;
    std::uint64_t from = 0, from_row = 0, from_slice = 0;  ///< In what the sender sends.
    std::uint64_t to = 0, to_row = 0, to_slice = 0;        ///< In what the receiver receives.
};

/// What one rank sends to and receives from each rank of a communicator, itself included. All sizes are in bytes, and
/// each vector has one number per rank; offsets count from the view's. What a rank sends to another is what that one
/// expects from it. `send` and `receive` do not overlap.
struct Exchange {
    Device device = {};  ///< Of both buffers.
    BufferView send = {}, receive = {};
    std::vector<std::uint64_t> send_bytes = {}, send_offsets = {};
    std::vector<std::uint64_t> receive_bytes = {}, receive_offsets = {};
    /// Empty, or how this rank takes each rank's bytes, in place of all offsets. All ranks say so or none, where
    /// Communicator::shortest_row says on all of them that it can be.
    std::vector<std::vector<Rows>> rows = {};
};

/// One rank's end of a group of ranks. Every call but `rank` and `size` is one that all ranks make, in the same order,
/// also where two ranks are in several groups together. Ends of one rank are used by one thread at a time. If a rank
/// does not come within the communicator's time limit, the others throw AbsentRank.
class Communicator {
public:
    Communicator() = default;
    Communicator(const Communicator&) = delete;
    Communicator& operator=(const Communicator&) = delete;
    virtual ~Communicator() = default;

    virtual int rank() const = 0;
    virtual int size() const = 0;
    /// Moves bytes between all ranks. In the order of the queue: it sends what was enqueued before, and what is
    /// enqueued afterwards sees what was received. It may return earlier, or wait for the bytes.
    virtual void all_to_all_v(Queue& queue, const Exchange& exchange) = 0;
    /// The bytes that a row of `Exchange::rows` should have at least with this device: shorter ones are packed better.
    /// None: rows cannot be taken.
    virtual std::optional<std::uint64_t> shortest_row(const Device& /*device*/) const { return {}; }
    /// What orders queues of this device, where rows can be taken: exchanges in pieces need it (peers.hpp).
    virtual std::shared_ptr<Marks> marks(const Device& /*device*/) const { return nullptr; }
    /// The texts of all ranks, by rank, on each of them.
    virtual std::vector<std::string> all_gather(const std::string& own) = 0;
    /// Returns when all ranks have called it.
    virtual void barrier() { all_gather({}); }
    /// The ranks that give the same color, in the order of their keys and then of their ranks here. Null for a color
    /// below 0.
    virtual std::shared_ptr<Communicator> split(int color, int key) = 0;
    /// How bytes went in the last exchange, in words: "peer copies", "the host's memory". Empty before the first.
    virtual std::string transport() const { return {}; }
};

/// Each rank of a group of threads of this process: give one to each thread. Their devices may be several, or one
/// several times. Where all are CUDA's, bytes go by peer copies (peers.hpp), else through the host's memory. If a
/// rank's communicator goes before the others are done, they throw AbsentRank at once.
std::vector<std::shared_ptr<Communicator>> thread_ranks(
    int count, std::chrono::milliseconds time_limit = std::chrono::seconds(60));

}  // namespace seiche::distributed
SEICHE_EXPORT_END
