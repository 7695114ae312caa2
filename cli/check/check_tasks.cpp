// What `seiche check` does one by one: problems with how to verify them, what came of it, and the file that keeps it.
#include "cli/check/check_tasks.hpp"

#include <algorithm>
#include <filesystem>
#include <locale>
#include <sstream>

#include "cli/check/geometry.hpp"
#include "cli/system/system.hpp"
#include "cli/text/failure.hpp"
#include "cli/text/text.hpp"

namespace seiche::cli {
namespace {

constexpr Kind all_kinds[] = {Kind::c2c,  Kind::r2c,  Kind::c2r,  Kind::dct1, Kind::dct2, Kind::dct3, Kind::dct4,
                              Kind::dst1, Kind::dst2, Kind::dst3, Kind::dst4, Kind::dht,  Kind::r2hc, Kind::hc2r};

CheckTask sweep_task(std::uint64_t n, Kind kind, Precision precision) {
    constexpr std::uint64_t transforms = 64;
    CheckTask task;
    task.problem.lengths = {n};
    task.problem.kind = kind;
    task.problem.precision = precision;
    task.problem.batch = std::clamp<std::uint64_t>(task.how.points / n, 1, transforms);
    const bool inverse = (n % 2 == 0) == (precision == Precision::f32);
    task.how.directions = inverse ? Directions::inverse : Directions::forward;
    if (kind == Kind::r2c || kind == Kind::c2r) task.how.directions = Directions::both;  // there is only one
    return task;
}

}  // namespace

std::vector<Kind> parse_kinds(const std::string& list) {
    if (list == "all") return {std::begin(all_kinds), std::end(all_kinds)};
    std::vector<Kind> kinds;
    std::istringstream words(list);
    for (std::string word; std::getline(words, word, ',');) {
        const auto* found = std::find_if(std::begin(all_kinds), std::end(all_kinds),
                                         [&](Kind kind) { return word == to_string(kind); });
        if (found == std::end(all_kinds))
            throw UsageError("--kinds: expected all, or kinds such as c2c,r2c,dct2, got '" + printable(word) + "'");
        kinds.push_back(*found);
    }
    return kinds;
}

std::vector<CheckTask> sweep_tasks(const SweepLimits& limits) {
    const std::vector<Kind> kinds = limits.kinds.empty() ? std::vector<Kind>{Kind::c2c} : limits.kinds;
    std::vector<CheckTask> tasks;
    for (std::uint64_t n = limits.low; n <= limits.high; ++n) {
        for (const Kind kind : kinds) {
            if (kind == Kind::dct1 && n == 1) continue;  // there is none
            for (const Precision precision : {Precision::f32, Precision::f64}) {
                if (precision == Precision::f64 && !limits.fp64) continue;
                tasks.push_back(sweep_task(n, kind, precision));
                tasks.back().how.seed = limits.seed;
            }
        }
    }
    return tasks;
}

CheckFile::CheckFile(const std::string& path, bool sweep) : sweep_(sweep) {
    if (path.empty()) return;
    const std::filesystem::path place = path_of(path);
    std::ifstream in(place);
    for (std::string line; std::getline(in, line);) {
        if (line.size() < 2 || line.substr(line.size() - 2) != " .") continue;  // cut short
        std::istringstream words(line.substr(0, line.size() - 2));
        words.imbue(std::locale::classic());
        std::string first, second, rest;
        Known known;
        if (!(words >> first >> second >> known.units)) continue;
        // What a bound allows for storage follows from the plan's passes, so it is kept.
        if (!sweep && !(words >> known.bound)) continue;
        std::getline(words >> std::ws, rest);
        known_[first + " " + second + " " + rest] = known;
    }
    out_.open(place, std::ios::app);
    if (!out_) throw Failure("cannot write to " + path);
    out_ << '\n';  // ends a line that was cut short
}

/// The words of a line, apart from its units: two before them, what is left after them.
std::string CheckFile::key(const CheckTask& task) const {
    const Problem& problem = task.problem;
    if (!sweep_) return "problem " + std::to_string(task.how.seed) + " " + to_string(problem);
    const std::string kind = problem.kind == Kind::c2c ? "" : to_string(problem.kind);
    return std::to_string(problem.lengths[0]) + " " + to_string(problem.precision) + " " + kind;
}

void CheckFile::recall(CheckTask& task) const {
    const auto found = known_.find(key(task));
    if (found == known_.end()) return;
    task.accuracy.emplace();
    task.accuracy->units = found->second.units;
    task.accuracy->bound = found->second.bound;
    if (!sweep_) return;
    const bool forward = Geometry(task.problem).has(Direction::forward);
    task.accuracy->bound = accuracy_bound(task.problem, forward ? Direction::forward : Direction::inverse);
}

void CheckFile::add(const CheckTask& task) {
    if (!out_.is_open() || !task.accuracy || !task.accuracy->good()) return;
    std::istringstream words(key(task));
    std::string first, second, rest;
    words >> first >> second;
    std::getline(words >> std::ws, rest);
    const std::string bound = sweep_ ? "" : " " + shortest(task.accuracy->bound);
    const std::string units = shortest(task.accuracy->units);
    out_ << first + " " + second + " " + units + bound + (rest.empty() ? "" : " " + rest) + " .\n" << std::flush;
}

}  // namespace seiche::cli
