// `seiche tune`: measures tunings of problems on a device, and keeps the fastest in a file of wisdom.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/command/commands.hpp"
#include "cli/command/report.hpp"
#include "cli/io/output_file.hpp"
#include "cli/measure/spread.hpp"
#include "cli/measure/timed_plan.hpp"
#include "cli/problem/suites.hpp"
#include "cli/problem/wisdom_file.hpp"
#include "cli/ranks/group_options.hpp"
#include "cli/system/in_parallel.hpp"
#include "cli/text/failure.hpp"
#include "cli/text/text.hpp"
#include "cli/workflow/workflow_text.hpp"
#include "seiche/error.hpp"
#include "seiche/version.hpp"

namespace seiche::cli {
namespace {

struct TuneOptions {
    std::vector<std::string> problems, suites;
    std::string device, output, table, fabric;
    GroupOptions group;
    unsigned repeat = 15;
    std::uint64_t seed = 1;
    bool cached_input = false, again = false, json = false;
};

/// One tuning with its plan and its times.
struct Entrant {
    Tuning tuning;
    Plan plan;
    std::vector<BufferView> workspace;
    std::vector<double> samples;
    double median() const { return spread_of(samples).median; }
};

constexpr unsigned first_samples = 3;
constexpr double hopeless = 1.3;  // times as slow as the fastest after those
constexpr std::size_t most_finalists = 6;
/// A tuning replaces the cost model's only where it is faster by more than the times scatter.
constexpr double worthwhile = 0.985;

class Contest {
public:
    Contest(const Device& device, const Problem& problem, const TuneOptions& options)
        : device_(device),
          problem_(problem),
          options_(options),
          own_(device, problem, {}, {.cached_input = options.cached_input}) {}

    WisdomEntry run() {
        require(own_.verify(options_.seed), "untuned");
        Progress progress("tuning " + to_string(problem_));
        const std::vector<Tuning> tunings = candidate_tunings(problem_, device_.info().limits);
        std::size_t made = 0;
        std::mutex shown;
        std::vector<Entry> entries(tunings.size());
        in_parallel(tunings.size(), 0, [&](std::size_t i) {
            entries[i] = planned(tunings[i]);
            const std::lock_guard lock(shown);
            progress.at(static_cast<double>(++made), static_cast<double>(tunings.size()));
        });
        for (std::size_t i = 0; i < tunings.size(); ++i) enter(tunings[i], entries[i]);
        measure(first_samples);
        first_round_ = sorted_by_time();
        keep_finalists();
        measure(options_.repeat);
        return result();
    }

    std::size_t entered() const { return entered_; }

    /// The cost model's own and what else was timed to the end, the fastest first.
    Json finalists() const { return sorted_by_time(); }
    /// All of them, after the few samples that the finalists were chosen by.
    const Json& first_round() const { return first_round_; }

private:
    Json sorted_by_time() const {
        std::vector<const Entrant*> sorted;
        for (const Entrant& entrant : entrants_) sorted.push_back(&entrant);
        std::stable_sort(sorted.begin(), sorted.end(),
                         [](const Entrant* a, const Entrant* b) { return a->median() < b->median(); });
        Json list = Json::array();
        for (const Entrant* entrant : sorted)
            list.push_back({{"tuning", to_string(entrant->tuning)}, {"median_ms", entrant->median()}});
        return list;
    }

    void require(const Accuracy& accuracy, const std::string& what) const {
        if (accuracy.good()) return;
        throw Failure("wrong answer of " + to_string(problem_) + ", " + what + ": " +
                      (accuracy.fault.empty() ? "error " + significant(accuracy.units, 3) +
                                                    " units, expected at most " + fixed(accuracy.bound, 1)
                                              : accuracy.fault));
    }

    /// The plan, or why the driver's compiler refuses what others take; neither of what the device cannot do.
    struct Entry {
        Plan plan;
        bool is_made = false;
        std::string refusal;
    };

    Entry planned(const Tuning& tuning) const {
        Entry entry;
        PlanOptions how;
        how.directions = own_.directions();
        how.tuning = tuning;
        try {
            entry.plan = Plan(device_, problem_, how);
            entry.is_made = true;
        } catch (const BackendError& error) {
            entry.refusal = error.what();
        } catch (const Unsupported&) {
        }
        return entry;
    }

