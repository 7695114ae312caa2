/* Convolution and correlation in one plan, as convolution.hpp has them. */
#ifndef SEICHE_C_CONVOLUTION_H
#define SEICHE_C_CONVOLUTION_H

#include "seiche/c/plan.h"
#include "seiche/visibility.h"

#ifdef __cplusplus
extern "C" {
#endif
SEICHE_EXPORT_BEGIN

/* What convolution.hpp says of ConvolutionMode, ConvolutionProduct, KernelDomain and ChannelMatrix. */
typedef enum seiche_convolution_mode {
    SEICHE_CONVOLUTION_FULL = 0,
    SEICHE_CONVOLUTION_SAME = 1,
    SEICHE_CONVOLUTION_VALID = 2,
    SEICHE_CONVOLUTION_CIRCULAR = 3,
    SEICHE_CONVOLUTION_CAUSAL = 4
} seiche_convolution_mode;
/* "full" ...; "unknown" for other numbers. */
const char* seiche_convolution_mode_name(seiche_convolution_mode mode);
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

/* The arrays are borrowed for the call only. */
typedef struct seiche_convolution {
    size_t struct_size;
    const uint64_t* signal; /* `rank` lengths, slowest axis first */
    const uint64_t* kernel; /* `rank` lengths; in frequency: NULL */
    size_t rank;            /* at most 64 */
    seiche_convolution_mode mode;
    seiche_kernel_domain domain;
    seiche_convolution_product product;
    int is_complex;           /* not 0: input, kernels and output hold pairs, not real numbers */
    uint32_t inputs, outputs; /* channels */
    seiche_channel_matrix channels;
    seiche_precision precision;
    seiche_storage storage;
    int reserved; /* 0 */
    uint64_t batch;
    uint64_t block; /* points of a block of overlap-save; 0: chosen, 1: never */
} seiche_convolution;
/* Full, real, in time, f32, one channel; `signal`, `kernel` and `rank` are yours to set. */
#define SEICHE_CONVOLUTION_INIT                                                                                        \
    {                                                                                                                  \
        sizeof(seiche_convolution), NULL, NULL, 0, SEICHE_CONVOLUTION_FULL, SEICHE_KERNEL_TIME, SEICHE_CONVOLVE, 0, 1, \
            1, SEICHE_CHANNELS_FULL, SEICHE_F32, SEICHE_STORAGE_SAME, 0, 1, 0                                          \
    }
void seiche_convolution_init(seiche_convolution* convolution, size_t struct_size);
/* One real signal and one kernel of these lengths. */
static inline seiche_convolution seiche_convolution_default(size_t rank, const uint64_t* signal,
                                                            const uint64_t* kernel) {
    seiche_convolution convolution = SEICHE_CONVOLUTION_INIT;
    convolution.rank = rank;
    convolution.signal = signal;
    convolution.kernel = kernel;
    return convolution;
}

/* From its text, as parse_convolution of convolution.hpp reads it. It and what it points to belong to the library:
 * change members as you like, and release it with seiche_convolution_release. */
seiche_status seiche_convolution_parse(const char* text, seiche_convolution** convolution);
void seiche_convolution_release(seiche_convolution* convolution);
/* The way back. To be released with seiche_text_release. */
seiche_status seiche_convolution_text(const seiche_convolution* convolution, char** text);
/* The result's lengths: `rank` of them are written. */
seiche_status seiche_convolution_result_lengths(const seiche_convolution* convolution, uint64_t* lengths);
/* Kernels in the array of kernels. */
seiche_status seiche_convolution_kernel_count(const seiche_convolution* convolution, uint64_t* count);

/* Without a device: as seiche_inspect and seiche_analyse. */
seiche_status seiche_convolution_inspect(const seiche_convolution* convolution, const seiche_device_limits* limits,
                                         const char* tuning, seiche_report** report);
seiche_status seiche_convolution_analyse(const seiche_convolution* convolution, const seiche_device_limits* limits,
                                         const char* tuning, seiche_analysis** analysis);

typedef struct seiche_convolution_plan seiche_convolution_plan;

seiche_status seiche_convolution_plan_create(const seiche_device* device, const seiche_convolution* convolution,
                                             seiche_convolution_plan** plan);
/* The same, tuned: vector-lanes, threads and transforms-per-group apply. */
seiche_status seiche_convolution_plan_create_tuned(const seiche_device* device, const seiche_convolution* convolution,
                                                   const char* tuning, seiche_convolution_plan** plan);
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
/* The same as values. */
seiche_status seiche_convolution_plan_get_report(const seiche_convolution_plan* plan, seiche_report** report);
/* A copy of the convolution, to be released with seiche_convolution_release, and another handle of the device. */
seiche_status seiche_convolution_plan_get_convolution(const seiche_convolution_plan* plan,
                                                      seiche_convolution** convolution);
seiche_status seiche_convolution_plan_get_device(const seiche_convolution_plan* plan, seiche_device** device);
/* Points that each axis is padded to: `capacity` of them at most are written to `lengths`, which may be NULL for none,
 * and how many there are to `count`. */
seiche_status seiche_convolution_plan_padded_lengths(const seiche_convolution_plan* plan, uint64_t* lengths,
                                                     size_t capacity, size_t* count);

/* Offsets in bytes. */
typedef struct seiche_convolution_preparation {
    size_t struct_size;
    const seiche_buffer* kernels;
    uint64_t kernels_offset;
    const seiche_buffer* spectrum;
    uint64_t spectrum_offset;
    const seiche_buffer* workspace; /* may be NULL where seiche_convolution_plan_preparation_bytes says 0 */
    uint64_t workspace_offset;
} seiche_convolution_preparation;
#define SEICHE_CONVOLUTION_PREPARATION_INIT \
    { sizeof(seiche_convolution_preparation), NULL, 0, NULL, 0, NULL, 0 }
void seiche_convolution_preparation_init(seiche_convolution_preparation* preparation, size_t struct_size);

typedef struct seiche_convolution_execution {
    size_t struct_size;
    const seiche_buffer* input;
    uint64_t input_offset;
    const seiche_buffer* spectrum; /* what seiche_convolution_prepare wrote; only read */
    uint64_t spectrum_offset;
    const seiche_buffer* output; /* must not overlap the input */
    uint64_t output_offset;
    const seiche_buffer* workspace; /* may be NULL where seiche_convolution_plan_workspace_bytes says 0 */
    uint64_t workspace_offset;
    uint64_t batch; /* 0: the convolution's; SEICHE_NO_ARRAYS: none */
} seiche_convolution_execution;
#define SEICHE_CONVOLUTION_EXECUTION_INIT \
    { sizeof(seiche_convolution_execution), NULL, 0, NULL, 0, NULL, 0, NULL, 0, 0 }
void seiche_convolution_execution_init(seiche_convolution_execution* execution, size_t struct_size);

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
/* The same for raw memory whose element types are looked at; `out` has room for `out_bytes` bytes. */
seiche_status seiche_convolve(const seiche_convolution_plan* plan, seiche_host_element in_element, const void* in,
                              size_t count, seiche_host_element kernel_element, const void* kernels,
                              size_t kernel_count, void* out, size_t out_bytes);

SEICHE_EXPORT_END
#ifdef __cplusplus
}
#endif

#endif
