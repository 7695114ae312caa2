/* Bad input to the C interface over several ranks: each has its status and its message. */
#include <stdio.h>
#include <string.h>

#include "c_checks.h"

enum { most_text = 512 };

/* The message where a call says other things than it should, else "". */
static const char* expect(seiche_status got, seiche_status status, const char* message, int* failed, char* said) {
    if (*failed) return said;
    if (got == status && strcmp(seiche_last_error(), message) == 0) return said;
    *failed = 1;
    snprintf(said, most_text, "expected %s '%s', got %s '%s'", seiche_status_name(status), message,
             seiche_status_name(got), seiche_last_error());
    return said;
}

static int release_count;
static void count_release(void* user) { (void)user, ++release_count; }
static int no_open(void* user, uint64_t limit, int* rank, int* size) {
    (void)user, (void)limit, *rank = 0, *size = 1;
    return 7;
}
static int no_send(void* user, const void* data, uint64_t bytes, int to, void** request) {
    (void)user, (void)data, (void)bytes, (void)to, (void)request;
    return 1;
}
static int no_receive(void* user, void* data, uint64_t bytes, int from, void** request) {
    (void)user, (void)data, (void)bytes, (void)from, (void)request;
    return 1;
}
static int no_test(void* user, void* request, int* is_done) {
    (void)user, (void)request, *is_done = 0;
    return 1;
}

/* Boxes that make no sense. */
static int check_boxes(char* said) {
    static const uint64_t lengths[] = {4, 6}, lower[] = {0, 0, 1, 0}, upper[] = {2, 6, 4, 6};
    static const int twice[] = {0, 0};
    static const int64_t backwards[] = {-6, 1};
    seiche_boxes* boxes = NULL;
    uint64_t elements = 0;
    int failed = 0;
    expect(seiche_boxes_slab(2, NULL, 0, 2, &boxes), SEICHE_INVALID_PROBLEM,
           "InvalidProblem: lengths: expected a pointer, got NULL", &failed, said);
    expect(seiche_boxes_slab(0, lengths, 0, 2, &boxes), SEICHE_INVALID_PROBLEM,
           "InvalidProblem: axis_count: expected 1 to 64, got 0", &failed, said);
    expect(seiche_boxes_slab(2, lengths, 2, 2, &boxes), SEICHE_INVALID_PROBLEM,
           "InvalidProblem: axis: expected one of the 2 axes, got 2", &failed, said);
    expect(seiche_boxes_pencils(2, lengths, twice, 2, 2, &boxes), SEICHE_INVALID_PROBLEM,
           "InvalidProblem: axes: expected each once, got axis 0 twice", &failed, said);
    expect(seiche_boxes_create(2, 2, lower, upper, NULL), SEICHE_INVALID_PROBLEM,
           "InvalidProblem: boxes: expected a pointer, got NULL", &failed, said);
    if (seiche_boxes_create(2, 2, lower, upper, &boxes) != SEICHE_OK) return 1;
    expect(seiche_boxes_check(boxes, 2, lengths, "mine"), SEICHE_INVALID_PROBLEM,
           "InvalidProblem: mine: expected boxes apart, got [0..2) x [0..6) of rank 0 and [1..4) x [0..6) of rank 1",
           &failed, said);
    expect(seiche_boxes_elements(boxes, 2, &elements), SEICHE_INVALID_PROBLEM,
           "InvalidProblem: rank: expected one below 2, got 2", &failed, said);
    if (seiche_boxes_set_strides(boxes, 1, backwards) != SEICHE_OK) return 1;
    expect(seiche_boxes_check(boxes, 2, lengths, NULL), SEICHE_INVALID_PROBLEM,
           "InvalidProblem: boxes[1]: expected strides of at least 1, got -6", &failed, said);
    if (seiche_boxes_ranks(boxes) != 2 || seiche_boxes_axis_count(boxes) != 2 || seiche_boxes_ranks(NULL) != 0)
        return 1;
    seiche_boxes_release(boxes);
    seiche_boxes_release(NULL);
    return failed;
}

