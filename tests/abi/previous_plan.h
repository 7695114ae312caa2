/* The C interface as a program had it that was built before the last member of each struct was added: never to be
 * changed with the headers. tests/abi runs such a program with the library of today. */
#ifndef SEICHE_PREVIOUS_PLAN_H
#define SEICHE_PREVIOUS_PLAN_H

#include "previous_device.h"
typedef struct seiche_plan seiche_plan;
typedef enum seiche_directions { SEICHE_BOTH = 0, SEICHE_ONLY_FORWARD = 1, SEICHE_ONLY_INVERSE = 2 } seiche_directions;
typedef struct seiche_plan_options {
    size_t struct_size;
    seiche_directions directions;
    int reserved;
} seiche_plan_options;
#define SEICHE_PLAN_OPTIONS_INIT \
    { sizeof(seiche_plan_options), SEICHE_BOTH, 0 }
void seiche_plan_options_init(seiche_plan_options* options, size_t struct_size);
seiche_status seiche_plan_create(const seiche_device* device, const seiche_problem* problem,
                                 seiche_directions directions, seiche_plan** plan);
seiche_status seiche_plan_create_with_options(const seiche_device* device, const seiche_problem* problem,
                                              const seiche_plan_options* options, seiche_plan** plan);
seiche_status seiche_plan_create_from_text(const seiche_device* device, const char* problem,
                                           seiche_directions directions, seiche_plan** plan);
seiche_status seiche_plan_create_tuned(const seiche_device* device, const char* problem, const char* tuning,
                                       seiche_directions directions, seiche_plan** plan);
void seiche_plan_release(seiche_plan* plan);
seiche_status seiche_plan_save(const seiche_plan* plan, unsigned char** bytes, size_t* count);
seiche_status seiche_plan_load(const seiche_device* device, const void* bytes, size_t count, seiche_plan** plan);
const char* seiche_plan_replanned(const seiche_plan* plan);
seiche_status seiche_plan_input_bytes(const seiche_plan* plan, uint64_t batch, uint64_t* bytes);
seiche_status seiche_plan_output_bytes(const seiche_plan* plan, uint64_t batch, uint64_t* bytes);
seiche_status seiche_plan_workspace_bytes(const seiche_plan* plan, uint64_t batch, uint64_t* bytes);
seiche_status seiche_plan_input_part_bytes(const seiche_plan* plan, uint64_t batch, uint64_t* bytes, size_t capacity,
                                           size_t* count);
seiche_status seiche_plan_output_part_bytes(const seiche_plan* plan, uint64_t batch, uint64_t* bytes, size_t capacity,
                                            size_t* count);
seiche_status seiche_plan_workspace_part_bytes(const seiche_plan* plan, uint64_t batch, uint64_t* bytes,
                                               size_t capacity, size_t* count);
seiche_status seiche_plan_input_texels(const seiche_plan* plan, uint64_t batch, uint64_t* width, uint64_t* height);
seiche_status seiche_plan_output_texels(const seiche_plan* plan, uint64_t batch, uint64_t* width, uint64_t* height);
seiche_status seiche_plan_workspace_texels(const seiche_plan* plan, uint64_t batch, uint64_t* width, uint64_t* height);
seiche_status seiche_plan_spectrum_index(const seiche_plan* plan, int axis, uint64_t position, uint64_t* index);
const char* seiche_plan_report(const seiche_plan* plan);
seiche_status seiche_plan_get_report(const seiche_plan* plan, seiche_report** report);
seiche_status seiche_plan_get_problem(const seiche_plan* plan, seiche_problem** problem);
seiche_status seiche_plan_get_device(const seiche_plan* plan, seiche_device** device);
typedef struct seiche_stage_memory {
    const char* name;
    const seiche_buffer* buffer;
    uint64_t offset;
} seiche_stage_memory;
typedef struct seiche_stage_value {
    const char* name;
    double value;
} seiche_stage_value;
typedef struct seiche_execution {
    size_t struct_size;
    seiche_direction direction;
    int reserved;
    const seiche_buffer* input;
    uint64_t input_offset;
    const seiche_buffer* output;
    uint64_t output_offset;
    const seiche_buffer* workspace;
    uint64_t workspace_offset;
    uint64_t batch;
    const seiche_buffer* input_imaginary;
    uint64_t input_imaginary_offset;
    const seiche_buffer* output_imaginary;
    uint64_t output_imaginary_offset;
    const seiche_stage_memory* stage_buffers;
    size_t stage_buffer_count;
    const seiche_stage_value* stage_scalars;
    size_t stage_scalar_count;
    const seiche_buffer_part* input_parts;
    size_t input_part_count;
    const seiche_buffer_part* output_parts;
    size_t output_part_count;
    const seiche_buffer_part* input_imaginary_parts;
    size_t input_imaginary_part_count;
    const seiche_buffer_part* output_imaginary_parts;
    size_t output_imaginary_part_count;
    const seiche_buffer_part* workspace_parts;
    size_t workspace_part_count;
    const seiche_image* input_image;
    const seiche_image* output_image;
} seiche_execution;
#define SEICHE_EXECUTION_INIT                                                                                        \
    {                                                                                                                \
        sizeof(seiche_execution), SEICHE_DIRECTION_OF_PLAN, 0, NULL, 0, NULL, 0, NULL, 0, 0, NULL, 0, NULL, 0, NULL, \
            0, NULL, 0, NULL, 0, NULL, 0, NULL, 0, NULL, 0, NULL, 0, NULL, NULL                                      \
    }
