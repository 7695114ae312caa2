// FFTW's functions for MPI.
#include "mpi_plan.hpp"

#include <fftw3-mpi.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "mpi_layout.hpp"

using namespace seiche_fftw;  // NOLINT(google-build-using-namespace): every function here is made of it

namespace {

using Kind = seiche_fftw_r2r_kind;
using Lengths = std::vector<std::ptrdiff_t>;

Real* reals(Complex* array) { return reinterpret_cast<Real*>(array); }

/// Of a rank that is none, none.
Lengths lengths(int rank, const std::ptrdiff_t* n) { return rank > 0 ? Lengths(n, n + rank) : Lengths(); }

MpiArguments dft(Lengths n, Complex* in, Complex* out, MPI_Comm comm, int sign, unsigned flags) {
    return {Type::dft, std::move(n), 1, 0, 0, reals(in), reals(out), comm, sign, {}, flags};
}
MpiArguments r2c(Lengths n, Real* in, Complex* out, MPI_Comm comm, unsigned flags) {
    return {Type::r2c, std::move(n), 1, 0, 0, in, reals(out), comm, FFTW_FORWARD, {}, flags};
}
MpiArguments c2r(Lengths n, Complex* in, Real* out, MPI_Comm comm, unsigned flags) {
    return {Type::c2r, std::move(n), 1, 0, 0, reals(in), out, comm, FFTW_BACKWARD, {}, flags};
}
MpiArguments r2r(Lengths n, Real* in, Real* out, MPI_Comm comm, std::vector<Kind> kinds, unsigned flags) {
    return {Type::r2r, std::move(n), 1, 0, 0, in, out, comm, FFTW_FORWARD, std::move(kinds), flags};
}
std::vector<Kind> kinds_of(int rank, const Kind* kinds) {
    return rank > 0 ? std::vector<Kind>(kinds, kinds + rank) : std::vector<Kind>();
}
PlanPointer many(MpiArguments arguments, std::ptrdiff_t howmany, std::ptrdiff_t in_block, std::ptrdiff_t out_block) {
    arguments.howmany = howmany;
    arguments.in_block = in_block;
    arguments.out_block = out_block;
    return make_mpi_plan(arguments);
}

int rank_of(MPI_Comm comm) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    return rank;
}
int size_of(MPI_Comm comm) {
    int size = 1;
    MPI_Comm_size(comm, &size);
    return size;
}

void give(const Part& part, std::ptrdiff_t* count, std::ptrdiff_t* start) {
    *count = part.count;
    *start = part.start;
}

/// Numbers that a rank has room for, in either order of the first two axes.
std::ptrdiff_t local_size(const Lengths& n, std::ptrdiff_t howmany, const std::array<std::ptrdiff_t, 2>& blocks,
                          MPI_Comm comm, std::array<Part, 2>& parts) {
    const int rank = rank_of(comm), ranks = size_of(comm);
    if (n.empty()) return 0;
    std::ptrdiff_t rest = howmany;
    for (std::size_t axis = 2; axis < n.size(); ++axis) rest *= n[axis];
    const std::ptrdiff_t second = n.size() > 1 ? n[1] : 1;
    parts[0] = part_of(n[0], blocks[0], rank, ranks);
    parts[1] = part_of(second, blocks[1], rank, ranks);
    return std::max(
        {parts[0].count * second * rest, n.size() > 1 ? parts[1].count * n[0] * rest : 0, std::ptrdiff_t{1}});
}

std::ptrdiff_t natural_size(const Lengths& n, std::ptrdiff_t howmany, std::ptrdiff_t block, MPI_Comm comm,
                            std::ptrdiff_t* local_n0, std::ptrdiff_t* local_0_start) {
    std::array<Part, 2> parts;
    const std::ptrdiff_t size = local_size(n, howmany, {block, 0}, comm, parts);
    give(parts[0], local_n0, local_0_start);
    return size;
}
std::ptrdiff_t transposed_size(const Lengths& n, std::ptrdiff_t howmany, const std::array<std::ptrdiff_t, 2>& blocks,
                               MPI_Comm comm, std::ptrdiff_t* local_n0, std::ptrdiff_t* local_0_start,
                               std::ptrdiff_t* local_n1, std::ptrdiff_t* local_1_start) {
    std::array<Part, 2> parts;
    const std::ptrdiff_t size = local_size(n, howmany, blocks, comm, parts);
    give(parts[0], local_n0, local_0_start);
    give(parts[1], local_n1, local_1_start);
    return size;
}

/// Wisdom as text; empty where there is none.
std::string wisdom() {
    const std::unique_ptr<char, decltype(&std::free)> text(SEICHE_FFTW(export_wisdom_to_string)(), std::free);
    return text ? text.get() : "";
}
void learn(const std::string& text) {
    if (!text.empty()) SEICHE_FFTW(import_wisdom_from_string)(text.c_str());
}

}  // namespace

