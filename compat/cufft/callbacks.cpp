// Callbacks that are pointers to device functions of the program's own code, which no library that makes its kernels at
// run time can call.
#include <cstddef>

#include "entry.hpp"
#include "handles.hpp"

using namespace seiche::compat;

namespace {

int refuse(const char* name, Handle handle) noexcept {
    return guarded(name, [&] {
        plan_of(handle);
        throw Refused{not_implemented, "callbacks by device pointer cannot be called from kernels made at run time"};
    });
}

}  // namespace

SEICHE_FFT(XtSetCallback)(Handle handle, void**, int, void**) { return refuse("XtSetCallback", handle); }

SEICHE_FFT(XtSetCallbackSharedSize)(Handle handle, int, std::size_t) {
    return refuse("XtSetCallbackSharedSize", handle);
}