void seiche_execution_init(seiche_execution* execution, size_t struct_size);
seiche_status seiche_execute(const seiche_plan* plan, seiche_queue* queue, const seiche_execution* execution);
seiche_status seiche_plan_warm_up(const seiche_plan* plan);
seiche_status seiche_transform_f32(const seiche_plan* plan, seiche_direction direction, const float* in, size_t count,
                                   float* out, size_t capacity);
seiche_status seiche_transform_f64(const seiche_plan* plan, seiche_direction direction, const double* in, size_t count,
                                   double* out, size_t capacity);
typedef struct seiche_f64x2 {
    double hi, lo;
} seiche_f64x2;
seiche_status seiche_transform_f64x2(const seiche_plan* plan, seiche_direction direction, const seiche_f64x2* in,
                                     size_t count, seiche_f64x2* out, size_t capacity);
seiche_status seiche_transform_half(const seiche_plan* plan, seiche_direction direction, const uint16_t* in,
                                    size_t count, uint16_t* out, size_t capacity);
typedef enum seiche_host_element {
    SEICHE_HOST_F32 = 0,
    SEICHE_HOST_F64 = 1,
    SEICHE_HOST_COMPLEX_F32 = 2,
    SEICHE_HOST_COMPLEX_F64 = 3,
    SEICHE_HOST_F16 = 4,
    SEICHE_HOST_BF16 = 5,
    SEICHE_HOST_COMPLEX_F16 = 6,
    SEICHE_HOST_COMPLEX_BF16 = 7,
    SEICHE_HOST_F64X2 = 8,
    SEICHE_HOST_COMPLEX_F64X2 = 9
} seiche_host_element;
seiche_status seiche_transform(const seiche_plan* plan, seiche_direction direction, seiche_host_element in_element,
                               const void* in, size_t count, seiche_host_element out_element, void* out,
                               size_t out_bytes);
seiche_status seiche_tuning_text(const char* tuning, char** text);
seiche_status seiche_candidate_tunings(const seiche_problem* problem, const seiche_device_limits* limits,
                                       seiche_text_list** tunings);
seiche_status seiche_wisdom_find(const seiche_device* device, const char* wisdom, const char* problem, char** tuning);
typedef struct seiche_wisdom seiche_wisdom;
typedef struct seiche_wisdom_entry {
    size_t struct_size;
    const char* device;
    const char* version;
    const char* problem;
    const char* tuning;
    double milliseconds;
} seiche_wisdom_entry;
#define SEICHE_WISDOM_ENTRY_INIT \
    { sizeof(seiche_wisdom_entry), NULL, NULL, NULL, NULL, 0 }
void seiche_wisdom_entry_init(seiche_wisdom_entry* entry, size_t struct_size);
seiche_status seiche_wisdom_parse(const char* text, seiche_wisdom** wisdom);
void seiche_wisdom_release(seiche_wisdom* wisdom);
seiche_status seiche_wisdom_text(const seiche_wisdom* wisdom, char** text);
size_t seiche_wisdom_count(const seiche_wisdom* wisdom);
seiche_status seiche_wisdom_get(const seiche_wisdom* wisdom, size_t index, seiche_wisdom_entry* entry);
seiche_status seiche_wisdom_set(seiche_wisdom* wisdom, const seiche_wisdom_entry* entry);
seiche_status seiche_wisdom_index(const seiche_wisdom* wisdom, const seiche_device* device,
                                  const seiche_problem* problem, size_t* index);
