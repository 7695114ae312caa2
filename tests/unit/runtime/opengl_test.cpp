// The OpenGL backend: names and absence, copies, offsets, grids beyond one dispatch, timing, threads, the caller's
// context, and what is said when a call fails.
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <filesystem>
#include <numeric>
#include <thread>

#include "run_kernel.hpp"
#include "runtime/opengl/device.hpp"
#include "runtime/opengl/queue.hpp"
#include "sample_kernels.hpp"
#include "seiche/error.hpp"
#include "seiche/interop/opengl.h"
#include "seiche/interop/opengl.hpp"
#include "seiche/plan.hpp"

namespace seiche::test {
namespace {

namespace gl = runtime::opengl;
using ir::Access;
using ir::Builder;
using ir::Scalar;
using ir::Value;

/// By OpenGL and by OpenGL ES.
class Opengl : public testing::TestWithParam<const char*> {
protected:
    void SetUp() override {
        std::string reason;
        device_ = try_open(GetParam(), reason);
        if (!device_) GTEST_SKIP() << reason;
        queue_ = device_->create_queue();
    }

    gl::Session& session() const { return *dynamic_cast<gl::OpenglDevice&>(*device_).session(); }
    emit::Source source_of(const ir::Kernel& kernel) const {
        return emit::emit(std::make_shared<ir::Kernel>(kernel), device_->target());
    }
    std::shared_ptr<runtime::Module> load(const ir::Kernel& kernel) { return device_->build(source_of(kernel)); }

