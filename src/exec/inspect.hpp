// Plans as values, without a device: reports, sources, analyses.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "emit/source.hpp"
#include "kernels/contract/generate.hpp"
#include "planner/recipe.hpp"
#include "problem/problem.hpp"
#include "seiche/emit.hpp"
#include "seiche/explain.hpp"
#include "seiche/inspect.hpp"
#include "seiche/plan.hpp"
#include "seiche/textbook.hpp"

namespace seiche::exec {

/// The recipe, kernels and bytes of a plan for both directions or one. Times and counts of compilation are left at 0.
PlanReport describe(const Problem& problem, const DeviceLimits& limits, const PlanOptions& options);

/// See seiche/explain.hpp.
Explanation explain(const Problem& problem, const DeviceLimits& limits, const Tuning& tuning, std::uint32_t most_lines);
FollowedValues follow(const Problem& problem, const DeviceLimits& limits, const Tuning& tuning,
                      const std::vector<std::complex<double>>& input);
/// See seiche/textbook.hpp.
std::vector<TextbookRecipe> textbook_recipes();

/// See candidate_tunings in seiche/wisdom.hpp.
std::vector<Tuning> candidates(const Problem& problem, const DeviceLimits& limits);

/// See MeasuredTable.
std::shared_ptr<const planner::measured::TextTable> read_table(const std::string& text);
const std::string& text_of(const planner::measured::TextTable& table);
/// See environment_tables in seiche/tables.hpp: what to say of each file, and its text.
struct NamedText {
    std::string name, text;
};
std::vector<NamedText> environment_tables();
/// See Wisdom::table; empty: it has no rows.
std::string table_of(const std::vector<std::pair<Problem, Tuning>>& tuned, const DeviceLimits& limits,
                     const std::string& source);

struct GeneratedKernel {
    planner::Step step;
    emit::Source source;
    std::uint64_t workspace_a_elements = 0, workspace_b_elements = 0;  ///< Of the whole schedule, per batch entry.
};
/// Of the problem: forward, or its only one.
Direction default_direction(const problem::Canonical& problem);

/// The sources of one direction of the problem, in order.
std::vector<GeneratedKernel> sources(const problem::Canonical& problem, const DeviceLimits& limits,
                                     const planner::LowerOptions& options, const emit::Target& target);

/// The same with its arguments, as they are for the problem's batch.
EmittedKernel described(const GeneratedKernel& generated, const problem::Canonical& problem);

/// The core of a transform of one length, as a function for a user's own kernel.
struct DeviceFunctionText {
    std::string name, text;
    kernels::CoreSide before, after;
    std::uint32_t registers = 0;
    std::uint64_t shared_bytes = 0, twiddle_bytes = 0;
};
/// Throws InvalidProblem unless the problem is a length and a precision and nothing else, and Unsupported for one that
/// no group transforms by itself.
DeviceFunctionText device_function(const problem::Canonical& problem, const DeviceLimits& limits,
                                   const planner::LowerOptions& options, const emit::Target& target);

/// Interprets every kernel of the forward schedule, or of the only one, on random data and counts.
std::vector<AnalysisReport> analyse(const problem::Canonical& problem, const DeviceLimits& limits,
                                    const Tuning& tuning);

}  // namespace seiche::exec
