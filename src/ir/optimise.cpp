// The ordered list of passes.
#include "ir/optimise.hpp"

#include <utility>

namespace seiche::ir {

Kernel optimise(Kernel kernel) { return remove_dead_code(expand_double_double(std::move(kernel))); }

}  // namespace seiche::ir
