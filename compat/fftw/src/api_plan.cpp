// FFTW's planners: each states its arguments in the one form.
#include <array>

#include "planner.hpp"

using namespace seiche_fftw;  // NOLINT(google-build-using-namespace): every function here is made of it

namespace {

using Kind = SEICHE_FFTW(r2r_kind);
using Dim = SEICHE_FFTW(iodim);
using Dim64 = SEICHE_FFTW(iodim64);

Real* reals(Complex* array) { return reinterpret_cast<Real*>(array); }

CommonArguments dft(Complex* in, Complex* out, int sign, unsigned flags) {
    return {Type::dft, {reals(in), nullptr, reals(out), nullptr}, sign, nullptr, flags};
}
CommonArguments r2c(Real* in, Complex* out, unsigned flags) {
    return {Type::r2c, {in, nullptr, reals(out), nullptr}, FFTW_FORWARD, nullptr, flags};
}
CommonArguments c2r(Complex* in, Real* out, unsigned flags) {
    return {Type::c2r, {reals(in), nullptr, out, nullptr}, FFTW_BACKWARD, nullptr, flags};
}
CommonArguments r2r(Real* in, Real* out, const Kind* kinds, unsigned flags) {
    return {Type::r2r, {in, nullptr, out, nullptr}, FFTW_FORWARD, kinds, flags};
}

/// Split arrays without their second part are none.
bool lacks_part(const Real* re, const Real* im) { return re != nullptr && im == nullptr; }

CommonArguments split_dft(Real* ri, Real* ii, Real* ro, Real* io, unsigned flags) {
    return {Type::dft, {ri, ii, ro, io}, FFTW_FORWARD, nullptr, flags};
}
CommonArguments split_r2c(Real* in, Real* ro, Real* io, unsigned flags) {
    return {Type::r2c, {in, nullptr, ro, io}, FFTW_FORWARD, nullptr, flags};
}
CommonArguments split_c2r(Real* ri, Real* ii, Real* out, unsigned flags) {
    return {Type::c2r, {ri, ii, out, nullptr}, FFTW_BACKWARD, nullptr, flags};
}

PlanPointer plan_many(const CommonArguments& common, const ManyArguments& many) {
    return make_plan(make_form(common, many), common.arrays);
}

template <std::size_t rank>
PlanPointer plan_fixed(const CommonArguments& common, const std::array<int, rank>& n) {
    ManyArguments many;
    many.rank = static_cast<int>(rank);
    many.n = n.data();
    return plan_many(common, many);
}

PlanPointer plan_basic(const CommonArguments& common, int rank, const int* n) {
    ManyArguments many;
    many.rank = rank;
    many.n = n;
    return plan_many(common, many);
}

template <class D>
PlanPointer plan_guru(const CommonArguments& common, int rank, const D* dims, int howmany_rank, const D* howmany) {
    return make_plan(make_form(common, rank, dims, howmany_rank, howmany), common.arrays);
}

template <class D>
PlanPointer plan_split(const CommonArguments& common, int rank, const D* dims, int howmany_rank, const D* howmany) {
    const Arrays& arrays = common.arrays;
    const bool in_lacks = common.type != Type::r2c && lacks_part(arrays.in, arrays.in_imaginary);
    const bool out_lacks = common.type != Type::c2r && lacks_part(arrays.out, arrays.out_imaginary);
    if (in_lacks || out_lacks) return make_plan(std::nullopt, arrays);
    return plan_guru(common, rank, dims, howmany_rank, howmany);
}

}  // namespace