    /// The first is the cost model's own.
    void enter(const Tuning& tuning, Entry& entry) {
        if (!entry.refusal.empty()) note(to_string(tuning) + ": " + entry.refusal);
        if (!entry.is_made) return;
        Entrant entrant;
        entrant.tuning = tuning;
        entrant.plan = std::move(entry.plan);
        try {
            for (const std::uint64_t bytes : entrant.plan.workspace_part_bytes())
                entrant.workspace.emplace_back(device_.allocate(bytes));
        } catch (const BackendError& error) {
            note(to_string(tuning) + ": " + error.what());
            return;
        }
        ++entered_;
        entrants_.push_back(std::move(entrant));
    }

    void measure(unsigned rounds) {
        for (unsigned round = 0; round < rounds; ++round)
            for (Entrant& entrant : entrants_)
                entrant.samples.push_back(own_.run_other(entrant.plan, entrant.workspace, count_));
        if (count_ > 1) return;
        constexpr double enough_milliseconds = 0.5, most = 50;
        count_ =
            static_cast<unsigned>(std::clamp(std::ceil(enough_milliseconds / entrants_.front().median()), 1.0, most));
    }

    /// The cost model's own, and the fastest of the others.
    void keep_finalists() {
        const auto others = entrants_.begin() + 1;
        std::stable_sort(others, entrants_.end(),
                         [](const Entrant& a, const Entrant& b) { return a.median() < b.median(); });
        double fastest = entrants_.front().median();
        if (others != entrants_.end()) fastest = std::min(fastest, others->median());
        const auto is_hopeless = [&](const Entrant& entrant) { return entrant.median() > hopeless * fastest; };
        entrants_.erase(std::remove_if(others, entrants_.end(), is_hopeless), entrants_.end());
        if (entrants_.size() > most_finalists) entrants_.resize(most_finalists);
        for (Entrant& entrant : entrants_) entrant.samples.clear();
    }

    WisdomEntry result() {
        const Entrant& untuned = entrants_.front();
        const Entrant& best =
            *std::min_element(entrants_.begin(), entrants_.end(),
                              [](const Entrant& a, const Entrant& b) { return a.median() < b.median(); });
        WisdomEntry entry;
        entry.device = device_.info().description;
        entry.version = version();
        entry.problem = to_string(problem_);
        entry.untuned_milliseconds = entry.milliseconds = untuned.median();
        if (best.median() > worthwhile * untuned.median()) return entry;
        TimedPlan winner(device_, problem_, best.tuning, {.cached_input = options_.cached_input});
        require(winner.verify(options_.seed + 1), to_string(best.tuning));
        entry.tuning = best.tuning;
        entry.milliseconds = best.median();
        return entry;
    }

