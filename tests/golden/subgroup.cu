typedef unsigned int u32;
typedef unsigned long long u64;
__device__ __forceinline__ u32 laneid() {
    u32 value;
    asm("mov.u32 %0, %%laneid;" : "=r"(value));
    return value;
}

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
    const u32 v5 = laneid();
    const float v6 = __shfl_xor_sync(0xffffffffu, v4, 1u);
    const float v7 = __shfl_sync(0xffffffffu, v4, 0u);
    __syncwarp();
    const float v8 = (float)v5;
    const float v9 = v6 + v7;
    const float v10 = v9 + v8;
    data[v3] = v10;
}
