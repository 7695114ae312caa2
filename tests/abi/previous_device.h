/* The C interface as a program had it that was built before the last member of each struct was added: never to be
 * changed with the headers. tests/abi runs such a program with the library of today. */
#ifndef SEICHE_PREVIOUS_DEVICE_H
#define SEICHE_PREVIOUS_DEVICE_H

#include <stddef.h>
#include <stdint.h>

typedef enum seiche_status {
    SEICHE_OK = 0,
    SEICHE_INVALID_PROBLEM = 1,
    SEICHE_UNSUPPORTED = 2,
    SEICHE_BACKEND_ERROR = 3,
    SEICHE_INTERNAL_ERROR = 4
} seiche_status;
const char* seiche_last_error(void);
const char* seiche_status_name(seiche_status status);
const char* seiche_version(void);
void seiche_text_release(char* text);
void seiche_bytes_release(unsigned char* bytes);
typedef struct seiche_text_list seiche_text_list;
size_t seiche_text_list_count(const seiche_text_list* list);
const char* seiche_text_list_get(const seiche_text_list* list, size_t index);
void seiche_text_list_release(seiche_text_list* list);
typedef enum seiche_backend {
    SEICHE_BACKEND_REFERENCE = 0,
    SEICHE_BACKEND_CUDA = 1,
    SEICHE_BACKEND_HIP = 2,
    SEICHE_BACKEND_LEVEL_ZERO = 3,
    SEICHE_BACKEND_VULKAN = 4,
    SEICHE_BACKEND_OPENCL = 5,
    SEICHE_BACKEND_OPENGL = 6
} seiche_backend;
const char* seiche_backend_name(seiche_backend backend);
typedef enum seiche_vectors {
    SEICHE_VECTORS_SUBGROUPS = 0,
    SEICHE_VECTORS_EXPLICIT_SIMD = 1,
    SEICHE_VECTORS_IMPLICIT_SIMD = 2
} seiche_vectors;
typedef struct seiche_device_limits {
    size_t struct_size;
    const char* architecture;
    seiche_vectors vectors;
    uint32_t subgroup_size;
    uint32_t vector_bytes;
    uint32_t max_group_size;
    uint32_t shared_bytes;
    uint32_t shared_bytes_per_unit;
    uint32_t registers_per_thread;
    uint32_t compute_units;
    uint32_t max_cluster_size;
    uint64_t max_allocation_bytes;
    uint64_t max_buffer_bytes;
    uint64_t max_addressed_bytes;
    uint64_t memory_bytes;
    uint64_t memory_bytes_per_second;
    uint64_t cache_bytes;
    uint32_t sector_bytes;
    uint32_t shared_banks;
    int fp64;
    int exact_fp64;
    int fp16_storage;
    int fp16_arithmetic;
    int fast_fma;
    int waits_for_groups;
    int bounds_registers;
    int fixed_subgroups;
} seiche_device_limits;
#define SEICHE_DEVICE_LIMITS_INIT                                                                                    \
    {                                                                                                                \
        sizeof(seiche_device_limits), NULL, SEICHE_VECTORS_SUBGROUPS, 32, 64, 1024, 48 * 1024, 96 * 1024, 255, 1, 1, \
            (uint64_t)1 << 31, 0, 0, (uint64_t)1 << 32, 0, (uint64_t)1 << 21, 32, 32, 1, 1, 1, 0, 1, 1, 1, 0         \
    }
void seiche_device_limits_init(seiche_device_limits* limits, size_t struct_size);
typedef struct seiche_device_info {
    size_t struct_size;
    const char* name;
    const char* description;
    seiche_backend backend;
    int available;
    int is_gpu;
    int reserved;
    const char* driver;
    const char* problem;
} seiche_device_info;
#define SEICHE_DEVICE_INFO_INIT \
    { sizeof(seiche_device_info), NULL, NULL, SEICHE_BACKEND_REFERENCE, 0, 0, 0, NULL, NULL }
