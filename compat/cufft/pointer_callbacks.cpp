// Callbacks that are pointers to device functions of the program's own code, which no library that makes its kernels at
// run time can call.
#include <cstddef>

#include "entry.hpp"
#include "handles.hpp"

using namespace seiche::compat;

SEICHE_FFT(XtSetCallback)(Handle handle, void**, int, void**) {
    return guarded("XtSetCallback", [&] {
        plan_of(handle);
        throw Refused{not_implemented, "callbacks by device pointer cannot be called from kernels made at run time"};
    });
}

SEICHE_FFT(XtSetCallbackSharedSize)(Handle handle, int, std::size_t bytes) {
    return guarded("XtSetCallbackSharedSize", [&] {
        plan_of(handle);
        if (bytes != 0) throw Refused{invalid_plan, "callbacks have no shared memory"};
    });
}
