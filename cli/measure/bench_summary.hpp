// The results of `seiche bench` together: how we stand against each peer and the marks, and as a chart.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/measure/bench_result.hpp"

namespace seiche::cli {

/// Their time over ours, over all problems that both ran.
struct Standing {
    std::string peer;  ///< "best": of each problem the fastest peer.
    std::size_t problems = 0, faster = 0;
    double geometric_mean = 0, worst = 0;
    std::string worst_problem;
};

/// Of every peer, and where there are several of the best; copies and our own movement are none.
std::vector<Standing> standings(const std::vector<BenchResult>& results);

struct ProblemShare {
    std::string problem;
    double share = 0;
};

/// What our plans lose to arithmetic: how our time compares with the movement's, where that was timed.
struct MovementShare {
    Standing standing;                 ///< Its time over ours; at most about 1.
    std::vector<ProblemShare> behind;  ///< Those below `enough_of_movement`, the worst first.
};
/// Below this a kernel is not bound by what it moves, and arithmetic is worth a look.
inline constexpr double enough_of_movement = 0.93;
std::optional<MovementShare> movement_share(const std::vector<BenchResult>& results);

/// For people: a line for each standing, and one for each problem below its mark or behind its movement. Empty where
/// there is nothing to say.
std::string summary_text(const std::vector<BenchResult>& results);

/// Fractions of the best copy against the length, a curve for each who was timed, as PNG: of the longest series of
/// powers of two among the results that are c2c of one axis and one precision. Throws Failure where there are not two.
void write_chart(const std::string& path, const std::string& device, const std::vector<BenchResult>& results);

}  // namespace seiche::cli
