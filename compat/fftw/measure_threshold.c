/* From how many points on is Seiche's libfftw3 faster than a real FFTW? Both are loaded here, beside each other, and
 * timed in turn on the same arrays, so that a busy machine slows both. The arrays are the host's ordinary memory: what
 * a device needs to have them and to give them back is part of its time.
 *
 * Usage: measure_threshold SEICHE/libfftw3.so.3 REAL/libfftw3.so.3 [single] [least=POINTS] [most=POINTS] [coarse]
 *                          [threads=N] [ranks=LIST] [plan=SECONDS] [total=SECONDS]
 * Set SEICHE_FFTW_REAL=none, SEICHE_DEVICE for the device, and SEICHE_FFTW_MIN_POINTS=0, without which plans that are
 * small for a GPU are the processor's.
 *
 *   single    both are libfftw3f
 *   least, most   points of all repetitions together, default 16 and 2^20
 *   coarse    powers of two alone; else 3/2 of them too
 *   threads   of both, default 1; REAL needs libfftw3_threads.so.3 beside it for more
 *   ranks     some of 1, 2, 3 axes and b, default 123b. b: repetitions of 1,024 points
 *   plan      FFTW's time limit for a plan, default none: a plan that took so long is a guess of FFTW's
 *   total     no further row begins after that time
 *
 * Prints for each shape and kind (c2c, r2c) microseconds an execution and milliseconds a plan, FFTW_MEASURE for both;
 * at the end, for each rank and kind, from how many points on Seiche was faster at every size that was measured. Exit
 * status: 1 where the two results differ.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fftw3.h"

enum { batch_length = 1024, most_rows = 4096 };

struct library {
    void* (*c2c)(int, const int*, int, void*, const int*, int, int, void*, const int*, int, int, int, unsigned);
    void* (*r2c)(int, const int*, int, void*, const int*, int, int, void*, const int*, int, int, unsigned);
    void (*execute)(void*);
    void (*destroy)(void*);
    void (*set_timelimit)(double);
    void (*with_threads)(int);
};

struct options {
    const char *files[2], *ranks;
    long least, most;
    int is_single, is_coarse, threads;
    double plan_seconds, total_seconds;
};

struct shape {
    char rank; /* '1', '2', '3', 'b' */
    int axes, dims[3], repeats;
};

struct row {
    char rank;
    int is_real;
    long points;
    double times;
};

static void fail(const char* why, const char* what) {
    fprintf(stderr, "measure_threshold: %s%s\n", why, what);
    exit(2);
}

/* NULL where it is not there and not needed. */
static void* name(void* handle, const char* prefix, const char* rest, int is_needed) {
    char text[64];
    snprintf(text, sizeof text, "%s_%s", prefix, rest);
    void* found = dlsym(handle, text);
    if (found == NULL && is_needed) fail("no function ", text);
    return found;
}

/* A real FFTW of several threads: its libfftw3_threads asks for a libfftw3.so.3, and must not get Seiche's, which is
 * loaded. So both of FFTW's go into a namespace of their own. */
static void* open_threads(const char* path, void** threads) {
    void* handle = dlmopen(LM_ID_NEWLM, path, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) fail("", dlerror());
    Lmid_t space;
    if (dlinfo(handle, RTLD_DI_LMID, &space) != 0) fail("", dlerror());
    char beside[4096];
    const char* end = strstr(path, ".so");
    while (end != NULL && strstr(end + 1, ".so") != NULL) end = strstr(end + 1, ".so");
    if (end == NULL || strlen(path) + 16 > sizeof beside) fail("expected a file .../libfftw3.so.3, got ", path);
    snprintf(beside, sizeof beside, "%.*s_threads%s", (int)(end - path), path, end);
    *threads = dlmopen(space, beside, RTLD_NOW | RTLD_LOCAL);
    if (*threads == NULL) fail("", dlerror());
    return handle;
}

static struct library load(const char* path, const struct options* options, int is_real) {
    const char* prefix = options->is_single ? "fftwf" : "fftw";
    void *handle, *threads;
    if (is_real && options->threads > 1) {
        handle = open_threads(path, &threads);
        int (*init)(void);
        *(void**)&init = name(threads, prefix, "init_threads", 1);
        if (init() == 0) fail("FFTW has no threads: ", path);
    } else {
        handle = threads = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
        if (handle == NULL) fail("", dlerror());
    }
    struct library made;
    *(void**)&made.c2c = name(handle, prefix, "plan_many_dft", 1);
    *(void**)&made.r2c = name(handle, prefix, "plan_many_dft_r2c", 1);
    *(void**)&made.execute = name(handle, prefix, "execute", 1);
    *(void**)&made.destroy = name(handle, prefix, "destroy_plan", 1);
    *(void**)&made.set_timelimit = name(handle, prefix, "set_timelimit", 1);
    *(void**)&made.with_threads = name(threads, prefix, "plan_with_nthreads", options->threads > 1);
    if (options->threads > 1) made.with_threads(options->threads);
    if (is_real && options->plan_seconds > 0) made.set_timelimit(options->plan_seconds);
    return made;
}

