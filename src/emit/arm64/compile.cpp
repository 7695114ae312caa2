// A kernel's way to machine code: selection, then allocation.
#include "emit/arm64/arm64.hpp"
#include "emit/arm64/encoder.hpp"
#include "emit/arm64/selection.hpp"
#include "emit/machine/allocate.hpp"

namespace seiche::emit::arm64 {

Code compile(const ir::Kernel& kernel) {
    const Machine selected = Selection(kernel).run();
    machine::expect_room(kernel, selected.frame_bytes);  // which may be more than an instruction can say
    Encoder encoder(selected);
    Code code = machine::allocate(selected, encoder);
    machine::expect_room(kernel, code.frame_bytes);
    return code;
}

}  // namespace seiche::emit::arm64