/* Communicators that cannot be. */
static int check_communicators(char* said) {
    seiche_communicator* ranks[2] = {NULL, NULL};
    seiche_thread_options threads = SEICHE_THREAD_OPTIONS_INIT;
    seiche_messages messages = SEICHE_MESSAGES_INIT;
    char* text = NULL;
    int failed = 0;
    expect(seiche_thread_ranks(0, NULL, ranks), SEICHE_INVALID_PROBLEM,
           "InvalidProblem: ranks: expected at least 1, got 0", &failed, said);
    threads.time_limit_ms = 0;
    expect(seiche_thread_ranks(2, &threads, ranks), SEICHE_INVALID_PROBLEM,
           "InvalidProblem: time_limit_ms: expected 1 to 1000000000000, got 0", &failed, said);
    threads.struct_size = 3;
    expect(seiche_thread_ranks(2, &threads, ranks), SEICHE_INVALID_PROBLEM,
           "InvalidProblem: options.struct_size: expected the size of the struct, as its SEICHE_..._INIT or "
           "seiche_..._init sets it, got 3",
           &failed, said);
    seiche_thread_options_init(&threads, sizeof threads);
    memset(&threads.transport, 9, sizeof threads.transport);
    expect(seiche_thread_ranks(2, &threads, ranks), SEICHE_INVALID_PROBLEM,
           "InvalidProblem: options.transport: expected 0 to 2, got 151587081", &failed, said);
    expect(seiche_communicator_transport(NULL, &text), SEICHE_INVALID_PROBLEM,
           "InvalidProblem: communicator: expected a pointer, got NULL", &failed, said);
    messages.release = count_release;
    expect(seiche_message_ranks(&messages, NULL, ranks), SEICHE_INVALID_PROBLEM,
           "InvalidProblem: messages: expected the functions open, send, receive and is_done, got NULL for one",
           &failed, said);
    messages.open = no_open, messages.send = no_send, messages.receive = no_receive, messages.is_done = no_test;
    expect(seiche_message_ranks(&messages, NULL, ranks), SEICHE_BACKEND_ERROR, "BackendError: messages.open: error 7",
           &failed, said);
    if (!failed && (release_count != 2 || seiche_absent_rank() != -1 || seiche_communicator_rank(NULL) != -1)) {
        snprintf(said, most_text, "released %d times, rank %d is absent", release_count, seiche_absent_rank());
        failed = 1;
    }
    if (!failed && seiche_mpi_abi_world(NULL, "/no/such/library", ranks) != SEICHE_UNSUPPORTED) {
        snprintf(said, most_text, "without a library: '%s'", seiche_last_error());
        failed = 1;
    }
    return failed;
}

const char* check_arguments(void) {
    static char said[most_text];
    said[0] = '\0';
    if ((check_boxes(said) || check_communicators(said)) && said[0] == '\0') return "an argument was refused";
    return said;
}

/* Plans that all ranks refuse; `said` is this rank's. */
static int check_plans(const seiche_device* device, seiche_communicator* ranks, char* said) {
    static const uint64_t lengths[] = {16, 4};
    const int rank = seiche_communicator_rank(ranks), count = seiche_communicator_size(ranks);
    seiche_distributed_options options = SEICHE_DISTRIBUTED_OPTIONS_INIT;
    seiche_problem problem = seiche_problem_default(2, lengths);
    seiche_layout planar = SEICHE_LAYOUT_INIT;
    seiche_distributed_plan* plan = NULL;
    seiche_boxes *boxes = NULL, *too_many = NULL;
    seiche_communicator* other = NULL;
    char text[most_text];
    int failed = 0;
    if (seiche_boxes_slab(2, lengths, 0, count, &boxes) != SEICHE_OK) return 1;
    if (seiche_boxes_slab(2, lengths, 0, count + 1, &too_many) != SEICHE_OK) return 1;
    expect(seiche_distributed_plan_create(device, NULL, boxes, boxes, ranks, NULL, &plan), SEICHE_INVALID_PROBLEM,
           "InvalidProblem: problem: expected a pointer, got NULL", &failed, said);
    expect(seiche_distributed_plan_create(device, &problem, boxes, NULL, ranks, NULL, &plan), SEICHE_INVALID_PROBLEM,
           "InvalidProblem: output: expected a pointer, got NULL", &failed, said);
    snprintf(text, sizeof text, "InvalidProblem: boxes.output: expected a box for each of %d ranks, got %d", count,
             count + 1);
    expect(seiche_distributed_plan_create(device, &problem, boxes, too_many, ranks, NULL, &plan),
           SEICHE_INVALID_PROBLEM, text, &failed, said);
    options.pieces = 5000;
    expect(seiche_distributed_plan_create(device, &problem, boxes, boxes, ranks, &options, &plan),
           SEICHE_INVALID_PROBLEM, "InvalidProblem: pieces: expected 1 to 1024, got 5000", &failed, said);
    problem.precision = rank == 1 ? SEICHE_F64 : SEICHE_F32;
    expect(seiche_distributed_plan_create(device, &problem, boxes, boxes, ranks, NULL, &plan), SEICHE_INVALID_PROBLEM,
           "InvalidProblem: problem: expected the same on all ranks, got '16x4 c2c f32' on rank 0 and '16x4 c2c f64' "
           "on rank 1",
           &failed, said);
    problem.precision = SEICHE_F32;
    planar.planar = 1;
    problem.input = problem.output = &planar;
    if (!failed &&
        seiche_distributed_plan_create(device, &problem, boxes, boxes, ranks, NULL, &plan) != SEICHE_UNSUPPORTED) {
        snprintf(said, most_text, "planar: %s", seiche_last_error());
        failed = 1;
    }
    if (!failed && (seiche_nccl_ranks(ranks, device, NULL, &other) != SEICHE_UNSUPPORTED ||
                    seiche_ipc_ranks(ranks, device, &other) == SEICHE_OK)) {
        snprintf(said, most_text, "NCCL and IPC: %s", seiche_last_error());
        failed = 1;
    }
    seiche_boxes_release(boxes);
    seiche_boxes_release(too_many);
    return failed;
}