static double now(void) {
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec * 1e6 + (double)at.tv_nsec * 1e-3;
}

/* Axes as equal as powers of two can be, a factor of three in the first one. */
static struct shape shape_of(char rank, long points) {
    struct shape made = {rank, rank == 'b' ? 1 : rank - '0', {1, 1, 1}, 1};
    if (rank == 'b') {
        made.dims[0] = batch_length;
        made.repeats = (int)(points / batch_length);
        return made;
    }
    const int factor = points % 3 == 0 ? 3 : 1;
    int exponent = 0;
    while (((long)factor << exponent) < points) ++exponent;
    for (int axis = 0; axis < made.axes; ++axis)
        made.dims[axis] = 1 << (exponent / made.axes + (made.axes - axis <= exponent % made.axes));
    made.dims[0] *= factor;
    return made;
}

static long real_points(const struct shape* shape) {
    long points = shape->repeats;
    for (int axis = 0; axis < shape->axes; ++axis) points *= shape->dims[axis];
    return points;
}

/* Complex numbers of r2c's output: half of the last axis and one. */
static long half_points(const struct shape* shape) {
    const int last = shape->dims[shape->axes - 1];
    return real_points(shape) / last * (last / 2 + 1);
}

static void* make_plan(const struct library* library, const struct shape* shape, int is_real, void* in, void* out) {
    const long one = real_points(shape) / shape->repeats, half = half_points(shape) / shape->repeats;
    if (is_real)
        return library->r2c(shape->axes, shape->dims, shape->repeats, in, NULL, 1, (int)one, out, NULL, 1, (int)half,
                            FFTW_MEASURE);
    return library->c2c(shape->axes, shape->dims, shape->repeats, in, NULL, 1, (int)one, out, NULL, 1, (int)one,
                        FFTW_FORWARD, FFTW_MEASURE);
}

/* Numbers that the same shape always has. */
static void fill(void* array, long reals, int is_single) {
    unsigned state = 1;
    for (long i = 0; i < reals; ++i) {
        state = state * 1664525u + 1013904223u;
        const double value = (double)(state >> 8) / 8388608.0 - 1.0;
        if (is_single)
            ((float*)array)[i] = (float)value;
        else
            ((double*)array)[i] = value;
    }
}

/* Of the largest number of either. */
static double difference(const void* left, const void* right, long reals, int is_single) {
    double largest = 0, worst = 0;
    for (long i = 0; i < reals; ++i) {
        const double a = is_single ? ((const float*)left)[i] : ((const double*)left)[i];
        const double b = is_single ? ((const float*)right)[i] : ((const double*)right)[i];
        largest = fmax(largest, fmax(fabs(a), fabs(b)));
        if (!(fabs(a - b) <= worst)) worst = isfinite(a - b) ? fabs(a - b) : INFINITY;
    }
    return largest > 0 ? worst / largest : worst;
}

static double once(const struct library* library, void* plan, int repeats) {
    const double start = now();
    for (int i = 0; i < repeats; ++i) library->execute(plan);
    return (now() - start) / repeats;
}

/* Microseconds of both, the least of many turns: at least 15, of long ones at least 3. */
static void measure(const struct library* libraries, void** plans, double* least) {
    int repeats = 1;
    for (int i = 0; i < 2; ++i) once(&libraries[i], plans[i], 1);
    while (repeats < 4096 && once(&libraries[1], plans[1], repeats) * repeats < 200) repeats *= 2;
    least[0] = least[1] = 1e30;
    const double start = now();
    for (int turn = 0; turn < 3 || (turn < 15 && now() - start < 5e5) || now() - start < 1e5; ++turn)
        for (int i = 0; i < 2; ++i) {
            const double time = once(&libraries[i], plans[i], repeats);
            if (time < least[i]) least[i] = time;
        }
}

static void print_row(const struct shape* shape, int is_real, const double* plan, const double* time) {
    char text[64];
    int length = 0;
    for (int axis = 0; axis < shape->axes; ++axis)
        length += snprintf(text + length, sizeof text - (size_t)length, axis ? "x%d" : "%d", shape->dims[axis]);
    if (shape->rank == 'b') snprintf(text + length, sizeof text - (size_t)length, "*%d", shape->repeats);
    printf("%-14s %9ld %4s %12.3f %12.3f %7.3f %10.1f %10.1f\n", text, real_points(shape), is_real ? "r2c" : "c2c",
           time[0], time[1], time[1] / time[0], plan[0], plan[1]);
    fflush(stdout);
}

/* The arrays: one input, an output for each library. */
struct arrays {
    void *in, *out[2];
};

