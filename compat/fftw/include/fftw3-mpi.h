/* FFTW's interface for MPI as libfftw3_mpi.so.3 and libfftw3f_mpi.so.3 of Seiche have it:
 * docs/how-to/replacing-fftw.md. The libraries are of one MPI, that of their build: include its mpi.h.
 *
 * Written from FFTW's manual. All ranks of a communicator call planners and executions together, in the same order.
 */
#ifndef FFTW3_MPI_H
#define FFTW3_MPI_H

#include <fftw3.h>
#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* clang-format off */
/* It takes R and C for numbers. */
#define SEICHE_FFTW_DECLARE_MPI(X, R, C)                                                                               \
    extern void X(mpi_init)(void);                                                                                     \
    extern void X(mpi_cleanup)(void);                                                                                  \
                                                                                                                       \
    extern ptrdiff_t X(mpi_local_size_many_transposed)(int rank, const ptrdiff_t* n, ptrdiff_t howmany,                \
        ptrdiff_t block0, ptrdiff_t block1, MPI_Comm comm, ptrdiff_t* local_n0, ptrdiff_t* local_0_start,              \
        ptrdiff_t* local_n1, ptrdiff_t* local_1_start);                                                                \
    extern ptrdiff_t X(mpi_local_size_many)(int rank, const ptrdiff_t* n, ptrdiff_t howmany, ptrdiff_t block0,         \
        MPI_Comm comm, ptrdiff_t* local_n0, ptrdiff_t* local_0_start);                                                 \
    extern ptrdiff_t X(mpi_local_size_transposed)(int rank, const ptrdiff_t* n, MPI_Comm comm, ptrdiff_t*              \
        local_n0, ptrdiff_t* local_0_start, ptrdiff_t* local_n1, ptrdiff_t* local_1_start);                            \
    extern ptrdiff_t X(mpi_local_size)(int rank, const ptrdiff_t* n, MPI_Comm comm, ptrdiff_t* local_n0,               \
        ptrdiff_t* local_0_start);                                                                                     \
    extern ptrdiff_t X(mpi_local_size_many_1d)(ptrdiff_t n0, ptrdiff_t howmany, MPI_Comm comm, int sign,               \
        unsigned flags, ptrdiff_t* local_ni, ptrdiff_t* local_i_start, ptrdiff_t* local_no, ptrdiff_t*                 \
        local_o_start);                                                                                                \
    extern ptrdiff_t X(mpi_local_size_1d)(ptrdiff_t n0, MPI_Comm comm, int sign, unsigned flags, ptrdiff_t*            \
        local_ni, ptrdiff_t* local_i_start, ptrdiff_t* local_no, ptrdiff_t* local_o_start);                            \
    extern ptrdiff_t X(mpi_local_size_2d)(ptrdiff_t n0, ptrdiff_t n1, MPI_Comm comm, ptrdiff_t* local_n0,              \
        ptrdiff_t* local_0_start);                                                                                     \
    extern ptrdiff_t X(mpi_local_size_2d_transposed)(ptrdiff_t n0, ptrdiff_t n1, MPI_Comm comm, ptrdiff_t*             \
        local_n0, ptrdiff_t* local_0_start, ptrdiff_t* local_n1, ptrdiff_t* local_1_start);                            \
    extern ptrdiff_t X(mpi_local_size_3d)(ptrdiff_t n0, ptrdiff_t n1, ptrdiff_t n2, MPI_Comm comm, ptrdiff_t*          \
        local_n0, ptrdiff_t* local_0_start);                                                                           \
    extern ptrdiff_t X(mpi_local_size_3d_transposed)(ptrdiff_t n0, ptrdiff_t n1, ptrdiff_t n2, MPI_Comm comm,          \
        ptrdiff_t* local_n0, ptrdiff_t* local_0_start, ptrdiff_t* local_n1, ptrdiff_t* local_1_start);                 \
                                                                                                                       \
    extern X(plan) X(mpi_plan_many_transpose)(ptrdiff_t n0, ptrdiff_t n1, ptrdiff_t howmany, ptrdiff_t block0,         \
        ptrdiff_t block1, R* in, R* out, MPI_Comm comm, unsigned flags);                                               \
    extern X(plan) X(mpi_plan_transpose)(ptrdiff_t n0, ptrdiff_t n1, R* in, R* out, MPI_Comm comm, unsigned            \
        flags);                                                                                                        \
    extern X(plan) X(mpi_plan_many_dft)(int rank, const ptrdiff_t* n, ptrdiff_t howmany, ptrdiff_t block,              \
        ptrdiff_t tblock, C* in, C* out, MPI_Comm comm, int sign, unsigned flags);                                     \
    extern X(plan) X(mpi_plan_dft)(int rank, const ptrdiff_t* n, C* in, C* out, MPI_Comm comm, int sign,               \
        unsigned flags);                                                                                               \
    extern X(plan) X(mpi_plan_dft_1d)(ptrdiff_t n0, C* in, C* out, MPI_Comm comm, int sign, unsigned flags);           \
    extern X(plan) X(mpi_plan_dft_2d)(ptrdiff_t n0, ptrdiff_t n1, C* in, C* out, MPI_Comm comm, int sign,              \
        unsigned flags);                                                                                               \
    extern X(plan) X(mpi_plan_dft_3d)(ptrdiff_t n0, ptrdiff_t n1, ptrdiff_t n2, C* in, C* out, MPI_Comm comm,          \
        int sign, unsigned flags);                                                                                     \
    extern X(plan) X(mpi_plan_many_r2r)(int rank, const ptrdiff_t* n, ptrdiff_t howmany, ptrdiff_t iblock,             \
        ptrdiff_t oblock, R* in, R* out, MPI_Comm comm, const X(r2r_kind) * kind, unsigned flags);                     \
    extern X(plan) X(mpi_plan_r2r)(int rank, const ptrdiff_t* n, R* in, R* out, MPI_Comm comm, const                   \
        X(r2r_kind) * kind, unsigned flags);                                                                           \
    extern X(plan) X(mpi_plan_r2r_2d)(ptrdiff_t n0, ptrdiff_t n1, R* in, R* out, MPI_Comm comm, X(r2r_kind)            \
        kind0, X(r2r_kind) kind1, unsigned flags);                                                                     \
    extern X(plan) X(mpi_plan_r2r_3d)(ptrdiff_t n0, ptrdiff_t n1, ptrdiff_t n2, R* in, R* out, MPI_Comm comm,          \
        X(r2r_kind) kind0, X(r2r_kind) kind1, X(r2r_kind) kind2, unsigned flags);                                      \
    extern X(plan) X(mpi_plan_many_dft_r2c)(int rank, const ptrdiff_t* n, ptrdiff_t howmany, ptrdiff_t iblock,         \
        ptrdiff_t oblock, R* in, C* out, MPI_Comm comm, unsigned flags);                                               \
    extern X(plan) X(mpi_plan_dft_r2c)(int rank, const ptrdiff_t* n, R* in, C* out, MPI_Comm comm, unsigned            \
        flags);                                                                                                        \
    extern X(plan) X(mpi_plan_dft_r2c_2d)(ptrdiff_t n0, ptrdiff_t n1, R* in, C* out, MPI_Comm comm, unsigned           \
        flags);                                                                                                        \
    extern X(plan) X(mpi_plan_dft_r2c_3d)(ptrdiff_t n0, ptrdiff_t n1, ptrdiff_t n2, R* in, C* out, MPI_Comm            \
        comm, unsigned flags);                                                                                         \
    extern X(plan) X(mpi_plan_many_dft_c2r)(int rank, const ptrdiff_t* n, ptrdiff_t howmany, ptrdiff_t iblock,         \
        ptrdiff_t oblock, C* in, R* out, MPI_Comm comm, unsigned flags);                                               \
    extern X(plan) X(mpi_plan_dft_c2r)(int rank, const ptrdiff_t* n, C* in, R* out, MPI_Comm comm, unsigned            \
        flags);                                                                                                        \
    extern X(plan) X(mpi_plan_dft_c2r_2d)(ptrdiff_t n0, ptrdiff_t n1, C* in, R* out, MPI_Comm comm, unsigned           \
        flags);                                                                                                        \
    extern X(plan) X(mpi_plan_dft_c2r_3d)(ptrdiff_t n0, ptrdiff_t n1, ptrdiff_t n2, C* in, R* out, MPI_Comm            \
        comm, unsigned flags);                                                                                         \
                                                                                                                       \
    extern void X(mpi_gather_wisdom)(MPI_Comm comm);                                                                   \
    extern void X(mpi_broadcast_wisdom)(MPI_Comm comm);                                                                \
                                                                                                                       \
    extern void X(mpi_execute_dft)(X(plan) p, C* in, C* out);                                                          \
    extern void X(mpi_execute_dft_r2c)(X(plan) p, R* in, C* out);                                                      \
    extern void X(mpi_execute_dft_c2r)(X(plan) p, C* in, R* out);                                                      \
    extern void X(mpi_execute_r2r)(X(plan) p, R* in, R* out);
/* clang-format on */

SEICHE_FFTW_DECLARE_MPI(SEICHE_FFTW_DOUBLE, double, fftw_complex)
SEICHE_FFTW_DECLARE_MPI(SEICHE_FFTW_FLOAT, float, fftwf_complex)

#define FFTW_MPI_DEFAULT_BLOCK (0)

/* Flags of planners. Of an array that is scrambled Seiche leaves the order as it is. */
#define FFTW_MPI_SCRAMBLED_IN (1U << 27)
#define FFTW_MPI_SCRAMBLED_OUT (1U << 28)
#define FFTW_MPI_TRANSPOSED_IN (1U << 29)
#define FFTW_MPI_TRANSPOSED_OUT (1U << 30)

#ifdef __cplusplus
}
#endif

#endif /* FFTW3_MPI_H */
