// Three binary interfaces are known: that of Open MPI, that which MPICH, Intel MPI and MVAPICH share, and MPI's
// standard one (MPI 5.0). A handle is a pointer in the first and the last, a number in the second.
#include "loaded_mpi.hpp"

#include <dlfcn.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <utility>

#include "entry.hpp"
#include "seiche/distributed/mpi_abi.hpp"
#include "seiche/distributed/mpi_messages.hpp"

namespace seiche::compat {

namespace {

using distributed::Communicator;
using distributed::MessageOptions;

/// The library that has MPI's functions; null where none is loaded.
void* mpi_library() {
    if (void* const program = dlopen(nullptr, RTLD_LAZY); program != nullptr && dlsym(program, "MPI_Comm_rank"))
        return program;
    // Loaded by a module, as Python's are, so that its names are not the whole process's.
    for (const char* const name :
         {"libmpi_abi.so.1", "libmpi_abi.so.0", "libmpi.so.40", "libmpi.so.20", "libmpi.so.12", "libmpi.so"})
        if (void* const library = dlopen(name, RTLD_LAZY | RTLD_NOLOAD); library != nullptr) return library;
    return nullptr;
}

template <class Function>
Function* find(void* library, const char* name) {
    void* const address = dlsym(library, name);
    if (address == nullptr) throw Refused{setup_failed, std::string("the process's MPI has no ") + name};
    return reinterpret_cast<Function*>(address);
}

/// The file that MPI's functions come from.
std::string file_of(void* library) {
    Dl_info info{};
    void* const function = dlsym(library, "MPI_Comm_rank");
    return function != nullptr && dladdr(function, &info) != 0 && info.dli_fname != nullptr ? info.dli_fname : "";
}

std::string version_of(void* library) {
    std::array<char, 8192> text{};  // MPI_MAX_LIBRARY_VERSION_STRING is at most this
    int length = 0;
    find<int(char*, int*)>(library, "MPI_Get_library_version")(text.data(), &length);
    std::string version(text.data());
    return version.substr(0, version.find('\n'));
}

bool is_running(void* library) {
    int is_initialised = 0, is_finalised = 0;
    return find<int(int*)>(library, "MPI_Initialized")(&is_initialised) == 0 && is_initialised &&
           find<int(int*)>(library, "MPI_Finalized")(&is_finalised) == 0 && !is_finalised;
}

/// MPI's constants in Open MPI's interface: the addresses of its objects.
struct OpenMpi {
    using Comm = void*;
    using Request = void*;
    static void* byte_type(void* library) { return find<char>(library, "ompi_mpi_byte"); }
    static void* errors_return(void* library) { return find<char>(library, "ompi_mpi_errors_return"); }
    static void* no_status() { return nullptr; }
};

/// The same of MPICH's, which are numbers.
struct Mpich {
    using Comm = int;
    using Request = int;
    static int byte_type(void*) { return 0x4c00010d; }
    static int errors_return(void*) { return 0x54000001; }
    static void* no_status() {
        // NOLINTNEXTLINE(performance-no-int-to-ptr): so the interface has it
        return reinterpret_cast<void*>(std::uintptr_t{1});
    }
};

/// For MpiMessages. Functions are few and called seldom: they are found once, when this is made.
template <class Abi>
class FoundMpi {
public:
    using Comm = typename Abi::Comm;
    using Request = typename Abi::Request;
    using Constant = std::conditional_t<std::is_same_v<Comm, int>, int, void*>;
    static constexpr std::uint64_t most_bytes = std::uint64_t{1} << 30;  // counts are ints

    explicit FoundMpi(void* library)
        : byte_(Abi::byte_type(library)),
          errors_return_(Abi::errors_return(library)),
          isend_(find<int(const void*, int, Constant, int, int, Comm, Request*)>(library, "MPI_Isend")),
          irecv_(find<int(void*, int, Constant, int, int, Comm, Request*)>(library, "MPI_Irecv")),
          test_(find<int(Request*, int*, void*)>(library, "MPI_Test")),
          idup_(find<int(Comm, Comm*, Request*)>(library, "MPI_Comm_idup")),
          free_(find<int(Comm*)>(library, "MPI_Comm_free")),
          set_errhandler_(find<int(Comm, Constant)>(library, "MPI_Comm_set_errhandler")),
          rank_(find<int(Comm, int*)>(library, "MPI_Comm_rank")),
          size_(find<int(Comm, int*)>(library, "MPI_Comm_size")),
          error_string_(find<int(int, char*, int*)>(library, "MPI_Error_string")) {}

