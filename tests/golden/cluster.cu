typedef unsigned int u32;
typedef unsigned long long u64;
__device__ __forceinline__ u32 cluster_ctarank() {
    u32 value;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(value));
    return value;
}
template <class T>
__device__ __forceinline__ T* of_rank(T* own, u32 rank) {
    u64 address;
    asm("mapa.u64 %0, %1, %2;" : "=l"(address) : "l"(own), "r"(rank));
    return reinterpret_cast<T*>(address);
}

extern "C" __global__ void __launch_bounds__(64) __cluster_dims__(2, 1, 1)
cluster_swap(
    float2* __restrict__ data)
{
    __shared__ __align__(16) float2 mine[64];
    const u32 thread = threadIdx.x;
    const u32 group = blockIdx.x;
    const u64 v0 = (u64)thread;
    const u64 v1 = (u64)group;
    const u64 v2 = v1 * 64ull;
    const u64 v3 = v2 + v0;
    const float2 v4 = data[v3];
    mine[thread] = make_float2(v4.x, v4.y);
    asm volatile("barrier.cluster.arrive.aligned;\n\tbarrier.cluster.wait.aligned;" ::: "memory");
    const u32 v5 = cluster_ctarank();
    const u32 v6 = v5 ^ 1u;
    const float2 v7 = of_rank(mine, v6)[thread];
    asm volatile("barrier.cluster.arrive.aligned;\n\tbarrier.cluster.wait.aligned;" ::: "memory");
    data[v3] = make_float2(v7.x, v7.y);
}