    const Device& device_;
    const Problem problem_;
    const TuneOptions& options_;
    TimedPlan own_;
    std::vector<Entrant> entrants_;
    Json first_round_;
    std::size_t entered_ = 0;
    unsigned count_ = 1;  // executions of a sample
};

Json to_json(const WisdomEntry& entry, const Contest& contest) {
    return {{"problem", entry.problem},
            {"tuning", to_string(entry.tuning)},
            {"median_ms", entry.milliseconds},
            {"untuned_median_ms", entry.untuned_milliseconds},
            {"measured", contest.entered()},
            {"finalists", contest.finalists()},
            {"first_round", contest.first_round()}};
}

std::vector<Problem> problems_of(const TuneOptions& options) {
    std::vector<Problem> problems;
    for (const std::string& text : options.problems) problems.push_back(parse_problem(text));
    for (const std::string& name : options.suites)
        for (const SuiteCase& one : find_suite(name).cases) {
            if (is_workflow(one.problem))
                throw UsageError("--suite: expected transforms, got the workflows of '" + name + "'");
            problems.push_back(parse_problem(one.problem));
        }
    if (problems.empty()) throw UsageError("expected a PROBLEM such as '65536 f32 batch=1024', or --suite");
    if (options.repeat == 0) throw UsageError("--repeat: expected a number above 0, got 0");
    return problems;
}

/// What the wisdom has for this device, as a table.
void write_table(const std::string& path, const Wisdom& wisdom, const Device& device) {
    const std::time_t now = std::time(nullptr);
    char day[16];
    std::strftime(day, sizeof day, "%Y-%m-%d", std::gmtime(&now));
    const MeasuredTable table =
        wisdom.table(device.info(), device.info().description + " " + day + " Seiche " + version());
    if (!table)
        throw Failure(
            "--export: expected a batch of rows or columns in one kernel, or an axis by itself in several "
            "passes, for which another tuning is faster, got none");
    io::OutputFile file(path);
    file.write(table.text());
    file.commit();
}

/// Whether the fabric is what is asked for, which nothing else is measured beside.
bool is_of_fabric(const TuneOptions& options) {
    if (options.fabric.empty()) {
        if (options.group.any())
            throw UsageError("--ranks, --devices, --mpi and --transport: expected --fabric beside them");
        if (options.output.empty()) throw UsageError("expected the wisdom file to write, -o FILE");
        return false;
    }
    if (!options.problems.empty() || !options.suites.empty() || !options.output.empty() || !options.table.empty())
        throw UsageError("--fabric: expected no PROBLEM, --suite, -o or --export beside it");
    return true;
}

void run(const TuneOptions& options) {
    if (is_of_fabric(options)) {
        measure_fabric_file(options.fabric, options.group, options.device, options.json);
        return;
    }
    const std::vector<Problem> problems = problems_of(options);
    std::error_code failed;
    Wisdom wisdom = std::filesystem::exists(options.output, failed) ? read_wisdom(options.output) : Wisdom();
    const Device device = open_device(options.device);
    if (options.cached_input) require_cached_inputs(device);
    Json list = Json::array();
    std::size_t known = 0;
    for (const Problem& problem : problems) {
        if (!options.again && wisdom.find_exactly(device.info(), problem) != nullptr) {
            ++known;
            continue;
        }
        Contest contest(device, problem, options);
        const WisdomEntry entry = contest.run();
        wisdom.set(entry);
        write_wisdom(options.output, wisdom);  // after each, so that what was interrupted goes on
        list.push_back(to_json(entry, contest));
        if (options.json) continue;
        const std::string tuning = to_string(entry.tuning);
        print_formatted("%s: %s, %s ms, untuned %s ms (%zu measured)\n", entry.problem.c_str(),
                        tuning.empty() ? "nothing is faster than the cost model's own" : tuning.c_str(),
                        significant(entry.milliseconds, 4).c_str(), significant(entry.untuned_milliseconds, 4).c_str(),
                        contest.entered());
        std::fflush(stdout);
    }
    if (!options.table.empty()) write_table(options.table, wisdom, device);
    if (options.json) print_json({{"device", device.info().name}, {"tuned", list}, {"known", known}});
    if (!options.json && known > 0) print_formatted("%zu known already (--again measures them anew)\n", known);
}

}  // namespace

void add_tune(Command& app) {
    Command command = app.add_subcommand("tune", "Measure which tuning of a problem is fastest, and keep it in a file");
    auto options = std::make_shared<TuneOptions>();
    command.add_option("PROBLEM", options->problems, "Transforms to tune, e.g. \"65536 f32 batch=1024\"")
        .value("PROBLEM");
    command.add_option("--suite", options->suites, "Also the problems of these lists: " + suite_names())
        .value("NAME")
        .delimiter(',');
    command.add_option("-o,--output", options->output, "The wisdom file to write; results that it has already are kept")
        .value("FILE");
    command
        .add_option("--export", options->table,
                    "Also write what the file has for this device as a table, whose rows serve inside larger problems")
        .value("FILE");
    command.add_flag("--again", options->again, "Measure again what the file has already");
    command.add_flag("--cached-input", options->cached_input,
                     "Read the same 4 MiB as every input, so that it stays in the cache (CUDA only)");
    command.add_option("--repeat", options->repeat, "Samples of each of the fastest tunings")
        .within(1, 100000)
        .capture_default_str();
    command.add_option("--seed", options->seed, "Seed of the data").not_negative().capture_default_str();
    add_device_option(command, options->device);
    add_json_option(command, options->json);
    command
        .add_option("--fabric", options->fabric,
                    "Instead of problems, measure memory and links between ranks and write them to this file, for "
                    "`seiche plan --fabric`")
        .value("FILE");
    add_group_options(command, options->group);
    command.footer(
        "The file is text, sorted by device and version of Seiche. It is written after each problem, so that an "
        "interrupted run continues where it stopped. The fastest tuning is verified before it is kept.\n\n"
        "Plans do not use the file by themselves. Name it to bench, plan or pack with --wisdom, or look up a problem "
        "in your program (seiche/wisdom.hpp). A table (--export) is used by every program, if SEICHE_TABLES names it.");
    command.callback(of_problems([options] { run(*options); }));
}

}  // namespace seiche::cli
