/* Spectral operators in one plan, as spectral.hpp has them: forward transform, a stage for each bin, inverse
 * transform, or the other way round. */
#ifndef SEICHE_C_SPECTRAL_H
#define SEICHE_C_SPECTRAL_H

#include "seiche/c/plan.h"
#include "seiche/visibility.h"

#ifdef __cplusplus
extern "C" {
#endif
SEICHE_EXPORT_BEGIN

/* What spectral.hpp says of SpectralNumbers. */
typedef enum seiche_spectral_numbers {
    SEICHE_SPECTRAL_REAL = 0,
    SEICHE_SPECTRAL_COMPLEX = 1,
    SEICHE_SPECTRAL_ANALYTIC = 2 /* real in, complex out */
} seiche_spectral_numbers;
/* "real" ...; "unknown" for other numbers. */
const char* seiche_spectral_numbers_name(seiche_spectral_numbers numbers);

/* What spectral.hpp says of SpectralAxisKind. */
typedef enum seiche_spectral_axis_kind {
    SEICHE_SPECTRAL_PERIODIC = 0, /* as `numbers` says */
    SEICHE_SPECTRAL_DCT1 = 1,
    SEICHE_SPECTRAL_DCT2 = 2,
    SEICHE_SPECTRAL_DCT3 = 3,
    SEICHE_SPECTRAL_DCT4 = 4,
    SEICHE_SPECTRAL_DST1 = 5,
    SEICHE_SPECTRAL_DST2 = 6,
    SEICHE_SPECTRAL_DST3 = 7,
    SEICHE_SPECTRAL_DST4 = 8
} seiche_spectral_axis_kind;
/* "periodic", "dct1" ...; "unknown" for other numbers. */
const char* seiche_spectral_axis_kind_name(seiche_spectral_axis_kind kind);
/* What spectral.hpp says of SpectralOrder. */
typedef enum seiche_spectral_order {
    SEICHE_SPECTRAL_POINTS_FIRST = 0,
    SEICHE_SPECTRAL_SPECTRUM_FIRST = 1
} seiche_spectral_order;
/* "points-first" ...; "unknown" for other numbers. */
const char* seiche_spectral_order_name(seiche_spectral_order order);
/* What spectral.hpp says of SpectralPart: how much of an operator a plan is. */
typedef enum seiche_spectral_part {
    SEICHE_SPECTRAL_WHOLE = 0,   /* signals to signals */
    SEICHE_SPECTRAL_FORWARD = 1, /* signals to their kept modes */
    SEICHE_SPECTRAL_INVERSE = 2, /* kept modes, times weights if there are channels, to signals */
    SEICHE_SPECTRAL_GRADIENT = 3 /* kept modes of the input and of the output's gradient to that of the weights */
} seiche_spectral_part;
/* "whole" ...; "unknown" for other numbers. */
const char* seiche_spectral_part_name(seiche_spectral_part part);

/* Which of a transform's points an array has along one axis: begin .. end-1. */
typedef struct seiche_point_range {
    uint64_t begin, end;
} seiche_point_range;

/* Which frequencies of an axis are kept: the wave numbers begin .. end-1, negative ones too. */
typedef struct seiche_mode_range {
    int64_t begin, end;
} seiche_mode_range;

/* As SpectralProblem of spectral.hpp. Arrays and stages are borrowed for the call only. */
typedef struct seiche_spectral_problem {
    size_t struct_size;
    const uint64_t* lengths;                  /* `rank` of them, slowest axis first */
    size_t rank;                              /* at most 64 */
    const seiche_point_range *input, *output; /* `rank` of them each; NULL: all points */
    seiche_spectral_numbers numbers;
    seiche_precision precision; /* f32 or f64 */
    seiche_storage storage;
    seiche_spectral_order order;
    const seiche_stage *load, *middle, *store; /* NULL: none */
    double scale;                              /* of the output, beside 1/N of the transforms */
    uint64_t batch;
    const seiche_mode_range* kept; /* `rank` of them; NULL: all */
    uint32_t inputs, outputs;      /* channels, between which each kept mode has a matrix of weights; 0: none */
    const seiche_spectral_axis_kind* kinds; /* `rank` of them; NULL: all periodic */
    const int64_t* packed;                  /* `rank` wave numbers for each of so many modes; NULL and 0: none */
    size_t packed_count;                    /* modes */
    int sums_in_f64;                        /* of f32: what the middle stage sums is added and given in f64 */
    int adjoint;                            /* not 0: weights are [outputs][inputs][modes], and used conjugated */
    seiche_spectral_part part;
    int reserved; /* 0 */
} seiche_spectral_problem;
/* Real, f32, all points, no stages, one array, all modes, no channels, periodic, points first, whole; `lengths` and
 * `rank` are yours to set. */
#define SEICHE_SPECTRAL_PROBLEM_INIT                                                                                 \
    {                                                                                                                \
        sizeof(seiche_spectral_problem), NULL, 0, NULL, NULL, SEICHE_SPECTRAL_REAL, SEICHE_F32, SEICHE_STORAGE_SAME, \
            SEICHE_SPECTRAL_POINTS_FIRST, NULL, NULL, NULL, 1.0, 1, NULL, 0, 0, NULL, NULL, 0, 0, 0,                 \
            SEICHE_SPECTRAL_WHOLE, 0                                                                                 \
    }
void seiche_spectral_problem_init(seiche_spectral_problem* problem, size_t struct_size);
/* One real array of these lengths. */
static inline seiche_spectral_problem seiche_spectral_problem_default(size_t rank, const uint64_t* lengths) {
    seiche_spectral_problem problem = SEICHE_SPECTRAL_PROBLEM_INIT;
    problem.rank = rank;
    problem.lengths = lengths;
    return problem;
}
/* From its text, as parse_spectral of spectral.hpp reads it. It and what it points to belong to the library: set its
 * stages and change members as you like, and release it with seiche_spectral_problem_release. */
seiche_status seiche_spectral_problem_parse(const char* text, seiche_spectral_problem** problem);
/* Of problems that belong to the library: parsed ones, and those that seiche_spectral_plan_get_problem gives. */
void seiche_spectral_problem_release(seiche_spectral_problem* problem);
/* As text, without stages. To be released with seiche_text_release. */
seiche_status seiche_spectral_problem_text(const seiche_spectral_problem* problem, char** text);

/* Without a device: as seiche_inspect and seiche_analyse. */
seiche_status seiche_spectral_inspect(const seiche_spectral_problem* problem, const seiche_device_limits* limits,
                                      const char* tuning, seiche_report** report);
seiche_status seiche_spectral_analyse(const seiche_spectral_problem* problem, const seiche_device_limits* limits,
                                      const char* tuning, seiche_analysis** analysis);

typedef struct seiche_spectral_plan seiche_spectral_plan;

seiche_status seiche_spectral_plan_create(const seiche_device* device, const seiche_spectral_problem* problem,
                                          seiche_spectral_plan** plan);
/* The same, tuned: vector-lanes, threads and transforms-per-group apply. NULL or "": the cost model chooses. */
seiche_status seiche_spectral_plan_create_tuned(const seiche_device* device, const seiche_spectral_problem* problem,
                                                const char* tuning, seiche_spectral_plan** plan);
void seiche_spectral_plan_release(seiche_spectral_plan* plan);

/* The bytes that an execution of `batch` arrays needs; batch 0: the problem's. */
seiche_status seiche_spectral_plan_input_bytes(const seiche_spectral_plan* plan, uint64_t batch, uint64_t* bytes);
seiche_status seiche_spectral_plan_output_bytes(const seiche_spectral_plan* plan, uint64_t batch, uint64_t* bytes);
seiche_status seiche_spectral_plan_workspace_bytes(const seiche_spectral_plan* plan, uint64_t batch, uint64_t* bytes);
/* Of the weights; 0 without channels. Of a gradient, which has the modes of `batch` arrays there, for the problem's. */
seiche_status seiche_spectral_plan_weight_bytes(const seiche_spectral_plan* plan, uint64_t* bytes);
/* Of the middle stage's sums, for `batch` arrays (0: the problem's); 0 without sums. */
seiche_status seiche_spectral_plan_sum_bytes(const seiche_spectral_plan* plan, uint64_t batch, uint64_t* bytes);
/* Their names, in the order that results have, to be released with seiche_text_list_release. */
seiche_status seiche_spectral_plan_sum_names(const seiche_spectral_plan* plan, seiche_text_list** names);
/* The plan as bytes, which seiche_bytes_release gives up, and a plan from them: as seiche_plan_save and _load. */
seiche_status seiche_spectral_plan_save(const seiche_spectral_plan* plan, unsigned char** bytes, size_t* count);
seiche_status seiche_spectral_plan_load(const seiche_device* device, const void* bytes, size_t count,
                                        seiche_spectral_plan** plan);
/* The plan's report for people. Valid while the plan is; "" for NULL. */
const char* seiche_spectral_plan_report(const seiche_spectral_plan* plan);
/* The same as values. */
seiche_status seiche_spectral_plan_get_report(const seiche_spectral_plan* plan, seiche_report** report);
/* A copy of the problem, stages included, to be released with seiche_spectral_problem_release, and another handle of
 * the device. */
seiche_status seiche_spectral_plan_get_problem(const seiche_spectral_plan* plan, seiche_spectral_problem** problem);
seiche_status seiche_spectral_plan_get_device(const seiche_spectral_plan* plan, seiche_device** device);

/* The arguments of one execution, as SpectralExecution. Offsets in bytes. */
typedef struct seiche_spectral_execution {
    size_t struct_size;
    const seiche_buffer* input;
    uint64_t input_offset;
    const seiche_buffer* output; /* must not overlap the input */
    uint64_t output_offset;
    const seiche_buffer* workspace; /* may be NULL where seiche_spectral_plan_workspace_bytes says 0 */
    uint64_t workspace_offset;
    uint64_t batch; /* 0: the problem's; SEICHE_NO_ARRAYS: none */
    /* What the stages name, in any order. */
    const seiche_stage_memory* stage_buffers;
    size_t stage_buffer_count;
    const seiche_stage_value* stage_scalars;
    size_t stage_scalar_count;
    /* Of a gradient the modes of the output's gradient; may be NULL where seiche_spectral_plan_weight_bytes says 0. */
    const seiche_buffer* weights;
    uint64_t weights_offset;
    const seiche_buffer* sums; /* may be NULL where seiche_spectral_plan_sum_bytes says 0 */
    uint64_t sums_offset;
} seiche_spectral_execution;
#define SEICHE_SPECTRAL_EXECUTION_INIT \
    { sizeof(seiche_spectral_execution), NULL, 0, NULL, 0, NULL, 0, 0, NULL, 0, NULL, 0, NULL, 0, NULL, 0 }
void seiche_spectral_execution_init(seiche_spectral_execution* execution, size_t struct_size);

/* Enqueues the operator and returns at once. */
seiche_status seiche_spectral_execute(const seiche_spectral_plan* plan, seiche_queue* queue,
                                      const seiche_spectral_execution* execution);

/* Applies the operator to host memory and waits. Counts are in elements of each array, real numbers or pairs whose real
 * and imaginary parts alternate: `count` must be seiche_spectral_plan_input_bytes / element size, and `capacity` at
 * least seiche_spectral_plan_output_bytes / element size. Stages may name scalars (NULL and 0: none); those that name
 * buffers need seiche_spectral_execute. */
seiche_status seiche_spectral_apply_f32(const seiche_spectral_plan* plan, const float* in, size_t count, float* out,
                                        size_t capacity, const seiche_stage_value* scalars, size_t scalar_count);
seiche_status seiche_spectral_apply_f64(const seiche_spectral_plan* plan, const double* in, size_t count, double* out,
                                        size_t capacity, const seiche_stage_value* scalars, size_t scalar_count);
/* The same for f16 or bf16 storage, whose bit patterns these are. */
seiche_status seiche_spectral_apply_half(const seiche_spectral_plan* plan, const uint16_t* in, size_t count,
                                         uint16_t* out, size_t capacity, const seiche_stage_value* scalars,
                                         size_t scalar_count);
/* The same for raw memory whose element types are looked at; `out` has room for `out_bytes` bytes. */
seiche_status seiche_spectral_apply(const seiche_spectral_plan* plan, seiche_host_element in_element, const void* in,
                                    size_t count, seiche_host_element out_element, void* out, size_t out_bytes,
                                    const seiche_stage_value* scalars, size_t scalar_count);
/* The same for problems with channels: `weights` has `weight_count` elements of this type. */
seiche_status seiche_spectral_apply_weights(const seiche_spectral_plan* plan, seiche_host_element in_element,
                                            const void* in, size_t count, seiche_host_element weight_element,
                                            const void* weights, size_t weight_count, seiche_host_element out_element,
                                            void* out, size_t out_bytes, const seiche_stage_value* scalars,
                                            size_t scalar_count);

SEICHE_EXPORT_END
#ifdef __cplusplus
}
#endif

#endif
