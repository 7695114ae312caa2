// `seiche check`: random problems, given ones, or every length of a range against a reference in extended precision.
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <sstream>

#include "cli/commands.hpp"
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
    bool json = false;
};

/// What is known of one class of problems in one precision.
struct Line {
    std::uint64_t problems = 0, failures = 0;
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

    void add(const Problem& problem, std::uint64_t seed, const Accuracy& accuracy) {
        Line& line = line_of(problem);
        ++line.problems;
        line.sum += accuracy.units;
        if (accuracy.units / accuracy.bound >= line.worst / std::max(line.bound, 1.0)) {
            line.worst = accuracy.units;
            line.bound = accuracy.bound;
            line.worst_problem = to_string(problem);
        }
        if (accuracy.good()) return;
        const std::string reason = !accuracy.fault.empty() ? accuracy.fault
                                                           : "error " + significant(accuracy.units, 3) +
                                                                 " units, expected at most " + fixed(accuracy.bound, 1);
        add_failure(problem, seed, reason);
    }
    void add_failure(const Problem& problem, std::uint64_t seed, const std::string& reason) {
        ++line_of(problem).failures;
        const std::string text = to_string(problem);
        failures_.push_back({text, one_line(reason),
                             "seiche check '" + text + "' --seed " + std::to_string(seed) + " --device " + device_});
    }
    std::size_t failures() const { return failures_.size(); }
    void print(Json head) const;

private:
    Line& line_of(const Problem& problem) {
        return lines_[{class_of(problem), problem.precision == Precision::f32 ? "f32" : "f64"}];
    }

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
        const double measured = static_cast<double>(line.problems);
        const double mean = line.problems == 0 ? 0 : line.sum / measured;
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

/// Runs one problem; whatever it throws is a failure of that problem.
void check_one(const Device& device, const Problem& problem, const VerifyOptions& options, Results& results) {
    try {
        results.add(problem, options.seed, verify(device, problem, options));
    } catch (const Error& error) {
        results.add_failure(problem, options.seed, error.what());
    }
}

void check_random(const Device& device, const CheckOptions& options, Results& results) {
    // The interpreter is some thousand times slower than a processor.
    const std::uint64_t points = options.points != 0                           ? options.points
                                 : device.info().backend == Backend::reference ? 1u << 11
                                                                               : 1u << 20;
    const DrawLimits limits{points, device.limits().fp64};
    Progress progress("checking");
    for (std::uint64_t i = 0; i < options.count; ++i) {
        progress.at(static_cast<double>(i), static_cast<double>(options.count));
        VerifyOptions how;
        how.seed = options.seed + i;
        how.points = std::min(how.points, points);
        check_one(device, draw_problem(options.seed, i, limits), how, results);
    }
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
    void add(std::uint64_t length, const std::string& precision, double units) {
        if (out_.is_open())
            out_ << std::to_string(length) + " " + precision + " " + shortest(units) + " .\n" << std::flush;
    }

private:
    std::map<std::pair<std::uint64_t, std::string>, double> done_;
    std::ofstream out_;
};

void sweep_one(const Device& device, const Problem& problem, const CheckOptions& options, SweepFile& file,
               Results& results) {
    const std::string precision = problem.precision == Precision::f32 ? "f32" : "f64";
    VerifyOptions how;
    how.seed = options.seed;
    Accuracy accuracy;
    accuracy.bound = accuracy_bound(problem, Direction::forward);
    if (const auto known = file.find(problem.lengths[0], precision)) {
        accuracy.units = *known;
        results.add(problem, options.seed, accuracy);
        return;
    }
    try {
        accuracy = verify(device, problem, how);
        results.add(problem, options.seed, accuracy);
        if (accuracy.good()) file.add(problem.lengths[0], precision, accuracy.units);
    } catch (const Error& error) {
        results.add_failure(problem, options.seed, error.what());
    }
}

void check_sweep(const Device& device, const CheckOptions& options, Results& results) {
    const std::uint64_t low = options.sweep[0], high = options.sweep[1];
    if (low == 0 || high < low) throw UsageError("--sweep expects LO HI with 1 <= LO <= HI");
    SweepFile file(options.resume);
    Progress progress("sweeping");
    for (std::uint64_t n = low; n <= high; ++n) {
        progress.at(static_cast<double>(n - low), static_cast<double>(high - low + 1));
        for (const Precision precision : {Precision::f32, Precision::f64}) {
            if (precision == Precision::f64 && !device.limits().fp64) continue;
            Problem problem;
            problem.lengths = {n};
            problem.precision = precision;
            problem.batch = std::clamp<std::uint64_t>((1u << 18) / n, 1, 64);
            sweep_one(device, problem, options, file, results);
        }
    }
}

void run(const CheckOptions& options) {
    if (!options.resume.empty() && options.sweep.empty()) throw UsageError("--resume belongs to --sweep");
    if (!options.problems.empty() && !options.sweep.empty()) throw UsageError("either PROBLEM or --sweep, not both");
    std::vector<Problem> problems;
    for (const std::string& text : options.problems) problems.push_back(parse_problem(text));
    const Device device = open_device(options.device);
    Results results(device.info().name, options.json);
    for (const Problem& problem : problems) {
        VerifyOptions how;
        how.seed = options.seed;
        check_one(device, problem, how, results);
    }
    if (!options.sweep.empty()) {
        check_sweep(device, options, results);
    } else if (problems.empty()) {
        check_random(device, options, results);
    }
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
    command->add_option("--device", options->device, "Device, e.g. opencl:pocl (default: the first GPU, else a CPU)");
    command->add_flag("--json", options->json, "Print JSON");
    command->footer(
        "Prints the error by class and, for each failure, the line that replays it. The reference is a mixed-radix\n"
        "transform in extended precision; outputs, gaps and workspaces are filled with NaN beforehand.");
    command->callback([options] { run(*options); });
}

}  // namespace seiche::cli
