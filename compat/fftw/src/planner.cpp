// Which executor a form gets. Safe from any number of threads at once.
#include "planner.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>
#include <string>
#include <utility>

#include "devices.hpp"
#include "seiche/error.hpp"
#include "seiche/wisdom.hpp"
#include "settings.hpp"
#include "translate.hpp"
#include "wisdom.hpp"

namespace seiche_fftw {

namespace {

std::atomic<int> threads_of_plans{1};
std::atomic<double> time_limit{FFTW_NO_TIMELIMIT};

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The least of some executions: at least two, then until a millisecond has passed.
double measured_seconds(const Executor& executor, const Arrays& arrays) {
    constexpr int least_runs = 2, most_runs = 20;
    constexpr double long_enough = 1e-3;
    double least = std::numeric_limits<double>::infinity(), all = 0;
    for (int run = 0; run < most_runs && (run < least_runs || all < long_enough); ++run) {
        const auto start = std::chrono::steady_clock::now();
        executor.run(arrays);
        const double seconds = seconds_since(start);
        least = std::min(least, seconds);
        all += seconds;
    }
    return least;
}

/// FFTW_PATIENT and FFTW_EXHAUSTIVE: the fastest tuning on the caller's arrays, which FFTW's planner overwrites too.
std::string measured_tuning(const Form& form, const seiche::Device& device, Effort effort, const Arrays& arrays) {
    constexpr std::size_t patient_candidates = 6;
    const auto direct = direct_problem(form);
    const seiche::Problem problem = direct ? direct->problem : dense_problem(form).problem;
    const auto start = std::chrono::steady_clock::now();
    const double limit = time_limit.load();
    auto candidates = seiche::candidate_tunings(problem, device.limits());
    if (effort == Effort::patient && candidates.size() > patient_candidates) candidates.resize(patient_candidates);
    double least = std::numeric_limits<double>::infinity();
    seiche::Tuning best;
    for (const seiche::Tuning& tuning : candidates) {
        if (limit >= 0 && seconds_since(start) >= limit) break;
        try {
            const auto executor = make_own(form, device, tuning);
            const double seconds = measured_seconds(*executor, arrays);
            if (seconds < least) {
                least = seconds;
                best = tuning;
            }
        } catch (const seiche::Error& error) {
            log_line(2, std::string("a tuning was passed over: ") + error.what());
        }
    }
    return to_string(best);
}

bool has_arrays(const Form& form, const Arrays& arrays) {
    return arrays.in != nullptr && arrays.out != nullptr &&
           (form.in != Side::split || arrays.in_imaginary != nullptr) &&
           (form.out != Side::split || arrays.out_imaginary != nullptr);
}

/// What wisdom says, else what the flags let it measure, for a plan of this library's own.
std::string tuning_for(const Form& form, const seiche::Device& device, const Arrays& arrays) {
    const Effort effort = effort_of(form.flags);
    if (const auto known = Wisdom::of_process().find(form.text(), effort))
        return known->device == device.info().description ? known->tuning : "";
    if (effort < Effort::patient || (form.flags & FFTW_WISDOM_ONLY) != 0 || !has_arrays(form, arrays)) return "";
    return measured_tuning(form, device, effort, arrays);
}

std::unique_ptr<Executor> make_own_or_real(const Form& form, const seiche::Device& device, const Arrays& arrays) {
    try {
        const std::string tuning = tuning_for(form, device, arrays);
        auto executor = make_own(form, device, seiche::parse_tuning(tuning));
        Wisdom::of_process().set(form.text(), {effort_of(form.flags), device.info().description, tuning});
        return executor;
    } catch (const seiche::Error& error) {
        log_line(1, form.text() + ": " + error.what());
        return make_real(form, arrays);
    }
}

std::unique_ptr<Executor> make_executor(const Form& form, const Arrays& arrays) {
    if (form.points() == 0 || form.dims.empty()) {
        count(Count::copied);
        return make_copy(form);
    }
    const Effort effort = effort_of(form.flags);
    if ((form.flags & FFTW_WISDOM_ONLY) != 0 && !Wisdom::of_process().find(form.text(), effort)) return nullptr;
    Choice choice;
    try {
        choice = choose_device(form.points());
    } catch (const seiche::Error& error) {
        log_line(1, error.what());
        return make_real(form, arrays);
    }
    if (choice.is_for_real)
        if (auto executor = make_real(form, arrays)) {
            Wisdom::of_process().set(form.text(), {effort, "", ""});
            return executor;
        }
    return make_own_or_real(form, choice.device, arrays);
}

PlanPointer refused(const std::string& why) {
    count(Count::refused);
    log_line(1, "no plan: " + why);
    return nullptr;
}

}  // namespace

PlanPointer make_plan(const std::optional<Form>& form, const Arrays& arrays) {
    try {
        if (!form) return refused("a rank, length, stride or kind that none can have");
        auto plan = std::make_unique<SEICHE_FFTW(plan_s)>();
        plan->form = *form;
        plan->form.threads = planner_threads();
        plan->arrays = arrays;
        plan->executor = make_executor(plan->form, plan->form.arranged(arrays));
        if (!plan->executor) return refused(form->text());
        if (settings().log >= 2) log_line(2, form->text() + ": " + plan->executor->text());
        return plan.release();
    } catch (const std::exception& error) {
        return refused(error.what());
    }
}

void execute(const SEICHE_FFTW(plan_s) * plan, const Arrays& arrays) {
    if (plan == nullptr) return log_line(1, "an execution without a plan does nothing");
    count(Count::executions);
    plan->executor->run(plan->form.arranged(arrays));
}

void set_planner_threads(int threads) { threads_of_plans.store(std::max(threads, 1)); }

int planner_threads() { return threads_of_plans.load(); }

void set_time_limit(double seconds) { time_limit.store(seconds); }

}  // namespace seiche_fftw
