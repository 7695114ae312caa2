/* Transforms by the C interface over several ranks, whose results are those of one device. */
#include "c_checks.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { axis_count = 3, most_text = 512 };

/* This thread's answer, kept by the system until the thread ends. */
static pthread_key_t answer_key;
static pthread_once_t answer_once = PTHREAD_ONCE_INIT;
static void make_key(void) { pthread_key_create(&answer_key, free); }
static char* answer(void) {
    pthread_once(&answer_once, make_key);
    if (pthread_getspecific(answer_key) == NULL) pthread_setspecific(answer_key, calloc(1, most_text));
    return pthread_getspecific(answer_key);
}

/* An array on one device and over ranks. */
typedef struct array {
    uint64_t lengths[axis_count];
    size_t element; /* bytes */
    unsigned char* bytes;
} array;

static uint64_t count_of(const uint64_t* lengths) { return lengths[0] * lengths[1] * lengths[2]; }

/* Copies a rank's dense box from the whole array. */
static void copy_box(const seiche_boxes* boxes, size_t rank, const array* whole, unsigned char* part) {
    uint64_t lower[axis_count], upper[axis_count];
    size_t at = 0;
    if (seiche_boxes_get(boxes, rank, lower, upper) != SEICHE_OK) abort();
    for (uint64_t i = lower[0]; i < upper[0]; ++i)
        for (uint64_t j = lower[1]; j < upper[1]; ++j)
            for (uint64_t k = lower[2]; k < upper[2]; ++k, at += whole->element) {
                const uint64_t index = (i * whole->lengths[1] + j) * whole->lengths[2] + k;
                memcpy(part + at, whole->bytes + index * whole->element, whole->element);
            }
}

/* The largest difference of the numbers of a rank's box from the whole array's. */
static double difference(const seiche_boxes* boxes, size_t rank, const array* whole, const unsigned char* part,
                         size_t number) {
    uint64_t elements = 0;
    double most = 0;
    if (seiche_boxes_elements(boxes, rank, &elements) != SEICHE_OK) return INFINITY;
    const size_t bytes = (size_t)elements * whole->element;
    unsigned char* const wanted = calloc(bytes + 1, 1);
    copy_box(boxes, rank, whole, wanted);
    for (size_t at = 0; at < bytes; at += number) {
        float a, b;
        double c, d;
        if (number == sizeof a) {
            memcpy(&a, wanted + at, sizeof a);
            memcpy(&b, part + at, sizeof b);
            c = a, d = b;
        } else {
            memcpy(&c, wanted + at, sizeof c);
            memcpy(&d, part + at, sizeof d);
        }
        if (!(fabs(c - d) <= most)) most = fabs(c - d);
    }
    free(wanted);
    return most;
}

/* What a transform is and how its array is cut. */
typedef struct one_case {
    const char* problem;
    size_t number; /* bytes of a real number */
    int real_input;
    seiche_boxes *input, *output;
    seiche_distributed_options options;
} one_case;

static void make_arrays(const one_case* one, array* in, array* out) {
    static const uint64_t lengths[axis_count] = {12, 10, 9};
    memcpy(in->lengths, lengths, sizeof lengths);
    memcpy(out->lengths, lengths, sizeof lengths);
    if (one->real_input) out->lengths[2] = lengths[2] / 2 + 1;
    in->element = (one->real_input ? 1 : 2) * one->number;
    out->element = 2 * one->number;
    in->bytes = calloc((size_t)count_of(in->lengths), in->element);
    out->bytes = calloc((size_t)count_of(out->lengths), out->element);
    uint64_t state = 12345;
    for (size_t i = 0; i < (size_t)count_of(in->lengths) * in->element / one->number; ++i) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        const double value = (double)(state >> 40) / (1 << 23) - 1;
        const float single = (float)value;
        memcpy(in->bytes + i * one->number, one->number == sizeof single ? (const void*)&single : (const void*)&value,
               one->number);
    }
}

/* The transform on one device. */
static seiche_status transform_alone(const seiche_device* device, const one_case* one, const array* in, array* out) {
    const seiche_host_element complex = one->number == 4 ? SEICHE_HOST_COMPLEX_F32 : SEICHE_HOST_COMPLEX_F64,
                              real = one->number == 4 ? SEICHE_HOST_F32 : SEICHE_HOST_F64;
    seiche_plan* plan = NULL;
    seiche_status status = seiche_plan_create_from_text(device, one->problem, SEICHE_ONLY_FORWARD, &plan);
    if (status == SEICHE_OK)
        status = seiche_transform(plan, SEICHE_FORWARD, one->real_input ? real : complex, in->bytes,
                                  (size_t)count_of(in->lengths), complex, out->bytes,
                                  (size_t)count_of(out->lengths) * out->element);
    seiche_plan_release(plan);
    return status;
}