void seiche_device_info_init(seiche_device_info* info, size_t struct_size);
typedef struct seiche_device_list seiche_device_list;
seiche_status seiche_devices(seiche_device_list** list);
size_t seiche_device_list_count(const seiche_device_list* list);
seiche_status seiche_device_list_get(const seiche_device_list* list, size_t index, seiche_device_info* info);
seiche_status seiche_device_list_get_limits(const seiche_device_list* list, size_t index, seiche_device_limits* limits);
void seiche_device_list_release(seiche_device_list* list);
typedef struct seiche_device seiche_device;
typedef struct seiche_queue seiche_queue;
typedef struct seiche_buffer seiche_buffer;
typedef struct seiche_host_memory seiche_host_memory;
typedef struct seiche_event seiche_event;
typedef struct seiche_image seiche_image;
seiche_status seiche_device_open(const char* name, seiche_device** device);
seiche_status seiche_device_open_with_note(const char* name, seiche_device** device, char** note);
void seiche_device_release(seiche_device* device);
const char* seiche_device_name(const seiche_device* device);
const char* seiche_device_description(const seiche_device* device);
seiche_status seiche_device_get_info(const seiche_device* device, seiche_device_info* info);
seiche_status seiche_device_get_limits(const seiche_device* device, seiche_device_limits* limits);
seiche_status seiche_queue_create(const seiche_device* device, seiche_queue** queue);
void seiche_queue_release(seiche_queue* queue);
seiche_status seiche_queue_wait(seiche_queue* queue);
seiche_status seiche_queue_batch(seiche_queue* queue, seiche_status (*work)(void* user), void* user);
seiche_status seiche_queue_record(seiche_queue* queue, seiche_event** event);
seiche_status seiche_queue_milliseconds(seiche_queue* queue, const seiche_event* from, const seiche_event* to,
                                        double* milliseconds);
void seiche_event_release(seiche_event* event);
seiche_status seiche_buffer_create(const seiche_device* device, uint64_t bytes, seiche_buffer** buffer);
void seiche_buffer_release(seiche_buffer* buffer);
uint64_t seiche_buffer_bytes(const seiche_buffer* buffer);
typedef struct seiche_buffer_part {
    const seiche_buffer* buffer;
    uint64_t offset;
} seiche_buffer_part;
seiche_status seiche_upload(seiche_queue* queue, seiche_buffer* to, uint64_t byte_offset, const void* from,
                            size_t bytes);
seiche_status seiche_download(seiche_queue* queue, void* to, const seiche_buffer* from, uint64_t byte_offset,
                              size_t bytes);
seiche_status seiche_copy(seiche_queue* queue, seiche_buffer* to, uint64_t to_offset, const seiche_buffer* from,
                          uint64_t from_offset, uint64_t bytes);
seiche_status seiche_host_memory_create(const seiche_device* device, uint64_t bytes, seiche_host_memory** memory);
void seiche_host_memory_release(seiche_host_memory* memory);
void* seiche_host_memory_data(const seiche_host_memory* memory);
uint64_t seiche_host_memory_bytes(const seiche_host_memory* memory);
seiche_status seiche_enqueue_upload(seiche_queue* queue, seiche_buffer* to, uint64_t byte_offset, const void* from,
                                    size_t bytes);
seiche_status seiche_enqueue_download(seiche_queue* queue, void* to, const seiche_buffer* from, uint64_t byte_offset,
                                      size_t bytes);
typedef enum seiche_image_format {
    SEICHE_IMAGE_NONE = 0,
    SEICHE_IMAGE_R32F = 1,
    SEICHE_IMAGE_RG32F = 2,
    SEICHE_IMAGE_RGBA32F = 3,
    SEICHE_IMAGE_RGBA16F = 4
} seiche_image_format;
const char* seiche_image_format_name(seiche_image_format format);
unsigned seiche_image_format_channels(seiche_image_format format);
unsigned seiche_image_format_texel_bytes(seiche_image_format format);
seiche_status seiche_image_create(const seiche_device* device, seiche_image_format format, uint32_t width,
                                  uint32_t height, seiche_image** image);