extern "C" {

PlanPointer SEICHE_FFTW(plan_dft)(int rank, const int* n, Complex* in, Complex* out, int sign, unsigned flags) {
    return plan_basic(dft(in, out, sign, flags), rank, n);
}
PlanPointer SEICHE_FFTW(plan_dft_1d)(int n, Complex* in, Complex* out, int sign, unsigned flags) {
    return plan_fixed<1>(dft(in, out, sign, flags), {n});
}
PlanPointer SEICHE_FFTW(plan_dft_2d)(int n0, int n1, Complex* in, Complex* out, int sign, unsigned flags) {
    return plan_fixed<2>(dft(in, out, sign, flags), {n0, n1});
}
PlanPointer SEICHE_FFTW(plan_dft_3d)(int n0, int n1, int n2, Complex* in, Complex* out, int sign, unsigned flags) {
    return plan_fixed<3>(dft(in, out, sign, flags), {n0, n1, n2});
}

PlanPointer SEICHE_FFTW(plan_dft_r2c)(int rank, const int* n, Real* in, Complex* out, unsigned flags) {
    return plan_basic(r2c(in, out, flags), rank, n);
}
PlanPointer SEICHE_FFTW(plan_dft_r2c_1d)(int n, Real* in, Complex* out, unsigned flags) {
    return plan_fixed<1>(r2c(in, out, flags), {n});
}
PlanPointer SEICHE_FFTW(plan_dft_r2c_2d)(int n0, int n1, Real* in, Complex* out, unsigned flags) {
    return plan_fixed<2>(r2c(in, out, flags), {n0, n1});
}
PlanPointer SEICHE_FFTW(plan_dft_r2c_3d)(int n0, int n1, int n2, Real* in, Complex* out, unsigned flags) {
    return plan_fixed<3>(r2c(in, out, flags), {n0, n1, n2});
}

PlanPointer SEICHE_FFTW(plan_dft_c2r)(int rank, const int* n, Complex* in, Real* out, unsigned flags) {
    return plan_basic(c2r(in, out, flags), rank, n);
}
PlanPointer SEICHE_FFTW(plan_dft_c2r_1d)(int n, Complex* in, Real* out, unsigned flags) {
    return plan_fixed<1>(c2r(in, out, flags), {n});
}
PlanPointer SEICHE_FFTW(plan_dft_c2r_2d)(int n0, int n1, Complex* in, Real* out, unsigned flags) {
    return plan_fixed<2>(c2r(in, out, flags), {n0, n1});
}
PlanPointer SEICHE_FFTW(plan_dft_c2r_3d)(int n0, int n1, int n2, Complex* in, Real* out, unsigned flags) {
    return plan_fixed<3>(c2r(in, out, flags), {n0, n1, n2});
}

PlanPointer SEICHE_FFTW(plan_r2r)(int rank, const int* n, Real* in, Real* out, const Kind* kind, unsigned flags) {
    return plan_basic(r2r(in, out, kind, flags), rank, n);
}
PlanPointer SEICHE_FFTW(plan_r2r_1d)(int n, Real* in, Real* out, Kind kind, unsigned flags) {
    return plan_fixed<1>(r2r(in, out, &kind, flags), {n});
}
PlanPointer SEICHE_FFTW(plan_r2r_2d)(int n0, int n1, Real* in, Real* out, Kind kind0, Kind kind1, unsigned flags) {
    const std::array<Kind, 2> kinds = {kind0, kind1};
    return plan_fixed<2>(r2r(in, out, kinds.data(), flags), {n0, n1});
}
PlanPointer SEICHE_FFTW(plan_r2r_3d)(int n0, int n1, int n2, Real* in, Real* out, Kind kind0, Kind kind1, Kind kind2,
                                     unsigned flags) {
    const std::array<Kind, 3> kinds = {kind0, kind1, kind2};
    return plan_fixed<3>(r2r(in, out, kinds.data(), flags), {n0, n1, n2});
}

PlanPointer SEICHE_FFTW(plan_many_dft)(int rank, const int* n, int howmany, Complex* in, const int* inembed,
                                       int istride, int idist, Complex* out, const int* onembed, int ostride, int odist,
                                       int sign, unsigned flags) {
    return plan_many(dft(in, out, sign, flags), {rank, n, howmany, inembed, istride, idist, onembed, ostride, odist});
}
PlanPointer SEICHE_FFTW(plan_many_dft_r2c)(int rank, const int* n, int howmany, Real* in, const int* inembed,
                                           int istride, int idist, Complex* out, const int* onembed, int ostride,
                                           int odist, unsigned flags) {
    return plan_many(r2c(in, out, flags), {rank, n, howmany, inembed, istride, idist, onembed, ostride, odist});
}
PlanPointer SEICHE_FFTW(plan_many_dft_c2r)(int rank, const int* n, int howmany, Complex* in, const int* inembed,
                                           int istride, int idist, Real* out, const int* onembed, int ostride,
                                           int odist, unsigned flags) {
    return plan_many(c2r(in, out, flags), {rank, n, howmany, inembed, istride, idist, onembed, ostride, odist});
}
PlanPointer SEICHE_FFTW(plan_many_r2r)(int rank, const int* n, int howmany, Real* in, const int* inembed, int istride,
                                       int idist, Real* out, const int* onembed, int ostride, int odist,
                                       const Kind* kind, unsigned flags) {
    return plan_many(r2r(in, out, kind, flags), {rank, n, howmany, inembed, istride, idist, onembed, ostride, odist});
}

// The guru planners, for dimensions of int and of ptrdiff_t.
#define SEICHE_FFTW_GURU(guru, D)                                                                                      \
    PlanPointer SEICHE_FFTW(plan_##guru##_dft)(int rank, const D* dims, int howmany_rank, const D* howmany_dims,       \
                                               Complex* in, Complex* out, int sign, unsigned flags) {                  \
        return plan_guru(dft(in, out, sign, flags), rank, dims, howmany_rank, howmany_dims);                           \
    }                                                                                                                  \
    PlanPointer SEICHE_FFTW(plan_##guru##_split_dft)(int rank, const D* dims, int howmany_rank, const D* howmany_dims, \
                                                     Real* ri, Real* ii, Real* ro, Real* io, unsigned flags) {         \
        return plan_split(split_dft(ri, ii, ro, io, flags), rank, dims, howmany_rank, howmany_dims);                   \
    }                                                                                                                  \
    PlanPointer SEICHE_FFTW(plan_##guru##_dft_r2c)(int rank, const D* dims, int howmany_rank, const D* howmany_dims,   \
                                                   Real* in, Complex* out, unsigned flags) {                           \
        return plan_guru(r2c(in, out, flags), rank, dims, howmany_rank, howmany_dims);                                 \
    }                                                                                                                  \
    PlanPointer SEICHE_FFTW(plan_##guru##_split_dft_r2c)(int rank, const D* dims, int howmany_rank,                    \
                                                         const D* howmany_dims, Real* in, Real* ro, Real* io,          \
                                                         unsigned flags) {                                             \
        return plan_split(split_r2c(in, ro, io, flags), rank, dims, howmany_rank, howmany_dims);                       \
    }                                                                                                                  \
    PlanPointer SEICHE_FFTW(plan_##guru##_dft_c2r)(int rank, const D* dims, int howmany_rank, const D* howmany_dims,   \
                                                   Complex* in, Real* out, unsigned flags) {                           \
        return plan_guru(c2r(in, out, flags), rank, dims, howmany_rank, howmany_dims);                                 \
    }                                                                                                                  \
    PlanPointer SEICHE_FFTW(plan_##guru##_split_dft_c2r)(int rank, const D* dims, int howmany_rank,                    \
                                                         const D* howmany_dims, Real* ri, Real* ii, Real* out,         \
                                                         unsigned flags) {                                             \
        return plan_split(split_c2r(ri, ii, out, flags), rank, dims, howmany_rank, howmany_dims);                      \
    }                                                                                                                  \
    PlanPointer SEICHE_FFTW(plan_##guru##_r2r)(int rank, const D* dims, int howmany_rank, const D* howmany_dims,       \
                                               Real* in, Real* out, const Kind* kind, unsigned flags) {                \
        return plan_guru(r2r(in, out, kind, flags), rank, dims, howmany_rank, howmany_dims);                           \
    }

SEICHE_FFTW_GURU(guru, Dim)
SEICHE_FFTW_GURU(guru64, Dim64)

void SEICHE_FFTW(destroy_plan)(PlanPointer p) { delete p; }

}  // extern "C"
