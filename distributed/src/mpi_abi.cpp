// MPI through its standard ABI (MPI 5.0, chapter 20): handles are pointers, predefined ones small numbers.
#include "seiche/distributed/mpi_abi.hpp"

#include <dlfcn.h>

#include <array>
#include <cstdint>

#include "seiche/distributed/mpi_messages.hpp"

namespace seiche::distributed::mpi {

namespace {

struct AbiComm;
struct AbiRequest;
struct AbiDatatype;
struct AbiErrhandler;

template <class Handle>
Handle* predefined(std::uintptr_t number) {
    return reinterpret_cast<Handle*>(number);  // NOLINT(performance-no-int-to-ptr): so the standard has it
}

AbiComm* comm_null() { return predefined<AbiComm>(0x100); }
AbiComm* comm_world() { return predefined<AbiComm>(0x101); }
AbiDatatype* byte_type() { return predefined<AbiDatatype>(0x247); }
AbiErrhandler* errors_return_handler() { return predefined<AbiErrhandler>(0x143); }
constexpr int thread_serialized = 2048, most_error_text = 512;

/// The functions that are used here.
struct Functions {
    int (*initialized)(int*) = nullptr;
    int (*finalized)(int*) = nullptr;
    int (*init_thread)(int*, char***, int, int*) = nullptr;
    int (*finalize)() = nullptr;
    int (*comm_rank)(AbiComm*, int*) = nullptr;
    int (*comm_size)(AbiComm*, int*) = nullptr;
    int (*comm_idup)(AbiComm*, AbiComm**, AbiRequest**) = nullptr;
    int (*comm_free)(AbiComm**) = nullptr;
    AbiComm* (*comm_fromint)(int) = nullptr;
    int (*comm_set_errhandler)(AbiComm*, AbiErrhandler*) = nullptr;
    int (*error_string)(int, char*, int*) = nullptr;
    int (*isend)(const void*, std::int64_t, AbiDatatype*, int, int, AbiComm*, AbiRequest**) = nullptr;
    int (*irecv)(void*, std::int64_t, AbiDatatype*, int, int, AbiComm*, AbiRequest**) = nullptr;
    int (*test)(AbiRequest**, int*, void*) = nullptr;
};

template <class Function>
void find(void* library, const std::string& name, const char* symbol, Function& function) {
    void* const address = dlsym(library, symbol);
    if (address == nullptr) throw Unsupported("MPI: " + name + " has no " + symbol + ", expected the ABI of MPI 5.0");
    function = reinterpret_cast<Function>(address);
}

Functions load(const std::string& name) {
    // Never closed: MPI has threads and handlers of its own.
    void* const library = dlopen(name.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (library == nullptr) {
        const char* const why = dlerror();
        throw Unsupported("MPI: expected a library with the standard ABI of MPI 5.0, got " +
                          std::string(why == nullptr ? name : why));
    }
    Functions f;
    find(library, name, "MPI_Initialized", f.initialized);
    find(library, name, "MPI_Finalized", f.finalized);
    find(library, name, "MPI_Init_thread", f.init_thread);
    find(library, name, "MPI_Finalize", f.finalize);
    find(library, name, "MPI_Comm_rank", f.comm_rank);
    find(library, name, "MPI_Comm_size", f.comm_size);
    find(library, name, "MPI_Comm_idup", f.comm_idup);
    find(library, name, "MPI_Comm_free", f.comm_free);
    find(library, name, "MPI_Comm_fromint", f.comm_fromint);
    find(library, name, "MPI_Comm_set_errhandler", f.comm_set_errhandler);
    find(library, name, "MPI_Error_string", f.error_string);
    find(library, name, "MPI_Isend_c", f.isend);
    find(library, name, "MPI_Irecv_c", f.irecv);
    find(library, name, "MPI_Test", f.test);
    return f;
}

/// MPI for as long as it is used, finalised at last where it was initialised here.
class Session {
public:
    Session(const std::string& library, bool may_initialise) : functions(load(library)) {
        int is_set = 0;
        if (functions.finalized(&is_set) != 0 || is_set)
            throw InvalidProblem("MPI: expected one that is not finalised: it cannot be initialised again");
        if (functions.initialized(&is_set) == 0 && is_set) return;
        if (!may_initialise)
            throw InvalidProblem("MPI: expected one that the program has initialised, as its communicator is used");
        int provided = 0;
        if (const int code = functions.init_thread(nullptr, nullptr, thread_serialized, &provided); code != 0)
            throw BackendError("MPI_Init_thread: error " + std::to_string(code));
        is_ours_ = true;
    }
    ~Session() {
        // With a rank missing this would wait for it.
        if (is_ours_ && !is_abandoned) functions.finalize();
    }
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    const Functions functions;
    bool is_abandoned = false;

private:
    bool is_ours_ = false;
};

/// The loaded MPI, for MpiMessages.
struct LoadedMpi {
    using Comm = AbiComm*;
    using Request = AbiRequest*;
    static constexpr std::uint64_t most_bytes = std::uint64_t{1} << 62;

    int isend(const void* data, std::uint64_t bytes, int to, int tag, Comm comm, Request* request) const {
        return session->functions.isend(data, static_cast<std::int64_t>(bytes), byte_type(), to, tag, comm, request);
    }
    int irecv(void* data, std::uint64_t bytes, int from, int tag, Comm comm, Request* request) const {
        return session->functions.irecv(data, static_cast<std::int64_t>(bytes), byte_type(), from, tag, comm, request);
    }
    int test(Request* request, int* is_done) const { return session->functions.test(request, is_done, nullptr); }
    int comm_idup(Comm comm, Comm* duplicate, Request* request) const {
        return session->functions.comm_idup(comm, duplicate, request);
    }
    int comm_free(Comm* comm) const { return session->functions.comm_free(comm); }
    int errors_return(Comm comm) const { return session->functions.comm_set_errhandler(comm, errors_return_handler()); }
    int comm_rank(Comm comm, int* rank) const { return session->functions.comm_rank(comm, rank); }
    int comm_size(Comm comm, int* size) const { return session->functions.comm_size(comm, size); }
    std::string error_text(int code) const {
        std::array<char, most_error_text> text{};
        int length = 0;
        if (session->functions.error_string(code, text.data(), &length) != 0) return "error " + std::to_string(code);
        return {text.data(), static_cast<std::size_t>(length)};
    }
    void abandon() const noexcept { session->is_abandoned = true; }

    std::shared_ptr<Session> session;
};

std::shared_ptr<Session> session(const std::string& library, bool may_initialise) {
    return std::make_shared<Session>(library.empty() ? "libmpi_abi.so.1" : library, may_initialise);
}

std::shared_ptr<Communicator> ranks_of(const LoadedMpi& mpi, AbiComm* comm, const MessageOptions& options) {
    if (comm == nullptr || comm == comm_null())
        throw InvalidProblem("comm: expected a communicator, got MPI_COMM_NULL");
    return distributed::communicator(std::make_shared<MpiMessages<LoadedMpi>>(mpi, comm, options.time_limit), options);
}

}  // namespace

std::shared_ptr<Communicator> world(const MessageOptions& options, const std::string& library) {
    return ranks_of({session(library, true)}, comm_world(), options);
}

std::shared_ptr<Communicator> abi_communicator(void* comm, const MessageOptions& options, const std::string& library) {
    return ranks_of({session(library, false)}, static_cast<AbiComm*>(comm), options);
}

std::shared_ptr<Communicator> abi_communicator_from_int(int comm, const MessageOptions& options,
                                                        const std::string& library) {
    const LoadedMpi mpi{session(library, false)};
    return ranks_of(mpi, mpi.session->functions.comm_fromint(comm), options);
}

}  // namespace seiche::distributed::mpi