extern "C" {

/// Nothing has to be made ready. The library of one process, which a program may call first, is found by the linker.
void SEICHE_FFTW(mpi_init)() {}
void SEICHE_FFTW(mpi_cleanup)() { SEICHE_FFTW(cleanup)(); }

// ---- What each rank has

ptrdiff_t SEICHE_FFTW(mpi_local_size_many_transposed)(int rank, const ptrdiff_t* n, ptrdiff_t howmany, ptrdiff_t block0,
                                                      ptrdiff_t block1, MPI_Comm comm, ptrdiff_t* local_n0,
                                                      ptrdiff_t* local_0_start, ptrdiff_t* local_n1,
                                                      ptrdiff_t* local_1_start) {
    return transposed_size(lengths(rank, n), howmany, {block0, block1}, comm, local_n0, local_0_start, local_n1,
                           local_1_start);
}
ptrdiff_t SEICHE_FFTW(mpi_local_size_many)(int rank, const ptrdiff_t* n, ptrdiff_t howmany, ptrdiff_t block0,
                                           MPI_Comm comm, ptrdiff_t* local_n0, ptrdiff_t* local_0_start) {
    return natural_size(lengths(rank, n), howmany, block0, comm, local_n0, local_0_start);
}
ptrdiff_t SEICHE_FFTW(mpi_local_size_transposed)(int rank, const ptrdiff_t* n, MPI_Comm comm, ptrdiff_t* local_n0,
                                                 ptrdiff_t* local_0_start, ptrdiff_t* local_n1,
                                                 ptrdiff_t* local_1_start) {
    return transposed_size(lengths(rank, n), 1, {0, 0}, comm, local_n0, local_0_start, local_n1, local_1_start);
}
ptrdiff_t SEICHE_FFTW(mpi_local_size)(int rank, const ptrdiff_t* n, MPI_Comm comm, ptrdiff_t* local_n0,
                                      ptrdiff_t* local_0_start) {
    return natural_size(lengths(rank, n), 1, 0, comm, local_n0, local_0_start);
}
ptrdiff_t SEICHE_FFTW(mpi_local_size_many_1d)(ptrdiff_t n0, ptrdiff_t howmany, MPI_Comm comm, int, unsigned,
                                              ptrdiff_t* local_ni, ptrdiff_t* local_i_start, ptrdiff_t* local_no,
                                              ptrdiff_t* local_o_start) {
    const ptrdiff_t size = natural_size({n0}, howmany, 0, comm, local_ni, local_i_start);
    *local_no = *local_ni;
    *local_o_start = *local_i_start;
    return size;
}
ptrdiff_t SEICHE_FFTW(mpi_local_size_1d)(ptrdiff_t n0, MPI_Comm comm, int sign, unsigned flags, ptrdiff_t* local_ni,
                                         ptrdiff_t* local_i_start, ptrdiff_t* local_no, ptrdiff_t* local_o_start) {
    return SEICHE_FFTW(mpi_local_size_many_1d)(n0, 1, comm, sign, flags, local_ni, local_i_start, local_no,
                                               local_o_start);
}
ptrdiff_t SEICHE_FFTW(mpi_local_size_2d)(ptrdiff_t n0, ptrdiff_t n1, MPI_Comm comm, ptrdiff_t* local_n0,
                                         ptrdiff_t* local_0_start) {
    return natural_size({n0, n1}, 1, 0, comm, local_n0, local_0_start);
}
ptrdiff_t SEICHE_FFTW(mpi_local_size_2d_transposed)(ptrdiff_t n0, ptrdiff_t n1, MPI_Comm comm, ptrdiff_t* local_n0,
                                                    ptrdiff_t* local_0_start, ptrdiff_t* local_n1,
                                                    ptrdiff_t* local_1_start) {
    return transposed_size({n0, n1}, 1, {0, 0}, comm, local_n0, local_0_start, local_n1, local_1_start);
}
ptrdiff_t SEICHE_FFTW(mpi_local_size_3d)(ptrdiff_t n0, ptrdiff_t n1, ptrdiff_t n2, MPI_Comm comm, ptrdiff_t* local_n0,
                                         ptrdiff_t* local_0_start) {
    return natural_size({n0, n1, n2}, 1, 0, comm, local_n0, local_0_start);
}
ptrdiff_t SEICHE_FFTW(mpi_local_size_3d_transposed)(ptrdiff_t n0, ptrdiff_t n1, ptrdiff_t n2, MPI_Comm comm,
                                                    ptrdiff_t* local_n0, ptrdiff_t* local_0_start, ptrdiff_t* local_n1,
                                                    ptrdiff_t* local_1_start) {
    return transposed_size({n0, n1, n2}, 1, {0, 0}, comm, local_n0, local_0_start, local_n1, local_1_start);
}

// ---- Planners

PlanPointer SEICHE_FFTW(mpi_plan_many_transpose)(ptrdiff_t n0, ptrdiff_t n1, ptrdiff_t howmany, ptrdiff_t block0,
                                                 ptrdiff_t block1, Real* in, Real* out, MPI_Comm comm, unsigned flags) {
    MpiArguments arguments = r2r({n0, n1}, in, out, comm, {}, flags);
    arguments.howmany = howmany;
    arguments.in_block = block0;
    arguments.out_block = block1;
    return make_mpi_transposition(arguments);
}
PlanPointer SEICHE_FFTW(mpi_plan_transpose)(ptrdiff_t n0, ptrdiff_t n1, Real* in, Real* out, MPI_Comm comm,
                                            unsigned flags) {
    return make_mpi_transposition(r2r({n0, n1}, in, out, comm, {}, flags));
}

PlanPointer SEICHE_FFTW(mpi_plan_many_dft)(int rank, const ptrdiff_t* n, ptrdiff_t howmany, ptrdiff_t block,
                                           ptrdiff_t tblock, Complex* in, Complex* out, MPI_Comm comm, int sign,
                                           unsigned flags) {
    return many(dft(lengths(rank, n), in, out, comm, sign, flags), howmany, block, tblock);
}
PlanPointer SEICHE_FFTW(mpi_plan_dft)(int rank, const ptrdiff_t* n, Complex* in, Complex* out, MPI_Comm comm, int sign,
                                      unsigned flags) {
    return make_mpi_plan(dft(lengths(rank, n), in, out, comm, sign, flags));
}
PlanPointer SEICHE_FFTW(mpi_plan_dft_1d)(ptrdiff_t n0, Complex* in, Complex* out, MPI_Comm comm, int sign,
                                         unsigned flags) {
    return make_mpi_plan(dft({n0}, in, out, comm, sign, flags));
}
PlanPointer SEICHE_FFTW(mpi_plan_dft_2d)(ptrdiff_t n0, ptrdiff_t n1, Complex* in, Complex* out, MPI_Comm comm, int sign,
                                         unsigned flags) {
    return make_mpi_plan(dft({n0, n1}, in, out, comm, sign, flags));
}
PlanPointer SEICHE_FFTW(mpi_plan_dft_3d)(ptrdiff_t n0, ptrdiff_t n1, ptrdiff_t n2, Complex* in, Complex* out,
                                         MPI_Comm comm, int sign, unsigned flags) {
    return make_mpi_plan(dft({n0, n1, n2}, in, out, comm, sign, flags));
}

PlanPointer SEICHE_FFTW(mpi_plan_many_r2r)(int rank, const ptrdiff_t* n, ptrdiff_t howmany, ptrdiff_t iblock,
                                           ptrdiff_t oblock, Real* in, Real* out, MPI_Comm comm, const Kind* kind,
                                           unsigned flags) {
    return many(r2r(lengths(rank, n), in, out, comm, kinds_of(rank, kind), flags), howmany, iblock, oblock);
}
PlanPointer SEICHE_FFTW(mpi_plan_r2r)(int rank, const ptrdiff_t* n, Real* in, Real* out, MPI_Comm comm,
                                      const Kind* kind, unsigned flags) {
    return make_mpi_plan(r2r(lengths(rank, n), in, out, comm, kinds_of(rank, kind), flags));
}
PlanPointer SEICHE_FFTW(mpi_plan_r2r_2d)(ptrdiff_t n0, ptrdiff_t n1, Real* in, Real* out, MPI_Comm comm, Kind kind0,
                                         Kind kind1, unsigned flags) {
    return make_mpi_plan(r2r({n0, n1}, in, out, comm, {kind0, kind1}, flags));
}
PlanPointer SEICHE_FFTW(mpi_plan_r2r_3d)(ptrdiff_t n0, ptrdiff_t n1, ptrdiff_t n2, Real* in, Real* out, MPI_Comm comm,
                                         Kind kind0, Kind kind1, Kind kind2, unsigned flags) {
    return make_mpi_plan(r2r({n0, n1, n2}, in, out, comm, {kind0, kind1, kind2}, flags));
}

PlanPointer SEICHE_FFTW(mpi_plan_many_dft_r2c)(int rank, const ptrdiff_t* n, ptrdiff_t howmany, ptrdiff_t iblock,
                                               ptrdiff_t oblock, Real* in, Complex* out, MPI_Comm comm,
                                               unsigned flags) {
    return many(r2c(lengths(rank, n), in, out, comm, flags), howmany, iblock, oblock);
}
PlanPointer SEICHE_FFTW(mpi_plan_dft_r2c)(int rank, const ptrdiff_t* n, Real* in, Complex* out, MPI_Comm comm,
                                          unsigned flags) {
    return make_mpi_plan(r2c(lengths(rank, n), in, out, comm, flags));
}
PlanPointer SEICHE_FFTW(mpi_plan_dft_r2c_2d)(ptrdiff_t n0, ptrdiff_t n1, Real* in, Complex* out, MPI_Comm comm,
                                             unsigned flags) {
    return make_mpi_plan(r2c({n0, n1}, in, out, comm, flags));
}
PlanPointer SEICHE_FFTW(mpi_plan_dft_r2c_3d)(ptrdiff_t n0, ptrdiff_t n1, ptrdiff_t n2, Real* in, Complex* out,
                                             MPI_Comm comm, unsigned flags) {
    return make_mpi_plan(r2c({n0, n1, n2}, in, out, comm, flags));
}

PlanPointer SEICHE_FFTW(mpi_plan_many_dft_c2r)(int rank, const ptrdiff_t* n, ptrdiff_t howmany, ptrdiff_t iblock,
                                               ptrdiff_t oblock, Complex* in, Real* out, MPI_Comm comm,
                                               unsigned flags) {
    return many(c2r(lengths(rank, n), in, out, comm, flags), howmany, iblock, oblock);
}
PlanPointer SEICHE_FFTW(mpi_plan_dft_c2r)(int rank, const ptrdiff_t* n, Complex* in, Real* out, MPI_Comm comm,
                                          unsigned flags) {
    return make_mpi_plan(c2r(lengths(rank, n), in, out, comm, flags));
}
PlanPointer SEICHE_FFTW(mpi_plan_dft_c2r_2d)(ptrdiff_t n0, ptrdiff_t n1, Complex* in, Real* out, MPI_Comm comm,
                                             unsigned flags) {
    return make_mpi_plan(c2r({n0, n1}, in, out, comm, flags));
}
PlanPointer SEICHE_FFTW(mpi_plan_dft_c2r_3d)(ptrdiff_t n0, ptrdiff_t n1, ptrdiff_t n2, Complex* in, Real* out,
                                             MPI_Comm comm, unsigned flags) {
    return make_mpi_plan(c2r({n0, n1, n2}, in, out, comm, flags));
}

// ---- Wisdom, which plans of one process have

void SEICHE_FFTW(mpi_broadcast_wisdom)(MPI_Comm comm) {
    std::string text = rank_of(comm) == 0 ? wisdom() : "";
    auto count = static_cast<int>(text.size());
    MPI_Bcast(&count, 1, MPI_INT, 0, comm);
    text.resize(static_cast<std::size_t>(count));
    MPI_Bcast(text.data(), count, MPI_CHAR, 0, comm);
    if (rank_of(comm) != 0) learn(text);
}
void SEICHE_FFTW(mpi_gather_wisdom)(MPI_Comm comm) {
    const std::string text = wisdom();
    const auto count = static_cast<int>(text.size());
    std::vector<int> counts(static_cast<std::size_t>(size_of(comm))), begins(counts.size());
    MPI_Gather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, 0, comm);
    for (std::size_t rank = 1; rank < counts.size(); ++rank) begins[rank] = begins[rank - 1] + counts[rank - 1];
    std::string all(static_cast<std::size_t>(begins.back() + counts.back()), '\0');
    MPI_Gatherv(text.data(), count, MPI_CHAR, all.data(), counts.data(), begins.data(), MPI_CHAR, 0, comm);
    if (rank_of(comm) != 0) return;
    for (std::size_t rank = 1; rank < counts.size(); ++rank)
        learn(all.substr(static_cast<std::size_t>(begins[rank]), static_cast<std::size_t>(counts[rank])));
}

// ---- Executions

void SEICHE_FFTW(mpi_execute_dft)(PlanPointer p, Complex* in, Complex* out) { SEICHE_FFTW(execute_dft)(p, in, out); }
void SEICHE_FFTW(mpi_execute_dft_r2c)(PlanPointer p, Real* in, Complex* out) {
    SEICHE_FFTW(execute_dft_r2c)(p, in, out);
}
void SEICHE_FFTW(mpi_execute_dft_c2r)(PlanPointer p, Complex* in, Real* out) {
    SEICHE_FFTW(execute_dft_c2r)(p, in, out);
}
void SEICHE_FFTW(mpi_execute_r2r)(PlanPointer p, Real* in, Real* out) { SEICHE_FFTW(execute_r2r)(p, in, out); }

}  // extern "C"
