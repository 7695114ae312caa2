// What cuFFTMp's functions of plans and of reshapes have in common.
#pragma once

#include <memory>

#include "seiche/distributed/communicator.hpp"

namespace seiche::compat {

/// The ranks of an AttachComm call's arguments. All processes of the communicator call this. Throws Refused.
std::shared_ptr<distributed::Communicator> attached_ranks(int type, const void* comm);

}  // namespace seiche::compat
