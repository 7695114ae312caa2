// Textbook recipes: published algorithms that are planned, compiled, checked and timed as Seiche's own are.
#pragma once

#include <string>
#include <vector>

#include "seiche/visibility.h"

SEICHE_EXPORT_BEGIN
namespace seiche {

/// A published algorithm that `Tuning::recipe` may name.
struct TextbookRecipe {
    std::string name;  ///< E.g. "stockham-radix-2".
    std::string text;  ///< The key of the text that has it: mota2022, romero2007, amd2011, wang or temperton1985.
    std::string description;  ///< One line.
};

/// All of them, text by text. What each can transform: docs/explanation/textbook-recipes.md.
std::vector<TextbookRecipe> textbook_recipes();

}  // namespace seiche
SEICHE_EXPORT_END
