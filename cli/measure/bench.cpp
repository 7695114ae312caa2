// `seiche bench`: times problems on a device, beside copies, the same recipe without arithmetic, and other libraries.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <functional>
#include <future>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/command/commands.hpp"
#include "cli/command/report.hpp"
#include "cli/io/output_file.hpp"
#include "cli/measure/bench_record.hpp"
#include "cli/measure/bench_summary.hpp"
#include "cli/measure/bench_table.hpp"
#include "cli/measure/bench_workflow.hpp"
#include "cli/measure/brief_bench.hpp"
#include "cli/measure/contender.hpp"
#include "cli/measure/peer.hpp"
#include "cli/measure/plan_times.hpp"
#include "cli/measure/timed_plan.hpp"
#include "cli/problem/stage_options.hpp"
#include "cli/problem/suites.hpp"
#include "cli/problem/tuning_options.hpp"
#include "cli/problem/wisdom_file.hpp"
#include "cli/ranks/group_options.hpp"
#include "cli/text/text.hpp"
#include "cli/text/words.hpp"
#include "cli/workflow/rival.hpp"
#include "cli/workflow/workflow.hpp"
#include "seiche/error.hpp"
#include "seiche/short_time.hpp"
#include "seiche/spectral.hpp"
#include "seiche/version.hpp"

