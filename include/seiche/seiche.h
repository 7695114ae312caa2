/* The C interface (C99): opaque handles, status codes, and a message per thread. Each function does what its C++
 * counterpart in plan.hpp, convolution.hpp, device.hpp, wisdom.hpp or pack.hpp does; docs/api.md maps them. */
#ifndef SEICHE_H
#define SEICHE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- errors ---- */

typedef enum seiche_status {
    SEICHE_OK = 0,
    SEICHE_INVALID_PROBLEM = 1, /* the caller asked for something that makes no sense */
    SEICHE_UNSUPPORTED = 2,     /* this device or backend lacks what the problem needs */
    SEICHE_BACKEND_ERROR = 3,   /* a driver call failed */
    SEICHE_INTERNAL_ERROR = 4   /* a defect of Seiche, or the host is out of memory */
} seiche_status;

/* The message of the last call of this thread that did not return SEICHE_OK: one line. Valid until the next such call
 * of this thread; "" before the first. */
const char* seiche_last_error(void);

/* "0.1.0". */
const char* seiche_version(void);

/* ---- devices, queues, buffers ---- */

typedef struct seiche_device seiche_device;
typedef struct seiche_queue seiche_queue;
typedef struct seiche_buffer seiche_buffer;
typedef struct seiche_host_memory seiche_host_memory;
typedef struct seiche_plan seiche_plan;

/* `name` as Device::open takes it; NULL or "": the default device. Every release function takes NULL too. Handles may
 * be released in any order: a plan keeps its device. */
seiche_status seiche_device_open(const char* name, seiche_device** device);
void seiche_device_release(seiche_device* device);
/* E.g. "opencl:0", and the driver's own name for it. Valid while the handle is; "" for NULL. */
const char* seiche_device_name(const seiche_device* device);
const char* seiche_device_description(const seiche_device* device);

seiche_status seiche_queue_create(const seiche_device* device, seiche_queue** queue);
void seiche_queue_release(seiche_queue* queue);
/* Returns when everything enqueued before has run. */
seiche_status seiche_queue_wait(seiche_queue* queue);

seiche_status seiche_buffer_create(const seiche_device* device, uint64_t bytes, seiche_buffer** buffer);
void seiche_buffer_release(seiche_buffer* buffer);
/* 0 for NULL. */
uint64_t seiche_buffer_bytes(const seiche_buffer* buffer);

/* Copies between host and device, in the queue's order; they return when the host memory may be used again. */
seiche_status seiche_upload(seiche_queue* queue, seiche_buffer* to, uint64_t byte_offset, const void* from,
                            size_t bytes);
seiche_status seiche_download(seiche_queue* queue, void* to, const seiche_buffer* from, uint64_t byte_offset,
                              size_t bytes);

/* Host memory for copies that overlap with other work, as HostMemory of device.hpp. Its address is NULL for NULL. */
seiche_status seiche_host_memory_create(const seiche_device* device, uint64_t bytes, seiche_host_memory** memory);
void seiche_host_memory_release(seiche_host_memory* memory);
void* seiche_host_memory_data(const seiche_host_memory* memory);
/* The same copies, enqueued: as Queue::enqueue_upload and enqueue_download of device.hpp. */
seiche_status seiche_enqueue_upload(seiche_queue* queue, seiche_buffer* to, uint64_t byte_offset, const void* from,
                                    size_t bytes);
seiche_status seiche_enqueue_download(seiche_queue* queue, void* to, const seiche_buffer* from, uint64_t byte_offset,
                                      size_t bytes);

/* ---- problems ---- */

