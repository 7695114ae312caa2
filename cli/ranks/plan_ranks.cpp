#include "cli/ranks/plan_ranks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "cli/command/report.hpp"
#include "cli/ranks/fabric_file.hpp"
#include "cli/ranks/line_order.hpp"
#include "cli/text/failure.hpp"
#include "cli/text/text.hpp"
#include "seiche/distributed/estimate.hpp"
#include "seiche/error.hpp"

namespace seiche::cli {
namespace {

using distributed::Boxes;
using distributed::Decomposition;
using distributed::DistributedOptions;
using distributed::Estimate;
using distributed::EstimatedStep;
using distributed::Fabric;

/// One way to cut the array, and what it takes.
struct Candidate {
    std::string cut;
    Estimate estimate;
};

struct Cluster {
    Problem problem;
    Fabric fabric;
    LimitsChoice limits;
    int ranks = 0;
    bool is_natural = false;
};

/// "131072x131072" of an axis that is two axes.
std::string lengths_of(const Estimate& estimate) {
    std::string text;
    for (const std::uint64_t n : estimate.lengths) text += (text.empty() ? "" : "x") + std::to_string(n);
    return text;
}

Candidate slabs(const Cluster& cluster) {
    DistributedOptions how;
    how.decomposition = Decomposition::slabs;
    const Boxes boxes = distributed::slab_boxes(cluster.problem, cluster.ranks, cluster.is_natural);
    Estimate estimate = distributed::estimate(cluster.problem, boxes, cluster.fabric, cluster.limits.limits, how);
    const bool is_folded = estimate.lengths.size() > cluster.problem.lengths.size();
    const std::string cut = is_folded ? "slabs of " + lengths_of(estimate) : "slabs";
    return {cut, std::move(estimate)};
}

Candidate pencils(const Cluster& cluster, int p, int q) {
    DistributedOptions how;
    how.decomposition = Decomposition::pencils;
    const Boxes boxes = distributed::pencil_boxes(cluster.problem, p, q, cluster.is_natural);
    return {"pencils " + std::to_string(p) + "x" + std::to_string(q),
            distributed::estimate(cluster.problem, boxes, cluster.fabric, cluster.limits.limits, how)};
}

/// Ranks of a row are a node's, where the ranks fill several nodes; else as near to a square as can be.
int row_of(const Cluster& cluster) {
    const std::uint64_t node = cluster.fabric.ranks_per_node;
    const auto ranks = static_cast<std::uint64_t>(cluster.ranks);
    if (node > 1 && ranks > node && ranks % node == 0) return static_cast<int>(node);
    int q = static_cast<int>(std::sqrt(static_cast<double>(cluster.ranks)));
    while (cluster.ranks % q != 0) --q;
    return q;
}

Candidate stated(const Cluster& cluster, const std::string& cut) {
    if (cut == "slabs") return slabs(cluster);
    const std::size_t by = cut.find('x');
    if (by == std::string::npos)
        throw UsageError("--cut: expected best, slabs or parts such as 64x8, got '" + cut + "'");
    const std::int64_t p = parse_integer(cut.substr(0, by), "--cut"), q = parse_integer(cut.substr(by + 1), "--cut");
    if (p < 1 || q < 1 || p > cluster.ranks || q > cluster.ranks || p * q != cluster.ranks)
        throw UsageError("--cut: expected parts whose product is " + std::to_string(cluster.ranks) + ", got '" + cut +
                         "'");
    return pencils(cluster, static_cast<int>(p), static_cast<int>(q));
}

/// What was asked for; of several the fastest first.
std::vector<Candidate> candidates(const Cluster& cluster, const std::string& cut) {
    if (cut != "best") return {stated(cluster, cut)};
    std::vector<Candidate> found{slabs(cluster)};
    const int q = row_of(cluster);
    if (cluster.problem.lengths.size() > 2 && q > 1 && q < cluster.ranks)
        found.push_back(pencils(cluster, cluster.ranks / q, q));
    std::stable_sort(found.begin(), found.end(), [](const Candidate& a, const Candidate& b) {
        return a.estimate.seconds_in_pieces < b.estimate.seconds_in_pieces;
    });
    return found;
}

std::string time_text(double seconds) {
    if (seconds >= 1) return significant(seconds, 3) + " s";
    return seconds >= 1e-3 ? significant(seconds * 1e3, 3) + " ms" : significant(seconds * 1e6, 3) + " us";
}

/// "between nodes 80 %, memory 12 %, messages 8 %": of the time of all steps.
std::string shares(const Estimate& estimate) {
    std::map<std::string, double> by_limit;
    for (const EstimatedStep& step : estimate.steps) {
        by_limit[step.limit] += step.seconds - step.message_seconds;
        by_limit["messages"] += step.message_seconds;
    }
    std::vector<std::pair<std::string, double>> sorted(by_limit.begin(), by_limit.end());
    std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    std::string text;
    for (const auto& [limit, seconds] : sorted) {
        const double percent = estimate.seconds > 0 ? std::round(100 * seconds / estimate.seconds) : 0;
        if (percent >= 1) text += (text.empty() ? "" : ", ") + limit + " " + fixed(percent, 0) + " %";
    }
    return text;
}

std::string in_columns(const std::array<std::string, 6>& cells) {
    constexpr std::array<std::size_t, 6> widths{22, 12, 15, 15, 10, 10};
    std::string line = "  ";
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const std::string gap(widths[i] > cells[i].size() ? widths[i] - cells[i].size() : 1, ' ');
        line += i == 0 ? cells[i] + gap : gap + cells[i];
    }
    return line;
}

std::string table(const Candidate& candidate, bool is_natural) {
    const Estimate& estimate = candidate.estimate;
    const auto bytes = [](std::uint64_t count) { return count == 0 ? std::string() : byte_text(count); };
    std::string text = "\n" + candidate.cut + ", " + (is_natural ? "natural" : "transposed") + " order, each rank\n" +
                       in_columns({"", "memory", "inside a node", "between nodes", "messages", "time"}) + "\n";
    for (const EstimatedStep& step : estimate.steps)
        text += in_columns({step.what, bytes(step.memory_bytes), bytes(step.inside_bytes), bytes(step.between_bytes),
                            step.messages == 0 ? "" : std::to_string(step.messages), time_text(step.seconds)}) +
                "\n";
    text += "  expected " + time_text(estimate.seconds) + ": " + shares(estimate) + "\n";
    if (estimate.pieces > 1)
        text += "  in " + std::to_string(estimate.pieces) +
                " pieces, exchanges beside transforms: " + time_text(estimate.seconds_in_pieces) + "\n";
    return text;
}

std::string order_of(bool is_natural) { return is_natural ? "natural" : "transposed"; }

Json to_json(const Candidate& candidate) {
    Json steps = Json::array();
    for (const EstimatedStep& step : candidate.estimate.steps)
        steps.push_back({{"step", step.what},
                         {"memory_bytes", step.memory_bytes},
                         {"inside_bytes", step.inside_bytes},
                         {"between_bytes", step.between_bytes},
                         {"messages", step.messages},
                         {"seconds", step.seconds},
                         {"message_seconds", step.message_seconds},
                         {"limit", step.limit}});
    return {{"cut", candidate.cut},
            {"seconds", candidate.estimate.seconds},
            {"pieces", candidate.estimate.pieces},
            {"seconds_in_pieces", candidate.estimate.seconds_in_pieces},
            {"steps", steps}};
}

LimitsChoice limits_for(const LimitsOptions& stated, const Fabric& fabric) {
    LimitsOptions options = stated;
    if (!options.any()) options.profile = fabric.profile;
    return choose_limits(options);
}

}  // namespace

