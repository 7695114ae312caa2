/* The interface of FFTW 3 as libfftw3.so.3 and libfftw3f.so.3 of Seiche have it: docs/how-to/replacing-fftw.md.
 *
 * Written from FFTW's manual. Names, arguments and values of constants are FFTW's, so that a source compiles with this
 * header or with FFTW's own. Lengths count elements. Strides count elements of the array that they belong to: real
 * numbers, complex numbers, or, where real and imaginary parts are given apart, real numbers. A planner returns a null
 * pointer for what it cannot plan. long double and quad precision are declared for programs that link FFTW's own
 * libfftw3l or libfftw3q beside these libraries.
 */
#ifndef FFTW3_H
#define FFTW3_H

#include <stddef.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SEICHE_FFTW_JOIN(prefix, name) prefix##name

#define SEICHE_FFTW_DOUBLE(name) SEICHE_FFTW_JOIN(fftw_, name)
#define SEICHE_FFTW_FLOAT(name) SEICHE_FFTW_JOIN(fftwf_, name)
#define SEICHE_FFTW_LONG_DOUBLE(name) SEICHE_FFTW_JOIN(fftwl_, name)
#define SEICHE_FFTW_QUAD(name) SEICHE_FFTW_JOIN(fftwq_, name)

/* C's own complex type where <complex.h> came first, else two real numbers. */
#if !defined(FFTW_NO_Complex) && defined(_Complex_I) && defined(complex) && defined(I)
#define SEICHE_FFTW_COMPLEX_TYPE(R, C) typedef R _Complex C
#else
#define SEICHE_FFTW_COMPLEX_TYPE(R, C) typedef R C[2]
#endif

/* Kinds of real-to-real transforms. */
enum seiche_fftw_r2r_kind {
    FFTW_R2HC = 0,
    FFTW_HC2R = 1,
    FFTW_DHT = 2,
    FFTW_REDFT00 = 3,
    FFTW_REDFT01 = 4,
    FFTW_REDFT10 = 5,
    FFTW_REDFT11 = 6,
    FFTW_RODFT00 = 7,
    FFTW_RODFT01 = 8,
    FFTW_RODFT10 = 9,
    FFTW_RODFT11 = 10
};

/* A dimension of the guru interface: length, input stride, output stride. */
struct seiche_fftw_iodim {
    int n, is, os;
};
struct seiche_fftw_iodim64 {
    ptrdiff_t n, is, os;
};

typedef void (*seiche_fftw_write_char_func)(char c, void* data);
typedef int (*seiche_fftw_read_char_func)(void* data);