    std::shared_ptr<runtime::Device> device_;
    std::shared_ptr<runtime::Queue> queue_;
};

INSTANTIATE_TEST_SUITE_P(dialects, Opengl, testing::Values("opengl", "opengl:OpenGL ES"),
                         [](const auto& one) { return std::string(one.param) == "opengl" ? "desktop" : "embedded"; });

TEST(OpenglList, has_a_device_or_says_what_would_mend_it) {
    for (const DeviceInfo& info : runtime::list_devices()) {
        if (info.backend != Backend::opengl) continue;
        EXPECT_EQ(info.name.rfind("opengl", 0), 0u);
        if (info.available) {
            EXPECT_FALSE(info.description.empty());
            EXPECT_GE(info.limits.shared_bytes, 16384u);        // what OpenGL ES demands
            EXPECT_GE(info.limits.max_buffer_bytes, 1u << 23);  // what OpenGL demands
        } else {
            EXPECT_FALSE(info.problem.empty());
            EXPECT_FALSE(info.remedy.empty());
        }
        return;
    }
    FAIL() << "opengl is not listed at all";
}

TEST(OpenglList, finds_whole_words_in_lists_of_extensions) {
    EXPECT_TRUE(gl::lists("GL_a GL_b GL_c", "GL_b"));
    EXPECT_TRUE(gl::lists("GL_bc GL_b", "GL_b"));
    EXPECT_FALSE(gl::lists("GL_bc xGL_b", "GL_b"));
    EXPECT_FALSE(gl::lists(nullptr, "GL_b"));
}

TEST(OpenglList, refuses_a_driver_without_compute_shaders) {
    gl::Facts facts;
    facts.version = "OpenGL ES 3.0 somewhere";
    facts.es = true;
    facts.major = 3;
    const DeviceInfo info = gl::describe(facts);
    EXPECT_FALSE(info.available);
    EXPECT_NE(info.problem.find("OpenGL ES 3.0, expected"), std::string::npos) << info.problem;
    EXPECT_FALSE(info.remedy.empty());
}

/// out[i] = in[i] + 1 for one element a group.
ir::Kernel increment() {
    Builder b("increment");
    const auto data = b.buffer({"data", Scalar::u32, Access::read_write});
    const Value index = b.convert(b.group_id(), Scalar::u64);
    b.global_store(data, index, b.global_load(data, index, Scalar::u32) + std::uint64_t{1});
    return b.finish();
}

void launch(runtime::Queue& queue, const runtime::Module& module, runtime::Buffer& buffer, std::uint64_t offset,
            std::uint32_t groups) {
    const runtime::BufferArgument argument{&buffer, offset};
    runtime::Launch one;
    one.module = &module;
    one.groups = {groups, 1, 1};
    one.buffers = &argument;
    one.buffer_count = 1;
    queue.launch(one);
}

TEST_P(Opengl, moves_bytes_both_ways_and_on_the_device) {
    std::vector<std::uint32_t> sent(5u << 20), got(sent.size());
    std::iota(sent.begin(), sent.end(), 7u);
    const std::size_t bytes = sent.size() * 4;
    const auto a = device_->allocate(bytes), b = device_->allocate(bytes);
    queue_->upload(*a, 0, sent.data(), bytes);
    queue_->copy(*b, 0, *a, 0, bytes);
    queue_->copy(*b, 4, *a, 400, 40);
    queue_->download(got.data(), *b, 0, bytes);
    EXPECT_EQ(got[0], sent[0]);
    EXPECT_TRUE(std::equal(got.begin() + 1, got.begin() + 11, sent.begin() + 100));
    EXPECT_TRUE(std::equal(got.begin() + 11, got.end(), sent.begin() + 11));
}

// An element's offset need not be a binding's.
TEST_P(Opengl, launches_in_order_at_any_offset) {
    const auto module = load(increment());
    std::vector<std::uint32_t> numbers(64);
    const auto buffer = device_->allocate(numbers.size() * 4);
    queue_->upload(*buffer, 0, numbers.data(), numbers.size() * 4);
    for (int round = 0; round < 100; ++round) launch(*queue_, *module, *buffer, 4 * 13, 3);
    queue_->download(numbers.data(), *buffer, 0, numbers.size() * 4);
    for (std::size_t i = 0; i < numbers.size(); ++i) EXPECT_EQ(numbers[i], i >= 13 && i < 16 ? 100u : 0u) << i;
}

// OpenGL grants 65535 groups to a dispatch.
TEST_P(Opengl, grids_may_be_longer_than_a_dispatch) {
    const auto module = load(increment());
    std::vector<std::uint32_t> numbers(150000);
    const auto buffer = device_->allocate(numbers.size() * 4);
    queue_->upload(*buffer, 0, numbers.data(), numbers.size() * 4);
    launch(*queue_, *module, *buffer, 0, static_cast<std::uint32_t>(numbers.size()));
    queue_->download(numbers.data(), *buffer, 0, numbers.size() * 4);
    EXPECT_EQ(std::count(numbers.begin(), numbers.end(), 1u), static_cast<std::ptrdiff_t>(numbers.size()));
}

// Groups whose halves lie in one word do not disturb each other, and an odd count has a last word all the same.
TEST_P(Opengl, halves_of_one_word_are_stored_by_two_groups) {
    Builder b("halves");
    const auto in = b.buffer({"in", Scalar::f16, Access::read}), out = b.buffer({"out", Scalar::f16, Access::write});
    const Value index = b.convert(b.group_id(), Scalar::u64);
    const Value x = b.convert(b.global_load(in, index, Scalar::f16), Scalar::f32);
    b.global_store(out, index, b.convert(x * 2.0, Scalar::f16));
    const auto module = load(b.finish());
    std::vector<std::uint16_t> halves(4097), got(halves.size());
    for (std::size_t i = 0; i < halves.size(); ++i) halves[i] = static_cast<std::uint16_t>(0x3c00 + i % 512);
    const std::size_t bytes = halves.size() * 2;
    const auto from = device_->allocate(bytes), to = device_->allocate(bytes);
    queue_->upload(*from, 0, halves.data(), bytes);
    const runtime::BufferArgument arguments[] = {{from.get(), 2}, {to.get(), 2}};
    runtime::Launch one;
    one.module = module.get();
    one.groups = {4096, 1, 1};
    one.buffers = arguments;
    one.buffer_count = 2;
    queue_->launch(one);
    queue_->download(got.data(), *to, 0, bytes);
    for (std::size_t i = 1; i < halves.size(); ++i) ASSERT_EQ(got[i], halves[i] + 0x400) << i;
}

// Of the largest array that is bound at once, where it does not begin at a binding's alignment.
TEST_P(Opengl, reaches_the_last_element_from_any_offset) {
    Builder b("increment_one");
    const auto data = b.buffer({"data", Scalar::u32, Access::read_write});
    const Value index = b.convert(b.scalar("index", Scalar::u32), Scalar::u64);
    b.global_store(data, index, b.global_load(data, index, Scalar::u32) + std::uint64_t{1});
    const auto module = load(b.finish());
    const std::uint64_t most = std::min<std::uint64_t>(device_->info().limits.max_buffer_bytes, 1u << 30) / 4 * 4;
    const auto buffer = device_->allocate(most + 12);
    for (const std::uint64_t offset : {0u, 4u, 12u}) {
        std::uint32_t number = 41;
        queue_->upload(*buffer, offset + most - 4, &number, 4);
        const runtime::BufferArgument argument{buffer.get(), offset};
        const std::uint64_t last = most / 4 - 1;
        runtime::Launch one;
        one.module = module.get();
        one.buffers = &argument;
        one.buffer_count = 1;
        one.scalars = &last;
        one.scalar_count = 1;
        queue_->launch(one);
        queue_->download(&number, *buffer, offset + most - 4, 4);
        EXPECT_EQ(number, 42u) << offset;
    }
}

TEST_P(Opengl, buffers_and_kernels_may_go_while_work_is_under_way) {
    for (int round = 0; round < 5; ++round) {
        const auto module = load(increment());
        const auto buffer = device_->allocate(4096 * 4);
        launch(*queue_, *module, *buffer, 0, 4096);
    }
    EXPECT_NO_THROW(queue_->wait());
}

TEST_P(Opengl, times_events) {
    const auto module = load(increment());
    const auto buffer = device_->allocate(4096 * 4);
    const auto before = queue_->record();
    for (int round = 0; round < 10; ++round) launch(*queue_, *module, *buffer, 0, 4096);
    const auto after = queue_->record();
    const double elapsed = queue_->milliseconds(*before, *after);
    EXPECT_GT(elapsed, 0.0);
    EXPECT_LT(elapsed, 60000.0);
}

TEST_P(Opengl, binaries_are_loaded_again_and_strange_ones_refused) {
    if (!device_->keeps_binaries()) GTEST_SKIP() << "this driver gives no binaries";
    const emit::Source source = source_of(increment());
    const runtime::Binary binary = device_->compile(source);
    const auto module = device_->load(source, binary);
    const auto buffer = device_->allocate(4);
    std::uint32_t number = 41;
    queue_->upload(*buffer, 0, &number, 4);
    launch(*queue_, *module, *buffer, 0, 1);
    queue_->download(&number, *buffer, 0, 4);
    EXPECT_EQ(number, 42u);
    for (const std::size_t length : {0u, 3u, 100u}) {
        const runtime::Binary strange{std::vector<std::byte>(length, std::byte{0x5a})};
        EXPECT_THROW(device_->load(source, strange), BackendError);
    }
}

// ---- Threads and contexts

TEST_P(Opengl, serves_several_threads_at_once) {
    const auto module = load(increment());
    std::vector<std::uint32_t> sums(4);
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < sums.size(); ++t)
        threads.emplace_back([&, t] {
            const auto queue = device_->create_queue();
            const auto buffer = device_->allocate(16 * 4);
            std::vector<std::uint32_t> numbers(16, static_cast<std::uint32_t>(t));
            queue->upload(*buffer, 0, numbers.data(), 64);
            for (int round = 0; round < 50; ++round) launch(*queue, *module, *buffer, 0, 16);
            queue->download(numbers.data(), *buffer, 0, 64);
            sums[t] = std::accumulate(numbers.begin(), numbers.end(), 0u);
        });
    for (std::thread& thread : threads) thread.join();
    for (std::size_t t = 0; t < sums.size(); ++t) EXPECT_EQ(sums[t], 16 * (50 + t)) << t;
}

TEST_P(Opengl, leaves_a_thread_the_context_that_it_had) {
    EXPECT_EQ(gl::egl().eglGetCurrentContext(), nullptr);
    gl::Session callers(session().display, session().facts.es);
    const gl::Current current(callers);
    const auto buffer = device_->allocate(64);
    const std::uint32_t word = 5;
    queue_->upload(*buffer, 0, &word, 4);
    EXPECT_EQ(gl::egl().eglGetCurrentContext(), callers.context);
}

// ---- The caller's context

TEST_P(Opengl, is_open_to_c) {
    gl::Session callers(session().display, session().facts.es);
    const gl::Current current(callers);
    const gl::Gl& api = callers.gl;
    gl::Uint name = 0, got = 0;
    api.glGenBuffers(1, &name);
    std::vector<std::complex<float>> points(8);
    points[0] = 1;
    api.glBindBuffer(gl::gl_storage_buffer, name);
    api.glBufferData(gl::gl_storage_buffer, 64, points.data(), gl::gl_static_copy);
    seiche_device* device = nullptr;
    seiche_queue* queue = nullptr;
    seiche_buffer* buffer = nullptr;
    seiche_plan* plan = nullptr;
    ASSERT_EQ(seiche_opengl_current_device(nullptr, &device), SEICHE_OK) << seiche_last_error();
    ASSERT_EQ(seiche_queue_create(device, &queue), SEICHE_OK) << seiche_last_error();
    ASSERT_EQ(seiche_opengl_buffer(device, name, &buffer), SEICHE_OK) << seiche_last_error();
    EXPECT_EQ(seiche_opengl_name(buffer, &got), SEICHE_OK);
    EXPECT_EQ(got, name);
    ASSERT_EQ(seiche_plan_create_from_text(device, "8 in-place", SEICHE_ONLY_FORWARD, &plan), SEICHE_OK);
    seiche_execution execution = SEICHE_EXECUTION_INIT;
    execution.input = buffer;
    ASSERT_EQ(seiche_execute(plan, queue, &execution), SEICHE_OK) << seiche_last_error();
    ASSERT_EQ(seiche_download(queue, points.data(), buffer, 0, 64), SEICHE_OK);
    for (const std::complex<float> point : points) EXPECT_LT(std::abs(point - 1.0f), 1e-6f);
    seiche_buffer_release(buffer);
    EXPECT_EQ(seiche_opengl_buffer(device, 4711, &buffer), SEICHE_INVALID_PROBLEM);
    EXPECT_EQ(buffer, nullptr);
    seiche_image* image = nullptr;
    EXPECT_EQ(seiche_opengl_image(device, 4711, 0, &image), SEICHE_INVALID_PROBLEM);
    seiche_plan_release(plan);
    seiche_queue_release(queue);
    seiche_device_release(device);
}

TEST_P(Opengl, transforms_in_the_callers_context_and_leaves_its_state) {
    gl::Session callers(session().display, session().facts.es);
    const gl::Current current(callers);
    const gl::Gl& api = callers.gl;
    const Device device = opengl::current_device();
    EXPECT_EQ(device.info().backend, Backend::opengl);
    gl::Uint names[2] = {0, 0};
    api.glGenBuffers(2, names);
    constexpr std::size_t n = 8, skipped = 3;
    std::vector<std::complex<float>> points(n + skipped);
    points[skipped + 1] = 1;  // an impulse at 1
    api.glBindBuffer(gl::gl_storage_buffer, names[0]);
    api.glBufferData(gl::gl_storage_buffer, static_cast<gl::Offset>(points.size() * 8), points.data(),
                     gl::gl_static_copy);
    api.glBindBufferRange(gl::gl_storage_buffer, 1, names[0], 16, 8);
    api.glBindBuffer(gl::gl_copy_read_buffer, names[0]);
    {
        const Plan plan(device, parse_problem("8 in-place"));
        Queue queue = device.create_queue();
        const Buffer data = opengl::buffer(device, names[0]);
        EXPECT_EQ(data.bytes(), points.size() * 8);
        EXPECT_EQ(opengl::name(data), names[0]);
        Execution execution;
        execution.input = execution.output = BufferView(data, skipped * 8);
        plan.execute(queue, execution);
        queue.download(points.data(), data, points.size() * 8);
    }
    for (std::size_t k = 0; k < n; ++k) {
        const std::complex<double> expected = std::polar(1.0, -2 * 3.14159265358979 * static_cast<double>(k) / n);
        EXPECT_LT(std::abs(std::complex<double>(points[skipped + k]) - expected), 1e-6) << k;
    }
    EXPECT_EQ(points[0], std::complex<float>(0));
    gl::Int bound = 0, program = 1, copy = 0;
    std::int64_t start = 0, size = 0;
    api.glGetIntegeri_v(gl::gl_storage_buffer_binding, 1, &bound);
    api.glGetInteger64i_v(gl::gl_storage_buffer_start, 1, &start);
    api.glGetInteger64i_v(gl::gl_storage_buffer_size, 1, &size);
    api.glGetIntegerv(gl::gl_current_program, &program);
    api.glGetIntegerv(gl::gl_copy_read_binding, &copy);
    EXPECT_EQ(static_cast<gl::Uint>(bound), names[0]);
    EXPECT_EQ(start, 16);
    EXPECT_EQ(size, 8);
    EXPECT_EQ(program, 0);
    EXPECT_EQ(static_cast<gl::Uint>(copy), names[0]);
    EXPECT_EQ(api.glGetError(), 0u);
    EXPECT_NE(api.glIsBuffer(names[0]), 0) << "the caller's buffer was deleted";
    EXPECT_THROW(opengl::buffer(device, 4711), InvalidProblem);
}

TEST_P(Opengl, wants_the_callers_context_to_be_current) {
    EXPECT_THROW(opengl::current_device(), InvalidProblem);
    gl::Session callers(session().display, session().facts.es);
    Device device;
    {
        const gl::Current current(callers);
        device = opengl::current_device();
    }
    EXPECT_THROW(device.allocate(64), InvalidProblem);
    EXPECT_THROW(opengl::name(Device::open("reference").allocate(4)), InvalidProblem);
}

// A context may end before what was made in it, and a later one have its address and its names.
TEST_P(Opengl, lets_a_later_context_be) {
    std::shared_ptr<runtime::Buffer> stale;
    Device device;
    gl::Uint name = 0;
    {
        gl::Session callers(session().display, session().facts.es);
        const gl::Current current(callers);
        device = opengl::current_device();
        stale = device.impl()->allocate(64);
        name = dynamic_cast<gl::OpenglBuffer&>(*stale).name();
    }
    gl::Session later(session().display, session().facts.es);
    const gl::Current current(later);
    gl::Session& old = *dynamic_cast<gl::OpenglDevice&>(*device.impl()).session();
    old.context = later.context;  // as if it lay there by chance
    std::vector<gl::Uint> names(name);
    later.gl.glGenBuffers(static_cast<gl::Sizei>(names.size()), names.data());
    ASSERT_NE(std::find(names.begin(), names.end(), name), names.end());
    for (const gl::Uint one : names) later.gl.glBindBuffer(gl::gl_copy_read_buffer, one);  // they exist once bound
    EXPECT_THROW(device.allocate(64), InvalidProblem);
    stale.reset();
    device = {};
    for (const gl::Uint one : names) EXPECT_NE(later.gl.glIsBuffer(one), 0) << one;
}

// ---- What is said when a call fails

template <class Body>
std::string said(Body&& body) {
    try {
        body();
    } catch (const Error& error) {
        return error.what();
    }
    return "nothing";
}

void expect_words(const std::string& text, const std::vector<std::string>& words) {
    for (const std::string& word : words) EXPECT_NE(text.find(word), std::string::npos) << word << " in: " << text;
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
}

TEST_P(Opengl, names_what_a_compiler_refuses_and_keeps_the_source) {
    emit::Source source = source_of(increment());
    source.text = source.text.substr(0, source.text.find("void main")) + "void main() { nonsense = 1; }\n";
    const std::string text = said([&] { device_->build(source); });
    expect_words(text, {"glCompileShader", "increment", "nonsense", ".comp"});
    const std::size_t file = text.rfind(" in /");
    if (file != std::string::npos) std::filesystem::remove(text.substr(file + 4));
}

TEST_P(Opengl, refuses_more_buffers_than_are_bound) {
    Builder b("many");
    for (int k = 0; k <= session().facts.storage_blocks; ++k)
        b.buffer({"buffer" + std::to_string(k), Scalar::f32, Access::read});
    expect_words(said([&] { load(b.finish()); }), {"many", "buffers", "binds"});
}

TEST_P(Opengl, refuses_buffers_that_it_cannot_use) {
    expect_words(said([&] { device_->allocate(device_->info().limits.max_allocation_bytes + 1); }),
                 {"expected at most"});
    const auto other = runtime::open_device("reference")->allocate(16);
    std::uint32_t number = 0;
    EXPECT_THROW(queue_->upload(*other, 0, &number, 4), InvalidProblem);
    const auto reference = runtime::open_device("reference");
    const auto stranger = runtime::compile_cached(
        reference, emit::emit(std::make_shared<ir::Kernel>(exchange_kernel()), reference->target()));
    runtime::Launch launch;
    launch.module = stranger.module.get();
    EXPECT_THROW(queue_->launch(launch), InvalidProblem);
}

// Functions of a session that fail, put in the place of the driver's.
gl::Enum next_error = 0;
gl::Enum failing_once() { return std::exchange(next_error, 0); }
void* maps_nothing(gl::Enum, gl::Offset, gl::Offset, gl::Uint) { return nullptr; }
decltype(gl::Gl::glUnmapBuffer) real_unmap = nullptr;
unsigned char loses_contents(gl::Enum target) {
    real_unmap(target);
    return 0;
}
gl::Enum is_lost() { return 0x8253; }
void says_no(gl::Uint, gl::Enum, gl::Int* value) { *value = 0; }

TEST_P(Opengl, tells_every_failure_in_one_line) {
    const auto module = load(increment());
    const auto buffer = device_->allocate(64), second = device_->allocate(64);
    std::uint32_t word = 0;
    gl::Gl& api = session().gl;
    const gl::Gl whole = api;
    api.glGetError = failing_once;
    const auto fails = [&](gl::Enum code, auto&& body) {
        next_error = code;
        return said(body);
    };
    const gl::Enum full = 0x0505, lost = 0x0507, invalid = 0x0502;
    expect_words(fails(full, [&] { device_->allocate(1000); }),
                 {"glBufferData (1000 bytes)", "GL_OUT_OF_MEMORY", "free memory"});
    expect_words(fails(full, [&] { queue_->upload(*buffer, 0, &word, 4); }), {"glBufferSubData", "GL_OUT_OF_MEMORY"});
    expect_words(fails(invalid, [&] { queue_->copy(*second, 0, *buffer, 0, 4); }),
                 {"glCopyBufferSubData", "GL_INVALID_OPERATION"});
    expect_words(fails(lost, [&] { launch(*queue_, *module, *buffer, 0, 1); }),
                 {"glDispatchCompute (increment)", "GL_CONTEXT_LOST", "open the device again"});
    expect_words(fails(lost, [&] { queue_->wait(); }), {"glFinish", "GL_CONTEXT_LOST"});
    expect_words(fails(full, [&] { queue_->download(&word, *buffer, 0, 4); }), {"glBufferData", "GL_OUT_OF_MEMORY"});
    EXPECT_NO_THROW(queue_->download(&word, *buffer, 0, 4));  // now there is a buffer on the way
    expect_words(fails(full, [&] { queue_->download(&word, *buffer, 0, 4); }), {"glCopyBufferSubData", "4 bytes"});
    api.glMapBufferRange = maps_nothing;
    expect_words(said([&] { queue_->download(&word, *buffer, 0, 4); }), {"glMapBufferRange", "nothing"});
    api = whole;
    real_unmap = whole.glUnmapBuffer;
    api.glUnmapBuffer = loses_contents;
    expect_words(said([&] { queue_->download(&word, *buffer, 0, 4); }), {"glUnmapBuffer", "lost"});
    api = whole;
    api.glGetGraphicsResetStatus = is_lost;
    expect_words(said([&] { queue_->wait(); }), {"glGetGraphicsResetStatus", "GL_GUILTY_CONTEXT_RESET"});
    api = whole;
    api.glGetProgramiv = says_no;
    expect_words(said([&] { load(increment()); }), {"glLinkProgram", "increment"});
    api = whole;
    EXPECT_NO_THROW(launch(*queue_, *module, *buffer, 0, 1));
    EXPECT_NO_THROW(queue_->wait());
}

gl::Int egl_error = 0;

TEST_P(Opengl, tells_why_a_context_cannot_be_had) {
    auto& egl = const_cast<gl::Egl&>(gl::egl());
    const auto make_current = egl.eglMakeCurrent;
    const auto create = egl.eglCreateContext;
    const auto error = egl.eglGetError;
    const auto loader = egl.eglGetProcAddress;
    const bool es = session().facts.es;
    gl::Display display = session().display;
    egl.eglGetError = [] { return egl_error; };
    egl.eglMakeCurrent = [](gl::Display, gl::Surface, gl::Surface, gl::Context) { return gl::Uint{0}; };
    egl_error = 0x3002;
    const std::string busy = said([&] { queue_->wait(); });
    egl.eglMakeCurrent = make_current;
    egl.eglCreateContext = [](gl::Display, gl::Config, gl::Context, const gl::Int*) { return gl::Context{nullptr}; };
    egl_error = 0x3009;
    const std::string old = said([&] { gl::Session(display, es); });
    egl.eglCreateContext = create;
    egl.eglGetProcAddress = [](const char*) { return gl::Procedure{nullptr}; };
    const std::string none = said([&] { gl::Session(display, es); });
    egl.eglGetProcAddress = loader;
    egl.eglGetError = error;
    expect_words(busy, {"eglMakeCurrent", "EGL_BAD_ACCESS", "release it first"});
    expect_words(old, {"eglCreateContext", "EGL_BAD_MATCH", es ? "OpenGL ES 3.1" : "OpenGL 4.3", "driver"});
    expect_words(none, {"eglGetProcAddress", "glGetString", "driver"});
    EXPECT_NO_THROW(queue_->wait());
}

// The answer of glGetError that says no, counted from 1; 0: none.
unsigned asked = 0, failing_answer = 0;
gl::Enum fails_in_turn() { return ++asked == failing_answer ? 0x0505 : 0; }

TEST_P(Opengl, recovers_from_a_failure_of_any_call) {
    gl::Gl& api = session().gl;
    const auto real_error = api.glGetError;
    api.glGetError = fails_in_turn;
    const emit::Source source = source_of(increment());
    std::uint32_t number = 0;
    const auto everything = [&] {
        asked = 0;
        const auto module = device_->keeps_binaries() ? device_->load(source, device_->compile(source)) : nullptr;
        const auto built = device_->build(source);
        const auto buffer = device_->allocate(64), copied = device_->allocate(64);
        number = 6;
        queue_->upload(*buffer, 0, &number, 4);
        const auto before = queue_->record();
        launch(*queue_, *built, *buffer, 0, 1);
        queue_->copy(*copied, 0, *buffer, 0, 4);
        queue_->wait();
        EXPECT_GE(queue_->milliseconds(*before, *queue_->record()), 0.0);
        queue_->download(&number, *copied, 0, 4);
    };
    failing_answer = 0;
    EXPECT_EQ(said(everything), "nothing");
    const unsigned answers = asked;
    EXPECT_GE(answers, 7u);
    unsigned told = 0;
    for (failing_answer = 1; failing_answer <= answers; ++failing_answer) {
        const std::string text = said(everything);
        if (text == "nothing") continue;  // loading forgets what a strange binary leaves
        expect_words(text, {"BackendError: opengl: gl", "GL_OUT_OF_MEMORY", "free memory"});
        ++told;
    }
    EXPECT_GE(told, 7u);
    failing_answer = 0;
    EXPECT_EQ(said(everything), "nothing");
    EXPECT_EQ(number, 7u);
    api.glGetError = real_error;
    EXPECT_EQ(gl::egl().eglGetCurrentContext(), nullptr) << "a failed call kept the context";
}

}  // namespace
}  // namespace seiche::test
