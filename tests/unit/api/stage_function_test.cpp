// Functions in place of loads and stores, on the interpreter: what they are called with, how often, and what is
// refused.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <complex>
#include <limits>
#include <memory>
#include <optional>

#include "seiche/emit.hpp"
#include "seiche/error.hpp"
#include "seiche/half.hpp"
#include "seiche/inspect.hpp"
#include "seiche/plan.hpp"
#include "weighed_arrays.hpp"

namespace {

using namespace seiche;
using namespace seiche::test;

/// What a function gets by its pointer.
struct Watch {
    explicit Watch(std::uint64_t elements) : count(elements), calls(new std::atomic<unsigned>[elements]()) {}
    std::uint64_t count;
    std::unique_ptr<std::atomic<unsigned>[]> calls;
    std::atomic<unsigned> outside{0};

    void note(std::uint64_t index) { index < count ? ++calls[index] : ++outside; }
    std::uint64_t sum() const {
        std::uint64_t all = 0;
        for (std::uint64_t i = 0; i < count; ++i) all += calls[i];
        return all;
    }
    unsigned most() const {
        unsigned most = 0;
        for (std::uint64_t i = 0; i < count; ++i) most = std::max<unsigned>(most, calls[i]);
        return most;
    }
};

template <class T, unsigned parts>
void load(void* array, std::uint64_t index, void* value, void* pointer) {
    static_cast<Watch*>(pointer)->note(index);
    for (unsigned p = 0; p < parts; ++p)
        static_cast<T*>(value)[p] = static_cast<const T*>(array)[index * parts + p] * static_cast<T>(weight(index));
}
template <class T, unsigned parts>
void store(void* array, std::uint64_t index, void* value, void* pointer) {
    static_cast<Watch*>(pointer)->note(index);
    for (unsigned p = 0; p < parts; ++p)
        static_cast<T*>(array)[index * parts + p] = static_cast<const T*>(value)[p] * static_cast<T>(weight(index));
}

template <class T>
StageHostFunction function(bool is_load, bool is_real) {
    if (is_real) return is_load ? load<T, 1> : store<T, 1>;
    return is_load ? load<T, 2> : store<T, 2>;
}

template <class T>
void compare(const Device& device, const Problem& plain, Direction direction) {
    const bool is_forward = direction == Direction::forward;
    const bool real_in = is_real_side(plain.kind, true), real_out = is_real_side(plain.kind, false);
    Problem called = plain;
    (is_forward ? called.forward_load : called.inverse_load) = StageFunction{"", {}, function<T>(true, real_in)};
    (is_forward ? called.forward_store : called.inverse_store) = StageFunction{"", {}, function<T>(false, real_out)};
    const Plan expected_plan(device, plain), plan(device, called);
    const T nothing = std::numeric_limits<T>::quiet_NaN();
    const std::uint64_t bytes = std::max(plan.input_bytes(), expected_plan.input_bytes());
    const std::vector<T> input = numbers<T>(bytes / sizeof(T));
    std::vector<T> weighed = input;
    weigh(weighed, real_in);
    std::vector<T> expected = run(expected_plan, direction, weighed, nothing);
    weigh(expected, real_out);
    Watch loads(plan.input_bytes() / sizeof(T) / (real_in ? 1 : 2)),
        stores(plan.output_bytes() / sizeof(T) / (real_out ? 1 : 2));
    const std::vector<T> got = run(plan, direction, input, nothing, &loads, &stores);
    double error = 0, size = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
        if (stores.calls[real_out ? i : i / 2] == 0) continue;
        error += std::norm(got[i] - expected[i]);
        size += std::norm(expected[i]);
    }
    EXPECT_LE(std::sqrt(error / size), 8 * std::numeric_limits<T>::epsilon());
    for (std::size_t i = 0; plain.placement != Placement::in_place && i < got.size(); ++i)
        ASSERT_EQ(std::isnan(got[i]), std::isnan(expected[i])) << "number " << i;
    const std::uint64_t wanted = elements(plain, false), read = elements(plain, true);
    EXPECT_EQ(stores.outside + loads.outside, 0u);
    EXPECT_EQ(stores.sum(), wanted);
    EXPECT_EQ(stores.most(), 1u);
    const std::uint64_t row = plain.lengths.back() / 2 + 1;  // of which c2r may load the middle twice
    const bool is_once = plain.kind == Kind::c2c || plain.kind == Kind::r2c;
    EXPECT_LE(loads.sum(), is_once ? read : plain.kind == Kind::c2r ? read + read / row : 2 * read);
    EXPECT_EQ(static_cast<std::uint64_t>(std::count_if(loads.calls.get(), loads.calls.get() + loads.count,
                                                       [](const auto& calls) { return calls != 0; })),
              read);
}

