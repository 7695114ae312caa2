// The OpenGL backend against an EGL that computes nothing and fails on demand: each entry that is loaded fails in turn,
// from the start and from when a device is open. What is said names the call, its code and a way out, nothing is kept,
// and what is done next succeeds.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "fake_egl.hpp"
#include "ir/builder.hpp"
#include "runtime/opengl/device.hpp"
#include "runtime/opengl/queue.hpp"
#include "seiche/error.hpp"
#include "seiche/interop/opengl.hpp"
#include "seiche/plan.hpp"
#include "unit/ir/small_kernels.hpp"

namespace seiche::test {
namespace {

namespace gl = runtime::opengl;
using ir::Access;
using ir::Scalar;
using ir::Value;

FakeEglRecord& fake() {
    void* library = dlopen("libEGL.so.1", RTLD_NOW);
    void* symbol = library != nullptr ? dlsym(library, "fake_egl_record") : nullptr;
    if (symbol == nullptr) {
        std::fprintf(stderr, "libEGL.so.1 is not the fake one\n");
        std::abort();
    }
    return *reinterpret_cast<FakeEglRecord* (*)()>(symbol)();
}

/// A buffer, an image that is read and one that is written.
ir::Kernel small_kernel() {
    ir::Builder b("small");
    b.kernel().images = {{"from", ImageFormat::rgba32f, Access::read}, {"to", ImageFormat::rgba32f, Access::write}};
    const auto data = b.buffer({"data", Scalar::u32, Access::read_write});
    const Value group = b.group_id(), index = b.convert(group, Scalar::u64);
    b.global_store(data, index, b.global_load(data, index, Scalar::u32) + std::uint64_t{1});
    const Value texel =
        b.effect(ir::test::instruction(ir::Op::image_load, ir::Type(Scalar::f32, 4), {group, group}, 0));
    b.effect(ir::test::instruction(ir::Op::image_store, ir::Type(Scalar::f32, 4),
                                   {group, group, texel, b.less(group, group + std::uint64_t{1})}, 1));
    return b.finish();
}

emit::Source source_for(const runtime::Device& device) {
    return emit::emit(std::make_shared<ir::Kernel>(small_kernel()), device.target());
}

/// That the driver refuses the text is as it should be; what else goes wrong is not.
void expect_refusal(runtime::Device& device, const char* word) {
    emit::Source source = source_for(device);
    source.text += word;
    try {
        device.build(source);
        throw InternalError(std::string("a text with ") + word + " was taken");
    } catch (const BackendError& error) {
        const std::string text = error.what();
        if (text.find(std::string("error: ") + word) == std::string::npos) throw;
        const std::size_t file = text.rfind(" in /");
        if (file != std::string::npos) std::filesystem::remove(text.substr(file + 4));
    }
}

/// From its binary if the driver takes that, else from its text, as plans have it.
std::shared_ptr<runtime::Module> load(runtime::Device& device, const emit::Source& source) {
    const runtime::Binary binary = device.compile(source);
    try {
        return device.load(source, binary);
    } catch (const BackendError& error) {
        if (std::string(error.what()).find("glProgramBinary refused") == std::string::npos) throw;
        return device.build(source);
    }
}

/// Everything that a device and its queue can do with an array and two images.
void use(runtime::Device& device, runtime::Buffer& array, runtime::Image& from, runtime::Image& to) {
    expect_refusal(device, "nonsense");
    expect_refusal(device, "stranger");
    const emit::Source source = source_for(device);
    const auto module = load(device, source);
    const auto queue = device.create_queue();
    const auto copied = device.allocate(64);
    std::uint32_t number = 6, back = 0;
    queue->upload(array, 4, &number, sizeof number);
    const auto before = queue->record();
    const runtime::BufferArgument argument{&array, 4};
    runtime::Image* const images[] = {&from, &to};
    runtime::Launch launch;
    launch.module = module.get();
    launch.buffers = &argument;
    launch.buffer_count = 1;
    launch.images = images;
    launch.image_count = 2;
    queue->launch(launch);
    queue->copy(*copied, 8, array, 4, sizeof number);
    queue->wait();
    queue->milliseconds(*before, *queue->record());
    queue->download(&back, *copied, 8, sizeof back);
    if (back != number) throw InternalError("a word was lost on its way");
}

void use_own(runtime::Device& device) {
    const auto array = device.allocate(64);
    const auto from = device.allocate_image(ImageFormat::rgba32f, 8, 8),
               to = device.allocate_image(ImageFormat::rgba32f, 8, 8);
    use(device, *array, *from, *to);
}

/// In a context of the caller's, whose array and textures are the caller's too.
void use_callers(const gl::Session& like) {
    gl::Session callers(like.display, like.facts.es);
    const gl::Current current(callers);
    // The caller's own calls are not those that fail.
    FakeEglRecord& record = fake();
    const std::string failing = std::exchange(record.failing, "");
    gl::Uint name = 0, textures[2] = {};
    callers.gl.glGenBuffers(1, &name);
    callers.gl.glBindBuffer(gl::gl_storage_buffer, name);
    callers.gl.glBufferData(gl::gl_storage_buffer, 64, nullptr, gl::gl_static_copy);
    callers.gl.glGenTextures(2, textures);
    record.failing = failing;
    const Device device = opengl::current_device();
    const Buffer array = opengl::buffer(device, name);
    const Image from = opengl::image(device, textures[0]), to = opengl::image(device, textures[1]);
    use(*device.impl(), *array.impl(), *from.impl(), *to.impl());
}

template <class Body>
std::string said(Body&& body) {
    try {
        body();
    } catch (const std::exception& error) {
        return error.what();
    }
    return {};
}

/// What there is another way for, and what only gives things up. Questions that have no answer but an answer are not
/// among the entries.
bool goes_on(const std::string& call, bool is_open) {
    static const std::vector<std::string> always{
        "eglGetDisplay",   "eglGetPlatformDisplayEXT", "eglQueryDevicesEXT", "eglDestroyContext", "glDeleteBuffers",
        "glDeleteProgram", "glDeleteTextures",         "glDeleteQueries",    "glBindBufferBase",  "glProgramBinary"};
    static const std::vector<std::string> once_open{"eglQueryString", "eglInitialize"};
    const auto is_in = [&](const std::vector<std::string>& names) {
        return std::find(names.begin(), names.end(), call) != names.end();
    };
    return is_in(always) || (is_open && is_in(once_open));
}

/// Beside the name of the call.
std::vector<std::string> expected_words(const std::string& call) {
    if (call == "eglGetProcAddress") return {"install a newer driver"};  // which has no codes
    if (call == "eglMakeCurrent") return {"EGL_BAD_ALLOC", "release it first"};
    if (call.rfind("egl", 0) == 0) return {"EGL_BAD_ALLOC", "install a"};
    if (call == "glGetGraphicsResetStatus") return {"GL_GUILTY_CONTEXT_RESET", "open the device again"};
    return {"GL_OUT_OF_MEMORY", "free memory or transform fewer arrays at once"};
}

bool is_told(const std::string& text, const std::string& call) {
    std::vector<std::string> words = expected_words(call);
    words.push_back(call);
    return text.find('\n') == std::string::npos &&
           std::all_of(words.begin(), words.end(),
                       [&](const std::string& word) { return text.find(word) != std::string::npos; });
}

bool is_empty(const FakeEglRecord& record) {
    return record.contexts == 0 && record.buffers == 0 && record.programs == 0 && record.shaders == 0 &&
           record.textures == 0 && record.queries == 0;
}

/// Ends the process: with 0 if all is as it should be.
[[noreturn]] void judge(const std::string& call, bool is_open, const std::string& text) {
    const bool is_right = goes_on(call, is_open) ? text.empty() : is_told(text, call);
    if (!is_right) std::fprintf(stderr, "%s failed: '%s'\n", call.c_str(), text.c_str());
    const FakeEglRecord& record = fake();
    if (!is_empty(record))
        std::fprintf(stderr,
                     "%s failed: kept %d contexts, %d buffers, %d programs, %d shaders, %d textures, %d queries\n",
                     call.c_str(), record.contexts, record.buffers, record.programs, record.shaders, record.textures,
                     record.queries);
    std::_Exit(is_right && is_empty(record) ? 0 : 1);
}

std::shared_ptr<gl::OpenglDevice> open(const std::string& name) {
    for (const DeviceInfo& info : gl::list()) {
        if (!info.available) throw Unsupported(info.problem + "; " + info.remedy);
        if (info.name == name) return std::dynamic_pointer_cast<gl::OpenglDevice>(gl::open(info));
    }
    throw InternalError("there is no " + name);
}

void use_everything(gl::OpenglDevice& device) {
    use_own(device);
    use_callers(*device.session());
}

[[noreturn]] void fail_from_the_start(const std::string& call) {
    fake().failing = call;
    const std::string text = said([] { use_everything(*open("opengl:0")); });
    fake().failing.clear();
    judge(call, false, text);
}

/// The device serves again afterwards.
[[noreturn]] void fail_once_open(const std::string& call, const std::string& name) {
    std::string text, afterwards;
    {
        const auto device = open(name);
        fake().failing = call;
        text = said([&] { use_everything(*device); });
        fake().failing.clear();
        afterwards = said([&] { use_everything(*device); });
    }
    if (!afterwards.empty()) std::fprintf(stderr, "%s failed: afterwards '%s'\n", call.c_str(), afterwards.c_str());
    judge(call, true, afterwards.empty() ? text : afterwards);
}

class OpenglFaults : public testing::TestWithParam<const char*> {
protected:
    void SetUp() override { testing::FLAGS_gtest_death_test_style = "fast"; }  // no EGL is loaded in this process
};

TEST_P(OpenglFaults, from_the_start_are_named_with_their_code_and_leak_nothing) {
    EXPECT_EXIT(fail_from_the_start(GetParam()), testing::ExitedWithCode(0), "");
}

TEST_P(OpenglFaults, once_a_device_is_open_are_named_with_their_code_and_leak_nothing) {
    for (const char* device : {"opengl:0", "opengl:1"})
        EXPECT_EXIT(fail_once_open(GetParam(), device), testing::ExitedWithCode(0), "") << device;
}

/// Without those that can only answer.
std::vector<const char*> entries() {
#define SEICHE_NAME(name, result, parameters) #name,
    std::vector<const char*> all{SEICHE_EGL_SYMBOLS(SEICHE_NAME) SEICHE_EGL_EXTENSIONS(SEICHE_NAME)
                                     SEICHE_GL_SYMBOLS(SEICHE_NAME) SEICHE_GL_OPTIONAL_SYMBOLS(SEICHE_NAME)};
#undef SEICHE_NAME
    for (const std::string answer : {"eglQueryAPI", "eglGetCurrentContext", "eglGetCurrentDisplay",
                                     "eglGetCurrentSurface", "eglGetError", "glGetError"})
        all.erase(std::remove(all.begin(), all.end(), answer), all.end());
    return all;
}

INSTANTIATE_TEST_SUITE_P(entries, OpenglFaults, testing::ValuesIn(entries()),
                         [](const auto& info) { return std::string(info.param); });

/// Of a plan's tables, between two plans that are made.
[[noreturn]] void fail_an_upload(const std::string& name) {
    setenv("SEICHE_CACHE_DIR", "/dev/null/nowhere", 1);
    std::string before, failed, after;
    {
        const Device device(open(name));
        const auto plan = [&](const char* problem) { return said([&] { Plan(device, parse_problem(problem)); }); };
        before = plan("1024");
        fake().failing = "glBufferSubData";
        failed = plan("1000");
        fake().failing.clear();
        after = plan("1000");
    }
    const Plan other(Device::open("reference"), parse_problem("6"));  // for which the cache lets go of those plans
    if (!before.empty() || !after.empty())
        std::fprintf(stderr, "before '%s', afterwards '%s'\n", before.c_str(), after.c_str());
    judge("glBufferSubData", true, before.empty() && after.empty() ? failed : before + after);
}

TEST(OpenglPlans, whose_upload_fails_leave_the_device_as_it_was) {
    testing::FLAGS_gtest_death_test_style = "fast";
    for (const char* device : {"opengl:0", "opengl:1"})
        EXPECT_EXIT(fail_an_upload(device), testing::ExitedWithCode(0), "") << device;
}

[[noreturn]] void miss(const std::string& call, bool is_optional) {
    fake().missing = call;
    const std::string text = said([] { use_own(*open("opengl:0")); });
    const bool is_right =
        is_optional ? text.empty() || text.find("no timestamps") != std::string::npos
                    : text.find("eglGetProcAddress gave no " + call + "; install a newer driver") != std::string::npos;
    if (!is_right) std::fprintf(stderr, "without %s: '%s'\n", call.c_str(), text.c_str());
    std::_Exit(is_right && is_empty(fake()) ? 0 : 1);
}

TEST(OpenglMissing, entries_are_named_unless_there_is_another_way) {
    testing::FLAGS_gtest_death_test_style = "fast";
#define SEICHE_NAME(name, result, parameters) #name,
    for (const char* name : {SEICHE_GL_SYMBOLS(SEICHE_NAME)})
        EXPECT_EXIT(miss(name, false), testing::ExitedWithCode(0), "");
    for (const char* name : {SEICHE_GL_OPTIONAL_SYMBOLS(SEICHE_NAME)})
        EXPECT_EXIT(miss(name, true), testing::ExitedWithCode(0), "");
#undef SEICHE_NAME
}

// 32 where nobody says, and where the driver says nonsense.
[[noreturn]] void count_units(int said, std::uint32_t expected) {
    fake().units = said;
    for (const char* name : {"opengl:0", "opengl:1"}) {
        const std::uint32_t got = open(name)->info().limits.compute_units;
        if (got == expected) continue;
        std::fprintf(stderr, "%s: %d said, expected %u units, got %u\n", name, said, expected, got);
        std::_Exit(1);
    }
    std::_Exit(0);
}

TEST(OpenglUnits, are_those_that_a_driver_counts) {
    testing::FLAGS_gtest_death_test_style = "fast";
    EXPECT_EXIT(count_units(0, 32), testing::ExitedWithCode(0), "");
    EXPECT_EXIT(count_units(132, 132), testing::ExitedWithCode(0), "");
    EXPECT_EXIT(count_units(-1, 32), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace seiche::test
