// The processor as a device: machine code made by hand, on one thread and on many.
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <xmmintrin.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <functional>
#include <numeric>
#include <sstream>

#include "cpu_launch.hpp"
#include "runtime/cpu/device.hpp"
#include "runtime/cpu/queue.hpp"
#include "seiche/error.hpp"
#include "tests/support/child.hpp"
#include "tests/support/environment.hpp"

namespace seiche::test {
namespace {

using runtime::cpu::CpuBuffer;
using runtime::cpu::CpuModule;
using runtime::cpu::CpuQueue;
using runtime::cpu::InstructionSet;

/// What /proc/self/maps says of the memory at an address: "r-xp"; empty if there is none.
std::string rights_at(const void* address) {
    const auto wanted = reinterpret_cast<std::uintptr_t>(address);
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        std::istringstream fields(line);
        std::uintptr_t first = 0, last = 0;
        char dash = 0;
        std::string rights;
        fields >> std::hex >> first >> dash >> last >> rights;
        if (wanted >= first && wanted < last) return rights;
    }
    return {};
}

TEST(Cpu, runs_each_group_once_on_any_number_of_threads) {
    const auto module = module_of(add_numbers);
    for (const std::uint32_t groups : {1u, 2u, 3u, 7u, 1000u, 1000000u}) {
        for (unsigned threads = 1; threads <= 8; ++threads) {
            const WithThreads with(threads);
            CpuBuffer buffer(std::max<std::uint64_t>(8 * groups, many_bytes));
            launch(*module, buffer, {groups, 1, 1});
            EXPECT_EQ(faults_of(buffer, groups), 0u) << groups << " groups, " << threads << " threads";
        }
    }
}

TEST(Cpu, takes_grids_of_three_dimensions_and_of_none) {
    const auto grid = module_of(write_grid), numbers = module_of(add_numbers);
    const WithThreads with(3);
    CpuBuffer buffer(64), many(many_bytes), untouched(64);
    launch(*grid, buffer, {5, 3, 7});
    const auto* const written = reinterpret_cast<const std::uint64_t*>(buffer.data());
    EXPECT_EQ(Numbers(written, written + 4), (Numbers{5, 3, 7, 105}));
    launch(*numbers, many, {5, 3, 7});
    EXPECT_EQ(faults_of(many, 105), 0u);
    launch(*numbers, untouched, {5, 0, 7});
    EXPECT_EQ(faults_of(untouched, 0), 0u);
    constexpr std::uint32_t most = 0xffffffffu;
    EXPECT_TRUE(is_one_line(refusal<Unsupported>([&] { launch(*numbers, many, {most, most, most}); })));
}

TEST(Cpu, gives_scalars_offsets_and_aligned_shared_memory) {
    constexpr std::uint64_t groups = 10000, before = 24, scalar = 5;
    for (const unsigned threads : {1u, 4u}) {
        for (const std::uint64_t shared : {8u, 1u << 20}) {
            const WithThreads with(threads);
            const auto module = module_of(go_through_shared, shared);
            CpuBuffer buffer(before + 8 * groups);
            launch(*module, buffer, {groups, 1, 1}, {scalar}, before);
            const auto* const written = reinterpret_cast<const std::uint64_t*>(buffer.data() + before);
            std::uint64_t faults = 0;
            for (std::uint64_t g = 0; g < groups; ++g) faults += written[g] != g + scalar;
            EXPECT_EQ(faults, 0u);
        }
    }
    EXPECT_TRUE(is_one_line(refusal<BackendError>([] {
        CpuBuffer buffer(64);
        launch(*module_of(go_through_shared, std::uint64_t{1} << 46), buffer, {1, 1, 1}, {0});
    }))) << "no host has so much";
}

TEST(Cpu, more_arguments_than_most_kernels_have) {
    const auto module = module_of(add_numbers);
    CpuBuffer buffer(many_bytes);
    launch(*module, buffer, {3, 1, 1}, Numbers(500, 1));
    EXPECT_EQ(faults_of(buffer, 3), 0u);
}

TEST(Cpu, kernels_have_plain_arithmetic_and_threads_keep_theirs) {
    const unsigned former = _mm_getcsr(), flushing = former | 0x8040;  // denormals are zero, as -ffast-math makes it
    CpuBuffer buffer(64);
    _mm_setcsr(flushing);
    launch(*module_of(write_mxcsr), buffer, {1, 1, 1});
    const unsigned after = _mm_getcsr();
    _mm_setcsr(former);
    EXPECT_EQ(after, flushing);
    EXPECT_EQ(*reinterpret_cast<const std::uint32_t*>(buffer.data()) & ~0x3fu, 0x1f80u);
}

TEST(Cpu, code_is_never_writable_and_executable_at_once_and_goes_with_its_module) {
    auto module = module_of(add_numbers);
    const std::byte* const code = module->code();
    EXPECT_EQ(rights_at(code), "r-xp");
    EXPECT_EQ(std::memcmp(code, add_numbers.data(), add_numbers.size()), 0);
    module.reset();
    EXPECT_EQ(rights_at(code).find('x'), std::string::npos) << rights_at(code);
}

TEST(Cpu, says_so_where_memory_must_not_be_run) {
    EXPECT_EQ(runtime::cpu::why_not_executable(), "");
    constexpr int set_option = 65, get_option = 66;  // PR_SET_MDWE and PR_GET_MDWE of Linux 6.3
    if (prctl(get_option, 0, 0, 0, 0) < 0) GTEST_SKIP() << "this system cannot forbid it";
    const int status = status_in_child([](Child& child) {
        child.expect(prctl(set_option, 1, 0, 0, 0) == 0, "it could not be forbidden");
        child.expect(is_one_line(runtime::cpu::why_not_executable()), "no reason");
        child.expect_refusal("a module", "does not let memory be run", [] { module_of(add_numbers); });
        const std::vector<DeviceInfo> infos = runtime::cpu::list();
        child.expect(infos.size() == 1 && !infos[0].available && !infos[0].problem.empty() && !infos[0].remedy.empty(),
                     "listed as available");
    });
    EXPECT_EQ(status, 0);
}

TEST(Cpu, tells_perf_where_code_is_only_if_asked) {
    const std::string file = "/tmp/perf-" + std::to_string(getpid()) + ".map";
    std::filesystem::remove(file);
    module_of(add_numbers);
    EXPECT_FALSE(std::filesystem::exists(file));
    set_environment("SEICHE_PERF_MAP", "1");
    const auto module = module_of(add_numbers);
    unset_environment("SEICHE_PERF_MAP");
    std::string address, bytes, name;
    std::ifstream(file) >> address >> bytes >> name;
    EXPECT_EQ(std::stoull(address, nullptr, 16), reinterpret_cast<std::uintptr_t>(module->code()));
    EXPECT_EQ(std::stoull(bytes, nullptr, 16), (add_numbers.size() + 3) / 4 * 4);
    EXPECT_EQ(name, "made_by_hand");
    std::filesystem::remove(file);
}

TEST(Cpu, refuses_what_belongs_to_other_backends_in_one_line) {
    struct OtherModule final : runtime::Module {};
    struct OtherBuffer final : runtime::Buffer {
        std::uint64_t bytes() const override { return 64; }
    };
    struct OtherEvent final : runtime::Event {};
    const OtherModule module;
    OtherBuffer other;
    CpuBuffer buffer(64);
    CpuQueue queue;
    runtime::Launch launch;
    launch.module = &module;
    EXPECT_TRUE(is_one_line(refusal<InvalidProblem>([&] { queue.launch(launch); })));
    const runtime::BufferArgument argument{&other, 0};
    const auto own = module_of(add_numbers);
    launch.module = own.get();
    launch.buffers = &argument;
    launch.buffer_count = 1;
    EXPECT_TRUE(is_one_line(refusal<InvalidProblem>([&] { queue.launch(launch); })));
    launch.buffer_count = 0;
    launch.image_count = 1;
    EXPECT_TRUE(is_one_line(refusal<Unsupported>([&] { queue.launch(launch); })));
    EXPECT_TRUE(is_one_line(refusal<InvalidProblem>([&] { queue.copy(buffer, 0, other, 0, 8); })));
    EXPECT_TRUE(is_one_line(refusal<InvalidProblem>([&] { queue.milliseconds(OtherEvent(), *queue.record()); })));
    emit::Source source = source_of(add_numbers);
    source.dialect = emit::Dialect::spirv_opencl;
    EXPECT_TRUE(is_one_line(refusal<InvalidProblem>([&] { CpuModule(source, nullptr); })));
}

TEST(CpuBuffer, is_zero_aligned_and_bounded) {
    for (const std::uint64_t bytes :
         {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{5000}, std::uint64_t{5} << 20}) {
        const CpuBuffer buffer(bytes);
        EXPECT_EQ(buffer.bytes(), bytes);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % 64, 0u);
        EXPECT_TRUE(std::all_of(buffer.data(), buffer.data() + bytes, [](std::byte b) { return b == std::byte{0}; }));
    }
    EXPECT_TRUE(is_one_line(refusal<BackendError>([] { CpuBuffer(std::uint64_t{1} << 60); })));
    CpuQueue queue;
    CpuBuffer buffer(64), other(64);
    std::array<std::byte, 64> host{};
    for (const std::uint64_t offset : {std::uint64_t{33}, std::uint64_t{65}, ~std::uint64_t{0}}) {
        const auto is_refused = [&](const std::function<void()>& action) {
            const std::string text = refusal<InvalidProblem>(action);
            return is_one_line(text) && text.find("outside the buffer, which has 64") != std::string::npos;
        };
        EXPECT_TRUE(is_refused([&] { queue.upload(buffer, offset, host.data(), 32); }));
        EXPECT_TRUE(is_refused([&] { queue.download(host.data(), buffer, offset, 32); }));
        EXPECT_TRUE(is_refused([&] { queue.copy(buffer, offset, other, 0, 32); }));
        EXPECT_TRUE(is_refused([&] { queue.copy(other, 0, buffer, offset, 32); }));
    }
    EXPECT_TRUE(is_one_line(refusal<InvalidProblem>([&] {
        launch(*module_of(do_nothing), buffer, {1, 1, 1}, {}, 65);
    })));
}

