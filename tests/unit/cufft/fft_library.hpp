// cuFFT's and hipFFT's functions as a program finds them: by name in a library that is loaded at run time.
#pragma once

#include <dlfcn.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace fft_test {

#ifdef TEST_HIPFFT
using Handle = void*;
inline const Handle no_handle = nullptr;
inline Handle handle_of(int number) { return reinterpret_cast<Handle>(static_cast<std::ptrdiff_t>(number)); }
constexpr const char* prefix = "hipfft";
#else
using Handle = int;
constexpr Handle no_handle = -1;
inline Handle handle_of(int number) { return number; }
constexpr const char* prefix = "cufft";
#endif

constexpr int success = 0, invalid_plan = 1, invalid_type = 3, invalid_value = 4, exec_failed = 6, invalid_size = 8,
              no_workspace = 13, not_implemented = 14, not_supported = 16;
constexpr int c2c = 0x29, r2c = 0x2a, c2r = 0x2c, z2z = 0x69, d2z = 0x6a, z2d = 0x6c;
constexpr int forward = -1, inverse = 1;
using Long = long long;
using Size = std::size_t;

struct Descriptor {  // of one card, as its first fields lie
    int version;
    struct Memory {
        int version, cards, card[64];
        void* data[64];
        Size size[64];
        void* state;
    } * memory;
    int library, format;
    void* own;
};

struct Library {
    void* handle = dlopen(TEST_FFT_LIBRARY, RTLD_NOW | RTLD_LOCAL);

    template <class Function>
    Function* find(const char* name) const {
        if (handle == nullptr) throw std::runtime_error(dlerror());
        void* const found = dlsym(handle, (std::string(prefix) + name).c_str());
        if (found == nullptr) throw std::runtime_error(std::string("there is no ") + prefix + name);
        return reinterpret_cast<Function*>(found);
    }

#define TEST_FUNCTION(name, ...) int (*const name)(__VA_ARGS__) = find<int(__VA_ARGS__)>(#name)
    TEST_FUNCTION(Create, Handle*);
    TEST_FUNCTION(Destroy, Handle);
    TEST_FUNCTION(Plan1d, Handle*, int, int, int);
    TEST_FUNCTION(Plan2d, Handle*, int, int, int);
    TEST_FUNCTION(Plan3d, Handle*, int, int, int, int);
    TEST_FUNCTION(PlanMany, Handle*, int, int*, int*, int, int, int*, int, int, int, int);
    TEST_FUNCTION(MakePlan1d, Handle, int, int, int, Size*);
    TEST_FUNCTION(MakePlan2d, Handle, int, int, int, Size*);
    TEST_FUNCTION(MakePlan3d, Handle, int, int, int, int, Size*);
    TEST_FUNCTION(MakePlanMany, Handle, int, int*, int*, int, int, int*, int, int, int, int, Size*);
    TEST_FUNCTION(MakePlanMany64, Handle, int, Long*, Long*, Long, Long, Long*, Long, Long, int, Long, Size*);
    TEST_FUNCTION(XtMakePlanMany, Handle, int, Long*, Long*, Long, Long, int, Long*, Long, Long, int, Long, Size*, int);
    TEST_FUNCTION(Estimate1d, int, int, int, Size*);
    TEST_FUNCTION(Estimate2d, int, int, int, Size*);
    TEST_FUNCTION(Estimate3d, int, int, int, int, Size*);
    TEST_FUNCTION(EstimateMany, int, int*, int*, int, int, int*, int, int, int, int, Size*);
    TEST_FUNCTION(GetSize, Handle, Size*);
    TEST_FUNCTION(GetSize1d, Handle, int, int, int, Size*);
    TEST_FUNCTION(GetSize2d, Handle, int, int, int, Size*);
    TEST_FUNCTION(GetSize3d, Handle, int, int, int, int, Size*);
    TEST_FUNCTION(GetSizeMany, Handle, int, int*, int*, int, int, int*, int, int, int, int, Size*);
    TEST_FUNCTION(GetSizeMany64, Handle, int, Long*, Long*, Long, Long, Long*, Long, Long, int, Long, Size*);
    TEST_FUNCTION(XtGetSizeMany, Handle, int, Long*, Long*, Long, Long, int, Long*, Long, Long, int, Long, Size*, int);
    TEST_FUNCTION(ExecC2C, Handle, void*, void*, int);
    TEST_FUNCTION(ExecR2C, Handle, void*, void*);
    TEST_FUNCTION(ExecC2R, Handle, void*, void*);
    TEST_FUNCTION(ExecZ2Z, Handle, void*, void*, int);
    TEST_FUNCTION(ExecD2Z, Handle, void*, void*);
    TEST_FUNCTION(ExecZ2D, Handle, void*, void*);
    TEST_FUNCTION(XtExec, Handle, void*, void*, int);
    TEST_FUNCTION(SetStream, Handle, void*);
    TEST_FUNCTION(SetWorkArea, Handle, void*);
    TEST_FUNCTION(SetAutoAllocation, Handle, int);
    TEST_FUNCTION(GetVersion, int*);
    TEST_FUNCTION(GetProperty, int, int*);
    TEST_FUNCTION(XtSetGPUs, Handle, int, int*);
    TEST_FUNCTION(XtMalloc, Handle, Descriptor**, int);
    TEST_FUNCTION(XtFree, Descriptor*);
    TEST_FUNCTION(XtMemcpy, Handle, void*, void*, int);
    TEST_FUNCTION(XtExecDescriptor, Handle, Descriptor*, Descriptor*, int);
    TEST_FUNCTION(XtExecDescriptorC2C, Handle, Descriptor*, Descriptor*, int);
    TEST_FUNCTION(XtSetCallback, Handle, void**, int, void**);
    TEST_FUNCTION(XtClearCallback, Handle, int);
#undef TEST_FUNCTION
};

inline const Library& fft() {
    static const Library library;
    return library;
}

}  // namespace fft_test
