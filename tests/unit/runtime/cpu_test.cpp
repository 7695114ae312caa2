// The processor as a device: machine code made by hand, on one thread and on many.
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <xmmintrin.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <numeric>
#include <sstream>
#include <thread>

#include "cpu_kernels.hpp"
#include "runtime/cpu/device.hpp"
#include "runtime/cpu/queue.hpp"
#include "runtime/cpu/threads.hpp"
#include "seiche/error.hpp"
#include "tests/support/child.hpp"
#include "tests/support/environment.hpp"

namespace seiche::test {
namespace {

using runtime::cpu::CpuBuffer;
using runtime::cpu::CpuModule;
using runtime::cpu::CpuQueue;
using runtime::cpu::InstructionSet;
using Numbers = std::vector<std::uint64_t>;

#if defined(__SANITIZE_THREAD__)
constexpr bool forks = false;  // it allows no threads in a child of a process that had some
#else
constexpr bool forks = true;
#endif
/// Of an argument: launches that touch less stay in their thread.
constexpr std::uint64_t many_bytes = std::uint64_t{1} << 20;

/// So many threads while it lives.
class WithThreads {
public:
    explicit WithThreads(unsigned threads) { runtime::cpu::set_threads(threads); }
    ~WithThreads() {
        runtime::cpu::set_threads(0);
        runtime::cpu::set_parallel_for({});
    }
};

void launch(const CpuModule& module, CpuBuffer& buffer, std::array<std::uint32_t, 3> groups, Numbers scalars = {},
            std::uint64_t offset = 0) {
    const runtime::BufferArgument argument{&buffer, offset};
    runtime::Launch launch;
    launch.module = &module;
    launch.groups = groups;
    launch.buffers = &argument;
    launch.buffer_count = 1;
    launch.scalars = scalars.data();
    launch.scalar_count = scalars.size();
    CpuQueue().launch(launch);
}

/// Of a buffer that `add_numbers` has run on once: how many of the first `groups` numbers are wrong, or of those
/// behind.
std::uint64_t faults_of(const CpuBuffer& buffer, std::uint64_t groups) {
    const auto* const numbers = reinterpret_cast<const std::uint64_t*>(buffer.data());
    std::uint64_t faults = 0;
    for (std::uint64_t g = 0; g < buffer.bytes() / 8; ++g) faults += numbers[g] != (g < groups ? g + 1 : 0);
    return faults;
}

template <class Error>
std::string refusal(const std::function<void()>& action) {
    try {
        action();
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

bool is_one_line(const std::string& text) { return !text.empty() && text.find('\n') == std::string::npos; }

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

// ---- threads ----

/// What a group of `call_function` does now.
std::function<void(std::uint64_t)> in_group;
void call_in_group(std::uint64_t group) { in_group(group); }
const void* const in_group_only[] = {reinterpret_cast<const void*>(&call_in_group)};

TEST(CpuThreads, launches_within_launches_run_where_they_are) {
    const WithThreads with(4);
    const auto inner = module_of(add_numbers);
    constexpr std::uint32_t outer_groups = 32, inner_groups = 20000;
    std::vector<std::unique_ptr<CpuBuffer>> buffers;
    for (std::uint32_t g = 0; g < outer_groups; ++g) buffers.push_back(std::make_unique<CpuBuffer>(8 * inner_groups));
    in_group = [&](std::uint64_t group) { launch(*inner, *buffers[group], {inner_groups, 1, 1}); };
    CpuBuffer any(many_bytes);
    launch(*module_of(call_function, 0, in_group_only), any, {outer_groups, 1, 1});
    for (const auto& buffer : buffers) EXPECT_EQ(faults_of(*buffer, inner_groups), 0u);
}

TEST(CpuThreads, several_threads_launch_at_once) {
    const WithThreads with(3);
    const auto module = module_of(add_numbers);
    std::atomic<std::uint64_t> faults{0};
    std::vector<std::thread> callers;
    for (int c = 0; c < 4; ++c)
        callers.emplace_back([&] {
            for (std::uint32_t i = 0; i < 100; ++i) {
                const std::uint32_t groups = 9000 + 17 * i;
                CpuBuffer buffer(8 * groups);
                launch(*module, buffer, {groups, 1, 1});
                faults += faults_of(buffer, groups);
            }
        });
    for (std::thread& caller : callers) caller.join();
    EXPECT_EQ(faults, 0u);
}

TEST(CpuThreads, many_short_launches_one_after_the_other) {
    for (const unsigned threads : {2u, 8u}) {
        const WithThreads with(threads);
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < 20000; ++i) {
            std::atomic<std::uint64_t> done{0};
            const auto piece = [&](std::size_t p) { done.fetch_add(p + 1, std::memory_order_relaxed); };
            runtime::cpu::run_pieces(4, runtime::cpu::Work(piece));
            sum += done;
            if (i % 4000 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));  // they fall asleep
        }
        EXPECT_EQ(sum, 200000u);
    }
}

TEST(CpuThreads, no_more_threads_work_than_were_asked_for) {
    {  // so that the pool has more
        const WithThreads with(8);
        const auto nothing = [](std::size_t) {};
        runtime::cpu::run_pieces(16, runtime::cpu::Work(nothing));
    }
    const WithThreads with(2);
    std::atomic<int> inside{0}, most{0};
    const auto piece = [&](std::size_t) {
        const int now = ++inside;
        for (int known = most; known < now && !most.compare_exchange_weak(known, now);) {
        }
        std::this_thread::sleep_for(std::chrono::microseconds(200));
        --inside;
    };
    runtime::cpu::run_pieces(64, runtime::cpu::Work(piece));
    EXPECT_LE(most, 2);
}

TEST(CpuThreads, divide_work_that_is_worth_it) {
    const auto pieces = [](std::uint64_t groups, std::uint64_t bytes, unsigned threads) {
        return runtime::cpu::divide(groups, bytes, threads).pieces;
    };
    EXPECT_EQ(pieces(1, many_bytes, 8), 1u);
    EXPECT_EQ(pieces(1000, many_bytes, 1), 1u);
    EXPECT_EQ(pieces(1000, 4096, 8), 1u);
    EXPECT_EQ(pieces(2, many_bytes, 8), 2u);
    EXPECT_EQ(pieces(1000, many_bytes, 8), 33u);
    EXPECT_EQ(pieces(std::uint64_t{1} << 63, many_bytes, 1024), 4096u);
}

TEST(CpuThreads, by_the_callers_own_function) {
    const WithThreads with(4);
    const auto module = module_of(add_numbers);
    std::atomic<int> calls{0};
    runtime::cpu::set_parallel_for([&](std::size_t count, const std::function<void(std::size_t)>& piece) {
        ++calls;
        std::vector<std::thread> threads;
        for (std::size_t i = 0; i < count; ++i) threads.emplace_back([&piece, i] { piece(i); });
        for (std::thread& thread : threads) thread.join();
    });
    CpuBuffer buffer(many_bytes);
    launch(*module, buffer, {10000, 1, 1});
    EXPECT_EQ(faults_of(buffer, 10000), 0u);
    EXPECT_EQ(calls, 1);
    runtime::cpu::set_parallel_for([](std::size_t, const std::function<void(std::size_t)>& piece) { piece(0); });
    EXPECT_TRUE(is_one_line(refusal<BackendError>([&] { launch(*module, buffer, {10000, 1, 1}); })));
    runtime::cpu::set_parallel_for(
        [](std::size_t, const std::function<void(std::size_t)>&) { throw std::runtime_error("mine"); });
    EXPECT_EQ(refusal<std::runtime_error>([&] { launch(*module, buffer, {10000, 1, 1}); }), "mine");
    runtime::cpu::set_parallel_for({});
    CpuBuffer again(many_bytes);
    launch(*module, again, {10000, 1, 1});
    EXPECT_EQ(faults_of(again, 10000), 0u);
}

TEST(CpuThreads, a_forked_child_has_threads_of_its_own) {
    if (!forks) GTEST_SKIP() << "this sanitizer allows no threads there";
    const WithThreads with(4);
    const auto module = module_of(add_numbers);
    CpuBuffer before(many_bytes);
    launch(*module, before, {1000, 1, 1});
    const int status = status_in_child([&](Child& child) {
        CpuBuffer buffer(many_bytes);
        launch(*module, buffer, {1000, 1, 1});
        child.expect(faults_of(buffer, 1000) == 0, "the parent's module");
        std::atomic<int> inside{0};
        const auto meet = [&](std::size_t) {
            ++inside;
            while (inside < 2) std::this_thread::yield();  // ends only if there is another thread
        };
        runtime::cpu::run_pieces(2, runtime::cpu::Work(meet));
    });
    EXPECT_EQ(status, 0);
    CpuBuffer after(many_bytes);
    launch(*module, after, {1000, 1, 1});
    EXPECT_EQ(faults_of(after, 1000), 0u) << "the parent goes on";
}

TEST(CpuThreads, want_of_threads_costs_only_time) {
    if (!forks || geteuid() != 0) GTEST_SKIP() << "needs a user without processes";
    const auto module = module_of(add_numbers);
    const int status = status_in_child([&](Child& child) {
        if (setgid(65533) != 0 || setuid(65533) != 0) return;
        const rlimit limit{1, 1};
        setrlimit(RLIMIT_NPROC, &limit);
        const WithThreads with(8);
        CpuBuffer buffer(many_bytes);
        launch(*module, buffer, {1000, 1, 1});
        child.expect(faults_of(buffer, 1000) == 0, "wrong numbers");
    });
    EXPECT_EQ(status, 0);
}

TEST(CpuThreads, take_a_number_from_the_variable_and_nothing_else) {
    for (const char* text : {"1", "7", "1024"}) {
        set_environment("SEICHE_CPU_THREADS", text);
        EXPECT_EQ(runtime::cpu::default_threads(), static_cast<unsigned>(std::stoi(text)));
    }
    for (const char* text : {"0", "1025", "-1", "2.5", "many", "4 ", "18446744073709551617"}) {
        set_environment("SEICHE_CPU_THREADS", text);
        EXPECT_FALSE(runtime::cpu::default_threads().has_value()) << text;
        const std::string said = runtime::cpu::why_variables_are_wrong();
        EXPECT_TRUE(is_one_line(said) && said.find(text) != std::string::npos) << text << ": " << said;
        EXPECT_FALSE(runtime::cpu::list().at(0).available);
    }
    unset_environment("SEICHE_CPU_THREADS");
    EXPECT_GE(runtime::cpu::default_threads().value_or(0), 1u);
    EXPECT_EQ(runtime::cpu::why_variables_are_wrong(), "");
}

/// Printed, not judged: a machine may be busy.
TEST(CpuThreads, what_a_launch_costs) {
    using Clock = std::chrono::steady_clock;
    const auto nanoseconds = [](Clock::duration time) {
        return std::chrono::duration<double, std::nano>(time).count();
    };
    CpuBuffer buffer(many_bytes);
    const auto module = module_of(do_nothing);
    constexpr int launches = 100000;
    const auto begin = Clock::now();
    for (int i = 0; i < launches; ++i) launch(*module, buffer, {1, 1, 1});
    std::printf("a launch of one group: %.0f ns\n", nanoseconds(Clock::now() - begin) / launches);
    const WithThreads with(2);
    for (const bool asleep : {false, true}) {
        std::vector<double> times(201);
        for (double& time : times) {
            if (asleep) std::this_thread::sleep_for(std::chrono::milliseconds(1));
            std::atomic<int> inside{0};
            const auto called = Clock::now();
            const auto meet = [&](std::size_t) {
                ++inside;
                while (inside < 2 && Clock::now() < called + std::chrono::seconds(1)) std::this_thread::yield();
            };
            runtime::cpu::run_pieces(2, runtime::cpu::Work(meet));
            time = nanoseconds(Clock::now() - called);
        }
        std::sort(times.begin(), times.end());
        std::printf("two threads meet and part, the other %s: %.1f us in the median\n", asleep ? "asleep" : "just used",
                    times[times.size() / 2] / 1000);
    }
}

// ---- what the processor is ----

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
    for (const char* text : {"avx", "AVX2", "avx1024"}) {
        set_environment("SEICHE_CPU_FEATURES", text);
        EXPECT_FALSE(runtime::cpu::allowed_features().has_value()) << text;
        EXPECT_TRUE(is_one_line(runtime::cpu::why_variables_are_wrong()));
        EXPECT_FALSE(runtime::cpu::list().at(0).available);
    }
    unset_environment("SEICHE_CPU_FEATURES");
}

TEST(CpuDevice, describes_itself) {
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
