// `seiche check`: random problems, given ones, or every length of a range against a reference in extended precision.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <functional>
#include <locale>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <sstream>

#include "cli/commands.hpp"
#include "cli/in_parallel.hpp"
#include "cli/random_problems.hpp"
#include "cli/report.hpp"
#include "cli/text.hpp"
#include "cli/verify.hpp"
#include "seiche/error.hpp"

namespace seiche::cli {
namespace {

struct CheckOptions {
    std::vector<std::string> problems;
    std::uint64_t count = 100, seed = 1, points = 0;
    std::string device, resume;
    std::vector<std::uint64_t> sweep;
    std::size_t jobs = 0;
    bool json = false;
};

/// One problem to check, and what came of it.
struct Task {
    Problem problem;
    VerifyOptions how;
    std::optional<Accuracy> accuracy;
    std::string error;  // where there is no accuracy
};

std::string precision_name(const Problem& problem) {
    const std::string storage = problem.storage == Storage::same ? "" : to_string(problem.storage);
    if (problem.precision == Precision::f64) return storage.empty() ? "f64" : "f64 on " + storage;
    return storage.empty() ? "f32" : storage;
}

/// What is known of one class of problems in one precision.
struct Line {
    std::uint64_t problems = 0, measured = 0, failures = 0;
    double worst = 0, sum = 0, bound = 0;
    std::string worst_problem;
};

struct Failed {
    std::string problem, reason, replay;
};

/// Results by class and precision, and the failures with what replays them.
class Results {
public:
    Results(std::string device, bool json) : device_(std::move(device)), json_(json) {}

