// Plans over the ranks of a communicator, which FFTW's execution functions take as any others.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <vector>

#include "form.hpp"
#include "precision.hpp"

namespace seiche_fftw {

/// What all planners of transforms are given. Complex arrays are interleaved.
struct MpiArguments {
    Type type = Type::dft;
    std::vector<std::ptrdiff_t> n;
    std::ptrdiff_t howmany = 1, in_block = 0, out_block = 0;
    Real *in = nullptr, *out = nullptr;
    MPI_Comm comm = MPI_COMM_NULL;
    int sign = FFTW_FORWARD;
    std::vector<seiche_fftw_r2r_kind> kinds;
    unsigned flags = 0;
};

/// Null where FFTW has no plan, and on all ranks where one of them has none. Throws nothing.
PlanPointer make_mpi_plan(const MpiArguments& arguments);
/// The transposition of a real array of n[0] x n[1] numbers.
PlanPointer make_mpi_transposition(const MpiArguments& arguments);

}  // namespace seiche_fftw
