/* A plugin's host: it finds the library when it runs, by name alone, and calls its C interface. */
#include <seiche/seiche.h>
#include <stdio.h>
#include <stdlib.h>
#include <windows.h>

static void* find(HMODULE library, const char* name) {
    void* const found = (void*)GetProcAddress(library, name);
    if (found == NULL) {
        printf("libseiche.dll has no %s\n", name);
        exit(1);
    }
    return found;
}
#define FIND(name) ((__typeof__(name)*)find(library, #name))

int main(void) {
    const uint64_t lengths[] = {3};
    const double in[] = {1, 0, 2, 0, 3, 0};
    double out[6] = {0};
    seiche_device* device = NULL;
    seiche_plan* plan = NULL;
    seiche_problem problem;
    seiche_status status;
    const HMODULE library = LoadLibraryA("libseiche.dll");
    if (library == NULL) {
        printf("LoadLibrary: error %lu\n", GetLastError());
        return 1;
    }
    status = FIND(seiche_device_open)("no such device", &device);
    if (status != SEICHE_UNSUPPORTED || FIND(seiche_last_error)()[0] == 0) {
        printf("a wrong name of a device: expected an error with a message, got status %d\n", status);
        return 1;
    }
    status = FIND(seiche_device_open)("reference", &device);
    FIND(seiche_problem_init)(&problem, sizeof problem);
    problem.lengths = lengths;
    problem.rank = 1;
    problem.precision = SEICHE_F64;
    if (status == SEICHE_OK) status = FIND(seiche_plan_create)(device, &problem, SEICHE_BOTH, &plan);
    if (status == SEICHE_OK) status = FIND(seiche_transform_f64)(plan, SEICHE_FORWARD, in, 3, out, 3);
    if (status != SEICHE_OK) {
        printf("%s\n", FIND(seiche_last_error)());
        return 1;
    }
    FIND(seiche_plan_release)(plan);
    FIND(seiche_device_release)(device);
    /* 1 + 2 w + 3 w^2 = -3/2 + i sqrt(3)/2 of w = exp(-2 pi i / 3) */
    if (out[0] != 6 || out[2] < -1.5000001 || out[2] > -1.4999999 || out[3] < 0.8660253 || out[3] > 0.8660255) {
        printf("wrong values: %g, %g + %g i\n", out[0], out[2], out[3]);
        return 1;
    }
    printf("%s: right\n", FIND(seiche_version)());
    FreeLibrary(library);
    return 0;
}
