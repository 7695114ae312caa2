// The C interface of devices, queues, events, images, the cache and plans' own values: what C++ has of each.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "seiche/cache.hpp"
#include "seiche/convolution.hpp"
#include "seiche/device.hpp"
#include "seiche/half.hpp"
#include "seiche/interop/reference.h"
#include "seiche/textbook.hpp"
#include "seiche/version.hpp"
#include "seiche/wisdom.hpp"
#include "tests/unit/api/c_handles.hpp"

namespace {

using seiche::Handles;

std::string said() { return seiche_last_error(); }

/// A text that is the caller's, as a string.
std::string taken(char* text) {
    std::string result = text == nullptr ? "" : text;
    seiche_text_release(text);
    return result;
}

TEST(CDevice, InfoLimitsAndNote) {
    Handles h;
    seiche_device_info info = SEICHE_DEVICE_INFO_INIT;
    ASSERT_EQ(seiche_device_get_info(h.device, &info), SEICHE_OK);
    EXPECT_STREQ(info.name, "reference");
    EXPECT_EQ(info.backend, SEICHE_BACKEND_REFERENCE);
    EXPECT_EQ(info.available, 1);
    seiche_device_limits limits = SEICHE_DEVICE_LIMITS_INIT, defaults = SEICHE_DEVICE_LIMITS_INIT;
    ASSERT_EQ(seiche_device_get_limits(h.device, &limits), SEICHE_OK);
    EXPECT_EQ(limits.max_group_size, seiche::Device::open("reference").limits().max_group_size);
    const seiche::DeviceLimits cpp;  // the macro says what C++ says
    EXPECT_EQ(defaults.subgroup_size, cpp.subgroup_size);
    EXPECT_EQ(defaults.shared_bytes_per_unit, cpp.shared_bytes_per_unit);
    EXPECT_EQ(defaults.registers_per_thread, cpp.registers_per_thread);
    EXPECT_EQ(defaults.max_allocation_bytes, cpp.max_allocation_bytes);
    EXPECT_EQ(defaults.memory_bytes, cpp.memory_bytes);
    EXPECT_EQ(defaults.cache_bytes, cpp.cache_bytes);
    EXPECT_EQ(defaults.unit_cache_bytes, cpp.unit_cache_bytes);
    EXPECT_EQ(defaults.shared_banks, cpp.shared_banks);
    EXPECT_EQ(defaults.fp16_arithmetic != 0, cpp.fp16_arithmetic);
    EXPECT_EQ(defaults.waits_for_groups != 0, cpp.waits_for_groups);
    EXPECT_EQ(defaults.bounds_registers != 0, cpp.bounds_registers);
    EXPECT_EQ(defaults.fixed_subgroups != 0, cpp.fixed_subgroups);
    seiche_device* other = nullptr;
    char* note = nullptr;
    ASSERT_EQ(seiche_device_open_with_note("reference", &other, &note), SEICHE_OK);
    EXPECT_STREQ(note, "");
    seiche_text_release(note);
    seiche_device_release(other);
    EXPECT_EQ(seiche_device_open_with_note("no-such", &other, &note), SEICHE_UNSUPPORTED);
    EXPECT_EQ(other, nullptr);
    EXPECT_EQ(note, nullptr);
}

TEST(CDevice, CopiesBatchesAndEvents) {
    Handles h;
    struct User {
        seiche_queue* queue = nullptr;
        seiche_buffer* buffer = nullptr;
        seiche_status answer = SEICHE_OK;
    } user;
    ASSERT_EQ(seiche_queue_create(h.device, &user.queue), SEICHE_OK);
    ASSERT_EQ(seiche_buffer_create(h.device, 32, &user.buffer), SEICHE_OK);
    ASSERT_EQ(seiche_upload(user.queue, user.buffer, 0, "0123456789abcdef0123456789abcdef", 32), SEICHE_OK);
    const auto work = [](void* data) -> seiche_status {
        auto* own = static_cast<User*>(data);
        const seiche_status status = seiche_copy(own->queue, own->buffer, 0, own->buffer, 26, 6);
        return own->answer == SEICHE_OK ? status : own->answer;
    };
    seiche_event *start = nullptr, *stop = nullptr;
    ASSERT_EQ(seiche_queue_record(user.queue, &start), SEICHE_OK) << said();
    ASSERT_EQ(seiche_queue_batch(user.queue, work, &user), SEICHE_OK) << said();
    ASSERT_EQ(seiche_queue_record(user.queue, &stop), SEICHE_OK);
    double milliseconds = -1;
    ASSERT_EQ(seiche_queue_milliseconds(user.queue, start, stop, &milliseconds), SEICHE_OK);
    EXPECT_GE(milliseconds, 0);
    char text[7] = {};
    ASSERT_EQ(seiche_download(user.queue, text, user.buffer, 0, 6), SEICHE_OK);
    EXPECT_STREQ(text, "abcdef");
    user.answer = SEICHE_UNSUPPORTED;
    EXPECT_EQ(seiche_queue_batch(user.queue, work, &user), SEICHE_UNSUPPORTED) << "what the work says";
    EXPECT_EQ(seiche_queue_batch(user.queue, nullptr, &user), SEICHE_INVALID_PROBLEM);
    EXPECT_EQ(seiche_copy(user.queue, user.buffer, 30, user.buffer, 0, 6), SEICHE_INVALID_PROBLEM);
    EXPECT_NE(said().find("the buffer to copy to is too small"), std::string::npos) << said();
    EXPECT_EQ(seiche_queue_milliseconds(user.queue, start, nullptr, &milliseconds), SEICHE_INVALID_PROBLEM);
    seiche_event_release(start);
    seiche_event_release(stop);
    seiche_event_release(nullptr);
    seiche_host_memory* memory = nullptr;
    ASSERT_EQ(seiche_host_memory_create(h.device, 100, &memory), SEICHE_OK);
    EXPECT_EQ(seiche_host_memory_bytes(memory), 100u);
    seiche_host_memory_release(memory);
    seiche_buffer_release(user.buffer);
    seiche_queue_release(user.queue);
}

/// A constant in an image becomes an impulse in another.
TEST(CDevice, ImagesAreArrays) {
    Handles h;
    const std::uint64_t lengths[] = {4, 8};
    seiche_layout image = SEICHE_LAYOUT_INIT;
    image.image = SEICHE_IMAGE_RG32F;
    seiche_problem problem = seiche_problem_default(2, lengths);
    problem.input = problem.output = &image;
    ASSERT_EQ(seiche_plan_create(h.device, &problem, SEICHE_ONLY_FORWARD, &h.plan), SEICHE_OK) << said();
    std::uint64_t width = 0, height = 0;
    ASSERT_EQ(seiche_plan_input_texels(h.plan, 0, &width, &height), SEICHE_OK);
    EXPECT_EQ(width, 8u);
    EXPECT_EQ(height, 4u);
    ASSERT_EQ(seiche_plan_output_texels(h.plan, 0, &width, &height), SEICHE_OK);
    EXPECT_EQ(width, 8u);
    ASSERT_EQ(seiche_plan_workspace_texels(h.plan, 0, &width, &height), SEICHE_OK);
    EXPECT_EQ(seiche_plan_warm_up(h.plan), SEICHE_INVALID_PROBLEM) << "of arrays that are images";
    seiche_queue* queue = nullptr;
    seiche_buffer *in = nullptr, *out = nullptr, *workspace = nullptr;
    seiche_image *from = nullptr, *to = nullptr;
    std::uint64_t bytes = 0;
    ASSERT_EQ(seiche_plan_workspace_bytes(h.plan, 0, &bytes), SEICHE_OK);
    ASSERT_EQ(seiche_queue_create(h.device, &queue), SEICHE_OK);
    ASSERT_EQ(seiche_buffer_create(h.device, 256, &in), SEICHE_OK);
    ASSERT_EQ(seiche_buffer_create(h.device, 256, &out), SEICHE_OK);
    ASSERT_EQ(seiche_buffer_create(h.device, bytes + 8, &workspace), SEICHE_OK);
    ASSERT_EQ(seiche_reference_image(h.device, in, SEICHE_IMAGE_RG32F, 8, 4, &from), SEICHE_OK) << said();
    ASSERT_EQ(seiche_reference_image(h.device, out, SEICHE_IMAGE_RG32F, 8, 4, &to), SEICHE_OK);
    EXPECT_EQ(seiche_image_get_format(from), SEICHE_IMAGE_RG32F);
    EXPECT_EQ(seiche_image_width(from), 8u);
    EXPECT_EQ(seiche_image_height(from), 4u);
    std::vector<float> texels(64);
    for (std::size_t i = 0; i < 64; i += 2) texels[i] = 1;
    ASSERT_EQ(seiche_upload(queue, in, 0, texels.data(), 256), SEICHE_OK);
    seiche_execution execution = SEICHE_EXECUTION_INIT;
    execution.input_image = from;
    execution.output_image = to;
    execution.workspace = workspace;
    ASSERT_EQ(seiche_execute(h.plan, queue, &execution), SEICHE_OK) << said();
    ASSERT_EQ(seiche_download(queue, texels.data(), out, 0, 256), SEICHE_OK);
    for (std::size_t i = 0; i < 64; ++i) EXPECT_NEAR(texels[i], i == 0 ? 32.0F : 0.0F, 1e-5F);
    seiche_image* own = nullptr;
    EXPECT_EQ(seiche_image_create(h.device, SEICHE_IMAGE_R32F, 2, 3, &own), SEICHE_OK) << said();
    seiche_image_release(own);
    EXPECT_EQ(seiche_image_create(h.device, SEICHE_IMAGE_NONE, 2, 3, &own), SEICHE_INVALID_PROBLEM);
    EXPECT_STREQ(seiche_image_format_name(SEICHE_IMAGE_RGBA16F), "rgba16f");
    EXPECT_EQ(seiche_image_format_channels(SEICHE_IMAGE_RGBA16F), 4u);
    EXPECT_EQ(seiche_image_format_texel_bytes(SEICHE_IMAGE_RGBA16F), 8u);
    for (seiche_image* one : {from, to}) seiche_image_release(one);
    for (seiche_buffer* one : {in, out, workspace}) seiche_buffer_release(one);
    seiche_queue_release(queue);
}

TEST(CDevice, CacheAndHalves) {
    seiche_cache_report report = SEICHE_CACHE_REPORT_INIT;
    ASSERT_EQ(seiche_get_cache_report(&report), SEICHE_OK) << said();
    EXPECT_EQ(report.folder, seiche::cache_report().folder);
    EXPECT_EQ(report.writable != 0, seiche::cache_report().writable);
    EXPECT_EQ(report.limit_bytes, seiche::cache_report().limit_bytes);
    EXPECT_EQ(report.problem, seiche::cache_report().problem);
    EXPECT_EQ(report.refused_count, seiche::cache_report().refused.size());
    EXPECT_EQ(seiche_get_cache_report(nullptr), SEICHE_INVALID_PROBLEM);
    EXPECT_EQ(seiche_to_f16(1.5F), seiche::to_f16(1.5F));
    EXPECT_EQ(seiche_from_f16(0x3c00), 1.0F);
    EXPECT_EQ(seiche_to_bf16(1.5F), seiche::to_bf16(1.5F));
    EXPECT_EQ(seiche_from_bf16(0x3f80), 1.0F);
}

TEST(CPlan, GivesItsValues) {
    Handles h;
    const char* text = "6x10 r2c f64 batch=3 forward-scale=1/n signal-zeros=0:4-6";
    seiche_problem* problem = nullptr;
    ASSERT_EQ(seiche_problem_parse(text, &problem), SEICHE_OK) << said();
    EXPECT_EQ(problem->rank, 2u);
    EXPECT_EQ(problem->lengths[1], 10u);
    EXPECT_EQ(problem->kind, SEICHE_R2C);
    ASSERT_EQ(problem->signal_zero_count, 1u);
    EXPECT_EQ(problem->signal_zeros[0].begin, 4u);
    char* again = nullptr;
    ASSERT_EQ(seiche_problem_text(problem, &again), SEICHE_OK) << said();
    EXPECT_EQ(taken(again), to_string(seiche::parse_problem(text)));
    const seiche_stage_buffer window{"window", SEICHE_STAGE_F32, 10};
    seiche_stage load = SEICHE_STAGE_INIT;
    load.text = "return value * window[i1];";
    load.buffers = &window;
    load.buffer_count = 1;
    problem->forward_load = &load;
    seiche_plan_options options = SEICHE_PLAN_OPTIONS_INIT;
    options.directions = SEICHE_ONLY_FORWARD;
    ASSERT_EQ(seiche_plan_create_with_options(h.device, problem, &options, &h.plan), SEICHE_OK) << said();
    seiche_problem_release(problem);
    ASSERT_EQ(seiche_plan_get_problem(h.plan, &problem), SEICHE_OK);
    ASSERT_NE(problem->forward_load, nullptr);
    EXPECT_STREQ(problem->forward_load->text, load.text);
    ASSERT_EQ(problem->forward_load->buffer_count, 1u);
    EXPECT_STREQ(problem->forward_load->buffers[0].name, "window");
    EXPECT_EQ(problem->forward_load->buffers[0].count, 10u);
    EXPECT_EQ(problem->inverse_load, nullptr);
    seiche_problem_release(problem);
    seiche_problem_release(nullptr);
    seiche_device* device = nullptr;
    ASSERT_EQ(seiche_plan_get_device(h.plan, &device), SEICHE_OK);
    EXPECT_STREQ(seiche_device_name(device), "reference");
    seiche_device_release(device);
    EXPECT_EQ(seiche_plan_warm_up(h.plan), SEICHE_OK) << said();
    EXPECT_EQ(seiche_problem_parse("6 c2x", &problem), SEICHE_INVALID_PROBLEM);
    EXPECT_EQ(problem, nullptr);
    EXPECT_EQ(seiche_problem_text(nullptr, &again), SEICHE_INVALID_PROBLEM);
}

/// A c2r has one direction, which need not be said.
TEST(CPlan, TakesTheDirectionThatItHas) {
    Handles h;
    ASSERT_EQ(seiche_plan_create_from_text(h.device, "4 c2r", SEICHE_BOTH, &h.plan), SEICHE_OK) << said();
    const float in[] = {1, 0, 0, 0, 0, 0};
    float out[4] = {};
    ASSERT_EQ(seiche_transform_f32(h.plan, SEICHE_DIRECTION_OF_PLAN, in, 3, out, 4), SEICHE_OK) << said();
    for (const float value : out) EXPECT_EQ(value, 1.0F);
    float again[4] = {};
    ASSERT_EQ(seiche_transform(h.plan, SEICHE_DIRECTION_OF_PLAN, SEICHE_HOST_COMPLEX_F32, in, 3, SEICHE_HOST_F32, again,
                               sizeof again),
              SEICHE_OK)
        << said();
    EXPECT_EQ(std::memcmp(out, again, sizeof out), 0);
    EXPECT_EQ(seiche_transform(h.plan, SEICHE_INVERSE, SEICHE_HOST_F32, in, 3, SEICHE_HOST_F32, again, sizeof again),
              SEICHE_INVALID_PROBLEM);
    EXPECT_EQ(seiche_transform(h.plan, SEICHE_INVERSE, SEICHE_HOST_COMPLEX_F32, in, 3, SEICHE_HOST_F32, again, 15),
              SEICHE_INVALID_PROBLEM);
    EXPECT_NE(said().find("out_bytes: expected at least 16, got 15"), std::string::npos) << said();
    EXPECT_EQ(seiche_transform_f32(h.plan, SEICHE_FORWARD, in, 3, out, 4), SEICHE_INVALID_PROBLEM);
}

TEST(CPlan, NamesAndNumbersOfProblems) {
    seiche_kind kind = SEICHE_C2C;
    std::uint64_t n = 0;
    double value = 0;
    EXPECT_STREQ(seiche_kind_name(SEICHE_DST4), "dst4");
    EXPECT_STREQ(seiche_precision_name(SEICHE_F64X2), "f64x2");
    EXPECT_STREQ(seiche_storage_name(SEICHE_STORAGE_BF16), "bf16");
    EXPECT_STREQ(seiche_stage_type_name(SEICHE_STAGE_U32), "u32");
    EXPECT_STREQ(seiche_status_name(SEICHE_BACKEND_ERROR), "BackendError");
    EXPECT_STREQ(seiche_status_name(SEICHE_MISSING_FUNCTION), "MissingFunction");
    EXPECT_STREQ(seiche_status_name(SEICHE_OK), "OK");
    EXPECT_EQ(seiche_kind_is_real_to_real(SEICHE_DHT), 1);
    EXPECT_EQ(seiche_kind_is_real_to_real(SEICHE_R2C), 0);
    EXPECT_EQ(seiche_stage_type_bytes(SEICHE_STAGE_F64), 8u);
    EXPECT_EQ(seiche_kind_inverse(SEICHE_DCT2, &kind), SEICHE_OK);
    EXPECT_EQ(kind, SEICHE_DCT3);
    EXPECT_EQ(seiche_kind_logical_length(SEICHE_DCT1, 9, &n), SEICHE_OK);
    EXPECT_EQ(n, 16u);
    EXPECT_EQ(seiche_stored_bytes(SEICHE_F64, SEICHE_STORAGE_F32, &n), SEICHE_OK);
    EXPECT_EQ(n, 4u);
    EXPECT_EQ(seiche_scale_value({SEICHE_SCALE_BY_N, 0}, 4, &value), SEICHE_OK);
    EXPECT_EQ(value, 0.25);
}

TEST(CPlan, TuningsWisdomAndRecipes) {
    Handles h;
    char* text = nullptr;
    ASSERT_EQ(seiche_tuning_text("groups-per-cluster=8   passes=256x256", &text), SEICHE_OK);
    EXPECT_EQ(taken(text), to_string(seiche::parse_tuning("groups-per-cluster=8 passes=256x256")));
    EXPECT_EQ(seiche_tuning_text("speed=9", &text), SEICHE_INVALID_PROBLEM);
    const std::uint64_t length = 4096;
    const seiche_problem problem = seiche_problem_default(1, &length);
    seiche_text_list* list = nullptr;
    ASSERT_EQ(seiche_candidate_tunings(&problem, nullptr, &list), SEICHE_OK) << said();
    const auto candidates = seiche::candidate_tunings(seiche::parse_problem("4096"), {});
    ASSERT_EQ(seiche_text_list_count(list), candidates.size());
    EXPECT_EQ(seiche_text_list_get(list, candidates.size() - 1), to_string(candidates.back()));
    EXPECT_EQ(seiche_text_list_get(list, candidates.size()), nullptr);
    seiche_text_list_release(list);

    seiche_wisdom* wisdom = nullptr;
    ASSERT_EQ(seiche_wisdom_parse(nullptr, &wisdom), SEICHE_OK);
    seiche_wisdom_entry entry = SEICHE_WISDOM_ENTRY_INIT;
    EXPECT_EQ(seiche_wisdom_set(wisdom, &entry), SEICHE_INVALID_PROBLEM) << "of no device";
    entry.device = seiche_device_description(h.device);
    entry.version = seiche_version();
    entry.problem = "4096 c2c f32";
    entry.tuning = "passes=64x64";
    entry.milliseconds = 0.5;
    ASSERT_EQ(seiche_wisdom_set(wisdom, &entry), SEICHE_OK) << said();
    std::size_t index = 7;
    ASSERT_EQ(seiche_wisdom_index_exactly(wisdom, h.device, &problem, &index), SEICHE_OK) << said();
    EXPECT_EQ(index, 0u);
    ASSERT_EQ(seiche_wisdom_text(wisdom, &text), SEICHE_OK);
    const std::string kept = taken(text);
    seiche_wisdom_release(wisdom);
    ASSERT_EQ(seiche_wisdom_parse(kept.c_str(), &wisdom), SEICHE_OK);
    ASSERT_EQ(seiche_wisdom_count(wisdom), 1u);
    seiche_problem batched = problem;
    batched.batch = 5;
    ASSERT_EQ(seiche_wisdom_index(wisdom, h.device, &batched, &index), SEICHE_OK);
    EXPECT_EQ(index, 0u);
    ASSERT_EQ(seiche_wisdom_index_exactly(wisdom, h.device, &batched, &index), SEICHE_OK);
    EXPECT_EQ(index, SIZE_MAX);
    ASSERT_EQ(seiche_wisdom_get(wisdom, 0, &entry), SEICHE_OK);
    EXPECT_STREQ(entry.tuning, "passes=64x64");
    EXPECT_EQ(entry.milliseconds, 0.5);
    EXPECT_EQ(seiche_wisdom_get(wisdom, 1, &entry), SEICHE_INVALID_PROBLEM);
    seiche_wisdom_release(wisdom);

    const auto recipes = seiche::textbook_recipes();
    ASSERT_EQ(seiche_textbook_recipe_count(), recipes.size());
    seiche_textbook_recipe recipe = SEICHE_TEXTBOOK_RECIPE_INIT;
    ASSERT_EQ(seiche_textbook_recipe_get(recipes.size() - 1, &recipe), SEICHE_OK);
    EXPECT_EQ(recipe.name, recipes.back().name);
    EXPECT_EQ(recipe.description, recipes.back().description);
    EXPECT_EQ(seiche_textbook_recipe_get(recipes.size(), &recipe), SEICHE_INVALID_PROBLEM);
}

TEST(CPlan, ConvolutionsGiveTheirValues) {
    Handles h;
    seiche_convolution* convolution = nullptr;
    ASSERT_EQ(seiche_convolution_parse("20x9 * 3x4 same outputs=2", &convolution), SEICHE_OK) << said();
    char* text = nullptr;
    ASSERT_EQ(seiche_convolution_text(convolution, &text), SEICHE_OK);
    EXPECT_EQ(taken(text), to_string(seiche::parse_convolution("20x9 * 3x4 same outputs=2")));
    std::uint64_t kernels = 0;
    ASSERT_EQ(seiche_convolution_kernel_count(convolution, &kernels), SEICHE_OK);
    EXPECT_EQ(kernels, 2u);
    seiche_convolution_plan* plan = nullptr;
    ASSERT_EQ(seiche_convolution_plan_create_tuned(h.device, convolution, "", &plan), SEICHE_OK) << said();
    seiche_convolution_release(convolution);
    ASSERT_EQ(seiche_convolution_plan_get_convolution(plan, &convolution), SEICHE_OK);
    EXPECT_EQ(convolution->outputs, 2u);
    EXPECT_EQ(convolution->kernel[1], 4u);
    const seiche::ConvolutionPlan expected(seiche::Device::open("reference"),
                                           seiche::parse_convolution("20x9 * 3x4 same outputs=2"));
    std::uint64_t lengths[2] = {};
    std::size_t count = 0;
    ASSERT_EQ(seiche_convolution_plan_padded_lengths(plan, lengths, 2, &count), SEICHE_OK);
    EXPECT_EQ(std::vector<std::uint64_t>(lengths, lengths + count), expected.padded_lengths());
    seiche_report* report = nullptr;
    ASSERT_EQ(seiche_convolution_plan_get_report(plan, &report), SEICHE_OK);
    EXPECT_STREQ(seiche_report_text(report), seiche_convolution_plan_report(plan));
    seiche_report_release(report);
    ASSERT_EQ(seiche_convolution_inspect(convolution, nullptr, nullptr, &report), SEICHE_OK) << said();
    seiche_report_release(report);
    seiche_analysis* analysis = nullptr;
    ASSERT_EQ(seiche_convolution_analyse(convolution, nullptr, nullptr, &analysis), SEICHE_OK) << said();
    EXPECT_GT(seiche_analysis_count(analysis), 0u);
    seiche_analysis_release(analysis);
    const std::vector<float> x(180, 1.0F), k(24, 1.0F);
    std::vector<float> y(360);
    ASSERT_EQ(seiche_convolve(plan, SEICHE_HOST_F32, x.data(), 180, SEICHE_HOST_F32, k.data(), 24, y.data(), 1440),
              SEICHE_OK)
        << said();
    EXPECT_NEAR(y[10 * 9 + 4], 12.0F, 1e-4F);
    EXPECT_EQ(seiche_convolve(plan, SEICHE_HOST_F32, x.data(), 180, SEICHE_HOST_F32, k.data(), 24, y.data(), 1439),
              SEICHE_INVALID_PROBLEM);
    seiche_device* device = nullptr;
    ASSERT_EQ(seiche_convolution_plan_get_device(plan, &device), SEICHE_OK);
    seiche_device_release(device);
    seiche_convolution_release(convolution);
    seiche_convolution_plan_release(plan);
}

}  // namespace
