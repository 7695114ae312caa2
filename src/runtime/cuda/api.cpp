// Loads CUDA's driver and names its errors.
#include "runtime/cuda/api.hpp"

#include <type_traits>

#include "seiche/error.hpp"

namespace seiche::runtime::cuda {

namespace {

std::string error_name(const Api& api, Result code) {
    const char *name = nullptr, *meaning = nullptr;
    if (api.cuGetErrorName == nullptr || api.cuGetErrorName(code, &name) != success || name == nullptr)
        return "code " + std::to_string(code);
    if (api.cuGetErrorString(code, &meaning) != success || meaning == nullptr) return name;
    return std::string(name) + " (" + meaning + ")";
}

void load_symbols(Api& api, const Library& library) {
    const auto take = [&](auto& function, const char* name) {
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(library.symbol(name));
        if (function != nullptr || !api.problem.empty()) return;
        api.problem = "the NVIDIA driver has no " + std::string(name) + ": it is older than CUDA 12.0";
        api.remedy = "install a newer NVIDIA driver";
    };
#define SEICHE_TAKE(name, exported, parameters) take(api.name, exported);
    SEICHE_CUDA_SYMBOLS(SEICHE_TAKE)
#undef SEICHE_TAKE
}

void start(Api& api) {
    const char* call = "cuInit";
    Result code = api.cuInit(0);
    if (code == success) {
        call = "cuDriverGetVersion";
        code = api.cuDriverGetVersion(&api.version);
    }
    if (code != success) {
        api.problem = std::string(call) + " failed with " + error_name(api, code);
        api.remedy =
            code == no_device ? "no NVIDIA card is visible: see nvidia-smi and CUDA_VISIBLE_DEVICES" : driver_remedy;
        return;
    }
    if (api.version >= oldest_version) return;
    api.problem = "the NVIDIA driver is for CUDA " + version_text(api.version) + ", expected at least " +
                  version_text(oldest_version);
    api.remedy = "install a newer NVIDIA driver";
}

Api load_api() {
    Api api;
    const Library library =
        Library::open(names_here({.so = {"libcuda.so.1", "libcuda.so"}, .dll = {"nvcuda.dll"}, .dylib = {}}));
    if (!library) {
        api.problem = "the NVIDIA driver was not found (" + library.error() + ")";
        api.remedy = "on a machine with an NVIDIA card install its driver";
        return api;
    }
    load_symbols(api, library);
    if (!api.problem.empty()) return api;
    start(api);
    return api;
}

std::string hint(Result code) {
    switch (code) {
        // The device's or, for pinned memory, the host's.
        case out_of_memory: return "; there is not enough memory: use smaller buffers or a smaller batch";
        case 46:
        case 101: return "; the device is gone or in use by another process alone: see nvidia-smi";
        case 209:
        case 218:
        case 222:
            return "; the driver is older than the run-time compiler that made the kernel: install a newer driver";
        case 900:
        case 901:
        case 906:
            return "; a stream is being captured, which records executions, copies on the device and events, and "
                   "forbids uploads, downloads and waiting";
        // After these every call in the context gives the same code, until the process ends.
        case 214:
        case 220:
        case 226: return "; the hardware reported an error, and the context is lost: start a new process";
        case 700:
        case 702:
        case 710:
        case 714:
        case 715:
        case 716:
        case 717:
        case 718:
        case 719:
        case 721: return "; a kernel faulted earlier in this process, and the context is lost: start a new process";
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
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string failure(Result code, const char* call, const std::string& doing) {
    return "cuda: " + std::string(call) + (doing.empty() ? "" : " (" + doing + ")") + " failed with " +
           error_name(api(), code) + hint(code);
}

void check(Result code, const char* call, const std::string& doing) {
    if (code != success) throw BackendError(failure(code, call, doing));
}

}  // namespace seiche::runtime::cuda
