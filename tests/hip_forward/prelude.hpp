// What HIP's dialect has and NVRTC lacks, put before a kernel's text.
#pragma once

namespace hip_forward {

inline constexpr const char* prelude = R"CUDA(#pragma nv_diag_suppress 161
#undef __launch_bounds__
#define __launch_bounds__(threads, ...) __attribute__((launch_bounds(threads)))
struct forward_half {
    unsigned short bits;
    forward_half() = default;
    __device__ explicit forward_half(float x) { asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x)); }
    __device__ explicit forward_half(double x) { asm("cvt.rn.f16.f64 %0, %1;" : "=h"(bits) : "d"(x)); }
    __device__ explicit operator float() const {
        float x;
        asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(bits));
        return x;
    }
};
#define FORWARD_HALF_OPERATION(symbol, name)                                                      \
    __device__ __forceinline__ forward_half operator symbol(forward_half a, forward_half b) {     \
        forward_half c;                                                                           \
        asm(name ".rn.f16 %0, %1, %2;" : "=h"(c.bits) : "h"(a.bits), "h"(b.bits));                \
        return c;                                                                                 \
    }
FORWARD_HALF_OPERATION(+, "add")
FORWARD_HALF_OPERATION(-, "sub")
FORWARD_HALF_OPERATION(*, "mul")
__device__ __forceinline__ forward_half forward_fma_f16(forward_half a, forward_half b, forward_half c) {
    forward_half d;
    asm("fma.rn.f16 %0, %1, %2, %3;" : "=h"(d.bits) : "h"(a.bits), "h"(b.bits), "h"(c.bits));
    return d;
}
#define _Float16 forward_half
#define __builtin_fmaf16 forward_fma_f16
__device__ __forceinline__ unsigned int __lane_id() {
    unsigned int lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}
template <class T>
__device__ __forceinline__ T __shfl(T x, int lane) { return __shfl_sync(__activemask(), x, lane); }
template <class T>
__device__ __forceinline__ T __shfl_xor(T x, int mask) { return __shfl_xor_sync(__activemask(), x, mask); }
__device__ __forceinline__ void __builtin_amdgcn_wave_barrier() { __syncwarp(); }
#line 1
)CUDA";

}  // namespace hip_forward
