// The life of a process around the library: children that fork makes, limits of memory, rights of others, plugins that
// are closed. Each case runs in a child of its own, so that what is left of it is gone.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <malloc.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <complex>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <vector>

#include "exec/saved_plan.hpp"
#include "runtime/cache.hpp"
#include "runtime/library.hpp"
#include "seiche/cache.hpp"
#include "seiche/convolution.hpp"
#include "seiche/error.hpp"
#include "seiche/plan.hpp"
#include "tests/support/child.hpp"

namespace seiche::test {
namespace {

namespace fs = std::filesystem;

std::vector<std::complex<float>> ramp(std::size_t count) {
    std::vector<std::complex<float>> data(count);
    for (std::size_t i = 0; i < count; ++i) data[i] = {static_cast<float>(i), 1};
    return data;
}

struct InUse {
    explicit InUse(const std::string& name)
        : device(Device::open(name)),
          plan(device, parse_problem("64")),
          convolution(device, parse_convolution("20 * 5")),
          queue(device.create_queue()),
          buffer(device.allocate(512)),
          memory(device.allocate_host(512)) {
        result = plan.forward(ramp(64));
        event = queue.record();
        queue.wait();
    }
    Device device;
    Plan plan;
    ConvolutionPlan convolution;
    Queue queue;
    Buffer buffer;
    HostMemory memory;
    Event event;
    std::vector<std::complex<float>> result;
};

std::vector<DeviceInfo> available_devices() {
    std::vector<DeviceInfo> found;
    for (const DeviceInfo& info : devices())
        if (info.available) found.push_back(info);
    return found;
}

bool has_no_driver(const DeviceInfo& info) {
    return info.backend == Backend::reference || info.backend == Backend::cpu;
}

void expect_refusals(Child& child, const InUse& use, const std::string& name) {
    const auto refused = [&](const char* what, const std::function<void()>& action) {
        child.expect_refusal(name + ", " + what, "fork", action);
    };
    std::vector<float> data(64);
    Queue queue = use.queue;
    refused("upload", [&] { queue.upload(use.buffer, data.data(), 256); });
    refused("download", [&] { queue.download(data.data(), use.buffer, 256); });
    refused("wait", [&] { queue.wait(); });
    refused("record", [&] { queue.record(); });
    refused("allocate", [&] { use.device.allocate(16); });
    refused("allocate_host", [&] { use.device.allocate_host(16); });
    refused("create_queue", [&] { use.device.create_queue(); });
    refused("a new plan", [&] { Plan(use.device, parse_problem("128")); });
    refused("a new convolution", [&] { ConvolutionPlan(use.device, parse_convolution("30 * 5")); });
    refused("execute", [&] {
        Execution execution;
        execution.input = execution.output = use.buffer;
        use.plan.execute(queue, execution);
    });
    refused("forward", [&] { use.plan.forward(ramp(64)); });
    refused("warm_up", [&] { use.plan.warm_up(); });
    refused("save", [&] { use.plan.save(); });
    refused("open", [&] { Device::open(name); });
    child.expect(use.device.info().name == name, "the device forgot its name");
}

TEST(Process, a_forked_child_gets_an_error_at_once) {
    for (const DeviceInfo& info : available_devices()) {
        if (has_no_driver(info)) continue;
        auto use = std::make_unique<InUse>(info.name);
        const int status = status_in_child([&](Child& child) {
            expect_refusals(child, *use, info.name);
            use.reset();  // what the parent made is given up without its driver
            child.expect(Device::open("reference").info().available, "no reference");
        });
        EXPECT_EQ(status, 0) << info.name;
        EXPECT_EQ(use->plan.forward(ramp(64)), use->result) << "the parent goes on: " << info.name;
    }
}

TEST(Process, what_has_no_driver_goes_on_in_a_forked_child) {
    for (const DeviceInfo& info : available_devices()) {
        if (!has_no_driver(info)) continue;
        const InUse use(info.name);
        const int status = status_in_child([&](Child& child) {
            child.expect(use.plan.forward(ramp(64)) == use.result, "the parent's plan");
            child.expect(!Plan(use.device, parse_problem("64 f64")).report().kernels.empty(), "a new plan");
            child.expect(Plan(Device::open(info.name), parse_problem("64")).forward(ramp(64)) == use.result,
                         "opened anew");
        });
        EXPECT_EQ(status, 0) << info.name;
    }
}

TEST(Process, a_child_of_a_parent_without_devices_opens_its_own) {
    const auto found = available_devices();
    for (const DeviceInfo& info : found) {
        // This process has listed its devices: a new program, which lists none before it forks.
        const std::string command = "'" + fs::read_symlink("/proc/self/exe").string() +
                                    "' --gtest_also_run_disabled_tests "
                                    "--gtest_filter=Process.DISABLED_opens_a_device_in_a_child >/dev/null";
        setenv("SEICHE_TEST_OPENS", info.name.c_str(), 1);
        EXPECT_EQ(std::system(command.c_str()), 0) << info.name;
        unsetenv("SEICHE_TEST_OPENS");
    }
}

TEST(Process, DISABLED_opens_a_device_in_a_child) {
    const std::string name = runtime::environment("SEICHE_TEST_OPENS");
    ASSERT_NE(name, "");
    EXPECT_EQ(status_in_child([&](Child& child) { child.expect(InUse(name).result.size() == 64, "no result"); }), 0);
}

/// Of this process, in bytes.
std::uint64_t address_space() {
    std::uint64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(Process, want_of_memory_is_an_error_like_any_other) {
    const int status = status_in_child([&](Child& child) {
        const Device device = Device::open("reference");
        const rlim_t most = address_space() + (std::uint64_t{200} << 20);
        const rlimit limit{most, most};
        setrlimit(RLIMIT_AS, &limit);
        constexpr std::uint64_t gibi = std::uint64_t{1} << 30;
        child.expect_refusal("a buffer", "memory", [&] { device.allocate(4 * gibi); });
        child.expect_refusal("host memory", "memory", [&] { device.allocate_host(4 * gibi); });
        child.expect_refusal("an image", "memory", [&] { device.allocate_image(ImageFormat::rgba32f, 16384, 16384); });
        child.expect_refusal("a plan of a prime", "memory", [&] { Plan(device, parse_problem("134217757")); });
        child.expect_refusal("a result", "memory", [&] {
            const Plan plan(device, parse_problem("16777216 batch=64"));
            const std::vector<std::complex<float>> data(16);
            plan.forward(data);
        });
        child.expect(Plan(device, parse_problem("64")).forward(ramp(64)).size() == 64, "small plans no longer work");
    });
    EXPECT_EQ(status, 0);
}

TEST(Process, want_of_threads_costs_only_time) {
    if (geteuid() != 0) GTEST_SKIP() << "needs a user without processes";
    const int status = status_in_child([&](Child& child) {
        const Device device = Device::open("reference");
        if (setgid(65533) != 0 || setuid(65533) != 0) return;
        const rlimit limit{1, 1};
        setrlimit(RLIMIT_NPROC, &limit);
        const Plan plan(device, parse_problem("512x512"));
        child.expect(plan.report().kernels.size() >= 1, "no kernels");
    });
    EXPECT_EQ(status, 0);
}
#endif

// Saved plans whose problem was exchanged for one of gigabytes of constant tables, with a checksum that fits.
TEST(Process, a_damaged_plan_does_not_take_what_it_never_had) {
    const Device device = Device::open("reference");
    exec::SavedPlan saved = exec::read_saved_plan(Plan(device, parse_problem("1021 batch=3")).save());
    saved.problem.lengths = {134217757};
    try {
        Plan::load(device, exec::to_bytes(saved));
        ADD_FAILURE() << "accepted";
    } catch (const InvalidProblem& error) {
        EXPECT_NE(std::string(error.what()).find("damaged"), std::string::npos) << error.what();
    }
    exec::SavedSpectral other =
        exec::read_saved_convolution(ConvolutionPlan(device, parse_convolution("100 * 7")).save());
    Convolution& convolution = std::get<Convolution>(other.source);
    convolution.mode = ConvolutionMode::circular;
    convolution.signal = convolution.kernel = {134217757};
    EXPECT_THROW(ConvolutionPlan::load(device, exec::to_bytes(other)), Error);
}

// A program with more rights than its caller: a copy of this one that belongs to root, run by nobody.
int status_of_copy(const fs::path& copy, mode_t mode) {
    chmod(copy.c_str(), mode);
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        setenv("SEICHE_CACHE_DIR", "/somebodys/kernels", 1);
        setenv("SEICHE_OPENCL_LIBRARY", "/somebodys/driver.so", 1);
        if (freopen("/dev/null", "w", stdout) == nullptr || setgid(65534) != 0 || setuid(65534) != 0) _exit(99);
        execl(copy.c_str(), copy.c_str(), "--gtest_also_run_disabled_tests",
              "--gtest_filter=Process.DISABLED_hears_no_variables", nullptr);
        _exit(98);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WEXITSTATUS(status);
}

TEST(Process, hears_no_variables_with_rights_of_others) {
    if (geteuid() != 0) GTEST_SKIP() << "only root can make such a program";
    const fs::path folder = runtime::unique_name(fs::temp_directory_path(), "seiche-elevated");
    fs::create_directory(folder);
    struct statvfs mount {};
    ASSERT_EQ(statvfs(folder.c_str(), &mount), 0);
    const fs::path copy = folder / "program";
    fs::copy_file(fs::read_symlink("/proc/self/exe"), copy);
    const int plain = status_of_copy(copy, 0755), elevated = status_of_copy(copy, 04755);
    fs::remove_all(folder);
    EXPECT_EQ(plain, 1) << "without rights of others the variables count";
    if ((mount.f_flag & ST_NOSUID) != 0) GTEST_SKIP() << "no setuid programs in " << folder;
    EXPECT_EQ(elevated, 0);
}

TEST(Process, DISABLED_hears_no_variables) {
    EXPECT_EQ(runtime::environment("SEICHE_CACHE_DIR"), "");
    EXPECT_EQ(runtime::environment("SEICHE_OPENCL_LIBRARY"), "");
    EXPECT_EQ(runtime::environment("HOME"), "");
    EXPECT_EQ(runtime::cache_folder(), fs::path());
}

// A plugin with the library in it, or beside it, is opened and closed over and over: what the library keeps stays.
void open_and_close(const char* plugin) {
    std::size_t before = 0;
    for (int round = 0; round < 12; ++round) {
        void* const handle = dlopen(plugin, RTLD_NOW | RTLD_LOCAL);
        ASSERT_NE(handle, nullptr) << dlerror();
        const auto run = reinterpret_cast<int (*)()>(dlsym(handle, "run_transform"));
        ASSERT_NE(run, nullptr);
        EXPECT_EQ(run(), 0);
        dlclose(handle);
        if (round == 3) before = mallinfo2().uordblks;
    }
    EXPECT_LT(mallinfo2().uordblks, before + (32u << 10)) << "bytes are lost with each round";
}

TEST(Process, plugins_lose_nothing_when_they_are_closed) {
    open_and_close(SEICHE_PLUGIN_STATIC);
#ifdef SEICHE_PLUGIN_SHARED
    open_and_close(SEICHE_PLUGIN_SHARED);
#endif
    void* const again = dlopen(SEICHE_PLUGIN_STATIC, RTLD_NOW | RTLD_NOLOAD);
    EXPECT_NE(again, nullptr) << "the library in it is gone";
}

}  // namespace
}  // namespace seiche::test
