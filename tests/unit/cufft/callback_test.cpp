// Callbacks as LTO-IR: compiled here by CUDA's own compiler, linked into plans by its linker, on the fake driver.
#include <gtest/gtest.h>

#include <complex>
#include <set>
#include <string>
#include <vector>

#include "../runtime/fake_cuda.hpp"
#include "fft_library.hpp"

namespace fft_test {
namespace {

constexpr int load_complex = 0, load_real = 2, store_complex = 4;

constexpr const char* source = R"(
extern "C" __device__ float2 load(void* in, unsigned long long at, void* info, void*) {
    float2 x = ((float2*)in)[at];
    x.x *= *(float*)info;
    return x;
}
extern "C" __device__ void store(void* out, unsigned long long at, float2 x, void* info, void*) {
    x.y *= *(float*)info;
    ((float2*)out)[at] = x;
}
__device__ float2 loaded(void* in, unsigned long long at, void*, void*) { return ((float2*)in)[at]; }
__device__ float2 loaded_by_size(void* in, size_t at, void*, void*) { return ((float2*)in)[at]; }
__device__ void stored(void* out, unsigned long long at, float2 x, void*, void*) { ((float2*)out)[at] = x; }
__device__ double loaded_double(void* in, unsigned long long at, void*, void*) { return ((double*)in)[at]; }
__device__ void stored_double(void* out, unsigned long long at, double2 x, void*, void*) { ((double2*)out)[at] = x; }
extern "C" __device__ float load_of_real(void* in, unsigned long long at, void*, void*) { return ((float*)in)[at] * 2; }
)";

/// NVRTC as a program has it; where there is none, or no linker beside it, nothing can be tested.
struct Compiler {
    void* nvrtc = nullptr;

    Compiler() {
        for (const char* folder : {"", "/usr/local/cuda/lib64/"})
            for (const char* version : {"13", "12"}) {
                if (nvrtc != nullptr) return;
                const std::string linker = folder + std::string("libnvJitLink.so.") + version;
                if (dlopen(linker.c_str(), RTLD_NOW) == nullptr) continue;
                nvrtc = dlopen((folder + std::string("libnvrtc.so.") + version).c_str(), RTLD_NOW);
            }
    }
    template <class Function>
    Function* find(const char* name) const {
        return reinterpret_cast<Function*>(dlsym(nvrtc, name));
    }
    std::string lto_ir() const {
        void* program = nullptr;
        const char* const options[] = {"-dlto", "-arch=compute_80"};
        EXPECT_EQ(find<int(void**, const char*, const char*, int, const char* const*, const char* const*)>(
                      "nvrtcCreateProgram")(&program, source, "callbacks.cu", 0, nullptr, nullptr),
                  0);
        EXPECT_EQ(find<int(void*, int, const char* const*)>("nvrtcCompileProgram")(program, 2, options), 0);
        Size bytes = 0;
        EXPECT_EQ(find<int(void*, Size*)>("nvrtcGetLTOIRSize")(program, &bytes), 0);
        std::string code(bytes, '\0');
        EXPECT_EQ(find<int(void*, char*)>("nvrtcGetLTOIR")(program, code.data()), 0);
        find<int(void**)>("nvrtcDestroyProgram")(&program);
        return code;
    }
};

class FftCallbacks : public testing::Test {
protected:
    void SetUp() override {
        if (compiler.nvrtc == nullptr) GTEST_SKIP() << "no NVRTC with nvJitLink";
        void* const driver = dlopen("libcuda.so.1", RTLD_NOW);
        auto* const find = reinterpret_cast<FakeCudaRecord* (*)()>(dlsym(driver, "fake_cuda_record"));
        ASSERT_NE(find, nullptr) << "LD_LIBRARY_PATH must begin with the fake driver's folder, as ctest sees to";
        record = find();
        code = compiler.lto_ir();
        ASSERT_EQ(fft().Create(&plan), success);
    }
    void TearDown() override {
        if (plan != no_handle) fft().Destroy(plan);
    }