/* clang-format off: it takes R and C for numbers. */
/* Everything of one precision. X mangles a name; R is the real type, C becomes the complex one. */
#define SEICHE_FFTW_DECLARE(X, R, C)                                                                                   \
    SEICHE_FFTW_COMPLEX_TYPE(R, C);                                                                                    \
    typedef struct X(plan_s) * X(plan);                                                                                \
    typedef struct seiche_fftw_iodim X(iodim);                                                                         \
    typedef struct seiche_fftw_iodim64 X(iodim64);                                                                     \
    typedef enum seiche_fftw_r2r_kind X(r2r_kind);                                                                     \
    typedef seiche_fftw_write_char_func X(write_char_func);                                                            \
    typedef seiche_fftw_read_char_func X(read_char_func);                                                              \
                                                                                                                       \
    extern void X(execute)(const X(plan) p);                                                                           \
    extern void X(execute_dft)(const X(plan) p, C* in, C* out);                                                        \
    extern void X(execute_dft_r2c)(const X(plan) p, R* in, C* out);                                                    \
    extern void X(execute_dft_c2r)(const X(plan) p, C* in, R* out);                                                    \
    extern void X(execute_r2r)(const X(plan) p, R* in, R* out);                                                        \
    extern void X(execute_split_dft)(const X(plan) p, R* ri, R* ii, R* ro, R* io);                                     \
    extern void X(execute_split_dft_r2c)(const X(plan) p, R* in, R* ro, R* io);                                        \
    extern void X(execute_split_dft_c2r)(const X(plan) p, R* ri, R* ii, R* out);                                       \
                                                                                                                       \
    extern X(plan) X(plan_dft)(int rank, const int* n, C* in, C* out, int sign, unsigned flags);                       \
    extern X(plan) X(plan_dft_1d)(int n, C* in, C* out, int sign, unsigned flags);                                     \
    extern X(plan) X(plan_dft_2d)(int n0, int n1, C* in, C* out, int sign, unsigned flags);                            \
    extern X(plan) X(plan_dft_3d)(int n0, int n1, int n2, C* in, C* out, int sign, unsigned flags);                    \
    extern X(plan) X(plan_dft_r2c)(int rank, const int* n, R* in, C* out, unsigned flags);                             \
    extern X(plan) X(plan_dft_r2c_1d)(int n, R* in, C* out, unsigned flags);                                           \
    extern X(plan) X(plan_dft_r2c_2d)(int n0, int n1, R* in, C* out, unsigned flags);                                  \
    extern X(plan) X(plan_dft_r2c_3d)(int n0, int n1, int n2, R* in, C* out, unsigned flags);                          \
    extern X(plan) X(plan_dft_c2r)(int rank, const int* n, C* in, R* out, unsigned flags);                             \
    extern X(plan) X(plan_dft_c2r_1d)(int n, C* in, R* out, unsigned flags);                                           \
    extern X(plan) X(plan_dft_c2r_2d)(int n0, int n1, C* in, R* out, unsigned flags);                                  \
    extern X(plan) X(plan_dft_c2r_3d)(int n0, int n1, int n2, C* in, R* out, unsigned flags);                          \
    extern X(plan) X(plan_r2r)(int rank, const int* n, R* in, R* out, const X(r2r_kind) * kind, unsigned flags);       \
    extern X(plan) X(plan_r2r_1d)(int n, R* in, R* out, X(r2r_kind) kind, unsigned flags);                             \
    extern X(plan)                                                                                                     \
        X(plan_r2r_2d)(int n0, int n1, R* in, R* out, X(r2r_kind) kind0, X(r2r_kind) kind1, unsigned flags);           \
    extern X(plan) X(plan_r2r_3d)(int n0, int n1, int n2, R* in, R* out, X(r2r_kind) kind0, X(r2r_kind) kind1,         \
                                  X(r2r_kind) kind2, unsigned flags);                                                  \
                                                                                                                       \
    extern X(plan)                                                                                                     \
        X(plan_many_dft)(int rank, const int* n, int howmany, C* in, const int* inembed, int istride, int idist,       \
                         C* out, const int* onembed, int ostride, int odist, int sign, unsigned flags);                \
    extern X(plan)                                                                                                     \
        X(plan_many_dft_r2c)(int rank, const int* n, int howmany, R* in, const int* inembed, int istride, int idist,   \
                             C* out, const int* onembed, int ostride, int odist, unsigned flags);                      \
    extern X(plan)                                                                                                     \
        X(plan_many_dft_c2r)(int rank, const int* n, int howmany, C* in, const int* inembed, int istride, int idist,   \
                             R* out, const int* onembed, int ostride, int odist, unsigned flags);                      \
    extern X(plan) X(plan_many_r2r)(int rank, const int* n, int howmany, R* in, const int* inembed, int istride,       \
                                    int idist, R* out, const int* onembed, int ostride, int odist,                     \
                                    const X(r2r_kind) * kind, unsigned flags);                                         \
                                                                                                                       \
    extern X(plan) X(plan_guru_dft)(int rank, const X(iodim) * dims, int howmany_rank, const X(iodim) * howmany_dims,  \
                                    C * in, C * out, int sign, unsigned flags);                                        \
    extern X(plan)                                                                                                     \
        X(plan_guru_split_dft)(int rank, const X(iodim) * dims, int howmany_rank, const X(iodim) * howmany_dims,       \
                               R * ri, R * ii, R * ro, R * io, unsigned flags);                                        \
    extern X(plan) X(plan_guru_dft_r2c)(int rank, const X(iodim) * dims, int howmany_rank,                             \
                                        const X(iodim) * howmany_dims, R * in, C * out, unsigned flags);               \
    extern X(plan) X(plan_guru_split_dft_r2c)(int rank, const X(iodim) * dims, int howmany_rank,                       \
                                              const X(iodim) * howmany_dims, R * in, R * ro, R * io, unsigned flags);  \
    extern X(plan) X(plan_guru_dft_c2r)(int rank, const X(iodim) * dims, int howmany_rank,                             \
                                        const X(iodim) * howmany_dims, C * in, R * out, unsigned flags);               \
    extern X(plan) X(plan_guru_split_dft_c2r)(int rank, const X(iodim) * dims, int howmany_rank,                       \
                                              const X(iodim) * howmany_dims, R * ri, R * ii, R * out, unsigned flags); \
    extern X(plan) X(plan_guru_r2r)(int rank, const X(iodim) * dims, int howmany_rank, const X(iodim) * howmany_dims,  \
                                    R * in, R * out, const X(r2r_kind) * kind, unsigned flags);                        \
    extern X(plan) X(plan_guru64_dft)(int rank, const X(iodim64) * dims, int howmany_rank,                             \
                                      const X(iodim64) * howmany_dims, C * in, C * out, int sign, unsigned flags);     \
    extern X(plan)                                                                                                     \
        X(plan_guru64_split_dft)(int rank, const X(iodim64) * dims, int howmany_rank, const X(iodim64) * howmany_dims, \
                                 R * ri, R * ii, R * ro, R * io, unsigned flags);                                      \
    extern X(plan) X(plan_guru64_dft_r2c)(int rank, const X(iodim64) * dims, int howmany_rank,                         \
                                          const X(iodim64) * howmany_dims, R * in, C * out, unsigned flags);           \
    extern X(plan)                                                                                                     \
        X(plan_guru64_split_dft_r2c)(int rank, const X(iodim64) * dims, int howmany_rank,                              \
                                     const X(iodim64) * howmany_dims, R * in, R * ro, R * io, unsigned flags);         \
    extern X(plan) X(plan_guru64_dft_c2r)(int rank, const X(iodim64) * dims, int howmany_rank,                         \
                                          const X(iodim64) * howmany_dims, C * in, R * out, unsigned flags);           \
    extern X(plan)                                                                                                     \
        X(plan_guru64_split_dft_c2r)(int rank, const X(iodim64) * dims, int howmany_rank,                              \
                                     const X(iodim64) * howmany_dims, R * ri, R * ii, R * out, unsigned flags);        \
    extern X(plan)                                                                                                     \
        X(plan_guru64_r2r)(int rank, const X(iodim64) * dims, int howmany_rank, const X(iodim64) * howmany_dims,       \
                           R * in, R * out, const X(r2r_kind) * kind, unsigned flags);                                 \
                                                                                                                       \
    extern void X(destroy_plan)(X(plan) p);                                                                            \
    extern void X(forget_wisdom)(void);                                                                                \
    extern void X(cleanup)(void);                                                                                      \
    extern void X(set_timelimit)(double seconds);                                                                      \
                                                                                                                       \
    extern void X(plan_with_nthreads)(int nthreads);                                                                   \
    extern int X(planner_nthreads)(void);                                                                              \
    extern int X(init_threads)(void);                                                                                  \
    extern void X(cleanup_threads)(void);                                                                              \
    extern void X(threads_set_callback)(                                                                               \
        void (*parallel_loop)(void* (*work)(char*), char* jobdata, size_t elsize, int njobs, void* data), void* data); \
    extern void X(make_planner_thread_safe)(void);                                                                     \
                                                                                                                       \
    extern int X(export_wisdom_to_filename)(const char* filename);                                                     \
    extern void X(export_wisdom_to_file)(FILE * file);                                                                 \
    extern char* X(export_wisdom_to_string)(void);                                                                     \
    extern void X(export_wisdom)(X(write_char_func) write_char, void* data);                                           \
    extern int X(import_system_wisdom)(void);                                                                          \
    extern int X(import_wisdom_from_filename)(const char* filename);                                                   \
    extern int X(import_wisdom_from_file)(FILE * file);                                                                \
    extern int X(import_wisdom_from_string)(const char* text);                                                         \
    extern int X(import_wisdom)(X(read_char_func) read_char, void* data);                                              \
                                                                                                                       \
    extern void X(fprint_plan)(const X(plan) p, FILE* file);                                                           \
    extern void X(print_plan)(const X(plan) p);                                                                        \
    extern char* X(sprint_plan)(const X(plan) p);                                                                      \
                                                                                                                       \
    extern void* X(malloc)(size_t bytes);                                                                              \
    extern R* X(alloc_real)(size_t count);                                                                             \
    extern C* X(alloc_complex)(size_t count);                                                                          \
    extern void X(free)(void* memory);                                                                                 \
                                                                                                                       \
    extern void X(flops)(const X(plan) p, double* add, double* mul, double* fmas);                                     \
    extern double X(estimate_cost)(const X(plan) p);                                                                   \
    extern double X(cost)(const X(plan) p);                                                                            \
    extern int X(alignment_of)(R * array);                                                                             \
                                                                                                                       \
    extern const char X(version)[];                                                                                    \
    extern const char X(cc)[];                                                                                         \
    extern const char X(codelet_optim)[];
