// `seiche check`: random problems, given ones, or every length of a range against a reference in extended precision.
#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>

#include "cli/check/check_convolutions.hpp"
#include "cli/check/check_frames.hpp"
#include "cli/check/check_operators.hpp"
#include "cli/check/check_results.hpp"
#include "cli/check/check_worker.hpp"
#include "cli/check/random_problems.hpp"
#include "cli/command/commands.hpp"
#include "cli/command/report.hpp"
#include "cli/problem/stage_options.hpp"
#include "cli/problem/tuning_options.hpp"
#include "cli/ranks/group_options.hpp"
#include "cli/system/in_parallel.hpp"
#include "cli/system/system.hpp"
#include "cli/text/text.hpp"
#include "cli/text/words.hpp"
#include "seiche/error.hpp"

namespace seiche::cli {
namespace {

constexpr std::uint64_t most_problems = 1000000;

struct CheckOptions {
    std::vector<std::string> problems;
    std::uint64_t count = 100, seed = 1, points = 0;
    std::string device, resume, kinds;
    std::vector<std::uint64_t> sweep;
    std::size_t jobs = 0, processes = 0;
    double seconds = 0;
    bool json = false, worker = false, convolutions = false, list = false;
    Tuning tuning;
    RankedOptions ranked;
    StageOptions stages;  // of operators: the middle one alone
};

/// How far it is: on a terminal a line that changes, else a note every ten seconds.
class CheckProgress {
public:
    explicit CheckProgress(std::size_t total) : total_(total), told_(now_seconds()) {}
    void step() {
        constexpr double seconds_between = 10;
        line_.at(static_cast<double>(++done_), static_cast<double>(total_));
        if (terminal_ || now_seconds() - told_ < seconds_between) return;
        told_ = now_seconds();
        note("checked " + std::to_string(done_) + " of " + std::to_string(total_));
    }

private:
    Progress line_{"checking"};
    std::size_t total_, done_ = 0;
    double told_;
    bool terminal_ = is_terminal_stderr();
};

/// Where the tasks are done: in this process, or in others.
class Runner {
public:
    Runner(const Device& device, const CheckOptions& options)
        : device_(device), options_(options), workers_(device.info().name), started_(now_seconds()) {}

    /// Does the tasks that have no result yet, several at a time, until the time is up; `done` is called after each,
    /// one at a time.
    void run(std::vector<CheckTask>& tasks, const std::function<void(const CheckTask&)>& done) {
        CheckProgress progress(tasks.size());
        std::mutex mutex;
        in_parallel(tasks.size(), options_.processes != 0 ? options_.processes : options_.jobs, [&](std::size_t i) {
            CheckTask& task = tasks[i];
            const bool known = task.done();
            if (!known && options_.seconds > 0 && now_seconds() - started_ > options_.seconds) return;
            if (!known) run_one(task);
            const std::lock_guard lock(mutex);
            progress.step();
            if (!known) done(task);
        });
    }

private:
    void run_one(CheckTask& task) {
        try {
            task.accuracy = options_.processes != 0 ? workers_.verify(task) : verify(device_, task.problem, task.how);
        } catch (const InvalidProblem& error) {
            if (!options_.problems.empty()) throw;  // the fault of who asked, not of the library
            task.error = error.what();
        } catch (const std::exception& error) {  // whatever goes wrong is a failure of that problem
            task.error = error.what();
        }
    }

