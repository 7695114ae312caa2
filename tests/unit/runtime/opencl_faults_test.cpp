// The OpenCL backend with a driver whose functions fail on demand, each in turn, always or one call of several: what is
// said names the call, its code and a way out, nothing is kept, and what is done next succeeds.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <complex>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <mutex>
#include <tuple>
#include <utility>

#include "fake_opencl.hpp"
#include "runtime/opencl/device.hpp"
#include "runtime/opencl/pointers.hpp"
#include "runtime/opencl/queue.hpp"
#include "sample_kernels.hpp"
#include "seiche/error.hpp"
#include "seiche/interop/opencl.hpp"
#include "seiche/plan.hpp"

namespace seiche::test {
namespace {

namespace cl = runtime::opencl;

constexpr int every_call = -1;
constexpr std::size_t bytes = 4096;

/// Which function fails and how, and what was made and not given up.
struct Watch {
    cl::Api real;
    cl::UsmApi usm;
    std::mutex mutex;  // plans compile in several threads
    std::string failing;
    int which = every_call;
    cl::Int code = cl::out_of_resources;
    bool refuses = false;  ///< A text that is none is compiled too, which takes longer than all else.
    std::map<std::string, int> calls, kept;

    bool is_failing(const char* name) {
        const std::lock_guard lock(mutex);
        const int call = calls[name]++;
        return failing == name && (which == every_call || which == call);
    }
    void count(const char* kind, int difference) {
        const std::lock_guard lock(mutex);
        kept[kind] += difference;
    }
};
Watch watch;

template <class T>
const char* kind_of(T) {
    if constexpr (std::is_same_v<T, cl::Context>) return "contexts";
    if constexpr (std::is_same_v<T, cl::CommandQueue>) return "queues";
    if constexpr (std::is_same_v<T, cl::Memory>) return "buffers";
    if constexpr (std::is_same_v<T, cl::Program>) return "programs";
    if constexpr (std::is_same_v<T, cl::KernelHandle>) return "kernels";
    if constexpr (std::is_same_v<T, cl::EventHandle>) return "events";
    return "others";
}

/// An event that was asked for is the caller's.
template <class T>
void count_event(T argument) {
    if constexpr (std::is_same_v<T, cl::EventHandle*>)
        if (argument != nullptr) watch.count("events", 1);
}

template <class Result, class... Arguments>
void count_success(const std::string& name, Result, Arguments... arguments) {
    const auto first = std::get<0>(std::tie(arguments...));
    const bool is_made = name.rfind("clCreate", 0) == 0;
    if (is_made) watch.count(kind_of(Result{}), 1);
    if (name.rfind("clRetain", 0) == 0) watch.count(kind_of(first), 1);
    if (name == "clEnqueueMapBuffer") watch.count("mapped buffers", 1);
    if (name == "clEnqueueSVMMap") watch.count("mapped pointers", 1);
    (count_event(arguments), ...);
}

template <class Result, class... Arguments>
Result fail(Arguments... arguments) {
    if constexpr (std::is_same_v<Result, cl::Int>) {
        return watch.code;
    } else {
        auto last = std::get<sizeof...(Arguments) - 1>(std::tie(arguments...));
        if constexpr (std::is_same_v<decltype(last), cl::Int*>) *last = watch.code;
        return nullptr;
    }
}

/// What gives something up counts whether it fails or not, and does it.
bool gives_up(const std::string& name) {
    if (name == "clEnqueueUnmapMemObject") watch.count("mapped buffers", -1);
    if (name == "clEnqueueSVMUnmap") watch.count("mapped pointers", -1);
    return name == "clEnqueueUnmapMemObject" || name == "clEnqueueSVMUnmap" || name.rfind("clRelease", 0) == 0;
}

template <class Result, class... Arguments>
Result watched(const char* name, Result (*real)(Arguments...), Arguments... arguments) {
    const bool is_failing = watch.is_failing(name), is_end = gives_up(name);
    if (is_failing && !is_end) return fail<Result>(arguments...);
    const Result result = real(arguments...);
    if (std::strncmp(name, "clRelease", 9) == 0) watch.count(kind_of(std::get<0>(std::tie(arguments...))), -1);
    if constexpr (std::is_same_v<Result, cl::Int>) {
        if (is_failing) return watch.code;
        if (result == cl::success) count_success(name, result, arguments...);
    } else {
        if (result != nullptr) count_success(name, result, arguments...);
    }
    return result;
}

/// Functions that a platform gives by name, which fail as the others do.
template <class Function>
void* keep(Function& real, void* given, Function replacement) {
    real = reinterpret_cast<Function>(given);
    return given != nullptr ? reinterpret_cast<void*>(replacement) : nullptr;
}

void* watched_extension(const char* name, void* given) {
#define SEICHE_WATCH_USM(entry, member)                                                     \
    if (std::strcmp(name, #entry) == 0)                                                     \
    return keep(watch.usm.member, given, decltype(watch.usm.member)([](auto... arguments) { \
                    return watched(#entry, watch.usm.member, arguments...);                 \
                }))
    SEICHE_WATCH_USM(clSetKernelArgMemPointerINTEL, set_argument);
    SEICHE_WATCH_USM(clEnqueueMemcpyINTEL, copy);
    SEICHE_WATCH_USM(clGetMemAllocInfoINTEL, describe);
#undef SEICHE_WATCH_USM
    return given;
}

cl::Api& loaded() { return const_cast<cl::Api&>(cl::api()); }

void replace_all() {
    cl::Api& api = loaded();
    watch.real = api;
#define SEICHE_WATCH(name, result, parameters) \
    api.name = [](auto... arguments) { return watched(#name, watch.real.name, arguments...); };
    SEICHE_OPENCL_SYMBOLS(SEICHE_WATCH)
    SEICHE_OPENCL_POINTER_SYMBOLS(SEICHE_WATCH)
#undef SEICHE_WATCH
    api.clGetExtensionFunctionAddressForPlatform = [](cl::Platform platform, const char* name) {
        return watched_extension(name, watched("clGetExtensionFunctionAddressForPlatform",
                                               watch.real.clGetExtensionFunctionAddressForPlatform, platform, name));
    };
}

FakeOpenclRecord* fake() {
    void* library = dlopen(SEICHE_FAKE_OPENCL, RTLD_NOW);
    void* symbol = library != nullptr ? dlsym(library, "fake_opencl_record") : nullptr;
    return symbol != nullptr ? reinterpret_cast<FakeOpenclRecord* (*)()>(symbol)() : nullptr;
}

/// The caller's own, in a device's context: made and given up by calls that never fail.
struct Callers {
    explicit Callers(const Device& device) : context(opencl::context(device)) {
        const cl_command_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
        queue = clCreateCommandQueueWithProperties(context, opencl::device_id(device), properties, nullptr);
        memory = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, nullptr, nullptr);
        event = clCreateUserEvent(context, nullptr);
        clSetUserEventStatus(event, CL_COMPLETE);
        for (void** pointer : {&svm, &usm}) *pointer = clSVMAlloc(context, CL_MEM_READ_WRITE, bytes, 0);
        fake()->usm[reinterpret_cast<std::uintptr_t>(usm)] = bytes;
    }
    ~Callers() {
        clFinish(queue);
        fake()->usm.clear();
        for (void* pointer : {svm, usm}) clSVMFree(context, pointer);
        clReleaseEvent(event);
        clReleaseMemObject(memory);
        clReleaseCommandQueue(queue);
    }
    Callers(const Callers&) = delete;
    Callers& operator=(const Callers&) = delete;

    cl_context context;
    cl_command_queue queue = nullptr;
    cl_mem memory = nullptr;
    cl_event event = nullptr;
    void *svm = nullptr, *usm = nullptr;
};

void launch(runtime::Queue& queue, const runtime::Module& module, runtime::Buffer& in, runtime::Buffer& out) {
    const runtime::BufferArgument buffers[2] = {{&in, 0}, {&out, 0}};
    const std::uint64_t count = 64;
    queue.launch({&module, {1, 1, 1}, buffers, 2, &count, 1});
}

/// That the compiler refuses the text is as it should be; what else goes wrong is not.
void expect_refusal(runtime::Device& device, emit::Source source) {
    source.text += "\nnonsense\n";
    try {
        device.compile(source);
    } catch (const BackendError& error) {
        const std::string text = error.what();
        if (text.find("CL_BUILD_PROGRAM_FAILURE") == std::string::npos) throw;
        std::filesystem::remove(text.substr(text.rfind(" in /") + 4));
        return;
    }
    throw InternalError("nonsense was compiled");
}

/// What a device and its queue can do with memory of its own.
void use_own(runtime::Device& device) {
    const emit::Source source = emit::emit(std::make_shared<ir::Kernel>(exchange_kernel()), device.target());
    const auto loaded = device.load(source, device.compile(source)), built = device.build(source);
    if (watch.refuses) expect_refusal(device, source);
    const auto queue = device.create_queue();
    const auto in = device.allocate(bytes), out = device.allocate(bytes);
    const auto host = device.allocate_host(bytes);
    std::string sent(bytes, '\0'), got(bytes, 'x');
    queue->upload(*in, 0, sent.data(), bytes);
    const auto start = queue->record();
    launch(*queue, *loaded, *in, *out);
    launch(*queue, *built, *in, *out);
    sent.assign(bytes, 's');
    std::memcpy(host->data(), sent.data(), bytes);
    queue->enqueue_upload(*in, 0, host->data(), bytes);
    queue->copy(*out, 0, *in, 0, bytes);
    queue->enqueue_download(host->data(), *out, 0, bytes);
    queue->download(got.data(), *out, 0, bytes);
    queue->milliseconds(*start, *queue->record());
    queue->wait();
    if (got != sent) throw InternalError("bytes were lost on their way");
}

/// The same with what is the caller's.
void use_callers(const Device& device) {
    const Callers callers(device);
    const Device borrowed = opencl::device(callers.context, opencl::device_id(device));
    Queue queue = opencl::queue(device, callers.queue);
    const Buffer object = opencl::buffer(device, callers.memory), svm = opencl::svm_buffer(device, callers.svm, bytes),
                 usm = opencl::usm_buffer(device, callers.usm, bytes);
    const emit::Source source = emit::emit(std::make_shared<ir::Kernel>(exchange_kernel()), device.impl()->target());
    const auto module = device.impl()->build(source);
    const std::string sent(bytes / 2, 's');
    std::string got(bytes / 2, 'x');
    opencl::wait_for(queue, {callers.event});
    for (const Buffer& buffer : {object, svm, usm}) {
        queue.upload(buffer, sent.data(), sent.size());
        launch(*queue.impl(), *module, *buffer.impl(), *buffer.impl());
        queue.upload(buffer, sent.data(), sent.size());
        queue.copy({buffer, bytes / 2}, buffer, sent.size());
    }
    queue.copy(object, {svm, bytes / 2}, sent.size());
    queue.copy({svm, 0}, object, sent.size());
    const cl_event done = opencl::record(queue);
    loaded().clReleaseEvent(reinterpret_cast<cl::EventHandle>(done));
    queue.download(got.data(), svm, got.size());
    if (got != sent) throw InternalError("bytes were lost between buffers");
}

/// A plan that no cache has.
void use_plan(const Device& device) {
    constexpr std::size_t length = 60;
    const Plan plan(device, parse_problem("60"));
    plan.warm_up();
    std::vector<std::complex<float>> impulse(length);
    impulse[0] = 1.0f;
    for (const std::complex<float> bin : plan.forward(impulse))
        if (std::abs(bin - 1.0f) > 1e-5f) throw InternalError("a wrong spectrum");
}

void use_everything(const Device& device) {
    use_own(*device.impl());
    use_callers(device);
    use_plan(device);
}

Device open_first() {
    const DeviceInfo info = cl::list().front();
    if (!info.available) throw Unsupported(info.name + ": " + info.problem + " (" + info.remedy + ")");
    return Device(cl::open(info));
}

template <class Body>
std::string said(Body&& body) {
    try {
        body();
    } catch (const std::exception& error) {
        const std::string text = error.what();
        const std::size_t file = text.rfind("its source is in /");
        if (file != std::string::npos) std::filesystem::remove(text.substr(text.find('/', file)));
        return text;
    }
    return {};
}

/// The cache keeps a few plans, and their device, until it gets a new one.
void let_go() {
    static unsigned length = 1;
    const Plan other(Device::open("reference"), parse_problem(std::to_string(++length)));
}

bool is_one_of(const std::string& call, const std::vector<std::string>& names) {
    return std::find(names.begin(), names.end(), call) != names.end();
}

/// What only gives things up or only informs.
bool goes_on(const std::string& call, bool is_open) {
    if (call.rfind("clRelease", 0) == 0) return true;
    if (is_one_of(call, {"clGetPlatformInfo", "clGetProgramBuildInfo", "clEnqueueUnmapMemObject"})) return true;
    // The number of a device that the caller has opened.
    return is_open && is_one_of(call, {"clGetPlatformIDs", "clGetDeviceIDs"});
}

/// Of several calls some are of use and some are not: where a queue or a device ends, or for a name only.
bool may_go_on(const std::string& call) {
    return is_one_of(call, {"clFlush", "clFinish", "clGetPlatformIDs", "clGetDeviceIDs"});
}

/// A device that the list or the caller gives and that does not answer is not there.
bool is_told(const std::string& text, const std::string& call) {
    if (call == "clGetExtensionFunctionAddressForPlatform")  // which has no codes
        return text.find("expected the extension cl_intel_unified_shared_memory") != std::string::npos;
    const bool is_listing = is_one_of(call, {"clGetPlatformIDs", "clGetDeviceIDs", "clGetDeviceInfo"});
    const bool is_kind = text.rfind("BackendError: ", 0) == 0 || (is_listing && text.rfind("Unsupported: ", 0) == 0);
    const bool has_way_out = text.find("use smaller buffers or a smaller batch") != std::string::npos ||
                             text.find("install its driver anew") != std::string::npos;
    return is_kind && has_way_out && text.find(call) != std::string::npos && text.find('\n') == std::string::npos &&
           text.find("failed with CL_OUT_OF_RESOURCES (-5)") != std::string::npos;
}

std::string leftovers() {
    std::string text;
    for (const auto& [kind, count] : watch.kept)
        if (count != 0) text += std::to_string(count) + " " + kind + " ";
    return text;
}

class OpenclFaults : public testing::TestWithParam<const char*> {
protected:
    void SetUp() override {
        setenv("SEICHE_CACHE_DIR", "/dev/null/nowhere", 1);
        ASSERT_NE(fake(), nullptr);
        *fake() = FakeOpenclRecord();
        if (!cl::list().front().available) GTEST_SKIP() << "SKIPPED: no device";
        fake()->answer(CL_DEVICE_EXTENSIONS, "cl_khr_fp64 cl_intel_unified_shared_memory");
        replace_all();
        watch.refuses = is_one_of(
            GetParam(), {"clCreateProgramWithSource", "clBuildProgram", "clGetProgramBuildInfo", "clReleaseProgram"});
        fail("");
        is_replaced_ = true;
    }
    void TearDown() override {
        if (!is_replaced_) return;
        let_go();
        loaded() = watch.real;
        *fake() = FakeOpenclRecord();
    }
    static void fail(const std::string& call, int which = every_call, cl::Int code = cl::out_of_resources) {
        watch.calls.clear();
        watch.failing = call;
        watch.which = which;
        watch.code = code;
    }
    /// How often each function is called where nothing fails, before a device is open and afterwards.
    static const std::array<std::map<std::string, int>, 2>& calls() {
        static std::array<std::map<std::string, int>, 2> counted;
        if (!counted[0].empty()) return counted;
        const bool refuses = std::exchange(watch.refuses, true);
        {
            const Device device = open_first();
            counted[0] = std::exchange(watch.calls, {});
            use_everything(device);
            counted[1] = watch.calls;
        }
        watch.refuses = refuses;
        let_go();
        return counted;
    }
    static int calls_of(const std::string& call, bool is_open) {
        const auto& counted = calls()[is_open ? 1 : 0];
        const auto found = counted.find(call);
        return found != counted.end() ? found->second : 0;
    }
    void judge(const std::string& text, bool is_open, int which) {
        const std::string call = GetParam();
        const bool is_silence_right = goes_on(call, is_open) || (which != every_call && may_go_on(call));
        const bool is_right = text.empty() ? is_silence_right : !goes_on(call, is_open) && is_told(text, call);
        EXPECT_TRUE(is_right) << "call " << which << " failed: '" << text << "'";
        EXPECT_EQ(leftovers(), "") << "kept after call " << which << " failed";
        watch.kept.clear();
    }
    void fail_from_the_start(int which) {
        fail(GetParam(), which);
        const std::string text = said([] { use_everything(open_first()); });
        fail("");
        let_go();
        judge(text, false, which);
    }
    void fail_once_open(int which) {
        std::string text, afterwards;
        {
            const Device device = open_first();
            fail(GetParam(), which);
            text = said([&] { use_everything(device); });
            fail("");
            afterwards = said([&] { use_everything(device); });
        }
        let_go();
        EXPECT_EQ(afterwards, "") << "after call " << which << " failed";
        judge(text, true, which);
    }
    /// Each call, but of many ever fewer of the later ones.
    template <class Body>
    static void for_each_call(int calls, Body&& body) {
        constexpr int few = 4;
        for (int which = 0; which < calls; which += which < few ? 1 : which / 2) body(which);
    }

    bool is_replaced_ = false;
};

TEST_P(OpenclFaults, from_the_start_are_named_with_their_code_and_leak_nothing) {
    fail_from_the_start(every_call);
    for_each_call(calls_of(GetParam(), false), [&](int which) { fail_from_the_start(which); });
    EXPECT_EQ(said([] { use_own(*open_first().impl()); }), "");
}

TEST_P(OpenclFaults, once_a_device_is_open_are_named_with_their_code_and_leak_nothing) {
    const int calls = calls_of(GetParam(), true);
    EXPECT_TRUE(calls > 0 || std::string(GetParam()) == "clCreateContext") << "nothing calls it";
    if (calls > 0) fail_once_open(every_call);
    for_each_call(calls, [&](int which) { fail_once_open(which); });
}

#define SEICHE_NAME(name, result, parameters) #name,
constexpr const char* entries[] = {SEICHE_OPENCL_SYMBOLS(SEICHE_NAME)
                                       SEICHE_OPENCL_POINTER_SYMBOLS(SEICHE_NAME) "clSetKernelArgMemPointerINTEL",
                                   "clEnqueueMemcpyINTEL", "clGetMemAllocInfoINTEL"};
#undef SEICHE_NAME

INSTANTIATE_TEST_SUITE_P(entries, OpenclFaults, testing::ValuesIn(entries),
                         [](const auto& info) { return std::string(info.param); });

class OpenclListing : public OpenclFaults {};

TEST_P(OpenclListing, says_what_failed_unless_there_is_nothing) {
    const auto problem = [&](cl::Int code) {
        fail(GetParam(), every_call, code);
        const DeviceInfo info = cl::list().front();
        EXPECT_EQ(info.name, "opencl");
        EXPECT_FALSE(info.available);
        EXPECT_FALSE(info.remedy.empty());
        return info.problem;
    };
    const bool is_platforms = std::string(GetParam()) == "clGetPlatformIDs";
    EXPECT_EQ(problem(-6), std::string(GetParam()) + " failed with CL_OUT_OF_HOST_MEMORY (-6)");
    EXPECT_EQ(problem(-1234), std::string(GetParam()) + " failed with code -1234");
    EXPECT_EQ(problem(is_platforms ? cl::platform_not_found : cl::device_not_found),
              "the OpenCL loader is here, but no driver offers a device");
}

INSTANTIATE_TEST_SUITE_P(entries, OpenclListing, testing::Values("clGetPlatformIDs", "clGetDeviceIDs"));

class OpenclOldLoader : public OpenclFaults {};

TEST_P(OpenclOldLoader, has_no_shared_virtual_memory_but_all_else) {
    const Device device = open_first();
    const Callers callers(device);
    const std::string missing = GetParam();
#define SEICHE_HIDE(name, result, parameters) \
    if (missing == #name) loaded().name = nullptr;
    SEICHE_OPENCL_POINTER_SYMBOLS(SEICHE_HIDE)
#undef SEICHE_HIDE
    const std::string text = said([&] { opencl::svm_buffer(device, callers.svm, bytes); });
    EXPECT_NE(text.find("the OpenCL loader is older than 2.0"), std::string::npos) << text;
    EXPECT_EQ(said([&] { use_own(*device.impl()); }), "");
}

#define SEICHE_NAME(name, result, parameters) #name,
constexpr const char* newer_entries[] = {SEICHE_OPENCL_POINTER_SYMBOLS(SEICHE_NAME)};
#undef SEICHE_NAME
INSTANTIATE_TEST_SUITE_P(entries, OpenclOldLoader, testing::ValuesIn(newer_entries),
                         [](const auto& info) { return std::string(info.param); });

TEST(OpenclCodes, have_names_and_a_way_out) {
    const auto text = [](cl::Int code) { return said([&] { cl::check(code, "clCall", "64 bytes"); }); };
    const auto ends = [](const std::string& whole, const std::string& end) {
        return whole.size() > end.size() && whole.substr(whole.size() - end.size()) == end;
    };
    EXPECT_EQ(text(cl::success), "");
    EXPECT_EQ(text(-37), "BackendError: opencl: clCall (64 bytes) failed with CL_INVALID_HOST_PTR (-37)");
    EXPECT_EQ(text(-47), "BackendError: opencl: clCall (64 bytes) failed with CL_INVALID_KERNEL_DEFINITION (-47)");
    EXPECT_EQ(text(-64), "BackendError: opencl: clCall (64 bytes) failed with CL_INVALID_PROPERTY (-64)");
    EXPECT_EQ(text(-9999),
              "BackendError: opencl: clCall (64 bytes) failed with NVIDIA's illegal read or write (-9999); a kernel "
              "reached beyond its memory: open the device again");
    for (const cl::Int code : {-4, -5, -6, -61})
        EXPECT_TRUE(ends(text(code), ": use smaller buffers or a smaller batch")) << text(code);
}

}  // namespace
}  // namespace seiche::test
