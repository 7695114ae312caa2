// The processor in processes that may do less: no memory that can be run, one processor, no files, little memory.
// Each case is a child of its own.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include <atomic>
#include <cerrno>
#include <complex>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

#include "runtime/cpu/threads.hpp"
#include "seiche/device.hpp"
#include "seiche/error.hpp"
#include "seiche/plan.hpp"
#include "tests/support/child.hpp"
#include "tests/support/environment.hpp"

namespace {

/// How many calls of posix_memalign succeed from now on.
constexpr int all_calls = -1;
std::atomic<int> granted_calls{all_calls};

}  // namespace

// In place of the C library's, which the assembler calls.
extern "C" int posix_memalign(void** result, std::size_t alignment, std::size_t bytes) {
    if (granted_calls == 0) return ENOMEM;
    if (granted_calls > 0) --granted_calls;
    *result = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    return *result == nullptr ? ENOMEM : 0;
}

namespace seiche::test {
namespace {

namespace fs = std::filesystem;
using Signal = std::vector<std::complex<float>>;

Signal ramp(std::size_t count) {
    Signal data(count);
    for (std::size_t i = 0; i < count; ++i) data[i] = {static_cast<float>(i % 17), 1};
    return data;
}
Signal transformed(const Device& device, const std::string& text) {
    const Plan plan(device, parse_problem(text));
    return plan.forward(ramp(plan.input_bytes() / sizeof(Signal::value_type)));
}

bool is_refused(const std::string& text, const std::string& words) {
    return text.find(words) != std::string::npos && text.find('\n') == std::string::npos;
}

/// From now on the system refuses this process memory that can be run, as SELinux without `execmem` does.
bool forbid_executable_memory() {
    constexpr std::uint32_t third = offsetof(seccomp_data, args) + 2 * sizeof(std::uint64_t);
    sock_filter program[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mprotect, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, third),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const sock_fprog filter{static_cast<unsigned short>(std::size(program)), program};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

TEST(CpuProcess, without_executable_memory_it_is_absent_and_says_why) {
    const Device before = Device::open("cpu");
    const Plan plan(before, parse_problem("64"));
    const Signal want = plan.forward(ramp(64));
    const int status = status_in_child([&](Child& child) {
        if (!forbid_executable_memory()) return;
        for (const DeviceInfo& info : devices())
            if (info.backend == Backend::cpu)
                child.expect(!info.available && is_refused(info.problem, "Permission denied") && !info.remedy.empty(),
                             "listed: " + info.problem);
        child.expect_refusal("the device", "Permission denied", [] { Device::open("cpu"); });
        child.expect_refusal("a plan", "does not let memory be run: Permission denied",
                             [&] { Plan(before, parse_problem("81")); });
        child.expect(plan.forward(ramp(64)) == want, "what there was before no longer works");
    });
    EXPECT_EQ(status, 0);
}

TEST(CpuProcess, needs_no_place_for_a_cache) {
    const Signal want = transformed(Device::open("cpu"), "60 batch=3");
    const fs::path folder = fs::temp_directory_path() / ("seiche-no-cache-" + std::to_string(getpid()));
    fs::create_directory(folder);
    for (const std::string& place : {std::string(nowhere), folder.string()}) {
        const int status = status_in_child([&](Child& child) {
            // As on a full disk: no file takes a byte.
            std::signal(SIGXFSZ, SIG_IGN);
            const rlimit none{0, 0};
            setrlimit(RLIMIT_FSIZE, &none);
            set_environment("SEICHE_CACHE_DIR", place);
            set_environment("SEICHE_PERF_MAP", "1");
            const Device device = Device::open("cpu");
            child.expect(transformed(device, "60 batch=3") == want, "another result");
            child.expect(!Plan(device, parse_problem("60")).save().empty(), "no saved plan");
            fs::remove("/tmp/perf-" + std::to_string(getpid()) + ".map");
        });
        EXPECT_EQ(status, 0) << place;
    }
    EXPECT_TRUE(fs::is_empty(folder)) << "something was cached";
    fs::remove_all(folder);
}

std::size_t threads_of_process() {
    std::size_t count = 0;
    for ([[maybe_unused]] const auto& task : fs::directory_iterator("/proc/self/task")) ++count;
    return count;
}

// A process that has asked for its processors keeps the answer: this one is a new program, in DISABLED_ below.
TEST(CpuProcess, on_one_processor_it_is_one_thread) {
    const fs::path program = fs::read_symlink("/proc/self/exe");
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        cpu_set_t allowed, one;
        CPU_ZERO(&allowed);
        CPU_ZERO(&one);
        sched_getaffinity(0, sizeof allowed, &allowed);
        int number = 0;
        while (!CPU_ISSET(number, &allowed)) ++number;
        CPU_SET(number, &one);
        if (sched_setaffinity(0, sizeof one, &one) != 0) _exit(99);
        unset_environment("SEICHE_CPU_THREADS");
        if (freopen("/dev/null", "w", stdout) == nullptr) _exit(98);
        execl(program.c_str(), program.c_str(), "--gtest_also_run_disabled_tests",
              "--gtest_filter=CpuProcess.DISABLED_on_one_processor", nullptr);
        _exit(97);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
}

TEST(CpuProcess, DISABLED_on_one_processor) {
    const Device device = Device::open("cpu");
    EXPECT_EQ(device.limits().compute_units, 1u);
    EXPECT_EQ(runtime::cpu::threads_now(), 1u);
    const Plan plan(device, parse_problem("1024 batch=64"));
    const std::size_t before = threads_of_process();
    const Signal alone = plan.forward(ramp(1024 * 64));
    EXPECT_EQ(threads_of_process(), before);
    runtime::cpu::set_threads(3);
    EXPECT_EQ(plan.forward(ramp(1024 * 64)), alone) << "three threads on one processor";
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
/// Takes all memory of the heap, and lets the process have so many bytes more.
class LimitedMemory {
public:
    explicit LimitedMemory(std::size_t bytes) {
        getrlimit(RLIMIT_AS, &former_);
        const rlimit none{0, former_.rlim_max};
        setrlimit(RLIMIT_AS, &none);
        for (std::size_t size = std::size_t{1} << 20; size >= 64; size /= 2)
            while (void* const got = std::malloc(size)) {
                *static_cast<void**>(got) = last_;
                last_ = got;
            }
        std::uint64_t pages = 0;
        char text[32] = {};
        if (const int file = open("/proc/self/statm", O_RDONLY); file >= 0) {
            if (read(file, text, sizeof text - 1) > 0) pages = std::strtoull(text, nullptr, 10);
            close(file);
        }
        const rlimit few{pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) + bytes, former_.rlim_max};
        setrlimit(RLIMIT_AS, &few);
    }
    ~LimitedMemory() {
        setrlimit(RLIMIT_AS, &former_);
        while (last_ != nullptr) {
            void* const next = *static_cast<void**>(last_);
            std::free(last_);
            last_ = next;
        }
    }
    LimitedMemory(const LimitedMemory&) = delete;
    LimitedMemory& operator=(const LimitedMemory&) = delete;

private:
    rlimit former_{};
    void* last_ = nullptr;
};

// The assembler's memory, each time that it asks for some.
TEST(CpuProcess, want_of_memory_for_machine_code_is_an_error_like_any_other) {
    const Device device = Device::open("cpu");
    int refused = 0;
    for (;; ++refused) {
        granted_calls = refused;
        std::string said;
        try {
            const Plan plan(device, parse_problem("1009 f64"));
            break;
        } catch (const BackendError& error) {
            said = error.what();
        }
        granted_calls = all_calls;
        ASSERT_TRUE(is_refused(said, "not enough memory")) << said;
    }
    granted_calls = all_calls;
    EXPECT_GT(refused, 2);
}

// From nothing to enough, in small steps, so that the want is felt everywhere between design and the last kernel.
TEST(CpuProcess, want_of_memory_while_planning_is_an_error_and_passes) {
    const int status = status_in_child([](Child& child) {
        mallopt(M_ARENA_MAX, 1);
        const Device device = Device::open("cpu");
        const Signal want = transformed(device, "45 batch=3");
        int refusals = 0, plans = 0;
        for (std::size_t bytes = std::size_t{64} << 10; bytes < std::size_t{32} << 20; bytes += bytes / 5) {
            // Another problem each time: none is found among the plans and kernels that were made before.
            const std::string text = std::to_string(16 + bytes % 997) + " batch=" + std::to_string(bytes);
            std::string said;
            {
                const LimitedMemory limited(bytes);
                try {
                    const Plan plan(device, parse_problem(text));
                    ++plans;
                } catch (const BackendError& error) {
                    said = error.what();
                    ++refusals;
                } catch (const std::bad_alloc&) {  // of parse_problem, or of the message itself
                    ++refusals;
                }
            }
            if (!said.empty()) child.expect(is_refused(said, "memory"), said);
        }
        child.expect(refusals > 5, "it was hardly ever short of memory");
        child.expect(plans > 3, "hardly a plan was made");
        child.expect(transformed(device, "45 batch=3") == want, "it no longer works");
        child.expect(transformed(device, "1000 batch=2").size() == 2000, "a new plan is no longer made");
    });
    EXPECT_EQ(status, 0);
}
#endif

}  // namespace
}  // namespace seiche::test
