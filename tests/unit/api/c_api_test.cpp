// The C interface: statuses, messages, and the same numbers as the C++ interface.
#include "seiche/seiche.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "seiche/plan.hpp"
#include "tests/unit/api/c_handles.hpp"

namespace {

using seiche::Handles;

bool says(const char* text) { return std::string(seiche_last_error()).find(text) != std::string::npos; }

TEST(CApi, AgreesWithTheCppInterface) {
    Handles h;
    ASSERT_EQ(seiche_plan_create_from_text(h.device, "12x5 c2c f32 inverse-scale=1/n", SEICHE_BOTH, &h.plan), SEICHE_OK)
        << seiche_last_error();
    std::vector<std::complex<float>> x(60), y(60);
    for (std::size_t j = 0; j < 60; ++j) x[j] = {static_cast<float>(j % 7), static_cast<float>(j % 11)};
    const auto* in = reinterpret_cast<const float*>(x.data());
    auto* out = reinterpret_cast<float*>(y.data());
    ASSERT_EQ(seiche_transform_f32(h.plan, SEICHE_INVERSE, in, 60, out, 60), SEICHE_OK);
    const seiche::Plan plan(seiche::Device::open("reference"), seiche::parse_problem("12x5 c2c f32 inverse-scale=1/n"));
    EXPECT_EQ(y, plan.inverse(x));
    EXPECT_NE(std::string(seiche_plan_report(h.plan)).find("12x5 c2c f32"), std::string::npos);
    EXPECT_STREQ(seiche_device_name(h.device), "reference");
}

TEST(CApi, ProblemFieldsArriveWhereTheyShould) {
    Handles h;
    const std::uint64_t lengths[] = {4, 6};
    const int axes[] = {-1};
    const std::int64_t istrides[] = {7, 1}, ostrides[] = {1, 4};
    seiche_problem problem = seiche_problem_default(2, lengths);
    problem.axes = axes;
    problem.axis_count = 1;
    problem.batch = 3;
    problem.precision = SEICHE_F64;
    problem.forward_scale.rule = SEICHE_SCALE_BY_SQRT_N;
    problem.inverse_scale.rule = SEICHE_SCALE_FACTOR;
    problem.inverse_scale.factor = 0.25;
    seiche_layout input = SEICHE_LAYOUT_INIT, output = SEICHE_LAYOUT_INIT;
    input.strides = istrides;
    input.batch_distance = 30;
    output.strides = ostrides;
    output.byte_offset = 32;
    problem.input = &input;
    problem.output = &output;
    ASSERT_EQ(seiche_plan_create(h.device, &problem, SEICHE_BOTH, &h.plan), SEICHE_OK) << seiche_last_error();
    EXPECT_NE(std::string(seiche_plan_report(h.plan))
                  .find("4x6 c2c f64 batch=3 axes=-1 forward-scale=1/sqrt(n) inverse-scale=0.25 istrides=7,1 idist=30 "
                        "ostrides=1,4 ooffset=32"),
              std::string::npos)
        << seiche_plan_report(h.plan);
    std::uint64_t bytes = 0;
    EXPECT_EQ(seiche_plan_input_bytes(h.plan, 2, &bytes), SEICHE_OK);
    EXPECT_EQ(bytes, (30 + 3 * 7 + 6) * 16u);
    EXPECT_EQ(seiche_plan_output_bytes(h.plan, 0, &bytes), SEICHE_OK);
    EXPECT_EQ(bytes, 32 + 3 * 24 * 16u);
    EXPECT_EQ(seiche_plan_workspace_bytes(h.plan, 0, &bytes), SEICHE_OK);
}

TEST(CApi, StridesMayBeBelowZero) {
    Handles h;
    const std::uint64_t length = 8;
    const std::int64_t backwards = -1;
    seiche_problem problem = seiche_problem_default(1, &length);
    seiche_layout input = SEICHE_LAYOUT_INIT;
    input.strides = &backwards;
    problem.input = &input;
    EXPECT_EQ(seiche_plan_create(h.device, &problem, SEICHE_BOTH, &h.plan), SEICHE_INVALID_PROBLEM);
    EXPECT_TRUE(says("input.byte_offset: expected at least 56, because strides below 0")) << seiche_last_error();
    input.byte_offset = 56;
    ASSERT_EQ(seiche_plan_create(h.device, &problem, SEICHE_BOTH, &h.plan), SEICHE_OK) << seiche_last_error();
    std::uint64_t bytes = 0;
    EXPECT_EQ(seiche_plan_input_bytes(h.plan, 0, &bytes), SEICHE_OK);
    EXPECT_EQ(bytes, 64u);
    std::vector<float> impulse(16), constant(16);
    impulse[14] = 1;  // element 0 is the last in memory
    ASSERT_EQ(seiche_transform_f32(h.plan, SEICHE_FORWARD, impulse.data(), 8, constant.data(), 8), SEICHE_OK);
    for (std::size_t i = 0; i < 16; ++i) EXPECT_EQ(constant[i], i % 2 ? 0.0f : 1.0f);
}

TEST(CApi, OrdersAndOverwrittenInputs) {
    Handles h;
    const std::uint64_t lengths[] = {2, 16};
    seiche_problem problem = seiche_problem_default(2, lengths);
    problem.spectrum_order = SEICHE_ORDER_PASS;
    problem.may_overwrite_input = 1;
    ASSERT_EQ(seiche_plan_create(h.device, &problem, SEICHE_BOTH, &h.plan), SEICHE_OK) << seiche_last_error();
    EXPECT_NE(std::string(seiche_plan_report(h.plan)).find("2x16 c2c f32 spectrum-order=pass overwrite-input"),
              std::string::npos)
        << seiche_plan_report(h.plan);
    std::uint64_t index = 0;
    EXPECT_EQ(seiche_plan_spectrum_index(h.plan, -1, 5, &index), SEICHE_OK);
    EXPECT_EQ(index, 5u);  // one pass
    EXPECT_EQ(seiche_plan_spectrum_index(h.plan, 0, 2, &index), SEICHE_INVALID_PROBLEM);
    EXPECT_TRUE(says("spectrum_index: expected a position below 2, got 2")) << seiche_last_error();
    EXPECT_EQ(seiche_plan_spectrum_index(h.plan, 2, 0, &index), SEICHE_INVALID_PROBLEM);
    EXPECT_EQ(seiche_plan_spectrum_index(h.plan, 0, 0, nullptr), SEICHE_INVALID_PROBLEM);
    EXPECT_EQ(seiche_plan_spectrum_index(nullptr, 0, 0, &index), SEICHE_INVALID_PROBLEM);
    const int nine = 9;  // as C may
    static_assert(sizeof nine == sizeof problem.spectrum_order);
    std::memcpy(&problem.spectrum_order, &nine, sizeof nine);
    seiche_plan* none = nullptr;
    EXPECT_EQ(seiche_plan_create(h.device, &problem, SEICHE_BOTH, &none), SEICHE_INVALID_PROBLEM);
    EXPECT_TRUE(says("problem.spectrum_order")) << seiche_last_error();
}

TEST(CApi, EdgesWithoutAScale) {
    Handles h;
    const std::uint64_t lengths[] = {2};
    seiche_problem problem = seiche_problem_default(1, lengths);
    problem.kind = SEICHE_DCT2;
    problem.orthogonalize = 1;
    ASSERT_EQ(seiche_plan_create(h.device, &problem, SEICHE_BOTH, &h.plan), SEICHE_OK) << seiche_last_error();
    EXPECT_NE(std::string(seiche_plan_report(h.plan)).find("2 dct2 f32 orthogonalize"), std::string::npos);
    const float in[2] = {1, 1};
    float out[2] = {0, 0};
    ASSERT_EQ(seiche_transform_f32(h.plan, SEICHE_FORWARD, in, 2, out, 2), SEICHE_OK) << seiche_last_error();
    EXPECT_NEAR(out[0], 4 / std::sqrt(2.0), 1e-6);
    EXPECT_NEAR(out[1], 0, 1e-6);
    seiche_problem* read = nullptr;
    ASSERT_EQ(seiche_problem_parse("2 dst3 orthogonalize", &read), SEICHE_OK);
    EXPECT_EQ(read->orthogonalize, 1);
    EXPECT_EQ(read->orthonormal, 0);
    seiche_problem_release(read);
}

TEST(CApi, HalvesAndPlanes) {
    Handles h;
    const std::uint64_t lengths[] = {4};
    seiche_problem problem = seiche_problem_default(1, lengths);
    problem.storage = SEICHE_STORAGE_BF16;
    seiche_layout planar = SEICHE_LAYOUT_INIT;
    planar.planar = 1;
    problem.input = &planar;
    ASSERT_EQ(seiche_plan_create(h.device, &problem, SEICHE_BOTH, &h.plan), SEICHE_OK) << seiche_last_error();
    EXPECT_NE(std::string(seiche_plan_report(h.plan)).find("4 c2c bf16 iplanar"), std::string::npos);
    const std::uint16_t one = 0x3f80, minus_one = 0xbf80;
    const std::uint16_t in[8] = {0, one, 0, 0, 0, 0, 0, 0};  // an impulse at 1, whose transform is 1, -i, -1, i
    std::uint16_t out[8];
    ASSERT_EQ(seiche_transform_half(h.plan, SEICHE_FORWARD, in, 8, out, 4), SEICHE_OK) << seiche_last_error();
    EXPECT_EQ(out[0], one);
    EXPECT_EQ(out[3], minus_one);
    EXPECT_EQ(out[4], minus_one);
    EXPECT_EQ(out[7], one);
    float wide[8] = {0};
    EXPECT_EQ(seiche_transform_f32(h.plan, SEICHE_FORWARD, wide, 8, wide, 8), SEICHE_INVALID_PROBLEM);
    EXPECT_TRUE(says("capacity") || says("expected bf16")) << seiche_last_error();
    const int nine = 9;  // as C may
    static_assert(sizeof nine == sizeof problem.storage);
    std::memcpy(&problem.storage, &nine, sizeof nine);
    seiche_plan* none = nullptr;
    EXPECT_EQ(seiche_plan_create(h.device, &problem, SEICHE_BOTH, &none), SEICHE_INVALID_PROBLEM);
    EXPECT_TRUE(says("problem.storage")) << seiche_last_error();
}

TEST(CApi, DoubleDoubles) {
    seiche_device* device = nullptr;
    ASSERT_EQ(seiche_device_open("reference", &device), SEICHE_OK);
    const std::uint64_t lengths[] = {2};
    seiche_problem problem = seiche_problem_default(1, lengths);
    problem.precision = SEICHE_F64X2;
    seiche_plan* plan = nullptr;
    ASSERT_EQ(seiche_plan_create(device, &problem, SEICHE_BOTH, &plan), SEICHE_OK) << seiche_last_error();
    const seiche_f64x2 in[] = {{1, 0x1p-80}, {2, 0}, {1, 0}, {-3, 0}};
    seiche_f64x2 out[4];
    ASSERT_EQ(seiche_transform_f64x2(plan, SEICHE_FORWARD, in, 2, out, 2), SEICHE_OK) << seiche_last_error();
    EXPECT_EQ(out[0].hi, 2.0);
    EXPECT_EQ(out[0].lo, 0x1p-80);
    EXPECT_EQ(out[2].hi, 0x1p-80);
    EXPECT_NE(seiche_transform_f64(plan, SEICHE_FORWARD, &in[0].hi, 2, &out[0].hi, 4), SEICHE_OK);
    seiche_plan_release(plan);
    seiche_device_release(device);
}

TEST(CApi, StatusesAndMessages) {
    Handles h;
    seiche_device_release(h.device);
    EXPECT_EQ(seiche_device_open("no-such-backend", &h.device), SEICHE_UNSUPPORTED);
    EXPECT_EQ(h.device, nullptr);
    EXPECT_TRUE(says("Unsupported: ")) << seiche_last_error();
    ASSERT_EQ(seiche_device_open("reference", &h.device), SEICHE_OK);
    EXPECT_TRUE(says("Unsupported: ")) << "a call that succeeds leaves the message";
    EXPECT_EQ(seiche_plan_create_from_text(h.device, "16 c2x", SEICHE_BOTH, &h.plan), SEICHE_INVALID_PROBLEM);
    EXPECT_TRUE(says("\"c2x\"")) << seiche_last_error();
    EXPECT_EQ(h.plan, nullptr);
    EXPECT_EQ(seiche_plan_create(h.device, nullptr, SEICHE_BOTH, &h.plan), SEICHE_INVALID_PROBLEM);
    EXPECT_TRUE(says("problem: expected a pointer, got NULL")) << seiche_last_error();
    std::uint64_t m = 0;
    EXPECT_EQ(seiche_next_fast_length(17, &m), SEICHE_OK);
    EXPECT_EQ(m, 18u);
    EXPECT_EQ(seiche_next_fast_length(0, &m), SEICHE_INVALID_PROBLEM);
    const std::string mine = seiche_last_error();
    std::thread([] { EXPECT_STREQ(seiche_last_error(), ""); }).join();
    EXPECT_EQ(mine, seiche_last_error());
    seiche_queue_release(nullptr);
    seiche_buffer_release(nullptr);
    seiche_host_memory_release(nullptr);
    EXPECT_EQ(seiche_host_memory_data(nullptr), nullptr);
    EXPECT_EQ(seiche_buffer_bytes(nullptr), 0u);
    EXPECT_STREQ(seiche_plan_report(nullptr), "");
}

TEST(CApi, StagesAndWhatTheyNameArrive) {
    Handles h;
    const std::uint64_t length = 8;
    const seiche_stage_buffer samples{"samples", SEICHE_STAGE_U8, 8}, level{"level", SEICHE_STAGE_I16, 8};
    const seiche_stage_scalar gain{"gain", SEICHE_STAGE_F32};
    seiche_problem problem = seiche_problem_default(1, &length);
    const seiche_stage load = {sizeof load, "return samples[i0] * gain;", &samples, 1, &gain, 1, nullptr};
    const seiche_stage store = {sizeof store, "store level[i0] = value.re;", &level, 1, nullptr, 0, nullptr};
    problem.forward_load = &load;
    problem.forward_store = &store;
    ASSERT_EQ(seiche_plan_create(h.device, &problem, SEICHE_ONLY_FORWARD, &h.plan), SEICHE_OK) << seiche_last_error();
    seiche_queue* queue = nullptr;
    seiche_buffer *in = nullptr, *out = nullptr;
    ASSERT_EQ(seiche_queue_create(h.device, &queue), SEICHE_OK);
    ASSERT_EQ(seiche_buffer_create(h.device, 8, &in), SEICHE_OK);
    ASSERT_EQ(seiche_buffer_create(h.device, 20, &out), SEICHE_OK);
    const std::uint8_t bytes[8] = {2, 2, 2, 2, 2, 2, 2, 2};
    ASSERT_EQ(seiche_upload(queue, in, 0, bytes, 8), SEICHE_OK);
    const seiche_stage_memory memory[] = {{"samples", in, 0}, {"level", out, 4}};
    const seiche_stage_value value{"gain", 1.5};
    seiche_execution execution = SEICHE_EXECUTION_INIT;
    execution.stage_buffers = memory;
    execution.stage_buffer_count = 2;
    execution.stage_scalars = &value;
    execution.stage_scalar_count = 1;
    ASSERT_EQ(seiche_execute(h.plan, queue, &execution), SEICHE_OK) << seiche_last_error();
    std::int16_t result[8];
    ASSERT_EQ(seiche_download(queue, result, out, 4, 16), SEICHE_OK);
    for (int i = 0; i < 8; ++i) EXPECT_EQ(result[i], i == 0 ? 24 : 0);
    execution.stage_buffer_count = 1;
    EXPECT_EQ(seiche_execute(h.plan, queue, &execution), SEICHE_INVALID_PROBLEM);
    EXPECT_TRUE(says("execution.stage_buffers 'level'")) << seiche_last_error();
    seiche_queue_release(queue);
    seiche_buffer_release(in);
    seiche_buffer_release(out);
}

void twice(void* array, std::uint64_t index, void* value, void* pointer) {
    for (int p = 0; p < 2; ++p)
        static_cast<float*>(value)[p] = static_cast<const float*>(array)[2 * index + static_cast<std::size_t>(p)] *
                                        *static_cast<const float*>(pointer);
}

TEST(CApi, FunctionsOfStagesArrive) {
    Handles h;
    const std::uint64_t length = 4;
    seiche_problem problem = seiche_problem_default(1, &length);
    seiche_stage_function function = SEICHE_STAGE_FUNCTION_INIT;
    seiche_stage load = SEICHE_STAGE_INIT;
    function.symbol = "callback";
    function.code = "abc";
    function.code_bytes = 3;
    function.host = twice;
    load.function = &function;
    problem.forward_load = &load;
    ASSERT_EQ(seiche_plan_create(h.device, &problem, SEICHE_ONLY_FORWARD, &h.plan), SEICHE_OK) << seiche_last_error();
    seiche_problem* planned = nullptr;
    ASSERT_EQ(seiche_plan_get_problem(h.plan, &planned), SEICHE_OK);
    ASSERT_NE(planned->forward_load, nullptr);
    ASSERT_NE(planned->forward_load->function, nullptr);
    EXPECT_STREQ(planned->forward_load->function->symbol, "callback");
    EXPECT_EQ(planned->forward_load->function->code_bytes, 3u);
    EXPECT_EQ(planned->forward_load->function->host, twice);
    EXPECT_EQ(planned->forward_store, nullptr);
    seiche_problem_release(planned);
    seiche_queue* queue = nullptr;
    seiche_buffer *in = nullptr, *out = nullptr;
    ASSERT_EQ(seiche_queue_create(h.device, &queue), SEICHE_OK);
    ASSERT_EQ(seiche_buffer_create(h.device, 32, &in), SEICHE_OK);
    ASSERT_EQ(seiche_buffer_create(h.device, 32, &out), SEICHE_OK);
    const float ones[8] = {1, 0, 1, 0, 1, 0, 1, 0};
    ASSERT_EQ(seiche_upload(queue, in, 0, ones, sizeof ones), SEICHE_OK);
    float factor = 2, result[8];
    seiche_execution execution = SEICHE_EXECUTION_INIT;
    execution.input = in;
    execution.output = out;
    execution.load_pointer = &factor;
    ASSERT_EQ(seiche_execute(h.plan, queue, &execution), SEICHE_OK) << seiche_last_error();
    ASSERT_EQ(seiche_download(queue, result, out, 0, sizeof result), SEICHE_OK);
    EXPECT_EQ(result[0], 8);
    for (int i = 1; i < 8; ++i) EXPECT_EQ(result[i], 0);
    seiche_queue_release(queue);
    seiche_buffer_release(in);
    seiche_buffer_release(out);
}

TEST(CApi, ArraysLieInParts) {
    Handles h;
    const std::uint64_t length = 32;
    seiche_problem problem = seiche_problem_default(1, &length);
    problem.precision = SEICHE_F64;
    seiche_layout in_parts = SEICHE_LAYOUT_INIT;
    in_parts.part_bytes = 208;
    problem.input = &in_parts;
    ASSERT_EQ(seiche_plan_create(h.device, &problem, SEICHE_ONLY_FORWARD, &h.plan), SEICHE_OK) << seiche_last_error();
    std::uint64_t bytes[4] = {0, 0, 0, 0};
    std::size_t count = 0;
    ASSERT_EQ(seiche_plan_input_part_bytes(h.plan, 0, bytes, 4, &count), SEICHE_OK);
    ASSERT_EQ(count, 3u);
    EXPECT_EQ(bytes[0], 208u);
    EXPECT_EQ(bytes[2], 96u);
    EXPECT_EQ(bytes[3], 0u);
    ASSERT_EQ(seiche_plan_output_part_bytes(h.plan, 0, nullptr, 0, &count), SEICHE_OK);
    EXPECT_EQ(count, 1u);
    ASSERT_EQ(seiche_plan_workspace_part_bytes(h.plan, 0, nullptr, 0, &count), SEICHE_OK);
    EXPECT_EQ(count, 0u);
    EXPECT_EQ(seiche_plan_input_part_bytes(h.plan, 0, bytes, 4, nullptr), SEICHE_INVALID_PROBLEM);
    seiche_queue* queue = nullptr;
    seiche_buffer *out = nullptr, *in[3] = {nullptr, nullptr, nullptr};
    ASSERT_EQ(seiche_queue_create(h.device, &queue), SEICHE_OK);
    ASSERT_EQ(seiche_buffer_create(h.device, 512, &out), SEICHE_OK);
    std::vector<double> x(64, 0.0), y(64);
    x[26] = 1.0;  // an impulse at point 13, the first of the second part
    seiche_buffer_part parts[3];
    for (std::size_t p = 0; p < 3; ++p) {
        ASSERT_EQ(seiche_buffer_create(h.device, bytes[p], &in[p]), SEICHE_OK);
        ASSERT_EQ(seiche_upload(queue, in[p], 0, x.data() + 26 * p, bytes[p]), SEICHE_OK);
        parts[p] = {in[p], 0};
    }
    seiche_execution execution = SEICHE_EXECUTION_INIT;
    execution.output = out;
    execution.input_parts = parts;
    execution.input_part_count = 3;
    ASSERT_EQ(seiche_execute(h.plan, queue, &execution), SEICHE_OK) << seiche_last_error();
    ASSERT_EQ(seiche_download(queue, y.data(), out, 0, 512), SEICHE_OK);
    for (std::size_t k = 0; k < 32; ++k) {
        const double angle = -2 * 3.14159265358979323846 * 13 * static_cast<double>(k) / 32;
        EXPECT_NEAR(y[2 * k], std::cos(angle), 1e-14);
        EXPECT_NEAR(y[2 * k + 1], std::sin(angle), 1e-14);
    }
    execution.input_part_count = 2;
    EXPECT_EQ(seiche_execute(h.plan, queue, &execution), SEICHE_INVALID_PROBLEM);
    EXPECT_TRUE(says("execution.input_parts: expected 3 buffers")) << seiche_last_error();
    for (seiche_buffer* buffer : in) seiche_buffer_release(buffer);
    seiche_buffer_release(out);
    seiche_queue_release(queue);
}

TEST(CApi, ExecutesOnItsOwnBuffers) {
    Handles h;
    ASSERT_EQ(seiche_plan_create_from_text(h.device, "32 c2c f64 batch=2", SEICHE_ONLY_FORWARD, &h.plan), SEICHE_OK);
    seiche_queue* queue = nullptr;
    seiche_buffer *in = nullptr, *out = nullptr;
    ASSERT_EQ(seiche_queue_create(h.device, &queue), SEICHE_OK);
    ASSERT_EQ(seiche_buffer_create(h.device, 1024, &in), SEICHE_OK);
    ASSERT_EQ(seiche_buffer_create(h.device, 1040, &out), SEICHE_OK);
    std::vector<double> x(128, 0.0), y(128);
    x[0] = x[64] = 1.0;  // two impulses
    ASSERT_EQ(seiche_upload(queue, in, 0, x.data(), 1024), SEICHE_OK);
    seiche_execution execution = SEICHE_EXECUTION_INIT;
    execution.input = in;
    execution.output = out;
    execution.output_offset = 16;
    ASSERT_EQ(seiche_execute(h.plan, queue, &execution), SEICHE_OK) << seiche_last_error();
    ASSERT_EQ(seiche_queue_wait(queue), SEICHE_OK);
    ASSERT_EQ(seiche_download(queue, y.data(), out, 16, 1024), SEICHE_OK);
    for (std::size_t i = 0; i < 128; ++i) EXPECT_EQ(y[i], i % 2 ? 0.0 : 1.0);
    execution.batch = SEICHE_NO_ARRAYS;
    EXPECT_EQ(seiche_execute(h.plan, queue, &execution), SEICHE_OK) << seiche_last_error();
    std::uint64_t bytes = 1;
    EXPECT_EQ(seiche_plan_input_bytes(h.plan, SEICHE_NO_ARRAYS, &bytes), SEICHE_OK);
    EXPECT_EQ(bytes, 0u);
    execution.batch = 3;
    EXPECT_EQ(seiche_execute(h.plan, queue, &execution), SEICHE_INVALID_PROBLEM);
    EXPECT_TRUE(says("expected at least 1536 bytes")) << seiche_last_error();
    EXPECT_EQ(seiche_transform_f64(h.plan, SEICHE_FORWARD, x.data(), 64, y.data(), 63), SEICHE_INVALID_PROBLEM);
    EXPECT_TRUE(says("capacity: expected at least 64 elements, got 63")) << seiche_last_error();
    EXPECT_EQ(seiche_transform_f32(h.plan, SEICHE_FORWARD, nullptr, 64, nullptr, 64), SEICHE_INVALID_PROBLEM);
    seiche_buffer_release(in);
    seiche_buffer_release(out);
    seiche_queue_release(queue);
}

TEST(CApi, EnqueuesCopiesOfHostMemory) {
    Handles h;
    seiche_queue* queue = nullptr;
    seiche_buffer* buffer = nullptr;
    seiche_host_memory* memory = nullptr;
    ASSERT_EQ(seiche_queue_create(h.device, &queue), SEICHE_OK);
    ASSERT_EQ(seiche_buffer_create(h.device, 64, &buffer), SEICHE_OK);
    ASSERT_EQ(seiche_host_memory_create(h.device, 64, &memory), SEICHE_OK);
    auto* text = static_cast<char*>(seiche_host_memory_data(memory));
    ASSERT_NE(text, nullptr);
    std::memset(text, 0, 64);
    std::memcpy(text, "from here to there", 18);
    ASSERT_EQ(seiche_enqueue_upload(queue, buffer, 8, text, 18), SEICHE_OK);
    ASSERT_EQ(seiche_enqueue_download(queue, text + 32, buffer, 13, 4), SEICHE_OK);
    ASSERT_EQ(seiche_queue_wait(queue), SEICHE_OK);
    EXPECT_STREQ(text + 32, "here");
    EXPECT_EQ(seiche_enqueue_upload(queue, buffer, 48, text, 17), SEICHE_INVALID_PROBLEM);
    EXPECT_TRUE(says("the buffer to upload to is too small: expected at least 48 + 17 bytes, got 64"))
        << seiche_last_error();
    EXPECT_EQ(seiche_enqueue_download(queue, nullptr, buffer, 0, 1), SEICHE_INVALID_PROBLEM);
    seiche_host_memory_release(memory);
    EXPECT_EQ(seiche_host_memory_create(nullptr, 64, &memory), SEICHE_INVALID_PROBLEM);
    EXPECT_EQ(memory, nullptr);
    seiche_buffer_release(buffer);
    seiche_queue_release(queue);
}

}  // namespace
