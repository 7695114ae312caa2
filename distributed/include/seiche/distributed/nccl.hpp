// Bytes between ranks by NCCL, which is loaded at run time: cards of one machine or of several.
#pragma once

#include <memory>
#include <string>

#include "seiche/device.hpp"
#include "seiche/distributed/communicator.hpp"
#include "seiche/visibility.h"

SEICHE_EXPORT_BEGIN
namespace seiche::distributed {

struct NcclOptions {
    std::string library = {};  ///< Empty: libnccl.so.2, wherever the system's loader finds it.
};

/// The same ranks, threads or processes, each with a card of its own: `device`, which is CUDA's. Exchanges are NCCL's
/// sends and receives in the queue, and return before bytes have moved; everything else goes through `ranks`. All ranks
/// call this. Throws Unsupported where there is no NCCL or no device of CUDA, BackendError where NCCL fails, as with
/// two ranks on one card.
///
/// NCCL waits on the devices: the time limit of `ranks` does not hold for exchanges, and sizes that do not agree are
/// not noticed. Plans of this library compare them when they are made.
std::shared_ptr<Communicator> nccl_ranks(std::shared_ptr<Communicator> ranks, const Device& device,
                                         const NcclOptions& options = {});

}  // namespace seiche::distributed
SEICHE_EXPORT_END