/* An execution whose arguments do not fit. */
static int check_executions(const seiche_device* device, seiche_communicator* ranks, char* said) {
    static const uint64_t lengths[] = {16, 4};
    seiche_distributed_options options = SEICHE_DISTRIBUTED_OPTIONS_INIT;
    seiche_distributed_execution execution = SEICHE_DISTRIBUTED_EXECUTION_INIT;
    const seiche_problem problem = seiche_problem_default(2, lengths);
    seiche_distributed_plan* plan = NULL;
    seiche_boxes* boxes = NULL;
    seiche_queue* queue = NULL;
    int failed = 0;
    options.directions = SEICHE_ONLY_FORWARD;
    if (seiche_boxes_slab(2, lengths, 0, seiche_communicator_size(ranks), &boxes) != SEICHE_OK) return 1;
    options.fabric = "ranks-per-node 1\nmemory 5\n";
    expect(seiche_distributed_plan_create(device, &problem, boxes, boxes, ranks, &options, &plan),
           SEICHE_INVALID_PROBLEM,
           "InvalidProblem: fabric, line 2: expected 'memory' with a number above 0 and GB/s, got '5'", &failed, said);
    options.fabric = NULL;
    if (seiche_queue_create(device, &queue) != SEICHE_OK) return 1;
    if (seiche_distributed_plan_create(device, &problem, boxes, boxes, ranks, &options, &plan) != SEICHE_OK) return 1;
    expect(seiche_distributed_execute(plan, NULL, &execution), SEICHE_INVALID_PROBLEM,
           "InvalidProblem: queue: expected a pointer, got NULL", &failed, said);
    expect(seiche_distributed_execute(plan, queue, NULL), SEICHE_INVALID_PROBLEM,
           "InvalidProblem: execution: expected a pointer, got NULL", &failed, said);
    execution.direction = SEICHE_INVERSE;
    expect(seiche_distributed_execute(plan, queue, &execution), SEICHE_INVALID_PROBLEM,
           "InvalidProblem: direction: expected the plan's only one, got the other", &failed, said);
    execution.direction = SEICHE_FORWARD;
    if (!failed && seiche_distributed_execute(plan, queue, &execution) != SEICHE_INVALID_PROBLEM) {
        snprintf(said, most_text, "no buffers: %s", seiche_last_error());
        failed = 1;
    }
    seiche_distributed_plan_release(plan);
    seiche_boxes_release(boxes);
    seiche_queue_release(queue);
    return failed;
}

const char* check_refusals(const char* name, seiche_communicator* ranks) {
    static char all[64][most_text];
    char* const said = all[seiche_communicator_rank(ranks) % 64];
    seiche_device* device = NULL;
    if (seiche_device_open(name, &device) != SEICHE_OK) return seiche_last_error();
    said[0] = '\0';
    const int failed = check_plans(device, ranks, said) || check_executions(device, ranks, said);
    seiche_device_release(device);
    return failed && said[0] == '\0' ? seiche_last_error() : said;
}
