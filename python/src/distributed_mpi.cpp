// MPI by its functions in the library that mpi4py has loaded. Nothing here is compiled against one: two ABIs from
// before the standard one are in use, MPICH's (Intel's MPI, MVAPICH and Cray's have it too) and Open MPI's.
#include "distributed_mpi.hpp"

#include <dlfcn.h>

#include <array>
#include <chrono>
#include <seiche/distributed/mpi_abi.hpp>
#include <seiche/distributed/mpi_messages.hpp>

namespace seichefft {

namespace {

using seiche::distributed::Communicator;
using seiche::distributed::MessageOptions;

/// The library, which mpi4py keeps.
class Library {
public:
    explicit Library(const std::string& name) : handle_(dlopen(name.c_str(), RTLD_NOW | RTLD_NOLOAD)) {
        if (handle_ == nullptr) throw seiche::Unsupported("MPI: expected mpi4py's library to be loaded: " + name);
    }
    void* address(const char* symbol) const { return dlsym(handle_, symbol); }
    template <class Function>
    void find(Function& function, const char* symbol) const {
        void* const found = address(symbol);
        if (found == nullptr) throw seiche::Unsupported(std::string("MPI: expected one with ") + symbol);
        function = reinterpret_cast<Function>(found);
    }

private:
    void* handle_;
};

/// Handles are numbers.
struct Mpich {
    using Comm = int;
    using Request = int;
    using Datatype = int;
    using Errhandler = int;
    static Datatype byte_type(const Library& /*library*/) { return 0x4c00010d; }
    static Errhandler errors_return(const Library& /*library*/) { return 0x54000001; }
    static void* status_ignore() { return reinterpret_cast<void*>(1); }  // NOLINT(performance-no-int-to-ptr)
};

/// Handles are pointers, predefined ones the addresses of objects.
struct OpenMpi {
    using Comm = struct OmpiComm*;
    using Request = struct OmpiRequest*;
    using Datatype = void*;
    using Errhandler = void*;
    static Datatype byte_type(const Library& library) { return library.address("ompi_mpi_byte"); }
    static Errhandler errors_return(const Library& library) { return library.address("ompi_mpi_errors_return"); }
    static void* status_ignore() { return nullptr; }
};

/// The loaded MPI, for MpiMessages.
template <class Abi>
struct LoadedMpi {
    using Comm = typename Abi::Comm;
    using Request = typename Abi::Request;
    static constexpr std::uint64_t most_bytes = std::uint64_t{1} << 30;  // counts are ints

    explicit LoadedMpi(const Library& library)
        : byte_type(Abi::byte_type(library)), return_errors(Abi::errors_return(library)) {
        library.find(send_, "MPI_Isend");
        library.find(receive_, "MPI_Irecv");
        library.find(test_, "MPI_Test");
        library.find(duplicate_, "MPI_Comm_idup");
        library.find(free_, "MPI_Comm_free");
        library.find(set_handler_, "MPI_Comm_set_errhandler");
        library.find(rank_, "MPI_Comm_rank");
        library.find(size_, "MPI_Comm_size");
        library.find(text_, "MPI_Error_string");
        library.find(finalized_, "MPI_Finalized");
    }

    int isend(const void* data, std::uint64_t bytes, int to, int tag, Comm comm, Request* request) const {
        return send_(data, static_cast<int>(bytes), byte_type, to, tag, comm, request);
    }
    int irecv(void* data, std::uint64_t bytes, int from, int tag, Comm comm, Request* request) const {
        return receive_(data, static_cast<int>(bytes), byte_type, from, tag, comm, request);
    }
    int test(Request* request, int* is_done) const { return test_(request, is_done, Abi::status_ignore()); }
    int comm_idup(Comm comm, Comm* duplicate, Request* request) const { return duplicate_(comm, duplicate, request); }
    /// mpi4py finalises MPI as the interpreter ends, and whatever is left of Python's objects goes after that.
    int comm_free(Comm* comm) const {
        int is_finalized = 0;
        return finalized_(&is_finalized) != 0 || is_finalized ? 0 : free_(comm);
    }
    int errors_return(Comm comm) const { return set_handler_(comm, return_errors); }
    int comm_rank(Comm comm, int* rank) const { return rank_(comm, rank); }
    int comm_size(Comm comm, int* size) const { return size_(comm, size); }
    std::string error_text(int code) const {
        std::array<char, 1024> text{};  // more than either MPI's longest
        int length = 0;
        if (text_(code, text.data(), &length) != 0) return "error " + std::to_string(code);
        return {text.data(), static_cast<std::size_t>(length)};
    }
    void abandon() const noexcept {}

    typename Abi::Datatype byte_type;
    typename Abi::Errhandler return_errors;

private:
    int (*send_)(const void*, int, typename Abi::Datatype, int, int, Comm, Request*) = nullptr;
    int (*receive_)(void*, int, typename Abi::Datatype, int, int, Comm, Request*) = nullptr;
    int (*test_)(Request*, int*, void*) = nullptr;
    int (*duplicate_)(Comm, Comm*, Request*) = nullptr;
    int (*free_)(Comm*) = nullptr;
    int (*set_handler_)(Comm, typename Abi::Errhandler) = nullptr;
    int (*rank_)(Comm, int*) = nullptr;
    int (*size_)(Comm, int*) = nullptr;
    int (*text_)(int, char*, int*) = nullptr;
    int (*finalized_)(int*) = nullptr;
};

template <class Abi>
std::shared_ptr<Communicator> ranks_of(const Library& library, std::uintptr_t handle, const MessageOptions& options) {
    using Mpi = LoadedMpi<Abi>;
    const auto comm = *reinterpret_cast<const typename Abi::Comm*>(handle);  // NOLINT(performance-no-int-to-ptr)
    return seiche::distributed::communicator(
        std::make_shared<seiche::distributed::MpiMessages<Mpi>>(Mpi(library), comm, options.time_limit), options);
}

}  // namespace

std::shared_ptr<Communicator> mpi_ranks(const std::string& library, std::uintptr_t handle, std::size_t handle_bytes,
                                        bool is_standard, std::uint64_t milliseconds, bool reads_device_memory) {
    MessageOptions options;
    options.time_limit = std::chrono::milliseconds(milliseconds);
    options.reads_device_memory = reads_device_memory;
    if (is_standard) {
        void* const comm = *reinterpret_cast<void* const*>(handle);  // NOLINT(performance-no-int-to-ptr)
        return seiche::distributed::mpi::abi_communicator(comm, options, library);
    }
    const Library loaded(library);
    if (handle_bytes == sizeof(Mpich::Comm)) return ranks_of<Mpich>(loaded, handle, options);
    if (loaded.address("ompi_mpi_byte") != nullptr) return ranks_of<OpenMpi>(loaded, handle, options);
    throw seiche::Unsupported("MPI: expected the ABI of MPICH, of Open MPI or of the standard (MPI 5.0)");
}

}  // namespace seichefft
