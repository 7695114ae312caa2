// Ranks of the MPI that your program is compiled with, whichever it is: Open MPI, MPICH, Intel's, from MPI 3.0 on. All
// here is inline and compiled against your own <mpi.h>, so that the library needs to know none of them.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <string>

#include "seiche/distributed/mpi_messages.hpp"

namespace seiche::distributed::mpi {

/// The MPI of <mpi.h>, for MpiMessages.
struct CompiledMpi {
    using Comm = MPI_Comm;
    using Request = MPI_Request;
#if MPI_VERSION >= 4
    static constexpr std::uint64_t most_bytes = std::uint64_t{1} << 62;
    int isend(const void* data, std::uint64_t bytes, int to, int tag, Comm comm, Request* request) const {
        return MPI_Isend_c(data, static_cast<MPI_Count>(bytes), MPI_BYTE, to, tag, comm, request);
    }
    int irecv(void* data, std::uint64_t bytes, int from, int tag, Comm comm, Request* request) const {
        return MPI_Irecv_c(data, static_cast<MPI_Count>(bytes), MPI_BYTE, from, tag, comm, request);
    }
#else
    static constexpr std::uint64_t most_bytes = std::uint64_t{1} << 30;  // counts are ints
    int isend(const void* data, std::uint64_t bytes, int to, int tag, Comm comm, Request* request) const {
        return MPI_Isend(data, static_cast<int>(bytes), MPI_BYTE, to, tag, comm, request);
    }
    int irecv(void* data, std::uint64_t bytes, int from, int tag, Comm comm, Request* request) const {
        return MPI_Irecv(data, static_cast<int>(bytes), MPI_BYTE, from, tag, comm, request);
    }
#endif
    int test(Request* request, int* is_done) const { return MPI_Test(request, is_done, MPI_STATUS_IGNORE); }
    int comm_idup(Comm comm, Comm* duplicate, Request* request) const {
        return MPI_Comm_idup(comm, duplicate, request);
    }
    int comm_free(Comm* comm) const { return MPI_Comm_free(comm); }
    int errors_return(Comm comm) const { return MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN); }
    int comm_rank(Comm comm, int* rank) const { return MPI_Comm_rank(comm, rank); }
    int comm_size(Comm comm, int* size) const { return MPI_Comm_size(comm, size); }
    std::string error_text(int code) const {
        char text[MPI_MAX_ERROR_STRING];
        int length = 0;
        return MPI_Error_string(code, text, &length) == MPI_SUCCESS
                   ? std::string(text, static_cast<std::size_t>(length))
                   : "error " + std::to_string(code);
    }
    void abandon() const noexcept {}
};

/// The ranks of `comm`, all of which call this: it makes a duplicate. MPI must have been initialised, and is yours to
/// finalise after the communicator is gone.
inline std::shared_ptr<Communicator> communicator(MPI_Comm comm, const MessageOptions& options = {}) {
    return distributed::communicator(
        std::make_shared<MpiMessages<CompiledMpi>>(CompiledMpi{}, comm, options.time_limit), options);
}

}  // namespace seiche::distributed::mpi