    const Device& device_;
    const CheckOptions& options_;
    CheckWorkers workers_;
    double started_;
};

/// The interpreter is some thousand times slower than a processor.
std::uint64_t most_points(const Device& device, const CheckOptions& options, std::uint64_t computed) {
    constexpr std::uint64_t interpreted = 1u << 11;
    const std::uint64_t usual = device.info().backend == Backend::reference ? interpreted : computed;
    return options.points != 0 ? options.points : usual;
}

std::vector<CheckTask> random_tasks(const Device& device, const CheckOptions& options) {
    const DrawLimits limits{most_points(device, options, 1u << 20), device.limits().fp64, parse_kinds(options.kinds)};
    std::vector<CheckTask> tasks(options.count);
    for (std::uint64_t i = 0; i < options.count; ++i) {
        tasks[i].problem = draw_problem(options.seed, i, limits);
        tasks[i].how.seed = options.seed + i;
    }
    return tasks;
}

std::vector<CheckTask> tasks_for(const Device& device, const CheckOptions& options) {
    if (!options.sweep.empty())
        return sweep_tasks(
            {options.sweep[0], options.sweep[1], options.seed, device.limits().fp64, parse_kinds(options.kinds)});
    if (options.problems.empty()) return random_tasks(device, options);
    std::vector<CheckTask> tasks;
    for (const std::string& text : options.problems) {
        tasks.emplace_back().problem = parse_problem(text);
        tasks.back().how.seed = options.seed;
        tasks.back().how.tuning = options.tuning;
    }
    return tasks;
}

/// A convolution or a spectral operator.
template <class Problem>
struct OtherTask {
    Problem problem;
    CheckResults::Entry entry;
    bool done = false;
};
using ConvolutionTask = OtherTask<Convolution>;
using OperatorTask = OtherTask<SpectralProblem>;
using FramesTask = OtherTask<ShortTimeProblem>;

std::vector<ConvolutionTask> convolution_tasks(const Device& device, const CheckOptions& options) {
    // Sums of products grow with the square of the lengths.
    const ConvolutionDraw limits{most_points(device, options, 1u << 14), device.limits().fp64};
    const bool is_given = !options.problems.empty(), is_sweep = !options.sweep.empty();
    std::vector<Convolution> swept;
    if (is_sweep) swept = sweep_convolutions({options.sweep[0], options.sweep[1], options.seed, device.limits().fp64});
    std::vector<ConvolutionTask> tasks(is_given   ? options.problems.size()
                                       : is_sweep ? swept.size()
                                                  : static_cast<std::size_t>(options.count));
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        Convolution& c = tasks[i].problem;
        c = is_given   ? parse_convolution(options.problems[i])
            : is_sweep ? swept[i]
                       : draw_convolution(options.seed, i, limits);
        tasks[i].entry = {class_of(c), to_string(c.precision), to_string(c), {}, {}, options.seed + (is_given ? 0 : i)};
    }
    return tasks;
}

/// Those that are given; an operator's stages are replayed too.
std::vector<OperatorTask> operator_tasks(const CheckOptions& options) {
    std::vector<OperatorTask> tasks;
    for (const std::string& text : options.problems) {
        OperatorTask& task = tasks.emplace_back();
        task.problem = spectral_problem(text, options.stages);
        task.entry = {
            class_of(task.problem), to_string(task.problem.precision), to_string(task.problem), {}, {}, options.seed};
        if (!options.stages.middle.empty()) task.entry.options = " --middle-stage '" + options.stages.middle + "'";
        for (const std::string& buffer : options.stages.buffers) task.entry.options += " --stage-buffer " + buffer;
        for (const std::string& scalar : options.stages.scalars) task.entry.options += " --stage-scalar " + scalar;
    }
    return tasks;
}

std::vector<FramesTask> frames_tasks(const CheckOptions& options) {
    std::vector<FramesTask> tasks;
    for (const std::string& text : options.problems) {
        FramesTask& task = tasks.emplace_back();
        task.problem = short_time_problem(text, options.stages);
        task.entry = {
            class_of(task.problem), to_string(task.problem.precision), to_string(task.problem), {}, {}, options.seed};
    }
    return tasks;
}

template <class Task>
void run_others(const Device& device, const CheckOptions& options, std::vector<Task> tasks, const std::string& what) {
    const double started = now_seconds();
    CheckResults results(device.info().name, options.json);
    CheckProgress progress(tasks.size());
    std::mutex mutex;
    in_parallel(tasks.size(), options.jobs, [&](std::size_t i) {
        Task& task = tasks[i];
        if (options.seconds > 0 && now_seconds() - started > options.seconds) return;
        try {
            task.entry.accuracy = verify(device, task.problem, task.entry.seed);
        } catch (const InvalidProblem& error) {
            if (!options.problems.empty()) throw;
            task.entry.error = error.what();
        } catch (const std::exception& error) {
            task.entry.error = error.what();
        }
        task.done = true;
        const std::lock_guard lock(mutex);
        results.say(task.entry, !options.problems.empty());
        progress.step();
    });
    std::size_t done = 0;
    for (const Task& task : tasks) {
        if (!task.done) continue;
        results.add(task.entry);
        ++done;
    }
    results.print({{"seed", options.seed}, {"checked", done}, {"of", tasks.size()}});
    if (done < tasks.size())
        note("the time was up after " + std::to_string(done) + " of " + counted(tasks.size(), what));
    if (results.failures() > 0) throw Failure(counted(results.failures(), what) + " failed");
}

void require_sweep(const std::vector<std::uint64_t>& sweep) {
    if (!sweep.empty() && (sweep[0] == 0 || sweep[1] < sweep[0]))
        throw UsageError("--sweep: expected LO HI with 1 <= LO <= HI, got " + std::to_string(sweep[0]) + " " +
                         std::to_string(sweep[1]));
    if (!sweep.empty() && sweep[1] - sweep[0] >= most_problems)
        throw UsageError("--sweep: expected at most " + std::to_string(most_problems) + " lengths, got " +
                         std::to_string(sweep[1] - sweep[0] + 1));
}

/// Whether convolutions are to be checked: all of what is given are, or none.
bool are_convolutions(const CheckOptions& options) {
    const auto count = std::count_if(options.problems.begin(), options.problems.end(),
                                     [](const std::string& text) { return is_convolution(text); });
    if (count == 0 && !options.convolutions) return false;
    if (count != static_cast<std::ptrdiff_t>(options.problems.size()))
        throw UsageError("expected transforms or convolutions, got both");
    if (!options.resume.empty() || !options.kinds.empty() || options.processes != 0)
        throw UsageError("convolutions: expected none of --resume, --kinds and --processes");
    if (count != 0 && !options.sweep.empty()) throw UsageError("either PROBLEM or --sweep, not both");
    require_sweep(options.sweep);
    if (!(options.tuning == Tuning{})) throw UsageError("convolutions: expected neither --recipe nor --twiddles");
    if (options.seconds < 0)
        throw UsageError("--seconds: expected a number of 0 or more, got " + shortest(options.seconds));
    return true;
}

/// The same of short-time transforms.
bool are_frames(const CheckOptions& options) {
    const auto count = std::count_if(options.problems.begin(), options.problems.end(),
                                     [](const std::string& text) { return is_short_time(text); });
    if (count == 0) return false;
    if (count != static_cast<std::ptrdiff_t>(options.problems.size()))
        throw UsageError("expected short-time transforms such as \"48000 frames=1024/256\" alone, got others too");
    if (options.convolutions || !options.resume.empty() || !options.kinds.empty() || options.processes != 0 ||
        !options.sweep.empty() || !(options.tuning == Tuning{}))
        throw UsageError(
            "short-time transforms: expected none of --convolutions, --resume, --kinds, --processes, --sweep and "
            "recipes");
    return true;
}

/// The same of operators.
bool are_operators(const CheckOptions& options) {
    const auto count = std::count_if(options.problems.begin(), options.problems.end(),
                                     [](const std::string& text) { return is_spectral(text); });
    if (count == 0 && !options.stages.any()) return false;
    if (count == 0 || count != static_cast<std::ptrdiff_t>(options.problems.size()))
        throw UsageError("--middle-stage: expected spectral operators such as \"256x256 real f32\" alone");
    if (options.convolutions || !options.resume.empty() || !options.kinds.empty() || options.processes != 0 ||
        !options.sweep.empty() || !(options.tuning == Tuning{}))
        throw UsageError(
            "spectral operators: expected none of --convolutions, --resume, --kinds, --processes, --sweep and recipes");
    return true;
}

void require_sense(const CheckOptions& options) {
    if (!options.problems.empty()) {
        if (!options.sweep.empty()) throw UsageError("either PROBLEM or --sweep, not both");
        if (!options.resume.empty()) throw UsageError("--resume belongs to --sweep or random problems");
        if (!options.kinds.empty()) throw UsageError("--kinds belongs to --sweep or random problems");
    }
    require_sweep(options.sweep);
    if (options.problems.empty() && !(options.tuning == Tuning{}))
        throw UsageError("--recipe and --twiddles belong to PROBLEM");
    if (options.seconds < 0)
        throw UsageError("--seconds: expected a number of 0 or more, got " + shortest(options.seconds));
    if (options.jobs != 0 && options.processes != 0) throw UsageError("either --jobs or --processes, not both");
    for (const std::string& text : options.problems) parse_problem(text);
    parse_kinds(options.kinds);
}

void check_over_ranks(const CheckOptions& options) {
    if (!options.sweep.empty() || !options.resume.empty() || !options.kinds.empty() || options.convolutions ||
        options.json || !(options.tuning == Tuning{}))
        throw UsageError(
            "--ranks: expected PROBLEMs, got --sweep, --resume, --kinds, --convolutions, --json or tuning");
    run_over_ranks({"check", options.problems, options.device, 1}, options.ranked);
}

/// Whether no transforms are to be checked, but convolutions, short-time transforms or operators.
bool are_others(const CheckOptions& options) {
    return are_convolutions(options) || are_frames(options) || are_operators(options);
}

void check_others(const CheckOptions& options) {
    const bool are_products = are_convolutions(options), are_short = !are_products && are_frames(options);
    const std::string what = are_products ? "convolution" : are_short ? "short-time transform" : "operator";
    if (options.list)
        throw UsageError("--list: expected transforms, got " +
                         std::string(are_products || are_short ? what : "spectral operator") + "s");
    const Device device = open_device(options.device);
    if (are_products)
        run_others(device, options, convolution_tasks(device, options), what);
    else if (are_short)
        run_others(device, options, frames_tasks(options), what);
    else
        run_others(device, options, operator_tasks(options), what);
}

void run(const CheckOptions& options) {
    if (options.ranked.any()) {
        check_over_ranks(options);
        return;
    }
    if (options.worker) {
        set_quiet(true);  // it speaks with the process that started it
        serve_checks(options.device);
        return;
    }
    if (are_others(options)) {
        check_others(options);
        return;
    }
    require_sense(options);
    const Device device = open_device(options.device);
    std::vector<CheckTask> tasks = tasks_for(device, options);
    if (options.list) {
        for (const CheckTask& task : tasks) print(to_string(task.problem) + "\n");
        return;
    }
    CheckFile file(options.resume, !options.sweep.empty());
    CheckResults results(device.info().name, options.json);
    const bool is_asked = !options.problems.empty();
    for (CheckTask& task : tasks) {
        file.recall(task);
        if (task.done()) results.say(task, false);
    }
    Runner(device, options).run(tasks, [&](const CheckTask& task) {
        file.add(task);
        results.say(task, is_asked);
    });
    std::size_t done = 0;
    for (const CheckTask& task : tasks) {
        if (!task.done()) continue;
        results.add(task);
        ++done;
    }
    results.print({{"seed", options.seed}, {"checked", done}, {"of", tasks.size()}});
    if (done < tasks.size())
        note("the time was up after " + std::to_string(done) + " of " + std::to_string(tasks.size()) + " problems");
    if (results.failures() > 0) throw Failure(counted(results.failures(), "problem") + " failed");
}

}  // namespace

