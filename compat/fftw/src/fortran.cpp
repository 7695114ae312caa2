// The names of FFTW's interface for Fortran 77: arguments by reference, the plan first, arrays column-major, so that
// dimensions are told in the other order. Each name twice, as gfortran and as g77 spell it.
#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "precision.hpp"

using namespace seiche_fftw;  // NOLINT(google-build-using-namespace): every function here is made of it

namespace {

using Kind = SEICHE_FFTW(r2r_kind);
using Dim = SEICHE_FFTW(iodim);

template <class T>
std::vector<T> turned(int rank, const T* list) {
    if (rank <= 0 || list == nullptr) return {};
    std::vector<T> made(list, list + rank);
    std::reverse(made.begin(), made.end());
    return made;
}

/// Kinds are integers there.
std::vector<Kind> kinds_of(int rank, const int* list) {
    std::vector<Kind> made;
    for (int i = 0; i < rank && list != nullptr; ++i) made.push_back(static_cast<Kind>(list[i]));
    return made;
}

std::vector<Kind> turned_kinds(int rank, const int* list) {
    auto made = kinds_of(rank, list);
    std::reverse(made.begin(), made.end());
    return made;
}

/// Dimensions of the guru interface come as three lists, and keep their order.
std::vector<Dim> dims_of(int rank, const int* n, const int* is, const int* os) {
    std::vector<Dim> made;
    for (int i = 0; i < rank; ++i) made.push_back({n[i], is[i], os[i]});
    return made;
}

unsigned flags_of(const int* flags) { return static_cast<unsigned>(*flags); }

using WriteChar = void (*)(const char*, void*);
using ReadChar = void (*)(int*, void*);

struct Writer {
    WriteChar function;
    void* data;
};
struct Reader {
    ReadChar function;
    void* data;
};

}  // namespace

