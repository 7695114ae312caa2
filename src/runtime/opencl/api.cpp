// Loads OpenCL and names its errors.
#include "runtime/opencl/api.hpp"

#include <vector>

#include "seiche/error.hpp"

namespace seiche::runtime::opencl {

namespace {

const LibraryNames library_names{.so = {"libOpenCL.so.1", "libOpenCL.so"},
                                 .dll = {"OpenCL.dll"},
                                 .dylib = {"/System/Library/Frameworks/OpenCL.framework/OpenCL"}};

Api load_api() {
    Api api;
    const std::string named = environment("SEICHE_OPENCL_LIBRARY");
    const Library library = Library::open(named.empty() ? names_here(library_names) : std::vector{named});
    if (!library) {
        api.problem = "the OpenCL loader was not found (" + library.error() + ")";
        api.remedy =
            "install an OpenCL driver and its loader; on Debian and Ubuntu `apt install pocl-opencl-icd` runs on any "
            "CPU";
        return api;
    }
    const auto take = [&](auto& function, const char* name) {
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(library.symbol(name));
        if (function != nullptr || !api.problem.empty()) return;
        api.problem = library.name() + " has no " + name + ": it is older than OpenCL 1.2";
        api.remedy = "install a newer OpenCL loader (package ocl-icd-libopencl1)";
    };
#define SEICHE_TAKE(name, result, parameters) take(api.name, #name);
    SEICHE_OPENCL_SYMBOLS(SEICHE_TAKE)
#undef SEICHE_TAKE
#define SEICHE_TAKE(name, result, parameters) api.name = reinterpret_cast<result(*) parameters>(library.symbol(#name));
    SEICHE_OPENCL_POINTER_SYMBOLS(SEICHE_TAKE)
#undef SEICHE_TAKE
    return api;
}

struct NamedCode {
    Int code;
    const char* name;
};

constexpr NamedCode names[] = {{-1, "CL_DEVICE_NOT_FOUND"},
                               {-2, "CL_DEVICE_NOT_AVAILABLE"},
                               {-3, "CL_COMPILER_NOT_AVAILABLE"},
                               {-4, "CL_MEM_OBJECT_ALLOCATION_FAILURE"},
                               {-5, "CL_OUT_OF_RESOURCES"},
                               {-6, "CL_OUT_OF_HOST_MEMORY"},
                               {-7, "CL_PROFILING_INFO_NOT_AVAILABLE"},
                               {-8, "CL_MEM_COPY_OVERLAP"},
                               {-11, "CL_BUILD_PROGRAM_FAILURE"},
                               {-12, "CL_MAP_FAILURE"},
                               {-13, "CL_MISALIGNED_SUB_BUFFER_OFFSET"},
                               {-14, "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST"},
                               {-30, "CL_INVALID_VALUE"},
                               {-31, "CL_INVALID_DEVICE_TYPE"},
                               {-32, "CL_INVALID_PLATFORM"},
                               {-33, "CL_INVALID_DEVICE"},
                               {-34, "CL_INVALID_CONTEXT"},
                               {-35, "CL_INVALID_QUEUE_PROPERTIES"},
                               {-36, "CL_INVALID_COMMAND_QUEUE"},
                               {-37, "CL_INVALID_HOST_PTR"},
                               {-38, "CL_INVALID_MEM_OBJECT"},
                               {-42, "CL_INVALID_BINARY"},
                               {-43, "CL_INVALID_BUILD_OPTIONS"},
                               {-44, "CL_INVALID_PROGRAM"},
                               {-45, "CL_INVALID_PROGRAM_EXECUTABLE"},
                               {-46, "CL_INVALID_KERNEL_NAME"},
                               {-47, "CL_INVALID_KERNEL_DEFINITION"},
                               {-48, "CL_INVALID_KERNEL"},
                               {-49, "CL_INVALID_ARG_INDEX"},
                               {-50, "CL_INVALID_ARG_VALUE"},
                               {-51, "CL_INVALID_ARG_SIZE"},
                               {-52, "CL_INVALID_KERNEL_ARGS"},
                               {-53, "CL_INVALID_WORK_DIMENSION"},
                               {-54, "CL_INVALID_WORK_GROUP_SIZE"},
                               {-55, "CL_INVALID_WORK_ITEM_SIZE"},
                               {-57, "CL_INVALID_EVENT_WAIT_LIST"},
                               {-58, "CL_INVALID_EVENT"},
                               {-59, "CL_INVALID_OPERATION"},
                               {-61, "CL_INVALID_BUFFER_SIZE"},
                               {-63, "CL_INVALID_GLOBAL_WORK_SIZE"},
                               {-64, "CL_INVALID_PROPERTY"},
                               {-1001, "CL_PLATFORM_NOT_FOUND_KHR"},
                               {-9999, "NVIDIA's illegal read or write"}};  // of no specification, and without a name

}  // namespace

const Api& api() {
    static const Api* const loaded =
        new Api(load_api());  // never destroyed: objects that end later still call through it
    return *loaded;
}

std::string error_name(Int code) {
    for (const NamedCode& known : names)
        if (known.code == code) return std::string(known.name) + " (" + std::to_string(code) + ")";
    return "code " + std::to_string(code);
}

std::string hint(Int code) {
    const std::string smaller = ": use smaller buffers or a smaller batch";
    switch (code) {
        case -2: return "; the device is gone or switched off";
        case -4:
        case -61: return "; the device has not enough memory" + smaller;
        case -5: return "; the device ran out of memory, or a kernel faulted, or the device is gone" + smaller;
        case -6: return "; the host has not enough memory" + smaller;
        case -9999: return "; a kernel reached beyond its memory: open the device again";
        default: return {};
    }
}

void check(Int code, const char* call, const std::string& doing) {
    if (code == success) return;
    throw BackendError("opencl: " + std::string(call) + (doing.empty() ? "" : " (" + doing + ")") + " failed with " +
                       error_name(code) + hint(code));
}

}  // namespace seiche::runtime::opencl
