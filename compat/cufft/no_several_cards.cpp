// In a build without transforms over several ranks.
#include "entry.hpp"
#include "several_cards.hpp"

namespace seiche::compat {

std::unique_ptr<SeveralCards> several_cards(const std::vector<int>&, const PlanRequest&, std::optional<double>, bool) {
    throw Refused{not_implemented, "this library was built without transforms over several cards"};
}

}  // namespace seiche::compat
