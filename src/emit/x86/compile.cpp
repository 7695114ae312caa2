// A kernel's way to machine code: selection, then allocation.
#include "emit/machine/allocate.hpp"
#include "emit/x86/encoder.hpp"
#include "emit/x86/selection.hpp"
#include "emit/x86/x86.hpp"

namespace seiche::emit::x86 {

bool is_available() { return true; }

Code compile(const ir::Kernel& kernel, InstructionSet set) {
    const Machine selected = Selection(kernel, set).run();
    machine::expect_room(kernel, selected.frame_bytes);  // which may be more than an instruction can say
    Encoder encoder(selected, set);
    Code code = machine::allocate(selected, encoder);
    machine::expect_room(kernel, code.frame_bytes);
    return code;
}

}  // namespace seiche::emit::x86