void plan_over_ranks(const std::string& problem, const RanksOptions& options, const LimitsOptions& limits, bool json) {
    if (options.ranks == 0) throw UsageError("--fabric, --cut and --natural: expected --ranks beside them");
    if (options.fabric.empty())
        throw UsageError("--ranks: expected the cluster's speeds, --fabric FILE, such as fabrics/dgx-a100.txt");
    Cluster cluster;
    cluster.problem = parse_problem(problem);
    cluster.fabric = read_fabric(options.fabric);
    cluster.limits = limits_for(limits, cluster.fabric);
    cluster.ranks = static_cast<int>(options.ranks);
    cluster.is_natural = options.natural;
    cluster.problem = in_order_of_ranks(std::move(cluster.problem), options.natural);
    const std::vector<Candidate> found = candidates(cluster, options.cut);
    if (json) {
        Json ways = Json::array();
        for (const Candidate& candidate : found) ways.push_back(to_json(candidate));
        print_json({{"problem", to_string(cluster.problem)},
                    {"planned_for", cluster.limits.source},
                    {"fabric", cluster.fabric.name},
                    {"ranks", cluster.ranks},
                    {"ranks_per_node", cluster.fabric.ranks_per_node},
                    {"order", order_of(cluster.is_natural)},
                    {"cuts", ways}});
        return;
    }
    std::string text = "problem    " + to_string(cluster.problem) + "\nranks      " + std::to_string(cluster.ranks) +
                       ", " + std::to_string(cluster.fabric.ranks_per_node) + " a node" +
                       (cluster.fabric.name.empty() ? "" : ", " + cluster.fabric.name) + "\nplanned    passes as on " +
                       cluster.limits.source + "\n";
    for (const Candidate& candidate : found) text += table(candidate, cluster.is_natural);
    print(text);
}

}  // namespace seiche::cli
