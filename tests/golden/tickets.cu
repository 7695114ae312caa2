typedef unsigned int u32;
typedef unsigned long long u64;

extern "C" __global__ void __launch_bounds__(16)
tickets(
    u32* counters,
    u32* data)
{
    __shared__ __align__(16) u32 ticket[1];
    const u32 thread = threadIdx.x;
    const bool p0 = thread == 0u;
    const u32 v1 = p0 ? atomicAdd(counters + 8ull, 1u) : 0u;
    if (p0) ticket[0u] = v1;
    __syncthreads();
    const u32 v2 = ticket[0u];
    const u32 v3 = v2 >> 2u;
    const u32 v4 = v2 & 3u;
    const u32 v5 = v3 % 3u;
    const u32 v6 = 1u << v5;
    const u32 v7 = v6 - 1u;
    const u32 v8 = v4 & v7;
    const u32 v9 = v4 - v8;
    const u32 v10 = v9 * 2u;
    const u32 v11 = v10 + v8;
    const u64 v12 = (u64)v11;
    if ((threadIdx.x | threadIdx.y | threadIdx.z) == 0) {
        while (*(volatile const u32*)(counters + v12) < v3) {}
        __threadfence();
    }
    __syncthreads();
    const u32 v13 = v11 + v6;
    const u64 v14 = (u64)v13;
    if ((threadIdx.x | threadIdx.y | threadIdx.z) == 0) {
        while (*(volatile const u32*)(counters + v14) < v3) {}
        __threadfence();
    }
    __syncthreads();
    const u32 v15 = thread >> 3u;
    const u32 v16 = thread & 7u;
    const u32 v17 = v11 * 8u;
    const u32 v18 = v17 + v16;
    const u64 v19 = (u64)v18;
    const u32 v20 = data[v19];
    const u32 v21 = v13 * 8u;
    const u32 v22 = v21 + v16;
    const u64 v23 = (u64)v22;
    const u32 v24 = data[v23];
    __syncthreads();
    const bool p25 = v15 == 0u;
    const u32 v26 = v20 - v24;
    const u32 v27 = v20 + v24;
    const u32 v28 = p25 ? v27 : v26;
    const u32 v29 = v15 * v6;
    const u32 v30 = v11 + v29;
    const u32 v31 = v30 * 8u;
    const u32 v32 = v31 + v16;
    const u64 v33 = (u64)v32;
    data[v33] = v28;
    const u32 v34 = thread & 1u;
    const u32 v35 = v34 * v6;
    const u32 v36 = v11 + v35;
    const u64 v37 = (u64)v36;
    __syncthreads();
    const bool p38 = thread < 2u;
    if (p38) __threadfence();
    const u32 v39 = p38 ? atomicAdd(counters + v37, 1u) : 0u;
}