    void add(const Task& task) {
        Line& line = lines_[{class_of(task.problem), precision_name(task.problem)}];
        const std::string text = to_string(task.problem);
        ++line.problems;
        std::string reason = task.error;
        if (task.accuracy) {
            const Accuracy& accuracy = *task.accuracy;
            ++line.measured;
            line.sum += accuracy.units;
            if (line.measured == 1 || !(accuracy.units / accuracy.bound <= line.worst / line.bound)) {
                line.worst = accuracy.units;
                line.bound = accuracy.bound;
                line.worst_problem = text;
            }
            if (accuracy.good()) return;
            reason = !accuracy.fault.empty() ? accuracy.fault
                                             : "error " + significant(accuracy.units, 3) + " units, expected at most " +
                                                   fixed(accuracy.bound, 1);
        }
        ++line.failures;
        failures_.push_back(
            {text, one_line(reason),
             "seiche check '" + text + "' --seed " + std::to_string(task.how.seed) + " --device " + device_});
    }
    std::size_t failures() const { return failures_.size(); }
    void print(Json head) const;

private:
    std::string device_;
    bool json_;
    std::map<std::pair<std::string, std::string>, Line> lines_;
    std::vector<Failed> failures_;
};

void Results::print(Json head) const {
    std::string text;
    for (const Failed& failed : failures_) {
        text += "FAILED  " + failed.problem + ": " + failed.reason + "\n        replay: " + failed.replay + "\n";
    }
    text += "class                 problems  failed   mean units  worst units  bound  worst problem\n";
    Json classes = Json::array(), failures = Json::array();
    for (const auto& [key, line] : lines_) {
        const double mean = line.measured == 0 ? 0 : line.sum / static_cast<double>(line.measured);
        char row[128];
        std::snprintf(row, sizeof row, "%-17s %s %9llu %7llu %12.3f %12.3f %6.1f  ", key.first.c_str(),
                      key.second.c_str(), static_cast<unsigned long long>(line.problems),
                      static_cast<unsigned long long>(line.failures), mean, line.worst, line.bound);
        text += row + line.worst_problem + "\n";
        classes.push_back({{"class", key.first},
                           {"precision", key.second},
                           {"problems", line.problems},
                           {"failures", line.failures},
                           {"mean_units", mean},
                           {"worst_units", line.worst},
                           {"bound_units", line.bound},
                           {"worst_problem", line.worst_problem}});
    }
    for (const Failed& failed : failures_) {
        failures.push_back({{"problem", failed.problem}, {"reason", failed.reason}, {"replay", failed.replay}});
    }
    if (json_) {
        head["device"] = device_;
        head["classes"] = classes;
        head["failures"] = failures;
        print_json(head);
        return;
    }
    text += "1 unit = u sqrt(log2 N), u = 2^-24 (f32) or 2^-53 (f64); relative L2 error, rms over transforms\n";
    std::fputs(text.c_str(), stdout);
}

/// Runs the tasks that have no result yet, several at a time; `done` is called after each, one at a time.
void run_tasks(const Device& device, std::vector<Task>& tasks, const CheckOptions& options,
               const std::function<void(const Task&)>& done) {
    Progress progress("checking");
    std::mutex mutex;
    std::size_t count = 0;
    in_parallel(tasks.size(), options.jobs, [&](std::size_t i) {
        Task& task = tasks[i];
        const bool known = task.accuracy.has_value();
        try {
            if (!known) task.accuracy = verify(device, task.problem, task.how);
        } catch (const InvalidProblem& error) {
            if (!options.problems.empty()) throw;  // the fault of who asked, not of the library
            task.error = error.what();
        } catch (const std::exception& error) {  // whatever goes wrong is a failure of that problem
            task.error = error.what();
        }
        const std::lock_guard lock(mutex);
        progress.at(static_cast<double>(++count), static_cast<double>(tasks.size()));
        if (!known) done(task);
    });
}

std::vector<Task> random_tasks(const Device& device, const CheckOptions& options) {
    // The interpreter is some thousand times slower than a processor.
    constexpr std::uint64_t interpreted = 1u << 11, computed = 1u << 20;
    const std::uint64_t usual = device.info().backend == Backend::reference ? interpreted : computed;
    const DrawLimits limits{options.points != 0 ? options.points : usual, device.limits().fp64};
    std::vector<Task> tasks(options.count);
    for (std::uint64_t i = 0; i < options.count; ++i) {
        tasks[i].problem = draw_problem(options.seed, i, limits);
        tasks[i].how.seed = options.seed + i;
    }
    return tasks;
}

/// The results of an earlier sweep: one line "LENGTH PRECISION UNITS" each; lines that were cut short are ignored.
class SweepFile {
public:
    explicit SweepFile(const std::string& path) {
        if (path.empty()) return;
        std::ifstream in(path);
        for (std::string line; std::getline(in, line);) {
            std::istringstream words(line);
            words.imbue(std::locale::classic());
            std::uint64_t length = 0;
            std::string precision, end;
            double units = 0;
            if (words >> length >> precision >> units >> end && end == ".") done_[{length, precision}] = units;
        }
        out_.open(path, std::ios::app);
        if (!out_) throw Failure("cannot write to " + path);
        out_ << '\n';  // ends a line that was cut short
    }
    std::optional<double> find(std::uint64_t length, const std::string& precision) const {
        const auto found = done_.find({length, precision});
        return found == done_.end() ? std::nullopt : std::optional(found->second);
    }
    void add(const Problem& problem, double units) {
        if (!out_.is_open()) return;
        out_ << std::to_string(problem.lengths[0]) + " " + precision_name(problem) + " " + shortest(units) + " .\n"
             << std::flush;
    }

private:
    std::map<std::pair<std::uint64_t, std::string>, double> done_;
    std::ofstream out_;
};

/// Every length in both precisions, in one direction each: forward and inverse share all but their ends, and half as
/// many kernels are compiled.
std::vector<Task> sweep_tasks(const Device& device, const CheckOptions& options, const SweepFile& file) {
    constexpr std::uint64_t transforms = 64;
    const std::uint64_t low = options.sweep[0], high = options.sweep[1];
    if (low == 0 || high < low) throw UsageError("--sweep expects LO HI with 1 <= LO <= HI");
    std::vector<Task> tasks;
    for (std::uint64_t n = low; n <= high; ++n) {
        for (const Precision precision : {Precision::f32, Precision::f64}) {
            if (precision == Precision::f64 && !device.limits().fp64) continue;
            Task task;
            task.problem.lengths = {n};
            task.problem.precision = precision;
            task.problem.batch = std::clamp<std::uint64_t>(task.how.points / n, 1, transforms);
            const bool inverse = (n % 2 == 0) == (precision == Precision::f32);
            task.how.directions = inverse ? Directions::inverse : Directions::forward;
            task.how.seed = options.seed;
            if (const auto known = file.find(n, precision_name(task.problem))) {
                task.accuracy.emplace();
                task.accuracy->units = *known;
                task.accuracy->bound = accuracy_bound(task.problem, Direction::forward);
            }
            tasks.push_back(std::move(task));
        }
    }
    return tasks;
}

void run(const CheckOptions& options) {
    if (!options.resume.empty() && options.sweep.empty()) throw UsageError("--resume belongs to --sweep");
    if (!options.problems.empty() && !options.sweep.empty()) throw UsageError("either PROBLEM or --sweep, not both");
    std::vector<Problem> problems;
    for (const std::string& text : options.problems) problems.push_back(parse_problem(text));
    const Device device = open_device(options.device);
    SweepFile file(options.resume);
    std::vector<Task> tasks;
    for (const Problem& problem : problems) {
        Task task;
        task.problem = problem;
        task.how.seed = options.seed;
        tasks.push_back(std::move(task));
    }
    if (!options.sweep.empty()) {
        tasks = sweep_tasks(device, options, file);
    } else if (problems.empty()) {
        tasks = random_tasks(device, options);
    }
    run_tasks(device, tasks, options, [&](const Task& task) {
        if (task.accuracy && task.accuracy->good()) file.add(task.problem, task.accuracy->units);
    });
    Results results(device.info().name, options.json);
    for (const Task& task : tasks) results.add(task);
    results.print({{"seed", options.seed}});
    if (results.failures() > 0) throw Failure(std::to_string(results.failures()) + " problems failed");
}

}  // namespace

void add_check(CLI::App& app) {
    auto* command = app.add_subcommand("check", "Compare transforms with a reference of higher precision");
    auto options = std::make_shared<CheckOptions>();
    command->add_option("PROBLEM", options->problems, "Problem texts (default: random problems)");
    command->add_option("--count", options->count, "How many random problems")->capture_default_str();
    command->add_option("--seed", options->seed, "Of the problems and the data")->capture_default_str();
    command->add_option("--points", options->points, "Most elements of a random problem (default: by the device)");
    command->add_option("--sweep", options->sweep, "Every length from LO to HI, f32 and f64")->expected(2);
    command->add_option("--resume", options->resume, "Keep the sweep's results in this file, and go on from it");
    command->add_option("--jobs", options->jobs, "Problems at a time (default: one per processor)");
    command->add_option("--device", options->device, "Device, e.g. opencl:pocl (default: the first GPU, else a CPU)");
    command->add_flag("--json", options->json, "Print JSON");
    command->footer(
        "Prints the error by class and, for each failure, the line that replays it. The reference is a mixed-radix\n"
        "transform in extended precision; outputs, gaps and workspaces are filled with NaN beforehand.");
    command->callback([options] { run(*options); });
}

}  // namespace seiche::cli
