// Finds the libraries and calls them.
#include "bench/rivals/cuda.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

#include "bench/loaded_library.hpp"
#include "bench/rivals/kernels.hpp"
#include "cli/text/failure.hpp"

namespace seiche::rivals {
namespace {

using bench::LoadedLibrary;

/// A toolkit's folder; LD_LIBRARY_PATH leads to others.
std::string toolkit() { return bench::environment("CUDA_PATH", "/usr/local/cuda") + "/lib64"; }

template <class Library>
const Library& loaded() {
    try {
        static const Library library;
        return library;
    } catch (const bench::PeerError& error) {
        throw cli::Failure(error.what());
    }
}

}  // namespace

Driver::Driver() {
    const LoadedLibrary library({"libcuda.so.1"}, "/usr/lib/wsl/lib");
    library.find(set_current, "cuCtxSetCurrent");
    library.find(current_device, "cuCtxGetDevice");
    library.find(attribute, "cuDeviceGetAttribute");
    library.find(allocate, "cuMemAlloc_v2");
    library.find(release, "cuMemFree_v2");
    library.find(download, "cuMemcpyDtoH_v2");
    library.find(fill, "cuMemsetD8Async");
    library.find(wait, "cuStreamSynchronize");
    library.find(load, "cuModuleLoadData");
    library.find(unload, "cuModuleUnload");
    library.find(function, "cuModuleGetFunction");
    library.find(launch, "cuLaunchKernel");
    library.find(begin_capture, "cuStreamBeginCapture_v2");
    library.find(end_capture, "cuStreamEndCapture");
    library.find(instantiate, "cuGraphInstantiateWithFlags");
    library.find(launch_graph, "cuGraphLaunch");
    library.find(destroy_graph, "cuGraphDestroy");
    library.find(destroy_instance, "cuGraphExecDestroy");
}

Nvrtc::Nvrtc() {
    const LoadedLibrary library({"libnvrtc.so.13", "libnvrtc.so.12"}, toolkit());
    library.find(create, "nvrtcCreateProgram");
    library.find(compile, "nvrtcCompileProgram");
    library.find(code_size, "nvrtcGetCUBINSize");
    library.find(code, "nvrtcGetCUBIN");
    library.find(log_size, "nvrtcGetProgramLogSize");
    library.find(log, "nvrtcGetProgramLog");
    library.find(destroy, "nvrtcDestroyProgram");
}

Cufft::Cufft() {
    const LoadedLibrary library({"libcufft.so.12", "libcufft.so.11"}, toolkit());
    library.find(version, "cufftGetVersion");
    library.find(create, "cufftCreate");
    library.find(make_plan, "cufftMakePlanMany64");
    library.find(set_stream, "cufftSetStream");
    library.find(execute_c2c, "cufftExecC2C");
    library.find(execute_z2z, "cufftExecZ2Z");
    library.find(execute_r2c, "cufftExecR2C");
    library.find(execute_c2r, "cufftExecC2R");
    library.find(destroy, "cufftDestroy");
}

std::string Cufft::name() const {
    int number = 0;
    check(version(&number), "cufftGetVersion");
    return "cufft-" + std::to_string(number / 1000) + "." + std::to_string(number / 100 % 10) + "." +
           std::to_string(number % 100);
}

const Driver& driver() { return loaded<Driver>(); }
const Nvrtc& nvrtc() { return loaded<Nvrtc>(); }
const Cufft& cufft() { return loaded<Cufft>(); }

void check(int code, const char* call) {
    if (code != 0) throw cli::Failure(std::string(call) + " failed with code " + std::to_string(code));
}

namespace {

/// Machine code for the current card.
std::vector<char> compiled() {
    int device = 0, major = 0, minor = 0;
    constexpr int capability_major = 75, capability_minor = 76;  // CUdevice_attribute
    check(driver().current_device(&device), "cuCtxGetDevice");
    check(driver().attribute(&major, capability_major, device), "cuDeviceGetAttribute");
    check(driver().attribute(&minor, capability_minor, device), "cuDeviceGetAttribute");
    const std::string architecture = "--gpu-architecture=sm_" + std::to_string(10 * major + minor);
    const std::array<const char*, 2> options = {architecture.c_str(), "--std=c++17"};
    Handle program = nullptr;
    check(nvrtc().create(&program, kernel_text, "rivals.cu", 0, nullptr, nullptr), "nvrtcCreateProgram");
    const int code = nvrtc().compile(program, static_cast<int>(options.size()), options.data());
    if (code != 0) {
        std::size_t size = 0;
        std::string log;
        if (nvrtc().log_size(program, &size) == 0) {
            log.resize(size);
            nvrtc().log(program, log.data());
        }
        nvrtc().destroy(&program);
        throw cli::Failure("nvrtcCompileProgram failed with code " + std::to_string(code) + ": " + log);
    }
    std::size_t size = 0;
    check(nvrtc().code_size(program, &size), "nvrtcGetCUBINSize");
    std::vector<char> binary(size);
    check(nvrtc().code(program, binary.data()), "nvrtcGetCUBIN");
    nvrtc().destroy(&program);
    return binary;
}

}  // namespace

Kernels::Kernels(Handle stream) : stream_(stream) {
    static const std::vector<char> binary = compiled();
    check(driver().load(&module_, binary.data()), "cuModuleLoadData");
}

Kernels::~Kernels() { driver().unload(module_); }

void Kernels::launch_with(const char* kernel, const Grid& grid, void** arguments) {
    Handle& function = functions_[kernel];
    if (function == nullptr) check(driver().function(&function, module_, kernel), "cuModuleGetFunction");
    check(driver().launch(function, static_cast<unsigned>(grid.x), static_cast<unsigned>(grid.y),
                          static_cast<unsigned>(grid.z), threads, 1, 1, 0, stream_, arguments, nullptr),
          "cuLaunchKernel");
}

Transform::Transform(Type type, const std::vector<std::uint64_t>& lengths, const Layout& input, const Layout& output,
                     std::uint64_t batch, Handle stream)
    : type_(type) {
    const auto numbers = [](const std::vector<std::uint64_t>& from) {
        return std::vector<long long>(from.begin(), from.end());
    };
    std::vector<long long> n = numbers(lengths), from = numbers(input.embedded), to = numbers(output.embedded);
    std::size_t workspace = 0;
    check(cufft().create(&plan_), "cufftCreate");
    const int code = cufft().make_plan(
        plan_, static_cast<int>(n.size()), n.data(), from.data(), static_cast<long long>(input.stride),
        static_cast<long long>(input.distance), to.data(), static_cast<long long>(output.stride),
        static_cast<long long>(output.distance), static_cast<int>(type), static_cast<long long>(batch), &workspace);
    if (code != 0) reset();
    check(code, "cufftMakePlanMany64");
    check(cufft().set_stream(plan_, stream), "cufftSetStream");
}

namespace {

Layout dense(std::vector<std::uint64_t> lengths, bool is_halved) {
    if (is_halved) lengths.back() = lengths.back() / 2 + 1;
    std::uint64_t distance = 1;
    for (const std::uint64_t n : lengths) distance *= n;
    return {lengths, distance};
}

}  // namespace

Transform::Transform(Type type, const std::vector<std::uint64_t>& lengths, std::uint64_t batch, Handle stream)
    : Transform(type, lengths, dense(lengths, type == Type::c2r), dense(lengths, type == Type::r2c), batch, stream) {}

void Transform::run(Address from, Address to, bool inverse) const {
    constexpr int forward = -1, backward = 1;
    // cuFFT takes addresses on the device as pointers.
    auto* const in = reinterpret_cast<void*>(from);  // NOLINT(performance-no-int-to-ptr)
    auto* const out = reinterpret_cast<void*>(to);   // NOLINT(performance-no-int-to-ptr)
    const int direction = inverse ? backward : forward;
    switch (type_) {
        case Type::c2c: check(cufft().execute_c2c(plan_, in, out, direction), "cufftExecC2C"); break;
        case Type::z2z: check(cufft().execute_z2z(plan_, in, out, direction), "cufftExecZ2Z"); break;
        case Type::r2c: check(cufft().execute_r2c(plan_, in, out), "cufftExecR2C"); break;
        case Type::c2r: check(cufft().execute_c2r(plan_, in, out), "cufftExecC2R"); break;
    }
}

}  // namespace seiche::rivals
