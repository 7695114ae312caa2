// What `seiche explain` shows of a plan, as text and as a picture.
#pragma once

#include <complex>
#include <optional>
#include <string>
#include <vector>

#include "cli/draw/scene.hpp"
#include "seiche/explain.hpp"

namespace seiche::cli {

/// The longest length whose DFT matrix is shown, and the most lines of a graph that has values beside them.
inline constexpr std::uint64_t longest_matrix = 16, most_valued_lines = 16;

struct ExplainedPlan {
    Problem problem;
    Explanation explanation;
    std::string planned_for;
    /// What was followed through the graph, and whether the user gave it.
    std::vector<std::complex<double>> input;
    bool has_input = false;
    std::optional<FollowedValues> values;
    double difference = 0;  ///< Between graph and kernels, relative L2; of `values`.
};

/// "pass 1 of 2: forward_0_n256, input to output".
std::string pass_title(const Explanation& explanation, std::size_t kernel);
/// "16 groups of 256 threads; 256 sequences of 256 points, 16 a group, 16 threads each".
std::string pass_shape(const ExplainedPlan& plan, std::size_t kernel);
/// "stays with its thread 25 %, ..."; empty where that is not known.
std::string exchange_shares(const Exchange& exchange);
/// "0.7071-0.7071i"; what is below `scale` by far is 0.
std::string value_text(std::complex<double> value, double scale, int digits = 4);
/// "w8^3", "-1", "-i"; of a factor that is no root of unity its value.
std::string factor_text(const FlowFactor& factor);
bool is_one(const FlowFactor& factor);
/// Names of the first and last lines: "x[3]", "X[1,2]".
std::string line_name(const ExplainedPlan& plan, std::uint64_t line, bool input);
/// Why no DFT matrix is shown; empty: it is.
std::string why_no_matrix(const ExplainedPlan& plan);
/// What the whole plan moves through a level of memory, read and written, by one execution.
struct LevelBytes {
    std::uint64_t read = 0, written = 0;
};
LevelBytes bytes_at(const Explanation& explanation, MemoryLevel level);

/// That the graph was compared with the kernels, and how close they are; of a plan with values.
std::string checked_text(const ExplainedPlan& plan);

std::string explain_text(const ExplainedPlan& plan);
draw::Scene explain_picture(const ExplainedPlan& plan);
/// The flow graph with its upper left corner there; its size.
draw::Box draw_graph(const ExplainedPlan& plan, draw::Point at, draw::Scene& scene);
draw::Colour level_colour(MemoryLevel level);

}  // namespace seiche::cli