/* Executes a plan on this rank's part, and says how far the result is from the whole array. */
static seiche_status execute(const seiche_device* device, const seiche_distributed_plan* plan, const one_case* one,
                             size_t rank, const array* in, const array* out, double* far) {
    uint64_t in_bytes = 0, out_bytes = 0, work_bytes = 0;
    seiche_queue* queue = NULL;
    seiche_buffer *input = NULL, *output = NULL, *workspace = NULL;
    seiche_distributed_execution execution = SEICHE_DISTRIBUTED_EXECUTION_INIT;
    seiche_status status = seiche_distributed_plan_input_bytes(plan, &in_bytes);
    if (status == SEICHE_OK) status = seiche_distributed_plan_output_bytes(plan, &out_bytes);
    if (status == SEICHE_OK) status = seiche_distributed_plan_workspace_bytes(plan, &work_bytes);
    if (status == SEICHE_OK) status = seiche_queue_create(device, &queue);
    if (status == SEICHE_OK && in_bytes != 0) status = seiche_buffer_create(device, in_bytes, &input);
    if (status == SEICHE_OK && out_bytes != 0) status = seiche_buffer_create(device, out_bytes, &output);
    if (status == SEICHE_OK && work_bytes != 0) status = seiche_buffer_create(device, work_bytes, &workspace);
    unsigned char *const from = calloc((size_t)in_bytes + 1, 1), *const to = calloc((size_t)out_bytes + 1, 1);
    copy_box(one->input, rank, in, from);
    execution.input = input;
    execution.output = output;
    execution.workspace = workspace;
    if (status == SEICHE_OK && input != NULL) status = seiche_upload(queue, input, 0, from, (size_t)in_bytes);
    if (status == SEICHE_OK) status = seiche_distributed_execute(plan, queue, &execution);
    if (status == SEICHE_OK && output != NULL) status = seiche_download(queue, to, output, 0, (size_t)out_bytes);
    if (status == SEICHE_OK) status = seiche_queue_wait(queue);
    if (status == SEICHE_OK) *far = difference(one->output, rank, out, to, one->number);
    free(from);
    free(to);
    seiche_buffer_release(input);
    seiche_buffer_release(output);
    seiche_buffer_release(workspace);
    seiche_queue_release(queue);
    return status;
}

static const char* check_case(const seiche_device* device, seiche_communicator* ranks, const one_case* one) {
    char* const said = answer();
    array in, out;
    double far = INFINITY;
    seiche_problem* problem = NULL;
    seiche_distributed_plan* plan = NULL;
    seiche_distributed_report report = SEICHE_DISTRIBUTED_REPORT_INIT;
    make_arrays(one, &in, &out);
    seiche_status status = transform_alone(device, one, &in, &out);
    if (status == SEICHE_OK) status = seiche_problem_parse(one->problem, &problem);
    if (status == SEICHE_OK)
        status = seiche_distributed_plan_create(device, problem, one->input, one->output, ranks, &one->options, &plan);
    if (status == SEICHE_OK)
        status = execute(device, plan, one, (size_t)seiche_communicator_rank(ranks), &in, &out, &far);
    if (status == SEICHE_OK) status = seiche_distributed_plan_get_report(plan, &report);
    said[0] = '\0';
    if (status != SEICHE_OK)
        snprintf(said, most_text, "%s: status %d: %s", one->problem, (int)status, seiche_last_error());
    else if (!(far <= (one->number == 4 ? 1e-4 : 1e-12)))
        snprintf(said, most_text, "%s: %g from one device's", one->problem, far);
    else if (report.exchanges < 1 || report.bytes_sent == 0 || seiche_distributed_plan_report(plan)[0] == '\0')
        snprintf(said, most_text, "%s: %d exchanges of %llu bytes", one->problem, report.exchanges,
                 (unsigned long long)report.bytes_sent);
    seiche_distributed_plan_release(plan);
    seiche_problem_release(problem);
    free(in.bytes);
    free(out.bytes);
    return said;
}

