/* Problems: what is to be transformed, as problem.hpp and stage.hpp have it. */
#ifndef SEICHE_C_PROBLEM_H
#define SEICHE_C_PROBLEM_H

#include "seiche/c/device.h"
#include "seiche/visibility.h"

#ifdef __cplusplus
extern "C" {
#endif
SEICHE_EXPORT_BEGIN

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
    SEICHE_HC2R = 13,
    SEICHE_HFFT = 14, /* c2r with the forward sign, forward only */
    SEICHE_IHFFT = 15 /* r2c with the inverse sign, inverse only */
} seiche_kind;
/* "c2c", "dct2" ...; "unknown" for other numbers. */
const char* seiche_kind_name(seiche_kind kind);
/* 0 for c2c, r2c, c2r, hfft and ihfft, and for other numbers. */
int seiche_kind_is_real_to_real(seiche_kind kind);
/* The kind of the other direction: dct3 for dct2, c2r for r2c, itself for c2c, dct1 and others. */
seiche_status seiche_kind_inverse(seiche_kind kind, seiche_kind* inverse);
/* The N of one axis of n points that SEICHE_SCALE_BY_N divides by. */
seiche_status seiche_kind_logical_length(seiche_kind kind, uint64_t n, uint64_t* logical);

/* SEICHE_F16: halves in memory and in arithmetic. */
typedef enum seiche_precision { SEICHE_F32 = 0, SEICHE_F64 = 1, SEICHE_F64X2 = 2, SEICHE_F16 = 3 } seiche_precision;
const char* seiche_precision_name(seiche_precision precision);
/* What one real number takes in the arrays, as Storage of problem.hpp. */
typedef enum seiche_storage {
    SEICHE_STORAGE_SAME = 0,
    SEICHE_STORAGE_F16 = 1,
    SEICHE_STORAGE_BF16 = 2,
    SEICHE_STORAGE_F32 = 3,
    SEICHE_STORAGE_F64 = 4
} seiche_storage;
const char* seiche_storage_name(seiche_storage storage);
/* Bytes of one real number in memory. */
seiche_status seiche_stored_bytes(seiche_precision precision, seiche_storage storage, uint64_t* bytes);

/* SEICHE_DIRECTION_OF_PLAN: the one direction that the plan has, else forward. */
typedef enum seiche_direction { SEICHE_FORWARD = 0, SEICHE_INVERSE = 1, SEICHE_DIRECTION_OF_PLAN = 2 } seiche_direction;
typedef enum seiche_placement { SEICHE_OUT_OF_PLACE = 0, SEICHE_IN_PLACE = 1 } seiche_placement;
typedef enum seiche_spectrum_order { SEICHE_ORDER_NATURAL = 0, SEICHE_ORDER_PASS = 1 } seiche_spectrum_order;
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
/* The factor itself for a transform of `n` points in all. */
seiche_status seiche_scale_value(seiche_scale scale, double n, double* value);

/* Where the elements of an array lie, as Layout of problem.hpp. Distances are in elements of the array, complex or real
 * numbers, and below 0 where elements lie before the first one. The offset, in bytes from the start of the buffer, is
 * that of the first element and leaves room for these. */
typedef struct seiche_layout {
    size_t struct_size;
    const int64_t* strides; /* the problem's `rank` of them; NULL: row-major and dense */
    int64_t batch_distance; /* 0: dense */
    uint64_t byte_offset;
    uint64_t part_bytes;       /* not 0: in several buffers of so many bytes */
    int planar;                /* not 0: real and imaginary parts lie apart */
    seiche_image_format image; /* not SEICHE_IMAGE_NONE: the array is an image of this format */
    uint64_t image_width; /* texels of a row of the image that the array takes; 0: those of a row of the last axis */
} seiche_layout;
#define SEICHE_LAYOUT_INIT \
    { sizeof(seiche_layout), NULL, 0, 0, 0, 0, SEICHE_IMAGE_NONE, 0 }
void seiche_layout_init(seiche_layout* layout, size_t struct_size);

/* A user's stage (docs/reference/stages.md): the text and what it names. */
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
/* "f16" ... and the bytes of one element; "unknown" and 0 for other numbers. */
const char* seiche_stage_type_name(seiche_stage_type type);
uint64_t seiche_stage_type_bytes(seiche_stage_type type);
typedef struct seiche_stage_buffer {
    const char* name;
    seiche_stage_type type;
    uint64_t count; /* elements */
} seiche_stage_buffer;
typedef struct seiche_stage_scalar {
    const char* name;
    seiche_stage_type type; /* F32, F64, I32 or U32 */
} seiche_stage_scalar;
/* As StageHostFunction and StageFunction of stage.hpp. */
typedef void (*seiche_stage_host_function)(void* array, uint64_t index, void* value, void* pointer);
typedef struct seiche_stage_function {
    size_t struct_size;
    const char* symbol; /* NULL or "": there is no code */
    const void* code;   /* copied */
    size_t code_bytes;
    seiche_stage_host_function host; /* NULL: none */
} seiche_stage_function;
#define SEICHE_STAGE_FUNCTION_INIT \
    { sizeof(seiche_stage_function), NULL, NULL, 0, NULL }
