#ifndef __HIPCC_RTC__
#include <hip/hip_runtime.h>
#endif
typedef unsigned int u32;
typedef unsigned long long u64;

extern "C" __global__ void __launch_bounds__(64)
async_copy(
    const float2* __restrict__ in,
    float2* __restrict__ out)
{
    __shared__ __attribute__((aligned(16))) float2 staged[128];
    const u32 thread = threadIdx.x;
    const u32 group = blockIdx.x;
    const u64 v0 = (u64)thread;
    const u64 v1 = (u64)group;
    const u64 v2 = v1 * 64ull;
    const u64 v3 = v2 + v0;
    const u32 v4 = thread * 2u;
    const u64 v5 = v3 * 2ull;
    *(staged + v4) = *(in + v5);
    *(staged + v4 + 1u) = *(in + v5 + 1u);
    __syncthreads();
    const u32 v6 = 127u - thread;
    const float2 v7 = staged[v6];
    out[v3] = make_float2(v7.x, v7.y);
}
