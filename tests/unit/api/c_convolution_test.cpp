// The C interface of convolutions: the same numbers as the C++ plan, and one line for everything that is refused.
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "seiche/convolution.hpp"
#include "seiche/seiche.h"

namespace {

/// The refusal of a call: its status and its line.
void expect_refused(seiche_status status, const std::string& line) {
    EXPECT_EQ(status, SEICHE_INVALID_PROBLEM) << line;
    EXPECT_EQ(std::string(seiche_last_error()), "InvalidProblem: " + line);
}

void expect_null_refused(seiche_status status, const std::string& name) {
    expect_refused(status, name + ": expected a pointer, got NULL");
}

struct CConvolution : testing::Test {
    CConvolution() { EXPECT_EQ(seiche_device_open("reference", &device), SEICHE_OK) << seiche_last_error(); }
    ~CConvolution() override {
        seiche_convolution_plan_release(plan);
        for (seiche_buffer* buffer : buffers) seiche_buffer_release(buffer);
        seiche_queue_release(queue);
        seiche_device_release(device);
    }
    CConvolution(const CConvolution&) = delete;
    CConvolution& operator=(const CConvolution&) = delete;

    void make(const seiche_convolution& convolution) {
        seiche_convolution_plan_release(plan);
        ASSERT_EQ(seiche_convolution_plan_create(device, &convolution, &plan), SEICHE_OK) << seiche_last_error();
    }
    seiche_buffer* allocated(std::uint64_t bytes) {
        seiche_buffer* buffer = nullptr;
        if (bytes != 0) {
            EXPECT_EQ(seiche_buffer_create(device, bytes, &buffer), SEICHE_OK) << seiche_last_error();
            buffers.push_back(buffer);
        }
        return buffer;
    }