    int set(const char* symbol, int type, void* info) const {
        auto* const function = fft().find<int(Handle, const char*, const void*, Size, int, void**)>("XtSetJITCallback");
        return function(plan, symbol, code.data(), code.size(), type, &info);
    }
    int make(int n, int type) {
        Size size = 0;
        return fft().MakePlan1d(plan, n, type, 1, &size);
    }

    Compiler compiler;
    FakeCudaRecord* record = nullptr;
    std::string code;
    Handle plan = no_handle;
    alignas(16) std::complex<float> data[128] = {};
};

TEST_F(FftCallbacks, are_linked_and_get_their_pointers) {
    ASSERT_EQ(set("load", load_complex, reinterpret_cast<void*>(0x1234)), success);
    ASSERT_EQ(set("store", store_complex, reinterpret_cast<void*>(0x5678)), success);
    ASSERT_EQ(make(64, c2c), success);
    EXPECT_NE(record->image.find("ELF"), std::string::npos) << "what was loaded is no machine code";
    for (const int direction : {forward, inverse}) {
        EXPECT_EQ(fft().ExecC2C(plan, data, data, direction), success);
        std::set<std::uint32_t> arguments;
        // The fake driver keeps one argument of a launch. The kernel has six: input, output, table, how many sequences
        // there are, and the two pointers.
        for (record->argument_count = 1; record->argument_count <= 6; ++record->argument_count) {
            ASSERT_EQ(fft().ExecC2C(plan, data, data + 64, direction), success);
            arguments.insert(record->last_argument);
        }
        record->argument_count = 1;
        EXPECT_EQ(arguments.count(0x1234), 1U) << direction;
        EXPECT_EQ(arguments.count(0x5678), 1U) << direction;
    }
}

TEST_F(FftCallbacks, are_of_the_plans_types) {
    ASSERT_EQ(set("load_of_real", load_real, nullptr), success);
    EXPECT_EQ(make(64, c2c), invalid_type);
    EXPECT_EQ(make(64, c2r), invalid_type);
    EXPECT_EQ(make(64, d2z), invalid_type);
    EXPECT_EQ(make(64, r2c), success);
}

TEST_F(FftCallbacks, of_cxx_go_by_the_name_that_was_written) {
    ASSERT_EQ(set("loaded", load_complex, nullptr), success);
    ASSERT_EQ(set("stored", store_complex, nullptr), success);
    EXPECT_EQ(make(64, c2c), success);
    fft().Destroy(plan);
    ASSERT_EQ(fft().Create(&plan), success);
    ASSERT_EQ(set("loaded_by_size", load_complex, nullptr), success);
    EXPECT_EQ(make(64, c2c), success);
    fft().Destroy(plan);
    ASSERT_EQ(fft().Create(&plan), success);
    ASSERT_EQ(set("loaded_double", load_real + 1, nullptr), success);
    ASSERT_EQ(set("stored_double", store_complex + 1, nullptr), success);
    EXPECT_EQ(make(64, d2z), success);
}

TEST_F(FftCallbacks, that_are_not_in_the_code_are_refused) {
    ASSERT_EQ(set("stored_elsewhere", load_complex, nullptr), success);
    EXPECT_EQ(make(64, c2c), invalid_value);
    auto* const clear = fft().find<int(Handle, int)>("XtClearCallback");
    ASSERT_EQ(clear(plan, load_complex), success);
    EXPECT_EQ(make(64, c2c), success);
}

TEST_F(FftCallbacks, are_linked_into_passes_of_every_kind) {
    for (const int n : {1009, 10007, 1 << 20}) {
        EXPECT_EQ(fft().Destroy(plan), success);
        ASSERT_EQ(fft().Create(&plan), success);
        ASSERT_EQ(set("load", load_complex, nullptr), success);
        ASSERT_EQ(set("store", store_complex, nullptr), success);
        EXPECT_EQ(make(n, c2c), success) << n;
    }
}

}  // namespace
}  // namespace fft_test
