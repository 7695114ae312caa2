// Loads Level Zero, starts its drivers and names its errors.
#include "runtime/level_zero/api.hpp"

#include <array>
#include <cstdio>
#include <type_traits>
#include <vector>

#include "seiche/error.hpp"

namespace seiche::runtime::level_zero {

namespace {

struct NamedResult {
    Result code;
    const char* name;
};

constexpr NamedResult named_results[] = {
    {0x1, "ZE_RESULT_NOT_READY"},
    {0x70000001, "ZE_RESULT_ERROR_DEVICE_LOST"},
    {0x70000002, "ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY"},
    {0x70000003, "ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY"},
    {0x70000004, "ZE_RESULT_ERROR_MODULE_BUILD_FAILURE"},
    {0x70000005, "ZE_RESULT_ERROR_MODULE_LINK_FAILURE"},
    {0x70000006, "ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET"},
    {0x70000007, "ZE_RESULT_ERROR_DEVICE_IN_LOW_POWER_STATE"},
    {0x70010000, "ZE_RESULT_ERROR_INSUFFICIENT_PERMISSIONS"},
    {0x70010001, "ZE_RESULT_ERROR_NOT_AVAILABLE"},
    {0x70020000, "ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE"},
    {0x70020001, "ZE_RESULT_WARNING_DROPPED_DATA"},
    {0x78000001, "ZE_RESULT_ERROR_UNINITIALIZED"},
    {0x78000002, "ZE_RESULT_ERROR_UNSUPPORTED_VERSION"},
    {0x78000003, "ZE_RESULT_ERROR_UNSUPPORTED_FEATURE"},
    {0x78000004, "ZE_RESULT_ERROR_INVALID_ARGUMENT"},
    {0x78000005, "ZE_RESULT_ERROR_INVALID_NULL_HANDLE"},
    {0x78000006, "ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE"},
    {0x78000007, "ZE_RESULT_ERROR_INVALID_NULL_POINTER"},
    {0x78000008, "ZE_RESULT_ERROR_INVALID_SIZE"},
    {0x78000009, "ZE_RESULT_ERROR_UNSUPPORTED_SIZE"},
    {0x7800000a, "ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT"},
    {0x7800000b, "ZE_RESULT_ERROR_INVALID_SYNCHRONIZATION_OBJECT"},
    {0x7800000c, "ZE_RESULT_ERROR_INVALID_ENUMERATION"},
    {0x7800000d, "ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION"},
    {0x7800000f, "ZE_RESULT_ERROR_INVALID_NATIVE_BINARY"},
    {0x78000010, "ZE_RESULT_ERROR_INVALID_GLOBAL_NAME"},
    {0x78000011, "ZE_RESULT_ERROR_INVALID_KERNEL_NAME"},
    {0x78000012, "ZE_RESULT_ERROR_INVALID_FUNCTION_NAME"},
    {0x78000013, "ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION"},
    {0x78000014, "ZE_RESULT_ERROR_INVALID_GLOBAL_WIDTH_DIMENSION"},
    {0x78000015, "ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX"},
    {0x78000016, "ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE"},
    {0x78000017, "ZE_RESULT_ERROR_INVALID_KERNEL_ATTRIBUTE_VALUE"},
    {0x78000018, "ZE_RESULT_ERROR_INVALID_MODULE_UNLINKED"},
    {0x78000019, "ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE"},
    {0x7800001a, "ZE_RESULT_ERROR_OVERLAPPING_REGIONS"},
    {0x7800001b, "ZE_RESULT_WARNING_ACTION_REQUIRED"},
    {0x7ffffffe, "ZE_RESULT_ERROR_UNKNOWN"},
};

const char* hint(Result code) {
    switch (code) {
        case device_lost:
        case 0x70000006: return "; the device hung or was reset, and this process cannot use it any more: see dmesg";
        case out_of_host_memory: return "; the host has not enough memory";
        case out_of_device_memory: return "; the device has not enough memory: use smaller buffers or a smaller batch";
        case insufficient_permissions: return "; see the groups render and video, and who may open /dev/dri";
        case dependency_unavailable: return "; a library of the driver is missing: install Intel's graphics compiler";
        case invalid_native_binary: return "; the binary was made by another driver or for another device";
        default: return "";
    }
}

std::vector<std::string> library_names() {
    if (const std::string named = environment("SEICHE_LEVEL_ZERO_LIBRARY"); !named.empty()) return {named};
    return names_here({.so = {"libze_loader.so.1", "libze_loader.so"}, .dll = {"ze_loader.dll"}, .dylib = {}});
}

void load_symbols(Api& api, const Library& library) {
    const auto take = [&](const char* name) {
        void* const function = library.symbol(name);
        if (function != nullptr || !api.problem.empty()) return function;
        api.problem = library.name() + " has no " + std::string(name) + ": it is no loader of Level Zero 1.0";
        api.remedy = "install a newer loader (libze1)";
        return function;
    };
#define SEICHE_TAKE(name, parameters) api.name = reinterpret_cast<Result(*) parameters>(take(#name));
    SEICHE_LEVEL_ZERO_SYMBOLS(SEICHE_TAKE)
#undef SEICHE_TAKE
}

Api load_api() {
    Api api;
    const Library library = Library::open(library_names());
    if (!library) {
        api.problem = "Level Zero's loader was not found (" + library.error() + ")";
        api.remedy =
            "on a machine with an Intel GPU install libze1 and intel-opencl-icd; SEICHE_LEVEL_ZERO_LIBRARY may name "
            "libze_loader.so.1";
        return api;
    }
    api.path = library.name();
    load_symbols(api, library);
    if (!api.problem.empty()) return api;
    if (const Result code = api.zeInit(init_gpu_only); code != success) {
        api.problem = "zeInit failed with " + error_name(code);
        api.remedy = code == uninitialized
                         ? "no Intel GPU is visible, or its driver (libze_intel_gpu, in intel-opencl-icd) is not "
                           "installed: see the groups render and video, and ZE_AFFINITY_MASK"
                         : "see whether the driver is installed whole" + std::string(hint(code));
    }
    return api;
}

}  // namespace

std::mutex& driver_mutex() {
    static auto* const mutex = new std::mutex;  // never destroyed: see api()
    return *mutex;
}

const Api& api() {
    static const Api* const loaded =
        new Api(load_api());  // never destroyed: objects that end later still call through it
    return *loaded;
}

std::string error_name(Result code) {
    for (const NamedResult& named : named_results)
        if (named.code == code) return named.name;
    std::array<char, 16> digits{};
    std::snprintf(digits.data(), digits.size(), "0x%08x", code);
    return std::string("code ") + digits.data();
}

void check(Result code, const char* call, const std::string& doing) {
    if (code == success) return;
    throw BackendError("level_zero: " + std::string(call) + (doing.empty() ? "" : " (" + doing + ")") +
                       " failed with " + error_name(code) + hint(code));
}

}  // namespace seiche::runtime::level_zero