TEST(CpuBuffer, copies_many_bytes_and_overlapping_ones) {
    const WithThreads with(4);
    constexpr std::size_t count = (std::size_t{9} << 20) / 8 + 3;
    Numbers numbers(count), back(count);
    std::iota(numbers.begin(), numbers.end(), 1);
    CpuQueue queue;
    CpuBuffer a(8 * count), b(8 * count);
    queue.upload(a, 0, numbers.data(), 8 * count);
    queue.copy(b, 0, a, 0, 8 * count);
    queue.download(back.data(), b, 0, 8 * count);
    EXPECT_EQ(back, numbers);
    queue.copy(b, 8, b, 0, 8 * (count - 1));
    queue.download(back.data(), b, 0, 8 * count);
    numbers.insert(numbers.begin(), 1);
    numbers.pop_back();
    EXPECT_EQ(back, numbers);
    const auto first = queue.record(), last = queue.record();
    EXPECT_GE(queue.milliseconds(*first, *last), 0.0);
}

TEST(CpuFeatures, follow_from_the_registers) {
    constexpr std::uint32_t sse = 1u << 0 | 1u << 9 | 1u << 19 | 1u << 20 | 1u << 23;
    constexpr std::uint32_t avx = sse | 1u << 12 | 1u << 27 | 1u << 28 | 1u << 29;
    constexpr std::uint32_t avx2 = 1u << 3 | 1u << 5 | 1u << 8;
    constexpr std::uint32_t avx512 = avx2 | 1u << 16 | 1u << 17 | 1u << 30 | 1u << 31;
    const auto set = [](std::uint32_t one, std::uint32_t seven, std::uint64_t saved) {
        return runtime::cpu::instructions_of({one, seven, saved});
    };
    EXPECT_EQ(set(0, 0, 0), InstructionSet::none);
    EXPECT_EQ(set(sse & ~(1u << 20), avx512, 0xe7), InstructionSet::none);
    EXPECT_EQ(set(sse, 0, 0), InstructionSet::sse4_2);
    EXPECT_EQ(set(avx, avx2, 0x7), InstructionSet::avx2);
    EXPECT_EQ(set(avx, avx2, 0x3), InstructionSet::sse4_2) << "the system does not keep the registers";
    EXPECT_EQ(set(avx & ~(1u << 29), avx2, 0x7), InstructionSet::sse4_2) << "no F16C";
    EXPECT_EQ(set(avx, avx512, 0xe7), InstructionSet::avx512);
    EXPECT_EQ(set(avx, avx512, 0x7), InstructionSet::avx2) << "the system does not keep the registers";
    EXPECT_EQ(set(avx, avx512 & ~(1u << 30), 0xe7), InstructionSet::avx2) << "Xeon Phi";
}

