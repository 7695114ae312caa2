// Functions of stages on a card: compiled here, linked to each plan's kernels, against arrays that the host weighs.
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <limits>
#include <numeric>

#include "runtime/cuda/nvrtc.hpp"
#include "seiche/error.hpp"
#include "seiche/interop/untyped.hpp"
#include "seiche/plan.hpp"
#include "weighed_arrays.hpp"

namespace seiche::test {
namespace {

/// Each function multiplies by the place's weight and counts its calls in the memory that it is given.
constexpr const char* text = R"(
template <class T> __device__ T weight(unsigned long long at) { return T(1) + T(at % 7) / 8; }
__device__ void note(void* calls, unsigned long long at) { if (calls) atomicAdd((unsigned*)calls + at, 1u); }
#define REAL(T)                                                                                        \
    extern "C" __device__ T load_##T(void* in, unsigned long long at, void* calls, void*) {            \
        note(calls, at);                                                                               \
        return ((T*)in)[at] * weight<T>(at);                                                           \
    }                                                                                                  \
    extern "C" __device__ void store_##T(void* out, unsigned long long at, T x, void* calls, void*) {  \
        note(calls, at);                                                                               \
        ((T*)out)[at] = x * weight<T>(at);                                                             \
    }
#define COMPLEX(R, T)                                                                                  \
    extern "C" __device__ T load_##T(void* in, unsigned long long at, void* calls, void*) {            \
        note(calls, at);                                                                               \
        T x = ((T*)in)[at];                                                                            \
        x.x *= weight<R>(at), x.y *= weight<R>(at);                                                    \
        return x;                                                                                      \
    }                                                                                                  \
    extern "C" __device__ void store_##T(void* out, unsigned long long at, T x, void* calls, void*) {  \
        note(calls, at);                                                                               \
        x.x *= weight<R>(at), x.y *= weight<R>(at);                                                    \
        ((T*)out)[at] = x;                                                                             \
    }
REAL(float) REAL(double) COMPLEX(float, float2) COMPLEX(double, double2)
)";

std::vector<std::byte> code() {
    emit::Source source;
    source.dialect = emit::Dialect::cuda;
    source.entry = "callbacks";
    source.text = text;
    source.architecture = "compute_80";
    source.options = {"-dlto"};
    auto kernel = std::make_shared<ir::Kernel>();
    kernel->functions.emplace_back();  // makes it LTO-IR
    source.kernel = kernel;
    return runtime::cuda::compile_with_nvrtc(runtime::cuda::loaded_nvrtc(), source).bytes;
}

class CudaFunction : public testing::TestWithParam<const char*> {
protected:
    static void SetUpTestSuite() {
        try {
            device = Device::open("cuda:0");
        } catch (const Error&) {
            device = {};
        }
    }
    static void TearDownTestSuite() { device = {}; }
    void SetUp() override {
        if (!device) GTEST_SKIP() << "no CUDA card";
        if (!runtime::cuda::loaded_nvrtc().problem.empty()) GTEST_SKIP() << runtime::cuda::loaded_nvrtc().problem;
    }

    /// Counters on the card, one for each element, all 0.
    static Buffer counters(std::uint64_t elements) {
        Buffer buffer = device.allocate(elements * sizeof(unsigned));
        Queue queue = device.create_queue();
        const std::vector<unsigned> zeros(elements);
        queue.upload(buffer, zeros.data(), elements * sizeof(unsigned));
        return buffer;
    }
    static std::vector<unsigned> counts(const Buffer& buffer) {
        std::vector<unsigned> counts(buffer.bytes() / sizeof(unsigned));
        device.create_queue().download(counts.data(), buffer, buffer.bytes());
        return counts;
    }
    static void* pointer(const Buffer& buffer) { return reinterpret_cast<void*>(cuda::untyped::address(buffer)); }