/* Gives FFTW's time by Seiche's. */
static double run_row(const struct library* libraries, const struct shape* shape, int is_real,
                      const struct arrays* arrays, int is_single, int* is_wrong) {
    void* plans[2];
    double plan[2], time[2];
    for (int i = 0; i < 2; ++i) {
        const double start = now();
        plans[i] = make_plan(&libraries[i], shape, is_real, arrays->in, arrays->out[i]);
        plan[i] = (now() - start) * 1e-3;
        if (plans[i] == NULL) fail("no plan by ", i ? "FFTW" : "Seiche");
    }
    const long points = real_points(shape), out = 2 * (is_real ? half_points(shape) : points);
    fill(arrays->in, is_real ? points : 2 * points, is_single);
    measure(libraries, plans, time);
    print_row(shape, is_real, plan, time);
    const double found = difference(arrays->out[0], arrays->out[1], out, is_single);
    if (!(found < (is_single ? 1e-5 : 1e-13))) {
        fprintf(stderr, "measure_threshold: results of the last row differ by %g\n", found);
        *is_wrong = 1;
    }
    for (int i = 0; i < 2; ++i) libraries[i].destroy(plans[i]);
    return time[1] / time[0];
}

static void summarize(const struct row* rows, int count, const char* ranks) {
    for (const char* rank = ranks; *rank; ++rank)
        for (int is_real = 0; is_real < 2; ++is_real) {
            long first = 0, last = 0;
            for (int i = 0; i < count; ++i) {
                if (rows[i].rank != *rank || rows[i].is_real != is_real) continue;
                if (rows[i].times <= 1) first = 0;
                if (rows[i].times > 1 && first == 0) first = rows[i].points;
                last = rows[i].points;
            }
            if (last == 0) continue;
            printf("break-even %s %s: ", *rank == 'b' ? "batches" : (char[]){*rank, '-', 'd', 0},
                   is_real ? "r2c" : "c2c");
            if (first)
                printf("%ld points, faster up to %ld\n", first, last);
            else
                printf("none, slower at %ld\n", last);
        }
}

static const char* after(const char* text, const char* key) {
    return strncmp(text, key, strlen(key)) == 0 ? text + strlen(key) : NULL;
}

static long number_of(const char* text) {
    char* end;
    const long value = strtol(text, &end, 10);
    if (end == text || *end != '\0' || value < 1) fail("expected a number from 1 on, got ", text);
    return value;
}

static struct options read_options(int argc, char** argv) {
    if (argc < 3) fail("usage: measure_threshold SEICHE/libfftw3.so.3 REAL/libfftw3.so.3 [options]", "");
    struct options read = {{argv[1], argv[2]}, "123b", 16, 1L << 20, 0, 0, 1, 0, 1e9};
    for (int i = 3; i < argc; ++i) {
        const char* value;
        if (strcmp(argv[i], "single") == 0)
            read.is_single = 1;
        else if (strcmp(argv[i], "coarse") == 0)
            read.is_coarse = 1;
        else if ((value = after(argv[i], "least=")))
            read.least = number_of(value);
        else if ((value = after(argv[i], "most=")))
            read.most = number_of(value);
        else if ((value = after(argv[i], "threads=")))
            read.threads = (int)number_of(value);
        else if ((value = after(argv[i], "plan=")))
            read.plan_seconds = (double)number_of(value);
        else if ((value = after(argv[i], "total=")))
            read.total_seconds = (double)number_of(value);
        else if ((value = after(argv[i], "ranks=")) && value[0] && value[strspn(value, "123b")] == '\0')
            read.ranks = value;
        else
            fail("expected an option as in the head of measure_threshold.c, got ", argv[i]);
    }
    if (read.most > 1L << 28) fail("most: expected up to 2^28 points", "");
    return read;
}

int main(int argc, char** argv) {
    const struct options options = read_options(argc, argv);
    const struct library libraries[2] = {load(options.files[0], &options, 0), load(options.files[1], &options, 1)};
    struct arrays arrays;
    const size_t bytes = ((size_t)options.most + 4096) * 16;
    void** const all[3] = {&arrays.in, &arrays.out[0], &arrays.out[1]};
    for (int i = 0; i < 3; ++i)
        if ((*all[i] = aligned_alloc(64, bytes)) == NULL) fail("no memory for arrays", "");
    printf("%-14s %9s %4s %12s %12s %7s %10s %10s\n", "shape", "points", "kind", "Seiche us", "FFTW us", "times",
           "plan ms", "FFTW's ms");
    static struct row rows[most_rows];
    int count = 0, is_wrong = 0;
    const double end = now() + options.total_seconds * 1e6;
    for (long n = 16; n <= options.most; n = options.is_coarse ? 2 * n : n % 3 == 0 ? n / 3 * 4 : n / 2 * 3) {
        if (n < options.least) continue;
        for (const char* rank = options.ranks; *rank; ++rank)
            for (int is_real = 0; is_real < 2 && now() < end && count < most_rows; ++is_real) {
                const struct shape shape = shape_of(*rank, n);
                if (shape.repeats == 0 || real_points(&shape) != n) continue;
                struct row* row = &rows[count++];
                *row = (struct row){*rank, is_real, n, 0};
                row->times = run_row(libraries, &shape, is_real, &arrays, options.is_single, &is_wrong);
            }
    }
    if (now() >= end) printf("ended after %g seconds, before the last row\n", options.total_seconds);
    summarize(rows, count, options.ranks);
    return is_wrong;
}