seiche_status seiche_wisdom_index_exactly(const seiche_wisdom* wisdom, const seiche_device* device,
                                          const seiche_problem* problem, size_t* index);
typedef struct seiche_textbook_recipe {
    size_t struct_size;
    const char* name;
    const char* text;
} seiche_textbook_recipe;
#define SEICHE_TEXTBOOK_RECIPE_INIT \
    { sizeof(seiche_textbook_recipe), NULL, NULL }
void seiche_textbook_recipe_init(seiche_textbook_recipe* recipe, size_t struct_size);
size_t seiche_textbook_recipe_count(void);
seiche_status seiche_textbook_recipe_get(size_t index, seiche_textbook_recipe* recipe);
seiche_status seiche_pack_kernels(const seiche_plan* const* list, size_t plans, unsigned char** bytes, size_t* count);
typedef enum seiche_convolution_mode {
    SEICHE_CONVOLUTION_FULL = 0,
    SEICHE_CONVOLUTION_SAME = 1,
    SEICHE_CONVOLUTION_VALID = 2,
    SEICHE_CONVOLUTION_CIRCULAR = 3
} seiche_convolution_mode;
const char* seiche_convolution_mode_name(seiche_convolution_mode mode);
typedef enum seiche_convolution_product {
    SEICHE_CONVOLVE = 0,
    SEICHE_CORRELATE = 1,
    SEICHE_CORRELATE_PHASE = 2
} seiche_convolution_product;
typedef enum seiche_kernel_domain { SEICHE_KERNEL_TIME = 0, SEICHE_KERNEL_FREQUENCY = 1 } seiche_kernel_domain;
typedef enum seiche_channel_matrix {
    SEICHE_CHANNELS_FULL = 0,
    SEICHE_CHANNELS_SYMMETRIC = 1,
    SEICHE_CHANNELS_DIAGONAL = 2
} seiche_channel_matrix;
typedef struct seiche_convolution {
    size_t struct_size;
    const uint64_t* signal;
    const uint64_t* kernel;
    size_t rank;
    seiche_convolution_mode mode;
    seiche_kernel_domain domain;
    seiche_convolution_product product;
    int is_complex;
    uint32_t inputs;
    uint32_t outputs;
    seiche_channel_matrix channels;
    seiche_precision precision;
    seiche_storage storage;
    int reserved;
    uint64_t batch;
} seiche_convolution;
#define SEICHE_CONVOLUTION_INIT                                                                                        \
    {                                                                                                                  \
        sizeof(seiche_convolution), NULL, NULL, 0, SEICHE_CONVOLUTION_FULL, SEICHE_KERNEL_TIME, SEICHE_CONVOLVE, 0, 1, \
            1, SEICHE_CHANNELS_FULL, SEICHE_F32, SEICHE_STORAGE_SAME, 0, 1                                             \
    }
void seiche_convolution_init(seiche_convolution* convolution, size_t struct_size);
static inline seiche_convolution seiche_convolution_default(size_t rank, const uint64_t* signal,
                                                            const uint64_t* kernel) {
    seiche_convolution convolution = SEICHE_CONVOLUTION_INIT;
    convolution.rank = rank;
    convolution.signal = signal;
    convolution.kernel = kernel;
    return convolution;
}
seiche_status seiche_convolution_parse(const char* text, seiche_convolution** convolution);
void seiche_convolution_release(seiche_convolution* convolution);
seiche_status seiche_convolution_text(const seiche_convolution* convolution, char** text);
seiche_status seiche_convolution_result_lengths(const seiche_convolution* convolution, uint64_t* lengths);
seiche_status seiche_convolution_kernel_count(const seiche_convolution* convolution, uint64_t* count);
seiche_status seiche_convolution_inspect(const seiche_convolution* convolution, const seiche_device_limits* limits,
                                         const char* tuning, seiche_report** report);
seiche_status seiche_convolution_analyse(const seiche_convolution* convolution, const seiche_device_limits* limits,
                                         const char* tuning, seiche_analysis** analysis);
typedef struct seiche_convolution_plan seiche_convolution_plan;
seiche_status seiche_convolution_plan_create(const seiche_device* device, const seiche_convolution* convolution,
                                             seiche_convolution_plan** plan);
seiche_status seiche_convolution_plan_create_tuned(const seiche_device* device, const seiche_convolution* convolution,
                                                   const char* tuning, seiche_convolution_plan** plan);
