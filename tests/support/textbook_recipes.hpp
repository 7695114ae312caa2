// The textbook recipes that are for a problem's lengths: one for powers of two leaves 15 alone, the prime-factor
// algorithm 16.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "planner/design/textbook.hpp"
#include "problem/problem.hpp"
#include "seiche/problem.hpp"

namespace seiche {

inline bool recipe_takes(const std::string& name, const Problem& problem) {
    const std::vector<problem::Axis> axes = problem::normalise(problem).axes;
    return std::all_of(axes.begin(), axes.end(),
                       [&](const problem::Axis& axis) { return planner::textbook_takes(name, axis.length); });
}

inline std::vector<TextbookRecipe> recipes_for(const std::string& problem) {
    std::vector<TextbookRecipe> taking;
    for (const TextbookRecipe& recipe : planner::textbook_entries())
        if (recipe_takes(recipe.name, parse_problem(problem))) taking.push_back(recipe);
    return taking;
}

}  // namespace seiche
