// Each entry of CUDA's driver and of NVRTC that is loaded fails in turn, under everything that the backend can do: at
// every call, and at one after the other. What is said names the call, its code and a way out, nothing is kept, and
// what is done next succeeds. The driver and the compiler are the fake ones.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <type_traits>

#include "fake_cuda.hpp"
#include "runtime/cuda/device.hpp"
#include "runtime/cuda/nvrtc.hpp"
#include "sample_kernels.hpp"
#include "seiche/error.hpp"
#include "seiche/interop/cuda.hpp"
#include "seiche/plan.hpp"

namespace seiche::test {
namespace {

namespace backend = runtime::cuda;
using backend::Api;
using backend::Nvrtc;
using backend::Result;

constexpr Result out_of_memory = 2, illegal_address = 700;
constexpr int compilation = 6;  // NVRTC's
constexpr int every_call = -1;

/// The entry that fails. Plans compile in several threads.
struct Watch {
    Api driver;
    Nvrtc compiler;
    std::string failing;
    std::string mute;       ///< Fails besides: one that names errors.
    int call = every_call;  ///< Which one, from 1 on.
    int code = 0;
    std::atomic<int> calls = 0;  ///< Of that entry.
};
Watch watch;

bool is_one_of(const std::string& name, const std::vector<std::string>& names) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// What takes something back does so even where it gives a code.
bool gives_back(const std::string& name) {
    return is_one_of(name, {"cuDevicePrimaryCtxRelease", "cuCtxPopCurrent", "cuModuleUnload", "cuMemFree",
                            "cuMemFreeHost", "cuMemUnmap", "cuMemAddressFree", "cuMemRelease", "cuStreamDestroy",
                            "cuEventDestroy", "cuLinkDestroy", "nvrtcDestroyProgram"});
}

/// What cannot be mended, or only says more of another failure.
bool goes_on(const std::string& name) {
    return gives_back(name) || is_one_of(name, {"cuCtxGetCurrent", "cuGetErrorName", "cuGetErrorString",
                                                "nvrtcGetErrorString", "nvrtcGetProgramLogSize", "nvrtcGetProgramLog"});
}

/// What may also be called where a failure is harmless: for an attribute that only informs, to free in a context that
/// is gone, and all that was in it, or for a kernel that NVRTC then compiles.
bool may_go_on(const std::string& name) {
    return goes_on(name) || is_one_of(name, {"cuDeviceGetAttribute", "cuCtxPushCurrent", "cuLinkCreate",
                                             "cuLinkAddData", "cuLinkComplete"});
}

template <class Given, class... Parameters, class... Arguments>
Given answer(const char* name, Given (*real)(Parameters...), Arguments... arguments) {
    const bool failing =
        watch.mute == name || (watch.failing == name && (++watch.calls == watch.call || watch.call == every_call));
    if (failing && !gives_back(name)) {
        if constexpr (std::is_pointer_v<Given>)
            return nullptr;
        else
            return watch.code;
    }
    const Given given = real(arguments...);
    if constexpr (std::is_pointer_v<Given>)
        return given;
    else
        return failing ? watch.code : given;
}

void replace_entries() {
    // Both are made with new, and not const by themselves.
    auto& driver = const_cast<Api&>(backend::api());
    auto& compiler = const_cast<Nvrtc&>(backend::loaded_nvrtc());
    watch.driver = driver;
    watch.compiler = compiler;
#define SEICHE_REPLACE(name, exported, parameters) \
    driver.name = [](auto... arguments) { return answer(#name, watch.driver.name, arguments...); };
    SEICHE_CUDA_SYMBOLS(SEICHE_REPLACE)
#undef SEICHE_REPLACE
#define SEICHE_REPLACE(name, result, parameters) \
    compiler.name = [](auto... arguments) { return answer(#name, watch.compiler.name, arguments...); };
    SEICHE_NVRTC_SYMBOLS(SEICHE_REPLACE)
#undef SEICHE_REPLACE
}

void restore_entries() {
    const_cast<Api&>(backend::api()) = watch.driver;
    const_cast<Nvrtc&>(backend::loaded_nvrtc()) = watch.compiler;
}

template <class Function>
Function* symbol_of(const char* library, const char* name) {
    void* opened = dlopen(library, RTLD_NOW);
    return opened != nullptr ? reinterpret_cast<Function*>(dlsym(opened, name)) : nullptr;
}

/// What is alive of the fakes'.
struct Kept {
    int contexts = 0, modules = 0, streams = 0, events = 0, allocations = 0, linkers = 0, programs = 0, current = 0;
    bool operator==(const Kept&) const = default;
    int sum() const { return contexts + modules + streams + events + allocations + linkers + programs + current; }
};

std::ostream& operator<<(std::ostream& out, const Kept& kept) {
    return out << kept.contexts << " contexts, " << kept.modules << " modules, " << kept.streams << " streams, "
               << kept.events << " events, " << kept.allocations << " allocations, " << kept.linkers << " linkers, "
               << kept.programs << " programs, " << kept.current << " current contexts";
}

class CudaFaults : public testing::Test {
protected:
    void SetUp() override {
        setenv("SEICHE_CACHE_DIR", "/dev/null/nowhere", 1);
        auto* find = symbol_of<FakeCudaRecord*()>("libcuda.so.1", "fake_cuda_record");
        ASSERT_NE(find, nullptr) << "LD_LIBRARY_PATH must begin with the fake driver's folder, as ctest sees to";
        record_ = find();
        ASSERT_EQ(backend::loaded_nvrtc().problem, "");
        programs_ = symbol_of<int()>(backend::loaded_nvrtc().path.c_str(), "fake_nvrtc_programs");
        ASSERT_NE(programs_, nullptr) << "CUDA_HOME must be the fake toolkit's folder, as ctest sees to";
        record_->strayed.clear();
        record_->argument_count = 1;
        let_go();
        replace_entries();
    }
    void TearDown() override {
        if (programs_ != nullptr) restore_entries();
    }

    /// The cache keeps a few plans, and their device, until it gets a new one.
    static void let_go() {
        static unsigned length = 1;
        const Plan other(Device::open("reference"), parse_problem(std::to_string(++length)));
    }
    Kept kept() const {
        int ordinal = 0;
        const int current = watch.driver.cuCtxGetDevice(&ordinal) == 0 ? 1 : 0;
        return {record_->contexts,    record_->modules, record_->streams, record_->events,
                record_->allocations, record_->linkers, programs_(),      current};
    }

    void fail_at(const std::string& entry, int call, int code);
    /// How often the work calls the entry.
    int count_calls(const std::string& entry);

    FakeCudaRecord* record_ = nullptr;
    int (*programs_)() = nullptr;
};

/// The card, in a list without surprises.
Device listed(const std::string& name) {
    Device device;
    for (const DeviceInfo& info : backend::list()) {
        const bool is_old = info.problem.find("its compute capability is 70") != std::string::npos;
        if (!info.available && !is_old) throw Unsupported(info.name + ": " + info.problem + " (" + info.remedy + ")");
        if (info.name == name) device = Device(backend::open(info));
    }
    return device;
}

std::shared_ptr<runtime::Module> built(const Device& device, const ir::Kernel& kernel) {
    const emit::Source source = emit::emit(std::make_shared<ir::Kernel>(kernel), device.impl()->target());
    return device.impl()->build(source);
}

void use_plan(const Device& device, Queue& queue) {
    std::vector<std::complex<float>> samples(1000);
    const Plan plan(device, parse_problem(std::to_string(samples.size())));
    plan.warm_up();
    Execution execution;
    execution.input = device.allocate(plan.input_bytes());
    execution.output = device.allocate(plan.output_bytes());
    if (plan.workspace_bytes() != 0) execution.workspace = device.allocate(plan.workspace_bytes());
    queue.upload(execution.input, samples.data(), plan.input_bytes());
    const Event before = queue.record();
    plan.execute(queue, execution);
    queue.milliseconds(before, queue.record());
    queue.download(samples.data(), execution.output, plan.output_bytes());
    plan.forward(samples);
}

/// Kernels with attributes: much shared memory, clusters and large ones; and one of NVRTC's.
void use_kernels(const Device& device, Queue& queue) {
    const Buffer buffer = device.allocate(4096);
    const runtime::BufferArgument argument{buffer.impl().get(), 0};
    ir::Kernel large = cluster_kernel();
    large.launch.cluster = {16, 1, 1};
    for (const ir::Kernel& kernel : {dynamic_shared_kernel(), cluster_kernel(), large}) {
        const auto module = built(device, kernel);
        queue.impl()->launch({module.get(), {16, 1, 1}, &argument, 1, nullptr, 0});
    }
    built(device, uneven_halves_kernel(1));
    queue.wait();
}

void use_copies(const Device& device, const Device& other, Queue& queue) {
    const Buffer here = device.allocate(64), near = device.allocate(64), there = other.allocate(64);
    const HostMemory host = device.allocate_host(64);
    std::memcpy(host.data(), "sixteen letters.", 16);
    queue.enqueue_upload(here, host.data(), 16);
    queue.copy({near, 8}, here, 16);
    queue.copy({there, 16}, {near, 8}, 16);
    queue.enqueue_download(static_cast<char*>(host.data()) + 32, {here, 0}, 16);
    queue.wait();
    if (std::memcmp(host.data(), static_cast<char*>(host.data()) + 32, 16) != 0)
        throw InternalError("letters were lost on their way");
}

void use_interop(const Device& device) {
    const Device callers = cuda::device(cuda::context(device));
    int stream = 0, event = 0;
    Queue queue = cuda::queue(callers, reinterpret_cast<CUstream>(&stream));
    const Buffer memory = callers.allocate(64), wrapped = cuda::buffer(callers, cuda::address(memory), 64);
    cuda::wait_for(queue, reinterpret_cast<CUevent>(&event));
    queue.copy({wrapped, 32}, wrapped, 32);
    constexpr std::uint64_t period = 1 << 16;
    const Buffer ring = cuda::repeating_buffer(callers, period, 3 * period);
    queue.copy({ring, period - 16}, wrapped, 32);
    cuda::record(queue, reinterpret_cast<CUevent>(&event));
}

/// Through PTX, which a card that the compiler does not know gets.
void compile_portable() {
    emit::Target target;
    target.dialect = emit::Dialect::cuda;
    target.architecture = backend::compiler_target(backend::loaded_nvrtc(), 120);
    const emit::Source source = emit::emit(std::make_shared<ir::Kernel>(exchange_kernel()), target);
    backend::compile_with_nvrtc(backend::loaded_nvrtc(), source);
}

/// Of a device that has no other compiler to go to.
void assemble() {
    const struct Choice {
        Choice() { setenv("SEICHE_CUDA_COMPILER", "ptx", 1); }
        ~Choice() { unsetenv("SEICHE_CUDA_COMPILER"); }
    } choice;
    const Device device = listed("cuda:0");
    device.impl()->compile(emit::emit(std::make_shared<ir::Kernel>(exchange_kernel()), device.impl()->target()));
}

void use(const Device& device, const Device& other) {
    Queue queue = device.create_queue();
    use_copies(device, other, queue);
    use_kernels(device, queue);
    use_plan(device, queue);
    use_interop(device);
    compile_portable();
    assemble();
}

void use_everything() { use(listed("cuda:0"), listed("cuda:2")); }

/// What the work throws; empty if it succeeds. BackendError is what a call's failure is, but for cards that are listed
/// with their problem, of which opening throws Unsupported.
template <class Work>
std::string said(const Work& work) {
    try {
        work();
    } catch (const BackendError& error) {
        std::string text = error.what();
        const std::string file = "; its source is in ";
        if (const std::size_t at = text.find(file); at != std::string::npos)
            std::filesystem::remove(text.substr(at + file.size()));  // the kernel's source, written for people
        return text;
    } catch (const Unsupported& error) {
        std::string text = error.what();
        return text.find("cuDevice") != std::string::npos ? text : "not a BackendError: " + text;
    } catch (const std::exception& error) {
        return std::string("not a BackendError: ") + error.what();
    }
    return {};
}

/// The words that must be in what is said.
std::vector<std::string> words(const std::string& entry, int code) {
    if (entry.rfind("nvrtc", 0) == 0) return {"cuda: " + entry + " failed with NVRTC_ERROR_COMPILATION for kernel "};
    const std::string name = code == out_of_memory ? "CUDA_ERROR_OUT_OF_MEMORY" : "CUDA_ERROR_ILLEGAL_ADDRESS",
                      way_out = code == out_of_memory ? ": use smaller buffers or a smaller batch"
                                                      : "the context is lost: start a new process";
    return {entry, " failed with " + name + " (as the fake driver says)", way_out};
}

void expect_told(const std::string& entry, int code, const std::string& text) {
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
    EXPECT_EQ(text.find("not a BackendError"), std::string::npos) << text;
    for (const std::string& word : words(entry, code)) EXPECT_NE(text.find(word), std::string::npos) << text;
}

int CudaFaults::count_calls(const std::string& entry) {
    watch.failing = entry;
    watch.call = 0;
    watch.calls = 0;
    EXPECT_EQ(said(use_everything), "") << entry;
    watch.failing.clear();
    let_go();
    return watch.calls;
}

void CudaFaults::fail_at(const std::string& entry, int call, int code) {
    SCOPED_TRACE(entry + (call == every_call ? ", every call" : ", call " + std::to_string(call)));
    const Kept before = kept();
    watch.failing = entry;
    watch.code = code;
    watch.call = call;
    watch.calls = 0;
    const std::string text = said(use_everything);
    watch.failing.clear();
    let_go();
    EXPECT_TRUE(call == every_call ? watch.calls > 0 : watch.calls >= call) << "it is never called";
    if (!text.empty())
        expect_told(entry, code, text);
    else
        EXPECT_TRUE(call == every_call ? goes_on(entry) : may_go_on(entry)) << "nobody says so";
    // Where the context cannot be made current to free in it, one thing stays.
    const int may_stay = entry == "cuCtxPushCurrent" && text.empty() ? 1 : 0;
    EXPECT_LE(kept().sum(), before.sum() + may_stay) << kept();
    EXPECT_TRUE(may_stay == 1 || kept() == before) << kept();
}

std::vector<std::string> entries() {
#define SEICHE_NAME(name, exported_or_result, parameters) #name,
    std::vector<std::string> all{SEICHE_CUDA_SYMBOLS(SEICHE_NAME) SEICHE_NVRTC_SYMBOLS(SEICHE_NAME)};
#undef SEICHE_NAME
    // They are called once, when the libraries are loaded, or beside another failure: see the tests of those.
    for (const char* once : {"cuInit", "cuDriverGetVersion", "nvrtcVersion", "nvrtcGetNumSupportedArchs",
                             "nvrtcGetSupportedArchs", "cuGetErrorName", "cuGetErrorString", "nvrtcGetErrorString"})
        all.erase(std::remove(all.begin(), all.end(), once), all.end());
    return all;
}

class CudaFaultOf : public CudaFaults, public testing::WithParamInterface<std::string> {
protected:
    static bool is_compilers() { return GetParam().rfind("nvrtc", 0) == 0; }
    static std::vector<int> codes() {
        return is_compilers() ? std::vector<int>{compilation} : std::vector<int>{out_of_memory, illegal_address};
    }
};

TEST_P(CudaFaultOf, is_told_with_its_code_and_a_way_out_and_leaves_nothing) {
    for (const int code : codes()) {
        fail_at(GetParam(), every_call, code);
        EXPECT_EQ(said(use_everything), "") << "it works again";
        let_go();
    }
    EXPECT_EQ(record_->strayed, "");
}

TEST_P(CudaFaultOf, at_any_of_its_calls_is_told_and_leaves_nothing) {
    const int calls = count_calls(GetParam());
    ASSERT_GT(calls, 0);
    for (int call = 1; call <= calls; ++call) fail_at(GetParam(), call, codes().front());
    EXPECT_EQ(said(use_everything), "") << "it works again";
    let_go();
}

// The same devices before, during and after.
TEST_P(CudaFaultOf, leaves_an_open_device_that_serves_again) {
    const Kept before = kept();
    {
        const Device device = listed("cuda:0"), other = listed("cuda:2");
        const auto on_these = [&] { use(device, other); };
        EXPECT_EQ(said(on_these), "");
        watch.failing = GetParam();
        watch.code = codes().front();
        watch.call = every_call;
        watch.calls = 0;
        const std::string text = said(on_these);
        watch.failing.clear();
        EXPECT_TRUE(!text.empty() || watch.calls == 0 || goes_on(GetParam())) << "nobody says so";
        if (!text.empty()) expect_told(GetParam(), watch.code, text);
        let_go();
        EXPECT_EQ(said(on_these), "") << "it works again";
    }
    let_go();
    // What could not be freed while no context could be made current stays with the context.
    EXPECT_TRUE(GetParam() == "cuCtxPushCurrent" || kept() == before) << kept();
}

INSTANTIATE_TEST_SUITE_P(Entries, CudaFaultOf, testing::ValuesIn(entries()),
                         [](const auto& info) { return info.param; });

/// One attribute of all cards fails, or is 0.
void spoil_attribute(int which, int code) {
    static int spoilt = 0, given = 0;
    spoilt = which;
    given = code;
    const_cast<Api&>(backend::api()).cuDeviceGetAttribute = [](int* value, int asked, backend::Ordinal ordinal) {
        const Result real = watch.driver.cuDeviceGetAttribute(value, asked, ordinal);
        if (asked != spoilt) return real;
        *value = 0;
        return given;
    };
}

TEST_F(CudaFaults, of_an_attribute_are_the_cards_problem_unless_it_only_informs) {
    EXPECT_EQ(backend::list().front().limits.memory_bytes_per_second, 3352320000000u);
    for (const int which : {1, 10, 16, 75, 76, 81, 97}) {
        spoil_attribute(which, illegal_address);
        const DeviceInfo info = backend::list().front();
        EXPECT_FALSE(info.available) << which;
        EXPECT_EQ(info.problem.find("cuDeviceGetAttribute (attribute " + std::to_string(which) +
                                    " of card 0) failed with CUDA_ERROR_ILLEGAL_ADDRESS (as the fake driver says); "),
                  0u)
            << info.problem;
        EXPECT_EQ(info.remedy, backend::driver_remedy);
    }
    spoil_attribute(36, illegal_address);
    EXPECT_TRUE(backend::list().front().available);
    EXPECT_EQ(backend::list().front().limits.memory_bytes_per_second, 0u);
    spoil_attribute(38, illegal_address);
    EXPECT_TRUE(backend::list().front().available);
    EXPECT_EQ(backend::list().front().limits.cache_bytes, 0u);
    spoil_attribute(120, illegal_address);
    EXPECT_TRUE(backend::list().front().available);
    EXPECT_EQ(backend::list().front().limits.max_cluster_size, 1u);
    for (const int which : {1, 10, 16, 97}) {
        spoil_attribute(which, 0);
        EXPECT_EQ(backend::list().front().problem.find("the driver does not say the size of its warps"), 0u) << which;
    }
}

TEST_F(CudaFaults, without_a_name_are_told_with_their_number) {
    const auto text_of = [&](const std::string& entry, int code, const std::string& mute) {
        watch.failing = entry;
        watch.code = code;
        watch.call = every_call;
        watch.mute = mute;
        std::string text = said(use_everything);
        watch.failing.clear();
        watch.mute.clear();
        let_go();
        return text;
    };
    const std::string way_out = "; there is not enough memory: use smaller buffers or a smaller batch";
    EXPECT_EQ(text_of("cuMemAlloc", out_of_memory, "cuGetErrorName"),
              "BackendError: cuda: cuMemAlloc (64 bytes) failed with code 2" + way_out);
    EXPECT_EQ(text_of("cuMemAlloc", out_of_memory, "cuGetErrorString"),
              "BackendError: cuda: cuMemAlloc (64 bytes) failed with CUDA_ERROR_OUT_OF_MEMORY" + way_out);
    const std::string text = text_of("nvrtcCompileProgram", compilation, "nvrtcGetErrorString");
    EXPECT_NE(text.find("cuda: nvrtcCompileProgram failed with code 6 for kernel "), std::string::npos) << text;
    EXPECT_NE(text.find(" on sm_90: the compiler gave no reason; its source is in "), std::string::npos) << text;
}

TEST_F(CudaFaults, that_end_a_context_for_good_say_so) {
    for (const int code : {214, 220, 226, 700, 702, 710, 714, 715, 716, 717, 718, 719, 721}) {
        const std::string text = said([&] { backend::check(code, "cuStreamSynchronize"); });
        EXPECT_TRUE(text.ends_with("the context is lost: start a new process")) << text;
    }
    for (const int code : {1, 201, 400, 709, 720})
        EXPECT_EQ(said([&] { backend::check(code, "cuStreamSynchronize"); }).find("is lost"), std::string::npos);
}

TEST_F(CudaFaults, of_the_compilers_surroundings_say_what_mends_them) {
    const auto text_of = [&](int code) {
        watch.failing = "nvrtcCompileProgram";
        watch.code = code;
        watch.call = every_call;
        std::string text = said(compile_portable);
        watch.failing.clear();
        return text;
    };
    EXPECT_NE(text_of(1).find("; the host has not enough memory; its source"), std::string::npos) << text_of(1);
    EXPECT_NE(text_of(7).find("libnvrtc-builtins is not beside it: install NVRTC anew"), std::string::npos);
}

// A compiler that does not even say what it knows is not taken.
TEST_F(CudaFaults, of_a_compiler_that_is_being_loaded_are_its_problem) {
    const std::string library = backend::loaded_nvrtc().path;
    for (const std::string entry : {"nvrtcVersion", "nvrtcGetNumSupportedArchs", "nvrtcGetSupportedArchs"}) {
        setenv("FAKE_NVRTC_FAILS", entry.c_str(), 1);
        const Nvrtc loaded = backend::load_nvrtc({library}, 0);
        unsetenv("FAKE_NVRTC_FAILS");
        EXPECT_NE(loaded.problem.find(": " + entry + " of /"), std::string::npos) << loaded.problem;
        EXPECT_TRUE(loaded.problem.ends_with(" failed with NVRTC_ERROR_OUT_OF_MEMORY")) << loaded.problem;
        EXPECT_FALSE(loaded.remedy.empty());
    }
    EXPECT_EQ(backend::load_nvrtc({library}, 0).problem, "");
    const Nvrtc none = backend::load_nvrtc({"libc.so.6"}, 0);
    EXPECT_NE(none.problem.find("libc.so.6 has no nvrtcVersion"), std::string::npos) << none.problem;
}

/// In a program of its own, which starts the driver anew.
[[noreturn]] void start_driver(const char* variable, const char* value, const std::string& problem,
                               const std::string& remedy) {
    setenv(variable, value, 1);
    const std::vector<DeviceInfo> infos = backend::list();
    const bool is_told =
        infos.size() == 1 && !infos[0].available && infos[0].problem == problem && infos[0].remedy == remedy;
    if (!is_told)
        std::fprintf(stderr, "%s=%s: '%s' (%s)\n", variable, value, infos[0].problem.c_str(), infos[0].remedy.c_str());
    const std::string text = said([] { cuda::untyped::device(&watch); }), expected = "cuda: " + problem;
    if (text.find(expected) == std::string::npos) std::fprintf(stderr, "of a context: '%s'\n", text.c_str());
    std::_Exit(is_told && text.find(expected) != std::string::npos ? 0 : 1);
}

TEST(CudaStart, that_fails_is_told_with_its_code_and_a_way_out) {
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    for (const std::string entry : {"cuInit", "cuDriverGetVersion"})
        EXPECT_EXIT(
            start_driver("FAKE_CUDA_FAILS", entry.c_str(),
                         entry + " failed with CUDA_ERROR_UNKNOWN (as the fake driver says)", backend::driver_remedy),
            testing::ExitedWithCode(0), "");
    EXPECT_EXIT(
        start_driver("FAKE_CUDA_CARDS", "0", "cuInit failed with CUDA_ERROR_NO_DEVICE (as the fake driver says)",
                     "no NVIDIA card is visible: see nvidia-smi and CUDA_VISIBLE_DEVICES"),
        testing::ExitedWithCode(0), "");
    EXPECT_EXIT(start_driver("FAKE_CUDA_VERSION", "11080", "the NVIDIA driver is for CUDA 11.8, expected at least 12.0",
                             "install a newer NVIDIA driver"),
                testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace seiche::test
