// Plans: a form, the arrays it was planned with, and what executes it.
#pragma once

#include <memory>
#include <optional>

#include "executor.hpp"
#include "form.hpp"

/// The type behind FFTW's plan pointer.
struct SEICHE_FFTW(plan_s) {
    seiche_fftw::Form form;
    seiche_fftw::Arrays arrays;  ///< As they were given.
    std::unique_ptr<const seiche_fftw::Executor> executor;
};

namespace seiche_fftw {

/// Null where FFTW's planner returns a null pointer, and where no device can do it; SEICHE_FFTW_LOG says why. Throws
/// nothing.
PlanPointer make_plan(const std::optional<Form>& form, const Arrays& arrays);

/// Executes with other arrays than the plan's; nothing without a plan.
void execute(const SEICHE_FFTW(plan_s) * plan, const Arrays& arrays);

/// Of plans to come: threads of each, and seconds that measuring one may take (below 0: any).
void set_planner_threads(int threads);
int planner_threads();
void set_time_limit(double seconds);

}  // namespace seiche_fftw