/* clang-format on */

SEICHE_FFTW_DECLARE(SEICHE_FFTW_DOUBLE, double, fftw_complex)
SEICHE_FFTW_DECLARE(SEICHE_FFTW_FLOAT, float, fftwf_complex)
SEICHE_FFTW_DECLARE(SEICHE_FFTW_LONG_DOUBLE, long double, fftwl_complex)

/* Quad precision, where the compiler has it for C and __float128 may be complex. */
#if defined(__GNUC__) && !defined(__clang__) && !defined(__cplusplus) && (defined(__x86_64__) || defined(__i386__))
#if !defined(FFTW_NO_Complex) && defined(_Complex_I) && defined(complex) && defined(I)
#undef SEICHE_FFTW_COMPLEX_TYPE
#define SEICHE_FFTW_COMPLEX_TYPE(R, C) typedef _Complex float __attribute__((mode(TC))) C
#endif
SEICHE_FFTW_DECLARE(SEICHE_FFTW_QUAD, __float128, fftwq_complex)
#endif

#define FFTW_FORWARD (-1)
#define FFTW_BACKWARD (+1)

#define FFTW_NO_TIMELIMIT (-1.0)

/* Planner flags of the manual. */
#define FFTW_MEASURE (0U)
#define FFTW_DESTROY_INPUT (1U << 0)
#define FFTW_UNALIGNED (1U << 1)
#define FFTW_CONSERVE_MEMORY (1U << 2)
#define FFTW_EXHAUSTIVE (1U << 3)
#define FFTW_PRESERVE_INPUT (1U << 4)
#define FFTW_PATIENT (1U << 5)
#define FFTW_ESTIMATE (1U << 6)
#define FFTW_WISDOM_ONLY (1U << 21)

/* Flags that switch parts of FFTW's own planner. They are taken, and mean something only to a plan that is handed on.
 */
#define FFTW_ESTIMATE_PATIENT (1U << 7)
#define FFTW_BELIEVE_PCOST (1U << 8)
#define FFTW_NO_DFT_R2HC (1U << 9)
#define FFTW_NO_NONTHREADED (1U << 10)
#define FFTW_NO_BUFFERING (1U << 11)
#define FFTW_NO_INDIRECT_OP (1U << 12)
#define FFTW_ALLOW_LARGE_GENERIC (1U << 13)
#define FFTW_NO_RANK_SPLITS (1U << 14)
#define FFTW_NO_VRANK_SPLITS (1U << 15)
#define FFTW_NO_VRECURSE (1U << 16)
#define FFTW_NO_SIMD (1U << 17)
#define FFTW_NO_SLOW (1U << 18)
#define FFTW_NO_FIXED_RADIX_LARGE_N (1U << 19)
#define FFTW_ALLOW_PRUNING (1U << 20)

#ifdef __cplusplus
}
#endif

#endif /* FFTW3_H */