void seiche_image_release(seiche_image* image);
seiche_image_format seiche_image_get_format(const seiche_image* image);
uint32_t seiche_image_width(const seiche_image* image);
uint32_t seiche_image_height(const seiche_image* image);
typedef struct seiche_cache_report {
    size_t struct_size;
    const char* folder;
    uint64_t entries;
    uint64_t bytes;
} seiche_cache_report;
#define SEICHE_CACHE_REPORT_INIT \
    { sizeof(seiche_cache_report), NULL, 0, 0 }
void seiche_cache_report_init(seiche_cache_report* report, size_t struct_size);
seiche_status seiche_get_cache_report(seiche_cache_report* report);
seiche_status seiche_clear_cache(uint64_t* removed);
uint16_t seiche_to_f16(float value);
float seiche_from_f16(uint16_t half);
uint16_t seiche_to_bf16(float value);
float seiche_from_bf16(uint16_t half);
typedef enum seiche_kind {
    SEICHE_C2C = 0,
    SEICHE_R2C = 1,
    SEICHE_C2R = 2,
    SEICHE_DCT1 = 3,
    SEICHE_DCT2 = 4,
    SEICHE_DCT3 = 5,
    SEICHE_DCT4 = 6,
    SEICHE_DST1 = 7,
    SEICHE_DST2 = 8,
    SEICHE_DST3 = 9,
    SEICHE_DST4 = 10,
    SEICHE_DHT = 11,
    SEICHE_R2HC = 12,
    SEICHE_HC2R = 13
} seiche_kind;
const char* seiche_kind_name(seiche_kind kind);
int seiche_kind_is_real_to_real(seiche_kind kind);
seiche_status seiche_kind_inverse(seiche_kind kind, seiche_kind* inverse);
seiche_status seiche_kind_logical_length(seiche_kind kind, uint64_t n, uint64_t* logical);
typedef enum seiche_precision { SEICHE_F32 = 0, SEICHE_F64 = 1, SEICHE_F64X2 = 2, SEICHE_F16 = 3 } seiche_precision;
const char* seiche_precision_name(seiche_precision precision);
typedef enum seiche_storage {
    SEICHE_STORAGE_SAME = 0,
    SEICHE_STORAGE_F16 = 1,
    SEICHE_STORAGE_BF16 = 2,
    SEICHE_STORAGE_F32 = 3,
    SEICHE_STORAGE_F64 = 4
} seiche_storage;
const char* seiche_storage_name(seiche_storage storage);
seiche_status seiche_stored_bytes(seiche_precision precision, seiche_storage storage, uint64_t* bytes);
typedef enum seiche_direction { SEICHE_FORWARD = 0, SEICHE_INVERSE = 1, SEICHE_DIRECTION_OF_PLAN = 2 } seiche_direction;
typedef enum seiche_placement { SEICHE_OUT_OF_PLACE = 0, SEICHE_IN_PLACE = 1 } seiche_placement;
typedef enum seiche_spectrum_order { SEICHE_ORDER_NATURAL = 0, SEICHE_ORDER_PASS = 1 } seiche_spectrum_order;
typedef enum seiche_scale_rule {
    SEICHE_SCALE_NONE = 0,
    SEICHE_SCALE_BY_N = 1,
    SEICHE_SCALE_BY_SQRT_N = 2,
    SEICHE_SCALE_FACTOR = 3
} seiche_scale_rule;
typedef struct seiche_scale {
    seiche_scale_rule rule;
    double factor;
} seiche_scale;
seiche_status seiche_scale_value(seiche_scale scale, double n, double* value);
typedef struct seiche_layout {
    size_t struct_size;
    const int64_t* strides;
    int64_t batch_distance;
    uint64_t byte_offset;
    uint64_t part_bytes;
    int planar;
    seiche_image_format image;
} seiche_layout;
#define SEICHE_LAYOUT_INIT \
    { sizeof(seiche_layout), NULL, 0, 0, 0, 0, SEICHE_IMAGE_NONE }