/* Slabs to slabs along another axis, pencils to natural slabs, and grids to bricks. */
static const char* check_cases(const seiche_device* device, seiche_communicator* ranks) {
    static const uint64_t whole[axis_count] = {12, 10, 9}, halved[axis_count] = {12, 10, 5};
    static const int last_two[] = {1, 2}, all[] = {0, 1, 2};
    const int count = seiche_communicator_size(ranks), p = count == 4 ? 2 : 1;
    const uint64_t parts[axis_count] = {(uint64_t)p, (uint64_t)(count / p), 1};
    seiche_boxes *first, *second, *pencils, *halved_slabs, *bricks, *grid;
    if (seiche_boxes_slab(axis_count, whole, 0, count, &first) != SEICHE_OK ||
        seiche_boxes_slab(axis_count, whole, -2, count, &second) != SEICHE_OK ||
        seiche_boxes_pencils(axis_count, whole, last_two, p, count / p, &pencils) != SEICHE_OK ||
        seiche_boxes_slab(axis_count, halved, 0, count, &halved_slabs) != SEICHE_OK ||
        seiche_boxes_bricks(axis_count, halved, all, 1, p, count / p, &bricks) != SEICHE_OK ||
        seiche_boxes_grid(axis_count, whole, parts, &grid) != SEICHE_OK)
        return seiche_last_error();
    const seiche_distributed_options any = SEICHE_DISTRIBUTED_OPTIONS_INIT;
    seiche_distributed_options few = any;
    few.decomposition = SEICHE_DECOMPOSITION_PENCILS;
    few.directions = SEICHE_ONLY_FORWARD;
    few.pieces = 2;
    few.fabric = "ranks-per-node 2\nmemory 1000 GB/s\ninside 100 GB/s 1 us\nbetween 10 GB/s 5 us\n";
    seiche_distributed_options lines = any;
    lines.decomposition = SEICHE_DECOMPOSITION_FOUR_STEP;
    const one_case cases[] = {{"12x10x9 c2c f64", 8, 0, first, first, lines},
                              {"12x10x9 c2c f32", 4, 0, first, second, any},
                              {"12x10x9 c2c f64", 8, 0, pencils, first, few},
                              {"12x10x9 r2c f64", 8, 1, first, halved_slabs, any},
                              {"12x10x9 r2c f32", 4, 1, grid, bricks, any}};
    const char* said = "";
    for (size_t i = 0; said[0] == '\0' && i < sizeof cases / sizeof cases[0]; ++i)
        said = check_case(device, ranks, &cases[i]);
    seiche_boxes* const made[] = {first, second, pencils, halved_slabs, bricks, grid};
    for (size_t i = 0; i < sizeof made / sizeof made[0]; ++i) seiche_boxes_release(made[i]);
    return said;
}

/* The frequencies of one axis in pass order are all of them, in another order. */
static const char* check_pass_order(const seiche_device* device, seiche_communicator* ranks) {
    enum { n = 36 };
    static const uint64_t length[] = {n};
    char* const said = answer();
    seiche_boxes* boxes = NULL;
    seiche_problem* problem = NULL;
    seiche_distributed_plan* plan = NULL;
    uint64_t index = 0, all = 0, in_place = 0;
    said[0] = '\0';
    seiche_status status = seiche_boxes_slab(1, length, 0, seiche_communicator_size(ranks), &boxes);
    if (status == SEICHE_OK) status = seiche_problem_parse("36 c2c f32 spectrum-order=pass", &problem);
    if (status == SEICHE_OK) status = seiche_distributed_plan_create(device, problem, boxes, boxes, ranks, NULL, &plan);
    for (uint64_t position = 0; status == SEICHE_OK && position < n; ++position) {
        status = seiche_distributed_plan_spectrum_index(plan, -1, position, &index);
        all |= (uint64_t)1 << index;
        in_place += index == position;
    }
    if (status == SEICHE_OK && seiche_distributed_plan_spectrum_index(plan, 0, n, &index) != SEICHE_INVALID_PROBLEM)
        snprintf(said, most_text, "pass order: a position that is none");
    if (status != SEICHE_OK) snprintf(said, most_text, "pass order: %s", seiche_last_error());
    if (said[0] == '\0' && (all != ((uint64_t)1 << n) - 1 || in_place == n)) snprintf(said, most_text, "pass order");
    seiche_distributed_plan_release(plan);
    seiche_problem_release(problem);
    seiche_boxes_release(boxes);
    return said;
}

