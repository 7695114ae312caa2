// In place of the other sources where AsmJit is not there, or cannot be linked into the library.
#include "emit/x86/entry.hpp"
#include "emit/x86/x86.hpp"
#include "seiche/error.hpp"

namespace seiche::emit::x86 {

bool is_available() { return false; }

Code compile(const ir::Kernel& kernel, InstructionSet) {
    throw Unsupported("kernel " + kernel.name + ": this library has no AsmJit, which machine code is made with");
}

const void* const* host_functions() { return nullptr; }

}  // namespace seiche::emit::x86
