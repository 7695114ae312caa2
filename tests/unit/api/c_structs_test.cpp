// Structs of the C interface that carry their size: no padding at their ends, defaults beyond a caller's size, nothing
// written beyond it; and what C may get wrong: counts without arrays, numbers that no enumeration has.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

#include "seiche/interop/level_zero.h"
#include "seiche/interop/vulkan.h"
#include "tests/unit/api/c_handles.hpp"
#include "tests/unit/api/odd_numbers.h"

namespace {

using seiche::Handles;

std::string said() { return seiche_last_error(); }

/// A member put into padding at the end would be taken for the caller's, whatever that held.
#define SEICHE_ENDS_WITH(type, member)                         \
    static_assert(offsetof(seiche_##type, struct_size) == 0 && \
                  offsetof(seiche_##type, member) + sizeof(seiche_##type::member) == sizeof(seiche_##type))
SEICHE_ENDS_WITH(device_limits, unit_cache_bytes);
SEICHE_ENDS_WITH(device_info, remedy);
SEICHE_ENDS_WITH(cache_report, refused_count);
SEICHE_ENDS_WITH(layout, image_width);
SEICHE_ENDS_WITH(stage_function, host);
SEICHE_ENDS_WITH(stage, function);
SEICHE_ENDS_WITH(problem, inverse_store);
SEICHE_ENDS_WITH(report_summary, loaded);
SEICHE_ENDS_WITH(kernel_report, instructions);
SEICHE_ENDS_WITH(analysis_report, reserved);
SEICHE_ENDS_WITH(flow_node, reserved);
SEICHE_ENDS_WITH(flow_step, lines);
SEICHE_ENDS_WITH(kernel_flow, reserved);
SEICHE_ENDS_WITH(explanation_summary, reserved);
SEICHE_ENDS_WITH(plan_options, tuning);
SEICHE_ENDS_WITH(execution, store_pointer);
SEICHE_ENDS_WITH(wisdom_entry, untuned_milliseconds);
SEICHE_ENDS_WITH(textbook_recipe, description);
SEICHE_ENDS_WITH(convolution, block);
SEICHE_ENDS_WITH(convolution_preparation, workspace_offset);
SEICHE_ENDS_WITH(convolution_execution, batch);
SEICHE_ENDS_WITH(short_time_problem, batch);
SEICHE_ENDS_WITH(short_time_execution, batch);
SEICHE_ENDS_WITH(spectral_problem, reserved);
SEICHE_ENDS_WITH(spectral_execution, sums_offset);
SEICHE_ENDS_WITH(emitted_kernel, reserved);
SEICHE_ENDS_WITH(emitted_buffer, reserved);
SEICHE_ENDS_WITH(emitted_scalar, reserved);
SEICHE_ENDS_WITH(emitted_image, binding);
SEICHE_ENDS_WITH(device_function_info, twiddle_bytes);
SEICHE_ENDS_WITH(level_zero_native_device, device);
SEICHE_ENDS_WITH(vulkan_native_device, reserved);

/// The function and the macro say the same, and the function stays within the size that it is given.
template <class T>
void expect_started(const T& macro, void (*init)(T*, std::size_t), const char* name) {
    SCOPED_TRACE(name);
    T value;
    std::memset(static_cast<void*>(&value), 0x5a, sizeof value);
    init(&value, sizeof value);
    EXPECT_EQ(std::memcmp(&value, &macro, sizeof(std::size_t)), 0);
    EXPECT_EQ(value.struct_size, sizeof(T));
    // A newer caller's struct is longer: what is beyond is 0.
    struct {
        T known;
        std::uint64_t more;
        std::uint64_t beyond;
    } longer;
    std::memset(static_cast<void*>(&longer), 0x5a, sizeof longer);
    init(&longer.known, sizeof(T) + 8);
    EXPECT_EQ(longer.known.struct_size, sizeof(T) + 8);
    EXPECT_EQ(longer.more, 0u);
    EXPECT_EQ(longer.beyond, 0x5a5a5a5a5a5a5a5au);
    // An older one's is shorter.
    std::memset(static_cast<void*>(&longer), 0x5a, sizeof longer);
    init(&longer.known, sizeof(T) - 4);
    const auto* bytes = reinterpret_cast<const unsigned char*>(&longer);
    for (std::size_t i = sizeof(T) - 4; i < sizeof longer; ++i) ASSERT_EQ(bytes[i], 0x5a) << i;
    init(nullptr, sizeof(T));
    init(&longer.known, 3);
}

TEST(CStructs, AreStartedWithinTheirSize){
#define SEICHE_EXPECT_STARTED(type, MACRO)                  \
    {                                                       \
        const seiche_##type macro = SEICHE_##MACRO##_INIT;  \
        expect_started(macro, seiche_##type##_init, #type); \
    }
    SEICHE_EXPECT_STARTED(device_limits, DEVICE_LIMITS) SEICHE_EXPECT_STARTED(
        device_info, DEVICE_INFO) SEICHE_EXPECT_STARTED(stage_function, STAGE_FUNCTION)
        SEICHE_EXPECT_STARTED(cache_report, CACHE_REPORT) SEICHE_EXPECT_STARTED(layout, LAYOUT) SEICHE_EXPECT_STARTED(
            stage, STAGE) SEICHE_EXPECT_STARTED(problem, PROBLEM) SEICHE_EXPECT_STARTED(report_summary, REPORT_SUMMARY)
            SEICHE_EXPECT_STARTED(kernel_report, KERNEL_REPORT) SEICHE_EXPECT_STARTED(analysis_report, ANALYSIS_REPORT)
                SEICHE_EXPECT_STARTED(flow_node, FLOW_NODE) SEICHE_EXPECT_STARTED(flow_step, FLOW_STEP)
                    SEICHE_EXPECT_STARTED(kernel_flow, KERNEL_FLOW) SEICHE_EXPECT_STARTED(explanation_summary,
                                                                                          EXPLANATION_SUMMARY)
                        SEICHE_EXPECT_STARTED(plan_options, PLAN_OPTIONS) SEICHE_EXPECT_STARTED(execution, EXECUTION)
                            SEICHE_EXPECT_STARTED(wisdom_entry, WISDOM_ENTRY) SEICHE_EXPECT_STARTED(textbook_recipe,
                                                                                                    TEXTBOOK_RECIPE)
                                SEICHE_EXPECT_STARTED(convolution, CONVOLUTION)
                                    SEICHE_EXPECT_STARTED(convolution_preparation, CONVOLUTION_PREPARATION)
                                        SEICHE_EXPECT_STARTED(convolution_execution, CONVOLUTION_EXECUTION)
                                            SEICHE_EXPECT_STARTED(spectral_problem, SPECTRAL_PROBLEM)
                                                SEICHE_EXPECT_STARTED(spectral_execution, SPECTRAL_EXECUTION)
                                                    SEICHE_EXPECT_STARTED(emitted_kernel, EMITTED_KERNEL)
                                                        SEICHE_EXPECT_STARTED(emitted_buffer, EMITTED_BUFFER)
                                                            SEICHE_EXPECT_STARTED(emitted_scalar, EMITTED_SCALAR)
                                                                SEICHE_EXPECT_STARTED(emitted_image, EMITTED_IMAGE)
                                                                    SEICHE_EXPECT_STARTED(device_function_info,
                                                                                          DEVICE_FUNCTION_INFO)
                                                                        SEICHE_EXPECT_STARTED(level_zero_native_device,
                                                                                              LEVEL_ZERO_NATIVE_DEVICE)
                                                                            SEICHE_EXPECT_STARTED(vulkan_native_device,
                                                                                                  VULKAN_NATIVE_DEVICE)}

std::string text_of(const seiche_problem& problem) {
    char* text = nullptr;
    if (seiche_problem_text(&problem, &text) != SEICHE_OK) return said();
    std::string result = text;
    seiche_text_release(text);
    return result;
}

TEST(CStructs, MembersBeyondTheCallersSizeAreDefaults) {
    const std::uint64_t lengths[] = {8};
    seiche_problem problem = seiche_problem_default(1, lengths);
    problem.batch = 3;
    problem.spectrum_order = SEICHE_ORDER_PASS;
    problem.may_overwrite_input = 1;
    EXPECT_EQ(text_of(problem), "8 c2c f32 batch=3 spectrum-order=pass overwrite-input");
    problem.struct_size = offsetof(seiche_problem, may_overwrite_input);
    EXPECT_EQ(text_of(problem), "8 c2c f32 batch=3 spectrum-order=pass");
    problem.struct_size = offsetof(seiche_problem, batch);
    EXPECT_EQ(text_of(problem), "8 c2c f32");
    seiche_device_limits limits = SEICHE_DEVICE_LIMITS_INIT;
    limits.subgroup_size = 0;  // not looked at
    limits.struct_size = offsetof(seiche_device_limits, vectors);
    seiche_report* report = nullptr;
    problem.struct_size = sizeof problem;
    EXPECT_EQ(seiche_inspect(&problem, &limits, nullptr, &report), SEICHE_OK) << said();
    seiche_report_release(report);
}

TEST(CStructs, MembersThatTheLibraryDoesNotKnowMustBeZero) {
    const std::uint64_t lengths[] = {8};
    struct {
        seiche_problem known;
        std::uint64_t more;
    } newer = {seiche_problem_default(1, lengths), 0};
    newer.known.struct_size = sizeof newer;
    EXPECT_EQ(text_of(newer.known), "8 c2c f32");
    newer.more = 1;
    EXPECT_NE(text_of(newer.known).find("InvalidProblem: problem: expected zero in all members beyond byte"),
              std::string::npos)
        << text_of(newer.known);
    for (const std::size_t size :
         {std::size_t{0}, std::size_t{7}, std::size_t{13}, sizeof newer - 1, std::size_t{5000}, SIZE_MAX}) {
        newer.known.struct_size = size;
        EXPECT_NE(text_of(newer.known).find("problem.struct_size: expected the size of the struct"), std::string::npos)
            << text_of(newer.known);
    }
}

TEST(CStructs, FillsNoMoreThanTheCallerHas) {
    Handles h;
    ASSERT_EQ(seiche_plan_create_from_text(h.device, "12", SEICHE_BOTH, &h.plan), SEICHE_OK);
    seiche_report* report = nullptr;
    ASSERT_EQ(seiche_plan_get_report(h.plan, &report), SEICHE_OK);
    std::array<unsigned char, sizeof(seiche_report_summary) + 16> bytes;
    for (const std::size_t size :
         {sizeof(seiche_report_summary) - 8, sizeof(seiche_report_summary), sizeof(seiche_report_summary) + 8}) {
        bytes.fill(0xa5);
        std::memcpy(bytes.data(), &size, sizeof size);
        ASSERT_EQ(seiche_report_get(report, reinterpret_cast<seiche_report_summary*>(bytes.data())), SEICHE_OK);
        for (std::size_t i = size; i < bytes.size(); ++i) ASSERT_EQ(bytes[i], 0xa5) << size << " " << i;
        std::size_t kernels = 0;
        std::memcpy(&kernels, bytes.data() + offsetof(seiche_report_summary, kernel_count), sizeof kernels);
        EXPECT_EQ(kernels, 2u);
        for (std::size_t i = sizeof(seiche_report_summary); i < size; ++i) EXPECT_EQ(bytes[i], 0u);
    }
    seiche_report_summary unset;
    std::memset(&unset, 0, sizeof unset);
    EXPECT_EQ(seiche_report_get(report, &unset), SEICHE_INVALID_PROBLEM);
    EXPECT_EQ(seiche_report_get(report, nullptr), SEICHE_INVALID_PROBLEM);
    seiche_report_release(report);
}

TEST(CStructs, NormsAreWrittenWhereThereIsRoom) {
    const std::uint64_t lengths[] = {8};
    seiche_problem problem = seiche_problem_default(1, lengths);
    EXPECT_EQ(seiche_problem_set_norm(&problem, SEICHE_NORM_BACKWARD), SEICHE_OK);
    EXPECT_EQ(problem.inverse_scale.rule, SEICHE_SCALE_BY_N);
    EXPECT_STREQ(seiche_norm_name(SEICHE_NORM_ORTHO), "ortho");
    problem.struct_size = offsetof(seiche_problem, inverse_scale);
    EXPECT_EQ(seiche_problem_set_norm(&problem, SEICHE_NORM_FORWARD), SEICHE_INVALID_PROBLEM);
    EXPECT_EQ(problem.inverse_scale.rule, SEICHE_SCALE_BY_N);
}

TEST(CStructs, CountsWithoutArraysAreRefused) {
    const std::uint64_t lengths[] = {8};
    const auto refused = [&](const char* what, void (*change)(seiche_problem&)) {
        seiche_problem problem = seiche_problem_default(1, lengths);
        change(problem);
        const std::string text = text_of(problem);
        EXPECT_NE(text.find("InvalidProblem: "), std::string::npos) << text;
        EXPECT_NE(text.find(what), std::string::npos) << text;
    };
    refused("problem.lengths: expected a pointer", [](seiche_problem& p) { p.lengths = nullptr; });
    refused("problem.axes: expected a pointer to 2 elements, got NULL", [](seiche_problem& p) { p.axis_count = 2; });
    refused("problem.signal_zeros", [](seiche_problem& p) { p.signal_zero_count = 1; });
    refused("problem.spectrum_zeros", [](seiche_problem& p) { p.spectrum_zero_count = SIZE_MAX; });
    refused("problem.lengths: expected at most 64 elements", [](seiche_problem& p) { p.rank = SIZE_MAX / 8; });
    static const int axis = 0;
    refused("problem.axes: expected at most 64", [](seiche_problem& p) {
        p.axes = &axis;
        p.axis_count = std::size_t{1} << 40;
    });
    static const seiche_stage no_buffers = {sizeof no_buffers, "return value;", nullptr, 3, nullptr, 0, nullptr};
    static const seiche_stage no_scalars = {sizeof no_scalars, "return value;", nullptr, 0, nullptr, 3, nullptr};
    static const seiche_stage_function no_code = {sizeof no_code, "f", nullptr, 9, nullptr};
    static const seiche_stage of_no_code = {sizeof of_no_code, nullptr, nullptr, 0, nullptr, 0, &no_code};
    refused("problem.forward_store.function.code: expected a pointer",
            [](seiche_problem& p) { p.forward_store = &of_no_code; });
    refused("problem.forward_load.buffers", [](seiche_problem& p) { p.forward_load = &no_buffers; });
    refused("problem.inverse_store.scalars", [](seiche_problem& p) { p.inverse_store = &no_scalars; });
}

TEST(CStructs, CountsWithoutArraysOfAnExecutionAreRefused) {
    Handles h;
    ASSERT_EQ(seiche_plan_create_from_text(h.device, "8", SEICHE_BOTH, &h.plan), SEICHE_OK);
    seiche_queue* queue = nullptr;
    ASSERT_EQ(seiche_queue_create(h.device, &queue), SEICHE_OK);
    std::size_t seiche_execution::*const counts[] = {
        &seiche_execution::stage_buffer_count,         &seiche_execution::stage_scalar_count,
        &seiche_execution::input_part_count,           &seiche_execution::output_part_count,
        &seiche_execution::input_imaginary_part_count, &seiche_execution::output_imaginary_part_count,
        &seiche_execution::workspace_part_count};
    for (const auto count : counts)
        for (const std::size_t number : {std::size_t{1}, SIZE_MAX}) {
            seiche_execution execution = SEICHE_EXECUTION_INIT;
            execution.*count = number;
            EXPECT_EQ(seiche_execute(h.plan, queue, &execution), SEICHE_INVALID_PROBLEM);
            EXPECT_NE(said().find(number == 1 ? "expected a pointer to 1 element," : "expected at most"),
                      std::string::npos)
                << said();
        }
    float number = 0;
    EXPECT_EQ(seiche_transform_f32(h.plan, SEICHE_FORWARD, nullptr, 8, &number, 8), SEICHE_INVALID_PROBLEM);
    EXPECT_EQ(seiche_transform_f32(h.plan, SEICHE_FORWARD, &number, 8, nullptr, 8), SEICHE_INVALID_PROBLEM);
    EXPECT_EQ(seiche_pack_kernels(nullptr, 2, nullptr, nullptr), SEICHE_INVALID_PROBLEM);
    EXPECT_EQ(seiche_upload(queue, nullptr, 0, nullptr, 8), SEICHE_INVALID_PROBLEM);
    seiche_buffer* buffer = nullptr;
    ASSERT_EQ(seiche_buffer_create(h.device, 8, &buffer), SEICHE_OK);
    EXPECT_EQ(seiche_upload(queue, buffer, 0, nullptr, 8), SEICHE_INVALID_PROBLEM);
    EXPECT_EQ(seiche_upload(queue, buffer, 0, nullptr, 0), SEICHE_OK) << "nothing, from nowhere";
    EXPECT_EQ(seiche_download(queue, nullptr, buffer, 0, 8), SEICHE_INVALID_PROBLEM);
    seiche_buffer_release(buffer);
    seiche_queue_release(queue);
}

TEST(CStructs, NumbersThatNoEnumerationHasAreRefused) {
    Handles h;
    seiche_queue* queue = nullptr;
    ASSERT_EQ(seiche_plan_create_from_text(h.device, "8", SEICHE_BOTH, &h.plan), SEICHE_OK);
    ASSERT_EQ(seiche_queue_create(h.device, &queue), SEICHE_OK);
    for (const int odd : {-1, 99, INT32_MAX, INT32_MIN}) {
        EXPECT_EQ(odd_names(odd), 0) << odd << said();
        EXPECT_EQ(odd_problems(h.device, odd), 0) << odd << said();
        EXPECT_EQ(odd_transforms(h.plan, queue, odd), 0) << odd << said();
    }
    seiche_queue_release(queue);
}

}  // namespace