/* A redistribution from slabs to columns whose elements are two apart in memory. */
static const char* check_redistribution(const seiche_device* device, seiche_communicator* ranks) {
    static const uint64_t lengths[] = {6, 7};
    const size_t rank = (size_t)seiche_communicator_rank(ranks);
    const seiche_element element = {SEICHE_F64, SEICHE_STORAGE_SAME, 0};
    char* const said = answer();
    seiche_boxes *from = NULL, *to = NULL;
    seiche_redistribution* move = NULL;
    seiche_queue* queue = NULL;
    seiche_buffer_part in = {NULL, 0}, out = {NULL, 0}, work = {NULL, 0};
    seiche_buffer *input = NULL, *output = NULL, *workspace = NULL;
    uint64_t bytes[4], lower[2], upper[2];
    double values[84];
    said[0] = '\0';
    seiche_status status = seiche_boxes_slab(2, lengths, 0, seiche_communicator_size(ranks), &from);
    if (status == SEICHE_OK) status = seiche_boxes_slab(2, lengths, 1, seiche_communicator_size(ranks), &to);
    if (status == SEICHE_OK) status = seiche_boxes_get(to, rank, lower, upper);
    const int64_t strides[] = {2 * (int64_t)(upper[1] - lower[1]), 2};
    if (status == SEICHE_OK) status = seiche_boxes_set_strides(to, rank, strides);
    if (status == SEICHE_OK)
        status = seiche_redistribution_create(device, &element, 2, lengths, from, to, ranks, 1, &move);
    if (status == SEICHE_OK) status = seiche_redistribution_input_bytes(move, &bytes[0]);
    if (status == SEICHE_OK) status = seiche_redistribution_output_bytes(move, &bytes[1]);
    if (status == SEICHE_OK) status = seiche_redistribution_workspace_bytes(move, &bytes[2]);
    if (status == SEICHE_OK) status = seiche_redistribution_bytes_sent(move, &bytes[3]);
    if (status == SEICHE_OK) status = seiche_queue_create(device, &queue);
    if (status == SEICHE_OK) status = seiche_buffer_create(device, bytes[0], &input);
    if (status == SEICHE_OK) status = seiche_buffer_create(device, bytes[1], &output);
    if (status == SEICHE_OK && bytes[2] != 0) status = seiche_buffer_create(device, bytes[2], &workspace);
    in.buffer = input, out.buffer = output, work.buffer = workspace;
    if (status == SEICHE_OK) {
        uint64_t first[2];
        status = seiche_boxes_get(from, rank, first, NULL);
        for (size_t i = 0; i < bytes[0] / sizeof values[0]; ++i) values[i] = (double)(first[0] * 7 + i);
    }
    if (status == SEICHE_OK) status = seiche_upload(queue, input, 0, values, (size_t)bytes[0]);
    if (status == SEICHE_OK) status = seiche_redistribution_execute(move, queue, in, out, work);
    if (status == SEICHE_OK) status = seiche_download(queue, values, output, 0, (size_t)bytes[1]);
    for (uint64_t i = 0; status == SEICHE_OK && i < 6; ++i)
        for (uint64_t j = lower[1]; j < upper[1]; ++j) {
            const double got = values[(i * (upper[1] - lower[1]) + j - lower[1]) * 2];
            if (got != (double)(i * 7 + j))
                snprintf(said, most_text, "redistribution: %g at %d", got, (int)(i * 7 + j));
        }
    if (status != SEICHE_OK) snprintf(said, most_text, "redistribution: %s", seiche_last_error());
    if (status == SEICHE_OK && bytes[3] == 0) snprintf(said, most_text, "redistribution: nothing is sent");
    seiche_redistribution_release(move);
    seiche_boxes_release(from);
    seiche_boxes_release(to);
    seiche_buffer_release(input);
    seiche_buffer_release(output);
    seiche_buffer_release(workspace);
    seiche_queue_release(queue);
    return said;
}

/* Two groups, whose ranks are in the opposite order. */
static const char* check_groups(seiche_communicator* ranks) {
    const int rank = seiche_communicator_rank(ranks), count = seiche_communicator_size(ranks);
    seiche_communicator *half = NULL, *none = ranks;
    char *text = NULL, *const said = answer();
    if (seiche_communicator_barrier(ranks) != SEICHE_OK ||
        seiche_communicator_split(ranks, rank % 2, -rank, &half) != SEICHE_OK ||
        seiche_communicator_split(ranks, -1, 0, &none) != SEICHE_OK ||
        seiche_communicator_transport(ranks, &text) != SEICHE_OK)
        return seiche_last_error();
    const int size = (count + 1 - rank % 2) / 2;
    snprintf(said, most_text, "%s", text[0] == '\0' ? "no transport" : "");
    if (seiche_communicator_size(half) != size || seiche_communicator_rank(half) != size - 1 - rank / 2)
        snprintf(said, most_text, "a group of %d, rank %d", seiche_communicator_size(half),
                 seiche_communicator_rank(half));
    if (none != NULL) snprintf(said, most_text, "a group of a color below 0");
    seiche_text_release(text);
    seiche_communicator_release(half);
    return said;
}

const char* check_transforms(const char* name, seiche_communicator* ranks) {
    seiche_device* device = NULL;
    if (seiche_device_open(name, &device) != SEICHE_OK) return seiche_last_error();
    const char* said = check_cases(device, ranks);
    if (said[0] == '\0') said = check_pass_order(device, ranks);
    if (said[0] == '\0') said = check_redistribution(device, ranks);
    if (said[0] == '\0') said = check_groups(ranks);
    seiche_device_release(device);
    return said;
}
