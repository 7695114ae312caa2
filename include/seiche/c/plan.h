/* Plans and executions, tunings, wisdom, textbook recipes and packs of kernels, as plan.hpp, tuning.hpp, wisdom.hpp,
 * textbook.hpp and pack.hpp have them. */
#ifndef SEICHE_C_PLAN_H
#define SEICHE_C_PLAN_H

#include "seiche/c/inspect.h"
#include "seiche/c/problem.h"
#include "seiche/visibility.h"

#ifdef __cplusplus
extern "C" {
#endif
SEICHE_EXPORT_BEGIN

typedef struct seiche_plan seiche_plan;

/* ---- making plans ---- */

typedef enum seiche_directions { SEICHE_BOTH = 0, SEICHE_ONLY_FORWARD = 1, SEICHE_ONLY_INVERSE = 2 } seiche_directions;

typedef struct seiche_plan_options {
    size_t struct_size;
    seiche_directions directions; /* a plan for one direction compiles half as much */
    int reserved;                 /* 0 */
    const char* tuning; /* words such as "passes=256x256 groups-per-cluster=8"; NULL or "": the cost model chooses */
} seiche_plan_options;
#define SEICHE_PLAN_OPTIONS_INIT \
    { sizeof(seiche_plan_options), SEICHE_BOTH, 0, NULL }
void seiche_plan_options_init(seiche_plan_options* options, size_t struct_size);

seiche_status seiche_plan_create(const seiche_device* device, const seiche_problem* problem,
                                 seiche_directions directions, seiche_plan** plan);
/* The same with options; NULL: the defaults. */
seiche_status seiche_plan_create_with_options(const seiche_device* device, const seiche_problem* problem,
                                              const seiche_plan_options* options, seiche_plan** plan);
/* From a problem's text, such as "1024x1024 c2c f32 batch=16 in-place". */
seiche_status seiche_plan_create_from_text(const seiche_device* device, const char* problem,
                                           seiche_directions directions, seiche_plan** plan);
/* The same, tuned; NULL or "": the cost model chooses. */
seiche_status seiche_plan_create_tuned(const seiche_device* device, const char* problem, const char* tuning,
                                       seiche_directions directions, seiche_plan** plan);
void seiche_plan_release(seiche_plan* plan);

/* The plan as bytes, with its compiled kernels: `count` of them, to be released with seiche_bytes_release. */
seiche_status seiche_plan_save(const seiche_plan* plan, unsigned char** bytes, size_t* count);
/* A plan from such bytes, as Plan::load of plan.hpp says: on an equal device nothing is compiled. */
seiche_status seiche_plan_load(const seiche_device* device, const void* bytes, size_t count, seiche_plan** plan);
/* Why kernels of the saved bytes were not used and the problem was planned anew; "" where they were, for other plans
 * and for NULL. Valid while the plan is. */
const char* seiche_plan_replanned(const seiche_plan* plan);

/* ---- what a plan says ---- */

/* As the batch of an execution, and of the questions below: no arrays at all, where 0 is the problem's own batch. */
#define SEICHE_NO_ARRAYS UINT64_MAX

/* The bytes that an execution of `batch` arrays needs; batch 0: the problem's. 0 of an array that is an image. */
seiche_status seiche_plan_input_bytes(const seiche_plan* plan, uint64_t batch, uint64_t* bytes);
seiche_status seiche_plan_output_bytes(const seiche_plan* plan, uint64_t batch, uint64_t* bytes);
seiche_status seiche_plan_workspace_bytes(const seiche_plan* plan, uint64_t batch, uint64_t* bytes);
/* The bytes of each buffer that the array (of a planar one in parts: each half) or the workspace lies in: as many of
 * them as there are, `capacity` at most, are written to `bytes`, which may be NULL for none, and how many there are to
 * `count`. */
seiche_status seiche_plan_input_part_bytes(const seiche_plan* plan, uint64_t batch, uint64_t* bytes, size_t capacity,
                                           size_t* count);
seiche_status seiche_plan_output_part_bytes(const seiche_plan* plan, uint64_t batch, uint64_t* bytes, size_t capacity,
                                            size_t* count);
seiche_status seiche_plan_workspace_part_bytes(const seiche_plan* plan, uint64_t batch, uint64_t* bytes,
                                               size_t capacity, size_t* count);
/* The least width and height of the images; 0 by 0 of what is in buffers. */
seiche_status seiche_plan_input_texels(const seiche_plan* plan, uint64_t batch, uint64_t* width, uint64_t* height);
seiche_status seiche_plan_output_texels(const seiche_plan* plan, uint64_t batch, uint64_t* width, uint64_t* height);
seiche_status seiche_plan_workspace_texels(const seiche_plan* plan, uint64_t batch, uint64_t* width, uint64_t* height);
/* The frequency at a position along an axis in the spectrum, as Plan::spectrum_index of plan.hpp says. */
seiche_status seiche_plan_spectrum_index(const seiche_plan* plan, int axis, uint64_t position, uint64_t* index);
/* The plan's report for people. Valid while the plan is; "" for NULL. */
const char* seiche_plan_report(const seiche_plan* plan);
/* The same as values. */
seiche_status seiche_plan_get_report(const seiche_plan* plan, seiche_report** report);
/* A copy of the problem, stages included, to be released with seiche_problem_release, and another handle of the device,
 * to be released with seiche_device_release. */
seiche_status seiche_plan_get_problem(const seiche_plan* plan, seiche_problem** problem);
seiche_status seiche_plan_get_device(const seiche_plan* plan, seiche_device** device);

/* ---- executions ---- */

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

/* The arguments of one execution, as Execution of plan.hpp. */
typedef struct seiche_execution {
    size_t struct_size;
    seiche_direction direction;
    int reserved; /* 0 */
    const seiche_buffer* input;
    uint64_t input_offset;          /* bytes */
    const seiche_buffer* output;    /* in place: may be NULL */
    uint64_t output_offset;         /* bytes */
    const seiche_buffer* workspace; /* may be NULL where seiche_plan_workspace_bytes says 0 */
    uint64_t workspace_offset;      /* bytes */
    uint64_t batch;                 /* 0: the problem's; SEICHE_NO_ARRAYS: none */
    /* Of planar arrays; NULL: the imaginary half follows the real one. */
    const seiche_buffer* input_imaginary;
    uint64_t input_imaginary_offset; /* bytes */
    const seiche_buffer* output_imaginary;
    uint64_t output_imaginary_offset; /* bytes */
    /* What the stages of this direction name; those of the other direction may be there too. */
    const seiche_stage_memory* stage_buffers;
    size_t stage_buffer_count;
    const seiche_stage_value* stage_scalars;
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
    /* Of an array that is an image, in place of the buffer above; of a workspace that is one. */
    const seiche_image *input_image, *output_image, *workspace_image;
    /* What the functions of this direction's stages get. */
    void *load_pointer, *store_pointer;
} seiche_execution;
#define SEICHE_EXECUTION_INIT                                                                                        \
    {                                                                                                                \
        sizeof(seiche_execution), SEICHE_DIRECTION_OF_PLAN, 0, NULL, 0, NULL, 0, NULL, 0, 0, NULL, 0, NULL, 0, NULL, \
            0, NULL, 0, NULL, 0, NULL, 0, NULL, 0, NULL, 0, NULL, 0, NULL, NULL, NULL, NULL, NULL                    \
    }
void seiche_execution_init(seiche_execution* execution, size_t struct_size);

/* Enqueues the transform and returns at once. */
seiche_status seiche_execute(const seiche_plan* plan, seiche_queue* queue, const seiche_execution* execution);
/* Forces what a driver would otherwise do at the first launch. */
seiche_status seiche_plan_warm_up(const seiche_plan* plan);

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
/* What the elements of an array on the host are, as HostElement of plan.hpp. */
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
/* The same for raw memory whose element types are looked at: `count` elements come in, and `out` has room for
 * `out_bytes` bytes, at least seiche_plan_output_bytes. */
seiche_status seiche_transform(const seiche_plan* plan, seiche_direction direction, seiche_host_element in_element,
                               const void* in, size_t count, seiche_host_element out_element, void* out,
                               size_t out_bytes);

/* ---- tunings, wisdom, recipes, packs ---- */

/* The tuning as to_string of wisdom.hpp writes it; SEICHE_INVALID_PROBLEM for a word that means nothing. To be released
 * with seiche_text_release. */
seiche_status seiche_tuning_text(const char* tuning, char** text);
/* Tunings worth measuring on a device with these limits, as candidate_tunings of wisdom.hpp; NULL: the default limits.
 */
seiche_status seiche_candidate_tunings(const seiche_problem* problem, const seiche_device_limits* limits,
                                       seiche_text_list** tunings);

/* What the text of a file of wisdom (seiche tune writes them) knows of the problem on this device, as Wisdom::find of
 * wisdom.hpp says: words for seiche_plan_create_tuned, "" where it knows nothing. To be released with
 * seiche_text_release. */
seiche_status seiche_wisdom_find(const seiche_device* device, const char* wisdom, const char* problem, char** tuning);

/* Wisdom as an object, as Wisdom of wisdom.hpp. NULL as the text: none yet. */
typedef struct seiche_wisdom seiche_wisdom;
typedef struct seiche_wisdom_entry {
    size_t struct_size;
    const char* device;  /* seiche_device_description */
    const char* version; /* of Seiche */
    const char* problem; /* seiche_problem_text of it, with its batch */
    const char* tuning;
    double milliseconds;         /* of one execution so, */
    double untuned_milliseconds; /* and as the cost model chooses */
} seiche_wisdom_entry;
#define SEICHE_WISDOM_ENTRY_INIT \
    { sizeof(seiche_wisdom_entry), NULL, NULL, NULL, NULL, 0, 0 }
void seiche_wisdom_entry_init(seiche_wisdom_entry* entry, size_t struct_size);
seiche_status seiche_wisdom_parse(const char* text, seiche_wisdom** wisdom);
void seiche_wisdom_release(seiche_wisdom* wisdom);
seiche_status seiche_wisdom_text(const seiche_wisdom* wisdom, char** text);
size_t seiche_wisdom_count(const seiche_wisdom* wisdom);
/* Texts of an entry are valid until the wisdom changes or is released. */
seiche_status seiche_wisdom_get(const seiche_wisdom* wisdom, size_t index, seiche_wisdom_entry* entry);
/* In place of the entry for the same device, version and problem, if there is one. */
seiche_status seiche_wisdom_set(seiche_wisdom* wisdom, const seiche_wisdom_entry* entry);
/* The index of the entry for this version and the problem on this device, SIZE_MAX where there is none: as Wisdom::find
 * says, or of the problem as it is alone. */
seiche_status seiche_wisdom_index(const seiche_wisdom* wisdom, const seiche_device* device,
                                  const seiche_problem* problem, size_t* index);
seiche_status seiche_wisdom_index_exactly(const seiche_wisdom* wisdom, const seiche_device* device,
                                          const seiche_problem* problem, size_t* index);

/* A published algorithm that the tuning "recipe=NAME" asks for, as textbook.hpp. Texts are valid for ever. */
typedef struct seiche_textbook_recipe {
    size_t struct_size;
    const char* name;
    const char* text;        /* the key of the text that has it */
    const char* description; /* one line */
} seiche_textbook_recipe;
#define SEICHE_TEXTBOOK_RECIPE_INIT \
    { sizeof(seiche_textbook_recipe), NULL, NULL, NULL }
void seiche_textbook_recipe_init(seiche_textbook_recipe* recipe, size_t struct_size);
size_t seiche_textbook_recipe_count(void);
seiche_status seiche_textbook_recipe_get(size_t index, seiche_textbook_recipe* recipe);

/* The kernels of `plans` plans as a pack, as pack.hpp says: `count` bytes, to be released with seiche_bytes_release. */
seiche_status seiche_pack_kernels(const seiche_plan* const* list, size_t plans, unsigned char** bytes, size_t* count);

SEICHE_EXPORT_END
#ifdef __cplusplus
}
#endif

#endif
