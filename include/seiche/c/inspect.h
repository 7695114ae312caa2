/* What a plan is made of and does, without a device if need be, as inspect.hpp and explain.hpp have it. Whatever is
 * returned from a handle is valid while the handle is. Limits may be NULL for the defaults, a tuning NULL or "". */
#ifndef SEICHE_C_INSPECT_H
#define SEICHE_C_INSPECT_H

#include "seiche/c/problem.h"
#include "seiche/visibility.h"

#ifdef __cplusplus
extern "C" {
#endif
SEICHE_EXPORT_BEGIN

/* ---- reports ---- */

typedef struct seiche_report seiche_report;

/* As PlanReport. */
typedef struct seiche_report_summary {
    size_t struct_size;
    const char* problem; /* the problem's text */
    const char* recipe;
    const char* replanned; /* why (some of) a saved plan's kernels were not used; "" if they were */
    size_t kernel_count;   /* forward first, then inverse */
    size_t axis_count;     /* that seiche_report_spectrum_digits knows */
    uint64_t workspace_bytes;
    uint64_t ideal_bytes; /* one round trip */
    uint64_t moved_bytes;
    double plan_milliseconds;
    uint32_t storage_roundings;
    uint32_t compiled, cached, loaded; /* kernels, by where they came from */
} seiche_report_summary;
#define SEICHE_REPORT_SUMMARY_INIT \
    { sizeof(seiche_report_summary), NULL, NULL, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }
void seiche_report_summary_init(seiche_report_summary* summary, size_t struct_size);

/* One kernel launch, as KernelReport. */
typedef struct seiche_kernel_report {
    size_t struct_size;
    const char* name;
    const char* spec; /* one line: length, radices, threads, stages */
    seiche_direction direction;
    uint32_t group_size;
    uint64_t groups;
    uint64_t shared_bytes;
    uint64_t bytes_read; /* from global memory, tables apart */
    uint64_t bytes_written;
    uint64_t table_bytes;
    uint64_t instructions;
} seiche_kernel_report;
#define SEICHE_KERNEL_REPORT_INIT \
    { sizeof(seiche_kernel_report), NULL, NULL, SEICHE_FORWARD, 0, 0, 0, 0, 0, 0, 0 }
void seiche_kernel_report_init(seiche_kernel_report* kernel, size_t struct_size);

/* The report of what would run on a device with these limits. */
seiche_status seiche_inspect(const seiche_problem* problem, const seiche_device_limits* limits, const char* tuning,
                             seiche_report** report);
void seiche_report_release(seiche_report* report);
/* For people; "" for NULL. */
const char* seiche_report_text(const seiche_report* report);
seiche_status seiche_report_get(const seiche_report* report, seiche_report_summary* summary);
seiche_status seiche_report_kernel(const seiche_report* report, size_t index, seiche_kernel_report* kernel);
/* For an axis of the problem the digits of its positions in the spectrum, slowest first: `capacity` of them at most are
 * written to `digits`, which may be NULL for none, and how many there are to `count`. */
seiche_status seiche_report_spectrum_digits(const seiche_report* report, size_t axis, uint64_t* digits, size_t capacity,
                                            size_t* count);
seiche_status seiche_report_spectrum_index(const seiche_report* report, int axis, uint64_t position, uint64_t* index);

/* ---- analysis ---- */

/* Counts from running one group of each kernel in the interpreter, as AnalysisReport. */
typedef struct seiche_analysis seiche_analysis;
typedef struct seiche_analysis_report {
    size_t struct_size;
    const char* kernel;
    size_t finding_count;
    uint64_t out_of_bounds, uninitialised_reads, races;
    uint64_t shared_wavefronts, shared_wavefronts_ideal;
    uint64_t sectors, sectors_ideal;
    uint64_t bytes_read, bytes_written, table_bytes_read, flops;
    uint64_t shared_bytes_read, shared_bytes_written;
    uint32_t registers_live;
    uint32_t reserved;
} seiche_analysis_report;
#define SEICHE_ANALYSIS_REPORT_INIT \
    { sizeof(seiche_analysis_report), NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }
void seiche_analysis_report_init(seiche_analysis_report* report, size_t struct_size);

seiche_status seiche_analyse(const seiche_problem* problem, const seiche_device_limits* limits, const char* tuning,
                             seiche_analysis** analysis);
void seiche_analysis_release(seiche_analysis* analysis);
/* Kernels. */
size_t seiche_analysis_count(const seiche_analysis* analysis);
seiche_status seiche_analysis_get(const seiche_analysis* analysis, size_t index, seiche_analysis_report* report);
/* One line; NULL where there is none. */
const char* seiche_analysis_finding(const seiche_analysis* analysis, size_t index, size_t finding);

/* ---- explanation ---- */

/* What points pass through from one step to the next, nearest first, as MemoryLevel. */
typedef enum seiche_memory_level {
    SEICHE_MEMORY_REGISTERS = 0,
    SEICHE_MEMORY_SCRATCH = 1,
    SEICHE_MEMORY_SHARED = 2,
    SEICHE_MEMORY_CLUSTER = 3,
    SEICHE_MEMORY_GLOBAL = 4
} seiche_memory_level;
/* "registers" ...; "unknown" for other numbers. */
const char* seiche_memory_level_name(seiche_memory_level level);

/* As FlowKind. */
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

/* What a point is multiplied by, as FlowFactor. */
typedef struct seiche_flow_factor {
    double re, im;
    uint64_t exponent, root; /* exp(-2 pi i exponent / root); root 0: it is no such root of unity */
} seiche_flow_factor;

/* Lines of the flow graph that meet, as FlowNode. */
typedef struct seiche_flow_node {
    size_t struct_size;
    const uint32_t* from; /* lines before the step */
    size_t from_count;
    const uint32_t* to; /* lines after it */
    size_t to_count;
    const seiche_flow_factor* factors; /* one for each of `from`; none: all are 1 */
    size_t factor_count;
    const seiche_flow_factor* after; /* one for each of `to`; none: all are 1 */
    size_t after_count;
    const double* own; /* of a real map: pairs of real and imaginary part */
    size_t own_count;  /* pairs */
    const double* conjugated;
    size_t conjugated_count;
    uint32_t thread;
    uint32_t reserved;
} seiche_flow_node;
#define SEICHE_FLOW_NODE_INIT \
    { sizeof(seiche_flow_node), NULL, 0, NULL, 0, NULL, 0, NULL, 0, NULL, 0, NULL, 0, 0, 0 }
void seiche_flow_node_init(seiche_flow_node* node, size_t struct_size);

/* As FlowStep and the Exchange before it. */
typedef struct seiche_flow_step {
    size_t struct_size;
    const char* text; /* one line: what happens */
    seiche_flow_kind kind;
    uint32_t radix;
    uint64_t stride;
    uint64_t count; /* butterflies of one sequence */
    size_t node_count;
    uint64_t exchange_bytes_written, exchange_bytes_read, exchange_points;
    uint64_t exchange_same_thread, exchange_same_subgroup, exchange_same_group, exchange_other_group;
    seiche_memory_level exchange_level;
    uint32_t lines; /* after the step */
} seiche_flow_step;
#define SEICHE_FLOW_STEP_INIT \
    { sizeof(seiche_flow_step), NULL, SEICHE_FLOW_DEAL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, SEICHE_MEMORY_REGISTERS, 0 }
void seiche_flow_step_init(seiche_flow_step* step, size_t struct_size);

/* One kernel, as KernelFlow; its KernelReport is asked for apart. Flags are 0 or 1. */
typedef struct seiche_kernel_flow {
    size_t struct_size;
    const char* source; /* "input", "output", "workspace a" or "workspace b" */
    const char* target;
    size_t step_count;
    uint64_t points;
    uint64_t sequences;
    uint64_t items;
    int64_t input_stride, output_stride; /* below 0: a point lies before the one that it follows; of runs the mean */
    uint64_t sequences_per_group;
    uint32_t threads;
    uint32_t groups_per_cluster;
    int is_on_chip, is_bundle, trails;
    int reserved;
} seiche_kernel_flow;
#define SEICHE_KERNEL_FLOW_INIT \
    { sizeof(seiche_kernel_flow), NULL, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }
void seiche_kernel_flow_init(seiche_kernel_flow* kernel, size_t struct_size);

/* As Explanation; its PlanReport is asked for apart. */
typedef struct seiche_explanation_summary {
    size_t struct_size;
    seiche_direction direction;
    uint32_t lines; /* of the flow graph before the first step */
    size_t kernel_count;
    const uint64_t* places_in; /* where the lines lie, in elements of one array */
    size_t places_in_count;
    const uint64_t* places_out;
    size_t places_out_count;
    const char* no_graph; /* why there are no nodes; "" if there are */
    int has_pairs_in, has_pairs_out, has_user_stages;
    int reserved;
} seiche_explanation_summary;
#define SEICHE_EXPLANATION_SUMMARY_INIT \
    { sizeof(seiche_explanation_summary), SEICHE_FORWARD, 0, 0, NULL, 0, NULL, 0, NULL, 0, 0, 0, 0 }
void seiche_explanation_summary_init(seiche_explanation_summary* summary, size_t struct_size);

typedef struct seiche_explanation seiche_explanation;
/* Plans without a device, and says what the plan does. A plan of more than `most_lines` lines has no nodes. */
seiche_status seiche_explain(const seiche_problem* problem, const seiche_device_limits* limits, const char* tuning,
                             uint32_t most_lines, seiche_explanation** explanation);
void seiche_explanation_release(seiche_explanation* explanation);
seiche_status seiche_explanation_get(const seiche_explanation* explanation, seiche_explanation_summary* summary);
/* To be released with seiche_report_release. */
seiche_status seiche_explanation_get_report(const seiche_explanation* explanation, seiche_report** report);
seiche_status seiche_explanation_kernel(const seiche_explanation* explanation, size_t kernel, seiche_kernel_flow* flow);
seiche_status seiche_explanation_kernel_report(const seiche_explanation* explanation, size_t kernel,
                                               seiche_kernel_report* report);
seiche_status seiche_explanation_step(const seiche_explanation* explanation, size_t kernel, size_t step,
                                      seiche_flow_step* flow);
seiche_status seiche_explanation_node(const seiche_explanation* explanation, size_t kernel, size_t step, size_t node,
                                      seiche_flow_node* flow);

/* Values followed through the flow graph, as FollowedValues: pairs of real and imaginary part. */
typedef struct seiche_followed_values seiche_followed_values;
/* `input` has one pair for each of `lines` lines. */
seiche_status seiche_follow(const seiche_problem* problem, const seiche_device_limits* limits, const char* tuning,
                            const double* input, size_t lines, seiche_followed_values** values);
void seiche_followed_values_release(seiche_followed_values* values);
/* The values on the lines after a step; `count` gets the pairs. */
seiche_status seiche_followed_values_step(const seiche_followed_values* values, size_t kernel, size_t step,
                                          const double** pairs, size_t* count);
/* What the plan's own kernels made of the input, run by the interpreter. */
seiche_status seiche_followed_values_result(const seiche_followed_values* values, const double** pairs, size_t* count);

SEICHE_EXPORT_END
#ifdef __cplusplus
}
#endif

#endif