/// A function under both names.
#define F77(name, parameters, arguments)                                                \
    static void name##_body parameters;                                                 \
    extern "C" void SEICHE_FFTW_FORTRAN(name) parameters { name##_body arguments; }     \
    extern "C" void SEICHE_FFTW_FORTRAN_G77(name) parameters { name##_body arguments; } \
    static void name##_body parameters

F77(execute, (const PlanPointer* p), (p)) { SEICHE_FFTW(execute)(*p); }
F77(destroy_plan, (const PlanPointer* p), (p)) { SEICHE_FFTW(destroy_plan)(*p); }
F77(cleanup, (), ()) { SEICHE_FFTW(cleanup)(); }
F77(forget_wisdom, (), ()) { SEICHE_FFTW(forget_wisdom)(); }
F77(print_plan, (const PlanPointer* p), (p)) { SEICHE_FFTW(print_plan)(*p); }
F77(flops, (const PlanPointer* p, double* add, double* mul, double* fma), (p, add, mul, fma)) {
    SEICHE_FFTW(flops)(*p, add, mul, fma);
}
F77(estimate_cost, (double* cost, const PlanPointer* p), (cost, p)) { *cost = SEICHE_FFTW(estimate_cost)(*p); }
F77(cost, (double* cost, const PlanPointer* p), (cost, p)) { *cost = SEICHE_FFTW(cost)(*p); }
F77(set_timelimit, (const double* seconds), (seconds)) { SEICHE_FFTW(set_timelimit)(*seconds); }
F77(init_threads, (int* is_fine), (is_fine)) { *is_fine = SEICHE_FFTW(init_threads)(); }
F77(cleanup_threads, (), ()) { SEICHE_FFTW(cleanup_threads)(); }
F77(plan_with_nthreads, (const int* threads), (threads)) { SEICHE_FFTW(plan_with_nthreads)(*threads); }
F77(planner_nthreads, (int* threads), (threads)) { *threads = SEICHE_FFTW(planner_nthreads)(); }

F77(export_wisdom, (WriteChar write_char, void* data), (write_char, data)) {
    Writer writer{write_char, data};
    const auto write = [](char c, void* to) {
        const auto* const own = static_cast<const Writer*>(to);
        own->function(&c, own->data);
    };
    SEICHE_FFTW(export_wisdom)(write, &writer);
}
F77(import_wisdom, (int* is_fine, ReadChar read_char, void* data), (is_fine, read_char, data)) {
    Reader reader{read_char, data};
    const auto read = [](void* from) {
        const auto* const own = static_cast<const Reader*>(from);
        int c = -1;
        own->function(&c, own->data);
        return c < 0 || c > 255 ? -1 : c;
    };
    *is_fine = SEICHE_FFTW(import_wisdom)(read, &reader);
}
F77(import_system_wisdom, (int* is_fine), (is_fine)) { *is_fine = SEICHE_FFTW(import_system_wisdom)(); }

F77(plan_dft,
    (PlanPointer * p, const int* rank, const int* n, Complex* in, Complex* out, const int* sign, const int* flags),
    (p, rank, n, in, out, sign, flags)) {
    *p = SEICHE_FFTW(plan_dft)(*rank, turned(*rank, n).data(), in, out, *sign, flags_of(flags));
}
F77(plan_dft_1d, (PlanPointer * p, const int* n, Complex* in, Complex* out, const int* sign, const int* flags),
    (p, n, in, out, sign, flags)) {
    *p = SEICHE_FFTW(plan_dft_1d)(*n, in, out, *sign, flags_of(flags));
}
F77(plan_dft_2d,
    (PlanPointer * p, const int* nx, const int* ny, Complex* in, Complex* out, const int* sign, const int* flags),
    (p, nx, ny, in, out, sign, flags)) {
    *p = SEICHE_FFTW(plan_dft_2d)(*ny, *nx, in, out, *sign, flags_of(flags));
}
F77(plan_dft_3d,
    (PlanPointer * p, const int* nx, const int* ny, const int* nz, Complex* in, Complex* out, const int* sign,
     const int* flags),
    (p, nx, ny, nz, in, out, sign, flags)) {
    *p = SEICHE_FFTW(plan_dft_3d)(*nz, *ny, *nx, in, out, *sign, flags_of(flags));
}

F77(plan_dft_r2c, (PlanPointer * p, const int* rank, const int* n, Real* in, Complex* out, const int* flags),
    (p, rank, n, in, out, flags)) {
    *p = SEICHE_FFTW(plan_dft_r2c)(*rank, turned(*rank, n).data(), in, out, flags_of(flags));
}
F77(plan_dft_r2c_1d, (PlanPointer * p, const int* n, Real* in, Complex* out, const int* flags),
    (p, n, in, out, flags)) {
    *p = SEICHE_FFTW(plan_dft_r2c_1d)(*n, in, out, flags_of(flags));
}
F77(plan_dft_r2c_2d, (PlanPointer * p, const int* nx, const int* ny, Real* in, Complex* out, const int* flags),
    (p, nx, ny, in, out, flags)) {
    *p = SEICHE_FFTW(plan_dft_r2c_2d)(*ny, *nx, in, out, flags_of(flags));
}
F77(plan_dft_r2c_3d,
    (PlanPointer * p, const int* nx, const int* ny, const int* nz, Real* in, Complex* out, const int* flags),
    (p, nx, ny, nz, in, out, flags)) {
    *p = SEICHE_FFTW(plan_dft_r2c_3d)(*nz, *ny, *nx, in, out, flags_of(flags));
}

F77(plan_dft_c2r, (PlanPointer * p, const int* rank, const int* n, Complex* in, Real* out, const int* flags),
    (p, rank, n, in, out, flags)) {
    *p = SEICHE_FFTW(plan_dft_c2r)(*rank, turned(*rank, n).data(), in, out, flags_of(flags));
}
F77(plan_dft_c2r_1d, (PlanPointer * p, const int* n, Complex* in, Real* out, const int* flags),
    (p, n, in, out, flags)) {
    *p = SEICHE_FFTW(plan_dft_c2r_1d)(*n, in, out, flags_of(flags));
}
F77(plan_dft_c2r_2d, (PlanPointer * p, const int* nx, const int* ny, Complex* in, Real* out, const int* flags),
    (p, nx, ny, in, out, flags)) {
    *p = SEICHE_FFTW(plan_dft_c2r_2d)(*ny, *nx, in, out, flags_of(flags));
}
F77(plan_dft_c2r_3d,
    (PlanPointer * p, const int* nx, const int* ny, const int* nz, Complex* in, Real* out, const int* flags),
    (p, nx, ny, nz, in, out, flags)) {
    *p = SEICHE_FFTW(plan_dft_c2r_3d)(*nz, *ny, *nx, in, out, flags_of(flags));
}

F77(plan_r2r, (PlanPointer * p, const int* rank, const int* n, Real* in, Real* out, const int* kind, const int* flags),
    (p, rank, n, in, out, kind, flags)) {
    *p = SEICHE_FFTW(plan_r2r)(*rank, turned(*rank, n).data(), in, out, turned_kinds(*rank, kind).data(),
                               flags_of(flags));
}
F77(plan_r2r_1d, (PlanPointer * p, const int* n, Real* in, Real* out, const int* kind, const int* flags),
    (p, n, in, out, kind, flags)) {
    *p = SEICHE_FFTW(plan_r2r_1d)(*n, in, out, static_cast<Kind>(*kind), flags_of(flags));
}
F77(plan_r2r_2d,
    (PlanPointer * p, const int* nx, const int* ny, Real* in, Real* out, const int* kindx, const int* kindy,
     const int* flags),
    (p, nx, ny, in, out, kindx, kindy, flags)) {
    *p = SEICHE_FFTW(plan_r2r_2d)(*ny, *nx, in, out, static_cast<Kind>(*kindy), static_cast<Kind>(*kindx),
                                  flags_of(flags));
}
F77(plan_r2r_3d,
    (PlanPointer * p, const int* nx, const int* ny, const int* nz, Real* in, Real* out, const int* kindx,
     const int* kindy, const int* kindz, const int* flags),
    (p, nx, ny, nz, in, out, kindx, kindy, kindz, flags)) {
    *p = SEICHE_FFTW(plan_r2r_3d)(*nz, *ny, *nx, in, out, static_cast<Kind>(*kindz), static_cast<Kind>(*kindy),
                                  static_cast<Kind>(*kindx), flags_of(flags));
}

namespace {

/// The lists of `plan_many_*` in C's order. An embedding that is not given is none there either.
struct Many {
    Many(int rank, const int* n, const int* inembed, const int* onembed)
        : n(turned(rank, n)), in(turned(rank, inembed)), out(turned(rank, onembed)) {}
    const int* in_data() const { return in.empty() ? nullptr : in.data(); }
    const int* out_data() const { return out.empty() ? nullptr : out.data(); }
    std::vector<int> n, in, out;
};

}  // namespace

F77(plan_many_dft,
    (PlanPointer * p, const int* rank, const int* n, const int* howmany, Complex* in, const int* inembed,
     const int* istride, const int* idist, Complex* out, const int* onembed, const int* ostride, const int* odist,
     const int* sign, const int* flags),
    (p, rank, n, howmany, in, inembed, istride, idist, out, onembed, ostride, odist, sign, flags)) {
    const Many many(*rank, n, inembed, onembed);
    *p = SEICHE_FFTW(plan_many_dft)(*rank, many.n.data(), *howmany, in, many.in_data(), *istride, *idist, out,
                                    many.out_data(), *ostride, *odist, *sign, flags_of(flags));
}
F77(plan_many_dft_r2c,
    (PlanPointer * p, const int* rank, const int* n, const int* howmany, Real* in, const int* inembed,
     const int* istride, const int* idist, Complex* out, const int* onembed, const int* ostride, const int* odist,
     const int* flags),
    (p, rank, n, howmany, in, inembed, istride, idist, out, onembed, ostride, odist, flags)) {
    const Many many(*rank, n, inembed, onembed);
    *p = SEICHE_FFTW(plan_many_dft_r2c)(*rank, many.n.data(), *howmany, in, many.in_data(), *istride, *idist, out,
                                        many.out_data(), *ostride, *odist, flags_of(flags));
}
F77(plan_many_dft_c2r,
    (PlanPointer * p, const int* rank, const int* n, const int* howmany, Complex* in, const int* inembed,
     const int* istride, const int* idist, Real* out, const int* onembed, const int* ostride, const int* odist,
     const int* flags),
    (p, rank, n, howmany, in, inembed, istride, idist, out, onembed, ostride, odist, flags)) {
    const Many many(*rank, n, inembed, onembed);
    *p = SEICHE_FFTW(plan_many_dft_c2r)(*rank, many.n.data(), *howmany, in, many.in_data(), *istride, *idist, out,
                                        many.out_data(), *ostride, *odist, flags_of(flags));
}
F77(plan_many_r2r,
    (PlanPointer * p, const int* rank, const int* n, const int* howmany, Real* in, const int* inembed,
     const int* istride, const int* idist, Real* out, const int* onembed, const int* ostride, const int* odist,
     const int* kind, const int* flags),
    (p, rank, n, howmany, in, inembed, istride, idist, out, onembed, ostride, odist, kind, flags)) {
    const Many many(*rank, n, inembed, onembed);
    *p = SEICHE_FFTW(plan_many_r2r)(*rank, many.n.data(), *howmany, in, many.in_data(), *istride, *idist, out,
                                    many.out_data(), *ostride, *odist, turned_kinds(*rank, kind).data(),
                                    flags_of(flags));
}

#define DIMS                                                                                              \
    const int *rank, const int *n, const int *is, const int *os, const int *howmany_rank, const int *h_n, \
        const int *h_is, const int *h_os
#define DIM_NAMES rank, n, is, os, howmany_rank, h_n, h_is, h_os
#define DIM_LISTS *rank, dims_of(*rank, n, is, os).data(), *howmany_rank, dims_of(*howmany_rank, h_n, h_is, h_os).data()

F77(plan_guru_dft, (PlanPointer * p, DIMS, Complex* in, Complex* out, const int* sign, const int* flags),
    (p, DIM_NAMES, in, out, sign, flags)) {
    *p = SEICHE_FFTW(plan_guru_dft)(DIM_LISTS, in, out, *sign, flags_of(flags));
}
F77(plan_guru_split_dft, (PlanPointer * p, DIMS, Real* ri, Real* ii, Real* ro, Real* io, const int* flags),
    (p, DIM_NAMES, ri, ii, ro, io, flags)) {
    *p = SEICHE_FFTW(plan_guru_split_dft)(DIM_LISTS, ri, ii, ro, io, flags_of(flags));
}
F77(plan_guru_dft_r2c, (PlanPointer * p, DIMS, Real* in, Complex* out, const int* flags),
    (p, DIM_NAMES, in, out, flags)) {
    *p = SEICHE_FFTW(plan_guru_dft_r2c)(DIM_LISTS, in, out, flags_of(flags));
}
F77(plan_guru_split_dft_r2c, (PlanPointer * p, DIMS, Real* in, Real* ro, Real* io, const int* flags),
    (p, DIM_NAMES, in, ro, io, flags)) {
    *p = SEICHE_FFTW(plan_guru_split_dft_r2c)(DIM_LISTS, in, ro, io, flags_of(flags));
}
F77(plan_guru_dft_c2r, (PlanPointer * p, DIMS, Complex* in, Real* out, const int* flags),
    (p, DIM_NAMES, in, out, flags)) {
    *p = SEICHE_FFTW(plan_guru_dft_c2r)(DIM_LISTS, in, out, flags_of(flags));
}
F77(plan_guru_split_dft_c2r, (PlanPointer * p, DIMS, Real* ri, Real* ii, Real* out, const int* flags),
    (p, DIM_NAMES, ri, ii, out, flags)) {
    *p = SEICHE_FFTW(plan_guru_split_dft_c2r)(DIM_LISTS, ri, ii, out, flags_of(flags));
}
F77(plan_guru_r2r, (PlanPointer * p, DIMS, Real* in, Real* out, const int* kind, const int* flags),
    (p, DIM_NAMES, in, out, kind, flags)) {
    *p = SEICHE_FFTW(plan_guru_r2r)(DIM_LISTS, in, out, kinds_of(*rank, kind).data(), flags_of(flags));
}

F77(execute_dft, (const PlanPointer* p, Complex* in, Complex* out), (p, in, out)) {
    SEICHE_FFTW(execute_dft)(*p, in, out);
}
F77(execute_dft_r2c, (const PlanPointer* p, Real* in, Complex* out), (p, in, out)) {
    SEICHE_FFTW(execute_dft_r2c)(*p, in, out);
}
F77(execute_dft_c2r, (const PlanPointer* p, Complex* in, Real* out), (p, in, out)) {
    SEICHE_FFTW(execute_dft_c2r)(*p, in, out);
}
F77(execute_r2r, (const PlanPointer* p, Real* in, Real* out), (p, in, out)) { SEICHE_FFTW(execute_r2r)(*p, in, out); }
F77(execute_split_dft, (const PlanPointer* p, Real* ri, Real* ii, Real* ro, Real* io), (p, ri, ii, ro, io)) {
    SEICHE_FFTW(execute_split_dft)(*p, ri, ii, ro, io);
}
F77(execute_split_dft_r2c, (const PlanPointer* p, Real* in, Real* ro, Real* io), (p, in, ro, io)) {
    SEICHE_FFTW(execute_split_dft_r2c)(*p, in, ro, io);
}
F77(execute_split_dft_c2r, (const PlanPointer* p, Real* ri, Real* ii, Real* out), (p, ri, ii, out)) {
    SEICHE_FFTW(execute_split_dft_c2r)(*p, ri, ii, out);
}
