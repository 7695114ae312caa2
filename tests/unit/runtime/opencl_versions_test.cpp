// OpenCL 1.1 to 3.0, and devices that lack what a version leaves open, as a fake loader makes PoCL say them: what is
// used is asked for, and the width of subgroups is found.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <cstdlib>
#include <memory>

#include "fake_opencl.hpp"
#include "runtime/backend.hpp"
#include "sample_kernels.hpp"
#include "seiche/error.hpp"
#include "seiche/inspect.hpp"
#include "seiche/interop/opencl.hpp"
#include "seiche/plan.hpp"

namespace seiche::test {
namespace {

constexpr unsigned capability_major_nv = 0x4000, capability_minor_nv = 0x4001;
constexpr unsigned warp_size_nv = 0x4003, wavefront_width_amd = 0x4043, subgroup_sizes_intel = 0x4108;

class OpenclVersions : public testing::Test {
protected:
    void SetUp() override {
        setenv("SEICHE_CACHE_DIR", "/dev/null/nowhere", 1);
        void* library = dlopen(SEICHE_FAKE_OPENCL, RTLD_NOW);
        void* symbol = library != nullptr ? dlsym(library, "fake_opencl_record") : nullptr;
        ASSERT_NE(symbol, nullptr);
        record = reinterpret_cast<FakeOpenclRecord* (*)()>(symbol)();
        *record = FakeOpenclRecord();
        cl_platform_id platform = nullptr;
        if (clGetPlatformIDs(1, &platform, nullptr) != CL_SUCCESS ||
            clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &id, nullptr) != CL_SUCCESS)
            GTEST_SKIP() << "no OpenCL device";
        context = clCreateContext(nullptr, 1, &id, nullptr, nullptr, nullptr);
    }
    void TearDown() override {
        *record = FakeOpenclRecord();
        if (context != nullptr) clReleaseContext(context);
    }
    /// A device of that version, which answers no question of a later one.
    void say_version(const char* version, const char* language) {
        record->answer(CL_DEVICE_VERSION, version);
        record->answer(CL_DEVICE_OPENCL_C_VERSION, language);
        const std::string text = version;
        if (text < "OpenCL 2.0") record->unknown.insert(CL_DEVICE_SVM_CAPABILITIES);
        if (text < "OpenCL 2.1") record->unknown.insert(CL_DEVICE_MAX_NUM_SUB_GROUPS);
        if (text < "OpenCL 3.0")
            record->unknown.insert({CL_DEVICE_OPENCL_C_ALL_VERSIONS, CL_DEVICE_OPENCL_C_FEATURES,
                                    CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE});
    }
    void say_gpu(std::size_t group = 1024) {
        record->answer(CL_DEVICE_TYPE, cl_device_type{CL_DEVICE_TYPE_GPU});
        record->answer(CL_DEVICE_MAX_WORK_GROUP_SIZE, group);
    }
    std::uint32_t subgroup() const { return opencl::device(context, id).limits().subgroup_size; }
    static void expect_right(const Device& device) {
        Problem problem;
        problem.lengths = {60};
        const Plan plan(device, problem);
        std::vector<std::complex<float>> impulse(60);
        impulse[1] = 1.0f;
        const auto spectrum = plan.forward(impulse);
        for (std::size_t k = 0; k < 60; ++k)
            EXPECT_NEAR(std::abs(spectrum[k] - std::polar(1.0f, -6.2831853f * static_cast<float>(k) / 60)), 0, 1e-5)
                << k;
    }

