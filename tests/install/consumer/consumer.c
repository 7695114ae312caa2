/* A user's program in C99: transforms a constant on the reference device, checks it, and prints the library's version.
 */
#include <math.h>
#include <seiche/seiche.h>
#include <stdio.h>

static int fail(void) {
    printf("%s\n", seiche_last_error());
    return 1;
}

int main(void) {
    const uint64_t lengths[] = {4};
    const float in[] = {1, 0, 1, 0, 1, 0, 1, 0};
    const float expected[] = {4, 0, 0, 0, 0, 0, 0, 0};
    float out[8] = {0};
    seiche_problem problem = seiche_problem_default(1, lengths);
    seiche_device* device = NULL;
    seiche_plan* plan = NULL;
    int i;

    if (seiche_device_open("reference", &device) != SEICHE_OK) return fail();
    if (seiche_plan_create(device, &problem, SEICHE_BOTH, &plan) != SEICHE_OK) return fail();
    if (seiche_transform_f32(plan, SEICHE_FORWARD, in, 4, out, 4) != SEICHE_OK) return fail();
    seiche_plan_release(plan);
    seiche_device_release(device);
    for (i = 0; i < 8; ++i) {
        if (fabsf(out[i] - expected[i]) > 1e-6F) {
            printf("wrong value %d: expected %g, got %g\n", i, expected[i], out[i]);
            return 1;
        }
    }
    printf("%s: right\n", seiche_version());
    return 0;
}
