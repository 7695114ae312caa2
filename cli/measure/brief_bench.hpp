// `seiche bench --brief`: thousands of problems in one process, a line each.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "seiche/plan.hpp"

namespace seiche::cli {

/// The problems in a file, one a line; lines that are empty or begin with '#' are none. "-" is standard input, which is
/// read as problems are wanted.
class ProblemLines {
public:
    explicit ProblemLines(const std::string& path);
    /// False: there is no more.
    bool next(std::string& problem);

private:
    std::function<bool(std::string&)> read_line_;
};

struct BriefOptions {
    std::vector<std::string> problems;
    std::string file;  ///< Their number is followed by those of ProblemLines; empty: by none.
    std::function<Tuning(const Problem&)> tuning;
    unsigned repeat = 5;
    std::size_t jobs = 0;     ///< Plans made at a time; 0: one per processor.
    bool plans_only = false;  ///< Nothing is executed.
};

/// Prints CSV on standard output, a line as soon as it is known, in the order of the problems. Nothing is verified, and
/// nothing timed beside. Plans are made ahead, several at a time; transforms are timed one after the other. Throws
/// Failure at the end where problems failed.
void run_brief(const Device& device, const BriefOptions& options);

}  // namespace seiche::cli
