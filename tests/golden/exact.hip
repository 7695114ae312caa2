#ifndef __HIPCC_RTC__
#include <hip/hip_runtime.h>
#endif
typedef unsigned int u32;
typedef unsigned long long u64;
__device__ __forceinline__ double exact_mul_f64(double a, double b) {
#pragma clang fp contract(off)
    return a * b;
}
__device__ __forceinline__ double exact_add_f64(double a, double b) {
#pragma clang fp contract(off)
    return a + b;
}

extern "C" __global__ void __launch_bounds__(1) __attribute__((amdgpu_num_vgpr(64)))
two_product(
    const double* __restrict__ in,
    double* __restrict__ out)
{
    const u32 group = blockIdx.x;
    const u64 v0 = (u64)group;
    const double v1 = in[v0];
    const double v2 = exact_mul_f64(v1, v1);
    const double v3 = -v2;
    const double v4 = fma(v1, v1, v3);
    const double v5 = exact_add_f64(v4, v2);
    out[v0] = v5;
}
