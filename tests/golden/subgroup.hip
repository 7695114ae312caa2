#ifndef __HIPCC_RTC__
#include <hip/hip_runtime.h>
#endif
typedef unsigned int u32;
typedef unsigned long long u64;

extern "C" __global__ void __launch_bounds__(64)
subgroup_swap(
    float* __restrict__ data)
{
    const u32 thread = threadIdx.x;
    const u32 group = blockIdx.x;
    const u64 v0 = (u64)thread;
    const u64 v1 = (u64)group;
    const u64 v2 = v1 * 64ull;
    const u64 v3 = v2 + v0;
    const float v4 = data[v3];
    const u32 v5 = __lane_id();
    const float v6 = __shfl_xor(v4, (int)1u);
    const float v7 = __shfl(v4, (int)0u);
    __threadfence_block();
    __builtin_amdgcn_wave_barrier();
    const float v8 = (float)v5;
    const float v9 = v6 + v7;
    const float v10 = v9 + v8;
    data[v3] = v10;
}
