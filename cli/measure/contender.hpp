// Those who are timed by turns, and their figures as rows of a result.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "cli/command/progress.hpp"
#include "cli/measure/bench_result.hpp"

namespace seiche::cli {

/// One who is timed in a problem, and the figures.
struct Contender {
    std::string name, description;
    std::function<double(unsigned)> run;                              // milliseconds of one of so many
    unsigned count = 1, most = std::numeric_limits<unsigned>::max();  // in a row, and at most
    std::vector<double> samples;
    double plan_ms = 0;
};

/// Runs all contenders in turn, round after round: what disturbs the machine disturbs them alike.
void run_rounds(std::vector<Contender>& contenders, unsigned repeat, Progress& progress);

/// Puts the rows into the result, which has the large copy already. The faster copy is what fractions are of.
void set_rows(BenchResult& result, const std::vector<Contender>& contenders, std::uint64_t payload_bytes);

/// Now, in universal time, as ISO 8601 has it.
std::string time_text();

}  // namespace seiche::cli