void seiche_convolution_plan_release(seiche_convolution_plan* plan);
seiche_status seiche_convolution_plan_input_bytes(const seiche_convolution_plan* plan, uint64_t batch, uint64_t* bytes);
seiche_status seiche_convolution_plan_output_bytes(const seiche_convolution_plan* plan, uint64_t batch,
                                                   uint64_t* bytes);
seiche_status seiche_convolution_plan_workspace_bytes(const seiche_convolution_plan* plan, uint64_t batch,
                                                      uint64_t* bytes);
seiche_status seiche_convolution_plan_kernel_bytes(const seiche_convolution_plan* plan, uint64_t* bytes);
seiche_status seiche_convolution_plan_spectrum_bytes(const seiche_convolution_plan* plan, uint64_t* bytes);
seiche_status seiche_convolution_plan_preparation_bytes(const seiche_convolution_plan* plan, uint64_t* bytes);
seiche_status seiche_convolution_plan_save(const seiche_convolution_plan* plan, unsigned char** bytes, size_t* count);
seiche_status seiche_convolution_plan_load(const seiche_device* device, const void* bytes, size_t count,
                                           seiche_convolution_plan** plan);
const char* seiche_convolution_plan_report(const seiche_convolution_plan* plan);
seiche_status seiche_convolution_plan_get_report(const seiche_convolution_plan* plan, seiche_report** report);
seiche_status seiche_convolution_plan_get_convolution(const seiche_convolution_plan* plan,
                                                      seiche_convolution** convolution);
seiche_status seiche_convolution_plan_get_device(const seiche_convolution_plan* plan, seiche_device** device);
seiche_status seiche_convolution_plan_padded_lengths(const seiche_convolution_plan* plan, uint64_t* lengths,
                                                     size_t capacity, size_t* count);
typedef struct seiche_convolution_preparation {
    size_t struct_size;
    const seiche_buffer* kernels;
    uint64_t kernels_offset;
    const seiche_buffer* spectrum;
    uint64_t spectrum_offset;
    const seiche_buffer* workspace;
} seiche_convolution_preparation;
#define SEICHE_CONVOLUTION_PREPARATION_INIT \
    { sizeof(seiche_convolution_preparation), NULL, 0, NULL, 0, NULL }
void seiche_convolution_preparation_init(seiche_convolution_preparation* preparation, size_t struct_size);
typedef struct seiche_convolution_execution {
    size_t struct_size;
    const seiche_buffer* input;
    uint64_t input_offset;
    const seiche_buffer* spectrum;
    uint64_t spectrum_offset;
    const seiche_buffer* output;
    uint64_t output_offset;
    const seiche_buffer* workspace;
    uint64_t workspace_offset;
} seiche_convolution_execution;
#define SEICHE_CONVOLUTION_EXECUTION_INIT \
    { sizeof(seiche_convolution_execution), NULL, 0, NULL, 0, NULL, 0, NULL, 0 }
void seiche_convolution_execution_init(seiche_convolution_execution* execution, size_t struct_size);
seiche_status seiche_convolution_prepare(const seiche_convolution_plan* plan, seiche_queue* queue,
                                         const seiche_convolution_preparation* preparation);
seiche_status seiche_convolution_execute(const seiche_convolution_plan* plan, seiche_queue* queue,
                                         const seiche_convolution_execution* execution);
seiche_status seiche_convolve_f32(const seiche_convolution_plan* plan, const float* in, size_t count,
                                  const float* kernels, size_t kernel_count, float* out, size_t capacity);
seiche_status seiche_convolve_f64(const seiche_convolution_plan* plan, const double* in, size_t count,
                                  const double* kernels, size_t kernel_count, double* out, size_t capacity);
seiche_status seiche_convolve_f64x2(const seiche_convolution_plan* plan, const seiche_f64x2* in, size_t count,
                                    const seiche_f64x2* kernels, size_t kernel_count, seiche_f64x2* out,
                                    size_t capacity);
seiche_status seiche_convolve_half(const seiche_convolution_plan* plan, const uint16_t* in, size_t count,
                                   const uint16_t* kernels, size_t kernel_count, uint16_t* out, size_t capacity);
seiche_status seiche_convolve(const seiche_convolution_plan* plan, seiche_host_element in_element, const void* in,
                              size_t count, seiche_host_element kernel_element, const void* kernels,
                              size_t kernel_count, void* out, size_t out_bytes);
