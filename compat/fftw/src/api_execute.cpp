// FFTW's execution functions.
#include "planner.hpp"

using namespace seiche_fftw;  // NOLINT(google-build-using-namespace): every function here is made of it

namespace {

Real* reals(Complex* array) { return reinterpret_cast<Real*>(array); }

/// Interleaved arrays for a plan whose parts were given apart, which FFTW lets callers do, and for one whose were not.
Real* second(Complex* array) { return reals(array) + 1; }

}  // namespace

extern "C" {

void SEICHE_FFTW(execute)(const PlanPointer p) {
    if (p == nullptr) return execute(nullptr, {});
    execute(p, p->arrays);
}
void SEICHE_FFTW(execute_dft)(const PlanPointer p, Complex* in, Complex* out) {
    execute(p, {reals(in), second(in), reals(out), second(out)});
}
void SEICHE_FFTW(execute_dft_r2c)(const PlanPointer p, Real* in, Complex* out) {
    execute(p, {in, nullptr, reals(out), second(out)});
}
void SEICHE_FFTW(execute_dft_c2r)(const PlanPointer p, Complex* in, Real* out) {
    execute(p, {reals(in), second(in), out, nullptr});
}
void SEICHE_FFTW(execute_r2r)(const PlanPointer p, Real* in, Real* out) { execute(p, {in, nullptr, out, nullptr}); }
void SEICHE_FFTW(execute_split_dft)(const PlanPointer p, Real* ri, Real* ii, Real* ro, Real* io) {
    execute(p, {ri, ii, ro, io});
}
void SEICHE_FFTW(execute_split_dft_r2c)(const PlanPointer p, Real* in, Real* ro, Real* io) {
    execute(p, {in, nullptr, ro, io});
}
void SEICHE_FFTW(execute_split_dft_c2r)(const PlanPointer p, Real* ri, Real* ii, Real* out) {
    execute(p, {ri, ii, out, nullptr});
}

}  // extern "C"
