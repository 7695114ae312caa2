// The results of `seiche bench` together: how we stand against each peer and the marks, and as a chart.
#include "cli/measure/bench_summary.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "cli/draw/line_chart.hpp"
#include "cli/text/failure.hpp"
#include "cli/text/text.hpp"
#include "cli/workflow/workflow_text.hpp"
#include "seiche/problem.hpp"

namespace seiche::cli {
namespace {

constexpr const char* best = "best";

bool is_peer(const BenchRow& row) { return row.name != "seiche" && row.name != "movement" && !is_copy(row.name); }

class Tally {
public:
    explicit Tally(std::string peer) { standing_.peer = std::move(peer); }
    void add(const BenchResult& result, double speed) {
        ++standing_.problems;
        standing_.faster += speed > 1 ? 1 : 0;
        logarithms_ += std::log(speed);
        if (standing_.problems > 1 && speed >= standing_.worst) return;
        standing_.worst = speed;
        standing_.worst_problem = result.problem;
    }
    Standing standing() const {
        Standing standing = standing_;
        standing.geometric_mean =
            std::exp(logarithms_ / static_cast<double>(std::max<std::size_t>(1, standing.problems)));
        return standing;
    }

private:
    Standing standing_;
    double logarithms_ = 0;
};

/// The length, where a result is of the series: c2c of one axis, a power of two.
unsigned log_length(const Problem& problem) {
    const bool is_plain = problem.kind == Kind::c2c && problem.lengths.size() == 1 &&
                          problem.placement == Placement::out_of_place && problem.input == Layout() &&
                          problem.output == Layout();
    if (!is_plain || !std::has_single_bit(problem.lengths[0])) return 0;
    return static_cast<unsigned>(std::bit_width(problem.lengths[0])) - 1;
}

using Series = std::map<unsigned, const BenchResult*>;  // by logarithm of the length

/// Of consecutive powers the longest run.
Series longest_run(const Series& all) {
    Series longest, run;
    for (const auto& [log, result] : all) {
        if (!run.empty() && run.rbegin()->first + 1 != log) run.clear();
        run[log] = result;
        if (run.size() > longest.size()) longest = run;
    }
    return longest;
}

Series series_of(const std::vector<BenchResult>& results, std::string& precision) {
    std::map<std::string, Series> by_precision;
    for (const BenchResult& result : results) {
        if (is_timed_whole(result.problem)) continue;
        const Problem problem = parse_problem(result.problem);
        const unsigned log = log_length(problem);
        if (log == 0) continue;
        const std::string name =
            problem.storage == Storage::same ? to_string(problem.precision) : std::string(to_string(problem.storage));
        by_precision[name][log] = &result;
    }
    Series longest;
    for (const auto& [name, all] : by_precision) {
        const Series run = longest_run(all);
        if (run.size() <= longest.size()) continue;
        longest = run;
        precision = name;
    }
    return longest;
}

}  // namespace

std::vector<Standing> standings(const std::vector<BenchResult>& results) {
    std::vector<std::pair<std::string, Tally>> tallies;
    Tally of_best(best);
    const auto tally = [&](const std::string& name) -> Tally& {
        for (auto& [known, value] : tallies)
            if (known == name) return value;
        return tallies.emplace_back(name, Tally(name)).second;
    };
    for (const BenchResult& result : results) {
        double fastest = std::numeric_limits<double>::infinity();
        for (const BenchRow& row : result.rows) {
            if (!is_peer(row)) continue;
            tally(row.name).add(result, row.speed_of_seiche);
            fastest = std::min(fastest, row.speed_of_seiche);
        }
        if (std::isfinite(fastest)) of_best.add(result, fastest);
    }
    std::vector<Standing> all;
    for (const auto& [name, value] : tallies) all.push_back(value.standing());
    if (tallies.size() > 1) all.push_back(of_best.standing());
    return all;
}

std::optional<MovementShare> movement_share(const std::vector<BenchResult>& results) {
    Tally tally("movement");
    std::vector<ProblemShare> behind;
    for (const BenchResult& result : results) {
        for (const BenchRow& row : result.rows) {
            if (row.name != "movement") continue;
            tally.add(result, row.speed_of_seiche);
            if (row.speed_of_seiche < enough_of_movement) behind.push_back({result.problem, row.speed_of_seiche});
        }
    }
    if (tally.standing().problems == 0) return std::nullopt;
    std::stable_sort(behind.begin(), behind.end(),
                     [](const ProblemShare& a, const ProblemShare& b) { return a.share < b.share; });
    return MovementShare{tally.standing(), behind};
}

namespace {

std::string movement_text(const std::vector<BenchResult>& results) {
    const std::optional<MovementShare> share = movement_share(results);
    if (!share) return "";
    const Standing& s = share->standing;
    std::string text = "of the movement alone: geometric mean " + fixed(s.geometric_mean, 3) + ", worst " +
                       fixed(s.worst, 3) + " (" + s.worst_problem + "), below " + fixed(enough_of_movement, 2) +
                       " in " + std::to_string(share->behind.size()) + " of " + std::to_string(s.problems) + "\n";
    for (const ProblemShare& one : share->behind) text += "  " + fixed(one.share, 3) + ": " + one.problem + "\n";
    return text;
}

}  // namespace

std::string summary_text(const std::vector<BenchResult>& results) {
    std::string text;
    for (const Standing& s : standings(results)) {
        text += "against " + s.peer + ": geometric mean " + fixed(s.geometric_mean, 3) + " x as fast, worst " +
                fixed(s.worst, 3) + " (" + s.worst_problem + "), faster in " + std::to_string(s.faster) + " of " +
                std::to_string(s.problems) + "\n";
    }
    text += movement_text(results);
    std::size_t marked = 0, reached = 0;
    std::string missed;
    for (const BenchResult& result : results) {
        if (result.mark == 0) continue;
        const double share = result.rows.front().of_best_copy;
        ++marked;
        reached += share >= result.mark ? 1 : 0;
        if (share < result.mark)
            missed += "  " + fixed(share, 3) + ", mark " + fixed(result.mark, 2) + ": " + result.problem + "\n";
    }
    if (marked > 0)
        text += "marks reached: " + std::to_string(reached) + " of " + std::to_string(marked) + "\n" + missed;
    return text;
}

void write_chart(const std::string& path, const std::string& device, const std::vector<BenchResult>& results) {
    std::string precision;
    const Series series = series_of(results, precision);
    if (series.size() < 2)
        throw Failure("--chart: expected two or more results of neighbouring powers of two, c2c of one axis, got " +
                      std::to_string(series.size()));
    draw::LineChart chart;
    double highest = 1;
    std::map<std::string, std::vector<double>> shares;
    std::vector<std::string> order;
    std::size_t column = 0;
    for (const auto& [log, result] : series) {
        for (const BenchRow& row : result->rows) {
            if (is_copy(row.name)) continue;
            if (!shares.contains(row.name)) order.push_back(row.name);
            std::vector<double>& values = shares[row.name];
            values.resize(column, std::numeric_limits<double>::quiet_NaN());  // who could not run it
            values.push_back(row.of_best_copy);
            highest = std::max(highest, row.of_best_copy);
        }
        ++column;
    }
    for (const std::string& name : order) {
        shares[name].resize(column, std::numeric_limits<double>::quiet_NaN());
        chart.curves.push_back({name, shares[name]});
    }
    chart.title = "c2c " + precision + " on " + device;
    chart.subtitle = "fraction of the fastest copy, each byte read once and written once";
    chart.x = {"log2 of the length", static_cast<double>(series.begin()->first),
               static_cast<double>(series.rbegin()->first)};
    chart.y = {"of copy", 0, highest};
    io::OutputFile file(path);
    draw::draw_line_chart(chart, file);
    file.commit();
}

}  // namespace seiche::cli
