// The Level Zero backend against a loader that only records and fails on demand: the list of devices, limits,
// compilation, launches and their order, the caller's objects, every entry failing in turn, what is given back.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#ifdef SEICHE_TEST_LEVEL_ZERO_HEADERS
#include <level_zero/ze_api.h>
#endif

#include "fake_level_zero.hpp"
#include "runtime/level_zero/device.hpp"
#include "sample_kernels.hpp"
#include "seiche/error.hpp"
#include "seiche/interop/level_zero.hpp"

namespace seiche::test {
namespace {

FakeLevelZeroRecord* fake() {
    void* library = dlopen(SEICHE_FAKE_LEVEL_ZERO, RTLD_NOW);
    void* symbol = library != nullptr ? dlsym(library, "fake_level_zero_record") : nullptr;
    return symbol != nullptr ? reinterpret_cast<FakeLevelZeroRecord* (*)()>(symbol)() : nullptr;
}

class LevelZeroBackend : public testing::Test {
protected:
    void SetUp() override {
        setenv("SEICHE_CACHE_DIR", "/dev/null/nowhere", 1);
        setenv("SEICHE_LEVEL_ZERO_LIBRARY", SEICHE_FAKE_LEVEL_ZERO, 1);
        record = fake();
        ASSERT_NE(record, nullptr);
    }
    void TearDown() override {
        EXPECT_EQ(record->contexts, 0);
        EXPECT_EQ(record->modules, 0);
        EXPECT_EQ(record->kernels, 0);
        EXPECT_EQ(record->logs, 0);
        EXPECT_EQ(record->lists, 0);
        EXPECT_EQ(record->pools, 0);
        EXPECT_EQ(record->events, 0);
        EXPECT_EQ(record->allocations, 0);
        EXPECT_EQ(record->freed_early, 0) << "given up while work was under way";
    }
    static DeviceInfo named(const std::string& name) {
        for (const DeviceInfo& info : runtime::level_zero::list())
            if (info.name == name) return info;
        return {};
    }
    FakeLevelZeroRecord* record = nullptr;
};

std::shared_ptr<runtime::Module> reversal(const std::shared_ptr<runtime::Device>& device) {
    const auto source = emit::emit(std::make_shared<ir::Kernel>(exchange_kernel()), device->target());
    return runtime::compile_cached(device, source).module;
}

TEST_F(LevelZeroBackend, lists_devices_with_their_limits) {
    const DeviceInfo first = named("level_zero:0"), second = named("level_zero:1");
    EXPECT_TRUE(first.available) << first.problem;
    EXPECT_TRUE(first.is_gpu);
    EXPECT_EQ(first.backend, Backend::level_zero);
    EXPECT_EQ(first.description, "Fake Arc");
    EXPECT_EQ(first.driver, "Level Zero 1.3, driver 4711");
    EXPECT_EQ(first.limits.vectors, Vectors::subgroups);
    EXPECT_EQ(first.limits.subgroup_size, 16u);
    EXPECT_EQ(first.limits.max_group_size, 1024u);
    EXPECT_EQ(first.limits.shared_bytes, 65536u);
    EXPECT_EQ(first.limits.registers_per_thread, 64u) << "128 of 8 lanes, for 16";
    EXPECT_EQ(first.limits.compute_units, 32u);
    EXPECT_EQ(first.limits.memory_bytes, std::uint64_t{1} << 34);
    EXPECT_EQ(first.limits.max_allocation_bytes, std::uint64_t{1} << 32);
    EXPECT_EQ(first.limits.cache_bytes, 16777216u) << "the largest";
    EXPECT_TRUE(first.limits.fp64 && first.limits.exact_fp64 && first.limits.fast_fma);
    EXPECT_FALSE(first.limits.fp16_arithmetic) << "the device has it, this SPIR-V has not";
    EXPECT_EQ(second.limits.subgroup_size, 16u);
    EXPECT_EQ(second.limits.registers_per_thread, 128u) << "128 of 16 lanes";
    EXPECT_NE(first.limits.architecture, second.limits.architecture);
    record->only_wide = true;
    const DeviceInfo wide = named("level_zero:1");
    record->only_wide = false;
    EXPECT_EQ(wide.limits.subgroup_size, 32u);
    EXPECT_EQ(wide.limits.registers_per_thread, 64u);
}

// Its compiler takes more lanes than the fewest, and spills; of fewer than the kernels were planned for it is free to.
TEST_F(LevelZeroBackend, states_the_lanes_where_they_are_the_fewest) {
    const auto lanes = [&](const char* name) { return runtime::open_device(name)->target().subgroup_size; };
    EXPECT_EQ(lanes("level_zero:0"), 0u);
    EXPECT_EQ(lanes("level_zero:1"), 16u);
}

TEST_F(LevelZeroBackend, says_what_a_device_has_not) {
    record->no_doubles = true;
    const DeviceInfo single = named("level_zero:0");
    record->no_doubles = false;
    EXPECT_TRUE(single.available);
    EXPECT_FALSE(single.limits.fp64 || single.limits.exact_fp64);
    record->no_gpu = true;
    const DeviceInfo processor = named("level_zero:0");
    record->no_gpu = false;
    EXPECT_FALSE(processor.available);
    EXPECT_EQ(processor.problem, "it is no GPU");
    EXPECT_FALSE(processor.remedy.empty());
    record->failing = "zeDeviceGetModuleProperties";
    const DeviceInfo lost = named("level_zero:1");
    record->failing.clear();
    EXPECT_FALSE(lost.available);
    EXPECT_EQ(lost.problem.find("zeDeviceGetModuleProperties failed with ZE_RESULT_ERROR_DEVICE_LOST"), 0u)
        << lost.problem;
}

TEST_F(LevelZeroBackend, compiles_and_launches_in_order) {
    const auto device = runtime::open_device("level_zero:max");
    EXPECT_EQ(runtime::open_device("level_zero:1"), device);
    const auto module = reversal(device);
    EXPECT_EQ(record->kernel, "reverse_64");
    EXPECT_EQ(record->format, runtime::level_zero::format_spirv) << "no cache, no binary";
    const auto queue = device->create_queue();
    EXPECT_EQ(record->ordinal, 1u) << "the first group that computes";
    const auto in = device->allocate(1024), out = device->allocate(1024);
    const runtime::BufferArgument buffers[2] = {{in.get(), 16}, {out.get(), 0}};
    const std::uint64_t count = 77;
    record->calls.clear();
    queue->launch({module.get(), {5, 2, 1}, buffers, 2, &count, 1});
    EXPECT_EQ(record->calls, "barrier launch ");
    EXPECT_EQ(record->grid[0], 5u);
    EXPECT_EQ(record->grid[1], 2u);
    EXPECT_EQ(record->group[0], 64u);
    EXPECT_EQ(record->first_offset, 2u) << "in elements";
    record->calls.clear();
    queue->launch({module.get(), {0, 1, 1}, buffers, 2, &count, 1});
    EXPECT_EQ(record->calls, "") << "no groups, nothing to do";
    queue->copy(*out, 0, *in, 0, 64);
    queue->wait();
    queue->wait();
    EXPECT_EQ(record->calls, "barrier copy barrier+event ") << "and nothing is waited for twice";
    EXPECT_THROW(queue->launch({module.get(), {1, 1, 1}, buffers, 1, &count, 1}), InternalError);
    EXPECT_THROW(queue->launch({module.get(), {(1u << 20) + 1, 1, 1}, buffers, 2, &count, 1}), Unsupported);
    EXPECT_THROW(device->load(emit::emit(std::make_shared<ir::Kernel>(exchange_kernel()), device->target()), {}),
                 BackendError);
}

TEST_F(LevelZeroBackend, loads_the_binaries_that_it_gave) {
    const auto device = runtime::open_device("level_zero:0");
    const auto source = emit::emit(std::make_shared<ir::Kernel>(exchange_kernel()), device->target());
    const runtime::Binary binary = device->compile(source);
    EXPECT_EQ(binary.bytes.size(), 4u);
    EXPECT_EQ(record->format, runtime::level_zero::format_spirv);
    EXPECT_NE(device->load(source, binary), nullptr);
    EXPECT_EQ(record->format, runtime::level_zero::format_native);
}

TEST_F(LevelZeroBackend, waits_before_it_gives_anything_up) {
    const auto device = runtime::open_device("level_zero:0");
    const auto queue = device->create_queue();
    auto module = device->build(emit::emit(std::make_shared<ir::Kernel>(exchange_kernel()), device->target()));
    auto in = device->allocate(1024), out = device->allocate(1024);
    const auto launch = [&] {
        const runtime::BufferArgument buffers[2] = {{in.get(), 0}, {out.get(), 0}};
        const std::uint64_t count = 64;
        queue->launch({module.get(), {1, 1, 1}, buffers, 2, &count, 1});
        EXPECT_TRUE(record->busy);
    };
    launch();
    in.reset();
    EXPECT_FALSE(record->busy);
    in = device->allocate(1024);
    launch();
    module.reset();
    EXPECT_FALSE(record->busy);
    auto event = queue->record();
    EXPECT_TRUE(record->busy);
    event.reset();
    EXPECT_FALSE(record->busy);
    auto second = device->create_queue();
    queue->copy(*out, 0, *in, 0, 16);
    second.reset();
    out.reset();
    EXPECT_FALSE(record->busy);
    EXPECT_EQ(record->freed_early, 0);
}

TEST_F(LevelZeroBackend, moves_bytes_and_measures) {
    const auto device = runtime::open_device("level_zero:0");
    const auto queue = device->create_queue();
    const auto a = device->allocate(64), b = device->allocate(64);
    const std::string text = "sixteen letters.";
    std::string back(16, '\0');
    queue->upload(*a, 8, text.data(), 16);
    queue->copy(*b, 32, *a, 8, 16);
    queue->download(back.data(), *b, 32, 16);
    EXPECT_EQ(back, text);
    const std::size_t much = (std::size_t{20} << 20) + 12;  // more than is staged at once
    const auto large = device->allocate(much);
    std::string sent(much, 'a'), received(much, 'b');
    for (std::size_t i = 0; i < much; i += 4099) sent[i] = static_cast<char>('c' + i % 20);
    queue->upload(*large, 0, sent.data(), much);
    queue->download(received.data(), *large, 0, much);
    EXPECT_TRUE(sent == received);
    const auto start = queue->record(), stop = queue->record();
    EXPECT_DOUBLE_EQ(queue->milliseconds(*start, *stop), 25e-6) << "over the end of the clock's 32 bits";
    try {
        device->allocate(std::uint64_t{1} << 40);
        FAIL() << "a tebibyte was allocated";
    } catch (const BackendError& error) {
        const std::string said = error.what();
        EXPECT_NE(said.find("ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY"), std::string::npos) << said;
        EXPECT_NE(said.find("1099511627776 bytes"), std::string::npos) << said;
    }
    EXPECT_EQ(runtime::level_zero::error_name(0x12345), "code 0x00012345");
}

TEST_F(LevelZeroBackend, refuses_what_is_of_another_device) {
    const auto device = runtime::open_device("level_zero:0"), other = runtime::open_device("level_zero:1");
    const auto queue = device->create_queue();
    const auto buffer = other->allocate(64), own = device->allocate(64);
    const auto foreign = runtime::open_device("reference")->allocate(64);
    char word[8] = {};
    EXPECT_THROW(queue->upload(*buffer, 0, word, 8), InvalidProblem);
    EXPECT_THROW(queue->download(word, *foreign, 0, 8), InvalidProblem);
    const auto module = reversal(other);
    const runtime::BufferArgument buffers[2] = {{own.get(), 0}, {own.get(), 0}};
    const std::uint64_t count = 1;
    EXPECT_THROW(queue->launch({module.get(), {1, 1, 1}, buffers, 2, &count, 1}), InvalidProblem);
}

TEST_F(LevelZeroBackend, takes_the_callers_objects_and_leaves_them_be) {
    int driver_word = 0x1000;
    level_zero::NativeDevice native;
    EXPECT_THROW(level_zero::device(native), InvalidProblem);
    native.driver = reinterpret_cast<void*>(0x1000);
    native.context = &driver_word;
    native.device = reinterpret_cast<void*>(0x2000);
    void* const list = &native;
    const Device maker = Device::open("level_zero:1");
    const Buffer memory = maker.allocate(1 << 16);
    {
        const Device own = level_zero::device(native);
        EXPECT_EQ(own.info().name, "level_zero:0");
        EXPECT_TRUE(own.impl()->belongs_to_caller());
        EXPECT_EQ(level_zero::context_handle(own), native.context);
        EXPECT_EQ(level_zero::device_handle(own), native.device);
        const Buffer buffer = level_zero::buffer(own, level_zero::address(memory), 1 << 16);
        EXPECT_THROW(level_zero::buffer(own, &driver_word, 8), InvalidProblem) << "no memory of the context's";
        EXPECT_THROW(level_zero::buffer(own, nullptr, 8), InvalidProblem);
        EXPECT_THROW(level_zero::buffer(Device::open("reference"), &driver_word, 8), InvalidProblem);
        EXPECT_THROW(level_zero::queue(own, nullptr), InvalidProblem);
        Queue queue = level_zero::queue(own, list);
        EXPECT_EQ(level_zero::command_list_handle(queue), list);
        Problem problem;
        problem.lengths = {256};
        const Plan plan(own, problem);
        Execution execution;
        execution.input = buffer;
        execution.output = {buffer, 1 << 15};
        plan.execute(queue, execution);
        queue.wait();
        EXPECT_EQ(record->list, list);
        int recording = 0;
        record->calls.clear();
        level_zero::record(plan, execution, &recording);
        EXPECT_EQ(record->calls, "barrier launch barrier ") << "nothing is waited for";
        EXPECT_EQ(record->list, &recording);
        record->busy = false;  // the list is run by whoever made it
        EXPECT_THROW(level_zero::record(plan, execution, nullptr), InvalidProblem);
        execution.input = Device::open("reference").allocate(1 << 16);
        EXPECT_THROW(level_zero::record(plan, execution, &recording), InvalidProblem);
        record->busy = false;
        EXPECT_THROW(level_zero::record(Plan(Device::open("reference"), problem), execution, &recording),
                     InvalidProblem);
    }
    EXPECT_EQ(record->lists, 0);
    EXPECT_EQ(record->contexts, 1) << "of the device that made the memory";
}

// One queue carries the tables of all plans; one that failed is given up, and the next plan has another.
TEST_F(LevelZeroBackend, plans_share_a_queue_until_it_fails) {
    std::uint64_t length = 1024;
    {
        const Device device = Device::open("level_zero:0");
        const auto plan = [&] { Plan(device, parse_problem(std::to_string(length += 32))); };
        plan();
        plan();
        EXPECT_EQ(record->lists, 1);
        for (const char* call : {"zeCommandListAppendMemoryCopy", "zeEventHostSynchronize"}) {
            record->failing = call;
            EXPECT_THROW(plan(), BackendError) << call;
            record->failing.clear();
            record->busy = false;  // what was lost is not waited for
            EXPECT_EQ(record->lists, 0) << call;
            plan();
            EXPECT_EQ(record->lists, 1) << call;
        }
    }
    const Plan other(Device::open("reference"), parse_problem("6"));  // for which the cache lets go of those plans
    EXPECT_EQ(record->lists, 0);
    record->freed_early = 0;
}

// ---- Every function fails in turn

/// Everything that the backend can do, once; what it threw, or nothing.
std::string use_everything() {
    try {
        const auto device = runtime::open_device("level_zero:1");
        const auto source = emit::emit(std::make_shared<ir::Kernel>(exchange_kernel()), device->target());
        const auto module = device->load(source, device->compile(source));
        const auto queue = device->create_queue();
        const auto in = device->allocate(1024), out = device->allocate(1024);
        const runtime::BufferArgument buffers[2] = {{in.get(), 0}, {out.get(), 0}};
        const std::uint64_t count = 64;
        std::string host(1024, 'x');
        queue->upload(*in, 0, host.data(), host.size());
        const auto start = queue->record();
        queue->launch({module.get(), {1, 1, 1}, buffers, 2, &count, 1});
        queue->copy(*out, 0, *in, 0, 1024);
        const auto stop = queue->record();
        queue->download(host.data(), *out, 0, host.size());
        queue->milliseconds(*start, *stop);
        queue->wait();
        const Device own(device);
        level_zero::buffer(own, level_zero::address(Buffer(in)), 1024);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

/// What cannot be mended, or is asked for only beside another failure.
bool goes_on(const std::string& call) {
    return call.ends_with("Destroy") || call == "zeMemFree" || call == "zeModuleBuildLogGetString";
}

/// Without which nothing is listed: that is said in other words.
bool lists(const std::string& call) { return call == "zeDriverGet" || call == "zeDeviceGet"; }

[[noreturn]] void fail_once(const std::string& call) {
    FakeLevelZeroRecord& record = *fake();
    record.failing = call;
    const std::string said = use_everything();
    const std::string code =
        call == "zeModuleCreate" ? "ZE_RESULT_ERROR_MODULE_BUILD_FAILURE" : "ZE_RESULT_ERROR_DEVICE_LOST";
    const bool told = goes_on(call) ? said.empty()
                      : lists(call) ? said.find("Level Zero shows no GPU") != std::string::npos
                                    : said.find(call) != std::string::npos && said.find(code) != std::string::npos &&
                                          said.find('\n') == std::string::npos;
    const bool clean = record.contexts == 0 && record.modules == 0 && record.kernels == 0 && record.logs == 0 &&
                       record.lists == 0 && record.pools == 0 && record.events == 0 && record.allocations == 0;
    if (!told) std::fprintf(stderr, "%s failed: '%s'\n", call.c_str(), said.c_str());
    if (!clean) std::fprintf(stderr, "%s failed: something was kept\n", call.c_str());
    std::_Exit(told && clean ? 0 : 1);
}

class LevelZeroFaults : public testing::TestWithParam<const char*> {
protected:
    void SetUp() override {
        testing::FLAGS_gtest_death_test_style = "threadsafe";  // in a program of its own, which starts the driver anew
        setenv("SEICHE_CACHE_DIR", "/dev/null/nowhere", 1);
        setenv("SEICHE_LEVEL_ZERO_LIBRARY", SEICHE_FAKE_LEVEL_ZERO, 1);
        ASSERT_NE(fake(), nullptr);
    }
};

// Leaks are counted by the library.
TEST_P(LevelZeroFaults, are_named_with_their_code_and_leak_nothing) {
    EXPECT_EXIT(fail_once(GetParam()), testing::ExitedWithCode(0), "");
}

#define SEICHE_NAME(name, parameters) #name,
constexpr const char* entries[] = {SEICHE_LEVEL_ZERO_SYMBOLS(SEICHE_NAME)};
#undef SEICHE_NAME

INSTANTIATE_TEST_SUITE_P(entries, LevelZeroFaults, testing::ValuesIn(entries),
                         [](const auto& info) { return std::string(info.param); });

/// What the list says of a library; the first line.
void expect_list(const std::string& library, const std::string& expected) {
    const auto look = [&] {
        setenv("SEICHE_LEVEL_ZERO_LIBRARY", library.c_str(), 1);
        const std::vector<DeviceInfo> infos = runtime::level_zero::list();
        const bool as_expected = !infos.front().available &&
                                 infos.front().problem.find(expected) != std::string::npos &&
                                 !infos.front().remedy.empty();
        if (!as_expected) std::fprintf(stderr, "%s: '%s'\n", library.c_str(), infos.front().problem.c_str());
        std::_Exit(as_expected ? 0 : 1);
    };
    EXPECT_EXIT(look(), testing::ExitedWithCode(0), "") << library;
}

TEST(LevelZeroAbsence, is_explained) {
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    expect_list("/nonexistent/libze_loader.so.1", "Level Zero's loader was not found");
    expect_list("libc.so.6", "libc.so.6 has no zeInit");
}

TEST(LevelZeroAbsence, of_a_driver_is_explained) {
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    const auto look = [] {
        setenv("SEICHE_LEVEL_ZERO_LIBRARY", SEICHE_FAKE_LEVEL_ZERO, 1);
        fake()->failing = "zeInit";
        const DeviceInfo info = runtime::level_zero::list().front();
        const bool told =
            info.problem == "zeInit failed with ZE_RESULT_ERROR_DEVICE_LOST" && !info.remedy.empty() && !info.available;
        std::_Exit(told ? 0 : 1);
    };
    EXPECT_EXIT(look(), testing::ExitedWithCode(0), "");
}

#ifdef SEICHE_TEST_LEVEL_ZERO_HEADERS
// The structures declared here against Level Zero's own header.
namespace own = runtime::level_zero;
#define SEICHE_SAME(mine, theirs, last, their_last) \
    static_assert(sizeof(own::mine) == sizeof(theirs) && offsetof(own::mine, last) == offsetof(theirs, their_last))
SEICHE_SAME(DriverProperties, ze_driver_properties_t, driverVersion, driverVersion);
SEICHE_SAME(DeviceProperties, ze_device_properties_t, timerResolution, timerResolution);
SEICHE_SAME(DeviceProperties, ze_device_properties_t, numSlices, numSlices);
SEICHE_SAME(DeviceProperties, ze_device_properties_t, name, name);
SEICHE_SAME(ComputeProperties, ze_device_compute_properties_t, maxGroupCount, maxGroupCountX);
SEICHE_SAME(ComputeProperties, ze_device_compute_properties_t, subGroupSizes, subGroupSizes);
SEICHE_SAME(ModuleProperties, ze_device_module_properties_t, fp64flags, fp64flags);
SEICHE_SAME(QueueGroupProperties, ze_command_queue_group_properties_t, numQueues, numQueues);
SEICHE_SAME(MemoryProperties, ze_device_memory_properties_t, totalSize, totalSize);
SEICHE_SAME(CacheProperties, ze_device_cache_properties_t, cacheSize, cacheSize);
SEICHE_SAME(ContextDesc, ze_context_desc_t, flags, flags);
SEICHE_SAME(QueueDesc, ze_command_queue_desc_t, mode, mode);
SEICHE_SAME(EventPoolDesc, ze_event_pool_desc_t, count, count);
SEICHE_SAME(EventDesc, ze_event_desc_t, wait, wait);
SEICHE_SAME(DeviceMemoryDesc, ze_device_mem_alloc_desc_t, ordinal, ordinal);
SEICHE_SAME(HostMemoryDesc, ze_host_mem_alloc_desc_t, flags, flags);
SEICHE_SAME(AllocationProperties, ze_memory_allocation_properties_t, pageSize, pageSize);
SEICHE_SAME(ModuleDesc, ze_module_desc_t, pBuildFlags, pBuildFlags);
SEICHE_SAME(KernelDesc, ze_kernel_desc_t, pKernelName, pKernelName);
SEICHE_SAME(KernelTimestamp, ze_kernel_timestamp_result_t, global.kernelEnd, global.kernelEnd);
#undef SEICHE_SAME

TEST(LevelZeroHeader, has_the_same_numbers) {
    EXPECT_EQ(own::DriverProperties().stype, static_cast<own::Uint>(ZE_STRUCTURE_TYPE_DRIVER_PROPERTIES));
    EXPECT_EQ(own::structure_device_properties_1_2, static_cast<own::Uint>(ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2));
    EXPECT_EQ(own::QueueDesc().stype, static_cast<own::Uint>(ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC));
    EXPECT_EQ(own::HostMemoryDesc().stype, static_cast<own::Uint>(ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC));
    EXPECT_EQ(own::AllocationProperties().stype,
              static_cast<own::Uint>(ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES));
    EXPECT_EQ(own::uninitialized, static_cast<own::Uint>(ZE_RESULT_ERROR_UNINITIALIZED));
    EXPECT_EQ(own::pool_timestamps, static_cast<own::Uint>(ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP));
    EXPECT_EQ(own::scope_host, static_cast<own::Uint>(ZE_EVENT_SCOPE_FLAG_HOST));
    EXPECT_EQ(own::queue_asynchronous, static_cast<own::Uint>(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS));
    EXPECT_EQ(own::fp_fma, static_cast<own::Uint>(ZE_DEVICE_FP_FLAG_FMA));
    EXPECT_EQ(own::fp_round_to_nearest, static_cast<own::Uint>(ZE_DEVICE_FP_FLAG_ROUND_TO_NEAREST));
}
#endif

}  // namespace
}  // namespace seiche::test
