// A kernel's way to machine code: selection, then allocation.
#include <string>

#include "emit/x86/entry.hpp"
#include "emit/x86/selection.hpp"
#include "emit/x86/x86.hpp"
#include "seiche/error.hpp"

namespace seiche::emit::x86 {

bool is_available() { return true; }

namespace {

void expect_room(const ir::Kernel& kernel, std::uint64_t frame_bytes) {
    if (frame_bytes > most_frame_bytes)
        throw Unsupported("kernel " + kernel.name + ": machine code needs " + std::to_string(frame_bytes) +
                          " bytes of stack, expected at most " + std::to_string(most_frame_bytes) +
                          "; the device 'reference' runs it");
}

}  // namespace

Code compile(const ir::Kernel& kernel, InstructionSet set) {
    const Machine machine = Selection(kernel, set).run();
    expect_room(kernel, machine.frame_bytes);  // which may be more than an instruction can say
    Code code = allocate(machine);
    expect_room(kernel, code.frame_bytes);
    return code;
}

}  // namespace seiche::emit::x86