    template <class T>
    static void compare(const Problem& plain, Direction direction) {
        const bool is_forward = direction == Direction::forward;
        const bool real_in = is_real_side(plain.kind, true), real_out = is_real_side(plain.kind, false);
        const std::string real = sizeof(T) == sizeof(double) ? "double" : "float";
        static const std::vector<std::byte> functions = code();
        Problem called = plain;
        (is_forward ? called.forward_load : called.inverse_load) =
            StageFunction{"load_" + real + (real_in ? "" : "2"), functions, nullptr};
        (is_forward ? called.forward_store : called.inverse_store) =
            StageFunction{"store_" + real + (real_out ? "" : "2"), functions, nullptr};
        const Plan expected_plan(device, plain), plan(device, called);
        const T nothing = std::numeric_limits<T>::quiet_NaN();
        const std::vector<T> input = numbers<T>(std::max(plan.input_bytes(), expected_plan.input_bytes()) / sizeof(T));
        std::vector<T> weighed = input;
        weigh(weighed, real_in);
        std::vector<T> expected = run(expected_plan, direction, weighed, nothing);
        weigh(expected, real_out);
        const Buffer loads = counters(plan.input_bytes() / sizeof(T)),
                     stores = counters(plan.output_bytes() / sizeof(T));
        const std::vector<T> got = run(plan, direction, input, nothing, pointer(loads), pointer(stores));
        const std::vector<unsigned> loaded = counts(loads), stored = counts(stores);
        double error = 0, size = 0;
        for (std::size_t i = 0; i < got.size(); ++i) {
            if (stored[real_out ? i : i / 2] == 0) continue;
            error += std::norm(got[i] - expected[i]);
            size += std::norm(expected[i]);
        }
        EXPECT_LE(std::sqrt(error / size), 8 * std::numeric_limits<T>::epsilon());
        EXPECT_EQ(std::accumulate(stored.begin(), stored.end(), std::uint64_t{0}), elements(plain, false));
        EXPECT_EQ(*std::max_element(stored.begin(), stored.end()), 1u);
        EXPECT_EQ(static_cast<std::uint64_t>(loaded.size() - std::count(loaded.begin(), loaded.end(), 0u)),
                  elements(plain, true));
    }

    static inline Device device;
};

TEST_P(CudaFunction, replaces_each_load_and_store) {
    const Problem problem = parse_problem(GetParam());
    for (const Direction direction : {Direction::forward, Direction::inverse}) {
        if (problem.kind == (direction == Direction::forward ? Kind::c2r : Kind::r2c)) continue;
        SCOPED_TRACE(direction == Direction::forward ? "forward" : "inverse");
        problem.precision == Precision::f64 ? compare<double>(problem, direction) : compare<float>(problem, direction);
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes, CudaFunction,
                         testing::Values("1024 batch=100", "4096 f64 batch=16", "1048576", "4194304 batch=2",
                                         "65536 f64", "1009 batch=7", "100003", "256x256 batch=3", "64x64x64",
                                         "20 istrides=3 ostrides=2 idist=70 odist=50 batch=100",
                                         "1000 batch=9 in-place forward-scale=1/n", "1048576 in-place",
                                         "4096 r2c batch=5", "31 r2c batch=50", "128x100 r2c", "64x64x64 r2c f64",
                                         "1048576 r2c", "64x48 r2c in-place", "4096 c2r batch=5", "31 c2r f64 batch=50",
                                         "128x100 c2r", "64x64x64 c2r", "64x48 c2r in-place", "8x8 dct2 batch=64",
                                         "100 dct3 f64"));

/// A saved plan brings the function along, linked.
TEST_F(CudaFunction, is_saved_with_its_plan) {
    Problem problem = parse_problem("512 batch=4");
    problem.forward_load = StageFunction{"load_float2", code(), nullptr};
    const Plan plan(device, problem, {Directions::forward, {}});
    const Plan loaded = Plan::load(device, plan.save());
    EXPECT_EQ(loaded.report().replanned, "");
    EXPECT_TRUE(loaded.problem().forward_load == problem.forward_load);
    const std::vector<std::complex<float>> x(512 * 4, {1, 2});
    EXPECT_EQ(plan.forward(x), loaded.forward(x));
}

TEST_F(CudaFunction, that_is_missing_is_refused) {
    Problem problem = parse_problem("512");
    problem.forward_load = StageFunction{"no_such_function", code(), nullptr};
    try {
        const Plan plan(device, problem, {Directions::forward, {}});
        FAIL() << "a plan without its function";
    } catch (const InvalidProblem& error) {
        EXPECT_NE(std::string(error.what()).find("'no_such_function'"), std::string::npos) << error.what();
    }
}

}  // namespace
}  // namespace seiche::test
