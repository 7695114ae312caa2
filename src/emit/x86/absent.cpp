// In place of the other sources where Xbyak is not there or not wanted.
#include "emit/x86/x86.hpp"
#include "seiche/error.hpp"

namespace seiche::emit::x86 {

bool is_available() { return false; }

machine::Code compile(const ir::Kernel& kernel, InstructionSet) {
    throw Unsupported("kernel " + kernel.name + ": this library has no Xbyak, which machine code is made with");
}

}  // namespace seiche::emit::x86
