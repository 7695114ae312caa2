// Transforms are enqueued.
#include "entry.hpp"
#include "handles.hpp"

using namespace seiche::compat;

namespace {

/// As cuFFT: the plan's own transform, whatever the function's name says of types.
int execute(const char* name, Handle handle, void* input, void* output, int direction) noexcept {
    return guarded(
        name, [&] { plan_of(handle)->execute(input, output, direction); }, true);
}

}  // namespace

SEICHE_FFT(ExecC2C)(Handle handle, void* input, void* output, int direction) {
    return execute("ExecC2C", handle, input, output, direction);
}
SEICHE_FFT(ExecR2C)(Handle handle, void* input, void* output) {
    return execute("ExecR2C", handle, input, output, direction_forward);
}
SEICHE_FFT(ExecC2R)(Handle handle, void* input, void* output) {
    return execute("ExecC2R", handle, input, output, direction_inverse);
}
SEICHE_FFT(ExecZ2Z)(Handle handle, void* input, void* output, int direction) {
    return execute("ExecZ2Z", handle, input, output, direction);
}
SEICHE_FFT(ExecD2Z)(Handle handle, void* input, void* output) {
    return execute("ExecD2Z", handle, input, output, direction_forward);
}
SEICHE_FFT(ExecZ2D)(Handle handle, void* input, void* output) {
    return execute("ExecZ2D", handle, input, output, direction_inverse);
}
SEICHE_FFT(XtExec)(Handle handle, void* input, void* output, int direction) {
    return execute("XtExec", handle, input, output, direction);
}

SEICHE_FFT(SetStream)(Handle handle, void* stream) {
    return guarded("SetStream", [&] { plan_of(handle)->set_stream(stream); });
}
