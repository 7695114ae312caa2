// What the tests look for on a machine and do without where it is missing. Where SEICHE_REQUIRE_TOOLS says that nothing
// may be missing, as ./dev test does, one test for each of them fails, so that no test is skipped in silence. Each is
// looked for as those tests do.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>

#include "hiprtc_child.hpp"
#include "intel_folder.hpp"
#include "run_kernel.hpp"
#include "runtime/library.hpp"
#include "vulkan_layers.hpp"

namespace seiche::test {
namespace {

const auto* const folder = testing::AddGlobalTestEnvironment(new TemporaryFolder);

struct Prerequisite {
    const char* name;      ///< Of the test.
    const char* packages;  ///< That have it, on Debian and Ubuntu.
    /// Why it is not there; nothing if it is.
    std::function<std::string()> missing;
};

/// Programs and files as CMake found them, empty where it did not.
std::function<std::string()> file(const std::string& found) {
    return [found]() -> std::string {
        if (found.empty()) return "CMake did not find it";
        return std::filesystem::exists(found) ? "" : found + " is gone";
    };
}

std::function<std::string()> program(const std::string& command) {
    return [command]() -> std::string {
        if (command.empty()) return "CMake did not find it";
        return std::system((command + " > /dev/null 2>&1").c_str()) == 0 ? "" : "it does not run: " + command;
    };
}

std::function<std::string()> tool(const std::string& found) {
    return program(found.empty() ? found : "'" + found + "' --version");
}

std::function<std::string()> python(const std::string& text) {
    const std::string found = SEICHE_PYTHON;
    return program(found.empty() ? found : "'" + found + "' -c '" + text + "'");
}

std::function<std::string()> library(const std::string& name) {
    return [name] { return runtime::Library::open({name}) ? "" : "it does not load"; };
}

std::function<std::string()> device(const std::string& name) {
    return [name] {
        std::string reason;
        return try_open(name, reason) ? "" : reason;
    };
}

/// A layer that a loader passes over in silence where it is not: it must have come with the device.
std::function<std::string()> layer(const std::string& device, const std::string& library) {
    return [device, library]() -> std::string {
        std::string reason;
        const auto opened = try_open(device, reason);
        if (!opened) return reason;
        const bool is_loaded = dlopen(library.c_str(), RTLD_NOW | RTLD_NOLOAD) != nullptr;
        return is_loaded ? "" : "the loader does not load " + library;
    };
}

std::string vulkan_validation() {
    if (!missing_layers().empty()) return "the loader does not have " + missing_layers().front();
    return layer("vulkan:llvmpipe", "libVkLayer_khronos_validation.so")();
}

const Prerequisite prerequisites[] = {
    // First, in a process that has no threads yet.
    {"hiprtc", "libamdhip64-5, libhiprtc-builtins5, rocm-device-libs (Ubuntu: rocm-device-libs-17)",
     [] { return std::string(hiprtc_here() ? "" : "no library of its names loads"); }},
    {"opencl_pocl", "pocl-opencl-icd, ocl-icd-libopencl1", device("opencl:pocl")},
    {"opencl_headers", "ocl-icd-opencl-dev, opencl-headers", file(SEICHE_OPENCL_HEADERS)},
    {"opencl_intel", "intel-opencl-icd", device("opencl:Intel(R) OpenCL")},
    {"opencl_intel_icd", "intel-opencl-icd", file(SEICHE_INTEL_ICD)},
    {"level_zero_driver", "intel-opencl-icd, libze1", device("level_zero")},
    {"level_zero_validation", "libze1", layer("level_zero", "libze_validation_layer.so.1")},
    {"level_zero_headers", "libze-dev", file(SEICHE_LEVEL_ZERO_HEADERS)},
    {"vulkan_lavapipe", "mesa-vulkan-drivers, libvulkan1", device("vulkan:llvmpipe")},
    {"vulkan_lavapipe_icd", "mesa-vulkan-drivers", file(SEICHE_LAVAPIPE)},
    {"vulkan_validation", "vulkan-validationlayers", vulkan_validation},
    {"vulkan_headers", "libvulkan-dev", file(SEICHE_VULKAN_HEADERS)},
    {"opengl_llvmpipe", "libegl1, libgl1-mesa-dri", device("opengl:llvmpipe")},
    {"opengl_es_llvmpipe", "libgles2, libgl1-mesa-dri", device("opengl:OpenGL ES")},
    {"spirv_val", "spirv-tools", tool(SEICHE_SPIRV_VAL)},
    {"spirv_dis", "spirv-tools", tool(SEICHE_SPIRV_DIS)},
    {"llvm_spirv", "llvm-spirv-15", tool(SEICHE_LLVM_SPIRV)},
    {"glslang", "glslang-tools", tool(SEICHE_GLSLANG)},
    {"clang", "clang-14", tool(SEICHE_CLANG)},
    {"gdb", "gdb", tool(SEICHE_GDB)},
    {"valgrind", "valgrind", tool(SEICHE_VALGRIND)},
    {"mpi_abi", "mpich of python/requirements.txt, which ./dev test installs", file(SEICHE_MPI_ABI)},
    {"fortran", "gfortran", tool(CMAKE_Fortran_COMPILER)},
    {"open_mpi", "openmpi-bin, libopenmpi-dev", file(SEICHE_OPEN_MPI)},
    {"numpy_and_scipy", "python3-numpy, python3-scipy", python("import numpy, scipy")},
    {"glfw", "libglfw3", library("libglfw.so.3")},
    {"glfw_header", "libglfw3-dev", file(SEICHE_GLFW_HEADER)},
    {"xvfb", "xvfb", program("command -v Xvfb")},
};

class Prerequisites : public testing::TestWithParam<Prerequisite> {};

TEST_P(Prerequisites, is_here) {
    if (runtime::environment("SEICHE_REQUIRE_TOOLS").empty())
        GTEST_SKIP() << "SKIPPED: SEICHE_REQUIRE_TOOLS is not set";
    const std::string why = GetParam().missing();
    if (!why.empty())
        ADD_FAILURE() << GetParam().name << " is missing (" << why << "): install " << GetParam().packages;
}

INSTANTIATE_TEST_SUITE_P(dev_test, Prerequisites, testing::ValuesIn(prerequisites),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace seiche::test
