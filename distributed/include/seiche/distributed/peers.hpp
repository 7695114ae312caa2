// Ranks that are threads, and how bytes go between their devices: by copies that the driver orders, or through the
// host.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "seiche/device.hpp"
#include "seiche/distributed/communicator.hpp"
#include "seiche/visibility.h"

SEICHE_EXPORT_BEGIN
namespace seiche::distributed {

/// Points in the order of queues that other queues can wait for, and copies between them: what an exchange without the
/// host needs of a driver. Nothing here waits for a device. Used by several threads at a time. Failures are thrown as
/// BackendError.
class Marks {
public:
    /// A point in the order of one device's queues, which is recorded again and again.
    class Mark {
    public:
        Mark() = default;
        Mark(const Mark&) = delete;
        Mark& operator=(const Mark&) = delete;
        virtual ~Mark() = default;
    };

    Marks() = default;
    Marks(const Marks&) = delete;
    Marks& operator=(const Marks&) = delete;
    virtual ~Marks() = default;

    virtual std::shared_ptr<Mark> make_mark(const Device& device) = 0;
    /// The mark, of the queue's device, stands for this point of the queue from now on.
    virtual void record(Queue& queue, Mark& mark) = 0;
    /// What is enqueued from now on begins after the point that the mark stands for now.
    virtual void wait_for(Queue& queue, Mark& mark) = 0;
    /// Calls `work`, which enqueues on the queue. Queues of a test may call it when it is its turn.
    virtual void enqueue(Queue& /*queue*/, const std::function<void()>& work) { work(); }
    /// In the queue of `to`'s device.
    virtual void copy(Queue& queue, const BufferView& to, const BufferView& from, std::uint64_t bytes) = 0;
    /// The bytes that a row should have at least; none: rows are not copied.
    virtual std::optional<std::uint64_t> shortest_row() const { return {}; }
    /// The same in rows; a copy for each unless the driver does better.
    virtual void copy_rows(Queue& queue, const Device& to_device, const BufferView& to, const Device& from_device,
                           const BufferView& from, const Rows& rows);
};

/// Devices of one process whose queues copy from each other's memory.
class Peers : public Marks {
public:
    /// Whether queues of either device can copy from the other's memory.
    virtual bool connects(const Device& one, const Device& other) = 0;
    /// Called before queues of `own` copy from memory of `other` for the first time.
    virtual void connect(const Device& own, const Device& other) = 0;
};

/// Those of CUDA's driver; null where there is none.
std::shared_ptr<Peers> cuda_peers();

/// How bytes go from one rank to another.
enum class Transport {
    automatic,  ///< Peer copies where all ranks' devices have them, else through the host's memory.
    host,       ///< Through the host's memory; between buffers of one device by its own copies.
    peer,       ///< By peer copies, or not at all: Unsupported where a rank's device has none.
};

struct ThreadOptions {
    std::chrono::milliseconds time_limit = std::chrono::seconds(60);
    Transport transport = Transport::automatic;
    std::shared_ptr<Peers> peers = cuda_peers();
};

/// As `thread_ranks(count, time_limit)`, with a say in how bytes go.
///
/// An exchange by peer copies is enqueued and returns before bytes have moved: each rank's queue copies from the
/// others' memory when their queues have written it, and goes on when the others have copied what they take. When a
/// rank has waited for its queue, nobody reads its buffers any more.
std::vector<std::shared_ptr<Communicator>> thread_ranks(int count, const ThreadOptions& options);

}  // namespace seiche::distributed
SEICHE_EXPORT_END
