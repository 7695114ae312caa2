// Versions, and properties of plans.
#include "entry.hpp"
#include "handles.hpp"

using namespace seiche::compat;

namespace {

#ifdef SEICHE_COMPAT_HIPFFT
// The interface of this release: hipFFT's numbers are ten thousands, hundreds and ones.
constexpr int major_version = 1, minor_version = 0, patch_version = 20;
constexpr int version = major_version * 10000 + minor_version * 100 + patch_version;
#elif SEICHE_COMPAT_CUFFT == 12
constexpr int major_version = 12, minor_version = 0, patch_version = 0;  // of CUDA 13.0
constexpr int version = major_version * 1000 + minor_version * 100 + patch_version;
#else
constexpr int major_version = 11, minor_version = 4, patch_version = 1;  // of CUDA 12.9
constexpr int version = major_version * 1000 + minor_version * 100 + patch_version;
#endif

[[maybe_unused]] void expect_room(const void* pointer) {
    if (pointer == nullptr) throw Refused{invalid_value, "the place for the value is a null pointer"};
}

}  // namespace

SEICHE_FFT(GetVersion)(int* value) {
    if (value != nullptr) *value = version;  // cuFFT takes a null pointer here, and here alone
    return success;
}

SEICHE_FFT(GetProperty)(int type, int* value) {
    return guarded("GetProperty", [&] {
        expect_room(value);
        if (type == property_major)
            *value = major_version;
        else if (type == property_minor)
            *value = minor_version;
        else if (type == property_patch)
            *value = patch_version;
        else
            throw Refused{invalid_type, "there is no property " + std::to_string(type)};
    });
}

#ifdef SEICHE_COMPAT_HIPFFT

SEICHE_FFT(ExtPlanScaleFactor)(Handle handle, double scale) {
    return guarded("ExtPlanScaleFactor", [&] { plan_of(handle)->set_scale(scale); });
}

SEICHE_FFT(SetCompatibilityMode)(Handle handle, int) {
    return guarded("SetCompatibilityMode", [&] {
        plan_of(handle);
        throw Refused{not_supported, "there is one mode alone, and hipFFT's documentation has none any more"};
    });
}

#else

SEICHE_FFT(SetPlanPropertyInt64)(Handle handle, int property, long long value) {
    return guarded("SetPlanPropertyInt64", [&] { plan_of(handle)->set_property(property, value); });
}

SEICHE_FFT(GetPlanPropertyInt64)(Handle handle, int property, long long* value) {
    return guarded("GetPlanPropertyInt64", [&] {
        const LockedPlan plan = plan_of(handle);
        expect_room(value);
        *value = plan->property(property);
    });
}

SEICHE_FFT(ResetPlanProperty)(Handle handle, int property) {
    return guarded("ResetPlanProperty", [&] { plan_of(handle)->reset_property(property); });
}

SEICHE_FFT(Debug)() {
    return guarded("Debug", [] { throw Refused{not_implemented, "this function is not documented"}; });
}

#endif
