// Which executor a form gets. Safe from any number of threads at once.
#include "planner.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

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

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// What measuring one plan may cost.
struct Allowance {
    std::size_t most_tunings;
    double seconds;
};

Allowance allowed(Effort effort) {
    constexpr double measure_seconds = 0.1;
    const double limit = time_limit.load();
    const double seconds = limit < 0 ? std::numeric_limits<double>::infinity() : limit;
    if (effort == Effort::measure) return {4, std::min(seconds, measure_seconds)};
    return {effort == Effort::patient ? std::size_t{8} : std::numeric_limits<std::size_t>::max(), seconds};
}

/// The least of some executions: for some milliseconds, or until the limit.
double measured_seconds(const Executor& executor, const Arrays& arrays, Clock::time_point start, double limit) {
    constexpr int least_runs = 2;
    constexpr double long_enough = 4e-3;
    double least = std::numeric_limits<double>::infinity(), all = 0;
    for (int run = 0; run < least_runs || all < long_enough; ++run) {
        const auto begin = Clock::now();
        executor.run(arrays);
        const double seconds = seconds_since(begin);
        least = std::min(least, seconds);
        all += seconds;
        if (seconds_since(start) >= limit) break;
    }
    return least;
}

/// Finding what is worth measuring takes milliseconds, and programs plan the same problem again and again.
std::vector<seiche::Tuning> known_candidates(const seiche::Problem& problem, const seiche::Device& device) {
    static auto* const mutex = new std::mutex;
    static auto* const known = new std::unordered_map<std::string, std::vector<seiche::Tuning>>;
    const std::string key = device.info().name + " " + to_string(problem);
    {
        const std::lock_guard lock(*mutex);
        if (const auto found = known->find(key); found != known->end()) return found->second;
    }
    auto candidates = seiche::candidate_tunings(problem, device.limits());
    const std::lock_guard lock(*mutex);
    return known->try_emplace(key, std::move(candidates)).first->second;
}

std::vector<seiche::Tuning> candidates_of(const Form& form, const seiche::Device& device) {
    if (has_host_memory(device))
        if (const auto direct = direct_problem(form)) {
            try {
                return known_candidates(direct->problem, device);
            } catch (const seiche::Error&) {  // what the library does not take as it lies goes by way of dense arrays
            }
        }
    return known_candidates(dense_problem(form).problem, device);
}

/// The fastest tuning on the caller's arrays, which FFTW's planner overwrites too. The cost model's own, an empty text,
/// unless another is faster by more than what measuring is uncertain by.
std::string measured_tuning(const Form& form, const seiche::Device& device, Effort effort, const Arrays& arrays) {
    constexpr double clearly = 0.95;
    const auto start = Clock::now();
    const Allowance may = allowed(effort);
    if (may.seconds <= 0) return "";
    const auto candidates = candidates_of(form, device);
    double own = 0, least = std::numeric_limits<double>::infinity();
    std::string best;
    for (std::size_t i = 0; i < candidates.size() && i < may.most_tunings && seconds_since(start) < may.seconds; ++i) {
        try {
            const auto executor = make_own(form, device, candidates[i]);
            const double seconds = measured_seconds(*executor, arrays, start, may.seconds);
            if (i == 0) own = seconds;
            if (i != 0 && seconds < std::min(least, clearly * own)) {
                least = seconds;
                best = to_string(candidates[i]);
            }
        } catch (const seiche::Error& error) {
            log_line(2, std::string("a tuning was passed over: ") + error.what());
        }
    }
    return best;
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
    if (effort == Effort::estimate || (form.flags & FFTW_WISDOM_ONLY) != 0 || !has_arrays(form, arrays)) return "";
    return measured_tuning(form, device, effort, arrays);
}

/// With a tuning where there is one. One that another version or another problem was measured with may not fit.
std::unique_ptr<Executor> make_tuned(const Form& form, const seiche::Device& device, std::string& tuning) {
    if (!tuning.empty()) {
        try {
            return make_own(form, device, seiche::parse_tuning(tuning));
        } catch (const seiche::Error& error) {
            log_line(1, form.text() + ", " + tuning + ": " + error.what());
            tuning.clear();
        }
    }
    return make_own(form, device, {});
}

std::unique_ptr<Executor> make_own_or_real(const Form& form, const seiche::Device& device, const Arrays& arrays) {
    try {
        std::string tuning = tuning_for(form, device, arrays);
        auto executor = make_tuned(form, device, tuning);
        Wisdom::of_process().set(form.text(), {effort_of(form.flags), device.info().description, tuning});
        return executor;
    } catch (const seiche::Error& error) {
        log_line(1, form.text() + ": " + error.what());
        return make_real(form, arrays);
    }
}

std::unique_ptr<Executor> make_executor(const Form& form, const Arrays& arrays) {
    if (form.points() == 0 || form.dims.empty()) return make_copy(form);
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
        count(plan->executor->way());
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
