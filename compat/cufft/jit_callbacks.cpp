// Callbacks as LTO-IR, which NVRTC compiles from source.
#include <cstddef>

#include "entry.hpp"
#include "handles.hpp"

using namespace seiche::compat;

namespace {

#ifndef SEICHE_COMPAT_HIPFFT
int set_callback(const char* name, Handle handle, const char* symbol, const void* code, std::size_t bytes, int type,
                 void** caller_info) noexcept {
    return guarded(name, [&] {
        plan_of(handle);
        (void)symbol, (void)code, (void)bytes, (void)type, (void)caller_info;
        throw Refused{not_implemented, "callbacks as LTO-IR are not to be had"};
    });
}
#endif

}  // namespace

SEICHE_FFT(XtClearCallback)(Handle handle, int) {
    return guarded("XtClearCallback", [&] {
        plan_of(handle);
        throw Refused{not_implemented, "no callback can be set, so that there is none to clear"};
    });
}

#ifdef SEICHE_COMPAT_HIPFFT
#elif SEICHE_COMPAT_CUFFT == 12
SEICHE_FFT(XtSetJITCallback)
(Handle handle, const char* symbol, const void* code, std::size_t bytes, int type, void** caller_info) {
    return set_callback("XtSetJITCallback", handle, symbol, code, bytes, type, caller_info);
}
#else
// Of CUDA 12 the first has the symbol's name by convention; the second is what its headers from 12.7 on make of the
// name.
SEICHE_FFT(XtSetJITCallback)
(Handle handle, const void* code, std::size_t bytes, int type, void** caller_info) {
    return set_callback("XtSetJITCallback", handle, nullptr, code, bytes, type, caller_info);
}
extern "C" __attribute__((visibility("default"))) int __cufftXtSetJITCallback_12_7(Handle handle, const char* symbol,
                                                                                   const void* code, std::size_t bytes,
                                                                                   int type, void** caller_info) {
    return set_callback("XtSetJITCallback", handle, symbol, code, bytes, type, caller_info);
}
#endif
