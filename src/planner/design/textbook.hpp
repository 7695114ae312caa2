// The published algorithms that Seiche descends from, as recipes by name.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "planner/recipe.hpp"
#include "seiche/textbook.hpp"

namespace seiche::planner {

const std::vector<TextbookRecipe>& textbook_entries();

/// Whether a recipe is for axes of so many points. Throws Unsupported for a name that there is not.
bool textbook_takes(const std::string& name, std::uint64_t n);

/// The launches of tuning.recipe for this problem. Throws Unsupported for a name that there is not, with those that
/// there are, and for a problem or a tuning that the recipe has no room for.
TextbookLaunches design_textbook(const problem::Canonical& problem, const DeviceLimits& limits, const Tuning& tuning);

}  // namespace seiche::planner
