// In place of the other sources where Xbyak is not there or not wanted.
#include "emit/x86/entry.hpp"
#include "emit/x86/x86.hpp"
#include "seiche/error.hpp"

namespace seiche::emit::x86 {

bool is_available() { return false; }

Code compile(const ir::Kernel& kernel, InstructionSet) {
    throw Unsupported("kernel " + kernel.name + ": this library has no Xbyak, which machine code is made with");
}

const void* const* host_functions() { return nullptr; }

}  // namespace seiche::emit::x86
