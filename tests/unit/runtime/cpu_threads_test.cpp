// The pool of threads of the processor: nested and concurrent work, the caller's own threads, forks, limits.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <xmmintrin.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <functional>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "cpu_launch.hpp"
#include "runtime/cpu/device.hpp"
#include "seiche/error.hpp"
#include "tests/support/child.hpp"
#include "tests/support/environment.hpp"

namespace seiche::test {
namespace {

using runtime::cpu::CpuBuffer;

#if defined(__SANITIZE_THREAD__)
constexpr bool forks = false;  // it allows no threads in a child of a process that had some
#else
constexpr bool forks = true;
#endif
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

/// What MXCSR is without the flags of what has been.
unsigned arithmetic() { return _mm_getcsr() & ~0x3fu; }

/// In the calling thread and in one of the pool's, each with a piece of its own.
template <class Body>
void in_both_threads(const Body& body) {
    std::atomic<int> met{0};
    const auto piece = [&](std::size_t) {
        body(runtime::cpu::is_of_pool());
        ++met;
        while (met < 2) std::this_thread::yield();  // ends only if both are there
    };
    runtime::cpu::run_pieces(2, runtime::cpu::Work(piece));
}

TEST(CpuThreads, kernels_have_plain_arithmetic_and_all_threads_keep_theirs) {
    constexpr unsigned plain = 0x1f80, flushing = 0x9fc0, towards_zero = 0x7f80, trapping = 0x0180;
    const unsigned former = _mm_getcsr();
    const auto module = module_of(write_mxcsr);
    CpuBuffer caller_saw(64), pool_saw(64);
    for (const unsigned caller : {flushing, towards_zero, flushing | towards_zero, trapping}) {
        const WithThreads with(2);
        unsigned of_caller = 0, of_pool = 0;
        in_both_threads([&](bool is_of_pool) {
            _mm_setcsr(caller);
            launch(*module, is_of_pool ? pool_saw : caller_saw, {1, 1, 1});
            (is_of_pool ? of_pool : of_caller) = arithmetic();
            _mm_setcsr(former);
        });
        EXPECT_EQ(of_caller, caller);
        EXPECT_EQ(of_pool, caller);
        for (const CpuBuffer* saw : {&caller_saw, &pool_saw})
            EXPECT_EQ(*reinterpret_cast<const std::uint32_t*>(saw->data()) & ~0x3fu, plain);
    }
}

// A thread begins with the numbers of the one that starts it: the pool's, which start in a launch.
TEST(CpuThreads, of_a_caller_who_flushes_compute_plainly) {
    if (!forks) GTEST_SKIP() << "this sanitizer allows no threads there";
    const int status = status_in_child([](Child& child) {
        constexpr unsigned plain = 0x1f80, flushing = 0x9fc0;
        const WithThreads with(2);
        _mm_setcsr(flushing);
        std::atomic<int> groups{0}, plain_groups{0};
        in_group = [&](std::uint64_t) {
            plain_groups += arithmetic() == plain;
            ++groups;
            while (groups < 2) std::this_thread::yield();
        };
        CpuBuffer any(many_bytes);
        launch(*module_of(call_function, 0, in_group_only), any, {2, 1, 1});
        child.expect(plain_groups == 2, "a kernel that flushes");
        child.expect(arithmetic() == flushing, "the caller's own numbers are others");
    });
    EXPECT_EQ(status, 0);
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

}  // namespace
}  // namespace seiche::test
