// Finds, loads and calls NVRTC.
#include "runtime/cuda/nvrtc.hpp"

#include <algorithm>
#include <type_traits>

#include "runtime/cuda/api.hpp"
#include "runtime/library.hpp"
#include "seiche/error.hpp"

namespace seiche::runtime::cuda {

namespace fs = std::filesystem;

namespace {

const std::vector<std::string>& file_names() {
    static const std::vector<std::string> names = names_here({.so = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"},
                                                              .dll = {"nvrtc64_130_0.dll", "nvrtc64_120_0.dll"},
                                                              .dylib = {}});
    return names;
}

void add_folder(std::vector<std::string>& candidates, const fs::path& folder) {
    std::error_code failed;
    for (const std::string& name : file_names())
        if (fs::exists(folder / name, failed)) candidates.push_back((folder / name).string());
}

void add_toolkit(std::vector<std::string>& candidates, const fs::path& root) {
    if (root.empty()) return;
    for (const char* folder : {"lib64", "lib", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib", "bin/x64", "bin"})
        add_folder(candidates, root / folder);
}

std::vector<fs::path> entries(const fs::path& folder, std::string_view prefix) {
    std::vector<fs::path> found;
    std::error_code failed;
    for (fs::directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed))
        if (it->path().filename().string().starts_with(prefix)) found.push_back(it->path());
    std::sort(found.rbegin(), found.rend());  // the newest first
    return found;
}

// The wheels nvidia-cuda-nvrtc-cu12 and nvidia-cuda-nvrtc.
void add_python(std::vector<std::string>& candidates, const fs::path& lib) {
    for (const fs::path& python : entries(lib, "python3"))
        for (const char* packages : {"site-packages", "dist-packages"})
            for (const char* wheel : {"cu13", "cuda_nvrtc"})
                add_folder(candidates, python / packages / "nvidia" / wheel / "lib");
}

}  // namespace

std::vector<std::string> nvrtc_candidates() {
    std::vector<std::string> candidates;
    for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) add_toolkit(candidates, path_of(environment(variable)));
    for (const char* variable : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
        const fs::path root = path_of(environment(variable));
        if (root.empty()) continue;
        add_python(candidates, root / "lib");
        add_toolkit(candidates, root);
    }
    candidates.insert(candidates.end(), file_names().begin(), file_names().end());
    for (const fs::path& toolkit : entries("/usr/local", "cuda")) add_toolkit(candidates, toolkit);
    if (const std::string home = environment("HOME"); !home.empty())
        add_python(candidates, path_of(home) / ".local" / "lib");
    for (const char* lib : {"/usr/local/lib", "/usr/lib", "/opt/conda/lib"}) add_python(candidates, lib);
    return candidates;
}

namespace {

// Why this library is of no use; empty if it is.
std::string try_library(Nvrtc& nvrtc, const Library& library, int driver_version) {
    bool complete = true;
    const auto take = [&](auto& function, const char* name) {
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(library.symbol(name));
        complete = complete && function != nullptr;
    };
#define SEICHE_TAKE(name, parameters) take(nvrtc.name, #name);
    SEICHE_NVRTC_SYMBOLS(SEICHE_TAKE)
#undef SEICHE_TAKE
    int major = 0, minor = 0;
    if (!complete || nvrtc.nvrtcVersion(&major, &minor) != 0) return library.name() + " is not complete";
    nvrtc.version = 1000 * major + 10 * minor;
    if (nvrtc.version < oldest_version) return library.name() + " is of version " + version_text(nvrtc.version);
    if (driver_version != 0 && major > driver_version / 1000)
        return library.name() + " is of version " + version_text(nvrtc.version) + ", and the driver only for CUDA " +
               version_text(driver_version);
    int count = 0;
    if (nvrtc.nvrtcGetNumSupportedArchs(&count) != 0 || count <= 0) return library.name() + " knows no architecture";
    nvrtc.architectures.resize(static_cast<std::size_t>(count));
    nvrtc.nvrtcGetSupportedArchs(nvrtc.architectures.data());
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
    nvrtc.nvrtcGetProgramLog(program, log.data());
    return log;
}

}  // namespace

Binary compile_with_nvrtc(const Nvrtc& nvrtc, const emit::Source& source, std::string* log) {
    ProgramOwner owner{nvrtc};
    const std::string name = source.entry + ".cu";
    int code = nvrtc.nvrtcCreateProgram(&owner.program, source.text.c_str(), name.c_str(), 0, nullptr, nullptr);
    if (code != 0)
        throw BackendError("cuda: nvrtcCreateProgram failed with code " + std::to_string(code) + " for kernel " +
                           source.entry);
    const std::string architecture = "--gpu-architecture=" + source.architecture;
    std::vector<const char*> options{architecture.c_str()};
    for (const std::string& option : source.options) options.push_back(option.c_str());
    code = nvrtc.nvrtcCompileProgram(owner.program, static_cast<int>(options.size()), options.data());
    const std::string said = program_log(nvrtc, owner.program);
    if (log != nullptr) *log = said;
    if (code != 0)
        throw BackendError("cuda: nvrtcCompileProgram failed with code " + std::to_string(code) + " for kernel " +
                           source.entry + " on " + source.architecture + ": " + first_error_line(said) +
                           "; its source is in " + dump_text(source.entry, ".cu", source.text));
    const bool machine_code = source.architecture.starts_with("sm_");
    std::size_t size = 0;
    code = machine_code ? nvrtc.nvrtcGetCUBINSize(owner.program, &size) : nvrtc.nvrtcGetPTXSize(owner.program, &size);
    Binary binary;
    binary.bytes.resize(size);
    auto* target = reinterpret_cast<char*>(binary.bytes.data());
    if (code == 0)
        code = machine_code ? nvrtc.nvrtcGetCUBIN(owner.program, target) : nvrtc.nvrtcGetPTX(owner.program, target);
    if (code != 0 || size == 0)
        throw BackendError("cuda: NVRTC gave no code for kernel " + source.entry + ", code " + std::to_string(code));
    return binary;
}

}  // namespace seiche::runtime::cuda