void seiche_stage_function_init(seiche_stage_function* function, size_t struct_size);

typedef struct seiche_stage {
    size_t struct_size;
    const char* text; /* NULL or "", without a function: no stage */
    const seiche_stage_buffer* buffers;
    size_t buffer_count; /* at most 16 */
    const seiche_stage_scalar* scalars;
    size_t scalar_count;                   /* at most 16 */
    const seiche_stage_function* function; /* in place of a text; NULL: none */
} seiche_stage;
#define SEICHE_STAGE_INIT \
    { sizeof(seiche_stage), NULL, NULL, 0, NULL, 0, NULL }
void seiche_stage_init(seiche_stage* stage, size_t struct_size);

/* Elements begin .. end-1 along an axis; a negative axis counts from the last. */
typedef struct seiche_block {
    int axis;
    uint64_t begin, end;
} seiche_block;

/* A transform. Arrays, layouts and stages are borrowed for the call only. */
typedef struct seiche_problem {
    size_t struct_size;
    const uint64_t* lengths; /* `rank` of them, slowest axis first */
    size_t rank;             /* at most 64 */
    const int* axes;         /* `axis_count` of them, the axes to transform; NULL and 0: all */
    size_t axis_count;
    uint64_t batch;
    seiche_kind kind;
    int orthonormal;               /* not 0: real-to-real with an orthogonal matrix */
    const seiche_kind* axis_kinds; /* one per transformed axis; NULL: all `kind` */
    const int* halved_axis;        /* of r2c and c2r; NULL: the last */
    seiche_precision precision;
    seiche_storage storage;
    seiche_placement placement;
    seiche_spectrum_order spectrum_order; /* as SpectrumOrder of problem.hpp says */
    seiche_scale forward_scale, inverse_scale;
    const seiche_layout *input, *output; /* NULL: row-major and dense; in place NULL follows from the other */
    const seiche_block* signal_zeros;    /* pruning, as Problem::signal_zeros of problem.hpp says */
    size_t signal_zero_count;
    const seiche_block* spectrum_zeros;
    size_t spectrum_zero_count;
    int may_overwrite_input; /* not 0: as Problem::may_overwrite_input of problem.hpp says */
    int orthogonalize;       /* not 0: real-to-real, edges weighed as Problem::orthogonalize of problem.hpp says */
    const seiche_stage *forward_load, *forward_store, *inverse_load, *inverse_store; /* NULL: none */
} seiche_problem;
/* f32, c2c, out of place, dense, not scaled; `lengths` and `rank` are yours to set. */
#define SEICHE_PROBLEM_INIT                                                                                            \
    {                                                                                                                  \
        sizeof(seiche_problem), NULL, 0, NULL, 0, 1, SEICHE_C2C, 0, NULL, NULL, SEICHE_F32, SEICHE_STORAGE_SAME,       \
            SEICHE_OUT_OF_PLACE, SEICHE_ORDER_NATURAL, {SEICHE_SCALE_NONE, 1.0}, {SEICHE_SCALE_NONE, 1.0}, NULL, NULL, \
            NULL, 0, NULL, 0, 0, 0, NULL, NULL, NULL, NULL                                                             \
    }
void seiche_problem_init(seiche_problem* problem, size_t struct_size);
/* One array of these lengths. */
static inline seiche_problem seiche_problem_default(size_t rank, const uint64_t* lengths) {
    seiche_problem problem = SEICHE_PROBLEM_INIT;
    problem.rank = rank;
    problem.lengths = lengths;
    return problem;
}

/* How both directions are scaled, in numpy's and SciPy's words. */
typedef enum seiche_norm {
    SEICHE_NORM_BACKWARD = 0, /* forward by 1, inverse by 1 / N */
    SEICHE_NORM_ORTHO = 1,    /* both by 1 / sqrt(N) */
    SEICHE_NORM_FORWARD = 2   /* forward by 1 / N, inverse by 1 */
} seiche_norm;
const char* seiche_norm_name(seiche_norm norm);
/* Sets both scales, as Problem::set_norm of problem.hpp. */
seiche_status seiche_problem_set_norm(seiche_problem* problem, seiche_norm norm);

/* A problem from its text, such as "1024x1024 c2c f32 batch=16 in-place", as parse_problem of problem.hpp reads it. It
 * and what it points to belong to the library: change members as you like, point them elsewhere, and release it with
 * seiche_problem_release. */
seiche_status seiche_problem_parse(const char* text, seiche_problem** problem);
void seiche_problem_release(seiche_problem* problem);
/* The way back, without stages. To be released with seiche_text_release. */
seiche_status seiche_problem_text(const seiche_problem* problem, char** text);

/* The smallest m >= n whose prime factors are all <= 13. */
seiche_status seiche_next_fast_length(uint64_t n, uint64_t* m);

SEICHE_EXPORT_END
#ifdef __cplusplus
}
#endif

#endif
