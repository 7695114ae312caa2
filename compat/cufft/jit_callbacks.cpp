// Callbacks as compiled code (LTO-IR, as NVRTC and nvcc make it with -dlto), which is linked into a plan's kernels.
#include <cstddef>
#include <cstdint>

#include "entry.hpp"
#include "handles.hpp"

using namespace seiche::compat;

namespace {

#ifndef SEICHE_COMPAT_HIPFFT
int set_callback(const char* name, Handle handle, const char* symbol, const void* code, std::size_t bytes, int type,
                 void** caller_info) noexcept {
    return guarded(name, [&] {
        const LockedPlan plan = plan_of(handle);
        if (code == nullptr || bytes == 0) throw Refused{invalid_value, "the function's code is missing"};
        // Whether there is a function of that name shows when the plan is made.
        const auto* const first = static_cast<const std::byte*>(code);
        // One pointer for each card, of which there is one.
        plan->set_callback(type, {symbol == nullptr ? "" : symbol,
                                  {first, first + bytes},
                                  caller_info == nullptr ? nullptr : caller_info[0]});
    });
}
#endif

}  // namespace

SEICHE_FFT(XtClearCallback)(Handle handle, int type) {
    return guarded("XtClearCallback", [&] { plan_of(handle)->clear_callback(type); });
}

#ifdef SEICHE_COMPAT_HIPFFT
#elif SEICHE_COMPAT_CUFFT == 12
SEICHE_FFT(XtSetJITCallback)
(Handle handle, const char* symbol, const void* code, std::size_t bytes, int type, void** caller_info) {
    return set_callback("XtSetJITCallback", handle, symbol, code, bytes, type, caller_info);
}
#else
namespace {

/// The names that CUDA 12.6 expects, by cufftXtCallbackType.
const char* conventional_name(int type) {
    static constexpr const char* names[] = {"cufftJITCallbackLoadComplex",  "cufftJITCallbackLoadDoubleComplex",
                                            "cufftJITCallbackLoadReal",     "cufftJITCallbackLoadDoubleReal",
                                            "cufftJITCallbackStoreComplex", "cufftJITCallbackStoreDoubleComplex",
                                            "cufftJITCallbackStoreReal",    "cufftJITCallbackStoreDoubleReal"};
    constexpr int count = sizeof names / sizeof names[0];
    return type >= 0 && type < count ? names[type] : "unknown";
}

}  // namespace

// Of CUDA 12.6, and under a name of its own what the headers of 12.7 and newer call.
SEICHE_FFT(XtSetJITCallback)
(Handle handle, const void* code, std::size_t bytes, int type, void** caller_info) {
    return set_callback("XtSetJITCallback", handle, conventional_name(type), code, bytes, type, caller_info);
}
extern "C" __attribute__((visibility("default"))) int __cufftXtSetJITCallback_12_7(Handle handle, const char* symbol,
                                                                                   const void* code, std::size_t bytes,
                                                                                   int type, void** caller_info) {
    return set_callback("XtSetJITCallback", handle, symbol, code, bytes, type, caller_info);
}
#endif
