/* From how many points on is Seiche's libfftw3 faster than a real FFTW? Both are loaded here, beside each other, and
 * timed in turn on the same arrays, so that a busy machine slows both.
 *
 * Usage: measure_threshold SEICHE/libfftw3.so.3 REAL/libfftw3.so.3 [f] [most points, default 2^20] [threads, default 1]
 * Set SEICHE_FFTW_REAL=none, SEICHE_DEVICE for the device, and SEICHE_FFTW_MIN_POINTS=0, without which plans that are
 * small for a GPU are the processor's. With `f` both are libfftw3f.
 * Prints for each length the time of an execution in microseconds: c2c, r2c; a real FFTW's plan is FFTW_MEASURE.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fftw3.h"

typedef void* (*plan_c2c)(int, void*, void*, int, unsigned);
typedef void* (*plan_r2c)(int, void*, void*, unsigned);
typedef void (*on_plan)(void*);
typedef void (*on_number)(int);

struct library {
    plan_c2c c2c;
    plan_r2c r2c;
    on_plan execute, destroy;
    on_number with_threads;
    char prefix[8];
};

static void* name(void* handle, const char* prefix, const char* rest, int is_needed) {
    char text[64];
    snprintf(text, sizeof text, "%s%s", prefix, rest);
    void* found = dlsym(handle, text);
    if (found == NULL && is_needed) {
        fprintf(stderr, "no %s\n", text);
        exit(1);
    }
    return found;
}

static struct library load(const char* path, const char* prefix) {
    struct library made;
    void* handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
    if (handle == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    made.c2c = (plan_c2c)name(handle, prefix, "plan_dft_1d", 1);
    made.r2c = (plan_r2c)name(handle, prefix, "plan_dft_r2c_1d", 1);
    made.execute = (on_plan)name(handle, prefix, "execute", 1);
    made.destroy = (on_plan)name(handle, prefix, "destroy_plan", 1);
    made.with_threads = (on_number)name(handle, prefix, "plan_with_nthreads", 0);
    return made;
}

static double now(void) {
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec * 1e6 + (double)at.tv_nsec * 1e-3;
}

static double once(const struct library* library, void* plan, int repeats) {
    const double start = now();
    for (int i = 0; i < repeats; ++i) library->execute(plan);
    return (now() - start) / repeats;
}

/* Microseconds of both, the least of many turns. */
static void measure(const struct library* libraries, void** plans, double* least) {
    int repeats = 1;
    for (int i = 0; i < 2; ++i) once(&libraries[i], plans[i], 2);
    while (repeats < 4096 && once(&libraries[1], plans[1], repeats) * repeats < 200) repeats *= 2;
    least[0] = least[1] = 1e30;
    const double start = now();
    for (int turn = 0; turn < 15 || now() - start < 1e5; ++turn)
        for (int i = 0; i < 2; ++i) {
            const double time = once(&libraries[i], plans[i], repeats);
            if (time < least[i]) least[i] = time;
        }
}

int main(int argc, char** argv) {
    if (argc < 3) {
        fprintf(stderr, "usage: measure_threshold SEICHE REAL [f] [most points] [threads]\n");
        return 1;
    }
    const int single = argc > 3 && strcmp(argv[3], "f") == 0;
    const int first = 3 + single;
    const long most = argc > first ? atol(argv[first]) : 1L << 20;
    const int threads = argc > first + 1 ? atoi(argv[first + 1]) : 1;
    const char* prefix = single ? "fftwf_" : "fftw_";
    const struct library libraries[2] = {load(argv[1], prefix), load(argv[2], prefix)};
    if (threads > 1 && libraries[0].with_threads) libraries[0].with_threads(threads);
    void *in = aligned_alloc(64, (size_t)most * 16 + 64), *out = aligned_alloc(64, (size_t)most * 16 + 64);
    if (in == NULL || out == NULL) return 1;
    printf("%10s %12s %12s %7s %12s %12s %7s\n", "points", "c2c Seiche", "FFTW", "times", "r2c Seiche", "FFTW",
           "times");
    for (long n = 16; n <= most; n = n % 3 == 0 ? n / 3 * 4 : n / 2 * 3) {
        double c2c[2], r2c[2];
        void* plans[2];
        for (int kind = 0; kind < 2; ++kind) {
            for (int i = 0; i < 2; ++i)
                plans[i] = kind == 0 ? libraries[i].c2c((int)n, in, out, FFTW_FORWARD, FFTW_MEASURE)
                                     : libraries[i].r2c((int)n, in, out, FFTW_MEASURE);
            if (plans[0] == NULL || plans[1] == NULL) return 1;
            memset(in, 0, (size_t)n * 16);
            measure(libraries, plans, kind == 0 ? c2c : r2c);
            for (int i = 0; i < 2; ++i) libraries[i].destroy(plans[i]);
        }
        printf("%10ld %12.3f %12.3f %7.2f %12.3f %12.3f %7.2f\n", n, c2c[0], c2c[1], c2c[1] / c2c[0], r2c[0], r2c[1],
               r2c[1] / r2c[0]);
        fflush(stdout);
    }
    return 0;
}