/* What problem.hpp says of Kind. */
typedef enum seiche_kind {
    SEICHE_C2C = 0,
    SEICHE_R2C = 1, /* forward only */
    SEICHE_C2R = 2, /* inverse only */
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
/* SEICHE_F16: halves in memory and in arithmetic. */
typedef enum seiche_precision { SEICHE_F32 = 0, SEICHE_F64 = 1, SEICHE_F64X2 = 2, SEICHE_F16 = 3 } seiche_precision;
/* What one real number takes in the arrays, as Storage of problem.hpp. */
typedef enum seiche_storage {
    SEICHE_STORAGE_SAME = 0,
    SEICHE_STORAGE_F16 = 1,
    SEICHE_STORAGE_BF16 = 2,
    SEICHE_STORAGE_F32 = 3,
    SEICHE_STORAGE_F64 = 4
} seiche_storage;
typedef enum seiche_direction { SEICHE_FORWARD = 0, SEICHE_INVERSE = 1 } seiche_direction;
typedef enum seiche_placement { SEICHE_OUT_OF_PLACE = 0, SEICHE_IN_PLACE = 1 } seiche_placement;
typedef enum seiche_spectrum_order { SEICHE_ORDER_NATURAL = 0, SEICHE_ORDER_PASS = 1 } seiche_spectrum_order;
typedef enum seiche_directions { SEICHE_BOTH = 0, SEICHE_ONLY_FORWARD = 1, SEICHE_ONLY_INVERSE = 2 } seiche_directions;
typedef enum seiche_scale_rule {
    SEICHE_SCALE_NONE = 0,
    SEICHE_SCALE_BY_N = 1,      /* 1 / N */
    SEICHE_SCALE_BY_SQRT_N = 2, /* 1 / sqrt(N) */
    SEICHE_SCALE_FACTOR = 3     /* seiche_scale.factor */
} seiche_scale_rule;

typedef struct seiche_scale {
    seiche_scale_rule rule;
    double factor; /* of SEICHE_SCALE_FACTOR only */
} seiche_scale;

/* Distances in elements of the array, complex or real numbers; the offset in bytes. */
typedef struct seiche_layout {
    const int64_t* strides; /* `rank` of them; NULL: row-major and dense */
    int64_t batch_distance; /* 0: dense */
    uint64_t byte_offset;
    int planar;          /* not 0: real and imaginary parts lie apart, as Layout::planar of problem.hpp says */
    uint64_t part_bytes; /* not 0: in several buffers of so many bytes, as Layout::part_bytes of problem.hpp says */
} seiche_layout;

/* A user's stage (docs/stages.md): the text and what it names. */
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
typedef struct seiche_stage_buffer {
    const char* name;
    seiche_stage_type type;
    uint64_t count; /* elements */
} seiche_stage_buffer;
typedef struct seiche_stage_scalar {
    const char* name;
    seiche_stage_type type; /* F32, F64, I32 or U32 */
} seiche_stage_scalar;
typedef struct seiche_stage {
    const char* text; /* NULL: no stage */
    const seiche_stage_buffer* buffers;
    size_t buffer_count;
    const seiche_stage_scalar* scalars;
    size_t scalar_count;
} seiche_stage;

/* Elements begin .. end-1 along an axis; a negative axis counts from the last. */
typedef struct seiche_block {
    int axis;
    uint64_t begin, end;
} seiche_block;

/* Start from seiche_problem_default(); the arrays are borrowed for the call only. */
typedef struct seiche_problem {
    const uint64_t* lengths; /* `rank` of them, slowest axis first */
    size_t rank;
    const int* axes; /* `axis_count` of them; NULL: all */
    size_t axis_count;
    uint64_t batch;
    seiche_kind kind;
    const seiche_kind* axis_kinds; /* one per transformed axis; NULL: all `kind` */
    const int* halved_axis;        /* of r2c and c2r; NULL: the last */
    int orthonormal;               /* not 0: real-to-real with an orthogonal matrix */
    seiche_precision precision;
    seiche_placement placement;
    seiche_scale forward_scale, inverse_scale;
    seiche_layout input, output;
    seiche_storage storage;
    seiche_stage forward_load, forward_store, inverse_load, inverse_store;
    const seiche_block* signal_zeros; /* pruning, as Problem::signal_zeros of problem.hpp says */
    size_t signal_zero_count;
    const seiche_block* spectrum_zeros;
    size_t spectrum_zero_count;
    seiche_spectrum_order spectrum_order; /* as SpectrumOrder of problem.hpp says */
    int may_overwrite_input;              /* not 0: as Problem::may_overwrite_input of problem.hpp says */
} seiche_problem;

/* One array of these lengths: f32, out of place, dense, not scaled. */
seiche_problem seiche_problem_default(size_t rank, const uint64_t* lengths);

/* The smallest m >= n whose prime factors are all <= 13. */
seiche_status seiche_next_fast_length(uint64_t n, uint64_t* m);

/* ---- plans ---- */

seiche_status seiche_plan_create(const seiche_device* device, const seiche_problem* problem,
                                 seiche_directions directions, seiche_plan** plan);
/* From a problem's text, such as "1024x1024 c2c f32 batch=16 in-place". */
seiche_status seiche_plan_create_from_text(const seiche_device* device, const char* problem,
                                           seiche_directions directions, seiche_plan** plan);
/* The same, tuned: words such as "passes=256x256 groups-per-cluster=8" or "recipe=stockham-radix-4", as to_string of
 * wisdom.hpp has them; NULL or "": the cost model chooses. */
seiche_status seiche_plan_create_tuned(const seiche_device* device, const char* problem, const char* tuning,
                                       seiche_directions directions, seiche_plan** plan);
void seiche_plan_release(seiche_plan* plan);

/* What the text of a file of wisdom (seiche tune writes them) knows of the problem on this device, as Wisdom::find of
 * wisdom.hpp says: words for seiche_plan_create_tuned, "" where it knows nothing. To be released with
 * seiche_text_release. */
seiche_status seiche_wisdom_find(const seiche_device* device, const char* wisdom, const char* problem, char** tuning);
void seiche_text_release(char* text);

/* The kernels of `plans` plans as a pack, as pack.hpp says: `count` bytes, to be released with seiche_bytes_release. */
seiche_status seiche_pack_kernels(const seiche_plan* const* list, size_t plans, unsigned char** bytes, size_t* count);

/* The plan as bytes, with its compiled kernels: `count` of them, to be released with seiche_bytes_release. */
seiche_status seiche_plan_save(const seiche_plan* plan, unsigned char** bytes, size_t* count);
void seiche_bytes_release(unsigned char* bytes);
/* A plan from such bytes, as Plan::load of plan.hpp says: on an equal device nothing is compiled. */
seiche_status seiche_plan_load(const seiche_device* device, const void* bytes, size_t count, seiche_plan** plan);
/* Why kernels of the saved bytes were not used and the problem was planned anew; "" where they were, for other plans
 * and for NULL. Valid while the plan is. */
const char* seiche_plan_replanned(const seiche_plan* plan);

/* The bytes that an execution of `batch` arrays needs; batch 0: the problem's. */
seiche_status seiche_plan_input_bytes(const seiche_plan* plan, uint64_t batch, uint64_t* bytes);
seiche_status seiche_plan_output_bytes(const seiche_plan* plan, uint64_t batch, uint64_t* bytes);
seiche_status seiche_plan_workspace_bytes(const seiche_plan* plan, uint64_t batch, uint64_t* bytes);
/* The frequency at a position along an axis in the spectrum, as Plan::spectrum_index of plan.hpp says. */
seiche_status seiche_plan_spectrum_index(const seiche_plan* plan, int axis, uint64_t position, uint64_t* index);
/* The bytes of each buffer that the array (of a planar one in parts: each half) or the workspace lies in: as many of
 * them as there are, `capacity` at most, are written to `bytes`, which may be NULL for none, and how many there are to
 * `count`. */
seiche_status seiche_plan_input_part_bytes(const seiche_plan* plan, uint64_t batch, uint64_t* bytes, size_t capacity,
                                           size_t* count);
seiche_status seiche_plan_output_part_bytes(const seiche_plan* plan, uint64_t batch, uint64_t* bytes, size_t capacity,
                                            size_t* count);
seiche_status seiche_plan_workspace_part_bytes(const seiche_plan* plan, uint64_t batch, uint64_t* bytes,
                                               size_t capacity, size_t* count);
/* The plan's report for people. Valid while the plan is; "" for NULL. */
const char* seiche_plan_report(const seiche_plan* plan);

/* What a stage names: memory for a buffer, a number for a scalar. */
typedef struct seiche_stage_memory {
    const char* name;
    const seiche_buffer* buffer;
    uint64_t offset; /* bytes */
} seiche_stage_memory;
typedef struct seiche_stage_value {
    const char* name;
    double value;
} seiche_stage_value;

/* A buffer from a byte on. */
typedef struct seiche_buffer_part {
    const seiche_buffer* buffer;
    uint64_t offset; /* bytes */
} seiche_buffer_part;

typedef struct seiche_execution {
    seiche_direction direction;
    const seiche_buffer* input;
    uint64_t input_offset;          /* bytes */
    const seiche_buffer* output;    /* in place: may be NULL */
    uint64_t output_offset;         /* bytes */
    const seiche_buffer* workspace; /* may be NULL where seiche_plan_workspace_bytes says 0 */
    uint64_t workspace_offset;      /* bytes */
    uint64_t batch;                 /* 0: the problem's */
    /* Of planar arrays; NULL: the imaginary half follows the real one. */
    const seiche_buffer* input_imaginary;
    uint64_t input_imaginary_offset; /* bytes */
    const seiche_buffer* output_imaginary;
    uint64_t output_imaginary_offset;         /* bytes */
    const seiche_stage_memory* stage_buffers; /* NULL: none */
    size_t stage_buffer_count;
    const seiche_stage_value* stage_scalars; /* NULL: none */
    size_t stage_scalar_count;
    /* Of an array in several buffers: all of them, in place of the one above. */
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
} seiche_execution;

/* Enqueues the transform and returns at once. */
seiche_status seiche_execute(const seiche_plan* plan, seiche_queue* queue, const seiche_execution* execution);

/* Transforms host memory and waits. Counts are in elements of the array, real numbers or pairs whose real and imaginary
 * parts alternate (of a planar array in real numbers, all real parts before the imaginary ones): `count` must be
 * seiche_plan_input_bytes / element size, and `capacity` at least seiche_plan_output_bytes / element size. */
seiche_status seiche_transform_f32(const seiche_plan* plan, seiche_direction direction, const float* in, size_t count,
                                   float* out, size_t capacity);
seiche_status seiche_transform_f64(const seiche_plan* plan, seiche_direction direction, const double* in, size_t count,
                                   double* out, size_t capacity);
/* A double-double number: hi + lo, |lo| <= ulp(hi) / 2. */
typedef struct seiche_f64x2 {
    double hi, lo;
} seiche_f64x2;
seiche_status seiche_transform_f64x2(const seiche_plan* plan, seiche_direction direction, const seiche_f64x2* in,
                                     size_t count, seiche_f64x2* out, size_t capacity);
/* The same for f16 or bf16 storage, whose bit patterns these are. */
seiche_status seiche_transform_half(const seiche_plan* plan, seiche_direction direction, const uint16_t* in,
                                    size_t count, uint16_t* out, size_t capacity);

/* ---- convolutions ---- */

/* What convolution.hpp says of ConvolutionMode, ConvolutionProduct, KernelDomain and ChannelMatrix. */
typedef enum seiche_convolution_mode {
    SEICHE_CONVOLUTION_FULL = 0,
    SEICHE_CONVOLUTION_SAME = 1,
    SEICHE_CONVOLUTION_VALID = 2,
    SEICHE_CONVOLUTION_CIRCULAR = 3
} seiche_convolution_mode;
typedef enum seiche_convolution_product {
    SEICHE_CONVOLVE = 0,
    SEICHE_CORRELATE = 1,
    SEICHE_CORRELATE_PHASE = 2
} seiche_convolution_product;
typedef enum seiche_kernel_domain {
    SEICHE_KERNEL_TIME = 0,
    SEICHE_KERNEL_FREQUENCY = 1 /* circular only */
} seiche_kernel_domain;
typedef enum seiche_channel_matrix {
    SEICHE_CHANNELS_FULL = 0,
    SEICHE_CHANNELS_SYMMETRIC = 1,
    SEICHE_CHANNELS_DIAGONAL = 2
} seiche_channel_matrix;

/* Start from seiche_convolution_default(); the arrays are borrowed for the call only. */
typedef struct seiche_convolution {
    const uint64_t* signal; /* `rank` lengths, slowest axis first */
    const uint64_t* kernel; /* `rank` lengths; in frequency: NULL */
    size_t rank;
    seiche_convolution_mode mode;
    seiche_kernel_domain domain;
    seiche_convolution_product product;
    int is_complex;           /* not 0: input, kernels and output hold pairs, not real numbers */
    uint32_t inputs, outputs; /* channels */
    seiche_channel_matrix channels;
    uint64_t batch;
    seiche_precision precision;
    seiche_storage storage;
    uint64_t block; /* points of a block of overlap-save; 0: chosen, 1: never */
} seiche_convolution;

/* One real signal and one kernel of these lengths: full, in time, f32. */
seiche_convolution seiche_convolution_default(size_t rank, const uint64_t* signal, const uint64_t* kernel);

/* The result's lengths: `rank` of them are written. */
seiche_status seiche_convolution_result_lengths(const seiche_convolution* convolution, uint64_t* lengths);

typedef struct seiche_convolution_plan seiche_convolution_plan;

seiche_status seiche_convolution_plan_create(const seiche_device* device, const seiche_convolution* convolution,
                                             seiche_convolution_plan** plan);
void seiche_convolution_plan_release(seiche_convolution_plan* plan);

/* The bytes that an execution of `batch` signals needs; batch 0: the convolution's. */
seiche_status seiche_convolution_plan_input_bytes(const seiche_convolution_plan* plan, uint64_t batch, uint64_t* bytes);
seiche_status seiche_convolution_plan_output_bytes(const seiche_convolution_plan* plan, uint64_t batch,
                                                   uint64_t* bytes);
seiche_status seiche_convolution_plan_workspace_bytes(const seiche_convolution_plan* plan, uint64_t batch,
                                                      uint64_t* bytes);
/* Those of all kernels as they are given, of what is made of them, and of the workspace that takes. */
seiche_status seiche_convolution_plan_kernel_bytes(const seiche_convolution_plan* plan, uint64_t* bytes);
seiche_status seiche_convolution_plan_spectrum_bytes(const seiche_convolution_plan* plan, uint64_t* bytes);
seiche_status seiche_convolution_plan_preparation_bytes(const seiche_convolution_plan* plan, uint64_t* bytes);
/* The plan as bytes, which seiche_bytes_release gives up, and a plan from them: as seiche_plan_save and _load. */
seiche_status seiche_convolution_plan_save(const seiche_convolution_plan* plan, unsigned char** bytes, size_t* count);
seiche_status seiche_convolution_plan_load(const seiche_device* device, const void* bytes, size_t count,
                                           seiche_convolution_plan** plan);
/* The plan's report for people. Valid while the plan is; "" for NULL. */
const char* seiche_convolution_plan_report(const seiche_convolution_plan* plan);

/* Offsets in bytes. */
typedef struct seiche_convolution_preparation {
    const seiche_buffer* kernels;
    uint64_t kernels_offset;
    const seiche_buffer* spectrum;
    uint64_t spectrum_offset;
    const seiche_buffer* workspace; /* may be NULL where seiche_convolution_plan_preparation_bytes says 0 */
    uint64_t workspace_offset;
} seiche_convolution_preparation;

typedef struct seiche_convolution_execution {
    const seiche_buffer* input;
    uint64_t input_offset;
    const seiche_buffer* spectrum; /* what seiche_convolution_prepare wrote; only read */
    uint64_t spectrum_offset;
    const seiche_buffer* output; /* must not overlap the input */
    uint64_t output_offset;
    const seiche_buffer* workspace; /* may be NULL where seiche_convolution_plan_workspace_bytes says 0 */
    uint64_t workspace_offset;
    uint64_t batch; /* 0: the convolution's */
} seiche_convolution_execution;

/* Enqueue the transform of the kernels, once for any number of executions, and the convolution; both return at once. */
seiche_status seiche_convolution_prepare(const seiche_convolution_plan* plan, seiche_queue* queue,
                                         const seiche_convolution_preparation* preparation);
seiche_status seiche_convolution_execute(const seiche_convolution_plan* plan, seiche_queue* queue,
                                         const seiche_convolution_execution* execution);

/* Convolves host memory and waits. Counts are in elements of each array, real numbers or pairs whose real and imaginary
 * parts alternate (kernels in frequency are always pairs): `count` and `kernel_count` must be
 * seiche_convolution_plan_input_bytes and seiche_convolution_plan_kernel_bytes / element size, and `capacity` at least
 * seiche_convolution_plan_output_bytes / element size. */
seiche_status seiche_convolve_f32(const seiche_convolution_plan* plan, const float* in, size_t count,
                                  const float* kernels, size_t kernel_count, float* out, size_t capacity);
seiche_status seiche_convolve_f64(const seiche_convolution_plan* plan, const double* in, size_t count,
                                  const double* kernels, size_t kernel_count, double* out, size_t capacity);
seiche_status seiche_convolve_f64x2(const seiche_convolution_plan* plan, const seiche_f64x2* in, size_t count,
                                    const seiche_f64x2* kernels, size_t kernel_count, seiche_f64x2* out,
                                    size_t capacity);
/* The same for f16 or bf16 storage, whose bit patterns these are. */
seiche_status seiche_convolve_half(const seiche_convolution_plan* plan, const uint16_t* in, size_t count,
                                   const uint16_t* kernels, size_t kernel_count, uint16_t* out, size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
