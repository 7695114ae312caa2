/* From C: a 2-D transform with own buffers and queue, and every status looked at. */
#include <math.h>
#include <seiche/seiche.h>
#include <stdio.h>
#include <stdlib.h>

static void check(seiche_status status) {
    if (status == SEICHE_OK) return;
    fprintf(stderr, "%s\n", seiche_last_error());
    exit(1);
}

int main(void) {
    enum { ROWS = 32, COLUMNS = 20, POINTS = ROWS * COLUMNS };
    const uint64_t lengths[] = {ROWS, COLUMNS};
    static float data[2 * POINTS], again[2 * POINTS];
    seiche_device* device;
    seiche_queue* queue;
    seiche_buffer *buffer, *workspace = NULL;
    seiche_plan* plan;
    uint64_t bytes, scratch;
    double worst = 0;

    printf("seiche %s\n", seiche_version());
    check(seiche_device_open(NULL, &device));
    check(seiche_queue_create(device, &queue));

    seiche_problem problem = seiche_problem_default(2, lengths);
    problem.placement = SEICHE_IN_PLACE;
    problem.inverse_scale.rule = SEICHE_SCALE_BY_N;
    check(seiche_plan_create(device, &problem, SEICHE_BOTH, &plan));
    check(seiche_plan_input_bytes(plan, 0, &bytes));
    check(seiche_plan_workspace_bytes(plan, 0, &scratch));
    check(seiche_buffer_create(device, bytes, &buffer));
    if (scratch != 0) check(seiche_buffer_create(device, scratch, &workspace));

    for (int i = 0; i < 2 * POINTS; ++i) data[i] = (float)(i % 17) - 8.0f;
    check(seiche_upload(queue, buffer, 0, data, (size_t)bytes));
    seiche_execution execution = SEICHE_EXECUTION_INIT;
    execution.input = buffer;
    execution.workspace = workspace;
    execution.direction = SEICHE_FORWARD;
    check(seiche_execute(plan, queue, &execution));
    execution.direction = SEICHE_INVERSE;
    check(seiche_execute(plan, queue, &execution));
    check(seiche_download(queue, again, buffer, 0, (size_t)bytes));

    for (int i = 0; i < 2 * POINTS; ++i) worst = fmax(worst, fabs((double)again[i] - (double)data[i]));
    printf("%d x %d there and back on %s: largest difference %.1e\n", ROWS, COLUMNS, seiche_device_name(device), worst);

    seiche_buffer_release(workspace);
    seiche_buffer_release(buffer);
    seiche_plan_release(plan);
    seiche_queue_release(queue);
    seiche_device_release(device);
    return worst < 1e-4 ? 0 : 1;
}