    seiche_device* device = nullptr;
    seiche_queue* queue = nullptr;
    seiche_convolution_plan* plan = nullptr;
    std::vector<seiche_buffer*> buffers;
};

/// A convolution as either interface says it.
struct Case {
    const char* name;
    std::vector<std::uint64_t> signal, kernel;
    std::function<void(seiche_convolution&)> in_c;
    std::function<void(seiche::Convolution&)> in_cpp;
};

std::vector<Case> cases() {
    using seiche::ChannelMatrix, seiche::Convolution, seiche::ConvolutionMode, seiche::ConvolutionProduct;
    const auto cyclic = [](seiche_convolution& c) { c.mode = SEICHE_CONVOLUTION_CIRCULAR; };
    const auto cpp_cyclic = [](Convolution& c) { c.mode = ConvolutionMode::circular; };
    return {
        {"defaults", {20}, {5}, [](seiche_convolution&) {}, [](Convolution&) {}},
        {"same",
         {6, 10},
         {2, 3},
         [](seiche_convolution& c) { c.mode = SEICHE_CONVOLUTION_SAME; },
         [](Convolution& c) { c.mode = ConvolutionMode::same; }},
        {"valid, correlated",
         {6, 10},
         {2, 3},
         [](seiche_convolution& c) {
             c.mode = SEICHE_CONVOLUTION_VALID;
             c.product = SEICHE_CORRELATE;
         },
         [](Convolution& c) {
             c.mode = ConvolutionMode::valid;
             c.product = ConvolutionProduct::correlate;
         }},
        {"circular", {12}, {7}, cyclic, cpp_cyclic},
        {"causal",
         {12},
         {12},
         [](seiche_convolution& c) { c.mode = SEICHE_CONVOLUTION_CAUSAL; },
         [](Convolution& c) { c.mode = ConvolutionMode::causal; }},
        {"phase",
         {16},
         {16},
         [=](seiche_convolution& c) {
             cyclic(c);
             c.product = SEICHE_CORRELATE_PHASE;
         },
         [=](Convolution& c) {
             cpp_cyclic(c);
             c.product = ConvolutionProduct::phase;
         }},
        {"real, kernel in frequency",
         {4, 10},
         {},
         [=](seiche_convolution& c) {
             cyclic(c);
             c.domain = SEICHE_KERNEL_FREQUENCY;
         },
         [=](Convolution& c) {
             cpp_cyclic(c);
             c.domain = seiche::KernelDomain::frequency;
         }},
        {"complex",
         {18},
         {4},
         [](seiche_convolution& c) { c.is_complex = -1; },
         [](Convolution& c) { c.complex = true; }},
        {"two channels to three, batch",
         {15},
         {4},
         [](seiche_convolution& c) {
             c.inputs = 2;
             c.outputs = 3;
             c.batch = 2;
         },
         [](Convolution& c) {
             c.inputs = 2;
             c.outputs = 3;
             c.batch = 2;
         }},
        {"symmetric",
         {15},
         {4},
         [](seiche_convolution& c) {
             c.inputs = c.outputs = 2;
             c.channels = SEICHE_CHANNELS_SYMMETRIC;
         },
         [](Convolution& c) {
             c.inputs = c.outputs = 2;
             c.channels = ChannelMatrix::symmetric;
         }},
        {"diagonal",
         {15},
         {4},
         [](seiche_convolution& c) {
             c.inputs = c.outputs = 2;
             c.channels = SEICHE_CHANNELS_DIAGONAL;
         },
         [](Convolution& c) {
             c.inputs = c.outputs = 2;
             c.channels = ChannelMatrix::diagonal;
         }},
        {"blocks", {200}, {5}, [](seiche_convolution& c) { c.block = 32; }, [](Convolution& c) { c.block = 32; }},
        {"f64 stored as f32",
         {20},
         {5},
         [](seiche_convolution& c) {
             c.precision = SEICHE_F64;
             c.storage = SEICHE_STORAGE_F32;
         },
         [](Convolution& c) {
             c.precision = seiche::Precision::f64;
             c.storage = seiche::Storage::f32;
         }},
    };
}

seiche_convolution c_form(const Case& a_case) {
    seiche_convolution c = seiche_convolution_default(a_case.signal.size(), a_case.signal.data(),
                                                      a_case.kernel.empty() ? nullptr : a_case.kernel.data());
    a_case.in_c(c);
    return c;
}

seiche::Convolution cpp_form(const Case& a_case) {
    seiche::Convolution c;
    c.signal = a_case.signal;
    c.kernel = a_case.kernel;
    a_case.in_cpp(c);
    return c;
}

template <class T>
std::vector<T> samples(std::uint64_t bytes) {
    std::vector<T> result(static_cast<std::size_t>(bytes / sizeof(T)));
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = static_cast<T>((i * 37 + 5) % 23) - T{11};
    return result;
}

TEST_F(CConvolution, AgreesWithTheCppPlan) {
    const seiche::Device reference = seiche::Device::open("reference");
    for (const Case& a_case : cases()) {
        SCOPED_TRACE(a_case.name);
        const seiche::ConvolutionPlan expected(reference, cpp_form(a_case));
        make(c_form(a_case));
        EXPECT_NE(std::string(seiche_convolution_plan_report(plan)).find(expected.report().problem), std::string::npos)
            << seiche_convolution_plan_report(plan);
        const bool is_complex = expected.convolution().complex;
        const bool is_spectrum = expected.convolution().domain == seiche::KernelDomain::frequency;
        const auto element = [](bool pairs) {
            return pairs ? seiche::HostElement::complex_f32 : seiche::HostElement::f32;
        };
        const auto x = samples<float>(expected.input_bytes()), h = samples<float>(expected.kernel_bytes());
        std::vector<float> y(expected.output_bytes() / sizeof(float)), z(y.size(), -1.0F);
        const std::size_t in_count = x.size() / (is_complex ? 2 : 1);
        const std::size_t kernel_count = h.size() / (is_complex || is_spectrum ? 2 : 1);
        const std::size_t out_count = y.size() / (is_complex ? 2 : 1);
        expected.run({x.data(), in_count, element(is_complex)},
                     {h.data(), kernel_count, element(is_complex || is_spectrum)}, y.data());
        ASSERT_EQ(seiche_convolve_f32(plan, x.data(), in_count, h.data(), kernel_count, z.data(), out_count), SEICHE_OK)
            << seiche_last_error();
        EXPECT_EQ(y, z);
    }
}

TEST_F(CConvolution, LengthsAndBytesAreTheCppPlans) {
    const seiche::Device reference = seiche::Device::open("reference");
    for (const Case& a_case : cases()) {
        SCOPED_TRACE(a_case.name);
        const seiche::ConvolutionPlan expected(reference, cpp_form(a_case));
        const seiche_convolution convolution = c_form(a_case);
        std::vector<std::uint64_t> lengths(a_case.signal.size());
        ASSERT_EQ(seiche_convolution_result_lengths(&convolution, lengths.data()), SEICHE_OK) << seiche_last_error();
        EXPECT_EQ(lengths, result_lengths(expected.convolution()));
        make(convolution);
        for (const std::uint64_t batch : {0U, 3U}) {
            const seiche::ConvolutionPlan::Batch own =
                batch == 0 ? seiche::ConvolutionPlan::Batch{} : seiche::ConvolutionPlan::Batch{batch};
            std::uint64_t bytes = 1;
            EXPECT_EQ(seiche_convolution_plan_input_bytes(plan, batch, &bytes), SEICHE_OK);
            EXPECT_EQ(bytes, expected.input_bytes(own));
            EXPECT_EQ(seiche_convolution_plan_output_bytes(plan, batch, &bytes), SEICHE_OK);
            EXPECT_EQ(bytes, expected.output_bytes(own));
            EXPECT_EQ(seiche_convolution_plan_workspace_bytes(plan, batch, &bytes), SEICHE_OK);
            EXPECT_EQ(bytes, expected.workspace_bytes(own));
        }
        std::uint64_t bytes = 1;
        EXPECT_EQ(seiche_convolution_plan_kernel_bytes(plan, &bytes), SEICHE_OK);
        EXPECT_EQ(bytes, expected.kernel_bytes());
        EXPECT_EQ(seiche_convolution_plan_spectrum_bytes(plan, &bytes), SEICHE_OK);
        EXPECT_EQ(bytes, expected.spectrum_bytes());
        EXPECT_EQ(seiche_convolution_plan_preparation_bytes(plan, &bytes), SEICHE_OK);
        EXPECT_EQ(bytes, expected.preparation_bytes());
    }
}

TEST_F(CConvolution, AreKeptAsBytes) {
    const std::uint64_t signal = 3, kernel = 2;
    make(seiche_convolution_default(1, &signal, &kernel));
    unsigned char* bytes = nullptr;
    std::size_t count = 0;
    ASSERT_EQ(seiche_convolution_plan_save(plan, &bytes, &count), SEICHE_OK) << seiche_last_error();
    seiche_convolution_plan* again = nullptr;
    ASSERT_EQ(seiche_convolution_plan_load(device, bytes, count, &again), SEICHE_OK) << seiche_last_error();
    const float x[] = {1, 2, 3}, h[] = {1, 1};
    float y[4] = {};
    EXPECT_EQ(seiche_convolve_f32(again, x, 3, h, 2, y, 4), SEICHE_OK);
    EXPECT_NEAR(y[1], 3.0F, 1e-5F);
    seiche_convolution_plan_release(again);
    EXPECT_EQ(seiche_convolution_plan_load(device, bytes, count - 1, &again), SEICHE_INVALID_PROBLEM);
    EXPECT_EQ(again, nullptr);
    EXPECT_EQ(seiche_convolution_plan_save(plan, nullptr, &count), SEICHE_INVALID_PROBLEM);
    seiche_bytes_release(bytes);
    EXPECT_EQ(seiche_convolution_plan_save(nullptr, &bytes, &count), SEICHE_INVALID_PROBLEM);
    EXPECT_EQ(bytes, nullptr);
}

/// (1 + 2 x + 3 x^2)(1 + x), in every type that a host's numbers may have.
TEST_F(CConvolution, EveryTypeOfNumbers) {
    const std::uint64_t signal = 3, kernel = 2;
    seiche_convolution c = seiche_convolution_default(1, &signal, &kernel);
    const double x[] = {1, 2, 3}, h[] = {1, 1}, expected[] = {1, 3, 5, 3};
    c.precision = SEICHE_F64;
    make(c);
    double y[4];
    ASSERT_EQ(seiche_convolve_f64(plan, x, 3, h, 2, y, 4), SEICHE_OK) << seiche_last_error();
    for (int i = 0; i < 4; ++i) EXPECT_NEAR(y[i], expected[i], 1e-14);

    c.precision = SEICHE_F64X2;
    make(c);
    const seiche_f64x2 wide_x[] = {{1, 0x1p-80}, {2, 0}, {3, 0}}, wide_h[] = {{1, 0}, {1, 0}};
    seiche_f64x2 wide_y[4];
    ASSERT_EQ(seiche_convolve_f64x2(plan, wide_x, 3, wide_h, 2, wide_y, 4), SEICHE_OK) << seiche_last_error();
    for (int i = 0; i < 4; ++i) EXPECT_EQ(wide_y[i].hi, expected[i]);
    EXPECT_NEAR(wide_y[0].lo, 0x1p-80, 0x1p-98);

    const std::uint16_t bf16_x[] = {0x3f80, 0x4000, 0x4040}, bf16_h[] = {0x3f80, 0x3f80};
    const std::uint16_t bf16_expected[] = {0x3f80, 0x4040, 0x40a0, 0x4040};
    c.precision = SEICHE_F32;
    c.storage = SEICHE_STORAGE_BF16;
    make(c);
    std::uint16_t half_y[4];
    ASSERT_EQ(seiche_convolve_half(plan, bf16_x, 3, bf16_h, 2, half_y, 4), SEICHE_OK) << seiche_last_error();
    for (int i = 0; i < 4; ++i) EXPECT_EQ(half_y[i], bf16_expected[i]);

    const std::uint16_t f16_x[] = {0x3c00, 0x4000, 0x4200}, f16_h[] = {0x3c00, 0x3c00};
    const std::uint16_t f16_expected[] = {0x3c00, 0x4200, 0x4500, 0x4200};
    c.storage = SEICHE_STORAGE_F16;
    make(c);
    ASSERT_EQ(seiche_convolve_half(plan, f16_x, 3, f16_h, 2, half_y, 4), SEICHE_OK) << seiche_last_error();
    for (int i = 0; i < 4; ++i) EXPECT_EQ(half_y[i], f16_expected[i]);
}

/// Kernels prepared once, then two batches of other sizes; every buffer begins at an offset.
TEST_F(CConvolution, ExecutesOnItsOwnBuffers) {
    const std::uint64_t signal[] = {9, 20}, kernel[] = {3, 4};
    seiche_convolution convolution = seiche_convolution_default(2, signal, kernel);
    convolution.mode = SEICHE_CONVOLUTION_SAME;
    make(convolution);
    ASSERT_EQ(seiche_queue_create(device, &queue), SEICHE_OK);
    std::uint64_t kernel_bytes = 0, spectrum_bytes = 0, preparation_bytes = 0;
    ASSERT_EQ(seiche_convolution_plan_kernel_bytes(plan, &kernel_bytes), SEICHE_OK);
    ASSERT_EQ(seiche_convolution_plan_spectrum_bytes(plan, &spectrum_bytes), SEICHE_OK);
    ASSERT_EQ(seiche_convolution_plan_preparation_bytes(plan, &preparation_bytes), SEICHE_OK);
    const std::vector<float> h = samples<float>(kernel_bytes);
    seiche_convolution_preparation preparation = SEICHE_CONVOLUTION_PREPARATION_INIT;
    preparation.kernels = allocated(8 + kernel_bytes);
    preparation.kernels_offset = 8;
    preparation.spectrum = allocated(16 + spectrum_bytes);
    preparation.spectrum_offset = 16;
    preparation.workspace = allocated(24 + preparation_bytes);
    preparation.workspace_offset = 24;
    ASSERT_EQ(seiche_upload(queue, buffers[0], 8, h.data(), kernel_bytes), SEICHE_OK);
    ASSERT_EQ(seiche_convolution_prepare(plan, queue, &preparation), SEICHE_OK) << seiche_last_error();

    seiche::Convolution same = {{9, 20}, {3, 4}, seiche::ConvolutionMode::same};
    for (const std::uint64_t batch : {1U, 3U}) {
        same.batch = batch;
        const seiche::ConvolutionPlan expected(seiche::Device::open("reference"), same);
        const std::vector<float> x = samples<float>(expected.input_bytes());
        seiche_convolution_execution execution = SEICHE_CONVOLUTION_EXECUTION_INIT;
        seiche_buffer* input = allocated(32 + expected.input_bytes());
        seiche_buffer* output = allocated(40 + expected.output_bytes());
        execution.input = input;
        execution.input_offset = 32;
        execution.spectrum = preparation.spectrum;
        execution.spectrum_offset = 16;
        execution.output = output;
        execution.output_offset = 40;
        execution.workspace = allocated(48 + expected.workspace_bytes());
        execution.workspace_offset = 48;
        execution.batch = batch == 1 ? 0 : batch;
        ASSERT_EQ(seiche_upload(queue, input, 32, x.data(), expected.input_bytes()), SEICHE_OK);
        ASSERT_EQ(seiche_convolution_execute(plan, queue, &execution), SEICHE_OK) << seiche_last_error();
        std::vector<float> y(expected.output_bytes() / sizeof(float));
        ASSERT_EQ(seiche_download(queue, y.data(), output, 40, expected.output_bytes()), SEICHE_OK);
        EXPECT_EQ(y, expected.convolve(x, h));

        execution.input_offset = 40;
        expect_refused(seiche_convolution_execute(plan, queue, &execution),
                       "execution.input: expected at least " + std::to_string(expected.input_bytes()) +
                           " bytes from byte 40 on, got a buffer of " + std::to_string(32 + expected.input_bytes()));
        execution.input = nullptr;
        expect_refused(seiche_convolution_execute(plan, queue, &execution),
                       "execution.input: expected a buffer of at least " + std::to_string(expected.input_bytes()) +
                           " bytes, got none");
    }
}

TEST_F(CConvolution, RefusesNull) {
    const std::uint64_t signal = 20, kernel = 5;
    seiche_convolution c = seiche_convolution_default(1, &signal, &kernel);
    std::uint64_t out = 0;
    expect_null_refused(seiche_convolution_result_lengths(nullptr, &out), "convolution");
    expect_null_refused(seiche_convolution_result_lengths(&c, nullptr), "lengths");
    expect_null_refused(seiche_convolution_plan_create(nullptr, &c, &plan), "device");
    expect_null_refused(seiche_convolution_plan_create(device, nullptr, &plan), "convolution");
    expect_null_refused(seiche_convolution_plan_create(device, &c, nullptr), "plan");
    c.signal = nullptr;
    expect_null_refused(seiche_convolution_plan_create(device, &c, &plan), "convolution.signal");
    c.signal = &signal;
    c.kernel = nullptr;
    expect_null_refused(seiche_convolution_plan_create(device, &c, &plan), "convolution.kernel");
    EXPECT_EQ(plan, nullptr);
    c.kernel = &kernel;
    make(c);

    for (const auto question : {&seiche_convolution_plan_input_bytes, &seiche_convolution_plan_output_bytes,
                                &seiche_convolution_plan_workspace_bytes}) {
        expect_null_refused(question(nullptr, 0, &out), "plan");
        expect_null_refused(question(plan, 0, nullptr), "bytes");
    }
    for (const auto question : {&seiche_convolution_plan_kernel_bytes, &seiche_convolution_plan_spectrum_bytes,
                                &seiche_convolution_plan_preparation_bytes}) {
        expect_null_refused(question(nullptr, &out), "plan");
        expect_null_refused(question(plan, nullptr), "bytes");
    }
    ASSERT_EQ(seiche_queue_create(device, &queue), SEICHE_OK);
    const seiche_convolution_preparation preparation = SEICHE_CONVOLUTION_PREPARATION_INIT;
    expect_null_refused(seiche_convolution_prepare(nullptr, queue, &preparation), "plan");
    expect_null_refused(seiche_convolution_prepare(plan, nullptr, &preparation), "queue");
    expect_null_refused(seiche_convolution_prepare(plan, queue, nullptr), "preparation");
    const seiche_convolution_execution execution = SEICHE_CONVOLUTION_EXECUTION_INIT;
    expect_null_refused(seiche_convolution_execute(nullptr, queue, &execution), "plan");
    expect_null_refused(seiche_convolution_execute(plan, nullptr, &execution), "queue");
    expect_null_refused(seiche_convolution_execute(plan, queue, nullptr), "execution");
    const float x[20] = {}, h[5] = {};
    float y[24];
    expect_null_refused(seiche_convolve_f32(nullptr, x, 20, h, 5, y, 24), "plan");
    expect_refused(seiche_convolve_f32(plan, nullptr, 20, h, 5, y, 24),
                   "in: expected a pointer to 20 elements, got NULL");
    expect_refused(seiche_convolve_f32(plan, x, 20, nullptr, 5, y, 24),
                   "kernels: expected a pointer to 5 elements, got NULL");
    expect_refused(seiche_convolve_f32(plan, x, 20, h, 5, nullptr, 24),
                   "out: expected a pointer to 24 elements, got NULL");
    const double double_x[20] = {};
    expect_refused(seiche_convolve_f64(plan, double_x, 20, nullptr, 5, nullptr, 24),
                   "kernels: expected a pointer to 5 elements, got NULL");
    seiche_convolution_plan_release(nullptr);
    EXPECT_STREQ(seiche_convolution_plan_report(nullptr), "");
}

template <class Enum>
void expect_enumerators_refused(seiche_convolution& c, Enum& field, int most, const std::string& name) {
    const Enum before = field;
    for (const int number : {most + 1, -1}) {
        static_assert(sizeof number == sizeof field);
        std::memcpy(&field, &number, sizeof number);  // as C may
        std::uint64_t length = 0;
        expect_refused(seiche_convolution_result_lengths(&c, &length),
                       name + ": expected 0 to " + std::to_string(most) + ", got " + std::to_string(number));
    }
    field = before;
}

TEST_F(CConvolution, RefusesWhatMakesNoSense) {
    const std::uint64_t signal = 20, kernel = 5;
    seiche_convolution c = seiche_convolution_default(1, &signal, &kernel);
    expect_enumerators_refused(c, c.mode, 4, "convolution.mode");
    expect_enumerators_refused(c, c.domain, 1, "convolution.domain");
    expect_enumerators_refused(c, c.product, 2, "convolution.product");
    expect_enumerators_refused(c, c.channels, 2, "convolution.channels");
    expect_enumerators_refused(c, c.precision, 3, "convolution.precision");
    expect_enumerators_refused(c, c.storage, 4, "convolution.storage");

    make(c);
    const std::vector<float> x(21), h(6);
    std::vector<float> y(24);
    const std::vector<double> double_x(21), double_h(6);
    std::vector<double> double_y(24);
    expect_refused(seiche_convolve_f32(plan, x.data(), 20, h.data(), 5, y.data(), 23),
                   "capacity: expected at least 24 elements, got 23");
    expect_refused(seiche_convolve_f32(plan, x.data(), 21, h.data(), 5, y.data(), 24),
                   "input: expected 20 elements, got 21");
    expect_refused(seiche_convolve_f32(plan, x.data(), 20, h.data(), 6, y.data(), 24),
                   "kernels: expected 5 elements, got 6");
    expect_refused(seiche_convolve_f64(plan, double_x.data(), 20, double_h.data(), 5, double_y.data(), 24),
                   "input: expected float, as the plan's precision, storage and kind have it, got double");

    seiche_convolution_plan* none = plan;
    c.domain = SEICHE_KERNEL_FREQUENCY;
    expect_refused(seiche_convolution_plan_create(device, &c, &none),
                   "convolution.kernel: expected no lengths in frequency, where they are the signal's, got 5");
    EXPECT_EQ(none, nullptr);
    c = seiche_convolution_default(0, &signal, &kernel);
    expect_refused(seiche_convolution_plan_create(device, &c, &none),
                   "convolution.signal: expected at least one length, got none");
}

}  // namespace