void seiche_layout_init(seiche_layout* layout, size_t struct_size);
typedef enum seiche_stage_type {
    SEICHE_STAGE_F16 = 0,
    SEICHE_STAGE_F32 = 1,
    SEICHE_STAGE_F64 = 2,
    SEICHE_STAGE_I8 = 3,
    SEICHE_STAGE_U8 = 4,
    SEICHE_STAGE_I16 = 5,
    SEICHE_STAGE_U16 = 6,
    SEICHE_STAGE_I32 = 7,
    SEICHE_STAGE_U32 = 8
} seiche_stage_type;
const char* seiche_stage_type_name(seiche_stage_type type);
uint64_t seiche_stage_type_bytes(seiche_stage_type type);
typedef struct seiche_stage_buffer {
    const char* name;
    seiche_stage_type type;
    uint64_t count;
} seiche_stage_buffer;
typedef struct seiche_stage_scalar {
    const char* name;
    seiche_stage_type type;
} seiche_stage_scalar;
typedef struct seiche_stage {
    size_t struct_size;
    const char* text;
    const seiche_stage_buffer* buffers;
    size_t buffer_count;
} seiche_stage;
#define SEICHE_STAGE_INIT \
    { sizeof(seiche_stage), NULL, NULL, 0 }
void seiche_stage_init(seiche_stage* stage, size_t struct_size);
typedef struct seiche_block {
    int axis;
    uint64_t begin, end;
} seiche_block;
typedef struct seiche_problem {
    size_t struct_size;
    const uint64_t* lengths;
    size_t rank;
    const int* axes;
    size_t axis_count;
    uint64_t batch;
    seiche_kind kind;
    int orthonormal;
    const seiche_kind* axis_kinds;
    const int* halved_axis;
    seiche_precision precision;
    seiche_storage storage;
    seiche_placement placement;
    seiche_spectrum_order spectrum_order;
    seiche_scale forward_scale;
    seiche_scale inverse_scale;
    const seiche_layout* input;
    const seiche_layout* output;
    const seiche_block* signal_zeros;
    size_t signal_zero_count;
    const seiche_block* spectrum_zeros;
    size_t spectrum_zero_count;
    int may_overwrite_input;
    int reserved;
    const seiche_stage* forward_load;
    const seiche_stage* forward_store;
    const seiche_stage* inverse_load;
} seiche_problem;
#define SEICHE_PROBLEM_INIT                                                                                            \
    {                                                                                                                  \
        sizeof(seiche_problem), NULL, 0, NULL, 0, 1, SEICHE_C2C, 0, NULL, NULL, SEICHE_F32, SEICHE_STORAGE_SAME,       \
            SEICHE_OUT_OF_PLACE, SEICHE_ORDER_NATURAL, {SEICHE_SCALE_NONE, 1.0}, {SEICHE_SCALE_NONE, 1.0}, NULL, NULL, \
            NULL, 0, NULL, 0, 0, 0, NULL, NULL, NULL                                                                   \
    }
void seiche_problem_init(seiche_problem* problem, size_t struct_size);
static inline seiche_problem seiche_problem_default(size_t rank, const uint64_t* lengths) {
    seiche_problem problem = SEICHE_PROBLEM_INIT;
    problem.rank = rank;
    problem.lengths = lengths;
    return problem;
}
seiche_status seiche_problem_parse(const char* text, seiche_problem** problem);
void seiche_problem_release(seiche_problem* problem);
seiche_status seiche_problem_text(const seiche_problem* problem, char** text);
seiche_status seiche_next_fast_length(uint64_t n, uint64_t* m);
typedef struct seiche_report seiche_report;
typedef struct seiche_report_summary {
    size_t struct_size;
    const char* problem;
    const char* recipe;
    const char* replanned;
    size_t kernel_count;
    size_t axis_count;
    uint64_t workspace_bytes;
    uint64_t ideal_bytes;
    uint64_t moved_bytes;
    double plan_milliseconds;
    uint32_t storage_roundings;
    uint32_t compiled;
} seiche_report_summary;
#define SEICHE_REPORT_SUMMARY_INIT \
    { sizeof(seiche_report_summary), NULL, NULL, NULL, 0, 0, 0, 0, 0, 0, 0, 0 }
