// The HIP backend against a runtime that only records and fails on demand: choice of a card, limits, compilation,
// launches, every entry failing in turn, what is given back.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "fake_hip.hpp"
#include "runtime/hip/device.hpp"
#include "runtime/hip/hiprtc.hpp"
#include "runtime/hip/queue.hpp"
#include "sample_kernels.hpp"
#include "seiche/error.hpp"
#include "seiche/interop/hip.h"
#include "seiche/interop/hip.hpp"
#include "seiche/plan.hpp"

namespace seiche::test {
namespace {

FakeHipRecord* fake() {
    void* library = dlopen(SEICHE_FAKE_HIP, RTLD_NOW);
    void* symbol = library != nullptr ? dlsym(library, "fake_hip_record") : nullptr;
    return symbol != nullptr ? reinterpret_cast<FakeHipRecord* (*)()>(symbol)() : nullptr;
}

class HipBackend : public testing::Test {
protected:
    void SetUp() override {
        setenv("SEICHE_CACHE_DIR", "/dev/null/nowhere", 1);
        setenv("SEICHE_HIP_LIBRARY", SEICHE_FAKE_HIP, 1);
        record = fake();
        ASSERT_NE(record, nullptr);
    }
    static DeviceInfo named(const std::string& name) {
        for (const DeviceInfo& info : runtime::hip::list())
            if (info.name == name) return info;
        return {};
    }
    FakeHipRecord* record = nullptr;
};

TEST_F(HipBackend, lists_cards_with_their_limits) {
    const DeviceInfo first = named("hip:0"), second = named("hip:1");
    EXPECT_TRUE(first.available) << first.problem;
    EXPECT_TRUE(first.is_gpu);
    EXPECT_EQ(first.limits.architecture, "gfx90a:sramecc+:xnack-") << "and not the card's name";
    EXPECT_EQ(first.limits.subgroup_size, 64u);
    EXPECT_EQ(first.limits.shared_bytes, 65536u);
    EXPECT_EQ(first.limits.compute_units, 110u);
    EXPECT_EQ(first.limits.memory_bytes, std::uint64_t{1} << 36);
    EXPECT_EQ(first.limits.cache_bytes, 8388608u);
    EXPECT_EQ(first.limits.vectors, Vectors::subgroups);
    EXPECT_NE(first.driver.find("HIP 6.2, hiprtc 9.0"), std::string::npos) << first.driver;
    EXPECT_EQ(second.description, "Fake Navi");
    EXPECT_EQ(second.limits.architecture, "gfx1030");
    EXPECT_EQ(second.limits.subgroup_size, 32u);
}

TEST_F(HipBackend, finds_the_architecture_whatever_the_layout_of_the_properties) {
    std::string properties(2048, '\0');
    EXPECT_EQ(runtime::hip::architecture_in(properties), "");
    properties.replace(0, 7, "gfx1100");
    EXPECT_EQ(runtime::hip::architecture_in(properties), "") << "the name does not count";
    properties.replace(1160, 6, "gfx942");
    EXPECT_EQ(runtime::hip::architecture_in(properties), "gfx942");
    EXPECT_EQ(runtime::hip::architecture_in("gfx"), "");
}

TEST_F(HipBackend, compiles_for_the_card_and_launches) {
    const auto device = runtime::open_device("hip:navi");
    EXPECT_EQ(runtime::open_device("hip:1"), device);
    const auto source = emit::emit(std::make_shared<ir::Kernel>(exchange_kernel()), device->target());
    const auto module = runtime::compile_cached(device, source).module;
    EXPECT_EQ(record->options, "--offload-arch=gfx1030 -std=c++17 ");
    EXPECT_EQ(record->function, "reverse_64");
    const auto queue = device->create_queue();
    const auto in = device->allocate(1024), out = device->allocate(1024);
    const runtime::BufferArgument buffers[2] = {{in.get(), 16}, {out.get(), 0}},
                                  at_start[2] = {{in.get(), 0}, {out.get(), 0}};
    const std::uint64_t count = 77;
    record->calls.clear();
    queue->launch({module.get(), {5, 2, 1}, buffers, 2, &count, 1});
    EXPECT_EQ(record->calls, "hipModuleLaunchKernel ") << "a launch that is being captured may do nothing else";
    EXPECT_EQ(record->grid[0], 5u);
    EXPECT_EQ(record->grid[1], 2u);
    EXPECT_EQ(record->block[0], 64u);
    EXPECT_EQ(record->shared, 0u) << "what is declared in the text is not given again";
    EXPECT_EQ(record->device, 0) << "the caller's card is current again";
    char* const with_offset = static_cast<char*>(record->first_argument);
    queue->launch({module.get(), {1, 1, 1}, at_start, 2, &count, 1});
    EXPECT_EQ(static_cast<char*>(record->first_argument) + 16, with_offset);
    EXPECT_THROW(queue->launch({module.get(), {1, 1, 1}, buffers, 1, &count, 1}), InternalError);
    EXPECT_THROW(queue->launch({module.get(), {1u << 26, 1, 1}, buffers, 2, &count, 1}), Unsupported)
        << "2^32 threads along a dimension";
    EXPECT_THROW(device->load(source, {}), BackendError);
    const auto reference = runtime::open_device("reference");
    const auto stranger = runtime::compile_cached(
        reference, emit::emit(std::make_shared<ir::Kernel>(exchange_kernel()), reference->target()));
    EXPECT_THROW(queue->launch({stranger.module.get(), {1, 1, 1}, buffers, 2, &count, 1}), InvalidProblem);
    const auto second = runtime::open_device("hip:0");
    const auto elsewhere = second->allocate(64);
    const runtime::BufferArgument of_both[] = {{in.get(), 0}, {elsewhere.get(), 0}};
    EXPECT_THROW(queue->launch({module.get(), {1, 1, 1}, of_both, 2, &count, 1}), InvalidProblem);
    EXPECT_THROW(queue->upload(*elsewhere, 0, &count, 4), InvalidProblem) << "another card's memory";
    EXPECT_THROW(second->create_queue()->launch({module.get(), {1, 1, 1}, of_both, 2, &count, 1}), InvalidProblem)
        << "another card's code";
    const auto large = emit::emit(std::make_shared<ir::Kernel>(dynamic_shared_kernel()), device->target());
    const auto with_shared = runtime::compile_cached(device, large).module;
    const runtime::BufferArgument one{in.get(), 0};
    queue->launch({with_shared.get(), {1, 1, 1}, &one, 1, nullptr, 0});
    EXPECT_EQ(record->shared, 12288u * 4 + 1024 * 8);
}

TEST_F(HipBackend, moves_bytes_and_measures) {
    const auto device = runtime::open_device("hip:0");
    const auto queue = device->create_queue();
    const auto a = device->allocate(64), b = device->allocate(64);
    const std::string text = "sixteen letters.";
    std::string back(16, '\0');
    queue->upload(*a, 8, text.data(), 16);
    queue->copy(*b, 32, *a, 8, 16);
    queue->download(back.data(), *b, 32, 16);
    EXPECT_EQ(back, text);
    EXPECT_EQ(queue->milliseconds(*queue->record(), *queue->record()), 1.5);
    try {
        device->allocate(std::uint64_t{1} << 40);
        FAIL() << "a tebibyte was allocated";
    } catch (const BackendError& error) {
        EXPECT_NE(std::string(error.what()).find("hipErrorOutOfMemory"), std::string::npos) << error.what();
        EXPECT_NE(std::string(error.what()).find("1099511627776 bytes"), std::string::npos) << error.what();
    }
}

TEST_F(HipBackend, takes_the_callers_stream_and_memory_and_leaves_them_be) {
    int word = 0;
    const auto stream = reinterpret_cast<hipStream_t>(&word);
    char memory[256];
    {
        const Device own = hip::device(0);
        EXPECT_EQ(hip::ordinal(own), 0);
        const Queue queue = hip::queue(own, stream);
        EXPECT_EQ(hip::stream(queue), stream);
        const Buffer buffer = hip::buffer(own, memory, sizeof memory);
        EXPECT_EQ(hip::address(buffer), memory);
        const auto source = emit::emit(std::make_shared<ir::Kernel>(exchange_kernel()), own.impl()->target());
        const runtime::BufferArgument arguments[2] = {{buffer.impl().get(), 32}, {buffer.impl().get(), 0}};
        const std::uint64_t count = 1;
        const auto module = runtime::compile_cached(own.impl(), source).module;
        queue.impl()->launch({module.get(), {1, 1, 1}, arguments, 2, &count, 1});
        EXPECT_EQ(record->first_argument, memory + 32);
        EXPECT_EQ(record->stream, stream);
        EXPECT_THROW(hip::buffer(Device::open("reference"), memory, 256), InvalidProblem);
        EXPECT_THROW(hip::buffer(own, nullptr, 256), InvalidProblem);
        EXPECT_THROW(hip::ordinal(Device()), InvalidProblem);
        EXPECT_EQ(hip::address(hip::buffer(own, 0x1000ull, 256)), reinterpret_cast<void*>(0x1000)) << "NVIDIA's HIP";
    }
    EXPECT_EQ(record->streams, 0);
    EXPECT_EQ(record->allocations, 0);
    EXPECT_EQ(record->modules, 0);
}

TEST_F(HipBackend, waits_for_the_callers_events_and_records_them) {
    int word = 0, other = 0;
    const auto stream = reinterpret_cast<hipStream_t>(&word);
    const auto event = reinterpret_cast<hipEvent_t>(&other);
    Queue queue = hip::queue(hip::device(1), stream), alien = Device::open("reference").create_queue();
    for (const bool waits : {true, false}) {
        record->calls.clear();
        record->stream = record->event = nullptr;
        waits ? hip::wait_for(queue, event) : hip::record(queue, event);
        EXPECT_EQ(record->calls, waits ? "hipStreamWaitEvent " : "hipEventRecord ");
        EXPECT_EQ(record->stream, stream);
        EXPECT_EQ(record->event, event);
        EXPECT_THROW(waits ? hip::wait_for(queue, nullptr) : hip::record(queue, nullptr), InvalidProblem);
        EXPECT_THROW(waits ? hip::wait_for(alien, event) : hip::record(alien, event), InvalidProblem);
    }
    EXPECT_EQ(record->events, 0) << "they are the caller's";
}

// The same through the C interface.
TEST_F(HipBackend, is_open_to_c) {
    int word = 0, other = 0;
    char memory[64];
    seiche_device* device = nullptr;
    seiche_queue* queue = nullptr;
    seiche_buffer* buffer = nullptr;
    ASSERT_EQ(seiche_device_open("hip:1", &device), SEICHE_OK) << seiche_last_error();
    ASSERT_EQ(seiche_hip_queue(device, &word, &queue), SEICHE_OK) << seiche_last_error();
    ASSERT_EQ(seiche_hip_buffer(device, memory, sizeof memory, &buffer), SEICHE_OK) << seiche_last_error();
    EXPECT_EQ(seiche_buffer_bytes(buffer), 64u);
    ASSERT_EQ(seiche_hip_wait_for(queue, &other), SEICHE_OK) << seiche_last_error();
    EXPECT_EQ(record->event, &other);
    record->event = nullptr;
    ASSERT_EQ(seiche_hip_record(queue, &other), SEICHE_OK);
    EXPECT_EQ(record->event, &other);
    EXPECT_EQ(record->stream, &word);
    int ordinal = 0;
    void *stream = nullptr, *address = nullptr;
    EXPECT_EQ(seiche_hip_ordinal(device, &ordinal), SEICHE_OK);
    EXPECT_EQ(seiche_hip_stream(queue, &stream), SEICHE_OK);
    EXPECT_EQ(seiche_hip_address(buffer, &address), SEICHE_OK);
    EXPECT_EQ(ordinal, 1);
    EXPECT_EQ(stream, &word);
    EXPECT_EQ(address, memory);
    EXPECT_EQ(seiche_hip_wait_for(queue, nullptr), SEICHE_INVALID_PROBLEM);
    EXPECT_EQ(seiche_hip_stream(nullptr, &stream), SEICHE_INVALID_PROBLEM);
    EXPECT_EQ(seiche_hip_buffer(nullptr, memory, 64, &buffer), SEICHE_INVALID_PROBLEM);
    EXPECT_EQ(buffer, nullptr);
    seiche_queue_release(queue);
    seiche_device_release(device);
}

// One queue carries the tables of all plans; one that failed is given up, and the next plan has another.
TEST_F(HipBackend, plans_share_a_queue_until_it_fails) {
    std::uint64_t length = 1024;
    {
        const Device device = Device::open("hip:0");
        const auto plan = [&] { Plan(device, parse_problem(std::to_string(length += 32))); };
        plan();
        plan();
        EXPECT_EQ(record->streams, 1);
        for (const char* call : {"hipMemcpyHtoDAsync", "hipStreamSynchronize", "hipStreamCreateWithFlags"}) {
            const int allocations = record->allocations;
            record->failing = call;
            EXPECT_THROW(plan(), BackendError) << call;
            record->failing.clear();
            EXPECT_EQ(record->streams, 0) << call;
            EXPECT_EQ(record->allocations, allocations) << call;
            if (std::string(call) == "hipStreamSynchronize") continue;  // nothing is kept, so that the next is made
            plan();
            EXPECT_EQ(record->streams, 1) << call;
        }
    }
    const Plan other(Device::open("reference"), parse_problem("6"));  // for which the cache lets go of those plans
    EXPECT_EQ(record->streams, 0);
    EXPECT_EQ(record->allocations, 0);
}

/// Everything that the backend can do, once; what it threw, or nothing.
std::string use_everything() {
    try {
        const auto device = runtime::open_device("hip:1");
        const auto source = emit::emit(std::make_shared<ir::Kernel>(exchange_kernel()), device->target());
        const auto module = runtime::compile_cached(device, source).module;
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
        const auto pinned = device->allocate_host(host.size());
        queue->enqueue_upload(*out, 0, pinned->data(), host.size());
        queue->enqueue_download(pinned->data(), *out, 0, host.size());
        queue->download(host.data(), *out, 0, host.size());
        dynamic_cast<runtime::hip::HipQueue&>(*queue).wait_for(
            dynamic_cast<const runtime::hip::HipEvent&>(*start).handle());
        queue->milliseconds(*start, *stop);
        queue->wait();
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

/// What cannot be mended, or is asked for only beside another failure.
bool goes_on(const std::string& call) {
    static const std::vector<std::string> names{"hipFree",
                                                "hipHostFree",
                                                "hipModuleUnload",
                                                "hipStreamDestroy",
                                                "hipEventDestroy",
                                                "hiprtcDestroyProgram",
                                                "hipGetErrorName",
                                                "hipGetErrorString",
                                                "hiprtcGetErrorString",
                                                "hiprtcGetProgramLogSize",
                                                "hiprtcGetProgramLog"};
    return std::find(names.begin(), names.end(), call) != names.end();
}

[[noreturn]] void fail_once(const std::string& call) {
    FakeHipRecord& record = *fake();
    record.failing = call;
    const std::string said = use_everything(),
                      code = call.rfind("hiprtc", 0) == 0 ? "HIPRTC_ERROR_FAKE" : "hipErrorLaunchFailure";
    const bool told = goes_on(call) ? said.empty()
                                    : said.find(call) != std::string::npos && said.find(code) != std::string::npos &&
                                          said.find('\n') == std::string::npos;
    const bool clean = record.modules == 0 && record.streams == 0 && record.events == 0 && record.allocations == 0 &&
                       record.programs == 0;
    if (!told) std::fprintf(stderr, "%s failed: '%s'\n", call.c_str(), said.c_str());
    if (!clean) std::fprintf(stderr, "%s failed: something was kept\n", call.c_str());
    std::_Exit(told && clean ? 0 : 1);
}

class HipFaults : public testing::TestWithParam<const char*> {
protected:
    void SetUp() override {
        testing::FLAGS_gtest_death_test_style = "threadsafe";  // in a program of its own, which starts the runtime anew
        setenv("SEICHE_CACHE_DIR", "/dev/null/nowhere", 1);
        setenv("SEICHE_HIP_LIBRARY", SEICHE_FAKE_HIP, 1);
        ASSERT_NE(fake(), nullptr);
    }
};

// Leaks are counted by the library.
TEST_P(HipFaults, are_named_with_their_code_and_leak_nothing) {
    EXPECT_EXIT(fail_once(GetParam()), testing::ExitedWithCode(0), "");
}

#define SEICHE_NAME(name, result, parameters) #name,
constexpr const char* entries[] = {SEICHE_HIP_SYMBOLS(SEICHE_NAME) SEICHE_HIPRTC_SYMBOLS(SEICHE_NAME)};
#undef SEICHE_NAME

INSTANTIATE_TEST_SUITE_P(entries, HipFaults, testing::ValuesIn(entries),
                         [](const auto& info) { return std::string(info.param); });

/// What the list says of a library; the first line.
void expect_list(const std::string& library, const std::string& expected) {
    const auto look = [&] {
        setenv("SEICHE_HIP_LIBRARY", library.c_str(), 1);
        const std::vector<DeviceInfo> infos = runtime::hip::list();
        const bool as_expected = infos.front().available ? library != "libc.so.6"  // a machine with such a card
                                                         : infos.front().problem.find(expected) != std::string::npos &&
                                                               !infos.front().remedy.empty();
        if (!as_expected) std::fprintf(stderr, "%s: '%s'\n", library.c_str(), infos.front().problem.c_str());
        std::_Exit(as_expected ? 0 : 1);
    };
    EXPECT_EXIT(look(), testing::ExitedWithCode(0), "") << library;
}

TEST(HipAbsence, is_explained) {
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    expect_list("/nonexistent/libamdhip64.so", "HIP's runtime was not found");
    expect_list("libc.so.6", "libc.so.6 has no hipInit");
    // AMD's own, on a machine without its cards.
    if (dlopen("libamdhip64.so.5", RTLD_LAZY) != nullptr) expect_list("libamdhip64.so.5", "failed with hipError");
    expect_list(SEICHE_HIP_FORWARD, "hipInit failed with hipErrorNoDevice (no NVIDIA driver to forward to)");
}

TEST(HipAbsence, of_the_compiler_is_explained) {
    const auto none = runtime::hip::load_hiprtc({"/nonexistent/libhiprtc.so"});
    EXPECT_NE(none.problem.find("hiprtc was not found"), std::string::npos) << none.problem;
    EXPECT_FALSE(none.remedy.empty());
    EXPECT_NE(runtime::hip::load_hiprtc({"libc.so.6"}).problem.find("has not all of its functions"), std::string::npos);
    unsetenv("SEICHE_HIPRTC_LIBRARY");
    EXPECT_EQ(runtime::hip::hiprtc_candidates("/x/libamdhip64.so.6").front(), "/x/libhiprtc.so.6");
    EXPECT_EQ(runtime::hip::hiprtc_candidates("/x/libamdhip64.so.6").back(), "/x/libamdhip64.so.6");
}

}  // namespace
}  // namespace seiche::test
