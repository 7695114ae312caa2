/* Short-time Fourier transforms of real signals and their inverse, as short_time.hpp has them. */
#ifndef SEICHE_C_SHORT_TIME_H
#define SEICHE_C_SHORT_TIME_H

#include "seiche/c/plan.h"
#include "seiche/visibility.h"

#ifdef __cplusplus
extern "C" {
#endif
SEICHE_EXPORT_BEGIN

/* What short_time.hpp says of FramePadding, BinValue and FrameOrder. */
typedef enum seiche_frame_padding {
    SEICHE_PADDING_NONE = 0,
    SEICHE_PADDING_ZEROS = 1,
    SEICHE_PADDING_REFLECT = 2
} seiche_frame_padding;
typedef enum seiche_bin_value {
    SEICHE_BIN_COMPLEX = 0,
    SEICHE_BIN_POWER = 1,
    SEICHE_BIN_DECIBELS = 2
} seiche_bin_value;
typedef enum seiche_frame_order { SEICHE_FRAMES_FIRST = 0, SEICHE_FREQUENCIES_FIRST = 1 } seiche_frame_order;
/* "none", "complex", "frames-first" ...; "unknown" for other numbers. */
const char* seiche_frame_padding_name(seiche_frame_padding padding);
const char* seiche_bin_value_name(seiche_bin_value value);
const char* seiche_frame_order_name(seiche_frame_order order);

/* As ShortTimeProblem of short_time.hpp. The window is borrowed for the call only. */
typedef struct seiche_short_time_problem {
    size_t struct_size;
    uint64_t samples;     /* of a signal */
    const double* window; /* `length` values, as a frame */
    size_t length;        /* at most 2^20 */
    uint64_t hop;
    seiche_direction direction; /* forward or inverse */
    seiche_frame_padding padding;
    seiche_bin_value value;
    seiche_frame_order order;
    seiche_precision precision; /* f32 or f64 */
    int reserved;               /* 0 */
    uint64_t batch;             /* signals */
} seiche_short_time_problem;
/* Forward, zeros beside one signal, complex bins, frames first, f32; samples, window, length and hop are yours to
 * set. */
#define SEICHE_SHORT_TIME_PROBLEM_INIT                                                                              \
    {                                                                                                               \
        sizeof(seiche_short_time_problem), 0, NULL, 0, 0, SEICHE_FORWARD, SEICHE_PADDING_ZEROS, SEICHE_BIN_COMPLEX, \
            SEICHE_FRAMES_FIRST, SEICHE_F32, 0, 1                                                                   \
    }
void seiche_short_time_problem_init(seiche_short_time_problem* problem, size_t struct_size);
/* From its text, as parse_short_time of short_time.hpp reads it; `window` has `length` values where the text says
 * window=given, else NULL and 0. It and what it points to belong to the library: release it with
 * seiche_short_time_problem_release. */
seiche_status seiche_short_time_problem_parse(const char* text, const double* window, size_t length,
                                              seiche_short_time_problem** problem);
/* Of problems that belong to the library: parsed ones, and those that seiche_short_time_plan_get_problem gives. */
void seiche_short_time_problem_release(seiche_short_time_problem* problem);
/* As text, without the values of a window that has no name. To be released with seiche_text_release. */
seiche_status seiche_short_time_problem_text(const seiche_short_time_problem* problem, char** text);
/* Of a signal, and of a frame. */
seiche_status seiche_short_time_problem_frames(const seiche_short_time_problem* problem, uint64_t* frames);
seiche_status seiche_short_time_problem_bins(const seiche_short_time_problem* problem, uint64_t* bins);

/* Without a device: as seiche_inspect and seiche_analyse. */
seiche_status seiche_short_time_inspect(const seiche_short_time_problem* problem, const seiche_device_limits* limits,
                                        const char* tuning, seiche_report** report);
seiche_status seiche_short_time_analyse(const seiche_short_time_problem* problem, const seiche_device_limits* limits,
                                        const char* tuning, seiche_analysis** analysis);

typedef struct seiche_short_time_plan seiche_short_time_plan;

/* `tuning`: as for seiche_plan_create; NULL or "": the cost model chooses. */
seiche_status seiche_short_time_plan_create(const seiche_device* device, const seiche_short_time_problem* problem,
                                            const char* tuning, seiche_short_time_plan** plan);
void seiche_short_time_plan_release(seiche_short_time_plan* plan);

/* The bytes that an execution of the problem's batch needs. */
seiche_status seiche_short_time_plan_input_bytes(const seiche_short_time_plan* plan, uint64_t* bytes);
seiche_status seiche_short_time_plan_output_bytes(const seiche_short_time_plan* plan, uint64_t* bytes);
seiche_status seiche_short_time_plan_workspace_bytes(const seiche_short_time_plan* plan, uint64_t* bytes);
/* The plan as bytes, which seiche_bytes_release gives up, and a plan from them: as seiche_plan_save and _load. */
seiche_status seiche_short_time_plan_save(const seiche_short_time_plan* plan, unsigned char** bytes, size_t* count);
seiche_status seiche_short_time_plan_load(const seiche_device* device, const void* bytes, size_t count,
                                          seiche_short_time_plan** plan);
seiche_status seiche_short_time_plan_get_report(const seiche_short_time_plan* plan, seiche_report** report);
/* A copy of the problem, to be released with seiche_short_time_problem_release, and another handle of the device. */
seiche_status seiche_short_time_plan_get_problem(const seiche_short_time_plan* plan,
                                                 seiche_short_time_problem** problem);
seiche_status seiche_short_time_plan_get_device(const seiche_short_time_plan* plan, seiche_device** device);

/* The arguments of one execution, as ShortTimeExecution. Offsets in bytes. */
typedef struct seiche_short_time_execution {
    size_t struct_size;
    const seiche_buffer* input;
    uint64_t input_offset;
    const seiche_buffer* output; /* must not overlap the input */
    uint64_t output_offset;
    const seiche_buffer* workspace; /* may be NULL where seiche_short_time_plan_workspace_bytes says 0 */
    uint64_t workspace_offset;
    uint64_t batch; /* at most the problem's, in buffers for that; 0: that; SEICHE_NO_ARRAYS: none */
} seiche_short_time_execution;
#define SEICHE_SHORT_TIME_EXECUTION_INIT \
    { sizeof(seiche_short_time_execution), NULL, 0, NULL, 0, NULL, 0, 0 }
void seiche_short_time_execution_init(seiche_short_time_execution* execution, size_t struct_size);

/* Enqueues the transform and returns at once. */
seiche_status seiche_short_time_execute(const seiche_short_time_plan* plan, seiche_queue* queue,
                                        const seiche_short_time_execution* execution);
/* Transforms host memory and waits; `count` elements of the input, and room for `out_bytes` bytes. */
seiche_status seiche_short_time_apply(const seiche_short_time_plan* plan, seiche_host_element in_element,
                                      const void* in, size_t count, seiche_host_element out_element, void* out,
                                      size_t out_bytes);

SEICHE_EXPORT_END
#ifdef __cplusplus
}
#endif

#endif
