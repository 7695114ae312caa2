// The report of `seiche check`: errors by class of problem, and the failures with what replays them.
#include "cli/check/check_results.hpp"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/check/random_problems.hpp"
#include "cli/text/text.hpp"
#include "seiche/wisdom.hpp"

namespace seiche::cli {
namespace {

std::string precision_name(const Problem& problem) {
    const std::string storage = problem.storage == Storage::same ? "" : to_string(problem.storage);
    if (problem.precision != Precision::f32)
        return to_string(problem.precision) + (storage.empty() ? "" : " on " + storage);
    return storage.empty() ? "f32" : storage;
}

/// What is wrong with it, in one line; empty where nothing is.
std::string fault_of(const CheckResults::Entry& entry) {
    if (!entry.accuracy) return one_line(entry.error.empty() ? "no answer" : entry.error);
    const Accuracy& accuracy = *entry.accuracy;
    if (accuracy.good()) return {};
    return one_line(!accuracy.fault.empty() ? accuracy.fault
                                            : "error " + significant(accuracy.units, 3) + " units, expected at most " +
                                                  fixed(accuracy.bound, 1));
}

}  // namespace

CheckResults::Entry CheckResults::entry_of(const CheckTask& task) {
    const Tuning& tuning = task.how.tuning;
    std::string options;
    if (!tuning.recipe.empty()) options += " --recipe " + tuning.recipe;
    if (tuning.twiddles != TwiddleMethod::any) {
        Tuning method;
        method.twiddles = tuning.twiddles;
        const std::string word = to_string(method);  // "twiddles=native"
        options += " --twiddles " + word.substr(word.find('=') + 1);
    }
    return {class_of(task.problem),
            precision_name(task.problem),
            to_string(task.problem),
            task.accuracy,
            task.error,
            task.how.seed,
            options};
}

void CheckResults::add(const CheckTask& task) { add(entry_of(task)); }
void CheckResults::say(const CheckTask& task, bool is_asked) const { say(entry_of(task), is_asked); }

std::string CheckResults::failure_text(const Entry& entry, const std::string& reason) const {
    return "FAILED  " + entry.text + ": " + reason + "\n        replay: seiche check '" + entry.text + "' --seed " +
           std::to_string(entry.seed) + entry.options + " --device " + device_ + "\n";
}

void CheckResults::say(const Entry& entry, bool is_asked) const {
    if (json_) return;
    const std::string reason = fault_of(entry);
    if (!reason.empty())
        cli::print(failure_text(entry, reason));
    else if (is_asked)
        cli::print("right   " + entry.text + ": error " + significant(entry.accuracy->units, 3) + " units, at most " +
                   fixed(entry.accuracy->bound, 1) + "\n");
    std::fflush(stdout);  // whoever reads it waits
}

void CheckResults::add(const Entry& entry) {
    Line& line = lines_[{entry.kind, entry.precision}];
    const std::string& text = entry.text;
    ++line.problems;
    if (entry.accuracy) {
        const Accuracy& accuracy = *entry.accuracy;
        ++line.measured;
        line.sum += accuracy.units;
        if (line.measured == 1 || !(accuracy.units / accuracy.bound <= line.worst / line.bound)) {
            line.worst = accuracy.units;
            line.bound = accuracy.bound;
            line.worst_problem = text;
        }
    }
    const std::string reason = fault_of(entry);
    if (reason.empty()) return;
    ++line.failures;
    failures_.push_back(
        {text, reason,
         "seiche check '" + text + "' --seed " + std::to_string(entry.seed) + entry.options + " --device " + device_});
}

std::string CheckResults::text() const {
    std::string text = "class                       problems  failed   mean units  worst units  bound  worst problem\n";
    for (const auto& [key, line] : lines_) {
        char row[128];
        std::snprintf(row, sizeof row, "%-23s %s %9llu %7llu %12.3f %12.3f %6.1f  ", key.first.c_str(),
                      key.second.c_str(), static_cast<unsigned long long>(line.problems),
                      static_cast<unsigned long long>(line.failures), line.mean(), line.worst, line.bound);
        text += row + line.worst_problem + "\n";
    }
    return text +
           "1 unit = u sqrt(log2 N), u = 2^-24 (f32), 2^-53 (f64), 2^-104 (f64x2) or 2^-11 (f16-arithmetic); relative "
           "L2 error, rms over "
           "transforms\n";
}

void CheckResults::print_as_json(Json head) const {
    Json classes = Json::array(), failures = Json::array();
    for (const auto& [key, line] : lines_) {
        classes.push_back({{"class", key.first},
                           {"precision", key.second},
                           {"problems", line.problems},
                           {"failures", line.failures},
                           {"mean_units", line.mean()},
                           {"worst_units", line.worst},
                           {"bound_units", line.bound},
                           {"worst_problem", line.worst_problem}});
    }
    for (const Failed& failed : failures_) {
        failures.push_back({{"problem", failed.problem}, {"reason", failed.reason}, {"replay", failed.replay}});
    }
    head["device"] = device_;
    head["classes"] = classes;
    head["failures"] = failures;
    print_json(head);
}

void CheckResults::print(Json head) const {
    if (json_)
        print_as_json(std::move(head));
    else
        cli::print(text());
}

}  // namespace seiche::cli
