// Ranks of an MPI that is loaded at run time through MPI's standard ABI (MPI 5.0): neither this library nor your
// program is compiled against one.
#pragma once

#include <memory>
#include <string>

#include "seiche/distributed/messages.hpp"
#include "seiche/visibility.h"

SEICHE_EXPORT_BEGIN
namespace seiche::distributed::mpi {

/// All processes of MPI_COMM_WORLD. Loads `library` (empty: libmpi_abi.so.1, wherever the system's loader finds it) and
/// initialises MPI unless the program has; what was initialised here is finalised when the communicator goes, and
/// cannot be initialised again in this process. Throws Unsupported where there is no such library, BackendError where
/// MPI fails or not all processes come within the time limit.
std::shared_ptr<Communicator> world(const MessageOptions& options = {}, const std::string& library = {});

/// The processes of `comm`, an MPI_Comm of that ABI, all of which call this: it makes a duplicate. MPI must have been
/// initialised by the program, InvalidProblem else, and is the program's to finalise after the communicator is gone.
std::shared_ptr<Communicator> abi_communicator(void* comm, const MessageOptions& options = {},
                                               const std::string& library = {});
/// The same of the number that stands for it, as MPI_Comm_toint and Fortran's INTEGER handles have it.
std::shared_ptr<Communicator> abi_communicator_from_int(int comm, const MessageOptions& options = {},
                                                        const std::string& library = {});

}  // namespace seiche::distributed::mpi
SEICHE_EXPORT_END