    int isend(const void* data, std::uint64_t bytes, int to, int tag, Comm comm, Request* request) const {
        return isend_(data, static_cast<int>(bytes), byte_, to, tag, comm, request);
    }
    int irecv(void* data, std::uint64_t bytes, int from, int tag, Comm comm, Request* request) const {
        return irecv_(data, static_cast<int>(bytes), byte_, from, tag, comm, request);
    }
    int test(Request* request, int* is_done) const { return test_(request, is_done, Abi::no_status()); }
    int comm_idup(Comm comm, Comm* duplicate, Request* request) const { return idup_(comm, duplicate, request); }
    int comm_free(Comm* comm) const { return loaded_mpi_is_running() ? free_(comm) : 0; }
    int errors_return(Comm comm) const { return set_errhandler_(comm, errors_return_); }
    int comm_rank(Comm comm, int* rank) const { return rank_(comm, rank); }
    int comm_size(Comm comm, int* size) const { return size_(comm, size); }
    std::string error_text(int code) const {
        std::array<char, 1024> text{};  // MPI_MAX_ERROR_STRING is 512 at most
        int length = 0;
        if (error_string_(code, text.data(), &length) != 0) return "error " + std::to_string(code);
        return {text.data(), static_cast<std::size_t>(length)};
    }
    void abandon() const noexcept {}

private:
    Constant byte_, errors_return_;
    int (*isend_)(const void*, int, Constant, int, int, Comm, Request*);
    int (*irecv_)(void*, int, Constant, int, int, Comm, Request*);
    int (*test_)(Request*, int*, void*);
    int (*idup_)(Comm, Comm*, Request*);
    int (*free_)(Comm*);
    int (*set_errhandler_)(Comm, Constant);
    int (*rank_)(Comm, int*);
    int (*size_)(Comm, int*);
    int (*error_string_)(int, char*, int*);
};

template <class Abi>
std::shared_ptr<Communicator> ranks_of(void* library, const void* handle, const MessageOptions& options) {
    typename Abi::Comm comm{};
    std::memcpy(&comm, handle, sizeof(comm));
    const FoundMpi<Abi> mpi(library);
    return distributed::communicator(
        std::make_shared<distributed::MpiMessages<FoundMpi<Abi>>>(mpi, comm, options.time_limit), options);
}

bool has_any(const std::string& text, std::initializer_list<const char*> words) {
    for (const char* const word : words)
        if (text.find(word) != std::string::npos) return true;
    return false;
}

}  // namespace

bool loaded_mpi_is_running() {
    void* const library = mpi_library();
    return library != nullptr && is_running(library);
}

std::shared_ptr<Communicator> ranks_of_loaded_mpi(const void* handle, std::chrono::milliseconds time_limit) {
    void* const library = mpi_library();
    if (library == nullptr) throw Refused{setup_failed, "there is no MPI in this process"};
    if (!is_running(library))
        throw Refused{setup_failed, "MPI is not initialised, or finalised: expected one that runs"};
    MessageOptions options;
    options.time_limit = time_limit;
    options.reads_device_memory = setting("MPI_READS_DEVICE_MEMORY") == "1";
    const std::string file = file_of(library);
    if (has_any(file, {"libmpi_abi."})) {
        void* comm = nullptr;
        std::memcpy(&comm, handle, sizeof(comm));
        return distributed::mpi::abi_communicator(comm, options, file);
    }
    if (dlsym(library, "ompi_mpi_comm_world") != nullptr) return ranks_of<OpenMpi>(library, handle, options);
    const std::string version = version_of(library);
    if (has_any(version, {"MPICH", "Intel(R) MPI", "MVAPICH"})) return ranks_of<Mpich>(library, handle, options);
    throw Refused{setup_failed, "the process's MPI is '" + version +
                                    "', expected Open MPI, one with MPICH's interface, or MPI's standard interface"};
}

}  // namespace seiche::compat
