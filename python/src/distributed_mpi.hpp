// Ranks of the MPI that mpi4py has loaded, whichever it is.
#pragma once

#include <cstdint>
#include <memory>
#include <seiche/distributed/communicator.hpp>
#include <string>

namespace seichefft {

/// `library`: a file that is linked with that MPI, mpi4py's module. `handle`: the address of an MPI_Comm, of so many
/// bytes. `is_standard`: the MPI has the ABI of the standard (MPI 5.0), else that of MPICH or of Open MPI.
std::shared_ptr<seiche::distributed::Communicator> mpi_ranks(const std::string& library, std::uintptr_t handle,
                                                             std::size_t handle_bytes, bool is_standard,
                                                             std::uint64_t milliseconds, bool reads_device_memory);

}  // namespace seichefft
