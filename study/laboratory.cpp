// Where the study measures.
#include "study/laboratory.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <new>
#include <numeric>

#include "cli/command/report.hpp"
#include "cli/measure/spread.hpp"
#include "cli/measure/timed_plan.hpp"
#include "cli/system/system.hpp"
#include "cli/text/text.hpp"
#include "seiche/error.hpp"

namespace seiche::study {
namespace {

using cli::now_seconds;

struct Sampled {
    double median = 0, mean = 0;
};

/// Runs of about a millisecond each, so that the clock's own cost is small: at least three of them, until the time is
/// over.
Sampled sample(const std::function<double(unsigned)>& run, double seconds, bool wakes) {
    constexpr double enough_milliseconds = 1.0, waking_seconds = 0.2;
    constexpr unsigned least = 3, most = 25, most_in_a_row = 100;
    const double start = now_seconds();
    run(1);  // what a driver leaves to the first run
    double once = run(1);
    while (wakes && now_seconds() - start < waking_seconds) once = run(16);  // an idle card has a lower clock
    const auto count = static_cast<unsigned>(
        once > 0 ? std::clamp(std::ceil(enough_milliseconds / once), 1.0, double{most_in_a_row}) : most_in_a_row);
    std::vector<double> samples;
    const double begun = now_seconds();
    while (samples.size() < least || (samples.size() < most && now_seconds() - begun < seconds))
        samples.push_back(run(count));
    const double sum = std::accumulate(samples.begin(), samples.end(), 0.0);
    return {cli::spread_of(samples).median, sum / static_cast<double>(samples.size())};
}

/// What the units of the accuracy contract are of one problem.
double unit_of(const Problem& problem) {
    double points = 1;
    for (const std::uint64_t n : problem.lengths) points *= static_cast<double>(n);
    return std::ldexp(std::sqrt(std::log2(std::max(points, 2.0))), problem.precision == Precision::f32 ? -24 : -53);
}

Outcome without(const std::string& words, Look look = Look::missing) {
    Outcome outcome;
    outcome.look = look;
    outcome.words = cli::one_line(words);
    return outcome;
}

}  // namespace

Trial recipe(const std::string& name, TwiddleMethod twiddles) {
    Trial trial{name, {}, ""};
    trial.tuning.recipe = name;
    trial.tuning.twiddles = twiddles;
    return trial;
}

Trial automatic() { return {"Seiche", {}, ""}; }
Trial library(const std::string& name) { return {name, {}, name}; }

Laboratory::Laboratory(const Device& device, Protocol protocol)
    : device_(device), protocol_(std::move(protocol)), terminal_(cli::is_terminal_stderr()) {}

bool Laboratory::has_images() const {
    try {
        return static_cast<bool>(Plan(device_, parse_problem("2x2 image=rg32f")));
    } catch (const Unsupported&) {
        return false;
    }
}

std::vector<std::uint64_t> Laboratory::lengths(const std::vector<std::uint64_t>& full,
                                               const std::vector<std::uint64_t>& quick) const {
    if (!protocol_.lengths.empty()) return protocol_.lengths;
    return protocol_.is_quick ? quick : full;
}

double Laboratory::seconds_of_sampling() const {
    if (!protocol_.lengths.empty()) return 0.01;
    return protocol_.is_quick ? 0.05 : 0.2;
}

std::string Laboratory::fault_of(const cli::Accuracy& accuracy, const Problem& problem, const std::string& name) {
    if (accuracy.good()) return "";
    const std::string fault = !accuracy.fault.empty() ? accuracy.fault
                                                      : "error " + cli::significant(accuracy.units, 3) +
                                                            " units, expected at most " + cli::fixed(accuracy.bound, 1);
    wrong_.push_back(to_string(problem) + ", " + name + ": " + fault);
    return "wrong: " + fault;
}

Tuning Laboratory::tuning_of(const Trial& trial) const {
    Tuning tuning = trial.tuning;
    if (!tuning.recipe.empty() && tuning.twiddles == TwiddleMethod::any) tuning.twiddles = protocol_.twiddles;
    return tuning;
}

void Laboratory::adopt_faults_of(const Laboratory& other) {
    wrong_.insert(wrong_.end(), other.wrong_.begin(), other.wrong_.end());
}

Outcome Laboratory::measure_plan(const Problem& problem, const Trial& trial, bool inverse) {
    cli::TimedPlan plan(device_, problem, tuning_of(trial), {.inverse = inverse});
    const cli::Accuracy accuracy = plan.verify(1);
    if (const std::string fault = fault_of(accuracy, problem, trial.name); !fault.empty())
        return without(fault, Look::wrong);
    const Sampled times =
        sample([&](unsigned count) { return plan.run(count); }, seconds_of_sampling(), is_gpu() && !protocol_.is_quick);
    Outcome outcome;
    outcome.milliseconds = times.median;
    outcome.mean_ms = times.mean;
    outcome.error = accuracy.units * unit_of(problem);
    if (trial.is_automatic()) outcome.look = Look::automatic;
    return outcome;
}

Outcome Laboratory::measure_peer(const Problem& problem, const Trial& trial) {
    cli::Peer peer(programs_, trial.peer, problem, device_.info());
    peer.verify();
    const Sampled times =
        sample([&](unsigned count) { return peer.run(count); }, seconds_of_sampling(), is_gpu() && !protocol_.is_quick);
    Outcome outcome;
    outcome.milliseconds = times.median;
    outcome.mean_ms = times.mean;
    return outcome;
}

Outcome Laboratory::measure(const Problem& problem, const Trial& trial, bool has_inverse) {
    step(to_string(problem) + ", " + trial.name);
    try {
        if (!trial.peer.empty()) return measure_peer(problem, trial);
        Outcome outcome = measure_plan(problem, trial, false);
        if (!has_inverse || !outcome.is_good()) return outcome;
        const Outcome back = measure_plan(problem, trial, true);
        if (!back.is_good()) return back;
        outcome.inverse_ms = back.milliseconds;
        outcome.error = std::max(outcome.error, back.error);
        return outcome;
    } catch (const Unsupported& reason) {
        return without(reason.what());
    } catch (const BackendError& reason) {  // memory, mostly
        return without(reason.what());
    } catch (const cli::Failure& reason) {  // a library that isn't there
        return without(reason.what());
    } catch (const std::bad_alloc&) {
        return without("not enough host memory");
    }
}

Laboratory::Judged Laboratory::precision_of(const Problem& problem) {
    const Trial trial = automatic();
    step(to_string(problem) + ", precision");
    try {
        cli::TimedPlan plan(device_, problem, trial.tuning);
        const cli::Accuracy accuracy = plan.verify(1);
        if (std::string fault = fault_of(accuracy, problem, trial.name); !fault.empty()) return {{}, std::move(fault)};
        return {accuracy.units * unit_of(problem), ""};
    } catch (const Unsupported& reason) {
        return {{}, cli::one_line(reason.what())};
    } catch (const BackendError& reason) {  // memory, mostly
        return {{}, cli::one_line(reason.what())};
    }
}

void Laboratory::compare(const Row& row, const std::vector<Trial>& trials, const std::vector<Outcome>& outcomes) {
    double own = 0, best = 0;
    std::string name;
    for (std::size_t i = 0; i < trials.size(); ++i) {
        if (!outcomes[i].is_good()) continue;
        const double time = outcomes[i].milliseconds + outcomes[i].inverse_ms;
        if (trials[i].is_automatic()) own = time;
        if (!trials[i].tuning.recipe.empty() && (best == 0 || time < best)) best = time, name = trials[i].name;
    }
    for (std::size_t i = 0; i < trials.size(); ++i)
        if (own > 0 && outcomes[i].is_good() && !trials[i].tuning.recipe.empty())
            races_.push_back({key_, trials[i].name, (outcomes[i].milliseconds + outcomes[i].inverse_ms) / own});
    if (own > 0 && best > 0) leads_.push_back({to_string(row.problem), name, best / own});
}

Grid Laboratory::measure_all(std::vector<Row> rows, std::vector<Trial> trials, bool has_inverse) {
    Grid grid{std::move(rows), std::move(trials), {}};
    for (const Row& row : grid.rows) {
        std::vector<Outcome> outcomes;
        for (const Trial& trial : grid.trials) outcomes.push_back(measure(row.problem, trial, has_inverse));
        compare(row, grid.trials, outcomes);
        grid.outcomes.push_back(std::move(outcomes));
    }
    return grid;
}

void Laboratory::begin(const std::string& key) {
    key_ = key;
    started_ = told_ = now_seconds();
}

double Laboratory::end() {
    progress_.reset();
    const double seconds = now_seconds() - started_;
    cli::note(key_ + " took " + cli::fixed(seconds, 1) + " s");
    return seconds;
}

void Laboratory::step(const std::string& what) {
    constexpr double seconds_between = 10;
    if (terminal_) {
        progress_.reset();
        progress_.emplace(key_ + ", " + what);
        return;
    }
    const double now = now_seconds();
    if (now - told_ < seconds_between) return;
    told_ = now;
    cli::note(key_ + ", after " + cli::fixed(now - started_, 0) + " s: " + what);
}

}  // namespace seiche::study
