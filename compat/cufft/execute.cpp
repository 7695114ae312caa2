// Transforms are enqueued.
#include "entry.hpp"
#include "handles.hpp"

using namespace seiche::compat;

namespace {

using seiche::Kind;
using seiche::Precision;
using seiche::Storage;

/// By the function for one type; what the plan has must be that.
int execute(const char* name, Handle handle, void* input, void* output, int direction, Kind kind,
            Precision precision) noexcept {
    return guarded(
        name,
        [&] {
            const LockedPlan plan = plan_of(handle);
            if (plan->kind() != kind || plan->precision() != precision || plan->storage() != Storage::same)
                throw Refused{invalid_plan, "the plan is for another type of transform"};
            plan->execute(input, output, direction);
        },
        true);
}

}  // namespace

SEICHE_FFT(ExecC2C)(Handle handle, void* input, void* output, int direction) {
    return execute("ExecC2C", handle, input, output, direction, Kind::c2c, Precision::f32);
}
SEICHE_FFT(ExecR2C)(Handle handle, void* input, void* output) {
    return execute("ExecR2C", handle, input, output, direction_forward, Kind::r2c, Precision::f32);
}
SEICHE_FFT(ExecC2R)(Handle handle, void* input, void* output) {
    return execute("ExecC2R", handle, input, output, direction_inverse, Kind::c2r, Precision::f32);
}
SEICHE_FFT(ExecZ2Z)(Handle handle, void* input, void* output, int direction) {
    return execute("ExecZ2Z", handle, input, output, direction, Kind::c2c, Precision::f64);
}
SEICHE_FFT(ExecD2Z)(Handle handle, void* input, void* output) {
    return execute("ExecD2Z", handle, input, output, direction_forward, Kind::r2c, Precision::f64);
}
SEICHE_FFT(ExecZ2D)(Handle handle, void* input, void* output) {
    return execute("ExecZ2D", handle, input, output, direction_inverse, Kind::c2r, Precision::f64);
}

SEICHE_FFT(XtExec)(Handle handle, void* input, void* output, int direction) {
    return guarded(
        "XtExec", [&] { plan_of(handle)->execute(input, output, direction); }, true);
}

SEICHE_FFT(SetStream)(Handle handle, void* stream) {
    return guarded("SetStream", [&] { plan_of(handle)->set_stream(stream); });
}