    FakeOpenclRecord* record = nullptr;
    cl_device_id id = nullptr;
    cl_context context = nullptr;
};

TEST_F(OpenclVersions, before_1_2_a_device_is_refused_with_its_version) {
    say_version("OpenCL 1.1 old", "OpenCL C 1.1 old");
    try {
        opencl::device(context, id);
        FAIL() << "a device of OpenCL 1.1 was taken";
    } catch (const Unsupported& error) {
        EXPECT_NE(std::string(error.what()).find("it is of OpenCL 1.1 old, expected at least OpenCL 1.2"),
                  std::string::npos)
            << error.what();
    }
}

TEST_F(OpenclVersions, each_from_1_2_on_builds_what_every_compiler_takes) {
    const char* const versions[][2] = {{"OpenCL 1.2 fake", "OpenCL C 1.2 fake"},
                                       {"OpenCL 2.0 fake", "OpenCL C 2.0 fake"},
                                       {"OpenCL 2.1 fake", "OpenCL C 2.0 fake"},
                                       {"OpenCL 3.0 fake", "OpenCL C 1.2 fake"},
                                       {"OpenCL 3.0 fake", "OpenCL C 3.0 fake"}};
    for (const auto& version : versions) {
        record->unknown.clear();
        say_version(version[0], version[1]);
        record->options.clear();
        expect_right(opencl::device(context, id));
        EXPECT_EQ(record->options.rfind("-cl-std=CL1.2", 0), 0u) << version[0] << ": " << record->options;
    }
}

TEST_F(OpenclVersions, what_3_0_leaves_open_is_asked_for) {
    say_version("OpenCL 3.0 bare", "OpenCL C 3.0 bare");
    record->answer(CL_DEVICE_SVM_CAPABILITIES, cl_device_svm_capabilities{0});
    record->answer(CL_DEVICE_DOUBLE_FP_CONFIG, cl_device_fp_config{0});
    record->answer(CL_DEVICE_EXTENSIONS, "cl_khr_fp16_not_quite");
    record->answer(CL_DEVICE_MAX_NUM_SUB_GROUPS, cl_uint{0});
    const Device bare = opencl::device(context, id);
    EXPECT_FALSE(bare.limits().fp64);
    EXPECT_FALSE(bare.limits().exact_fp64);
    EXPECT_FALSE(bare.limits().fp16_arithmetic);
    expect_right(bare);
    EXPECT_THROW(Plan(bare, parse_problem("16 f64")), Unsupported);
    EXPECT_THROW(Plan(bare, parse_problem("16 f64x2")), Unsupported);
    EXPECT_THROW(Plan(bare, parse_problem("16 f16-arithmetic")), Unsupported);
    int memory = 0;
    EXPECT_THROW(opencl::svm_buffer(bare, &memory, 4), Unsupported);
    EXPECT_THROW(opencl::usm_buffer(bare, &memory, 4), Unsupported);
}

TEST_F(OpenclVersions, the_width_of_subgroups_is_what_vendor_or_version_say) {
    EXPECT_EQ(subgroup(), 1u) << "a CPU's work-item is alone";
    say_gpu(512);
    record->unknown = {warp_size_nv, wavefront_width_amd, subgroup_sizes_intel};
    say_version("OpenCL 1.2 fake", "OpenCL C 1.2 fake");
    EXPECT_EQ(subgroup(), 32u) << "nobody says";
    record->unknown.clear();
    say_version("OpenCL 2.1 fake", "OpenCL C 2.0 fake");
    record->answer(CL_DEVICE_MAX_NUM_SUB_GROUPS, cl_uint{64});
    EXPECT_EQ(subgroup(), 8u);
    record->answer(CL_DEVICE_MAX_NUM_SUB_GROUPS, cl_uint{0});
    EXPECT_EQ(subgroup(), 32u) << "it has none";
    record->unknown.clear();
    say_version("OpenCL 3.0 fake", "OpenCL C 3.0 fake");
    record->answer(CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, std::size_t{128});
    EXPECT_EQ(subgroup(), 128u);
    record->answer(subgroup_sizes_intel, std::vector<std::size_t>{8, 16, 32});
    EXPECT_EQ(subgroup(), 16u);
    record->answer(subgroup_sizes_intel, std::vector<std::size_t>{8, 32});
    EXPECT_EQ(subgroup(), 32u);
    record->answer(wavefront_width_amd, cl_uint{64});
    EXPECT_EQ(subgroup(), 64u);
    record->answer(warp_size_nv, cl_uint{32});
    EXPECT_EQ(subgroup(), 32u);
}

TEST_F(OpenclVersions, the_shared_memory_of_a_unit_is_what_nvidias_compute_capability_says) {
    const auto of_unit = [&] { return opencl::device(context, id).limits().shared_bytes_per_unit; };
    say_gpu();
    record->answer(CL_DEVICE_LOCAL_MEM_SIZE, cl_ulong{48 * 1024});
    record->unknown = {capability_major_nv, capability_minor_nv};
    EXPECT_EQ(of_unit(), 48u * 1024) << "nobody says";
    record->unknown.clear();
    record->answer(capability_major_nv, cl_uint{9});
    record->answer(capability_minor_nv, cl_uint{0});
    EXPECT_EQ(of_unit(), 48u * 1024) << "no card of NVIDIA's";
    record->answer(CL_DEVICE_EXTENSIONS, "cl_khr_fp64 cl_nv_device_attribute_query");
    EXPECT_EQ(of_unit(), 100u * 1024) << "of 228, as many as its driver leaves the groups of a kernel";
    record->answer(capability_major_nv, cl_uint{7});
    record->answer(capability_minor_nv, cl_uint{5});
    EXPECT_EQ(of_unit(), 64u * 1024);
    record->answer(capability_major_nv, cl_uint{31});
    EXPECT_EQ(of_unit(), 48u * 1024) << "not known here";
}

TEST_F(OpenclVersions, the_last_cache_is_what_its_maker_has_published) {
    const auto cache = [&] { return opencl::device(context, id).limits().cache_bytes; };
    say_gpu();
    record->answer(CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, cl_ulong{4325376});
    record->answer(CL_DEVICE_VENDOR_ID, cl_uint{0x10de});
    record->answer(CL_DEVICE_NAME, "NVIDIA H200");
    EXPECT_EQ(cache(), 50ull << 20);
    record->answer(CL_DEVICE_NAME, "NVIDIA H200 MIG 1g.18gb");
    EXPECT_EQ(cache(), 4325376u) << "a part of the card";
    record->answer(CL_DEVICE_NAME, "NVIDIA H200");
    record->answer(CL_DEVICE_VENDOR_ID, cl_uint{0x1002});
    EXPECT_EQ(cache(), 4325376u) << "a card of another maker";
    EXPECT_FALSE(opencl::device(context, id).limits().bounds_registers);
}

TEST_F(OpenclVersions, registers_and_sectors_are_those_of_the_maker) {
    const auto expect = [&](cl_uint vendor, cl_uint line, std::uint32_t registers, std::uint32_t sector) {
        record->answer(CL_DEVICE_VENDOR_ID, vendor);
        record->answer(CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE, line);
        const DeviceLimits limits = opencl::device(context, id).limits();
        EXPECT_EQ(limits.registers_per_thread, registers) << vendor;
        EXPECT_EQ(limits.sector_bytes, sector) << vendor << ", lines of " << line;
    };
    expect(0x10de, 128, 255, 128);  // a processor, whoever made it
    say_gpu();
    expect(0x10de, 128, 255, 32);
    expect(0x1002, 128, 256, 64);
    expect(0x8086, 64, 128, 32);  // it does not say what its lanes are
    record->answer(subgroup_sizes_intel, std::vector<std::size_t>{8, 16, 32});
    expect(0x8086, 64, 64, 32);
    record->answer(subgroup_sizes_intel, std::vector<std::size_t>{16, 32});
    expect(0x8086, 64, 128, 32);
    expect(0x13b5, 64, 128, 32);
}

TEST_F(OpenclVersions, lanes_are_stated_where_they_are_the_fewest_of_intels) {
    const auto lanes = [&] { return opencl::device(context, id).impl()->target().subgroup_size; };
    record->answer(subgroup_sizes_intel, std::vector<std::size_t>{16, 32});
    EXPECT_EQ(lanes(), 0u) << "a processor's";
    say_gpu();
    EXPECT_EQ(lanes(), 16u);
    expect_right(opencl::device(context, id));
    record->answer(subgroup_sizes_intel, std::vector<std::size_t>{8, 16, 32});
    EXPECT_EQ(lanes(), 0u);
    record->unknown = {subgroup_sizes_intel};
    record->answers.erase(subgroup_sizes_intel);
    EXPECT_EQ(lanes(), 0u);
}

// Its compiler takes fences in PTX, from compute capability 7.0 on, whatever versions of the language there are beside.
TEST_F(OpenclVersions, groups_wait_for_each_other_by_nvidias_own_fences) {
    say_gpu();
    say_version("OpenCL 3.0 CUDA", "OpenCL C 1.2");
    cl_name_version known[2] = {{CL_MAKE_VERSION(1, 2, 0), "OpenCL C"}, {CL_MAKE_VERSION(3, 0, 0), "OpenCL C"}};
    record->answer(CL_DEVICE_OPENCL_C_ALL_VERSIONS, std::vector<cl_name_version>(known, known + 2));
    record->answer(CL_DEVICE_OPENCL_C_FEATURES, std::vector<cl_name_version>{{0, "__opencl_c_fp64"}});
    record->answer(capability_major_nv, cl_uint{9});
    record->answer(capability_minor_nv, cl_uint{0});
    EXPECT_FALSE(opencl::device(context, id).limits().waits_for_groups) << "no card of NVIDIA's";
    record->answer(CL_DEVICE_EXTENSIONS, "cl_khr_fp64 cl_nv_device_attribute_query");
    const Device hopper = opencl::device(context, id);
    EXPECT_TRUE(hopper.limits().waits_for_groups);
    EXPECT_EQ(hopper.limits().architecture, "sm_90");
    const emit::Source source = emit::emit(std::make_shared<ir::Kernel>(ticket_kernel()), hopper.impl()->target());
    EXPECT_NE(source.text.find("fence.acq_rel.gpu;"), std::string::npos) << source.text;
    EXPECT_EQ(source.text.find("memory_scope_device"), std::string::npos) << source.text;
    try {
        hopper.impl()->build(source);
        ADD_FAILURE() << "a CPU's compiler took PTX";
    } catch (const BackendError&) {
    }
    EXPECT_EQ(record->options.rfind("-cl-std=CL1.2", 0), 0u) << record->options;
    record->answer(capability_major_nv, cl_uint{6});
    record->answer(capability_minor_nv, cl_uint{1});
    EXPECT_EQ(opencl::device(context, id).limits().architecture, "sm_61");
    EXPECT_FALSE(opencl::device(context, id).limits().waits_for_groups) << "before those fences";
}

TEST_F(OpenclVersions, images_are_those_of_other_backends) {
    try {
        opencl::device(context, id).allocate_image(ImageFormat::rg32f, 1, 1);
        FAIL() << "expected a refusal";
    } catch (const Unsupported& refusal) {
        EXPECT_STREQ(refusal.what(),
                     "Unsupported: images: expected a device of Vulkan, OpenGL or the interpreter, got opencl:0");
    }
}

// 48 points are 6 threads: few beside a subgroup of 64, so that 8 threads fill sectors, not beside one of 16.
TEST_F(OpenclVersions, the_planner_uses_that_width) {
    say_gpu();
    const auto plan_for = [&](std::uint32_t width) {
        record->answer(wavefront_width_amd, cl_uint{width});
        record->answer(warp_size_nv, cl_uint{0});
        const Device device = opencl::device(context, id);
        return inspect(parse_problem("48 batch=1000"), device.limits()).text();
    };
    EXPECT_NE(plan_for(64), plan_for(16));
}

TEST_F(OpenclVersions, kernels_with_subgroups_need_their_extensions_and_a_language_that_has_them) {
    const auto build = [&] {
        record->options.clear();
        const Device device = opencl::device(context, id);
        const emit::Source source =
            emit::emit(std::make_shared<ir::Kernel>(subgroup_kernel()), device.impl()->target());
        device.impl()->build(source);
    };
    const auto lacks = [&](const std::string& what) {
        try {
            build();
            ADD_FAILURE() << "built without " << what;
        } catch (const Unsupported& error) {
            EXPECT_NE(std::string(error.what()).find("subgroup_swap takes " + what), std::string::npos) << error.what();
        }
        EXPECT_EQ(record->options, "");
    };
    say_version("OpenCL 1.2 fake", "OpenCL C 1.2 fake");
    record->answer(CL_DEVICE_EXTENSIONS, "cl_khr_fp64 cl_khr_subgroups cl_khr_subgroup_shuffle");
    lacks("OpenCL C 2.0");
    say_version("OpenCL 2.1 fake", "OpenCL C 2.0 fake");
    record->answer(CL_DEVICE_EXTENSIONS, "cl_khr_fp64 cl_khr_subgroup_shuffle");
    lacks("cl_khr_subgroups");
    record->answer(CL_DEVICE_EXTENSIONS, "cl_khr_fp64 cl_khr_subgroups");
    lacks("cl_khr_subgroup_shuffle");
    record->answer(CL_DEVICE_EXTENSIONS, "cl_khr_fp64 cl_khr_subgroups cl_khr_subgroup_shuffle");
    const auto asks_for = [&](const std::string& standard) {
        try {
            build();
        } catch (const BackendError&) {  // the compiler behind the fake may have no subgroups after all
        }
        EXPECT_EQ(record->options.rfind(standard, 0), 0u) << record->options;
    };
    asks_for("-cl-std=CL2.0");
    record->unknown.clear();
    say_version("OpenCL 3.0 fake", "OpenCL C 1.2 fake");  // a driver that lists what it has beside that
    cl_name_version known[2] = {{CL_MAKE_VERSION(1, 2, 0), "OpenCL C"}, {CL_MAKE_VERSION(3, 0, 0), "OpenCL C"}};
    record->answer(CL_DEVICE_OPENCL_C_ALL_VERSIONS, std::vector<cl_name_version>(known, known + 2));
    asks_for("-cl-std=CL3.0");
    record->answer(CL_DEVICE_EXTENSIONS, "cl_khr_fp64 cl_khr_subgroup_shuffle");  // the feature alone
    record->answer(CL_DEVICE_OPENCL_C_FEATURES,
                   std::vector<cl_name_version>{{CL_MAKE_VERSION(3, 0, 0), "__opencl_c_subgroups"}});
    asks_for("-cl-std=CL3.0");
    record->answer(CL_DEVICE_OPENCL_C_FEATURES, std::vector<cl_name_version>{{0, "__opencl_c_fp64"}});
    lacks("cl_khr_subgroups");
}

}  // namespace
}  // namespace seiche::test
