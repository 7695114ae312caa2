// The report of `seiche check`: errors by class of problem, and the failures with what replays them.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cli/check/check_tasks.hpp"
#include "cli/command/report.hpp"

namespace seiche::cli {

class CheckResults {
public:
    CheckResults(std::string device, bool json) : device_(std::move(device)), json_(json) {}
    void add(const CheckTask& task);
    /// The same of anything that was compared; `error` where there is no accuracy.
    struct Entry {
        std::string kind, precision, text;
        std::optional<Accuracy> accuracy;
        std::string error;
        std::uint64_t seed = 1;
        std::string options = {};  ///< What else replays it.
    };
    void add(const Entry& entry);
    /// Prints, as text, what has just come of a problem: a failure always, else where `is_asked`.
    void say(const CheckTask& task, bool is_asked) const;
    void say(const Entry& entry, bool is_asked) const;
    std::size_t failures() const { return failures_.size(); }
    /// As text, or as JSON beside what `head` has.
    void print(Json head) const;

private:
    /// What is known of one class of problems in one precision.
    struct Line {
        std::uint64_t problems = 0, measured = 0, failures = 0;
        double worst = 0, sum = 0, bound = 0;
        std::string worst_problem;
        double mean() const { return measured == 0 ? 0 : sum / static_cast<double>(measured); }
    };
    struct Failed {
        std::string problem, reason, replay;
    };
    static Entry entry_of(const CheckTask& task);
    std::string failure_text(const Entry& entry, const std::string& reason) const;
    std::string text() const;
    void print_as_json(Json head) const;

    std::string device_;
    bool json_;
    std::map<std::pair<std::string, std::string>, Line> lines_;
    std::vector<Failed> failures_;
};

}  // namespace seiche::cli
