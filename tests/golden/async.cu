typedef unsigned int u32;
typedef unsigned long long u64;
__device__ __forceinline__ void copy_async_8(void* to, const void* from) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"((u32)__cvta_generic_to_shared(to)), "l"(from) : "memory");
}

extern "C" __global__ void __launch_bounds__(64)
async_copy(
    const float2* __restrict__ in,
    float2* __restrict__ out)
{
    __shared__ __align__(16) float2 staged[128];
    const u32 thread = threadIdx.x;
    const u32 group = blockIdx.x;
    const u64 v0 = (u64)thread;
    const u64 v1 = (u64)group;
    const u64 v2 = v1 * 64ull;
    const u64 v3 = v2 + v0;
    const u32 v4 = thread * 2u;
    const u64 v5 = v3 * 2ull;
    copy_async_8(staged + v4, in + v5);
    copy_async_8(staged + v4 + 1u, in + v5 + 1u);
    asm volatile("cp.async.commit_group;" ::: "memory");
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    __syncthreads();
    const u32 v6 = 127u - thread;
    const float2 v7 = staged[v6];
    out[v3] = make_float2(v7.x, v7.y);
}
