// hiprtc's functions, forwarded to NVRTC: HIP's text is compiled for the NVIDIA card at hand.
#include <dlfcn.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "hip_forward/forward.hpp"
#include "hip_forward/prelude.hpp"

namespace hip_forward {
namespace {

struct Nvrtc {
    int (*version)(int*, int*) = nullptr;
    const char* (*error_string)(int) = nullptr;
    int (*create)(void**, const char*, const char*, int, const char* const*, const char* const*) = nullptr;
    int (*compile)(void*, int, const char* const*) = nullptr;
    int (*code_size)(void*, std::size_t*) = nullptr;
    int (*code)(void*, char*) = nullptr;
    int (*log_size)(void*, std::size_t*) = nullptr;
    int (*log)(void*, char*) = nullptr;
    int (*destroy)(void**) = nullptr;
    bool complete = false;
};

Nvrtc load() {
    std::vector<std::string> names{"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"};
    for (const char* folder : {"/usr/local/cuda/lib64/", "/usr/local/cuda/targets/x86_64-linux/lib/"})
        for (const char* name : {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"})
            names.push_back(folder + std::string(name));
    if (const char* named = std::getenv("HIP_FORWARD_NVRTC")) names = {named};
    void* library = nullptr;
    for (const std::string& name : names)
        if (library == nullptr) library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    Nvrtc nvrtc;
    if (library == nullptr) return nvrtc;
    nvrtc.complete = true;
    const auto take = [&](auto& function, const char* name) {
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
        nvrtc.complete = nvrtc.complete && function != nullptr;
    };
    take(nvrtc.version, "nvrtcVersion");
    take(nvrtc.error_string, "nvrtcGetErrorString");
    take(nvrtc.create, "nvrtcCreateProgram");
    take(nvrtc.compile, "nvrtcCompileProgram");
    take(nvrtc.code_size, "nvrtcGetCUBINSize");
    take(nvrtc.code, "nvrtcGetCUBIN");
    take(nvrtc.log_size, "nvrtcGetProgramLogSize");
    take(nvrtc.log, "nvrtcGetProgramLog");
    take(nvrtc.destroy, "nvrtcDestroyProgram");
    return nvrtc;
}

const Nvrtc& nvrtc() {
    static const Nvrtc loaded = load();
    return loaded;
}

constexpr int internal_error = 11;  // of both compilers, as the codes below it are

/// HIP's option in NVRTC's words; whatever AMD architecture is asked for, the card's own is meant.
std::string translated(const std::string& option) {
    if (option.rfind("--offload-arch=", 0) == 0) return "--gpu-architecture=" + card_architecture();
    if (option.rfind("-std=", 0) == 0) return "-" + option;
    return option;
}

}  // namespace
}  // namespace hip_forward

using hip_forward::nvrtc;

extern "C" {

int hiprtcVersion(int* major, int* minor) {
    return nvrtc().complete ? nvrtc().version(major, minor) : hip_forward::internal_error;
}

const char* hiprtcGetErrorString(int code) {
    if (!nvrtc().complete) return "HIPRTC_ERROR_INTERNAL_ERROR: no NVRTC to forward to";
    return nvrtc().error_string(code);
}

int hiprtcCreateProgram(void** program, const char* source, const char* name, int count, const char* const* headers,
                        const char* const* names) {
    const std::string text = std::string(hip_forward::prelude) + source;
    return nvrtc().create(program, text.c_str(), name, count, headers, names);
}

// Without --fmad=false NVRTC would contract what HIP's pragma, which it does not know, keeps apart.
int hiprtcCompileProgram(void* program, int count, const char* const* options) {
    std::vector<std::string> words{"--define-macro=__HIPCC_RTC__", "--fmad=false"};
    for (int i = 0; i < count; ++i) words.push_back(hip_forward::translated(options[i]));
    std::vector<const char*> pointers;
    pointers.reserve(words.size());
    for (const std::string& word : words) pointers.push_back(word.c_str());
    return nvrtc().compile(program, static_cast<int>(pointers.size()), pointers.data());
}

int hiprtcGetCodeSize(void* program, std::size_t* bytes) { return nvrtc().code_size(program, bytes); }
int hiprtcGetCode(void* program, char* code) { return nvrtc().code(program, code); }
int hiprtcGetProgramLogSize(void* program, std::size_t* bytes) { return nvrtc().log_size(program, bytes); }
int hiprtcGetProgramLog(void* program, char* log) { return nvrtc().log(program, log); }
int hiprtcDestroyProgram(void** program) { return nvrtc().destroy(program); }

}  // extern "C"
