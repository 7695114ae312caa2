// A kernel's way to machine code: selection, then allocation.
#include "emit/x86/entry.hpp"
#include "emit/x86/selection.hpp"
#include "emit/x86/x86.hpp"

namespace seiche::emit::x86 {

bool is_available() { return true; }

Code compile(const ir::Kernel& kernel, InstructionSet set) { return allocate(Selection(kernel, set).run()); }

}  // namespace seiche::emit::x86