TEST(CpuFeatures, are_lowered_and_never_raised) {
    const InstructionSet here = runtime::cpu::features_here().instructions;
    ASSERT_NE(here, InstructionSet::none);
    EXPECT_FALSE(runtime::cpu::features_here().brand.empty());
    for (const char* text : {"sse4.2", "avx2", "avx512"}) {
        set_environment("SEICHE_CPU_FEATURES", text);
        EXPECT_EQ(runtime::cpu::allowed_features().value().instructions,
                  std::min(here, *runtime::cpu::parse_instructions(text)));
    }
    for (const char* text : {"avx", "AVX2", "avx1024", "neon"}) {  // which another kind of processor has
        set_environment("SEICHE_CPU_FEATURES", text);
        EXPECT_FALSE(runtime::cpu::allowed_features().has_value()) << text;
        EXPECT_TRUE(is_one_line(runtime::cpu::why_variables_are_wrong()));
        EXPECT_FALSE(runtime::cpu::list().at(0).available);
    }
    unset_environment("SEICHE_CPU_FEATURES");
}

TEST(CpuDevice, describes_itself) {
    const DeviceInfo arm = runtime::cpu::describe({*runtime::cpu::parse_instructions("neon"), "a brand"}, 4);
    EXPECT_EQ(arm.driver, "NEON, 4 threads");
    EXPECT_EQ(arm.limits.architecture, "aarch64-neon");
    EXPECT_EQ(arm.limits.vector_bytes, 16u);
    EXPECT_TRUE(arm.available && arm.limits.fast_fma);
    const DeviceInfo wide = runtime::cpu::describe({InstructionSet::avx512, "a brand"}, 8);
    EXPECT_EQ(wide.name, "cpu:0");
    EXPECT_EQ(wide.description, "a brand");
    EXPECT_EQ(wide.driver, "AVX-512, 8 threads");
    EXPECT_EQ(wide.limits.architecture, "x86-64-avx512");
    EXPECT_EQ(wide.limits.vectors, Vectors::explicit_simd);
    EXPECT_EQ(wide.limits.vector_bytes, 64u);
    EXPECT_EQ(wide.limits.compute_units, 8u);
    EXPECT_TRUE(wide.available && !wide.is_gpu && wide.limits.fast_fma);
    const DeviceInfo narrow = runtime::cpu::describe({InstructionSet::sse4_2, "old"}, 1);
    EXPECT_EQ(narrow.driver, "SSE4.2, 1 thread");
    EXPECT_EQ(narrow.limits.vector_bytes, 16u);
    EXPECT_FALSE(narrow.limits.fast_fma);
    const emit::Target target = runtime::cpu::CpuDevice(wide).target();
    EXPECT_EQ(target.dialect, emit::Dialect::x86);
    EXPECT_EQ(target.architecture, "x86-64-avx512");
    EXPECT_EQ(target.widest_access_bytes, 64u);
}

}  // namespace
}  // namespace seiche::test
