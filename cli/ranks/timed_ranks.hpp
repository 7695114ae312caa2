// A transform over several ranks, timed and compared with the same transform on each rank's device alone.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/ranks/group.hpp"

namespace seiche::cli {

struct TimedRanks {
    std::string problem;
    RankGroup group;
    unsigned repeat = 20;                    ///< Executions of each plan that are timed, after one that is not.
    std::vector<std::uint64_t> pieces = {};  ///< A plan for each; 0 and none: as many as cost least.
    bool pencils = false;                    ///< Cut along two axes; else slabs, along one.
    bool natural = false;                    ///< The output is cut as the input; else along another axis, and
                                             ///< of one complex axis in pass order.
    bool no_check = false;                   ///< Nothing is compared.
};

/// Rank 0 prints on stdout. Whether the results of all ranks of this process were right, as far as they were compared;
/// what was not is said on stderr. Of f32 and f64, for pencils of three axes or more.
bool time_ranks(const TimedRanks& options, const std::string& program);

}  // namespace seiche::cli
