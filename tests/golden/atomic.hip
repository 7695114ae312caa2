#ifndef __HIPCC_RTC__
#include <hip/hip_runtime.h>
#endif
typedef unsigned int u32;
typedef unsigned long long u64;

extern "C" __global__ void __launch_bounds__(32)
atomic_count(
    u32* counters)
{
    const u32 thread = threadIdx.x;
    const bool p0 = thread < 20u;
    if (p0) __threadfence();
    const u32 v1 = p0 ? atomicAdd(counters + 0ull, 1u) : 0u;
    __threadfence();
    const u32 v2 = atomicExch(counters + 1ull, 1u);
}