typedef enum seiche_dialect {
    SEICHE_DIALECT_CUDA = 0,
    SEICHE_DIALECT_HIP = 1,
    SEICHE_DIALECT_OPENCL = 2,
    SEICHE_DIALECT_SPIRV = 3,
    SEICHE_DIALECT_SPIRV_OPENCL = 4,
    SEICHE_DIALECT_GLSL = 5,
    SEICHE_DIALECT_GLSL_ES = 6,
    SEICHE_DIALECT_PTX = 7
} seiche_dialect;
const char* seiche_dialect_name(seiche_dialect dialect);
int seiche_dialect_is_text(seiche_dialect dialect);
typedef struct seiche_emitted_kernel {
    size_t struct_size;
    const char* name;
    const char* source;
    const uint32_t* words;
    size_t word_count;
    size_t buffer_count;
    size_t scalar_count;
    size_t image_count;
    uint64_t groups;
    uint64_t shared_bytes;
    uint32_t group_size;
    uint32_t subgroup_size;
    uint32_t groups_per_cluster;
    uint32_t argument_words;
} seiche_emitted_kernel;
#define SEICHE_EMITTED_KERNEL_INIT \
    { sizeof(seiche_emitted_kernel), NULL, NULL, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }
void seiche_emitted_kernel_init(seiche_emitted_kernel* kernel, size_t struct_size);
typedef struct seiche_emitted_buffer {
    size_t struct_size;
    const char* name;
    const char* holds;
    const char* element;
    int reads;
    int writes;
    uint64_t byte_offset;
    uint64_t bytes;
    const void* contents;
    size_t content_bytes;
} seiche_emitted_buffer;
#define SEICHE_EMITTED_BUFFER_INIT \
    { sizeof(seiche_emitted_buffer), NULL, NULL, NULL, 0, 0, 0, 0, NULL, 0 }
void seiche_emitted_buffer_init(seiche_emitted_buffer* buffer, size_t struct_size);
typedef struct seiche_emitted_scalar {
    size_t struct_size;
    const char* name;
    const char* type;
    uint64_t value;
} seiche_emitted_scalar;
#define SEICHE_EMITTED_SCALAR_INIT \
    { sizeof(seiche_emitted_scalar), NULL, NULL, 0 }
void seiche_emitted_scalar_init(seiche_emitted_scalar* scalar, size_t struct_size);
typedef struct seiche_emitted_image {
    size_t struct_size;
    const char* name;
    const char* holds;
    int reads;
    int writes;
    uint64_t width;
    uint64_t height;
} seiche_emitted_image;
#define SEICHE_EMITTED_IMAGE_INIT \
    { sizeof(seiche_emitted_image), NULL, NULL, 0, 0, 0, 0 }
void seiche_emitted_image_init(seiche_emitted_image* image, size_t struct_size);
typedef struct seiche_emission seiche_emission;
seiche_status seiche_emit_kernels(const seiche_problem* problem, seiche_dialect dialect,
                                  const seiche_device_limits* limits, seiche_direction direction, const char* tuning,
                                  seiche_emission** emission);
void seiche_emission_release(seiche_emission* emission);
size_t seiche_emission_count(const seiche_emission* emission);
seiche_status seiche_emission_kernel(const seiche_emission* emission, size_t kernel, seiche_emitted_kernel* emitted);
seiche_status seiche_emission_buffer(const seiche_emission* emission, size_t kernel, size_t index,
                                     seiche_emitted_buffer* buffer);
seiche_status seiche_emission_scalar(const seiche_emission* emission, size_t kernel, size_t index,
                                     seiche_emitted_scalar* scalar);
seiche_status seiche_emission_image(const seiche_emission* emission, size_t kernel, size_t index,
                                    seiche_emitted_image* image);
typedef struct seiche_device_function seiche_device_function;
typedef struct seiche_device_function_info {
    size_t struct_size;
    const char* name;
    const char* source;
    uint32_t points;
    uint32_t threads;
    uint32_t registers;
    uint32_t reserved;
    uint64_t shared_bytes;
} seiche_device_function_info;
#define SEICHE_DEVICE_FUNCTION_INFO_INIT \
    { sizeof(seiche_device_function_info), NULL, NULL, 0, 0, 0, 0, 0 }
void seiche_device_function_info_init(seiche_device_function_info* info, size_t struct_size);
seiche_status seiche_emit_device_function(const seiche_problem* problem, seiche_dialect dialect,
                                          const seiche_device_limits* limits, seiche_direction direction,
                                          const char* tuning, seiche_device_function** function);
void seiche_device_function_release(seiche_device_function* function);
seiche_status seiche_device_function_get(const seiche_device_function* function, seiche_device_function_info* info);

#endif
