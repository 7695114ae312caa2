// Finds, loads and calls hiprtc.
#include "runtime/hip/hiprtc.hpp"

#include <mutex>
#include <type_traits>

#include "runtime/library.hpp"
#include "seiche/error.hpp"

namespace seiche::runtime::hip {

std::vector<std::string> hiprtc_candidates(const std::string& runtime_library) {
    if (const std::string named = environment("SEICHE_HIPRTC_LIBRARY"); !named.empty()) return {named};
    std::vector<std::string> candidates;
    const std::string runtime = "libamdhip64";
    if (const std::size_t at = runtime_library.rfind(runtime); at != std::string::npos)
        candidates.push_back(std::string(runtime_library).replace(at, runtime.size(), "libhiprtc"));
    // On Windows each release has a name of its own.
    for (const std::string& name : names_here({.so = {"libhiprtc.so", "/opt/rocm/lib/libhiprtc.so"},
                                   .dll = {"hiprtc0700.dll", "hiprtc0604.dll", "hiprtc0603.dll", "hiprtc0602.dll",
                                           "hiprtc0601.dll", "hiprtc0600.dll", "hiprtc0507.dll", "hiprtc0505.dll"},
                                   .dylib = {}}))
        candidates.push_back(name);
    candidates.push_back(runtime_library);
    return candidates;
}

namespace {

std::string error_name(const Hiprtc& hiprtc, int code) {
    const char* name = hiprtc.hiprtcGetErrorString(code);
    return name != nullptr ? name : "code " + std::to_string(code);
}

// Why this library is of no use; empty if it is.
std::string try_library(Hiprtc& hiprtc, const Library& library) {
    bool complete = true;
    const auto take = [&](auto& function, const char* name) {
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(library.symbol(name));
        complete = complete && function != nullptr;
    };
#define SEICHE_TAKE(name, result, parameters) take(hiprtc.name, #name);
    SEICHE_HIPRTC_SYMBOLS(SEICHE_TAKE)
#undef SEICHE_TAKE
    if (!complete) return library.name() + " has not all of its functions";
    int major = 0, minor = 0;
    if (const int code = hiprtc.hiprtcVersion(&major, &minor); code != 0)
        return "hiprtcVersion of " + library.name() + " failed with " + error_name(hiprtc, code);
    hiprtc.version = std::to_string(major) + "." + std::to_string(minor);
    hiprtc.path = library.name();
    return {};
}

}  // namespace

Hiprtc load_hiprtc(const std::vector<std::string>& candidates) {
    std::string rejected;
    for (const std::string& candidate : candidates) {
        const Library library = Library::open({candidate});
        if (!library) continue;
        Hiprtc hiprtc;
        const std::string why = try_library(hiprtc, library);
        if (why.empty()) return hiprtc;
        if (rejected.empty()) rejected = why;
    }
    Hiprtc none;
    none.problem = "HIP's run-time compiler hiprtc was not found" + (rejected.empty() ? "" : ": " + rejected);
    none.remedy = "install ROCm's hiprtc; SEICHE_HIPRTC_LIBRARY may name libhiprtc.so";
    return none;
}

namespace {

struct ProgramOwner {
    const Hiprtc& hiprtc;
    ProgramHandle program = nullptr;
    ~ProgramOwner() {
        if (program != nullptr) hiprtc.hiprtcDestroyProgram(&program);
    }
};

std::string program_log(const Hiprtc& hiprtc, ProgramHandle program) {
    std::size_t size = 0;
    if (hiprtc.hiprtcGetProgramLogSize(program, &size) != 0 || size == 0) return {};
    std::string log(size, '\0');
    return hiprtc.hiprtcGetProgramLog(program, log.data()) == 0 ? log : std::string();
}

void check(const Hiprtc& hiprtc, int code, const char* call, const emit::Source& source) {
    if (code == 0) return;
    throw BackendError("hip: " + std::string(call) + " failed with " + error_name(hiprtc, code) + " for kernel " +
                       source.entry);
}

}  // namespace

Binary compile_with_hiprtc(const Hiprtc& hiprtc, const emit::Source& source, std::string* log) {
    // From several threads at once hiprtc 5.2 was seen to give other code than alone, and it is no faster so.
    static std::mutex one_at_a_time;
    const std::lock_guard lock(one_at_a_time);
    ProgramOwner owner{hiprtc};
    const std::string name = source.entry + ".hip";
    check(hiprtc, hiprtc.hiprtcCreateProgram(&owner.program, source.text.c_str(), name.c_str(), 0, nullptr, nullptr),
          "hiprtcCreateProgram", source);
    const std::string architecture = "--offload-arch=" + source.architecture;
    std::vector<const char*> options{architecture.c_str()};
    for (const std::string& option : source.options) options.push_back(option.c_str());
    const int code = hiprtc.hiprtcCompileProgram(owner.program, static_cast<int>(options.size()), options.data());
    const std::string said = program_log(hiprtc, owner.program);
    if (log != nullptr) *log = said;
    if (code != 0)
        throw BackendError("hip: hiprtcCompileProgram failed with " + error_name(hiprtc, code) + " for kernel " +
                           source.entry + " on " + source.architecture + ": " + first_error_line(said) +
                           "; its source is in " + dump_text(source.entry, ".hip", source.text));
    std::size_t size = 0;
    check(hiprtc, hiprtc.hiprtcGetCodeSize(owner.program, &size), "hiprtcGetCodeSize", source);
    Binary binary;
    binary.bytes.resize(size);
    check(hiprtc, hiprtc.hiprtcGetCode(owner.program, reinterpret_cast<char*>(binary.bytes.data())), "hiprtcGetCode",
          source);
    if (size == 0) throw BackendError("hip: hiprtc gave no code for kernel " + source.entry);
    return binary;
}

}  // namespace seiche::runtime::hip
