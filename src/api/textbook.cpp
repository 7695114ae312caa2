// The list of textbook recipes.
#include "seiche/textbook.hpp"

#include "exec/inspect.hpp"

namespace seiche {

std::vector<TextbookRecipe> textbook_recipes() { return exec::textbook_recipes(); }

}  // namespace seiche
