// Bytes between processes of one machine by copies from each other's device memory, as CUDA's IPC shares it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "seiche/device.hpp"
#include "seiche/distributed/communicator.hpp"
#include "seiche/distributed/peers.hpp"
#include "seiche/visibility.h"

SEICHE_EXPORT_BEGIN
namespace seiche::distributed {

/// Memory and marks that other processes of the machine open by a handle, which is any bytes.
class Ipc : public Marks {
public:
    /// An allocation, and where in it something begins.
    struct Shared {
        std::string handle = {};
        std::uint64_t offset = 0, bytes = 0;  ///< `bytes` of the allocation.
    };

    /// Throws Unsupported for a device whose memory cannot be shared.
    virtual void check(const Device& device) = 0;
    virtual std::string share(Mark& mark) = 0;
    virtual std::shared_ptr<Mark> open_mark(const Device& device, const std::string& handle) = 0;
    virtual Shared share(const Device& device, const BufferView& view) = 0;
    /// The whole allocation. It is closed when nothing holds the result.
    virtual std::shared_ptr<const Buffer> open_memory(const Device& device, const Shared& shared) = 0;
    /// Tells processes apart, and machines.
    virtual std::string process() const = 0;
    virtual std::string machine() const = 0;
};

/// That of CUDA's driver; null where there is none.
std::shared_ptr<Ipc> cuda_ipc();

/// The same ranks, each a process of one machine with a device, which may be the same for several. Exchanges are copies
/// in the receiver's queue from the sender's memory, ordered by events; the processes tell each other through `ranks`
/// what is enqueued, and do not wait for the devices. All ranks call this. Throws Unsupported where there is no `ipc`
/// or the device has none, InvalidProblem for ranks of one process or of several machines.
///
/// A rank keeps the last buffer open that each other rank sent from. Use one queue, wait for it before the communicator
/// goes, and free buffers that were sent from after the communicators of all ranks are gone. They have to be of
/// cuMemAlloc's or cudaMalloc's memory, as Device::allocate gives it.
std::shared_ptr<Communicator> ipc_ranks(std::shared_ptr<Communicator> ranks, const Device& device,
                                        std::shared_ptr<Ipc> ipc = cuda_ipc());

}  // namespace seiche::distributed
SEICHE_EXPORT_END
