/* Numbers that no enumeration has, as C may give them: C++ may not so much as load one. */
#include "odd_numbers.h"

#include <string.h>

#define EXPECT(condition) \
    if (!(condition)) return __LINE__

static int is_unknown(const char* name) { return strcmp(name, "unknown") == 0; }

int odd_names(int odd) {
    seiche_kind kind = SEICHE_C2C;
    uint64_t n = 0;
    EXPECT(is_unknown(seiche_backend_name((seiche_backend)odd)));
    EXPECT(is_unknown(seiche_kind_name((seiche_kind)odd)));
    EXPECT(is_unknown(seiche_precision_name((seiche_precision)odd)));
    EXPECT(is_unknown(seiche_storage_name((seiche_storage)odd)));
    EXPECT(is_unknown(seiche_stage_type_name((seiche_stage_type)odd)));
    EXPECT(is_unknown(seiche_status_name((seiche_status)odd)));
    EXPECT(is_unknown(seiche_dialect_name((seiche_dialect)odd)));
    EXPECT(is_unknown(seiche_image_format_name((seiche_image_format)odd)));
    EXPECT(is_unknown(seiche_memory_level_name((seiche_memory_level)odd)));
    EXPECT(is_unknown(seiche_convolution_mode_name((seiche_convolution_mode)odd)));
    EXPECT(is_unknown(seiche_norm_name((seiche_norm)odd)));
    EXPECT(seiche_image_format_channels((seiche_image_format)odd) == 0);
    EXPECT(seiche_image_format_texel_bytes((seiche_image_format)odd) == 0);
    EXPECT(seiche_stage_type_bytes((seiche_stage_type)odd) == 0);
    EXPECT(seiche_kind_is_real_to_real((seiche_kind)odd) == 0);
    EXPECT(seiche_dialect_is_text((seiche_dialect)odd) == 0);
    EXPECT(seiche_kind_inverse((seiche_kind)odd, &kind) == SEICHE_INVALID_PROBLEM);
    EXPECT(seiche_kind_logical_length((seiche_kind)odd, 8, &n) == SEICHE_INVALID_PROBLEM);
    EXPECT(seiche_stored_bytes((seiche_precision)odd, SEICHE_STORAGE_SAME, &n) == SEICHE_INVALID_PROBLEM);
    EXPECT(seiche_stored_bytes(SEICHE_F32, (seiche_storage)odd, &n) == SEICHE_INVALID_PROBLEM);
    return 0;
}

int odd_problems(const seiche_device* device, int odd) {
    const uint64_t lengths[] = {8};
    const seiche_problem whole = seiche_problem_default(1, lengths);
    seiche_layout layout = SEICHE_LAYOUT_INIT;
    seiche_plan* plan = NULL;
    seiche_emission* emission = NULL;
    seiche_image* image = NULL;
    double value = 0;
    seiche_scale scale = {SEICHE_SCALE_NONE, 1};
#define EXPECT_REFUSED(type, member)                                                                \
    {                                                                                               \
        seiche_problem problem = whole;                                                             \
        problem.member = (type)odd;                                                                 \
        EXPECT(seiche_plan_create(device, &problem, SEICHE_BOTH, &plan) == SEICHE_INVALID_PROBLEM); \
        EXPECT(strstr(seiche_last_error(), #member) != NULL);                                       \
    }
    EXPECT_REFUSED(seiche_kind, kind)
    EXPECT_REFUSED(seiche_precision, precision)
    EXPECT_REFUSED(seiche_storage, storage)
    EXPECT_REFUSED(seiche_placement, placement)
    EXPECT_REFUSED(seiche_spectrum_order, spectrum_order)
    EXPECT_REFUSED(seiche_scale_rule, forward_scale.rule)
    EXPECT_REFUSED(seiche_scale_rule, inverse_scale.rule) {
        const seiche_kind kinds[] = {(seiche_kind)odd};
        seiche_problem problem = whole;
        problem.axis_kinds = kinds;
        EXPECT(seiche_plan_create(device, &problem, SEICHE_BOTH, &plan) == SEICHE_INVALID_PROBLEM);
        problem = whole;
        layout.image = (seiche_image_format)odd;
        problem.output = &layout;
        EXPECT(seiche_plan_create(device, &problem, SEICHE_BOTH, &plan) == SEICHE_INVALID_PROBLEM);
    }
    EXPECT(seiche_plan_create(device, &whole, (seiche_directions)odd, &plan) == SEICHE_INVALID_PROBLEM);
    EXPECT(seiche_plan_create_from_text(device, "8", (seiche_directions)odd, &plan) == SEICHE_INVALID_PROBLEM);
    EXPECT(seiche_emit_kernels(&whole, (seiche_dialect)odd, NULL, SEICHE_FORWARD, NULL, &emission) ==
           SEICHE_INVALID_PROBLEM);
    EXPECT(seiche_image_create(device, (seiche_image_format)odd, 4, 4, &image) == SEICHE_INVALID_PROBLEM);
    {
        seiche_problem problem = whole;
        EXPECT(seiche_problem_set_norm(&problem, (seiche_norm)odd) == SEICHE_INVALID_PROBLEM);
    }
    scale.rule = (seiche_scale_rule)odd;
    EXPECT(seiche_scale_value(scale, 4, &value) == SEICHE_INVALID_PROBLEM);
    EXPECT(plan == NULL && emission == NULL && image == NULL);
    return 0;
}

int odd_transforms(const seiche_plan* plan, seiche_queue* queue, int odd) {
    float numbers[16] = {0};
    seiche_execution execution = SEICHE_EXECUTION_INIT;
    EXPECT(seiche_transform_f32(plan, (seiche_direction)odd, numbers, 8, numbers, 8) == SEICHE_INVALID_PROBLEM);
    EXPECT(seiche_transform(plan, SEICHE_FORWARD, (seiche_host_element)odd, numbers, 8, SEICHE_HOST_COMPLEX_F32,
                            numbers, 64) == SEICHE_INVALID_PROBLEM);
    EXPECT(seiche_transform(plan, SEICHE_FORWARD, SEICHE_HOST_COMPLEX_F32, numbers, 8, (seiche_host_element)odd,
                            numbers, 64) == SEICHE_INVALID_PROBLEM);
    execution.direction = (seiche_direction)odd;
    EXPECT(seiche_execute(plan, queue, &execution) == SEICHE_INVALID_PROBLEM);
    EXPECT(strstr(seiche_last_error(), "execution.direction") != NULL);
    return 0;
}
