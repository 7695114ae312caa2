typedef unsigned int u32;
typedef unsigned long long u64;

extern "C" __global__ void __launch_bounds__(256)
scoped_barriers(
    float* __restrict__ data)
{
    __shared__ __align__(16) float tile[256];
    const u32 thread = threadIdx.x;
    const u32 group = blockIdx.x;
    const u64 v0 = (u64)thread;
    const u64 v1 = (u64)group;
    const u64 v2 = v1 * 256ull;
    const u64 v3 = v2 + v0;
    const float v4 = data[v3];
    tile[thread] = v4;
    __syncwarp();
    const u32 v5 = thread ^ 1u;
    const float v6 = tile[v5];
    tile[v5] = v6;
    asm volatile("bar.sync %0, 64;" ::"r"(threadIdx.x / 64u + 3u) : "memory");
    const u32 v7 = thread ^ 33u;
    const float v8 = tile[v7];
    const float v9 = v8 + v8;
    data[v3] = v9;
}
