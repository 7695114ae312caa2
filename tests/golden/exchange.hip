// 64 points reversed and halved; group of 64
#ifndef __HIPCC_RTC__
#include <hip/hip_runtime.h>
#endif
typedef unsigned int u32;
typedef unsigned long long u64;

extern "C" __global__ void __launch_bounds__(64)
reverse_64(
    const float2* __restrict__ in,
    float2* __restrict__ out,
    u64 count)
{
    __shared__ __attribute__((aligned(16))) float re[64];
    __shared__ __attribute__((aligned(16))) float im[64];
    const u32 thread = threadIdx.x;
    const u32 group = blockIdx.x;
    const u64 v0 = (u64)thread;
    const u64 v1 = (u64)group;
    const u64 v2 = v1 * 64ull;
    const u64 v3 = v2 + v0;
    const bool p4 = v3 < count;
    const float2 v5 = p4 ? in[v3] : make_float2(0.0f, 0.0f);
    re[thread] = v5.x;
    im[thread] = v5.y;
    __syncthreads();
    const u32 v6 = 63u - thread;
    const float v7 = re[v6];
    const float v8 = v7 * 0.5f;
    const float v9 = im[v6];
    const float v10 = v9 * 0.5f;
    if (p4) out[v3] = make_float2(v8, v10);
}
