// Device functions: called from a user's kernel on OpenCL and OpenGL and compared with direct summation; compiled by
// NVRTC.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "run_kernel.hpp"
#include "runtime/cuda/nvrtc.hpp"
#include "seiche/emit.hpp"
#include "seiche/error.hpp"

namespace seiche::test {
namespace {

using Signal = std::vector<std::complex<double>>;

std::string capitals(std::string text) {
    for (char& c : text) c = static_cast<char>(std::toupper(c));
    return text;
}

/// What the words of a user's kernel are in each dialect.
struct Words {
    const char *kernel, *shared, *local_id, *group_id, *offsets;
};
constexpr Words opencl_words{"__kernel void", "__local", "(uint)get_local_id(0)", "(uint)get_group_id(0)",
                             "in += in_offset; out += out_offset;"};
constexpr Words cuda_words{"extern \"C\" __global__ void", "__shared__", "threadIdx.x", "blockIdx.x", ""};

/// A kernel that transforms `teams` sequences a group, `calls` times over.
std::string user_kernel(const DeviceFunction& f, Dialect dialect, unsigned teams, unsigned calls) {
    const bool is_opencl = dialect == Dialect::opencl, is_double = f.name.ends_with("_f64");
    const Words& words = is_opencl ? opencl_words : cuda_words;
    const std::string name = capitals(f.name), real = is_double ? "double" : "float";
    const std::string global = is_opencl ? "__global " : "", k = std::to_string(teams);
    const std::string offset = is_opencl ? ", ulong in_offset" : "", out_offset = is_opencl ? ", ulong out_offset" : "";
    std::string text = f.source + "\n" + words.kernel + " user(" + global + "const " + real + "2* in" + offset + ", " +
                       global + real + "2* out" + out_offset + ") {\n    " + words.offsets + "\n    " + words.shared +
                       " " + real + " exchange[" + k + " * " + name + "_SHARED_BYTES / sizeof(" + real + ") + 1];\n";
    text += "    const unsigned int lane = " + std::string(words.local_id) + " % " + name +
            "_THREADS, team = " + words.local_id + " / " + name + "_THREADS;\n    const unsigned int first = (team + " +
            k + " * " + words.group_id + ") * " + name + "_POINTS;\n    " + real + "2 x[" + name + "_REGISTERS];\n";
    const auto each = [&](const std::string& side, const std::string& statement) {
        return "    for (unsigned int m = 0; m < " + name + "_REGISTERS; ++m)\n        if (" + name + "_" + side +
               "(lane, m) < " + name + "_POINTS) " + statement + "\n";
    };
    text += each("BEFORE", "x[m] = in[first + " + name + "_BEFORE(lane, m)];");
    for (unsigned call = 0; call < calls; ++call)
        text += "    " + f.name + "(x, exchange + team * (" + name + "_SHARED_BYTES / sizeof(" + real + ")), lane);\n";
    return text + each("AFTER", "out[first + " + name + "_AFTER(lane, m)] = x[m];") + "}\n";
}

/// The same as a compute shader.
std::string user_shader(const DeviceFunction& f, Dialect dialect, unsigned teams, unsigned calls) {
    const std::string name = capitals(f.name), vector = f.name.ends_with("_f64") ? "dvec2" : "vec2";
    const auto each = [&](const std::string& side, const std::string& statement) {
        return "    for (uint m = 0u; m < uint(" + name + "_REGISTERS); ++m)\n        if (" + name + "_" + side +
               "(lane, m) < uint(" + name + "_POINTS)) " + statement + "\n";
    };
    std::string text = dialect == Dialect::glsl ? "#version 430 core\n"
                                                : "#version 310 es\nprecision highp float;\nprecision highp int;\n";
    text += "layout(local_size_x = " + std::to_string(f.threads * teams) +
            ") in;\nlayout(std430, binding = 0) readonly buffer block_in { " + vector +
            " source[]; };\nlayout(std430, binding = 1) writeonly buffer block_out { " + vector +
            " target[]; };\nlayout(location = 0) uniform uint arguments[4];\n#define " + name + "_TEAMS " +
            std::to_string(teams) + "\n" + f.source +
            "\nvoid main() {\n    uint lane = gl_LocalInvocationID.x % uint(" + name +
            "_THREADS), team = gl_LocalInvocationID.x / uint(" + name + "_THREADS);\n    uint begin = (team + " +
            std::to_string(teams) + "u * gl_WorkGroupID.x) * uint(" + name + "_POINTS);\n    " + vector + " x[" + name +
            "_REGISTERS];\n";
    text += each("BEFORE", "x[m] = source[arguments[0] + begin + " + name + "_BEFORE(lane, m)];");
    for (unsigned call = 0; call < calls; ++call) text += "    " + f.name + "(x, team, lane);\n";
    return text + each("AFTER", "target[arguments[1] + begin + " + name + "_AFTER(lane, m)] = x[m];") + "}\n";
}

emit::Dialect own(Dialect dialect) {
    switch (dialect) {
        case Dialect::opencl: return emit::Dialect::opencl;
        case Dialect::glsl: return emit::Dialect::glsl;
        case Dialect::glsl_es: return emit::Dialect::glsl_es;
        default: return emit::Dialect::cuda;
    }
}

emit::Source source_of(const DeviceFunction& f, Dialect dialect, unsigned teams, unsigned calls) {
    const bool is_glsl = dialect == Dialect::glsl || dialect == Dialect::glsl_es;
    ir::Kernel kernel;
    kernel.name = "user";
    const ir::Type element(f.name.ends_with("_f64") ? ir::Scalar::f64 : ir::Scalar::f32, 2);
    kernel.launch.group = {f.threads * teams, 1, 1};
    kernel.buffers = {{"in", element, ir::Access::read}, {"out", element, ir::Access::write}};
    emit::Source source;
    source.dialect = own(dialect);
    source.entry = kernel.name;
    source.text = is_glsl ? user_shader(f, dialect, teams, calls) : user_kernel(f, dialect, teams, calls);
    source.group[0] = f.threads * teams;
    source.kernel = std::make_shared<ir::Kernel>(kernel);
    if (dialect == Dialect::cuda) source.options = {"--std=c++17"};
    return source;
}

template <class T>
Signal run(const std::shared_ptr<runtime::Device>& device, const emit::Source& source, const Signal& in) {
    const std::vector<std::complex<T>> given(in.begin(), in.end());
    std::vector<std::complex<T>> result(in.size());
    const std::size_t bytes = in.size() * sizeof(given[0]);
    const auto module = runtime::compile_cached(device, source).module;
    const auto queue = device->create_queue();
    const auto from = device->allocate(bytes), to = device->allocate(bytes);
    queue->upload(*from, 0, given.data(), bytes);
    const runtime::BufferArgument arguments[] = {{from.get(), 0}, {to.get(), 0}};
    runtime::Launch launch;
    launch.module = module.get();
    launch.groups = {2, 1, 1};
    launch.buffers = arguments;
    launch.buffer_count = 2;
    queue->launch(launch);
    queue->download(result.data(), *to, 0, bytes);
    queue->wait();
    return {result.begin(), result.end()};
}

Signal noise(std::size_t count) {
    std::mt19937 generator(7);
    std::uniform_real_distribution<float> uniform(-1, 1);
    Signal x(count);
    for (auto& value : x) value = {uniform(generator), uniform(generator)};
    return x;
}

/// Relative L2 error of the transforms of `n` points each, of long ones at every fifth frequency.
double error(const Signal& in, const Signal& out, std::size_t n, int sign) {
    using Real = long double;
    std::vector<Real> cosine(n), sine(n);
    for (std::size_t j = 0; j < n; ++j) {
        const Real turn = 2 * std::numbers::pi_v<Real> * static_cast<Real>(j) / static_cast<Real>(n);
        cosine[j] = std::cos(turn), sine[j] = static_cast<Real>(sign) * std::sin(turn);
    }
    Real wrong = 0, size = 0;
    for (std::size_t first = 0; first < in.size(); first += n) {
        for (std::size_t k = 0; k<n; k += n> 512 ? 5 : 1) {
            Real re = 0, im = 0;
            for (std::size_t j = 0, at = 0; j < n; ++j, at = (at + k) % n) {
                const Real a = in[first + j].real(), b = in[first + j].imag();
                re += a * cosine[at] - b * sine[at], im += a * sine[at] + b * cosine[at];
            }
            const Real dr = re - out[first + k].real(), di = im - out[first + k].imag();
            wrong += dr * dr + di * di, size += re * re + im * im;
        }
    }
    return static_cast<double>(std::sqrt(wrong / size));
}

struct Case {
    const char* problem;
    unsigned teams = 1;
    Direction direction = Direction::forward;
    std::uint32_t shared_bytes = 32 * 1024;
};

/// OpenGL's dialects need no device of their own: whichever comes first is of OpenGL, the next of OpenGL ES.
std::shared_ptr<runtime::Device> device_of(Dialect dialect) {
    for (const char* name : {"opengl:0", "opengl:1"}) {
        std::string reason;
        const auto device = try_open(name, reason);
        if (device && device->target().dialect == own(dialect)) return device;
    }
    return nullptr;
}

const std::shared_ptr<runtime::Device>& opencl() {
    static std::string reason;
    static const auto device = try_open("opencl", reason);
    return device;
}

DeviceFunction function_of(const Case& c, Dialect dialect) {
    DeviceLimits limits;
    limits.shared_bytes = c.shared_bytes;
    return emit_device_function(parse_problem(c.problem), dialect, limits, c.direction);
}

class DeviceFunctions : public testing::TestWithParam<Case> {};

TEST_P(DeviceFunctions, transform_what_registers_hold) {
    if (!opencl()) GTEST_SKIP() << "no OpenCL device is here";
    const DeviceFunction f = function_of(GetParam(), Dialect::opencl);
    const bool is_double = f.name.ends_with("_f64");
    const emit::Source source = source_of(f, Dialect::opencl, GetParam().teams, 1);
    const Signal in = noise(std::size_t{2} * GetParam().teams * f.points);
    const Signal out = is_double ? run<double>(opencl(), source, in) : run<float>(opencl(), source, in);
    const double unit = std::ldexp(1.0, is_double ? -53 : -24) * std::sqrt(std::max(1.0, std::log2(f.points)));
    EXPECT_LT(error(in, out, f.points, GetParam().direction == Direction::forward ? -1 : 1), unit) << source.text;
}

TEST_P(DeviceFunctions, compile_for_cuda) {
    static const auto nvrtc = runtime::cuda::load_nvrtc(runtime::cuda::nvrtc_candidates(), 0);
    if (!nvrtc.problem.empty()) GTEST_SKIP() << nvrtc.problem;
    emit::Source source = source_of(function_of(GetParam(), Dialect::cuda), Dialect::cuda, GetParam().teams, 2);
    source.architecture = "sm_80";
    std::string log;
    EXPECT_NO_THROW(runtime::cuda::compile_with_nvrtc(nvrtc, source, &log)) << log;
    EXPECT_EQ(log.find("warning"), std::string::npos) << log;
}

void expect_transforms(const Case& c, Dialect dialect) {
    const auto device = device_of(dialect);
    if (!device) GTEST_SKIP() << "no such OpenGL device is here";
    const DeviceFunction f = function_of(c, dialect);
    const emit::Source source = source_of(f, dialect, c.teams, 1);
    const Signal in = noise(std::size_t{2} * c.teams * f.points);
    const bool is_double = f.name.ends_with("_f64");
    const Signal out = is_double ? run<double>(device, source, in) : run<float>(device, source, in);
    const double unit = std::ldexp(1.0, is_double ? -53 : -24) * std::sqrt(std::max(1.0, std::log2(f.points)));
    EXPECT_LT(error(in, out, f.points, c.direction == Direction::forward ? -1 : 1), unit);
}

TEST_P(DeviceFunctions, transform_in_shaders) { expect_transforms(GetParam(), Dialect::glsl); }

TEST_P(DeviceFunctions, transform_in_embedded_shaders) {
    if (std::string(GetParam().problem).ends_with("f64")) {
        EXPECT_THROW(function_of(GetParam(), Dialect::glsl_es), Unsupported);
        return;
    }
    expect_transforms(GetParam(), Dialect::glsl_es);
}

// One thread; several teams a group; radices whose butterflies do not divide among the threads; parts exchanged one
// after the other; both directions and precisions.
INSTANTIATE_TEST_SUITE_P(lengths, DeviceFunctions,
                         testing::Values(Case{"2"}, Case{"16"}, Case{"96", 3}, Case{"40", 2, Direction::inverse},
                                         Case{"63 f64"}, Case{"100 f64", 2}, Case{"1024", 2},
                                         Case{"4096", 1, Direction::forward, 16 * 1024}));

// A transform of a transform is the signal backwards, n times: between the calls the registers stay where they are and
// no barrier is needed. Without those that the function has PoCL, which runs one work-item after another, is wrong.
TEST(DeviceFunction, may_be_called_twice) {
    if (!opencl()) GTEST_SKIP() << "no OpenCL device is here";
    const DeviceFunction f = function_of({"256"}, Dialect::opencl);
    ASSERT_GT(f.threads, 1u);
    const Signal in = noise(512), out = run<float>(opencl(), source_of(f, Dialect::opencl, 1, 2), in);
    for (std::size_t first = 0; first < in.size(); first += 256) {
        for (std::size_t j = 0; j < 256; ++j)
            EXPECT_LT(std::abs(out[first + j] - 256.0 * in[first + (256 - j) % 256]), 1e-3) << j;
    }
}

TEST(DeviceFunction, may_be_called_twice_in_a_shader) {
    const auto device = device_of(Dialect::glsl);
    if (!device) GTEST_SKIP() << "no OpenGL device is here";
    const DeviceFunction f = function_of({"256"}, Dialect::glsl);
    const Signal in = noise(1024), out = run<float>(device, source_of(f, Dialect::glsl, 2, 2), in);
    for (std::size_t i = 0; i < in.size(); ++i)
        EXPECT_LT(std::abs(out[i] - 256.0 * in[i - i % 256 + (256 - i % 256) % 256]), 1e-3) << i;
}

TEST(DeviceFunction, says_what_it_needs) {
    const DeviceFunction f = function_of({"1024"}, Dialect::opencl);
    EXPECT_EQ(f.name, "seiche_fft_1024");
    EXPECT_EQ(f.points, 1024u);
    EXPECT_EQ(f.threads * f.registers, 1024u);
    EXPECT_EQ(f.shared_bytes, 8192u);
    EXPECT_NE(f.source.find("#define SEICHE_FFT_1024_THREADS " + std::to_string(f.threads) + "\n"), std::string::npos);
    EXPECT_EQ(f.source.find("__global"), std::string::npos) << "the core never touches the device's memory";
    EXPECT_EQ(function_of({"16 f64", 1, Direction::inverse}, Dialect::cuda).name, "seiche_ifft_16_f64");
}

template <class Failure>
std::string refusal(const std::string& problem, Dialect dialect) {
    DeviceLimits limits;
    limits.shared_bytes = 227 * 1024;
    try {
        emit_device_function(parse_problem(problem), dialect, limits);
    } catch (const Failure& error) {
        return error.what();
    }
    return "accepted";
}

TEST(DeviceFunction, refuses_what_is_no_length_of_a_group) {
    for (const char* problem : {"16 batch=2", "4x4", "16 r2c", "16 in-place", "16 f16", "16 forward-scale=0.5", "1"})
        EXPECT_NE(refusal<InvalidProblem>(problem, Dialect::cuda).find("one length"), std::string::npos) << problem;
    for (const char* problem : {"2027", "1048576"})
        EXPECT_NE(refusal<Unsupported>(problem, Dialect::cuda).find("one group"), std::string::npos) << problem;
    EXPECT_NE(refusal<Unsupported>("8192 f64", Dialect::opencl).find("bytes of constants"), std::string::npos);
    EXPECT_NE(refusal<Unsupported>("16 f64x2", Dialect::cuda).find("expected f32 or f64"), std::string::npos);
    EXPECT_EQ(refusal<Error>("8192 f64", Dialect::cuda), "accepted");
}

}  // namespace
}  // namespace seiche::test
