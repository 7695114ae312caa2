// The user's stages of a problem: parsed, checked, and agreed with one another.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "expression/waves.hpp"
#include "problem/problem.hpp"

namespace seiche::problem {

/// True if any of the four stages is there, or one that conjugates what an hfft reads and an ihfft writes.
bool has_programs(const Problem& problem);

/// A stage that is a text; null: there is none. Throws InvalidProblem.
std::shared_ptr<const expression::Program> checked_text(const UserStage& stage, const expression::Context& context,
                                                        const std::vector<expression::WaveNumber>& waves = {});
/// One name is one argument of an execution, so both stages (null: none) mean the same by it. Throws InvalidProblem
/// that names the field of the second.
void check_agreement(const expression::Program* first, const std::string& name_of_first,
                     const expression::Program* second, const std::string& field);

/// The problem's axes as normalise found them.
struct AxesInOrder {
    const std::vector<bool>& transformed;  ///< A flag for each.
    const std::vector<Loop>& loops;        ///< Of those that are not, in the problem's order.
};

/// Fills what Canonical has of stages; its axes and loops are there already. `kinds` has the kind of each axis. The
/// directions are the problem's. Throws InvalidProblem: of a text with line and column, of other fields by their name.
void add_stages(const Problem& problem, const std::vector<Kind>& kinds, const AxesInOrder& order, Canonical& canonical);

}  // namespace seiche::problem