namespace seiche::cli {
namespace {

struct BenchOptions {
    std::vector<std::string> problems, against, suites;
    std::string device, csv, chart, resume, table_file, problem_file;
    std::vector<TableEntry> table;
    unsigned repeat = 15;
    std::uint64_t seed = 1;
    Tuning tuning;
    std::string wisdom_file;
    std::optional<Wisdom> wisdom;
    std::size_t jobs = 0;
    RankedOptions ranked;
    StageOptions stages;  // of operators: the middle one alone
    bool movement = false, cached_input = false, in_graph = false, plan_times = false, plan_probe = false, json = false,
         brief = false;
};

using Row = BenchRow;
using Result = BenchResult;

void require_right(const Accuracy& accuracy, const std::string& problem, const char* when) {
    if (accuracy.good()) return;
    const std::string fault = !accuracy.fault.empty() ? accuracy.fault
                                                      : "error " + significant(accuracy.units, 3) +
                                                            " units, expected at most " + fixed(accuracy.bound, 1);
    throw Failure("wrong answer " + std::string(when) + " timing " + problem + ": " + fault);
}

/// What is forced, or what the wisdom has; else all is left to the cost model.
Tuning tuning_for(const BenchOptions& options, const Device& device, const Problem& problem) {
    return options.wisdom ? tuning_of(*options.wisdom, device.info(), problem) : options.tuning;
}

/// What one run's problems share.
struct Session {
    const Device& device;
    const BenchOptions& options;
    CopyRates large_copy;
    PeerPrograms programs;
    std::shared_ptr<HostArrays> host;
};

/// Another library with its transform, or why it has none.
struct Rival {
    std::string name;
    std::unique_ptr<Peer> peer;
    std::string absence;
    bool is_refusal = false;  // it would be absent another time as well
};

/// Whoever fails is absent.
template <class Work>
void attempt(Rival& rival, const Work& work) {
    try {
        work();
    } catch (const Failure& reason) {
        rival.peer.reset();
        rival.absence = one_line(reason.what());
        rival.is_refusal = dynamic_cast<const PeerRefusal*>(&reason) != nullptr;
    }
}

/// One after the other, while nothing else runs: some choose their plans by time.
std::vector<Rival> plan_rivals(Session& session, const Problem& problem) {
    std::vector<Rival> rivals;
    for (const std::string& name : session.options.against) {
        Rival& rival = rivals.emplace_back();
        rival.name = name;
        attempt(rival, [&] {
            rival.peer = std::make_unique<Peer>(session.programs, name, problem, session.device.info(),
                                                session.options.cached_input, session.options.in_graph);
        });
    }
    return rivals;
}

/// What is not timed goes on at once: our verification, the rivals', and the making of what moves data only. All of it
/// is done when this returns or throws.
Accuracy verify_all(TimedPlan& ours, std::vector<Rival>& rivals, const BenchOptions& options) {
    auto movement = std::async(std::launch::async, [&] {
        if (options.movement) ours.make_movement();
    });
    auto verified = std::async(std::launch::async, [&] {
        for (Rival& rival : rivals)
            if (rival.peer) attempt(rival, [&] { rival.peer->verify(); });
    });
    const Accuracy accuracy = ours.verify(options.seed);
    movement.get();
    verified.get();
    return accuracy;
}

std::vector<Contender> contenders_of(TimedPlan& ours, const std::vector<Rival>& rivals, bool movement) {
    std::vector<Contender> contenders;
    const auto add = [&](const std::string& name, const std::string& description) -> Contender& {
        Contender& contender = contenders.emplace_back();
        contender.name = name;
        contender.description = description;
        return contender;
    };
    add("seiche", "").run = [&](unsigned count) { return ours.run(count); };
    if (movement)
        add("movement", "the same recipe with an identity core").run = [&](unsigned n) { return ours.run_movement(n); };
    add(own_copy, "the backend's own, of as many bytes").run = [&](unsigned count) { return ours.copy(count); };
    if (ours.has_copy_kernel())
        add(copy_kernel, "by a kernel of ours").run = [&](unsigned count) { return ours.copy_by_kernel(count); };
    for (const Rival& rival : rivals) {
        if (!rival.peer) continue;
        Contender& contender = add(rival.name, rival.peer->description());
        contender.plan_ms = rival.peer->plan_milliseconds();
        contender.run = [peer = rival.peer.get()](unsigned count) { return peer->run(count); };
    }
    for (Contender& contender : contenders)
        if (!is_copy(contender.name)) contender.most = ours.most_in_a_row();
    contenders.front().plan_ms = ours.plan_first_ms();
    return contenders;
}

BenchOrigin origin_on(const DeviceInfo& device) {
    return {device.name, to_string(device.backend), printable(device.description), printable(device.driver), version(),
            ""};
}

void require_graphs(const Device& device) {
    if (device.info().backend != Backend::cuda)
        throw Failure("a graph: expected a device of CUDA, got " + device.info().name);
    if (workflow_rivals().empty()) throw Failure("a graph: this build has none (SEICHE_BUILD_BENCH)");
}

/// As the library writes it.
std::string canonical_text(const std::string& problem) {
    if (is_workflow(problem)) return to_string(parse_workflow(problem));
    if (is_short_time(problem)) return to_string(parse_short_time(problem));
    return is_spectral(problem) ? to_string(parse_spectral(problem)) : to_string(parse_problem(problem));
}

/// A result that has only what was asked.
Result question(const Device& device, const SuiteCase& one, const BenchOptions& options) {
    Result result;
    result.problem = canonical_text(one.problem);
    if (!is_timed_whole(one.problem))
        result.tuning = to_string(tuning_for(options, device, parse_problem(one.problem)));
    result.against = options.against;
    result.movement = options.movement;
    result.cached_input = options.cached_input;
    result.in_graph = options.in_graph;
    result.repeat = options.repeat;
    result.mark = one.mark;
    result.origin = origin_on(device.info());
    return result;
}

Result bench_one_workflow(Session& session, Result result) {
    const BenchOptions& options = session.options;
    result.large_copy = session.large_copy.best();
    result.large_copy_by = session.large_copy.name();
    bench_workflow(session.device, {options.against, options.repeat, options.seed, session.host, options.stages},
                   result);
    result.origin.measured = time_text();
    return result;
}

Result bench_one(Session& session, Result result) {
    const Device& device = session.device;
    const BenchOptions& options = session.options;
    const Problem problem = parse_problem(result.problem);
    Progress progress("timing " + result.problem);
    TimedPlan ours(device, problem, tuning_for(options, device, problem),
                   {.host = session.host,
                    .cached_input = options.cached_input,
                    .as_graph = options.in_graph ? GraphMaker(as_graph) : GraphMaker()});
    std::vector<Rival> rivals = plan_rivals(session, problem);
    result.accuracy = verify_all(ours, rivals, options);
    require_right(result.accuracy, result.problem, "before");
    ours.make_copy_kernel();
    for (const Rival& rival : rivals) {
        if (rival.peer) continue;
        result.absent.push_back(rival.name + ": " + rival.absence);
        result.is_complete = result.is_complete && rival.is_refusal;
    }
    std::vector<Contender> contenders = contenders_of(ours, rivals, options.movement);
    run_rounds(contenders, options.repeat, progress);
    require_right(ours.verify(options.seed + 1), result.problem, "after");

    const PlanReport& report = ours.plan().report();
    result.recipe = report.recipe;
    result.kernels = static_cast<std::uint32_t>(report.kernels.size());
    result.compiled = report.compiled;
    result.plan_first_ms = ours.plan_first_ms();
    result.plan_again_us = ours.plan_again_us();
    result.large_copy = session.large_copy.best();
    result.large_copy_by = session.large_copy.name();
    set_rows(result, contenders, ours.payload_bytes());
    result.origin.measured = time_text();
    return result;
}

void print_text(const Result& result, bool is_known) {
    std::size_t width = 12;  // a table's libraries have long names
    for (const Row& row : result.rows) width = std::max(width, row.name.size());
    std::string text = result.problem + (is_known ? "  (measured " + result.origin.measured + ")" : "") +
                       (result.cached_input ? "  (the input in the cache)" : "") +
                       (result.in_graph ? "  (as a graph)" : "") + "\n  " + result.recipe +
                       "\n  verified: " + fixed(result.accuracy.units, 2) + " units, bound " +
                       fixed(result.accuracy.bound, 1) + "; planned in " + significant(result.plan_first_ms, 3) +
                       (is_timed_whole(result.problem)
                            ? " ms (" + counted(result.compiled, "kernel") + " compiled)\n"
                            : " ms (" + std::to_string(result.compiled) + " of " + counted(result.kernels, "kernel") +
                                  " compiled), again in " + significant(result.plan_again_us, 3) + " us\n") +
                       std::string(width, ' ') +
                       "   median ms    quartiles              fastest       GB/s  of copy  of best copy  seiche is\n";
    for (const Row& row : result.rows) {
        char line[160];
        std::snprintf(line, sizeof line, " %10.4f  %9.4f .. %-9.4f %9.4f  %9.1f  %7.3f  %12.3f  %6.2f x as fast",
                      row.milliseconds.median, row.milliseconds.lower_quartile, row.milliseconds.upper_quartile,
                      row.milliseconds.least, row.rate, row.of_copy, row.of_best_copy, row.speed_of_seiche);
        text += "  " + row.name + std::string(width - row.name.size(), ' ') + line;
        if (!row.description.empty()) text += "  (" + row.description + ")";
        text += "\n";
    }
    for (const std::string& reason : result.absent) text += "  not timed: " + reason + "\n";
    print(text);
    std::fflush(stdout);
}

/// A field of a line of CSV: quoted where it has a comma or a quote.
std::string csv_field(const std::string& text) {
    if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

/// Columns have their places: new ones go to the end.
void write_csv(const std::string& path, const std::vector<Result>& results) {
    io::OutputFile file(path);
    file.write(
        "problem,device,name,median_ms,lower_quartile_ms,upper_quartile_ms,fastest_ms,gb_per_s,of_copy,of_best_copy,"
        "speed_of_seiche,plan_ms,units,description,driver,version,measured,recipe,mark,input,yardstick,launch\n");
    for (const Result& result : results) {
        const BenchOrigin& origin = result.origin;
        const std::string where = csv_field(origin.description) + "," + csv_field(origin.driver) + "," +
                                  origin.version + "," + origin.measured;
        const std::string mark = result.mark > 0 ? significant(result.mark, 4) : "";
        for (const Row& row : result.rows) {
            std::string line = "\"" + result.problem + "\"," + origin.device + "," + csv_field(row.name);
            for (const double value :
                 {row.milliseconds.median, row.milliseconds.lower_quartile, row.milliseconds.upper_quartile,
                  row.milliseconds.least, row.rate, row.of_copy, row.of_best_copy, row.speed_of_seiche, row.plan_ms}) {
                line += "," + significant(value, 6);
            }
            const bool is_ours = row.name == "seiche";
            line += "," + (is_ours ? significant(result.accuracy.units, 4) : "") + "," +
                    (row.from_table ? ",,," : where) + ",";
            line += is_ours ? csv_field(result.recipe) + "," + mark : ",";
            line += result.cached_input ? ",cached," : ",,";
            line += row.from_table ? "," : result.yardstick + (result.in_graph ? ",graph" : ",");
            file.write(line + "\n");
        }
    }
    file.commit();
}

void bench_plan_times(const Device& device, const std::vector<std::string>& problems, const BenchOptions& options) {
    constexpr unsigned most_rounds = 5;
    Json rows = Json::array();
    if (!options.json) print("   cold ms  later ms   disk ms  later ms   again us  kernels  problem\n");
    for (const std::string& problem : problems) {
        const PlanTimes times = measure_plan_times(problem, device.info().name, std::min(options.repeat, most_rounds));
        rows.push_back({{"problem", problem},
                        {"cold_ms", times.cold_ms},
                        {"cold_later_ms", times.cold_later_ms},
                        {"disk_ms", times.disk_ms},
                        {"disk_later_ms", times.disk_later_ms},
                        {"again_us", times.again_us},
                        {"kernels", times.kernels},
                        {"rounds", times.rounds}});
        if (options.json) continue;
        print_formatted("%10.1f%10.1f%10.2f%10.2f%11.2f%9u  %s\n", times.cold_ms, times.cold_later_ms, times.disk_ms,
                        times.disk_later_ms, times.again_us, times.kernels, problem.c_str());
    }
    if (options.json) print_json({{"device", device.info().name}, {"plan_times", rows}});
}

Json to_json(const Standing& standing) {
    return {{"peer", standing.peer},     {"problems", standing.problems},
            {"faster", standing.faster}, {"geometric_mean", standing.geometric_mean},
            {"worst", standing.worst},   {"worst_problem", standing.worst_problem}};
}

Json to_json(const MovementShare& share) {
    Json behind = Json::array();
    for (const ProblemShare& one : share.behind) behind.push_back({{"problem", one.problem}, {"share", one.share}});
    return {{"problems", share.standing.problems}, {"geometric_mean", share.standing.geometric_mean},
            {"worst", share.standing.worst},       {"worst_problem", share.standing.worst_problem},
            {"enough", enough_of_movement},        {"behind", behind}};
}

void finish(const BenchOptions& options, const Device& device, const std::vector<Result>& results,
            const CopyRates& large_copy) {
    if (!options.chart.empty()) write_chart(options.chart, device.info().description, results);
    if (!options.json) {
        if (results.size() > 1) print(summary_text(results));
        return;
    }
    Json list = Json::array(), against = Json::array();
    for (const Result& result : results) list.push_back(to_json(result));
    for (const Standing& standing : standings(results)) against.push_back(to_json(standing));
    Json json{{"device", device.info().name},
              {"description", device.info().description},
              {"driver", device.info().driver},
              {"version", version()},
              {"large_copy_gb_per_s", large_copy.best()},
              {"large_copy_by", large_copy.name()},
              {"repeat", options.repeat},
              {"results", list},
              {"against", against}};
    if (const std::optional<MovementShare> share = movement_share(results)) json["movement"] = to_json(*share);
    print_json(json);
}

/// A problem that was asked for, with what is known of it.
struct Slot {
    Result asked;
    std::optional<Result> result;
};

/// Rows that the record does not keep: they are another file's.
void add_table(const BenchOptions& options, Result& result) {
    for (Row& row : table_rows(options.table, result)) result.rows.push_back(std::move(row));
}

std::vector<Slot> slots_of(const Device& device, const std::vector<SuiteCase>& cases, const BenchOptions& options,
                           const std::optional<BenchRecord>& record) {
    std::vector<Slot> slots;
    for (const SuiteCase& one : cases) {
        Slot slot{question(device, one, options), {}};
        if (const Result* known = record ? record->find(slot.asked) : nullptr) {
            slot.result = *known;
            slot.result->mark = one.mark;  // the list's that was asked for now
            add_table(options, *slot.result);
        }
        slots.push_back(std::move(slot));
    }
    return slots;
}

std::vector<Result> results_of(const std::vector<Slot>& slots) {
    std::vector<Result> results;
    for (const Slot& slot : slots)
        if (slot.result) results.push_back(*slot.result);
    return results;
}

/// Measures what is not known; returns how many failed.
std::size_t fill(Session& session, std::vector<Slot>& slots, std::optional<BenchRecord>& record) {
    const BenchOptions& options = session.options;
    std::size_t failures = 0;
    for (Slot& slot : slots) {
        const bool is_known = slot.result.has_value();
        try {
            if (!is_known)
                slot.result = is_timed_whole(slot.asked.problem) ? bench_one_workflow(session, slot.asked)
                                                                 : bench_one(session, slot.asked);
        } catch (const std::exception& error) {
            if (slots.size() == 1) throw;
            note(slot.asked.problem + ": " + error.what());  // the others may still be worth their time
            ++failures;
            continue;
        }
        if (!is_known && record && slot.result->is_complete) {  // what an end cuts short is kept, here and below
            record->set(*slot.result);
            record->save();
        }
        if (!is_known) add_table(options, *slot.result);
        if (!options.json) print_text(*slot.result, is_known);
        if (!options.csv.empty()) write_csv(options.csv, results_of(slots));
    }
    return failures;
}

/// "3900.0 GB/s (copy-kernel; copy 840.0)": the slower one only where it was measured.
std::string text_of(const CopyRates& rates) {
    const double slower = std::min(rates.own, rates.kernel);
    const char* const other = rates.name() == std::string(own_copy) ? copy_kernel : own_copy;
    return fixed(rates.best(), 1) + " GB/s (" + rates.name() +
           (slower > 0 ? std::string("; ") + other + " " + fixed(slower, 1) : "") + ")";
}

void bench_speed(const Device& device, const std::vector<SuiteCase>& cases, const BenchOptions& options) {
    std::optional<BenchRecord> record;
    if (!options.resume.empty()) record.emplace(options.resume, origin_on(device.info()));
    std::vector<Slot> slots = slots_of(device, cases, options, record);
    Session session{device, options, {}, {}, std::make_shared<HostArrays>(device)};
    const std::vector<Result> known = results_of(slots);
    if (known.size() == slots.size()) {
        const Result& last = known.back();
        (last.large_copy_by == own_copy ? session.large_copy.own : session.large_copy.kernel) = last.large_copy;
    } else {
        if (record) record->save();  // a file that cannot be written is refused before the work
        session.large_copy = large_copy_rates(device);
    }
    if (!options.json) print(device.info().name + ": large copy " + text_of(session.large_copy) + "\n");
    const std::size_t failures = fill(session, slots, record);
    finish(options, device, results_of(slots), session.large_copy);
    if (failures > 0) throw Failure(std::to_string(failures) + " of " + counted(cases.size(), "problem") + " failed");
}

std::vector<SuiteCase> cases_of(const BenchOptions& options) {
    std::vector<SuiteCase> cases;
    for (const std::string& text : options.problems) cases.push_back({text});
    for (const std::string& name : options.suites) {
        const Suite& suite = find_suite(name);
        cases.insert(cases.end(), suite.cases.begin(), suite.cases.end());
    }
    if (options.brief) return cases;  // which reads the file as it goes on
    ProblemLines lines(options.problem_file);
    for (std::string text; lines.next(text);) cases.push_back({text});
    return cases;
}

void bench_briefly(const BenchOptions& options, const std::vector<SuiteCase>& cases) {
    const std::pair<const char*, bool> apart[] = {{"--vs", !options.against.empty()},
                                                  {"--baselines", !options.table_file.empty()},
                                                  {"--movement", options.movement},
                                                  {"--csv", !options.csv.empty()},
                                                  {"--resume", !options.resume.empty()},
                                                  {"--chart", !options.chart.empty()},
                                                  {"--cached-input", options.cached_input},
                                                  {"--graph", options.in_graph},
                                                  {"--json", options.json}};
    for (const auto& [name, is_given] : apart)
        if (is_given) throw UsageError(std::string("--brief: expected no ") + name + " beside it");
    const Device opened = open_device(options.device);
    const Device device = options.wisdom ? with_table_of(*options.wisdom, opened) : opened;
    BriefOptions brief;
    for (const SuiteCase& one : cases) brief.problems.push_back(one.problem);
    brief.file = options.problem_file;
    brief.tuning = [&](const Problem& problem) { return tuning_for(options, device, problem); };
    brief.repeat = options.repeat;
    brief.jobs = options.jobs;
    brief.plans_only = options.plan_times;
    run_brief(device, brief);
}

void bench_over_ranks(const BenchOptions& options) {
    if (!options.suites.empty() || !options.problem_file.empty() || !options.against.empty() || !options.csv.empty() ||
        !options.chart.empty() || !options.resume.empty() || !options.table_file.empty() || options.brief ||
        options.plan_times || options.cached_input || options.in_graph || options.json ||
        !options.wisdom_file.empty() || !(options.tuning == Tuning{}))
        throw UsageError("--ranks: expected PROBLEMs and --repeat, got other options of bench");
    run_over_ranks({"bench", options.problems, options.device, options.repeat}, options.ranked);
}

/// Workflows are timed whole, by the plans that they are made of; operators and short-time transforms alike.
void require_fitting_workflows(const BenchOptions& options, const std::vector<SuiteCase>& cases) {
    const auto of_stages =
        std::find_if(cases.begin(), cases.end(), [](const SuiteCase& one) { return !is_spectral(one.problem); });
    if (options.stages.any() && of_stages != cases.end())
        throw UsageError("--middle-stage: expected spectral operators such as \"256x256 real f32\", got '" +
                         of_stages->problem + "'");
    const auto found =
        std::find_if(cases.begin(), cases.end(), [](const SuiteCase& one) { return is_timed_whole(one.problem); });
    if (found == cases.end()) return;
    const std::pair<const char*, bool> apart[] = {{"--plan-times", options.plan_times || options.plan_probe},
                                                  {"--brief", options.brief},
                                                  {"--movement", options.movement},
                                                  {"--cached-input", options.cached_input},
                                                  {"--graph", options.in_graph},
                                                  {"--wisdom", options.wisdom.has_value()},
                                                  {"tuning", !(options.tuning == Tuning{})}};
    const std::string what = is_workflow(found->problem) ? "the workflow '" : "'";
    for (const auto& [name, is_given] : apart)
        if (is_given) throw UsageError(std::string(name) + ": expected transforms, got " + what + found->problem + "'");
    if (options.stages.any() && !options.resume.empty())
        throw UsageError("--resume: expected problems without stages, which its file does not keep");
    for (const SuiteCase& one : cases)
        if (is_timed_whole(one.problem)) (void)make_workflow(one.problem, options.stages);  // it makes sense
}

void run(BenchOptions& options) {
    if (options.ranked.any()) {
        bench_over_ranks(options);
        return;
    }
    if (!options.chart.empty() && !options.chart.ends_with(".png"))
        throw UsageError("--chart: expected a name that ends in .png, got '" + options.chart + "'");
    const std::vector<SuiteCase> cases = cases_of(options);
    if (cases.empty() && (!options.brief || options.problem_file.empty()))
        throw UsageError("expected a PROBLEM such as '1024 f32 batch=4096', --suite or --problems");
    if (options.jobs != 0 && !options.brief) throw UsageError("--jobs: expected --brief beside it");
    if (options.repeat == 0) throw UsageError("--repeat: expected a number above 0, got 0");
    if (!options.table_file.empty()) options.table = read_table(options.table_file);
    if (!options.resume.empty() && (options.plan_times || options.plan_probe))
        throw UsageError("--resume: expected times of transforms, got --plan-times beside it");
    if (options.cached_input && options.plan_times)
        throw UsageError("--cached-input: expected times of transforms, got --plan-times beside it");
    if (options.in_graph && options.plan_times)
        throw UsageError("--graph: expected times of transforms, got --plan-times beside it");
    if (!options.wisdom_file.empty()) {
        if (!(options.tuning == Tuning{})) throw UsageError("--wisdom: expected no other tuning beside it");
        options.wisdom = read_wisdom(options.wisdom_file);
    }
    require_fitting_workflows(options, cases);
    if (options.plan_probe) {
        run_plan_probe(cases.front().problem, options.device);
        return;
    }
    if (options.brief) {
        bench_briefly(options, cases);
        return;
    }
    std::vector<std::string> texts;
    for (const SuiteCase& one : cases) texts.push_back(canonical_text(one.problem));
    const Device opened = open_device(options.device);
    const Device device = options.wisdom ? with_table_of(*options.wisdom, opened) : opened;
    if (options.cached_input) require_cached_inputs(device);
    if (options.in_graph) require_graphs(device);
    if (options.plan_times) {
        bench_plan_times(device, texts, options);
    } else {
        bench_speed(device, cases, options);
    }
}

void add_comparisons(Command& command, BenchOptions& options) {
    const char* const group = "Comparisons";
    command
        .add_option("--vs", options.against,
                    "Other libraries, in the same run: fftw, clfft, vkfft, vkfft-vulkan, vkfft-cuda, cufft, rocfft")
        .value("NAME")
        .delimiter(',')
        .group(group);
    command
        .add_option("--baselines", options.table_file,
                    "Figures of other libraries from a CSV file, compared by their fraction of copy bandwidth")
        .value("FILE")
        .group(group);
    command
        .add_flag("--movement", options.movement,
                  "Also time the same plan without arithmetic: the cost of moving the data alone")
        .group(group);
}

void add_result_files(Command& command, BenchOptions& options) {
    const char* const group = "Results";
    command.add_option("--csv", options.csv, "Also write the figures to this file, after each problem")
        .value("FILE")
        .group(group);
    command
        .add_option("--resume", options.resume,
                    "Keep the results in this file, written after each problem, and time only those that it lacks")
        .value("FILE")
        .group(group);
    command
        .add_option("--chart", options.chart,
                    "Draw the fractions of copy bandwidth of a series of powers of two, as .png")
        .value("FILE")
        .group(group);
}

}  // namespace

void add_bench(Command& app) {
    Command command = app.add_subcommand("bench", "Time transforms, compared with a device copy and other libraries");
    auto options = std::make_shared<BenchOptions>();
    command
        .add_option(
            "PROBLEM", options->problems,
            "Transforms to time, e.g. \"1024 f32 batch=4096\", workflows, e.g. \"matched-filter 64x1024\", spectral "
            "operators or short-time transforms")
        .value("PROBLEM");
    command.add_option("--suite", options->suites, "Also the problems of these lists: " + suite_names())
        .value("NAME")
        .delimiter(',');
    command
        .add_option("--problems", options->problem_file,
                    "Also the problems in this file (-: standard input), one a line")
        .value("FILE");
    command.add_flag("--plan-times", options->plan_times,
                     "Time planning instead of transforms, in fresh processes (with --brief: in this one, once)");
    command.add_flag("--plan-probe", options->plan_probe).group("");
    command.add_flag("--cached-input", options->cached_input,
                     "Read the same 4 MiB as every input, so that it stays in the cache and only results go to memory "
                     "(CUDA only)");
    command.add_flag(
        "--graph", options->in_graph,
        "Launch all executions of a sample as one graph, so that launches cost the host nothing; workflows "
        "always are (CUDA only)");
    command.add_flag("--brief", options->brief,
                     "For thousands of problems: a line of CSV each, nothing verified and nothing else timed; plans "
                     "are made ahead");
    command.add_option("--jobs", options->jobs, "With --brief: plans made at a time (default: one per processor)")
        .within(1, 4096);
    command.add_option("--repeat", options->repeat, "Samples per problem").within(1, 100000).capture_default_str();
    command.add_option("--seed", options->seed, "Seed of the data").not_negative().capture_default_str();
    command.add_option("--wisdom", options->wisdom_file, "Use the tunings in this file, which `seiche tune` wrote")
        .value("FILE");
    add_device_option(command, options->device);
    add_json_option(command, options->json);
    add_comparisons(command, *options);
    add_result_files(command, *options);
    add_tuning_options(command, options->tuning);
    add_ranked_options(command, options->ranked);
    add_middle_stage_option(command, options->stages);
    add_stage_arguments(command, options->stages, false);
    command.footer(
        "Answers are verified before and after timing, but for --brief. GB/s counts each byte as read once and written "
        "once. Fractions of copy bandwidth are of the faster of two copies: the backend's own (copy) and a kernel that "
        "reads and writes each element once (copy-kernel); the output names it. Other libraries run in seiche-peers "
        "($SEICHE_PEERS, else beside this program), in turn with Seiche. Workflows are whole: convolutions, operators, "
        "spectra (docs/reference/workflows.md); --vs cufft composes them of cuFFT and kernels of its own.\n\n"
        "With --ranks, times are wall-clock times from a barrier to a barrier, and what each rank has is compared with "
        "the same transform on its device alone.");
    command.callback(of_problems([options] { run(*options); }));
}

}  // namespace seiche::cli
