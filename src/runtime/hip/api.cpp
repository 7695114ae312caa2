// Loads HIP's runtime and names its errors.
#include "runtime/hip/api.hpp"

#include <type_traits>
#include <vector>

#include "seiche/error.hpp"

namespace seiche::runtime::hip {

namespace {

std::string error_name(const Api& api, Result code) {
    const char* name = api.hipGetErrorName != nullptr ? api.hipGetErrorName(code) : nullptr;
    if (name == nullptr) return "code " + std::to_string(code);
    const char* meaning = api.hipGetErrorString(code);
    const bool says_more = meaning != nullptr && std::string(meaning) != name;
    return says_more ? std::string(name) + " (" + meaning + ")" : name;
}

std::vector<std::string> library_names() {
    if (const std::string named = environment("SEICHE_HIP_LIBRARY"); !named.empty()) return {named};
    LibraryNames names{.so = {"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5", "libamdhip64.so"},
                       .dll = {"amdhip64_7.dll", "amdhip64_6.dll", "amdhip64.dll"},
                       .dylib = {}};
    if (const std::string root = environment("ROCM_PATH"); !root.empty())
        names.so.insert(names.so.begin(), root + "/lib/libamdhip64.so");
    names.so.emplace_back("/opt/rocm/lib/libamdhip64.so");
    return names_here(names);
}

void load_symbols(Api& api, const Library& library) {
    const auto take = [&](auto& function, const char* name) {
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(library.symbol(name));
        if (function != nullptr || !api.problem.empty()) return;
        api.problem = library.name() + " has no " + std::string(name) + ": it is older than HIP 5.0";
        api.remedy = "install a newer ROCm";
    };
#define SEICHE_TAKE(name, result, parameters) take(api.name, #name);
    SEICHE_HIP_SYMBOLS(SEICHE_TAKE)
#undef SEICHE_TAKE
}

void start(Api& api) {
    int count = 0;
    const char* call = "hipInit";
    Result code = api.hipInit(0);
    if (code == success) {
        call = "hipGetDeviceCount";
        code = api.hipGetDeviceCount(&count);
    }
    if (code == success) {
        call = "hipRuntimeGetVersion";
        code = api.hipRuntimeGetVersion(&api.version);
    }
    if (code != success) {
        api.problem = std::string(call) + " failed with " + error_name(api, code);
        api.remedy = code == no_device || code == invalid_device
                         ? "no AMD card is visible: see rocminfo, the groups render and video, and "
                           "HIP_VISIBLE_DEVICES"
                         : "see whether rocminfo works";
        return;
    }
    if (api.version >= oldest_version) return;
    api.problem =
        api.path + " is of HIP " + version_text(api.version) + ", expected at least " + version_text(oldest_version);
    api.remedy = "install a newer ROCm";
}

Api load_api() {
    Api api;
    const Library library = Library::open(library_names());
    if (!library) {
        api.problem = "HIP's runtime was not found (" + library.error() + ")";
        api.remedy = "on a machine with an AMD card install ROCm; SEICHE_HIP_LIBRARY may name libamdhip64.so";
        return api;
    }
    api.path = library.name();
    load_symbols(api, library);
    if (api.problem.empty()) start(api);
    return api;
}

std::string hint(Result code) {
    switch (code) {
        case out_of_memory: return "; the device has not enough memory";
        case 209: return "; the code was made for another architecture";
        case 700:
        case 719: return "; a kernel faulted earlier in this process, and the device cannot be used any more";
        default: return {};
    }
}

}  // namespace

const Api& api() {
    static const Api* const loaded =
        new Api(load_api());  // never destroyed: objects that end later still call through it
    return *loaded;
}

std::string version_text(int version) {
    return std::to_string(version / 10000000) + "." + std::to_string(version % 10000000 / 100000);
}

void check(Result code, const char* call, const std::string& doing) {
    if (code == success) return;
    throw BackendError("hip: " + std::string(call) + (doing.empty() ? "" : " (" + doing + ")") + " failed with " +
                       error_name(api(), code) + hint(code));
}

}  // namespace seiche::runtime::hip