// Opens that device alone: devices() would start every driver there is, and some keep their memory for ever.
std::optional<Device> device_named(const std::string& name) {
    try {
        return Device::open(name);
    } catch (const Error&) {
        return std::nullopt;
    }
}

class StageFunctionOf : public testing::TestWithParam<std::tuple<const char*, const char*>> {};

const auto both_devices = testing::Values("reference", "cpu");

TEST_P(StageFunctionOf, replaces_each_load_and_store) {
    const Problem problem = parse_problem(std::get<1>(GetParam()));
    const std::string name = std::get<0>(GetParam());
    const std::optional<Device> opened = device_named(name);
    if (!opened) GTEST_SKIP() << "no " << name;
    const Device& device = *opened;
    for (const Direction direction : {Direction::forward, Direction::inverse}) {
        const bool is_forward = direction == Direction::forward;
        if (problem.kind == (is_forward ? Kind::c2r : Kind::r2c)) continue;
        if (problem.kind == (is_forward ? Kind::ihfft : Kind::hfft)) continue;
        SCOPED_TRACE(is_forward ? "forward" : "inverse");
        problem.precision == Precision::f64 ? compare<double>(device, problem, direction)
                                            : compare<float>(device, problem, direction);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, StageFunctionOf,
    testing::Combine(both_devices,
                     testing::Values("48 batch=3", "1 batch=5", "4096 forward-scale=1/n", "32768", "131072", "17x13",
                                     "16x16x16 batch=2", "1009 batch=2", "2053 f64", "20011", "12x1024 axes=0",
                                     "64x64 axes=0,1 batch=3 f64", "20 istrides=3 ostrides=2 idist=70 odist=50 batch=3",
                                     "6x10 istrides=30,3 ostrides=1,7 batch=2")));
INSTANTIATE_TEST_SUITE_P(
    InPlace, StageFunctionOf,
    testing::Combine(
        both_devices,
        testing::Values("48 batch=3 in-place", "12x10 in-place istrides=10,1 ostrides=1,12",
                        "512x4096 axes=1 in-place istrides=4096,1 ostrides=1,512",
                        "64x4096 axes=1 f64 batch=2 in-place istrides=4096,1 ostrides=1,64 idist=262144 odist=262144",
                        "4096 in-place", "131072 in-place", "32x32x4 in-place f64", "64x48 r2c in-place",
                        "64x48 c2r in-place", "40 r2c in-place batch=3", "41 c2r in-place batch=2",
                        "4096 r2c in-place")));
INSTANTIATE_TEST_SUITE_P(
    Real, StageFunctionOf,
    testing::Combine(both_devices,
                     testing::Values("30 r2c batch=2", "31 r2c batch=2", "64x48 r2c", "63x47 r2c f64", "24x24x24 r2c",
                                     "4096 r2c", "65536 r2c", "1009 r2c", "16 r2c istrides=3 idist=50 odist=11 batch=4",
                                     "30 c2r batch=2", "31 c2r batch=2", "64x48 c2r", "24x24x24 c2r f64", "4096 c2r",
                                     "32768 c2r", "1048576 c2r", "1000x300 c2r", "100003 c2r", "65536 c2r",
                                     "1000x300 r2c", "262144 r2c", "100003 r2c", "20011 r2c", "1010 c2r norm=backward",
                                     "32 hfft batch=2", "30 ihfft batch=2")));
INSTANTIATE_TEST_SUITE_P(RealToReal, StageFunctionOf,
                         testing::Combine(both_devices,
                                          testing::Values("8x8 dct2 batch=4", "100 dct3", "33 dst1 batch=2", "64 dht",
                                                          "50 r2hc", "4096 dct4", "24x20 dct2,dst2 f64")));

/// Halves in memory; the values are f32.
void load_half(void* array, std::uint64_t index, void* value, void*) {
    for (unsigned p = 0; p < 2; ++p)
        static_cast<float*>(value)[p] = from_f16(static_cast<const std::uint16_t*>(array)[2 * index + p]) + 1;
}

TEST(StageFunctions, see_memory_as_it_is_and_values_in_the_arithmetics_type) {
    for (const char* text : {"64 f16 batch=2", "64 f16-arithmetic batch=2"}) {
        Problem problem = parse_problem(text);
        problem.forward_load = StageFunction{"", {}, load_half};
        Problem stated = parse_problem(text);
        stated.forward_load = "return value + complex(1, 1);";
        const Device device = Device::open("reference");
        std::vector<std::uint16_t> x(4 * 64), got(4 * 64), expected(4 * 64);
        for (std::size_t i = 0; i < x.size(); ++i) x[i] = to_f16(static_cast<float>(i % 5));
        const HostArray input{x.data(), x.size() / 2, HostElement::complex_f16};
        Plan(device, problem).run(input, HostElement::complex_f16, got.data(), Direction::forward);
        Plan(device, stated).run(input, HostElement::complex_f16, expected.data(), Direction::forward);
        EXPECT_EQ(got, expected) << text;
    }
}

void load_ones(void*, std::uint64_t, void* value, void*) { static_cast<float*>(value)[0] = 1; }

TEST(StageFunctions, of_one_side_leave_the_other_to_the_kernel) {
    Problem problem = parse_problem("16 r2c");
    problem.forward_load = StageFunction{"", {}, load_ones};
    const Plan plan(Device::open("reference"), problem);
    const auto y = plan.transform<std::complex<float>>(std::vector<float>(16));
    EXPECT_EQ(y[0].real(), 16);
    for (std::size_t k = 1; k < y.size(); ++k) EXPECT_NEAR(std::abs(y[k]), 0, 1e-5);
    problem.forward_store = "return value * (i0 + 2);";
    const Plan with_text(Device::open("reference"), problem);
    EXPECT_EQ(with_text.transform<std::complex<float>>(std::vector<float>(16))[0].real(), 32);
}

TEST(StageFunctions, of_two_problems_are_not_taken_for_each_other) {
    const Device device = Device::open("reference");
    Problem ones = parse_problem("16 r2c"), weighed = ones;
    ones.forward_load = StageFunction{"", {}, load_ones};
    weighed.forward_load =
        StageFunction{"", {}, [](void*, std::uint64_t, void* value, void*) { static_cast<float*>(value)[0] = 2; }};
    const std::vector<float> x(16);
    EXPECT_EQ(Plan(device, ones).transform<std::complex<float>>(x)[0].real(), 16);
    EXPECT_EQ(Plan(device, weighed).transform<std::complex<float>>(x)[0].real(), 32);
    EXPECT_FALSE(ones.forward_load == weighed.forward_load);
}

/// Without the kind, which comes first.
template <class Work>
std::string refusal(const Work& work) {
    try {
        work();
    } catch (const Error& error) {
        const std::string text = error.what();
        return text.substr(text.find(": ") + 2);
    }
    return "nothing was refused";
}

StageFunction compiled(const std::string& symbol = "callback") {
    return {symbol, {std::byte{1}, std::byte{2}}, nullptr};
}

std::string refusal_of(const std::string& text, const UserStage& stage, const std::string& device = "reference") {
    return refusal([&] {
        Problem problem = parse_problem(text);
        (problem.kind == Kind::c2r ? problem.inverse_load : problem.forward_load) = stage;
        const Plan plan(Device::open(device), problem);
    });
}

TEST(StageFunctions, are_refused_by_name) {
    const StageFunction host{"", {}, load<float, 2>};
    UserStage both = host;
    both.text = "return value;";
    EXPECT_EQ(refusal_of("8", both), "forward_load: expected a text or a function, got both");
    UserStage named = host;
    named.scalars = {{"a", StageType::f32}};
    EXPECT_EQ(
        refusal_of("8", named),
        "forward_load: expected a text that mentions the buffers and scalars, got a function, which has a pointer "
        "instead");
    EXPECT_EQ(refusal_of("8", StageFunction{"callback", {}, nullptr}),
              "forward_load.function: expected code or a function of the host, got neither");
    EXPECT_EQ(refusal_of("8", StageFunction{"callback", {}, load<float, 2>}),
              "forward_load.function.code: expected the code that has 'callback', got none");
    for (const char* name : {"", "a b", "1a", "f();", "int f"})
        EXPECT_EQ(
            refusal_of("8", compiled(name)),
            "forward_load.function.symbol: expected the name of a function in the code, of letters, digits and _, "
            "got '" +
                std::string(name) + "'");
    EXPECT_EQ(refusal_of("8 planar", host),
              "forward_load: expected a text, because the input is planar, got a function");
    EXPECT_EQ(refusal_of("8x8 iimage=rg32f", host),
              "forward_load: expected a text, because the input is an image, got a function");
    EXPECT_EQ(refusal_of("1024 parts=4096", host),
              "forward_load: expected a text, because the input lies in several buffers, got a function");
    EXPECT_EQ(refusal_of("8 f64x2", host), "user stages: expected arithmetic in f16, f32 or f64, got f64x2");
    EXPECT_EQ(refusal_of("8", compiled()),
              "forward_load on 'reference': expected a function of the host, got one with code alone");
}

TEST(StageFunctions, are_called_for_what_pruning_keeps) {
    Problem problem = parse_problem("256x64 signal-zeros=0:128-256,1:10-20 spectrum-zeros=1:3-40");
    problem.forward_load = StageFunction{"", {}, load<float, 2>};
    problem.forward_store = StageFunction{"", {}, store<float, 2>};
    const Plan plan(Device::open("reference"), problem, {Directions::forward, {}});
    Watch loads(256 * 64), stores(256 * 64);
    run(plan, Direction::forward, numbers<float>(2 * 256 * 64), 0.0F, &loads, &stores);
    for (std::uint64_t i = 0; i < loads.count; ++i) {
        const std::uint64_t row = i / 64, column = i % 64;
        EXPECT_EQ(loads.calls[i], row < 128 && (column < 10 || column >= 20) ? 1u : 0u) << i;
        EXPECT_EQ(stores.calls[i], column < 3 || column >= 40 ? 1u : 0u) << i;
    }
}

TEST(StageFunctions, take_arrays_in_one_buffer_where_they_lie) {
    PlanOptions options;
    options.tuning.buffer_bytes = 1 << 17;
    Problem problem = parse_problem("65536");
    problem.forward_load = StageFunction{"", {}, load<float, 2>};
    EXPECT_EQ(refusal([&] { Plan(Device::open("reference"), problem, options); }),
              "a load function on an array of 4 buffers of 131072 bytes: expected one in one buffer, or a text");
    EXPECT_EQ(refusal_of("512x4096 f16 axes=1 in-place istrides=4096,1 ostrides=1,512", problem.forward_load),
              "a load function in place with two layouts, which takes a copy of the input: expected storage of the "
              "arithmetic's numbers, so that what it gives is not rounded there; a text or a plan out of place does");
}

TEST(StageFunctions, of_one_kernel_have_names_of_their_own) {
    Problem problem = parse_problem("8");
    problem.forward_load = compiled();
    problem.forward_store = compiled();
    EXPECT_EQ(refusal([&] { Plan(Device::open("reference"), problem); }),
              "forward_store.function.symbol: expected another name than the load function's, whose arguments are "
              "others, got 'callback' for both");
}

TEST(StageFunctions, are_refused_where_nobody_calls_them) {
    const std::string name = "opencl:0";
    if (!device_named(name)) GTEST_SKIP() << "no " << name;
    EXPECT_EQ(refusal_of("8", StageFunction{"", {}, load<float, 2>}, name),
              "forward_load on '" + name + "': expected a text, because the device calls no functions of others");
}

TEST(StageFunctions, of_the_host_belong_to_this_process) {
    Problem problem = parse_problem("8");
    problem.forward_store = StageFunction{"", {}, store<float, 2>};
    const Plan plan(Device::open("reference"), problem);
    EXPECT_EQ(
        refusal([&] { plan.save(); }),
        "saving a plan: forward_store: expected a text or a function with code, got a function of the host, which "
        "no other process has");
}

TEST(StageFunctions, get_a_pointer_that_somebody_takes) {
    const Device device = Device::open("reference");
    Problem problem = parse_problem("8");
    problem.inverse_load = StageFunction{"", {}, load<float, 2>};
    const Plan plan(device, problem);
    Queue queue = device.create_queue();
    Execution execution;
    execution.input = device.allocate(plan.input_bytes());
    execution.output = device.allocate(plan.output_bytes());
    int own = 0;
    execution.load_pointer = &own;  // of the other direction
    plan.execute(queue, execution);
    execution.store_pointer = &own;
    EXPECT_EQ(refusal([&] { plan.execute(queue, execution); }),
              "execution.store_pointer: expected null, because no store stage is a function, got another");
}

// Each call counts as the access that it replaces, and none is beyond its array.
TEST(StageFunctions, count_as_loads_and_stores_of_an_element) {
    for (const char* text : {"64 batch=3",
                             "64 f64",
                             "65536",
                             "131072",
                             "1009",
                             "20011",
                             "60 r2c",
                             "64x48 r2c",
                             "60x60 r2c",
                             "16x16x16 r2c",
                             "20x20x20 r2c",
                             "4096 r2c",
                             "65536 r2c",
                             "100x32",
                             "16x16x16",
                             "24x24",
                             "12x10 istrides=30,3",
                             "64 f16",
                             "8x8 dct2 batch=40",
                             "100 dct3",
                             "33 dst1",
                             "24x24 in-place",
                             "64x48 r2c in-place"}) {
        Problem plain = parse_problem(text), called = plain;
        plain.forward_load = plain.forward_store = "return value;";  // the kernels of stages are others
        called.forward_load = StageFunction{"", {}, load_ones};
        called.forward_store = StageFunction{"", {}, load_ones};
        const DeviceLimits limits = Device::open("reference").limits();
        const std::vector<AnalysisReport> expected = analyse(plain, limits), got = analyse(called, limits);
        ASSERT_EQ(got.size(), expected.size()) << text;
        EXPECT_EQ(got.front().bytes_read, expected.front().bytes_read) << text;
        EXPECT_EQ(got.back().bytes_written, expected.back().bytes_written) << text;
        for (const AnalysisReport& report : got) {
            EXPECT_EQ(report.out_of_bounds, 0u) << text;
            EXPECT_EQ(report.races, 0u) << text;
        }
        const PlanReport planned = inspect(plain, limits), reported = inspect(called, limits);
        EXPECT_EQ(reported.moved_bytes, planned.moved_bytes) << text;
    }
}

TEST(StageFunctions, are_called_in_emitted_cuda_and_refused_elsewhere) {
    Problem problem = parse_problem("64 r2c");
    problem.forward_load = compiled("my_load");
    problem.forward_store = compiled("_Z8my_storePvy6float2S_S_");
    const auto emitted = [&](Dialect dialect) { return emit_kernels(problem, dialect, DeviceLimits{}); };
    const std::string text = emitted(Dialect::cuda).front().source;
    EXPECT_NE(text.find("extern \"C\" __device__ float my_load(void*, u64, void*, void*);"), std::string::npos) << text;
    EXPECT_NE(text.find("extern \"C\" __device__ void _Z8my_storePvy6float2S_S_(void*, u64, float2, void*, void*);"),
              std::string::npos)
        << text;
    Problem own = parse_problem("64");
    own.forward_load = StageFunction{"", {}, load<float, 2>};
    EXPECT_EQ(refusal([&] { emit_kernels(own, Dialect::arm64, Device::open("reference").limits()); }),
              "a stage is a function of the host: expected a text, because emitted machine code is for others");
    for (const Dialect dialect : {Dialect::opencl, Dialect::hip, Dialect::glsl, Dialect::spirv, Dialect::ptx})
        EXPECT_NE(refusal([&] { emitted(dialect); }).find("a stage is a function: expected CUDA C++"),
                  std::string::npos)
            << refusal([&] { emitted(dialect); });
}

}  // namespace
