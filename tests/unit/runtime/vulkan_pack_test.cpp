// Vulkan from a pack, where no compiler can be loaded: this program stands before the system's dlopen, refuses every
// library that compiles kernels, and notes what is asked for. What a driver does inside is its own.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "seiche/error.hpp"
#include "seiche/pack.hpp"
#include "seiche/plan.hpp"

namespace {

std::vector<std::string>& opened() {
    static std::vector<std::string> names;
    return names;
}

bool is_compiler(std::string_view name) {
    for (const char* word :
         {"nvrtc", "hiprtc", "amdhip", "amd_comgr", "OpenCL", "pocl", "shaderc", "glslang", "SPIRV-Tools"})
        if (name.find(word) != std::string_view::npos) return true;
    return false;
}

}  // namespace

extern "C" void* dlopen(const char* name, int mode) {
    static const auto real = reinterpret_cast<void* (*)(const char*, int)>(dlsym(RTLD_NEXT, "dlopen"));
    if (name == nullptr) return real(name, mode);
    opened().emplace_back(name);
    return is_compiler(name) ? nullptr : real(name, mode);
}

namespace seiche::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* problems[] = {"1000 in-place", "37x64 f32 batch=3 in-place", "4099 in-place"};

std::vector<Plan> make_plans() {
    const Device device = Device::open("vulkan");
    std::vector<Plan> plans;
    for (const char* problem : problems) plans.emplace_back(device, parse_problem(problem));
    return plans;
}

/// An impulse's transform is a constant.
bool is_right(const Plan& plan) {
    const std::size_t points = plan.input_bytes() / sizeof(std::complex<float>), one = points / plan.problem().batch;
    std::vector<std::complex<float>> data(points);
    for (std::size_t i = 0; i < points; i += one) data[i] = 1.0F;
    for (const std::complex<float> value : plan.forward(data))
        if (std::abs(value - std::complex<float>(1)) > 1e-4F) return false;
    return true;
}

[[noreturn]] void end(const std::string& fault) {
    if (!fault.empty()) std::fprintf(stderr, "%s\n", fault.c_str());
    std::_Exit(fault.empty() ? 0 : 1);
}

/// The pack, from plans whose kernels are compiled.
[[noreturn]] void make_pack(const char* file) {
    const std::vector<Plan> plans = make_plans();
    for (const Plan& plan : plans)
        if (plan.report().compiled == 0) end(plan.report().problem + ": nothing was compiled");
    const std::vector<std::byte> bytes = pack_kernels(plans);
    std::ofstream(file, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    end("");
}

[[noreturn]] void use_pack(const char* file) {
    setenv("SEICHE_PACK_PATH", file, 1);
    try {
        for (const Plan& plan : make_plans()) {
            const PlanReport& report = plan.report();
            if (report.compiled != 0 || report.cached == 0) end(report.problem + ": not all kernels are of the pack");
            if (!is_right(plan)) end(report.problem + ": wrong");
        }
    } catch (const Error& error) {
        end(error.what());
    }
    if (opened().empty()) end("dlopen was not watched");
    for (const std::string& name : opened())
        if (is_compiler(name)) end("asked for " + name);
    end("");
}

TEST(VulkanPack, needs_no_compiler) {
    testing::FLAGS_gtest_death_test_style = "threadsafe";  // each in a program of its own
    setenv("SEICHE_CACHE_DIR", "/dev/null/nowhere", 1);
    try {
        Device::open("vulkan");
    } catch (const Unsupported& error) {
        GTEST_SKIP() << error.what();
    }
    // Those programs come here again, and take this name.
    const fs::path own = fs::temp_directory_path() / ("seiche-vulkan-pack-" + std::to_string(getpid()));
    setenv("SEICHE_TEST_PACK", own.c_str(), 0);
    const char* file = std::getenv("SEICHE_TEST_PACK");
    EXPECT_EXIT(make_pack(file), testing::ExitedWithCode(0), "");
    EXPECT_EXIT(use_pack(file), testing::ExitedWithCode(0), "");
    fs::remove(file);
}

}  // namespace
}  // namespace seiche::test