void seiche_report_summary_init(seiche_report_summary* summary, size_t struct_size);
typedef struct seiche_kernel_report {
    size_t struct_size;
    const char* name;
    const char* spec;
    seiche_direction direction;
    uint32_t group_size;
    uint64_t groups;
    uint64_t shared_bytes;
    uint64_t bytes_read;
    uint64_t bytes_written;
    uint64_t table_bytes;
} seiche_kernel_report;
#define SEICHE_KERNEL_REPORT_INIT \
    { sizeof(seiche_kernel_report), NULL, NULL, SEICHE_FORWARD, 0, 0, 0, 0, 0, 0 }
void seiche_kernel_report_init(seiche_kernel_report* kernel, size_t struct_size);
seiche_status seiche_inspect(const seiche_problem* problem, const seiche_device_limits* limits, const char* tuning,
                             seiche_report** report);
void seiche_report_release(seiche_report* report);
const char* seiche_report_text(const seiche_report* report);
seiche_status seiche_report_get(const seiche_report* report, seiche_report_summary* summary);
seiche_status seiche_report_kernel(const seiche_report* report, size_t index, seiche_kernel_report* kernel);
seiche_status seiche_report_spectrum_digits(const seiche_report* report, size_t axis, uint64_t* digits, size_t capacity,
                                            size_t* count);
seiche_status seiche_report_spectrum_index(const seiche_report* report, int axis, uint64_t position, uint64_t* index);
typedef struct seiche_analysis seiche_analysis;
typedef struct seiche_analysis_report {
    size_t struct_size;
    const char* kernel;
    size_t finding_count;
    uint64_t out_of_bounds;
    uint64_t uninitialised_reads;
    uint64_t races;
    uint64_t shared_wavefronts;
    uint64_t shared_wavefronts_ideal;
    uint64_t sectors;
    uint64_t sectors_ideal;
    uint64_t bytes_read;
    uint64_t bytes_written;
    uint64_t table_bytes_read;
    uint64_t flops;
    uint64_t shared_bytes_read;
    uint64_t shared_bytes_written;
} seiche_analysis_report;
#define SEICHE_ANALYSIS_REPORT_INIT \
    { sizeof(seiche_analysis_report), NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }
void seiche_analysis_report_init(seiche_analysis_report* report, size_t struct_size);
seiche_status seiche_analyse(const seiche_problem* problem, const seiche_device_limits* limits, const char* tuning,
                             seiche_analysis** analysis);
void seiche_analysis_release(seiche_analysis* analysis);
size_t seiche_analysis_count(const seiche_analysis* analysis);
seiche_status seiche_analysis_get(const seiche_analysis* analysis, size_t index, seiche_analysis_report* report);
const char* seiche_analysis_finding(const seiche_analysis* analysis, size_t index, size_t finding);
typedef enum seiche_memory_level {
    SEICHE_MEMORY_REGISTERS = 0,
    SEICHE_MEMORY_SCRATCH = 1,
    SEICHE_MEMORY_SHARED = 2,
    SEICHE_MEMORY_CLUSTER = 3,
    SEICHE_MEMORY_GLOBAL = 4
} seiche_memory_level;
const char* seiche_memory_level_name(seiche_memory_level level);
typedef enum seiche_flow_kind {
    SEICHE_FLOW_DEAL = 0,
    SEICHE_FLOW_MOVE = 1,
    SEICHE_FLOW_SWAP_PARTS = 2,
    SEICHE_FLOW_MULTIPLY = 3,
    SEICHE_FLOW_BUTTERFLIES = 4,
    SEICHE_FLOW_JOIN = 5,
    SEICHE_FLOW_SPLIT = 6,
    SEICHE_FLOW_REAL_MAP = 7,
    SEICHE_FLOW_USER_STAGE = 8
} seiche_flow_kind;
typedef struct seiche_flow_factor {
    double re, im;
    uint64_t exponent, root;
} seiche_flow_factor;
typedef struct seiche_flow_node {
    size_t struct_size;
    const uint32_t* from;
    size_t from_count;
    const uint32_t* to;
    size_t to_count;
    const seiche_flow_factor* factors;
    size_t factor_count;
    const seiche_flow_factor* after;
    size_t after_count;
    const double* own;
    size_t own_count;
    const double* conjugated;
    size_t conjugated_count;
} seiche_flow_node;
#define SEICHE_FLOW_NODE_INIT \
    { sizeof(seiche_flow_node), NULL, 0, NULL, 0, NULL, 0, NULL, 0, NULL, 0, NULL, 0 }
