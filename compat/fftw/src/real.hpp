// A real FFTW, loaded beside this library where one is installed: it has the same names and never meets ours.
#pragma once

#include <mutex>
#include <string>

#include "form.hpp"

namespace seiche_fftw {

/// The functions that are called; each as fftw3.h declares it.
struct RealFunctions {
// clang-format off
#define SEICHE_FFTW_REAL_FUNCTIONS(F)                                                                        \
    F(plan_guru64_dft) F(plan_guru64_split_dft) F(plan_guru64_dft_r2c) F(plan_guru64_split_dft_r2c)          \
    F(plan_guru64_dft_c2r) F(plan_guru64_split_dft_c2r) F(plan_guru64_r2r) F(execute_dft) F(execute_dft_r2c) \
    F(execute_dft_c2r) F(execute_r2r) F(execute_split_dft) F(execute_split_dft_r2c) F(execute_split_dft_c2r) \
    F(destroy_plan) F(forget_wisdom) F(cleanup) F(set_timelimit) F(export_wisdom_to_string)                  \
    F(import_wisdom_from_string) F(sprint_plan) F(flops) F(estimate_cost) F(cost) F(free)
// clang-format on
#define SEICHE_FFTW_POINTER(name) decltype(&SEICHE_FFTW(name)) name = nullptr;
    SEICHE_FFTW_REAL_FUNCTIONS(SEICHE_FFTW_POINTER)
#undef SEICHE_FFTW_POINTER
};

struct RealFftw {
    RealFunctions functions;
    std::string path, version;
    std::mutex planner;  ///< FFTW's planner is for one thread at a time.
};

/// Null where none is found. The first call looks: SEICHE_FFTW_REAL, else the folders of LD_LIBRARY_PATH and of the
/// system.
RealFftw* real_fftw();
/// The one that an earlier call of real_fftw() has found, without looking.
RealFftw* loaded_real_fftw();

/// A plan of a real FFTW for the same form; null where it has none. Its arrays may be overwritten, as FFTW's planner
/// may.
PlanPointer plan_by_real(RealFftw& real, const Form& form, const Arrays& arrays);
void execute_by_real(const RealFunctions& functions, PlanPointer plan, const Form& form, const Arrays& arrays);

}  // namespace seiche_fftw
