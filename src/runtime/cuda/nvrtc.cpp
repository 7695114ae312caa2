// Finds, loads and calls NVRTC.
#include "runtime/cuda/nvrtc.hpp"

#include <algorithm>
#include <type_traits>

#include "runtime/cuda/api.hpp"
#include "runtime/cuda/toolkit.hpp"
#include "runtime/library.hpp"
#include "seiche/error.hpp"

namespace seiche::runtime::cuda {

namespace {

constexpr int nvrtc_out_of_memory = 1, nvrtc_builtins_failed = 7;

}  // namespace

std::vector<std::string> nvrtc_candidates() {
    return toolkit_candidates({.names = {.so = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"},
                                         .dll = {"nvrtc64_130_0.dll", "nvrtc64_120_0.dll"},
                                         .dylib = {}},
                               .wheels = {"cu13", "cuda_nvrtc"}});
}

namespace {

std::string error_name(const Nvrtc& nvrtc, int code) {
    const char* name = nvrtc.nvrtcGetErrorString(code);
    return name != nullptr ? name : "code " + std::to_string(code);
}

// Why this library is of no use; empty if it is.
std::string try_library(Nvrtc& nvrtc, const Library& library, int driver_version) {
    std::string missing;
    const auto take = [&](auto& function, const char* name) {
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(library.symbol(name));
        if (function == nullptr && missing.empty()) missing = name;
    };
#define SEICHE_TAKE(name, result, parameters) take(nvrtc.name, #name);
    SEICHE_NVRTC_SYMBOLS(SEICHE_TAKE)
#undef SEICHE_TAKE
    const std::string needed = missing;
    take(nvrtc.nvrtcGetLTOIRSize, "nvrtcGetLTOIRSize");
    take(nvrtc.nvrtcGetLTOIR, "nvrtcGetLTOIR");
    missing = needed;
    if (!missing.empty()) return library.name() + " has no " + missing;
    const auto failure = [&](const char* call, int code) {
        return std::string(call) + " of " + library.name() + " failed with " + error_name(nvrtc, code);
    };
    int major = 0, minor = 0, count = 0;
    if (const int code = nvrtc.nvrtcVersion(&major, &minor); code != 0) return failure("nvrtcVersion", code);
    nvrtc.version = 1000 * major + 10 * minor;
    if (nvrtc.version < oldest_version) return library.name() + " is of version " + version_text(nvrtc.version);
    if (driver_version != 0 && major > driver_version / 1000)
        return library.name() + " is of version " + version_text(nvrtc.version) + ", and the driver only for CUDA " +
               version_text(driver_version);
    if (const int code = nvrtc.nvrtcGetNumSupportedArchs(&count); code != 0)
        return failure("nvrtcGetNumSupportedArchs", code);
    if (count <= 0) return library.name() + " knows no architecture";
    nvrtc.architectures.resize(static_cast<std::size_t>(count));
    if (const int code = nvrtc.nvrtcGetSupportedArchs(nvrtc.architectures.data()); code != 0)
        return failure("nvrtcGetSupportedArchs", code);
    std::sort(nvrtc.architectures.begin(), nvrtc.architectures.end());
    nvrtc.path = library.name();
    return {};
}

}  // namespace

Nvrtc load_nvrtc(const std::vector<std::string>& candidates, int driver_version) {
    std::string rejected;
    for (const std::string& candidate : candidates) {
        const Library library = Library::open({candidate});
        if (!library) continue;
        Nvrtc nvrtc;
        const std::string why = try_library(nvrtc, library, driver_version);
        if (why.empty()) return nvrtc;
        if (rejected.empty()) rejected = why;
    }
    Nvrtc none;
    none.problem = "CUDA's run-time compiler NVRTC was not found" + (rejected.empty() ? "" : ": " + rejected);
    const std::string major = std::to_string(driver_version == 0 ? 12 : driver_version / 1000);
    none.remedy = "install it, for example `pip install nvidia-cuda-nvrtc" +
                  (major == "12" ? "-cu12`" : std::string("`")) + ", or the CUDA toolkit " + major +
                  " with CUDA_HOME naming its folder";
    return none;
}

const Nvrtc& loaded_nvrtc() {
    static const Nvrtc* const loaded = new Nvrtc(load_nvrtc(nvrtc_candidates(), api().version));
    return *loaded;
}

std::string compiler_target(const Nvrtc& nvrtc, int capability) {
    const auto& known = nvrtc.architectures;
    if (std::binary_search(known.begin(), known.end(), capability)) return "sm_" + std::to_string(capability);
    const auto newer = std::upper_bound(known.begin(), known.end(), capability);
    return newer == known.begin() ? "" : "compute_" + std::to_string(*(newer - 1));
}

namespace {

struct ProgramOwner {
    const Nvrtc& nvrtc;
    ProgramHandle program = nullptr;
    ~ProgramOwner() {
        if (program != nullptr) nvrtc.nvrtcDestroyProgram(&program);
    }
};

std::string program_log(const Nvrtc& nvrtc, ProgramHandle program) {
    std::size_t size = 0;
    if (nvrtc.nvrtcGetProgramLogSize(program, &size) != 0 || size == 0) return {};
    std::string log(size, '\0');
    if (nvrtc.nvrtcGetProgramLog(program, log.data()) != 0) return {};
    return log.substr(0, log.find('\0'));  // of an empty one there is the zero
}

std::string hint(int code) {
    switch (code) {
        case nvrtc_out_of_memory: return "; the host has not enough memory";
        case nvrtc_builtins_failed: return "; its libnvrtc-builtins is not beside it: install NVRTC anew";
        default: return {};
    }
}

void check(const Nvrtc& nvrtc, int code, const char* call, const emit::Source& source) {
    if (code == 0) return;
    throw BackendError("cuda: " + std::string(call) + " failed with " + error_name(nvrtc, code) + " for kernel " +
                       source.entry + hint(code));
}

/// What is asked for of a compiled program, and by which calls.
struct Output {
    int (*get_size)(ProgramHandle, std::size_t*);
    int (*get)(ProgramHandle, char*);
    const char *size_call, *call;
};

Output output_of(const Nvrtc& nvrtc, const emit::Source& source) {
    if (is_linked(source)) {
        if (nvrtc.nvrtcGetLTOIRSize == nullptr || nvrtc.nvrtcGetLTOIR == nullptr)
            throw BackendError("cuda: kernel " + source.entry + " calls a stage's function, and " + nvrtc.path +
                               " gives no code to link it to; install NVRTC 12.0 or newer");
        return {nvrtc.nvrtcGetLTOIRSize, nvrtc.nvrtcGetLTOIR, "nvrtcGetLTOIRSize", "nvrtcGetLTOIR"};
    }
    if (source.architecture.starts_with("sm_"))
        return {nvrtc.nvrtcGetCUBINSize, nvrtc.nvrtcGetCUBIN, "nvrtcGetCUBINSize", "nvrtcGetCUBIN"};
    return {nvrtc.nvrtcGetPTXSize, nvrtc.nvrtcGetPTX, "nvrtcGetPTXSize", "nvrtcGetPTX"};
}

}  // namespace

bool is_linked(const emit::Source& source) { return source.kernel && !source.kernel->functions.empty(); }

Binary compile_with_nvrtc(const Nvrtc& nvrtc, const emit::Source& source, std::string* log) {
    ProgramOwner owner{nvrtc};
    const std::string name = source.entry + ".cu";
    check(nvrtc, nvrtc.nvrtcCreateProgram(&owner.program, source.text.c_str(), name.c_str(), 0, nullptr, nullptr),
          "nvrtcCreateProgram", source);
    const std::string architecture = "--gpu-architecture=" + source.architecture;
    std::vector<const char*> options{architecture.c_str()};
    for (const std::string& option : source.options) options.push_back(option.c_str());
    const int code = nvrtc.nvrtcCompileProgram(owner.program, static_cast<int>(options.size()), options.data());
    const std::string said = program_log(nvrtc, owner.program);
    if (log != nullptr) *log = said;
    if (code != 0)
        throw BackendError("cuda: nvrtcCompileProgram failed with " + error_name(nvrtc, code) + " for kernel " +
                           source.entry + " on " + source.architecture + ": " + first_error_line(said) + hint(code) +
                           "; its source is in " + dump_text(source.entry, ".cu", source.text));
    const Output output = output_of(nvrtc, source);
    std::size_t size = 0;
    check(nvrtc, output.get_size(owner.program, &size), output.size_call, source);
    if (size == 0)
        throw BackendError("cuda: " + std::string(output.size_call) + " gave 0 bytes for kernel " + source.entry);
    Binary binary;
    binary.bytes.resize(size);
    check(nvrtc, output.get(owner.program, reinterpret_cast<char*>(binary.bytes.data())), output.call, source);
    return binary;
}

}  // namespace seiche::runtime::cuda