void seiche_flow_node_init(seiche_flow_node* node, size_t struct_size);
typedef struct seiche_flow_step {
    size_t struct_size;
    const char* text;
    seiche_flow_kind kind;
    uint32_t radix;
    uint64_t stride;
    uint64_t count;
    size_t node_count;
    uint64_t exchange_bytes_written;
    uint64_t exchange_bytes_read;
    uint64_t exchange_points;
    uint64_t exchange_same_thread;
    uint64_t exchange_same_subgroup;
    uint64_t exchange_same_group;
    uint64_t exchange_other_group;
} seiche_flow_step;
#define SEICHE_FLOW_STEP_INIT \
    { sizeof(seiche_flow_step), NULL, SEICHE_FLOW_DEAL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }
void seiche_flow_step_init(seiche_flow_step* step, size_t struct_size);
typedef struct seiche_kernel_flow {
    size_t struct_size;
    const char* source;
    const char* target;
    size_t step_count;
    uint64_t points;
    uint64_t sequences;
    uint64_t items;
    uint64_t input_stride;
    uint64_t output_stride;
    uint64_t sequences_per_group;
    uint32_t threads;
    uint32_t groups_per_cluster;
    int is_on_chip;
    int is_bundle;
} seiche_kernel_flow;
#define SEICHE_KERNEL_FLOW_INIT \
    { sizeof(seiche_kernel_flow), NULL, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }
void seiche_kernel_flow_init(seiche_kernel_flow* kernel, size_t struct_size);
typedef struct seiche_explanation_summary {
    size_t struct_size;
    seiche_direction direction;
    uint32_t lines;
    size_t kernel_count;
    const uint64_t* places_in;
    size_t places_in_count;
    const uint64_t* places_out;
    size_t places_out_count;
    const char* no_graph;
    int has_pairs_in;
    int has_pairs_out;
} seiche_explanation_summary;
#define SEICHE_EXPLANATION_SUMMARY_INIT \
    { sizeof(seiche_explanation_summary), SEICHE_FORWARD, 0, 0, NULL, 0, NULL, 0, NULL, 0, 0 }
void seiche_explanation_summary_init(seiche_explanation_summary* summary, size_t struct_size);
typedef struct seiche_explanation seiche_explanation;
seiche_status seiche_explain(const seiche_problem* problem, const seiche_device_limits* limits, const char* tuning,
                             uint32_t most_lines, seiche_explanation** explanation);
void seiche_explanation_release(seiche_explanation* explanation);
seiche_status seiche_explanation_get(const seiche_explanation* explanation, seiche_explanation_summary* summary);
seiche_status seiche_explanation_get_report(const seiche_explanation* explanation, seiche_report** report);
seiche_status seiche_explanation_kernel(const seiche_explanation* explanation, size_t kernel, seiche_kernel_flow* flow);
seiche_status seiche_explanation_kernel_report(const seiche_explanation* explanation, size_t kernel,
                                               seiche_kernel_report* report);
seiche_status seiche_explanation_step(const seiche_explanation* explanation, size_t kernel, size_t step,
                                      seiche_flow_step* flow);
seiche_status seiche_explanation_node(const seiche_explanation* explanation, size_t kernel, size_t step, size_t node,
                                      seiche_flow_node* flow);
typedef struct seiche_followed_values seiche_followed_values;
seiche_status seiche_follow(const seiche_problem* problem, const seiche_device_limits* limits, const char* tuning,
                            const double* input, size_t lines, seiche_followed_values** values);
void seiche_followed_values_release(seiche_followed_values* values);
seiche_status seiche_followed_values_step(const seiche_followed_values* values, size_t kernel, size_t step,
                                          const double** pairs, size_t* count);
seiche_status seiche_followed_values_result(const seiche_followed_values* values, const double** pairs, size_t* count);

#endif
