// Ranks of the MPI that the program has loaded, whichever it is: neither this library nor its build knows one.
#pragma once

#include <chrono>
#include <memory>

#include "seiche/distributed/communicator.hpp"

namespace seiche::compat {

/// The ranks of the communicator that `handle` points to, an MPI_Comm of the program's MPI; all of them call this.
/// Throws Refused where there is no MPI in the process, one that is not known, or one that is not initialised.
std::shared_ptr<distributed::Communicator> ranks_of_loaded_mpi(const void* handle,
                                                               std::chrono::milliseconds time_limit);

/// Whether MPI can still be called: it is initialised and not finalised.
bool loaded_mpi_is_running();

}  // namespace seiche::compat