void add_check(Command& app) {
    Command command = app.add_subcommand("check", "Compare transforms with a reference of higher precision");
    auto options = std::make_shared<CheckOptions>();
    command
        .add_option("PROBLEM", options->problems,
                    "Transforms, convolutions, spectral operators or short-time transforms to check (default: random "
                    "problems)")
        .value("PROBLEM");
    command.add_option("--count", options->count, "Number of random problems")
        .within(0, static_cast<std::int64_t>(most_problems))
        .capture_default_str()
        .quantity();
    command.add_option("--seed", options->seed, "Seed of the problems and the data")
        .not_negative()
        .capture_default_str();
    command
        .add_option("--points", options->points,
                    "The largest random problem, in elements (default: depends on the device)")
        .within(1, std::int64_t{1} << 40)
        .quantity();
    command
        .add_option("--sweep", options->sweep,
                    "Check all lengths from LOW to HIGH in f32 and f64; with --convolutions, circular convolutions")
        .value("LOW HIGH")
        .expected(2)
        .within(1, std::int64_t{1} << 40)
        .quantity();
    command
        .add_option("--kinds", options->kinds, "The kinds of transform: all, or a list such as r2c,dct2 (default: c2c)")
        .value("KIND,...");
    command.add_flag("--convolutions", options->convolutions, "Check convolutions instead of transforms");
    command.add_flag("--list", options->list, "Print the problems, one a line, and check none");
    command.add_option("--resume", options->resume, "Keep the results in this file, and continue from it")
        .value("FILE");
    command.add_option("--seconds", options->seconds, "Start no problem after so many seconds");
    command.add_option("--jobs", options->jobs, "Problems at a time (default: one per processor)").within(1, 4096);
    command
        .add_option("--processes", options->processes,
                    "Problems at a time, each in its own process: for drivers that compile one kernel at a time")
        .within(1, 4096);
    command.add_flag("--worker", options->worker).group("");
    add_device_option(command, options->device);
    add_json_option(command, options->json);
    add_recipe_options(command, options->tuning);
    add_ranked_options(command, options->ranked);
    add_middle_stage_option(command, options->stages);
    add_stage_arguments(command, options->stages, false);
    command.footer(
        "The report has the errors by class of problem and, for each failure, the command that repeats it. The "
        "reference is a mixed-radix transform in extended precision. Outputs, gaps and workspaces are filled with NaN "
        "beforehand.\n\n"
        "With --ranks, what each rank has is compared with the same transform on its device alone.");
    command.callback(of_problems([options] { run(*options); }));
}

}  // namespace seiche::cli
