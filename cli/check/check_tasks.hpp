// What `seiche check` does one by one: problems with how to verify them, what came of it, and the file that keeps it.
#pragma once

#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/check/verify.hpp"

namespace seiche::cli {

/// One problem to check, and what came of it.
struct CheckTask {
    Problem problem;
    VerifyOptions how;
    std::optional<Accuracy> accuracy;
    std::string error;  ///< Where there is no accuracy.
    bool done() const { return accuracy.has_value() || !error.empty(); }
};

/// The kinds of a list such as `dct2,dct3` or `all`; none for "". Throws UsageError for a word that is no kind.
std::vector<Kind> parse_kinds(const std::string& list);

struct SweepLimits {
    std::uint64_t low = 1, high = 1, seed = 1;
    bool fp64 = true;
    std::vector<Kind> kinds;  ///< None: c2c.
};

/// Every length of every kind in both precisions, in one direction each: forward and inverse share all but their ends,
/// and half as many kernels are compiled.
std::vector<CheckTask> sweep_tasks(const SweepLimits& limits);

/// The results of earlier runs, so that a run goes on where another ended. One line each, "LENGTH PRECISION UNITS ."
/// (of a real kind "... KIND .") for a problem of a sweep, "problem SEED UNITS BOUND TEXT ." for another; lines that
/// were cut short are ignored.
class CheckFile {
public:
    /// Reads the file, if there is one, and opens it to add to it; nothing for "". Throws Failure if it cannot.
    CheckFile(const std::string& path, bool sweep);
    /// Fills in the result of a task that is known.
    void recall(CheckTask& task) const;
    void add(const CheckTask& task);

private:
    std::string key(const CheckTask& task) const;

    bool sweep_;
    struct Known {
        double units = 0, bound = 0;  // 0: the contract's for the problem as it is stated
    };
    std::map<std::string, Known> known_;
    std::ofstream out_;
};

}  // namespace seiche::cli
